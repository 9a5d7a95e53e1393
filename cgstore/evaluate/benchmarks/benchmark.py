"""What every benchmark gives: its questions, what is loaded for them, and how an answer is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from cgstore.errors import BadInput
from cgstore.evaluate.metrics import Value
from cgstore.evaluate.report import Scorer
from cgstore.evaluate.sample import sample
from cgstore.store import Store
from cgstore.text.numbers import read_number

T = TypeVar("T")

OWN, UNION = "own", "union"
"""Of facts that are published for each question: asked of its own ones only, or of all of them in one graph."""


@dataclass(frozen=True)
class Question:
    """One question of a benchmark.

    `type` is what the papers report it under. `sources` are those it is asked of, and no others; none where nothing
    was published for it. `topic` has the names of its gold topic entities, which are not part of the text that is asked
    unless the benchmark's own text has them. `reachable` is false where a gold answer stands nowhere in the sources:
    no program can give it. `canonical` are the gold answers in one form each, where the benchmark has them so.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    type: str
    sources: tuple[str, ...]
    topic: tuple[str, ...] = ()
    reachable: bool = True
    canonical: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """What is asked.

    Args:
        data: the benchmark's folder, or the one that it is in.
        questions: other questions in the benchmark's own format: a file, for MetaQA a folder such as `2-hop`.
        tables: of WikiSQL, the tables of `questions`.
        hop: of MetaQA.
        graph: `OWN` or `UNION`; None: as the benchmark has it by default.
        canonical: of CronQuestions, whether each entity is asked for by its label.
        limit: so many, drawn at random by `seed`; all when None.
    """

    data: Path
    questions: Path | None = None
    tables: Path | None = None
    hop: int = 1
    graph: str | None = None
    canonical: bool = False
    limit: int | None = None
    seed: int = 0

    def folder(self, name: str) -> Path:
        """The benchmark's folder: `name` within the data folder where that is there, else the data folder."""
        inner = self.data / name
        return inner if inner.is_dir() else self.data


@dataclass(frozen=True)
class Drawn:
    """The questions that are asked, in the file's order; `without_gold` is how many the file has that no answer fits.

    Those are left out before the questions are drawn, as the papers leave them out.
    """

    questions: list[Question]
    without_gold: int = 0


Denotes = Callable[[Question, Sequence[Value]], bool]
"""A question and an answer to it -> whether that denotes the gold answer."""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark.

    Args:
        name: its name in commands and reports.
        read: the questions drawn.
        load: loads what these questions need as sources named `eval/...`, unless it is there.
        accepted: the scorer of the reference; where it has none, the first answer is in the gold.
        judged_by: the measures of which any makes an answer right.
        accuracy: what its authors call denotation accuracy; where None, `cgstore.evaluate.metrics.accuracy`.
        set_name: what a report calls the setting.
    """

    name: str
    read: Callable[[Setting], Drawn]
    load: Callable[[Store, Setting, Sequence[Question]], None]
    accepted: Scorer
    judged_by: tuple[str, ...] = ("accuracy",)
    accuracy: Denotes | None = None
    set_name: Callable[[Setting], str] = lambda setting: "all" if setting.questions is None else setting.questions.name


def draw(questions: Iterable[T], setting: Setting) -> list[T]:
    """All questions, or so many drawn at random, in the file's order.

    Raises:
        BadInput: there is none.
    """
    every = list(questions)
    if not every:
        raise BadInput("There is no question in this file.")
    return sample(every, setting.limit, setting.seed)


def named_by_graph(questions: str, graph: str) -> Callable[[Setting], str]:
    """The set's name where the graph is chosen: the file of questions and the graph, here by default."""

    def set_name(setting: Setting) -> str:
        return f"{setting.questions.name if setting.questions else questions}, {setting.graph or graph} graph"

    return set_name


def with_unique_ids(questions: Iterable[Question]) -> list[Question]:
    """The questions, of which those with an id that an earlier one has get a number behind it: `12`, `12#2`."""
    seen: dict[str, int] = {}
    unique = []
    for question in questions:
        count = seen[question.id] = seen.get(question.id, 0) + 1
        unique.append(question if count == 1 else replace(question, id=f"{question.id}#{count}"))
    return unique


class Names:
    """What a source holds, to tell whether gold answers are among it: texts without case, numbers by value."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {_same(name) for name in names}

    def have(self, gold: Iterable[str]) -> bool:
        """Whether every one of them is there."""
        return all(_same(name) in self._names for name in gold)


def _same(name: str) -> str | float:
    text = name.strip()
    number = read_number(text)
    return text.casefold() if number is None else number
