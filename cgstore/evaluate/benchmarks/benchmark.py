"""What every benchmark provides: its questions, its sources, and how an answer is judged."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from cgstore.errors import BadInput, CgstoreError
from cgstore.evaluate.scoring import Judge
from cgstore.llm.backends.replay import RecordedReply
from cgstore.model import Answer
from cgstore.query.build import numbered, quote
from cgstore.store import Store
from cgstore.text.names import some_of
from cgstore.text.numbers import read_number

T = TypeVar("T")

Graph = Literal["own", "union"]
"""The graph that a question is asked of: the facts published for this question, or the facts of all questions."""


@dataclass(frozen=True)
class Question:
    """One question of a benchmark.

    Args:
        id: identifies the question within the benchmark.
        text: the question as it is asked.
        gold: the gold answers.
        type: the type under which reports count the question.
        sources: the sources that are asked; empty if nothing was published for the question.
        topic: the names of the gold topic entities.
        reachable: False if a gold answer is nowhere in the sources, so that no program can give it.
        canonical: each gold answer in one fixed form, if the benchmark has such forms.
        annotation: what the benchmark knows of the question's meaning; only its own module reads it.
        rows: whether a gold answer is a row of fields, with ` | ` between them.
        answerable: False if the data do not have the answer, so that giving none is right, with a program or without.
        reply: a recorded reply of an LLM.
        others: the same text asked of other sources, where a benchmark has it several times.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    type: str = ""
    sources: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    reachable: bool = True
    canonical: tuple[str, ...] = ()
    annotation: Any = None
    rows: bool = False
    answerable: bool = True
    reply: str = ""
    others: tuple[Question, ...] = ()


@dataclass(frozen=True)
class Selection:
    """Which questions of a benchmark are asked.

    Args:
        data: the benchmark's folder, or the folder that holds it.
        questions: other questions in the benchmark's own format: a file; for MetaQA a folder such as `2-hop`.
        tables: the tables of `questions`, for WikiSQL.
        hop: the number of relations in a question's path, for MetaQA.
        graph: `"own"` or `"union"`; None for the benchmark's default.
        canonical: whether entities are named by their labels, for CronQuestions.
        limit: the number of questions, drawn at random by `seed`; None for all.
        seed: the seed of the draw.
        unmarked: whether questions have no mark around their topic and no capitals, for MetaQA.
        part: the part of the schemas that are asked, for words; None for all.
        with_programs: whether questions without a program are left out, for words.
    """

    data: Path
    questions: Path | None = None
    tables: Path | None = None
    hop: int = 1
    graph: Graph | None = None
    canonical: bool = False
    limit: int | None = None
    seed: int = 0
    unmarked: bool = False
    part: str | None = None
    with_programs: bool = False

    def folder(self, name: str) -> Path:
        """Returns the folder of the benchmark: `name` in the data folder if it exists, else the data folder."""
        inner = self.data / name
        return inner if inner.is_dir() else self.data


@dataclass(frozen=True)
class Drawn:
    """The questions to ask, in the file's order, and the number of questions left out because they have no gold."""

    questions: list[Question]
    without_gold: int = 0


class Reason(NamedTuple):
    """Why an answer is right or not: a class, which reports count, and its detail in this case, joined by `joint`."""

    kind: str
    detail: str = ""
    joint: str = ": "

    def __str__(self) -> str:
        return f"{self.kind}{self.joint}{self.detail}" if self.detail else self.kind


