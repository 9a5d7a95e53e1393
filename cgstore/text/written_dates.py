"""Dates as people write them: `July 2, 2004`, `2. Juli 2004`, `7/2/2004`, days without a year, timestamps."""

from __future__ import annotations

import re

from cgstore.text.dates import (
    Moment,
    Span,
    Step,
    clock_span,
    day_at,
    days_in_month,
    first,
    number_at,
    read_moment,
    span_of,
)
from cgstore.text.numbers import without_aside

_ENGLISH = """
jan january; feb february; mar march; apr april; may; jun june; jul july; aug august; sep sept september; oct october;
nov november; dec december
"""

_OTHERS = """
januar jänner janvier janv enero ene gennaio janeiro januari; februar feber février févr febrero febbraio fevereiro fev
februari; märz mär mrz mars marzo março maart mrt marts; avril avr abril abr aprile; mai mayo maggio maio mei maj; juni
juin junio giugno giu junho; juli juillet juil julio luglio lug julho; août agosto ago augustus augusti; septembre
septiembre settembre setembro; oktober okt octobre octubre ottobre ott outubro; novembre noviembre novembro; dezember
dez décembre déc diciembre dic dicembre dezembro desember
"""
"""Names that are other words too, as Italian `set` and Portuguese `out`, are left out."""


def _numbered(*lists: str) -> dict[str, int]:
    return {name: number for names in lists for number, each in enumerate(names.split(";"), 1) for name in each.split()}


def _any_of(names: dict[str, int]) -> str:
    return rf"(?P<month>{'|'.join(sorted(names, key=len, reverse=True))})"


MONTHS = _numbered(_OTHERS, _ENGLISH)
"""The numbers of the months by their names and abbreviations, in ten languages, in lower case."""

ENGLISH_MONTH = _any_of(_numbered(_ENGLISH))
MONTH = _any_of(MONTHS) + r"\.?"
WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º)?"
_OF = r"\s+(?:of|de|del|di)\s+"
_MONTH_YEAR = re.compile(rf"{MONTH}(?:{_OF}|\s*[-,\s]\s*)(?P<year>[12]\d{{3}})", re.IGNORECASE)
_WRITTEN = (
    re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"),
    re.compile(r"(?P<year>[12]\d{3})-(?P<month>\d{2})"),
    re.compile(rf"{WEEKDAY}{MONTH}\s*{_DAY}\s*,?\s*(?P<year>[12]\d{{3}})", re.IGNORECASE),
    re.compile(
        rf"{WEEKDAY}{_DAY}(?:{_OF}|\s*[-.\s]\s*){MONTH}(?:{_OF}|\s*[-,\s]\s*)(?P<year>[12]\d{{3}}|'?\d\d)",
        re.IGNORECASE,
    ),
    _MONTH_YEAR,
)
FIGURES = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2([12]\d{3}|\d\d)")
_PLAIN_YEAR = re.compile(r"[12]\d{3}")
_YEARLESS = tuple(
    re.compile(WEEKDAY + form, re.IGNORECASE)
    for form in (rf"{ENGLISH_MONTH}\.?\s?{_DAY}", rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]{ENGLISH_MONTH}\.?")
)


def read_date(text: str, *, day_first: bool = False) -> float | None:
    """A year, month or day in any form, on the line of numbers and dates; `7/2/2004` begins with the month by default.

    With dots, the day comes first wherever they are used.
    """
    text = without_aside(text)
    if _PLAIN_YEAR.fullmatch(text):
        return float(text)
    if match := FIGURES.fullmatch(text):
        first, second = int(match[1]), int(match[3])
        day, month = (first, second) if day_first or match[2] == "." else (second, first)
        return _start(_whole_year(match[4]), month, day)
    for form in _WRITTEN:
        if match := form.fullmatch(text):
            return _start(_whole_year(match["year"]), _month(match), int(match.groupdict().get("day") or 1))
    moment = read_moment(text)
    return None if moment is None or moment.minute < 0 else clock_span(text, moment).lo


def read_any_moment(text: str) -> Moment | None:
    """A year, month or day in any form, as exact as it is written; `7/2/2004` begins with the month."""
    text = text.strip()
    if (moment := read_moment(text)) is not None:
        return moment
    number = read_date(text)
    if number is None:
        return None
    day = day_at(number)
    is_month = _MONTH_YEAR.fullmatch(without_aside(text)) is not None
    return Moment(day.year, day.month) if is_month else day


def read_day_of_year(text: str) -> float | None:
    """The day of a leap year, from 1, of a date without a year: `July 2`, `2 Jul`."""
    match = next((match for form in _YEARLESS if (match := form.fullmatch(text))), None)
    if match is None or not 1 <= int(match["day"]) <= days_in_month(2000, _month(match)):
        return None
    day = Moment(2000, _month(match), int(match["day"]))
    return float(first(day, Step.DAY) - first(Moment(1999, 12, 31), Step.DAY))


def date_span(text: str, number: float) -> Span:
    """All of the month or day that a text means, given its number; of a time of day its minute or second."""
    if (month := month_of(text)) is not None:
        return span_of(month, None)
    if (moment := read_moment(without_aside(text))) is not None and moment.minute >= 0:
        return clock_span(without_aside(text), moment)
    return Span(number, span_of(day_at(number), None).hi)


def month_of(text: str) -> Moment | None:
    """The month that is written as in `July 2004`; None for any other text."""
    match = _MONTH_YEAR.fullmatch(text)
    return Moment(int(match["year"]), _month(match)) if match else None


def is_season(text: str) -> bool:
    """Whether a month such as `2004-05` may be a season: its two figures are those of the following year."""
    match = _WRITTEN[1].match(text)
    return match is not None and (int(match["year"]) + 1) % 100 == int(match["month"])


def _month(match: re.Match[str]) -> int:
    return MONTHS.get(match["month"].lower()) or int(match["month"])


def _whole_year(digits: str) -> int:
    year = int(digits.lstrip("'"))
    return year if len(digits) == 4 else year + (1900 if year >= 69 else 2000)


def _start(year: int, month: int, day: int) -> float | None:
    if not (1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        return None
    return number_at(Moment(year, month, day))
