"""Reading a string as a number or a time, so that it can be compared and computed with.

Numbers follow section 2 of the query language page (signs are kept). Times are years, months or days in ISO form;
they share one line with plain years, in years: 2004 is 2004.0, 2004-07-02 is 2004.5. So a year compares with a day, and
the number of a year is the year. The values of answers are compared as numbers too, else as words.
"""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Iterable
from typing import NamedTuple

_ISO = re.compile(r"([-+]?\d{4,18})-(\d{2})(?:-(\d{2}))?")
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
_NUMBER_LIKE = re.compile(r"[\d.,\s-]+")


class Typed(str):
    """The text of what is a number in the input, and not a text: a point stands before its decimals."""

    __slots__ = ()


class Span(NamedTuple):
    """A stretch of the time line: `lo` is its first moment and `hi` the last one of its own step, in years.

    For a number or a year both are the number; for `2004-07` they are its first and its last day.
    """

    lo: float
    hi: float


def read_number(text: str) -> float | None:
    """The number that a text means, or None: `5`, `1e3`, `1,000`, `-1,234`, `1.234,5`, `0,125`, U+2212 as minus.

    `5th`, `50%`, `$5`, `1-2` and texts without digits are no numbers here; neither are `nan` and `inf`.
    """
    plain = text.replace("−", "-")
    try:
        number = float(plain)
    except ValueError:
        number = _read_grouped(plain)
    return number if math.isfinite(number) else None


def _read_grouped(text: str) -> float:
    """A number with thousands separators (either convention), or nan."""
    stripped = text.strip()
    if not _NUMBER_LIKE.fullmatch(stripped):
        return math.nan
    sign, digits = (-1.0, stripped[1:]) if stripped.startswith("-") else (1.0, stripped)
    comma, point = digits.find(","), digits.find(".")
    if 0 <= point < comma:
        digits = digits.translate(str.maketrans(".,", ",."))
    elif point < 0 <= comma and digits.count(",") == 1 and not _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", ".")
    whole, _, decimals = digits.partition(".")
    first, *groups = whole.split(",")
    if not (
        first.isdigit() and all(g.isdigit() and len(g) == 3 for g in groups) and (not decimals or decimals.isdigit())
    ):
        return math.nan
    return sign * float(f"{first}{''.join(groups)}.{decimals or 0}")


def read_span(text: str) -> Span | None:
    """The stretch of the number and time line that a text means, or None where it is neither."""
    if match := _ISO.fullmatch(text.strip()):
        return _iso_span(int(match[1]), int(match[2]), int(match[3]) if match[3] else None)
    number = read_number(text)
    return None if number is None else Span(number, number)


def read_time_span(text: str, step: str | None = None) -> Span | None:
    """As `read_span`, with a whole year standing for all its days: the stretch from 1 January to 31 December.

    Args:
        text: a year, month or day.
        step: `year` or `month`: the stretch begins with the step that it falls in, so that a day is compared with years
            as its year; `day` or None: it begins where it begins.
    """
    span = read_span(text)
    if span is None:
        return None
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return Span(span.lo, _years(int(span.lo), 12, 31)) if span.lo.is_integer() else span
    if step == "year":
        return Span(float(int(match[1])), span.hi)
    return Span(_years(int(match[1]), int(match[2]), 1), span.hi) if step == "month" else span


def cut_to_step(text: str, step: str | None) -> str | None:
    """A month or day as the year or month that it is compared as where times are `step` apart; None where it is not."""
    match = _ISO.fullmatch(text.strip())
    if match is None or step not in ("year", "month") or (step == "month" and match[3] is None):
        return None
    return match[1] if step == "year" else f"{match[1]}-{match[2]}"


def number_of(text: str) -> float | None:
    """The property `num` of a node and of a CG_VALUE relationship: the start of `read_span`."""
    span = read_span(text)
    return None if span is None else span.lo


def _iso_span(year: int, month: int, day: int | None) -> Span | None:
    if not 1 <= month <= 12:
        return None
    length = days_in_month(year, month)
    if day is not None and not 1 <= day <= length:
        return None
    first, last = (1, length) if day is None else (day, day)
    return Span(_years(year, month, first), _years(year, month, last))


def _years(year: int, month: int, day: int) -> float:
    before = sum(days_in_month(year, m) for m in range(1, month))
    length = 366 if calendar.isleap(year) else 365
    return year + (before + day - 1) / length


def days_in_month(year: int, month: int) -> int:
    """How many days a month has, in any year."""
    return 29 if month == 2 and calendar.isleap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def denoted(value: str | float) -> str | float:
    """What a value of an answer is compared by: its number, else its text without outer blanks, whatever its case."""
    text = str(value).strip()
    number = read_number(text)
    return text.casefold() if number is None else number


def denotation(values: Iterable[str | float]) -> frozenset[str | float]:
    """What an answer denotes: the set of its values, each as `denoted`."""
    return frozenset(map(denoted, values))


def is_unicode(text: str) -> bool:
    """Whether a text can be sent anywhere: bytes that are no UTF-8 reach a program as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
