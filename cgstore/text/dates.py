"""Times: reading them, placing them on one line with numbers, counting them in steps, and naming them.

A time is a whole year (`1999`, `-44`, `0546`), a month or day in ISO form (`2004-07`, `2004-07-02`), or a day with a
time of day (`2004-07-02T10:30`, `2004-07-02 10:30:15`), in the proleptic Gregorian calendar with a year 0, as in
ISO 8601. Numbers and times share one line, in years: 2004 is 2004.0 and 2004-07-02 is 2004.5. So a year compares with
a day, and the number of a year is the year.

A time of day with an offset or with `Z` is one instant, and is read as the time that it is in UTC. One without is taken
as it stands. Fractions of a second are cut.

`read_date` reads dates as people write them in cells, and `read_time` times as historians write them: BC, decades,
centuries, `c. 855`, intervals, and the Extended Date/Time Format (EDTF) of the levels 0 and 1.
"""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from cgstore.text.numbers import read_number, without_aside

_ISO = re.compile(r"([-+]?[0-9]{4,12})-([0-9]{2})(?:-([0-9]{2}))?")
_YEAR = re.compile(r"[-+]?[0-9]{1,12}")
_CLOCK = re.compile(
    r"([-+]?[0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})([.,][0-9]+)?)?"
    r"(Z|\s?UTC|([-+])([0-9]{2})(?::?([0-9]{2}))?)?"
)
_EXACT = 1e-9  # years by which the number of a time may be inexact; a second is 3e-8 of them

MINUTES, SECONDS = 1440, 86_400
"""In a day."""


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
    return _checked(int(match[1]), int(match[2]), int(match[3]) if match[3] else None)


