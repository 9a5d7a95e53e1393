r"""WikiTableQuestions: each question is asked of its own table, which the benchmark names.

WikiTableQuestions (Pasupat, Liang: "Compositional Semantic Parsing on Semi-Structured Tables", ACL 2015) asks over
tables of Wikipedia. In its files `\n` stands for a line end, `\p` for a bar and `\\` for a backslash; bars separate the
answers of a list.

Denotation accuracy is that of the benchmark's own evaluator, with its annotations of the gold values if the folder has
`tagged/`. The type is `number` or `text`, or `list` for several gold answers. A number in no cell may be computed from
the cells. A gold text in no cell, not even as a part, cannot be found in the table.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import ClassVar

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Question, Selection, Sets
from cgstore.evaluate.benchmarks.files import rows, text_lines
from cgstore.evaluate.benchmarks.sources import load_changed
from cgstore.evaluate.scoring import Judge, Value, accepted_table
from cgstore.llm.backends.replay import RecordedReply
from cgstore.store import Store
from cgstore.text.numbers import read_number

SOURCE = "eval/wtq"
"""The names of the tables' sources begin with it: `eval/wtq/204-csv/590`."""

TRAINING = "data/training.tsv"

QUESTIONS = "data/pristine-seen-tables.tsv"
"""The development questions; `training.tsv` has their tables too."""

_CANONICAL = "targetCanon"
"""The column of `tagged/` with each gold value in one fixed form."""

_COLUMNS = ["id", "utterance", "context", "targetValue"]

_ESCAPE = re.compile(r"\\([np\\])")
_ESCAPED = {"n": "\n", "p": "|", "\\": "\\"}


def read_questions(path: Path) -> Iterator[Question]:
    """Reads the questions of a file, in its order."""
    columns = ", ".join(_COLUMNS)
    lines = rows(path, len(_COLUMNS), columns=columns)
    if next(lines, None) != _COLUMNS:
        raise BadInput(f"{path.name}, line 1: the columns {columns} are expected.")
    for identifier, utterance, context, target in lines:
        table = context.removeprefix("csv/").removesuffix(".csv")
        gold = _values(target)
        kind = "list" if len(gold) > 1 else "number" if read_number(gold[0]) is not None else "text"
        yield Question(identifier, _decoded(utterance), gold, kind, (f"{SOURCE}/{table}",))


def read_canonical(folder: Path, questions: Path) -> dict[str, tuple[str, ...]]:
    """Reads question id -> canonical gold values; {} if `tagged/` does not have this file of questions."""
    path = folder / "tagged" / "data" / f"{questions.stem}.tagged"
    if not path.is_file():
        return {}
    lines = (line.split("\t") for _, line in text_lines(path))
    header = next(lines, [])
    if "id" not in header or _CANONICAL not in header:
        raise BadInput(f"{path}: the columns id and {_CANONICAL} are expected.")
    identifier, canonical = header.index("id"), header.index(_CANONICAL)
    return {row[identifier]: _values(row[canonical]) for row in lines if len(row) == len(header)}


def questions_by_text(folder: Path) -> dict[str, list[Question]]:
    """Reads every question of the benchmark's folder by its text; a text may be asked of several tables."""
    found: dict[str, list[Question]] = {}
    for name in (TRAINING, QUESTIONS):
        path, questions = folder / name, defaultdict(list)
        if path.is_file() or name == TRAINING:
            for question in read_questions(path):
                questions[question.text].append(question)
        found = dict(questions) | found
    return found


def _values(target: str) -> tuple[str, ...]:
    return tuple(_decoded(value) for value in target.split("|"))


def _decoded(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED[match[1]], text)


# Denotation accuracy, by the rules of the benchmark's own evaluator, version 1.0.2 ----------------------------------
#
# A value is a text; it is also a number or a date if it reads as one. Two values are the same if their normalised texts
# are the same, or their numbers or dates. Two lists are the same if they have equally many distinct values, and each
# value of one is in the other.

CLOSE = 1e-6
"""Two numbers that differ by less are the same."""

