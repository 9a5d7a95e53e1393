"""WikiTableQuestions: each question is asked of its own table, whose name the benchmark gives.

Denotation accuracy is as the benchmark's own evaluator has it, with its annotations of the gold values where the folder
has `tagged/`. The type is what the gold answer is: `number`, `text`, or `list` where it has several values. A number
that stands in no cell may be computed from them; a gold text that no cell has, even as a part, cannot be had from the
table alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate import wtq
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Setting, draw
from cgstore.evaluate.metrics import Value
from cgstore.evaluate.scoring import accepted_table
from cgstore.evaluate.wtq_denotation import same_denotation
from cgstore.store import Store
from cgstore.text.numbers import read_number

QUESTIONS = "data/pristine-seen-tables.tsv"
"""The questions that are asked by default: those for development, whose tables `training.tsv` has too."""


def _read(setting: Setting) -> Drawn:
    folder = setting.folder("wtq")
    text_of = cache(lambda table: _text(folder, table))
    questions = setting.questions or folder / QUESTIONS
    canonical = wtq.read_canonical(folder, questions)
    drawn = draw(wtq.read_questions(questions), setting)
    return Drawn([_question(one, text_of(one.table), canonical.get(one.id, ())) for one in drawn])


def _question(question: wtq.Question, text: str, canonical: tuple[str, ...]) -> Question:
    numbers = [read_number(value) is not None for value in question.gold]
    kind = "list" if len(question.gold) > 1 else "number" if numbers[0] else "text"
    known = (number or value.casefold() in text for value, number in zip(question.gold, numbers, strict=True))
    source = f"{wtq.SOURCE}/{question.table}"
    return Question(
        question.id, question.text, question.gold, kind, (source,), reachable=all(known), canonical=canonical
    )


def _text(folder: Path, table: str) -> str:
    path = folder / "csv" / f"{table}.tsv"
    try:
        return path.read_text(encoding="utf-8").casefold()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    tables = {source.removeprefix(f"{wtq.SOURCE}/") for question in questions for source in question.sources}
    wtq.load_tables(store, setting.folder("wtq"), tables)


def _denotes(question: Question, answer: Sequence[Value]) -> bool:
    return same_denotation(question.gold, question.canonical, answer)


BENCHMARK = Benchmark("wtq", _read, _load, accepted_table, ("accepted", "accuracy"), _denotes)