def _checked(year: int, month: int, day: int | None = None) -> Moment | None:
    """The month or day, if the calendar has it."""
    is_there = 1 <= month <= 12 and (day is None or 1 <= day <= days_in_month(year, month))
    return Moment(year, month, day or 0) if is_there else None


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
    """Like `read_span`, with a whole year standing for all its days, from 1 January to 31 December.

    With the step `year` or `month` the span begins at the start of that year or month, so that a day compares with
    years as its year.
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
        span.lo if _is_inside(number, span) else None
        for span in (span_of(each, None) for each in (day.cut(Step.YEAR), day.cut(Step.MONTH), day))
    )
    return Around([start for start in starts if start is not None], of_day)


def _is_inside(number: float, span: Span) -> bool:
    return span.lo + _EXACT < number < span.hi - _EXACT


# Counting times


def first(moment: Moment, step: Step) -> int:
    """The number, counted in steps, of the first year, month, day, minute or second of a moment.

    Years count from year 0, months from January of year 0, all else from the beginning of 1 March of year 0. A moment
    that is more exact than the step is cut to it: counted in years, 2004-07-02 is 2004.
    """
    return _number(moment.first_day, step, max(moment.minute, 0), max(moment.second, 0))


def last(moment: Moment, step: Step) -> int:
    """Like `first`, for the last year, month, day, minute or second of a moment."""
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


# Periods: stretches of times, counted in steps

TO = " to "
"""The separator between the first and the last time of a period."""

EXACT = {Step.DAY: 5e-9, Step.MINUTE: 1e-5, Step.SECOND: 1e-4}
"""Steps by which the number of a time may be inexact; the number of a second is exact to some hundredths of a
millisecond."""

PER_DAY = {Step.MINUTE: MINUTES, Step.SECOND: SECONDS}
"""The times of a day where times have a time of day."""


def place_of(number: float, step: Step) -> float:
    """Where a number of the line of numbers and dates lies among the times of a source.

    Times count as in `text.dates.first`. The place is a whole number where a time has this number, else it lies between
    the places of the times before and after it.
    """
    if step is Step.YEAR:
        return number
    year = math.floor(number)
    days, of_year = first(Moment(year), Step.DAY), (number - year) * days_in_year(year)
    if step.has_clock:
        return _near((days + of_year) * PER_DAY[step], step)
    day = _near(days + of_year, Step.DAY)
    if step is Step.DAY:
        return day
    date = _date_of(math.floor(day))
    month = float(first(date, Step.MONTH))
    return month if day == math.floor(day) and date.day == 1 else month + 0.5


def _near(exact: float, step: Step) -> float:
    """A place, as a whole number where it is one but for what the number of a time may be inexact by."""
    near = round(exact)
    return float(near) if abs(exact - near) < EXACT[step] else exact


def first_from(number: float, step: Step, *, after: bool = False) -> int:
    """The first time whose number is at least a number; with `after`, greater than it."""
    place = place_of(number, step)
    return math.floor(place) + 1 if after else math.ceil(place)


def last_to(number: float, step: Step, *, before: bool = False) -> int:
    """The last time whose number is at most a number; with `before`, less than it."""
    place = place_of(number, step)
    return math.ceil(place) - 1 if before else math.floor(place)


def in_periods(names: Sequence[object], step: Step) -> tuple[str, ...]:
    """Times in order as periods: `1989-11-10 to 1992-04-02` for all days in between, and a time alone as it is.

    There is nothing where a name is not of a time of this step, or where they are not in order.
    """
    places = []
    for name in names:
        moment = read_moment(name) if isinstance(name, str) else None
        if moment is None or moment.step is not step:
            return ()
        places.append(first(moment, step))
    if any(one >= other for one, other in pairwise(places)):
        return ()
    return tuple(period_name(lo, hi, step) for lo, hi in merged((place, place) for place in places))


def period_name(lo: int, hi: int, step: Step) -> str:
    """A period as text: `1982 to 1998`, and `1982` where it is one time."""
    return time_name(lo, step) if lo == hi else f"{time_name(lo, step)}{TO}{time_name(hi, step)}"


LEVELS = 22
"""Levels of stretches: no two times of a source are `4**21` steps apart."""


def level_of(lo: int, hi: int) -> int:
    """The level of a stretch of times by its length: the least with `hi - lo < 4**level`; 0 for one time.

    So a stretch that holds at a time begins at it or less than `4**level` steps before it: of each level, those that
    begin so late are looked at, and most of them hold at the time.
    """
    return ((hi - lo).bit_length() + 1) // 2


def merged(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The union of stretches that are sorted by their first number. Stretches that touch become one."""
    lo = hi = None
    for start, end in spans:
        if lo is None or hi is None:
            lo, hi = start, end
        elif start <= hi + 1:
            hi = max(hi, end)
        else:
            yield lo, hi
            lo, hi = start, end
    if lo is not None and hi is not None:
        yield lo, hi


class StepFinder:
    """Finds the default step of a file: the coarsest one that keeps all its times.

    Whole years need years, months need months, days need days, times of day need minutes or seconds. Many files write
    coarse times as full dates, so that months are enough if every start is the first day of a month and every end the
    first or last one, and years are enough if moreover every start is in January and every end is 1 January or
    31 December. Likewise days are enough if every start is at 00:00 and every end at 00:00 or in the last minute of its
    day, and minutes if every start has 0 seconds and every end 0 or 59.

    `clocks` counts the facts with a time of day, and `days` those with a day.
    """

    def __init__(self) -> None:
        self.step = Step.YEAR
        self.clocks = self.days = 0

    def add(self, start: Moment, end: Moment) -> None:
        """Takes the times of one fact into account."""
        if start.minute >= 0 or end.minute >= 0:
            self._add_clocks(start, end)
        self.days += start.day > 0 or end.day > 0
        if self.step.is_finer_than(Step.MONTH) or (start.month == 0 and end.month == 0):
            return
        until = end.cut(Step.DAY)
        if not (start.day <= 1 and (end.day <= 1 or until == Moment(end.year, end.month).last_day)):
            self.step = Step.DAY
        elif not (_is_whole_year(start, (1, 1)) and _is_whole_year(end, (1, 1), (12, 31))):
            self.step = Step.MONTH

    def _add_clocks(self, start: Moment, end: Moment) -> None:
        self.clocks += 1
        if start.second > 0 or end.second not in (-1, 0, 59):
            self.step = Step.SECOND
        is_of_days = start.minute <= 0 and end.minute in (-1, 0, MINUTES - 1)
        if self.step is not Step.SECOND and not is_of_days:
            self.step = Step.MINUTE


