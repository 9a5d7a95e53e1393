"""Times: reading them, placing them on one line with numbers, counting them by year, day, second ..., and naming them.

A time is a whole year (`1999`, `-44`, `0546`), a month or day in ISO form (`2004-07`, `2004-07-02`), or a day with a
time of day (`2004-07-02T10:30`, `2004-07-02 10:30:15`), in the proleptic Gregorian calendar with a year 0, as in
ISO 8601. Numbers and times share one line, in years: 2004 is 2004.0 and 2004-07-02 is 2004.5. So a year compares with
a day, and the number of a year is the year.

A time of day with an offset or with `Z` is one instant, and is read as the time that it is in UTC. One without is taken
as it stands. Fractions of a second are cut.
"""

from __future__ import annotations

import calendar
import math
import re
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from cgstore.text.numbers import read_number

_ISO = re.compile(r"([-+]?[0-9]{4,12})-([0-9]{2})(?:-([0-9]{2}))?")
_YEAR = re.compile(r"[-+]?[0-9]{1,12}")
_CLOCK = re.compile(
    r"([-+]?[0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})([.,][0-9]+)?)?"
    r"(Z|\s?UTC|([-+])([0-9]{2})(?::?([0-9]{2}))?)?"
)
_EXACT = 1e-9  # years by which the number of a time may be inexact; a second is 3e-8 of them

MINUTES, SECONDS = 1440, 86_400
"""Those of a day."""


