"""What all benchmarks share: reading and drawing questions, locating gold answers, and loading graphs.

A benchmark is a subclass of `Benchmark` that says what is its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.sources import Fact, load_graphs, names_in, united
from cgstore.evaluate.scoring import Judge
from cgstore.llm.backends.replay import RecordedReply
from cgstore.options import Options, option
from cgstore.query.build import numbered, quote
from cgstore.store import Store
from cgstore.text.numbers import denotation

T = TypeVar("T")

Graph = Literal["own", "union"]
"""The graph that a question is asked of: the facts published for this question, or the facts of all questions."""

Sets = Mapping[str, Mapping[str, Any]]
"""Sets of questions, each with the fields of `Selection` that it sets."""


@dataclass(frozen=True)
class Question:
    """One question of a benchmark.

    Args:
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
class Selection(Options):
    """Which questions of a benchmark are asked."""

    data: Path = option(MISSING, "The folder of the benchmark, or that of several benchmarks.", path="folder")
    questions: Path | None = option(
        None,
        "Other questions in the benchmark's format: a file, for MetaQA a folder such as 2-hop.",
        unset="its development questions in DATA",
        path="any",
    )
    tables: Path | None = option(None, "The tables of WikiSQL's --questions.", path="file")
    hop: int = option(1, "Relations in the path.", within=(1, 3))
    graph: Graph | None = option(
        None,
        "The facts published for a question alone, or those of all in one graph.",
        unset="the benchmark's own choice",
        choices=("own", "union"),
    )
    canonical: bool = option(False, "Name every entity by its label instead of an alias.")
    limit: int | None = option(None, "Number of questions, drawn at random.", within=(1, None))
    seed: int = option(0, "For --limit and the intervals.")
    unmarked: bool = option(False, "Ask without the brackets around the topic entity, in lower case.")
    part: str | None = option(None, "A part of the schemas: train, tune or test.", unset="all")
    with_programs: bool = option(False, "Leave out questions without a program, for words.")

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
    """Why an answer is right or wrong: the class that reports count, then the detail, with `joint` between them."""

    kind: str
    detail: str = ""
    joint: str = ": "

    def __str__(self) -> str:
        return f"{self.kind}{self.joint}{self.detail}" if self.detail else self.kind