def unexplained(question: Question, answer: Answer, error: CgstoreError | None) -> Reason:
    """Returns what can be said of any difference: the error, or what is missing and what is too much."""
    if error is not None:
        return Reason("the program is refused", error.message.splitlines()[0])
    given, gold = {str(value) for value in answer.answer}, set(question.gold)
    missing, more = some_of(sorted(gold - given)), some_of(sorted(given - gold))
    return Reason("not explained", f"missing {missing}; too much {more}")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark. Its functions raise BadInput if a file does not exist or is malformed, and name the place.

    Args:
        name: its name in commands and reports.
        title: one line on it, for the help of its command.
        example: the arguments of a command, for the same help.
        read: reads the questions to ask.
        load: loads the sources of these questions, `eval/...`, unless they are loaded.
        judge: how answers are judged.
        set_name: the name of a selection in reports.
        options: the options of its command beside those that all benchmarks have.
        graph: `"own"` or `"union"`, the default, if the command lets the user choose.
        questions_folder: such a folder's name, if other questions are given as a folder; empty for a file.
        oracle_sets: the sets of `eval oracle`, each with the fields of `Selection` that it sets.
        program: the program that a question's annotation stands for, for `eval oracle`.
        explain: why the answer of that program is not the gold one.
        replay_sets: the sets of `eval replay`, likewise.
        recorded: returns a function that finds the questions which a recorded reply answers, for `eval replay`.
    """

    name: str
    title: str
    example: str
    read: Callable[[Selection], Drawn]
    load: Callable[[Store, Selection, Sequence[Question]], None]
    judge: Judge = field(default_factory=Judge)
    set_name: Callable[[Selection], str] = lambda selection: selection.questions.name if selection.questions else "all"
    options: tuple[str, ...] = ()
    graph: Graph | None = None
    questions_folder: str = ""
    oracle_sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    program: Callable[[Question], str] | None = None
    explain: Callable[[Question, Answer, CgstoreError | None], Reason] = unexplained
    replay_sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    recorded: Callable[[Selection], Callable[[RecordedReply], Sequence[Question]]] | None = None


def sample(items: Sequence[T], limit: int | None, seed: int) -> list[T]:
    """Draws `limit` items at random and keeps their order; all items if `limit` is None."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), limit))]


def draw(questions: Iterable[T], selection: Selection) -> list[T]:
    """Draws the questions of a selection and keeps their order.

    Raises:
        BadInput: there is no question.
    """
    items = list(questions)
    if not items:
        raise BadInput("There is no question in this file.")
    return sample(items, selection.limit, selection.seed)


def to_learn_from(benchmark: Benchmark, selection: Selection) -> Selection:
    """Returns what may be learnt from of a selection: the schemas of `train`, where a benchmark has parts."""
    return replace(selection, part="train") if "part" in benchmark.options else selection


def draw_with_gold(questions: Sequence[Question], selection: Selection) -> Drawn:
    """Draws from the questions that have gold answers; papers leave the others out."""
    with_gold = [question for question in questions if question.gold]
    return Drawn(draw(with_gold, selection), len(questions) - len(with_gold))


def graph_name(questions: str, graph: Graph) -> Callable[[Selection], str]:
    """Returns a `set_name` for a benchmark with a choice of graphs: its file of questions and the graph."""

    def set_name(selection: Selection) -> str:
        file = selection.questions.name if selection.questions else questions
        return f"{file}, {selection.graph or graph} graph"

    return set_name


def with_unique_ids(questions: Iterable[Question]) -> list[Question]:
    """Returns the questions with a number appended to each repeated id: `12`, `12#2`."""
    seen: dict[str, int] = {}
    unique = []
    for question in questions:
        count = seen[question.id] = seen.get(question.id, 0) + 1
        unique.append(question if count == 1 else replace(question, id=f"{question.id}#{count}"))
    return unique


class Names:
    """The names and numbers in a source, to tell whether gold answers are among them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {_same(name) for name in names}

    def have(self, gold: Iterable[str]) -> bool:
        """Whether every gold answer is there: texts without case, numbers by value."""
        return all(_same(name) in self._names for name in gold)


class Steps:
    """Writes a program, one `QueryN: "..."` a line; each method appends a call and returns its output's name."""

    def __init__(self) -> None:
        self._calls: list[str] = []

    def call(self, call: str) -> str:
        """Appends a call as it is written."""
        self._calls.append(call)
        return f"output_of_query{len(self._calls)}"

    def add(self, function: str, **arguments: str) -> str:
        """Appends a call with these arguments, each quoted."""
        return self.call(f"{function}({', '.join(f'{name}={quote(value)}' for name, value in arguments.items())})")

    def search(self, **arguments: str) -> str:
        """Appends a call of get_information with the arguments that are not empty."""
        return self.add("get_information", **{name: value for name, value in arguments.items() if value})

    def __str__(self) -> str:
        return numbered(self._calls)


def _same(name: str) -> str | float:
    text = name.strip()
    number = read_number(text)
    return text.casefold() if number is None else number
