"""Denotation accuracy by the rules of WikiTableQuestions' own evaluator, version 1.0.2.

A value is a text; it is also a number or a date if it reads as one. Two values are the same if their normalised texts
are the same, or their numbers or dates. Two lists are the same if they have equally many distinct values, and each
value of one is in the other.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cgstore.evaluate.scoring import Value

CLOSE = 1e-6
"""Two numbers that differ by less are the same."""

_SIGNS = str.maketrans({**dict.fromkeys("‘’´`", "'"), **dict.fromkeys("“”", '"'), **dict.fromkeys("‐‑‒–—−", "-")})
_FOOTNOTES = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
_BRACKETS = re.compile(r"(?<!^)( \([^)]*\))*$")
_QUOTED = re.compile(r'^"([^"]*)"$')

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, each None if it is left open. A year alone is a number."""


@dataclass(frozen=True)
class _Read:
    """A value: its normalised text, and the number or date that it reads as."""

    text: str
    meant: float | Date | None

    @property
    def identity(self) -> object:
        """What two values of one list share if they count as one."""
        return self.text if self.meant is None else self.meant

    def same(self, other: _Read) -> bool:
        if self.text == other.text:
            return True
        if isinstance(self.meant, float) and isinstance(other.meant, float):
            return abs(self.meant - other.meant) < CLOSE
        return self.meant is not None and self.meant == other.meant


def same_denotation(gold: Sequence[str], answer: Sequence[Value], canonical: Sequence[str] = ()) -> bool:
    """Whether the answer denotes the gold values.

    Args:
        gold: the gold values as texts.
        answer: texts or numbers.
        canonical: the gold values in the benchmark's `targetCanon`: `10.0` for `10 years`, `xxxx-10-xx` for `October`;
            () if there are none.
    """
    forms = canonical if len(canonical) == len(gold) else gold
    wanted = _distinct(_read(text, form) for text, form in zip(gold, forms, strict=True))
    given = _distinct(_read(text, text) for text in map(str, answer))
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


def _distinct(values: Iterable[_Read]) -> list[_Read]:
    return list({value.identity: value for value in values}.values())


def _read(text: str, form: str) -> _Read:
    """The value of a text, which reads as its canonical form does."""
    number = _number(form)
    return _Read(normalised(text), _date(form) if number is None else number)


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
