"""A user's own questions over the sources that are loaded: JSON Lines `{"question", "answer", "source"}`.

The answer is a text, a number, a list of these, or a list of rows; questions without one are left out. The source is a
name or a list of names. The type of a question, by which reports count, is its sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Question, Selection
from cgstore.evaluate.scoring import Judge, Value
from cgstore.llm.demonstrations.build import FIELDS, TrainingQuestion, read_questions
from cgstore.store import Store
from cgstore.text.kinds import ValueKind, read_as, without_note
from cgstore.text.names import source_name
from cgstore.text.numbers import read_number

AMOUNTS = (ValueKind.CURRENCY, ValueKind.PERCENT, ValueKind.MEASURE)

DIGITS = 8
"""Significant digits in which numbers are compared: a gold file may have rounded ones."""

FORM = '{"question": "...", "answer": ["..."], "source": "..."}'


def same_answer(gold: Sequence[Value], answer: Sequence[Value], canonical: Sequence[str] = ()) -> bool:
    """Whether both lists have the same values or rows, in whatever order, however often.

    Amounts are compared by their number, without currency and unit, in `DIGITS` digits; dates in whatever format; texts
    without case and without a footnote's mark.
    """
    return _denoted(gold) == _denoted(answer)


def _denoted(values: Sequence[Value]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(map(_field, str(value).split(FIELDS))) for value in values)


def _field(text: str) -> str:
    plain = without_note(text.strip())
    number = read_number(plain)
    for kind in AMOUNTS:
        number = read_as(kind, plain) if number is None else number
    if number is not None:
        return f"{number:.{DIGITS}g}"
    day = read_as(ValueKind.DATE, plain)
    return plain.casefold() if day is None else f"date {day}"


class Mine(Benchmark):
    """The benchmark of a user's file. Nothing is loaded for it.

    A question that names no source is asked of `sources`, or of `every` ready one if these are none.
    """

    name = "mine"
    judge = Judge(accuracy=same_answer)

    def __init__(self, path: Path, sources: Sequence[str], every: Sequence[str]) -> None:
        self._path, self._sources, self._every = path, sources, every

    def questions(self, selection: Selection) -> Iterable[Question]:
        questions = [self._asked(*each) for each in enumerate(read_questions(self._path), 1)]
        if questions and not any(each.gold for each in questions):
            problem = f"No question of {self._path.name} has an answer to compare with."
            raise BadInput(problem, f"A line looks like {FORM}")
        return questions

    def _asked(self, number: int, given: TrainingQuestion) -> Question:
        named = given.sources or tuple(self._sources)
        kind = ", ".join(map(source_name, named)) or "all sources"
        gold = tuple(dict.fromkeys(given.gold))
        rows = any(FIELDS in text for text in gold)
        return Question(str(number), given.text, gold, kind, named or tuple(self._every), rows=rows)

    def load(self, store: Store, selection: Selection, questions: Sequence[Question]) -> None:
        """Raises BadInput if a source is missing or not ready."""
        for sources in dict.fromkeys(question.sources for question in questions):
            store.ready(list(sources))