class Benchmark:
    """A benchmark. Its methods raise BadInput if a file does not exist or is malformed, and name the place.

    Attributes:
        name: its name in commands and reports, and the name of its folder.
        title: one line on it, for the help of its command.
        example: the arguments of a command, for the same help.
        file: its development questions, in its folder.
        judge: how answers are judged.
        options: the options of its command beside those that all benchmarks have.
        graph: `"own"` or `"union"`, the default, if the command lets the user choose.
        questions_folder: such a folder's name, if other questions are given as a folder; empty for a file.
        oracle_sets, replay_sets: the sets of `eval oracle` and of `eval replay`.
    """

    name: str
    title: str
    example: str
    file = ""
    judge = Judge()
    options: tuple[str, ...] = ()
    graph: Graph | None = None
    questions_folder = ""
    oracle_sets: ClassVar[Sets] = {}
    replay_sets: ClassVar[Sets] = {}

    def questions(self, selection: Selection) -> Iterable[Question]:
        """Reads all questions of a selection, in the file's order."""
        raise NotImplementedError

    def complete(self, questions: list[Question], selection: Selection) -> list[Question]:
        """Adds to drawn questions what takes long to read, such as whether gold answers are in the sources."""
        return questions

    def load(self, store: Store, selection: Selection, questions: Sequence[Question]) -> None:
        """Loads the sources of these questions, `eval/...`, unless they are loaded."""
        raise NotImplementedError

    def program(self, question: Question) -> str:
        """Returns the program that a question's annotation stands for, if there are `oracle_sets`."""
        raise NotImplementedError

    def recorded(self, selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
        """Returns a function that finds the questions which a recorded reply answers, if there are `replay_sets`."""
        raise NotImplementedError

    def read(self, selection: Selection) -> Drawn:
        """Draws the questions to ask. Questions without a gold answer are left out, as in papers."""
        questions = list(self.questions(selection))
        asked = [question for question in questions if self.is_asked(question, selection)]
        if not asked:
            raise BadInput("There is no question in this file.")
        drawn = sample(asked, selection.limit, selection.seed)
        return Drawn(self.complete(drawn, selection), len(questions) - len(asked))

    def is_asked(self, question: Question, selection: Selection) -> bool:
        """Whether a question may be drawn."""
        return bool(question.gold)

    def path(self, selection: Selection) -> Path:
        """Returns the file of the questions."""
        return selection.questions or selection.folder(self.name) / self.file

    def set_name(self, selection: Selection) -> str:
        """Returns the name of a selection in reports."""
        name = selection.questions.name if selection.questions else self.file if self.graph else "all"
        return f"{name}, {selection.graph or self.graph} graph" if self.graph else name


UNION = "union"
"""Stands for all questions, where facts are given by question."""


class GraphBenchmark(Benchmark):
    """A benchmark over facts. All questions are asked of one graph, or each of the facts published for it."""

    def own_facts(self, selection: Selection) -> Mapping[str, Sequence[Fact]]:
        """Reads the facts published for each question, by its id."""
        raise NotImplementedError

    def all_facts(self, selection: Selection) -> Sequence[Fact]:
        """Reads the facts of the one graph."""
        return united(self.own_facts(selection).values())

    def sources(self, name: str, facts: Sequence[Fact]) -> Mapping[str, Sequence[Fact]]:
        """Returns the sources that the facts of one question, or of `UNION`, are loaded as."""
        source = f"eval/{self.name}" if name == UNION else f"eval/{self.name}/{name}"
        return {source: facts} if facts else {}

    def names(self, facts: Sequence[Fact]) -> Iterable[str]:
        """Returns what can be an answer."""
        return names_in(facts)

    def complete(self, questions: list[Question], selection: Selection) -> list[Question]:
        """Adds their sources, and whether their gold answers are in these."""
        graphs = self._graphs(selection)

        @cache
        def located(name: str) -> tuple[tuple[str, ...], frozenset[str | float]]:
            facts = graphs.get(name, ())
            return tuple(self.sources(name, facts)), denotation(self.names(facts))

        found = [(question, *located(UNION if UNION in graphs else question.id)) for question in questions]
        return [
            replace(each, sources=sources, reachable=denotation(each.gold) <= names) for each, sources, names in found
        ]

    def load(self, store: Store, selection: Selection, questions: Sequence[Question]) -> None:
        """Loads the graphs of these questions."""
        graphs = self._graphs(selection)
        names = graphs if UNION in graphs else [question.id for question in questions]
        load_graphs(store, {s: part for name in names for s, part in self.sources(name, graphs.get(name, ())).items()})

    def _graphs(self, selection: Selection) -> Mapping[str, Sequence[Fact]]:
        is_own = (selection.graph or self.graph) == "own"
        return self.own_facts(selection) if is_own else {UNION: self.all_facts(selection)}


def sample(items: Sequence[T], limit: int | None, seed: int) -> list[T]:
    """Draws `limit` items at random and keeps their order; all items if `limit` is None."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), limit))]


def to_learn_from(benchmark: Benchmark, selection: Selection) -> Selection:
    """Returns what may be learnt from of a selection: the schemas of `train`, where a benchmark has parts."""
    return replace(selection, part="train") if "part" in benchmark.options else selection


def with_unique_ids(questions: Iterable[Question]) -> list[Question]:
    """Returns the questions with a number appended to each repeated id: `12`, `12#2`."""
    seen: dict[str, int] = {}
    unique = []
    for question in questions:
        count = seen[question.id] = seen.get(question.id, 0) + 1
        unique.append(question if count == 1 else replace(question, id=f"{question.id}#{count}"))
    return unique


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