def _is_whole_year(moment: Moment, *days: tuple[int, int]) -> bool:
    """Whether a moment is a year, or one of these days of it; an ISO month is written on purpose."""
    return moment.month == 0 or moment[1:3] in days


# Dates as people write them in cells: `July 2, 2004`, `2. Juli 2004`, `7/2/2004`, days without a year

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


_MONTH_NAMES = [names.split()[-1].title() for names in _ENGLISH.split(";")]


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
PLAIN_YEAR = re.compile(r"[12]\d{3}")
_YEARLESS = tuple(
    re.compile(WEEKDAY + form, re.IGNORECASE)
    for form in (rf"{ENGLISH_MONTH}\.?\s?{_DAY}", rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]{ENGLISH_MONTH}\.?")
)


def read_date(text: str, *, day_first: bool = False) -> float | None:
    """A year, month or day in any form, on the line of numbers and dates; `7/2/2004` begins with the month by default.

    With dots, the day comes first wherever they are used.
    """
    text = without_aside(text)
    if PLAIN_YEAR.fullmatch(text):
        return float(text)
    if match := FIGURES.fullmatch(text):
        one, other = int(match[1]), int(match[3])
        day, month = (one, other) if day_first or match[2] == "." else (other, one)
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
    day = _checked(2000, _month(match), int(match["day"])) if match else None
    return None if day is None else float(_day_number(day) - _day_number(Moment(1999, 12, 31)))


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
    date = _checked(year, month, day)
    return None if date is None else number_at(date)


# Times as historians write them

OPEN_ENDS = ("present", "now", "today", "current", "ongoing", "..", "-", "–")
"""What an end may be, in any case, of a fact that still holds. `export` writes the first."""

LONGEST = 80
"""Characters of a text that may be a time."""


class WrittenTime(NamedTuple):
    """What a text says of a time: its start and its end, which are the same but for an interval.

    `is_open`: the interval has no end yet, and `end` is its start. `is_sure`: it is neither approximate nor uncertain.
    `clocks`: how its times of day are written.
    """

    start: Moment
    end: Moment
    is_interval: bool = False
    is_open: bool = False
    is_sure: bool = True
    clocks: tuple[Clock, ...] = ()


@lru_cache(65_536)
def read_time(text: str) -> WrittenTime | None:
    """The time or the interval that a text means; None if it is neither, or has no first or no last time."""
    if (moment := read_moment(text)) is not None:
        return WrittenTime(moment, moment, clocks=_clocks(text))
    plain = " ".join(text.replace("−", "-").split())
    if not plain or len(plain) > LONGEST:
        return None
    return _read_one(plain) or _read_interval(plain)


def read_span_of_time(text: str, step: str | None = None) -> Span | None:
    """Like `read_time_span`, for all that `read_time` reads; the span of an interval is from its start to its end."""
    if (span := read_time_span(text, step)) is not None:
        return span
    time = read_time(text)
    if time is None or time.is_open:
        return None
    start = time.start if step is None else time.start.cut(Step(step))
    return Span(span_of(start, step).lo, span_of(time.end, step).hi)


def read_as_time(text: str) -> str | None:
    """How a note shows the time that was read, where a text leaves that to a rule: a year BC, or a time not sure."""
    time = read_time(text)
    if time is None:
        return None
    is_rule = any(map(any, time.clocks)) if read_moment(text) else not time.is_sure or time.start.year <= 0
    if not is_rule:
        return None
    shown = " to ".join(dict.fromkeys((time.start.name, time.end.name)))
    return None if shown == text else shown