class Step(StrEnum):
    """How far apart two neighbouring times of a source are."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MINUTE = "minute"
    SECOND = "second"

    def is_finer_than(self, other: Step) -> bool:
        """Whether its times are shorter than those of another step."""
        return _FINENESS[self] > _FINENESS[other]

    @property
    def has_clock(self) -> bool:
        """Whether its times have a time of day."""
        return self in (Step.MINUTE, Step.SECOND)


_FINENESS = {step: place for place, step in enumerate(Step)}


class Moment(NamedTuple):
    """A time as a file states it. `month` and `day` are 0, `minute` and `second` -1, where it does not say them.

    `minute` is that of the day, and `second` that of the minute. `years` is 10 for a decade, 100 for a century and
    1,000 for a millennium, which begin with `year`. Moments sort by where they begin; a coarser one precedes a finer
    one that begins with it.
    """

    year: int
    month: int = 0
    day: int = 0
    years: int = 1
    minute: int = -1
    second: int = -1

    @property
    def step(self) -> Step:
        """How exact it is; for a decade or century, year."""
        if self.minute >= 0:
            return Step.SECOND if self.second >= 0 else Step.MINUTE
        return Step.DAY if self.day else Step.MONTH if self.month else Step.YEAR

    @property
    def name(self) -> str:
        """The name of its node, as exact as it is: `1999`, `2004-07`, `2004-07-02T10:30`, `1990s`, `19th century`."""
        return time_name(first(self, self.step), self.step) if self.years == 1 else _long_name(self)

    def is_coarser_than(self, step: Step) -> bool:
        """Whether it is less exact than the times of a source with that step."""
        return self.years > 1 or step.is_finer_than(self.step)

    def cut(self, step: Step) -> Moment:
        """The moment, not more exact than a step: by month, 2004-07-02 is 2004-07, and 2004 is 2004."""
        if not self.step.is_finer_than(step):
            return self
        month, day = (0 if step is Step.YEAR else self.month), (self.day if step.is_finer_than(Step.MONTH) else 0)
        return self._replace(month=month, day=day, minute=self.minute if step is Step.MINUTE else -1, second=-1)

    @property
    def first_day(self) -> Moment:
        """The day on which it begins."""
        return Moment(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> Moment:
        """The day on which it ends: 1999 ends on 1999-12-31."""
        year, month = self.year + self.years - 1, self.month or 12
        return Moment(year, month, self.day or days_in_month(year, month))


def this_second() -> Moment:
    """The time that it is in UTC."""
    now = datetime.now(UTC)
    return Moment(now.year, now.month, now.day, minute=60 * now.hour + now.minute, second=now.second)


def today() -> Moment:
    """The day that it is in UTC."""
    return this_second().cut(Step.DAY)


class Span(NamedTuple):
    """A stretch of the line of numbers and dates, from `lo` to `hi`; both ends are the same for a number or a year.

    The span of `2004-07` reaches from its first to its last day, to the end of that where there are times of day.
    """

    lo: float
    hi: float


def days_in_month(year: int, month: int) -> int:
    """The number of days in a month of any year."""
    return 29 if month == 2 and calendar.isleap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


@lru_cache(65_536)
def read_moment(text: str) -> Moment | None:
    """The time that a text means, or None: `1999`, `-44`, `2004-07`, `2004-07-02T10:30Z`; U+2212 is a minus."""
    plain = text.replace("−", "-")
    return Moment(int(plain)) if _YEAR.fullmatch(plain) else _read_iso(plain)


class Clock(NamedTuple):
    """How a time of day is written: whether with an offset or `Z`, and with a fraction of a second, which is cut."""

    is_zoned: bool
    has_fraction: bool


def clock_of(text: str) -> Clock | None:
    """How the time of day in a text is written; None if the text is not a day with one."""
    match = _CLOCK.fullmatch(text)
    return None if match is None else Clock(match[6] is not None, match[5] is not None and set(match[5][1:]) != {"0"})


_SHORT_YEAR = re.compile(r"([-+]?)([0-9]{1,3})((?:-[0-9]{1,2}){0,2})")


def with_four_digits(text: str) -> str | None:
    """The month or day, or the year, that a text with a shorter year means: `0900-01-01` for `900-01-01`; else None."""
    match = _SHORT_YEAR.fullmatch(text)
    if match is None:
        return None
    longer = f"{match[1]}{match[2]:0>4}{match[3]}"
    return longer if read_moment(longer) else None


def _read_iso(text: str) -> Moment | None:
    """A month or day in ISO form, or a day with a time of day, if the calendar has it."""
    match = _ISO.fullmatch(text)
    if match is None:
        return _read_clock(text)
    if not 1 <= (month := int(match[2])) <= 12:
        return None
    year = int(match[1])
    if match[3] is None:
        return Moment(year, month)
    return Moment(year, month, int(match[3])) if 1 <= int(match[3]) <= days_in_month(year, month) else None


def _read_clock(text: str) -> Moment | None:
    """A day with a time of day, in UTC if it has an offset. 24:00 is the beginning of the next day."""
    match = _CLOCK.fullmatch(text)
    day = _read_iso(match[1]) if match else None
    if match is None or day is None:
        return None
    hour, minute, second = int(match[2]), int(match[3]), int(match[4] or 0)
    if minute > 59 or second > 59 or hour > 24 or (hour == 24 and (minute or second)):
        return None
    offset = 60 * int(match[8] or 0) + int(match[9] or 0)
    if offset >= MINUTES or int(match[9] or 0) > 59:
        return None
    place = _day_number(day) * MINUTES + 60 * hour + minute + (offset if match[7] == "-" else -offset)
    return _at_minute(place)._replace(second=second if match[4] else -1)


# The line of numbers and dates


def number_of(text: str) -> float | None:
    """The property `num` of a node and of a CG_VALUE relationship: the start of `read_span`."""
    text = text.strip()
    if (moment := _read_iso(text)) is None:
        return read_number(text)
    return number_at(moment) if moment.second < 0 else clock_span(text, moment).lo


def read_span(text: str) -> Span | None:
    """The span of a number or time, or None if the text is neither."""
    text = text.strip()
    if moment := _read_iso(text):
        return clock_span(text, moment) if moment.minute >= 0 else span_of(moment, None)
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
        return span_of(Moment(int(span.lo)), step) if span and span.lo.is_integer() else span
    if step is None and moment.second >= 0:
        return clock_span(text.strip(), moment)
    if step in (Step.YEAR, Step.MONTH):
        return Span(number_at(moment.cut(Step(step))), span_of(moment, step).hi)
    return span_of(moment, step)


def cut_to_step(text: str, step: str | None) -> str | None:
    """The time as which a more exact one is compared where times are `step` apart; None if it stays as it is."""
    moment = _read_iso(text.strip())
    if moment is None or step is None or not moment.step.is_finer_than(Step(step)):
        return None
    return moment.cut(Step(step)).name


def span_of(moment: Moment, step: str | None = Step.DAY) -> Span:
    """From the first to the last day of a moment, or minute or second of it where times are these apart.

    With None, what it is compared with may have any time of day: the last day is meant to its last millisecond.
    """
    if step in (Step.YEAR, Step.MONTH, Step.DAY):
        return Span(number_at(moment.cut(Step.DAY)), number_at(moment.last_day))
    moment = moment.cut(Step(step)) if step else moment
    minute = _at_minute(last(moment, Step.MINUTE))
    second = 0.0 if step == Step.MINUTE else 59.0 if moment.second < 0 else moment.second
    return Span(number_at(moment), number_at(minute, second if step else second + 0.999))


def clock_span(text: str, moment: Moment) -> Span:
    """The span of a day with a time of day, given the moment that the text means; fractions of a second count."""
    match = _CLOCK.fullmatch(text)
    if match is None or match[5] is None:
        return span_of(moment, None)
    number = number_at(moment, moment.second + float(f"0.{match[5][1:]}"))
    return Span(number, number)


def number_at(moment: Moment, second: float | None = None) -> float:
    """The number of the beginning of a moment, in years; with `second`, so many seconds into its minute."""
    day = moment.first_day
    length = days_in_year(day.year)
    years = day.year + (_day_number(day) - _day_number(Moment(day.year, 1, 1))) / length
    if moment.minute < 0:
        return years
    seconds = 60 * moment.minute + (max(moment.second, 0) if second is None else second)
    return years + seconds / SECONDS / length


def day_at(number: float) -> Moment:
    """The day in which a number lies."""
    year = math.floor(number)
    return _date_of(_day_number(Moment(year, 1, 1)) + math.floor((number + _EXACT - year) * days_in_year(year)))


def days_in_year(year: int) -> int:
    """The number of days of any year."""
    return 366 if calendar.isleap(year) else 365


class Around(NamedTuple):
    """The beginnings of the year and the month around a time, and of its day, each where it does not bound it."""

    years_and_months: list[float]
    day: float | None


def coarser(number: float) -> Around:
    """What begins around a time, without what begins or ends with it.

    A cell that is only this year, this month or this day may lie before the time or after it.
    """
    day = day_at(number)
    *starts, of_day = (
        span.lo if span.lo + _EXACT < number < span.hi - _EXACT else None
        for span in (span_of(each, None) for each in (day.cut(Step.YEAR), day.cut(Step.MONTH), day))
    )
    return Around([start for start in starts if start is not None], of_day)


# Counting times


def first(moment: Moment, step: Step) -> int:
    """The number, counted in steps, of the first year, month, day, minute or second of a moment.

    Years count from year 0, months from January of year 0, all else from the beginning of 1 March of year 0. A moment
    that is more exact than the step is cut to it: counted in years, 2004-07-02 is 2004.
    """
    return _number(moment.first_day, step, max(moment.minute, 0), max(moment.second, 0))


def last(moment: Moment, step: Step) -> int:
    """As `first`, for the last year, month, day, minute or second of a moment."""
    minute = MINUTES - 1 if moment.minute < 0 else moment.minute
    return _number(moment.last_day, step, minute, 59 if moment.second < 0 else moment.second)


def _number(day: Moment, step: Step, minute: int, second: int) -> int:
    if step is Step.YEAR:
        return day.year
    if step is Step.MONTH:
        return day.year * 12 + day.month - 1
    number = _day_number(day)
    if step is Step.DAY:
        return number
    number = number * MINUTES + minute
    return number if step is Step.MINUTE else number * 60 + second


_BEFORE_COMMON_ERA = 305
"""The day before 0001-01-01, of which Python's own calendar knows nothing."""


def time_name(number: int, step: Step) -> str:
    """The name of a time's node: `1999`, `-44`, `2004-07`, `2004-07-02`, `2004-07-02T10:30`, `2004-07-02T10:30:15`."""
    if step is Step.YEAR:
        return str(number)
    if step is Step.MONTH:
        year, month = divmod(number, 12)
        return f"{_iso_year(year)}-{month + 1:02d}"
    if step is Step.SECOND:
        minute, second = divmod(number, 60)
        return f"{time_name(minute, Step.MINUTE)}:{second:02d}"
    if step is Step.MINUTE:
        day, minute = divmod(number, MINUTES)
        return f"{time_name(day, Step.DAY)}T{minute // 60:02d}:{minute % 60:02d}"
    if 0 < number - _BEFORE_COMMON_ERA <= date.max.toordinal():
        return date.fromordinal(number - _BEFORE_COMMON_ERA).isoformat()
    year, month, day, *_ = _date_of(number)
    return f"{_iso_year(year)}-{month:02d}-{day:02d}"


def _at_minute(number: int) -> Moment:
    """The minute of a number."""
    day, minute = divmod(number, MINUTES)
    return _date_of(day)._replace(minute=minute)


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
    year, month, day, *_ = date
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
