"""Dates: reading them, placing them on one line with numbers, counting them by year, month or day, and naming them.

A date is a whole year (`1999`, `-44`, `0546`) or a month or day in ISO form (`2004-07`, `2004-07-02`), in the
proleptic Gregorian calendar with a year 0, as in ISO 8601. Numbers and dates share one line, in years: 2004 is 2004.0
and 2004-07-02 is 2004.5. So a year compares with a day, and the number of a year is the year.
"""

from __future__ import annotations

import bisect
import calendar
import math
import re
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from cgstore.text.numbers import read_number, without_aside

_ISO = re.compile(r"([-+]?[0-9]{4,12})-([0-9]{2})(?:-([0-9]{2}))?")
_YEAR = re.compile(r"[-+]?[0-9]{1,12}")
_EXACT = 1e-6  # years by which the number of a date may be inexact


class Step(StrEnum):
    """How far apart two neighbouring times of a source are."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class Moment(NamedTuple):
    """A date as a file states it; `month` and `day` are 0 where it does not say them.

    `years` is 10 for a decade, 100 for a century and 1,000 for a millennium, which begin with `year`. Moments sort by
    where they begin; a coarser one precedes a finer one that begins with it.
    """

    year: int
    month: int = 0
    day: int = 0
    years: int = 1

    @property
    def step(self) -> Step:
        """How exact it is; for a decade or century, year."""
        return Step.DAY if self.day else Step.MONTH if self.month else Step.YEAR

    @property
    def name(self) -> str:
        """The name of its node, as exact as it is: `1999`, `-44`, `2004-07`, `2004-07-02`, `1990s`, `19th century`."""
        return time_name(first(self, self.step), self.step) if self.years == 1 else _long_name(self)

    def is_coarser_than(self, step: Step) -> bool:
        """Whether it is less exact than the times of a source with that step."""
        return self.years > 1 or list(Step).index(self.step) < list(Step).index(step)

    def cut(self, step: Step) -> Moment:
        """The moment, not more exact than a step: by month, 2004-07-02 is 2004-07, and 2004 is 2004."""
        return self._replace(month=0 if step is Step.YEAR else self.month, day=self.day if step is Step.DAY else 0)

    @property
    def first_day(self) -> Moment:
        """The day on which it begins."""
        return Moment(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> Moment:
        """The day on which it ends: 1999 ends on 1999-12-31."""
        year, month = self.year + self.years - 1, self.month or 12
        return Moment(year, month, self.day or days_in_month(year, month))


def today() -> Moment:
    """The day that it is in UTC."""
    now = datetime.now(UTC)
    return Moment(now.year, now.month, now.day)


class Span(NamedTuple):
    """A stretch of the line of numbers and dates, from `lo` to `hi`; both ends are the same for a number or a year.

    The span of `2004-07` reaches from its first to its last day.
    """

    lo: float
    hi: float


def days_in_month(year: int, month: int) -> int:
    """The number of days in a month of any year."""
    return 29 if month == 2 and calendar.isleap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


@lru_cache(65_536)
def read_moment(text: str) -> Moment | None:
    """The date that a text means, or None: `1999`, `-44`, `0546`, `2004-07`, `2004-07-02`; U+2212 is a minus."""
    plain = text.replace("−", "-")
    return Moment(int(plain)) if _YEAR.fullmatch(plain) else _read_iso(plain)


_SHORT_YEAR = re.compile(r"([-+]?)([0-9]{1,3})((?:-[0-9]{1,2}){0,2})")


def with_four_digits(text: str) -> str | None:
    """The month or day, or the year, that a text with a shorter year means: `0900-01-01` for `900-01-01`; else None."""
    match = _SHORT_YEAR.fullmatch(text)
    if match is None:
        return None
    longer = f"{match[1]}{match[2]:0>4}{match[3]}"
    return longer if read_moment(longer) else None


def _read_iso(text: str) -> Moment | None:
    """A month or day in ISO form, if the calendar has it."""
    match = _ISO.fullmatch(text)
    if match is None or not 1 <= (month := int(match[2])) <= 12:
        return None
    year = int(match[1])
    if match[3] is None:
        return Moment(year, month)
    return Moment(year, month, int(match[3])) if 1 <= int(match[3]) <= days_in_month(year, month) else None


# The line of numbers and dates


def number_of(text: str) -> float | None:
    """The property `num` of a node and of a CG_VALUE relationship: the start of `read_span`."""
    span = read_span(text)
    return None if span is None else span.lo


def read_span(text: str) -> Span | None:
    """The span of a number or date, or None if the text is neither."""
    if moment := _read_iso(text.strip()):
        return span_of(moment)
    number = read_number(text)
    return None if number is None else Span(number, number)


def read_time_span(text: str, step: str | None = None) -> Span | None:
    """As `read_span`, with a whole year standing for all its days, from 1 January to 31 December.

    Args:
        text: a year, month or day.
        step: with `year` or `month`, the span begins at the start of that year or month, so that a day compares with
            years as its year; with `day` or None, it begins where the text does.
    """
    moment = _read_iso(text.strip())
    if moment is None:
        span = read_span(text)
        return span_of(Moment(int(span.lo))) if span and span.lo.is_integer() else span
    year = float(moment.year)
    if step == Step.YEAR:
        return Span(year, span_of(moment).hi)
    return (
        Span(_years(Moment(moment.year, moment.month, 1)), span_of(moment).hi)
        if step == Step.MONTH
        else span_of(moment)
    )


def cut_to_step(text: str, step: str | None) -> str | None:
    """The year or month as which a month or day is compared where times are `step` apart; None if it stays as it is."""
    match = _ISO.fullmatch(text.strip())
    if match is None or step not in (Step.YEAR, Step.MONTH) or (step == Step.MONTH and match[3] is None):
        return None
    return match[1] if step == Step.YEAR else f"{match[1]}-{match[2]}"


def span_of(moment: Moment) -> Span:
    """From the first to the last day of a moment."""
    return Span(_years(moment.first_day), _years(moment.last_day))


def _years(day: Moment) -> float:
    length = 366 if calendar.isleap(day.year) else 365
    return day.year + (_day_number(day) - _day_number(Moment(day.year, 1, 1))) / length


def coarser(number: float) -> list[float]:
    """The beginnings of the year and of the month of a date, each without those whose first or last day it is.

    A cell that is only this year, or this month, may lie before the date or after it.
    """
    year = math.floor(number)
    starts = [_years(Moment(year, month, 1)) for month in range(1, 13)]
    month = bisect.bisect_right(starts, number + _EXACT)
    spans = [span_of(Moment(year)), span_of(Moment(year, month))]
    return [span.lo for span in spans if span.lo + _EXACT < number < span.hi - _EXACT]


# Counting times


def first(moment: Moment, step: Step) -> int:
    """The number, counted in steps, of the first year, month or day of a moment.

    Years count from year 0, months from January of year 0, days from 1 March of year 0. A moment that is more exact
    than the step is cut to it: counted in years, 2004-07-02 is 2004.
    """
    return _number(moment.first_day, step)


def last(moment: Moment, step: Step) -> int:
    """As `first`, for the last year, month or day of a moment."""
    return _number(moment.last_day, step)


def _number(day: Moment, step: Step) -> int:
    if step is Step.YEAR:
        return day.year
    return day.year * 12 + day.month - 1 if step is Step.MONTH else _day_number(day)


_BEFORE_COMMON_ERA = 305
"""The day before 0001-01-01, of which Python's own calendar knows nothing."""


