from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.dates import (
    LEVELS,
    PER_DAY,
    Step,
    first_from,
    in_periods,
    last_to,
    level_of,
    number_of,
    place_of,
    time_name,
)

PLACES = st.integers(-2_000_000, 3_600_000)


@given(st.sampled_from(Step), PLACES)
def test_the_number_of_a_time_has_its_place(step: Step, place: int) -> None:
    if step.has_clock:  # spread over as many years
        place = place * PER_DAY[step] + 617
    place //= {Step.YEAR: 365, Step.MONTH: 30}.get(step, 1)
    number = number_of(time_name(place, step))
    assert number is not None and place_of(number, step) == place


@given(st.sampled_from(Step), st.floats(-5000, 9000))
def test_bounds_lie_on_either_side_of_a_number(step: Step, number: float) -> None:
    low, high = first_from(number, step), last_to(number, step)
    assert high <= place_of(number, step) <= low and low - high <= 1
    exact = place_of(number, step).is_integer()
    assert first_from(number, step, after=True) == (low + 1 if exact else low)
    assert last_to(number, step, before=True) == (high - 1 if exact else high)


@given(st.integers(-5000, 5000), st.integers(0, 2**42))
def test_a_stretch_at_a_time_begins_less_than_the_reach_of_its_level_before_it(lo: int, length: int) -> None:
    level = level_of(lo, lo + length)
    assert length < 4**level and level < LEVELS
    assert level == 0 or length >= 4 ** (level - 1)


def test_between_two_months_lies_no_month() -> None:
    assert place_of(2004.5, Step.MONTH) == 2004 * 12 + 6.5  # 2 July
    assert math.isclose(place_of(2004.5, Step.DAY) - place_of(2004.0, Step.DAY), 183)


@pytest.mark.parametrize(
    ("names", "step", "periods"),
    [
        (["1982", "1983", "1984", "1986"], Step.YEAR, ("1982 to 1984", "1986")),
        (["2004-12", "2005-01"], Step.MONTH, ("2004-12 to 2005-01",)),
        (
            ["2004-02-28", "2004-02-29", "2004-03-01", "2004-03-03"],
            Step.DAY,
            ("2004-02-28 to 2004-03-01", "2004-03-03"),
        ),
        (["-1", "0", "1"], Step.YEAR, ("-1 to 1",)),
        ([], Step.DAY, ()),
        (["1984", "1983"], Step.YEAR, ()),
        (["1983", "1983-05"], Step.YEAR, ()),
        (["1983", "Ann"], Step.YEAR, ()),
        ([1983, 1984], Step.YEAR, ()),
    ],
)
def test_times_in_order_are_periods(names: list[object], step: Step, periods: tuple[str, ...]) -> None:
    assert in_periods(names, step) == periods