_SIGNS = str.maketrans({**dict.fromkeys("‘’´`", "'"), **dict.fromkeys("“”", '"'), **dict.fromkeys("‐‑‒–—−", "-")})
_FOOTNOTES = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
_BRACKETS = re.compile(r"(?<!^)( \([^)]*\))*$")
_QUOTED = re.compile(r'^"([^"]*)"$')

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, each None if it is left open. A year alone is a number."""


@dataclass(frozen=True)
class _WtqValue:
    """A value: its normalised text, and the number or date that it reads as."""

    text: str
    meant: float | Date | None

    @property
    def identity(self) -> object:
        """What two values of one list share if they count as one."""
        return self.text if self.meant is None else self.meant

    def same(self, other: _WtqValue) -> bool:
        if self.text == other.text:
            return True
        if isinstance(self.meant, float) and isinstance(other.meant, float):
            return abs(self.meant - other.meant) < CLOSE
        return self.meant is not None and self.meant == other.meant


def same_denotation(gold: Sequence[str], answer: Sequence[Value], canonical: Sequence[str] = ()) -> bool:
    """Whether the answer denotes the gold values.

    `canonical` has these in the benchmark's `targetCanon`, if at all: `10.0` for `10 years`, `xxxx-10-xx` for
    `October`.
    """
    forms = canonical if len(canonical) == len(gold) else gold
    wanted = _distinct(_value_of(text, form) for text, form in zip(gold, forms, strict=True))
    given = _distinct(_value_of(text, text) for text in map(str, answer))
    return len(wanted) == len(given) and all(any(one.same(other) for other in given) for one in wanted)


def normalised(text: str) -> str:
    """Returns the text in small letters, without accents, footnotes, final details in brackets, and outer quotes."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    plain, before = plain.translate(_SIGNS), None
    while plain != before:
        before = plain
        for ending in (_FOOTNOTES, _BRACKETS):
            plain = ending.sub("", plain.strip())
        plain = _QUOTED.sub(r"\1", plain.strip())
    return " ".join(plain.removesuffix(".").split()).lower()


def _distinct(values: Iterable[_WtqValue]) -> list[_WtqValue]:
    return list({value.identity: value for value in values}.values())


def _value_of(text: str, form: str) -> _WtqValue:
    """The value of a text, which reads as its canonical form does."""
    number = _number(form)
    return _WtqValue(normalised(text), _date(form) if number is None else number)


def _number(form: str) -> float | None:
    try:
        number = float(form)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _date(form: str) -> float | Date | None:
    parts = form.lower().split("-")
    try:
        year, month, day = (None if re.fullmatch("xx(xx)?", part) else int(part) for part in parts)
    except ValueError:
        return None
    if month is None and day is None:
        return None if year is None else float(year)
    if not 1 <= (month or 1) <= 12 or not 1 <= (day or 1) <= 31:
        return None
    return year, month, day


# The benchmark --------------------------------------------------------------------------------------------------------


class WikiTableQuestions(Benchmark):
    """The questions of a file, each over its table."""

    name = "wtq"
    title = "WikiTableQuestions: each question is asked of its own table."
    example = "wtq --data .data --limit 200 --llm batch --batch requests --model gpt-4o-mini"
    file = QUESTIONS
    judge = Judge(accepted_table, ("accepted", "accuracy"), same_denotation)
    replay_sets: ClassVar[Sets] = {"wtq": {}}

    def questions(self, selection: Selection) -> Iterable[Question]:
        return read_questions(self.path(selection))

    def complete(self, questions: list[Question], selection: Selection) -> list[Question]:
        """Adds canonical forms, and whether each gold text is in the table."""
        folder = selection.folder(self.name)
        text_of = cache(lambda source: _table(folder, source).decode().casefold())
        canonical = read_canonical(folder, self.path(selection))

        def complete(question: Question) -> Question:
            text = text_of(question.sources[0])
            reachable = all(read_number(value) is not None or value.casefold() in text for value in question.gold)
            return replace(question, reachable=reachable, canonical=canonical.get(question.id, ()))

        return list(map(complete, questions))

    def load(self, store: Store, selection: Selection, questions: Sequence[Question]) -> None:
        folder = selection.folder(self.name)
        sources = {source for question in questions for each in (question, *question.others) for source in each.sources}

        def load(changed: list[str]) -> None:
            for part, group in groupby(changed, key=lambda source: source.rpartition("/")[0]):
                names = list(group)
                # The loader names several tables NAME/TABLE, and one alone NAME.
                name = part if len(names) > 1 else names[0]
                paths = [_table_file(folder, each) for each in names]
                store.load_table(paths, name=name, header=True, escapes=True, replace=True, progress=True)

        load_changed(store, {source: _table(folder, source) for source in sorted(sources)}, load)

    def recorded(self, selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
        known = questions_by_text(selection.folder(self.name))
        return lambda recorded: known.get(recorded.question, [])


def _table_file(folder: Path, source: str) -> Path:
    return folder / "csv" / f"{source.removeprefix(f'{SOURCE}/')}.tsv"


def _table(folder: Path, source: str) -> bytes:
    path = _table_file(folder, source)
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


BENCHMARK = WikiTableQuestions()