def time_name(number: int, step: Step) -> str:
    """The name of a time's node: `1999`, `-44`, `2004-07`, `2004-07-02`."""
    if step is Step.YEAR:
        return str(number)
    if step is Step.MONTH:
        year, month = divmod(number, 12)
        return f"{_iso_year(year)}-{month + 1:02d}"
    if 0 < number - _BEFORE_COMMON_ERA <= date.max.toordinal():
        return date.fromordinal(number - _BEFORE_COMMON_ERA).isoformat()
    year, month, day, _ = _date_of(number)
    return f"{_iso_year(year)}-{month:02d}-{day:02d}"


def _long_name(moment: Moment) -> str:
    """The name of a decade, a century or a millennium.

    Those that begin with a year that ends in 0 are `1990s`, `18XX` and `1XXX`, and the 19th century begins with 1801.
    Of years BC, `440s BC` is -448 to -439, and `-043X` is -439 to -430, as EDTF counts.
    """
    year, years = moment.year, moment.years
    digits = len(str(years)) - 1
    if year > 0 and years > 10 and year % years == 1:
        return f"{ordinal((year - 1) // years + 1)} {_AGES[years]}"
    if year >= 0:
        return (
            f"{year}s" if years == 10 and year > 100 and year % 100 else f"{year // years:0{4 - digits}d}{'X' * digits}"
        )
    if years == 10 and year % 10 == 2:
        return f"{-8 - year}s BC"
    if years > 10 and (1 - year) % years == 0:
        return f"{ordinal((1 - year) // years)} {_AGES[years]} BC"
    return f"-{-year // years:0{4 - digits}d}{'X' * digits}"


