"""Starts, ends and times paired to periods again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cgstore.export.text import Period, periods
from cgstore.text.dates import merged

YEARS = st.integers(0, 12)
PERIODS = st.lists(st.tuples(YEARS, YEARS), min_size=1, max_size=7)


def kept(some: list[Period]) -> tuple[set[int], set[int], list[Period]]:
    """What the graph keeps of periods: starts, ends, and stretches of times."""
    times = {year for start, end in some for year in range(start, end + 1)}
    return {start for start, _ in some}, {end for _, end in some}, list(merged((time, time) for time in sorted(times)))


@given(PERIODS)
def test_the_same_starts_ends_and_times_come_out(some: list[Period]) -> None:
    assert kept(periods(*kept(some))) == kept(some)


@given(st.lists(YEARS, min_size=1, max_size=12))
def test_periods_that_do_not_overlap_come_out_as_they_were(lengths: list[int]) -> None:
    some: list[Period] = []
    begin = 0
    for gap, length in zip(lengths[::2], lengths[1::2], strict=False):
        some.append((begin + gap, begin + gap + length))
        begin = some[-1][1] + 1
    assert not some or periods(*kept(some)) == some


@given(PERIODS)
def test_there_are_never_more_periods_than_starts_ends_and_stretches(some: list[Period]) -> None:
    starts, ends, stretches = kept(some)
    times = sum(hi - lo + 1 for lo, hi in stretches)
    assert len(periods(starts, ends, stretches)) <= len(starts) + len(ends) + times


def test_a_period_that_ends_before_it_starts_stays_beside_others() -> None:
    for some in ([(5, 2)], [(5, 2), (7, 9)], [(5, 2), (8, 3)], [(1, 2), (4, 6), (9, 8)]):
        assert periods(*kept(some)) == some


def test_overlapping_periods_come_out_in_turn() -> None:
    assert periods(*kept([(1, 5), (3, 8)])) == [(1, 5), (3, 8)]
    assert periods(*kept([(1, 8), (3, 5)])) == [(1, 5), (3, 8)]


def test_a_shared_start_and_a_shared_end_are_kept() -> None:
    assert periods(*kept([(1, 5), (1, 8)])) == [(1, 5), (1, 8)]
    assert periods(*kept([(1, 8), (3, 8)])) == [(1, 8), (3, 8)]
