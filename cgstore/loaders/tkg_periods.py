"""The periods of one fact as the stage of a temporal source has them: moments as codes, and times counted in steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from cgstore.errors import BadInput
from cgstore.text.dates import Moment, Step, first, last, read_moment
from cgstore.text.historical import OPEN_ENDS, read_time
from cgstore.text.periods import merged

EMPTY, OPEN = 1 << 60, (1 << 60) + 1
"""What stands for an end in the table if the line has none, and if the fact is open. Both sort behind all moments."""

Bounds = tuple[int, int]
"""The first and the last time of a period."""


class Periods(NamedTuple):
    """The periods of one (head, relation, tail): distinct starts and ends, and the union of the stretches between.

    A start or an end is a moment by step, or one that is less exact. `overlap` has two periods that overlap, if there
    are any. `paired` has the names of the ends by start, `present` for none, where the starts and ends alone do not say
    which belong together.
    """

    starts: list[Moment]
    ends: list[Moment]
    spans: list[Bounds]
    inverted: int
    overlap: tuple[Bounds, Bounds] | None = None
    paired: dict[Moment, list[str]] | None = None


def periods_of(rows: Iterable[tuple[int, ...]], step: Step, now: Moment) -> Periods:
    """From rows (h, r, t, start, end, ...), sorted by start."""
    codes = [(row[3], row[3] if row[4] == EMPTY else row[4]) for row in rows]
    bounds = [bounds_of(start, end, step, now) for start, end in codes]
    if len(bounds) == 1:  # nearly always
        (lo, hi), (start, end) = bounds[0], codes[0]
        ends = [] if end == OPEN else [as_stored(end, step)]
        return Periods([as_stored(start, step)], ends, bounds if lo <= hi else [], int(lo > hi))
    periods = [b for b in bounds if b[0] <= b[1]]
    starts = sorted({as_stored(start, step) for start, _ in codes})
    ends = sorted({as_stored(end, step) for _, end in codes if end != OPEN})
    paired = _paired(codes, step) if len(starts) > 1 or (ends and any(end == OPEN for _, end in codes)) else None
    return Periods(starts, ends, list(merged(periods)), len(bounds) - len(periods), _overlap(periods), paired)


def _paired(codes: list[tuple[int, int]], step: Step) -> dict[Moment, list[str]]:
    """The names of the ends by start, in order."""
    ends: dict[Moment, dict[str, None]] = {}
    for start, end in sorted(codes):
        name = OPEN_ENDS[0] if end == OPEN else as_stored(end, step).name
        ends.setdefault(as_stored(start, step), {})[name] = None
    return {start: list(names) for start, names in ends.items()}


def pairs_of(
    source: str, starts: Sequence[tuple[str, Sequence[str] | None]], ends: Sequence[str]
) -> list[tuple[str, str]]:
    """The names of the starts and ends of a fact's periods as they are stored, sorted; an open one ends in `present`.

    A start has its own ends where the fact has several starts. An older version kept none: such periods must follow one
    another, or BadInput is raised.
    """
    present = OPEN_ENDS[0]
    pairs = [(start, end) for start, own in starts for end in (ends or [present] if own is None else own)]
    if len(starts) > 1 and any(own is None for _, own in starts):
        until = [*sorted(ends, key=moment_named), *[present] * (len(starts) - len(ends))]
        pairs = list(zip(sorted((start for start, _ in starts), key=moment_named), until, strict=False))
        if len(until) != len(starts) or not _follow(pairs):
            raise BadInput(
                f"Source '{source}' was loaded by an earlier version of cgstore, and does not say which end belongs to "
                "which start.",
                "Load it again with --replace.",
            )
    return sorted(pairs, key=lambda pair: (moment_named(pair[0]), _place(pair[1]), pair[1]))


def _follow(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether each period ends when the next one starts, or before; before, if the last one may be no open one."""
    place = last if pairs[-1][1] == OPEN_ENDS[0] else first
    bounds = [bound for start, end in pairs for bound in (first(moment_named(start), Step.SECOND), _place(end, place))]
    return all(here <= there for here, there in pairwise(bounds))


