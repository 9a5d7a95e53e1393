"""The periods of a temporal fact, from what the graph keeps of them: all starts, all ends, all times in between.

Several periods of one fact share its condition, and which start goes with which end is not kept. Here they are paired
so that the same starts, ends and times come out again. Periods that do not overlap come out as they were; for others
more than one pairing may do, and one with few periods is taken.

Where times follow each other without a gap they are a stretch; it begins with a start, and ends with an end. A period
lies within one stretch, unless it ends before it starts: then it holds at no time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

Period = tuple[int, int]


def periods(starts: Iterable[int], ends: Iterable[int], times: Iterable[int]) -> list[Period]:
    """Periods (start, end), sorted, that have exactly these starts, ends and times in between.

    The times are not needed where there is one start and one end.
    """
    firsts, lasts = sorted(set(starts)), sorted(set(ends))
    if len(firsts) == len(lasts) == 1:
        return [(firsts[0], lasts[0])]
    stretches = list(_stretches(sorted(set(times))))
    found = set(_inverted(_outside(firsts, stretches), _outside(lasts, stretches), firsts[-1], lasts[0]))
    for lo, hi in stretches:
        found |= _within(_between(firsts, lo, hi), _between(lasts, lo, hi), lo, hi)
    return sorted(found)


def _stretches(times: Sequence[int]) -> Iterator[Period]:
    begin = 0
    for place in range(1, len(times) + 1):
        if place == len(times) or times[place] != times[place - 1] + 1:
            yield times[begin], times[place - 1]
            begin = place


def _between(numbers: list[int], lo: int, hi: int) -> list[int]:
    return numbers[bisect_left(numbers, lo) : bisect_right(numbers, hi)]


def _outside(numbers: list[int], stretches: list[Period]) -> list[int]:
    begins = [lo for lo, _ in stretches]
    outside = []
    for number in numbers:
        place = bisect_right(begins, number) - 1
        if place < 0 or stretches[place][1] < number:
            outside.append(number)
    return outside


def _inverted(firsts: list[int], lasts: list[int], latest: int, earliest: int) -> Iterator[Period]:
    """Periods that end before they start, for the starts and ends that lie in no stretch.

    Such a start was paired with an end before it, so that the earliest end of all will do, if no end of these does;
    and such an end with a start after it.
    """
    if len(firsts) == len(lasts) and all(end < start for start, end in zip(firsts, lasts, strict=True)):
        yield from zip(firsts, lasts, strict=True)
        return
    for start in firsts:
        place = bisect_left(lasts, start)
        yield start, lasts[place - 1] if place else earliest
    for end in lasts:
        place = bisect_right(firsts, end)
        yield firsts[place] if place < len(firsts) else latest, end


def _within(firsts: list[int], lasts: list[int], lo: int, hi: int) -> set[Period]:
    """Periods that cover a stretch: in turn if they can, else each start and end with the nearest of the others."""
    in_turn = list(zip(firsts, lasts, strict=False))
    if len(firsts) == len(lasts) and all(start <= end for start, end in in_turn) and _covers(in_turn):
        return set(in_turn)
    nearest = {(firsts[bisect_right(firsts, end) - 1], end) for end in lasts}
    nearest |= {(start, lasts[bisect_left(lasts, start)]) for start in firsts}
    return nearest if _covers(sorted(nearest)) else nearest | {(lo, hi)}


def _covers(found: list[Period]) -> bool:
    """Whether periods, sorted, leave no gap between the first start and the last end."""
    reach = found[0][1]
    for start, end in found[1:]:
        if start > reach + 1:
            return False
        reach = max(reach, end)
    return True
