"""Times of temporal facts: reading them, counting them by year, month or day, and writing them as node names.

A time is a whole year (`1999`, `-44`, `0546`) or an ISO date (`2004-07`, `2004-07-02`), in the proleptic Gregorian
calendar with a year 0 as ISO 8601 has it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from cgstore.text.values import days_in_month

_TIME = re.compile(r"([-+]?[0-9]{1,12})(?:(?<=[0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?)?")


class Step(StrEnum):
    """How far apart two neighbouring times of a source are."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class Moment(NamedTuple):
    """A time as a file states it: `month` and `day` are 0 where it does not say them.

    Moments of one file sort by where they begin, a coarser one before a finer one that begins with it.
    """

    year: int
    month: int = 0
    day: int = 0

    @property
    def step(self) -> Step:
        """How exact it is."""
        return Step.DAY if self.day else Step.MONTH if self.month else Step.YEAR


@lru_cache(65_536)
def read_moment(text: str) -> Moment | None:
    """The time that a text means, or None: `1999`, `-44`, `0546`, `2004-07`, `2004-07-02`; U+2212 is a minus."""
    match = _TIME.fullmatch(text.replace("−", "-"))
    if match is None:
        return None
    year, month, day = int(match[1]), match[2], match[3]
    if month is None:
        return Moment(year)
    if not 1 <= int(month) <= 12:
        return None
    if day is None:
        return Moment(year, int(month))
    return Moment(year, int(month), int(day)) if 1 <= int(day) <= days_in_month(year, int(month)) else None


def first(moment: Moment, step: Step) -> int:
    """The number, on the step's own line, of the first year, month or day of a moment.

    Years count from year 0, months from January of year 0, days from 1 March of year 0. A moment that is more exact
    than the step is cut to it: by year, 2004-07-02 is 2004.
    """
    if step is Step.YEAR:
        return moment.year
    month = moment.month or 1
    return _month_number(moment.year, month) if step is Step.MONTH else _day_number(moment.year, month, moment.day or 1)


def last(moment: Moment, step: Step) -> int:
    """As `first`, for the last year, month or day of a moment: by day, 1999 ends on 1999-12-31."""
    if step is Step.YEAR:
        return moment.year
    month = moment.month or 12
    if step is Step.MONTH:
        return _month_number(moment.year, month)
    return _day_number(moment.year, month, moment.day or days_in_month(moment.year, month))


def time_name(number: int, step: Step) -> str:
    """The name of a time's node: `1999`, `-44`, `2004-07`, `2004-07-02`."""
    if step is Step.YEAR:
        return str(number)
    if step is Step.MONTH:
        year, month = divmod(number, 12)
        return f"{_iso_year(year)}-{month + 1:02d}"
    year, month, day = _date_of(number)
    return f"{_iso_year(year)}-{month:02d}-{day:02d}"


def _iso_year(year: int) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}"


def _month_number(year: int, month: int) -> int:
    return year * 12 + month - 1


# Days are counted in years that begin in March, so that the leap day is the last one of its year; 400 such years
# have 146,097 days. The standard library's dates end at year 9999 and begin with year 1.


def _day_number(year: int, month: int, day: int) -> int:
    shifted = year - (month <= 2)
    era, of_era = divmod(shifted, 400)
    of_year = (153 * ((month - 3) % 12) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year


def _date_of(number: int) -> tuple[int, int, int]:
    era, day_of_era = divmod(number, 146_097)
    of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    of_year = day_of_era - (365 * of_era + of_era // 4 - of_era // 100)
    shifted_month = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted_month + 2) // 5 + 1
    month = shifted_month + 3 if shifted_month < 10 else shifted_month - 9
    return era * 400 + of_era + (month <= 2), month, day


class StepFinder:
    """Finds the default step of a file: the coarsest that loses nothing of its times.

    Whole years need years, months need months, days need days. Two refinements, since many files write coarse times as
    full dates: where every start is the first day of a month, and every end the first or the last one, the days say
    nothing and months do; where moreover every start is in January, and every end is 1 January or in December's last
    day, years do.
    """

    def __init__(self) -> None:
        self._finest = Step.YEAR

    def add(self, start: Moment, end: Moment) -> None:
        """Takes one fact's times into account."""
        if self._finest is Step.DAY or (start.month == 0 and end.month == 0):
            return
        months = _whole_month(start, False) and _whole_month(end, True)
        if not months:
            self._finest = Step.DAY
        elif self._finest is Step.YEAR and not (_whole_year(start, False) and _whole_year(end, True)):
            self._finest = Step.MONTH

    @property
    def step(self) -> Step:
        """The default step of all that was added."""
        return self._finest


def _whole_month(moment: Moment, is_end: bool) -> bool:
    return moment.day <= 1 or (is_end and moment.day == days_in_month(moment.year, moment.month))


def _whole_year(moment: Moment, is_end: bool) -> bool:
    if moment.month == 0:
        return True
    if moment.day == 0:  # an ISO month says its month on purpose
        return False
    return (moment.month == 1 and moment.day == 1) or (is_end and moment.month == 12 and moment.day == 31)