def _place(end: str, place: Callable[[Moment, Step], int] = last) -> float:
    return math.inf if end == OPEN_ENDS[0] else place(moment_named(end), Step.SECOND)


@lru_cache(maxsize=100_000)
def moment_named(name: str) -> Moment:
    """The moment that a stored time is the name of."""
    moment = read_moment(name)
    if moment is None:
        time = read_time(name)
        assert time is not None, name
        moment = time.start
    return moment


def _overlap(periods: list[Bounds]) -> tuple[Bounds, Bounds] | None:
    """The first two different periods that overlap; the periods are sorted by their starts."""
    last: Bounds | None = None
    for period in dict.fromkeys(periods):
        if last is not None and period[0] <= last[1]:
            return last, period
        last = period
    return None


@lru_cache(maxsize=100_000)
def as_stored(code: int, step: Step) -> Moment:
    """The start or the end that a code is, not more exact than the step."""
    return moment_of(code).cut(step)


@lru_cache(maxsize=100_000)
def bounds_of(start: int, end: int, step: Step, now: Moment) -> tuple[int, int]:
    """The first and the last time of a period in steps, by the codes of its moments. Many facts share a period."""
    since = moment_of(start)
    if end < EMPTY:
        return first(since, step), last(moment_of(end), step)
    is_past = end == OPEN and first(since, step) <= last(now, step)
    return first(since, step), last(now if is_past else since, step)


CLOCK = 17
"""The bits of a code that have the time of day: 0 for none, then the minutes, each followed by its seconds."""

_CLOCKS = (1 << CLOCK) - 1

_FAR = 1 << 44
"""What the code of a year that has no times of day, before -9999 or after 9999, lies beyond."""

_NEAR = 10_000 * 13 * 32 * 4


def code_of(moment: Moment) -> int:
    """A moment as one whole number, in the same order."""
    code = _code_of_date(moment) * 4 + len(str(moment.years)) - 1
    if abs(code) >= _NEAR:
        return code + (_FAR if code > 0 else -_FAR)
    clock = 0 if moment.minute < 0 else 61 * moment.minute + moment.second + 2
    return (code << CLOCK) + clock


def moment_of(code: int) -> Moment:
    """The moment of a code."""
    clock = 0
    if abs(code) > _FAR:
        code += -_FAR if code > 0 else _FAR
    else:
        code, clock = code >> CLOCK, code & _CLOCKS
    rest, zeros = divmod(code, 4)
    rest, day = divmod(rest, 32)
    year, month = divmod(rest, 13)
    minute, second = divmod(clock - 1, 61) if clock else (-1, 0)
    return Moment(year, month, day, int(10**zeros), minute, second - 1)


def is_coarse(code: str, step: Step) -> str:
    """The condition in SQL that a code is that of a moment less exact than a step."""
    date = f"CASE WHEN {code} > {_FAR} THEN {code} - {_FAR} WHEN {code} < -{_FAR} THEN {code} + {_FAR}"
    date = f"({date} ELSE {code} >> {CLOCK} END)"
    clock = f"(CASE WHEN abs({code}) > {_FAR} THEN 0 ELSE {code} & {_CLOCKS} END)"
    return {
        Step.SECOND: f"({clock} = 0 OR {clock} % 61 = 1)",
        Step.MINUTE: f"{clock} = 0",
        Step.DAY: f"({date} >> 2) % 32 = 0",
        Step.MONTH: f"(({date} >> 7) % 13 = 0 OR {date} & 3 > 0)",
        Step.YEAR: f"{date} & 3 > 0",
    }[step]


def _code_of_date(moment: Moment) -> int:
    return (moment.year * 13 + moment.month) * 32 + moment.day


def hashed(moment: Moment) -> str:
    """How a moment stands in a fingerprint."""
    if moment.minute >= 0:
        return f"{_code_of_date(moment)} {moment.minute}:{moment.second}"
    return f"{_code_of_date(moment)}" if moment.years == 1 else f"{_code_of_date(moment)} {moment.years}"