_AGES = {100: "century", 1000: "millennium"}


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _iso_year(year: int) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}"


# Days are counted in years that begin in March, so that the leap day is the last one of its year; 400 such years
# have 146,097 days. The standard library's dates end at year 9999 and begin with year 1.


def _day_number(date: Moment) -> int:
    year, month, day, _ = date
    era, of_era = divmod(year - (month <= 2), 400)
    of_year = (153 * ((month - 3) % 12) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year


def _date_of(number: int) -> Moment:
    era, day_of_era = divmod(number, 146_097)
    of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    of_year = day_of_era - (365 * of_era + of_era // 4 - of_era // 100)
    shifted_month = (5 * of_year + 2) // 153
    month = (shifted_month + 2) % 12 + 1
    return Moment(era * 400 + of_era + (month <= 2), month, of_year - (153 * shifted_month + 2) // 5 + 1)


class StepFinder:
    """Finds the default step of a file: the coarsest one that keeps all its times.

    Whole years need years, months need months, days need days. Many files write coarse times as full dates, so that
    months are enough if every start is the first day of a month and every end the first or last one, and years are
    enough if moreover every start is in January and every end is 1 January or 31 December.
    """

    def __init__(self) -> None:
        self.step = Step.YEAR

    def add(self, start: Moment, end: Moment) -> None:
        """Takes the times of one fact into account."""
        if self.step is Step.DAY or (start.month == 0 and end.month == 0):
            return
        if not (start.day <= 1 and (end.day <= 1 or end == Moment(end.year, end.month).last_day)):
            self.step = Step.DAY
        elif not (_is_whole_year(start, (1, 1)) and _is_whole_year(end, (1, 1), (12, 31))):
            self.step = Step.MONTH


def _is_whole_year(moment: Moment, *days: tuple[int, int]) -> bool:
    """Whether a moment is a year, or one of these days of it; an ISO month is written on purpose."""
    return moment.month == 0 or moment[1:3] in days


# Dates as people write them

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
_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?(?:Z|\s?UTC|([-+])(\d\d):?(\d\d))?")
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
    return _read_timestamp(text)


def read_any_moment(text: str) -> Moment | None:
    """A year, month or day in any form, as exact as it is written; `7/2/2004` begins with the month."""
    text = text.strip()
    if (moment := read_moment(text)) is not None:
        return moment
    number = read_date(text)
    if number is None:
        return None
    year = math.floor(number)
    length = 366 if calendar.isleap(year) else 365
    day = _date_of(_day_number(Moment(year, 1, 1)) + math.floor((number - year) * length + 1e-6))
    is_month = _MONTH_YEAR.fullmatch(without_aside(text)) is not None
    return Moment(day.year, day.month) if is_month else day


def read_day_of_year(text: str) -> float | None:
    """The day of a leap year, from 1, of a date without a year: `July 2`, `2 Jul`."""
    match = next((match for form in _YEARLESS if (match := form.fullmatch(text))), None)
    if match is None or not 1 <= int(match["day"]) <= days_in_month(2000, _month(match)):
        return None
    return float(_day_number(Moment(2000, _month(match), int(match["day"]))) - _day_number(Moment(1999, 12, 31)))


def month_span(text: str) -> Span | None:
    """All days of a month that is written as in `July 2004`; None for any other text."""
    match = _MONTH_YEAR.fullmatch(text)
    return span_of(Moment(int(match["year"]), _month(match))) if match else None


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
    return _years(Moment(year, month, day))


def _read_timestamp(text: str) -> float | None:
    """A day with a time of day, as so many hours later; in UTC if an offset is given."""
    match = _TIMESTAMP.fullmatch(text)
    moment = _read_iso(match[1]) if match else None
    if match is None or moment is None or int(match[2]) > 24 or int(match[3]) > 59:
        return None
    seconds = int(match[2]) * 3600 + int(match[3]) * 60 + float((match[4] or "0").replace(",", "."))
    if match[5]:
        offset = int(match[6]) * 3600 + int(match[7]) * 60
        seconds += offset if match[5] == "-" else -offset
    return _years(moment) + seconds / 86400 / (366 if calendar.isleap(moment.year) else 365)