def less_exact_times(number: float, step: Step) -> list[str]:
    """The names of the months, years, decades and centuries around a number that are less exact than a step.

    Those that begin or end with the number are left out: they lie on one side of it.
    """
    year = math.floor(number)
    moments = [Moment(year), *(Moment(year, month) for month in range(1, 13))]
    if step.has_clock:
        day = day_at(number)
        minute = math.floor((number + _EXACT - number_at(day)) * days_in_year(day.year) * MINUTES)
        moments += [day, day._replace(minute=minute)]
    moments += [Moment(year - (year - begin) % years, years=years) for years in (10, 100, 1000) for begin in (0, 1, 2)]
    around = [each for each in moments if each.is_coarser_than(step) and _is_inside(number, span_of(each, step))]
    return [each.name for each in around if (time := read_time(each.name)) and time.start == each]


def _clocks(*texts: str) -> tuple[Clock, ...]:
    return tuple(clock for text in texts if (clock := clock_of(text)) is not None)


def is_bc(text: str) -> bool:
    """Whether a text names years BC, and does not count them with a minus."""
    return re.search(_BC.pattern.replace("$", r"\b"), text, re.IGNORECASE) is not None


# Why a text is not a time

_PROBLEMS = (
    (
        re.compile(r"(?:before|after|until|till|since|from|by|not|post|pre|ante)\b.*|[<>].*|(?:\.\.)?/.*", re.I),
        "is a bound, which has no first or no last time: write an interval, such as 1750/1800",
    ),
    (
        re.compile(r".*\w[?~%]?\s*[/–-]"),
        "has an end that nobody knows: write 1985/.. for what still holds, or an interval",
    ),
    (
        re.compile(r".*\d[T ,]\s*\d{1,2}:\d\d.*|\d{1,2}:\d\d.*", re.I),
        "has a time of day that is not read: write 2004-07-02T10:30, 2004-07-02 10:30:15 or 2004-07-02T10:30+02:00",
    ),
    (
        re.compile(r"(?:the )?\d{1,2}00'?s", re.I),
        "may be a decade or a century: write 190X for 1900 to 1909, 19XX for 1900 to 1999",
    ),
    (re.compile(r"-?\d{4}-2[1-4]"), "is a season: write its months, as in 2001-03/2001-05"),
    (re.compile(r"\d{3,4}\s*[-–]\s*\d{2}"), "is not a year or a month; an interval has whole years, as in 1914/1918"),
    (re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}"), "may begin with the day or the month: write it as 2004-07-02"),
)


def problem_of(text: str) -> str:
    """What is wrong with a text that is not a time, after the text itself; says what to write where that is known."""
    return known_problem_of(text) or "is not a year or an ISO date"


def known_problem_of(text: str) -> str:
    """Like `problem_of`; empty where nothing more is known."""
    known = next((problem for form, problem in _PROBLEMS if form.fullmatch(text.strip())), "")
    return known or no_such_day(text)


def no_such_day(text: str) -> str:
    """Why a text of the form of an ISO date is not a day, after the text itself; empty for all other texts."""
    match = re.fullmatch(r"([-+]?\d{4,12})-(\d{2})-(\d{2})", text.strip())
    if match is None:
        return ""
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12:
        return "is not a day: months go from 01 to 12"
    days = days_in_month(year, month)
    return "" if 1 <= day <= days else f"is not a day: {_MONTH_NAMES[month - 1]} {year} has {days} days"


# One time


_ABOUT = re.compile(r"^(?:(?:c\.|ca\.?|circa|about|around|approx(?:\.|imately)?)\s*(?=\S)|c\s?(?=\d))", re.IGNORECASE)
_DOUBT = re.compile(r"\s*(?:[?~%]|\(\?\))$")
_BC = re.compile(r"\s*(?:BCE?|B\.\s?C\.(?:\s?E\.)?)$", re.IGNORECASE)
_AD = re.compile(r"^(?:AD|A\.\s?D\.)\s*|\s*(?:AD|CE|A\.\s?D\.|C\.\s?E\.)$", re.IGNORECASE)


