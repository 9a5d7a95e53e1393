"""Periods: times counted in steps, and where numbers lie among them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from cgstore.text.dates import (
    MINUTES,
    SECONDS,
    Moment,
    Step,
    days_in_year,
    first,
    read_moment,
    time_name,
)

TO = " to "
"""Between the first and the last time of a period, as text."""

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
    month = first(_month_of(math.floor(day)), Step.MONTH)
    return float(month) if day == first(_month_of(math.floor(day)), Step.DAY) else month + 0.5


def _near(exact: float, step: Step) -> float:
    """A place, as a whole number where it is one but for what the number of a time may be inexact by."""
    near = round(exact)
    return float(near) if abs(exact - near) < EXACT[step] else exact


def _month_of(day: int) -> Moment:
    year, month = time_name(day, Step.DAY).rsplit("-", 2)[:2]
    return Moment(int(year), int(month))


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

    Args:
        names: the names of times.
        step: how far apart neighbouring times are.

    Returns:
        The periods; nothing where a name is not of a time of this step, or where they are not in order.
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