def _read_one(text: str) -> WrittenTime | None:
    """A time with what stands before and after it: `c. 855`, `855?`, `44 BC`."""
    bare = _DOUBT.sub("", _ABOUT.sub("", text))
    if (without_era := _BC.sub("", bare)) != bare:
        moment = _read_words(without_era, is_bc=True)
    elif (without_era := _AD.sub("", bare)) != bare:
        moment = (_read_words(without_era) if without_era[:1].isdigit() else None) or _year(without_era)
    else:
        moment = read_moment(bare) or _read_words(bare) or _in_figures(bare)
        if moment is None:
            return _read_edtf(text)
    return moment and WrittenTime(moment, moment, is_sure=bare == text)


_DECADE = re.compile(r"(?:the )?(\d{1,3}0)'?s", re.IGNORECASE)
_AGE = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)[ -](century|cent\.?|c\.|millennium)", re.IGNORECASE)
_OF_ERA = r"(?P<year>\d{1,6})"
_DAY_OF_ERA = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_BEFORE = r"(?:\s+of)?[\s-]+"
_DATES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{WEEKDAY}{_DAY_OF_ERA}{_BEFORE}{MONTH}(?:,|{_BEFORE})\s*{_OF_ERA}",
        rf"{WEEKDAY}{MONTH}\s+{_DAY_OF_ERA}(?:,\s*|\s+){_OF_ERA}",
        rf"{MONTH}(?:,|{_BEFORE})\s*{_OF_ERA}",
    )
)


def _read_words(text: str, *, is_bc: bool = False) -> Moment | None:
    """A year BC, a decade, a century or millennium, or a month or day by the month's name."""
    if is_bc and (year := _year(text)) is not None:
        return Moment(1 - year.year)
    if found := _DECADE.fullmatch(text):
        decade = int(found[1])
        if decade % 100 == 0 or (decade < 100 and not is_bc):
            return None
        return Moment(-8 - decade, years=10) if is_bc else Moment(decade, years=10)
    if found := _AGE.fullmatch(text):
        years, number = 1000 if found[2].lower().startswith("m") else 100, int(found[1])
        return None if number == 0 else Moment(1 - number * years if is_bc else (number - 1) * years + 1, years=years)
    found = next((match for form in _DATES if (match := form.fullmatch(text))), None)
    if found is None or (len(found["year"]) < 3 and not is_bc) or int(found["year"]) == 0:
        return None
    of_era = 1 - int(found["year"]) if is_bc else int(found["year"])
    day = found.groupdict().get("day")
    return _checked(of_era, MONTHS[found["month"].lower()], int(day) if day else None)


def _year(text: str) -> Moment | None:
    return Moment(int(text)) if re.fullmatch(r"0*[1-9]\d{0,11}", text) else None


def _in_figures(text: str) -> Moment | None:
    """A day in figures that can be read in one way: with dots and the day first, or with the year first."""
    if found := re.fullmatch(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{3,4})", text):
        return _checked(int(found[3]), int(found[2]), int(found[1]))
    found = re.fullmatch(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})", text)
    return _checked(int(found[1]), int(found[3]), int(found[4])) if found else None


_UNSPECIFIED = re.compile(r"(-?)(?=[\dX]{4}$)(\d{1,3})(X{1,3})")
_PARTLY = re.compile(r"(-?\d{4})(?:-(\d\d)-XX|(?:-XX){1,2})|Y(-?[1-9]\d{4,11})")


def _read_edtf(text: str) -> WrittenTime | None:
    """What EDTF, level 1, alone has: `199X`, `2004-07-XX`, and years of more than four digits (`Y17000`)."""
    bare = text.upper().removesuffix("?").removesuffix("~").removesuffix("%")
    moment = None
    if found := _UNSPECIFIED.fullmatch(bare):
        years = 10 ** len(found[3])
        begin = int(found[2]) * years
        moment = Moment(-(begin + years - 1) if found[1] else begin, years=years)
    elif found := _PARTLY.fullmatch(bare):
        year = int(found[1] or found[3])
        moment = _checked(year, int(found[2])) if found[2] else Moment(year)
    return moment and WrittenTime(moment, moment, is_sure=len(bare) == len(text))


# Intervals


_YEARS = re.compile(r"(\d{3,4})\s*-\s*(\d{3,4}|present|now|today|current|ongoing)(\D*)", re.IGNORECASE)
_TO = re.compile(r"(?:from )?(.+?)(?:\s+(?:-|to|until|till)\s+|\s*[–—]\s*)(.+)", re.IGNORECASE)


def _read_interval(text: str) -> WrittenTime | None:
    """An interval between two times, the last of which may be an open end: `1964/2008`, `1985/..`, `44–30 BC`."""
    if text.count("/") == 1:
        start, end = (part.strip() for part in text.split("/"))
    elif found := _YEARS.fullmatch(text):
        start, end = found[1], f"{found[2]}{found[3]}"
    elif found := _TO.fullmatch(text):
        start, end = found[1], found[2]
    else:
        return None
    has_era = _BC.search(end) or _AD.search(end) or _BC.search(start)
    if not has_era and any(re.fullmatch(r"\d{1,2}", part) for part in (start, end)):
        return None  # 1914–18, 3/4
    if (era := _BC.search(end)) and re.fullmatch(r"\D*\d+", start):
        start += era[0]
    since = _read_one(start)
    if since is None:
        return None
    if end.lower() in OPEN_ENDS:
        return WrittenTime(since.start, since.start, True, True, since.is_sure, _clocks(start))
    until = _read_one(end)
    if until is None:
        return None
    is_sure = since.is_sure and until.is_sure
    return WrittenTime(since.start, until.start, True, is_sure=is_sure, clocks=_clocks(start, end))


# Years before Christ in answers

MOST_SHOWN = 3
"""Times that a note explains."""


def as_years_bc(times: Iterable[str]) -> str:
    """Says which years before Christ the first times and periods of an answer are: `'-26' is 27 BC.`; else empty."""
    said: dict[str, str] = {}
    for text in times:
        for end in text.split(TO):
            moment = read_moment(end)
            if moment is not None and moment.years == 1 and moment.year <= 0:
                said[end] = f"'{end}' is {'in ' if moment.month else ''}{1 - moment.year} BC"
        if len(said) >= MOST_SHOWN:
            break
    return f"{', '.join(list(said.values())[:MOST_SHOWN])}." if said else ""


# Times of the past that sources are asked about

_CHANGE = re.compile(r"#(\d{1,18})", re.ASCII)

LAST = "9999-12-31T23:59:59.999999999Z"
"""The last moment that is compared with."""


class PastTime(NamedTuple):
    """A time of the past.

    Attributes:
        name: as an answer names it, in UTC.
        begins: the first moment that it may mean, in ISO form.
        until: the last moment that counts: a date means the end of the day, a time the end of its second.
        change: the number of a change, if that was given in the place of a time.
    """

    name: str
    begins: str = "0001-01-01T00:00:00Z"
    until: str = LAST
    change: int | None = None


def read_past(text: str) -> PastTime | None:
    """The time that a text means, None where it means none; a time without an offset is in UTC."""
    text = text.strip()
    if found := _CHANGE.fullmatch(text):
        return PastTime(f"after change {int(found[1]):,}", change=int(found[1]))
    moment = read_moment(text)
    if moment is None or not moment.day or not 0 < moment.year < 10_000:
        return None
    day = moment.cut(Step.DAY).name
    if moment.minute < 0:
        return PastTime(f"at the end of {day} UTC", f"{day}T00:00:00Z", f"{day}T23:59:59.999999999Z")
    clock = _CLOCK.fullmatch(text)
    fraction = (clock[5] or "").replace(",", ".")[:10] if clock else ""
    second = time_name(first(moment, Step.SECOND), Step.SECOND).partition("T")[2]
    begins = f"{day}T{second}{fraction}Z"
    shown = second if fraction or not second.endswith(":00") else second[:-3]
    return PastTime(f"on {day} {shown}{fraction} UTC", begins, begins if fraction else f"{day}T{second}.999999999Z")


def moment_name(iso: str) -> str:
    """A moment that Neo4j wrote, as people write it: `2026-11-01 10:00:05 UTC`."""
    day, _, rest = iso.partition("T")
    return f"{day} {rest[:8].rstrip('Z')} UTC"
