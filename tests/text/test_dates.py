from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.dates import (
    Moment,
    Step,
    StepFinder,
    first,
    last,
    number_of,
    read_moment,
    time_name,
    with_four_digits,
)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1999", Moment(1999)),
        ("0546", Moment(546)),
        ("-44", Moment(-44)),
        ("−44", Moment(-44)),
        ("2004-07", Moment(2004, 7)),
        ("2004-02-29", Moment(2004, 2, 29)),
        ("-0044-03-15", Moment(-44, 3, 15)),
    ],
)
def test_years_months_and_days_are_read(text: str, moment: Moment) -> None:
    assert read_moment(text) == moment


@pytest.mark.parametrize(
    "text",
    ["", "19x9", "1999.5", "2003-02-29", "2004-13", "2004-00-01", "04-07", "2004-7-2", "٢٠٠٤", "1e3", "####-##-##"],
)
def test_other_texts_are_no_times(text: str) -> None:
    assert read_moment(text) is None


@given(st.dates())
def test_days_are_counted_as_the_standard_library_counts_them(day: date) -> None:
    number = first(Moment(day.year, day.month, day.day), Step.DAY)
    assert number - first(Moment(1, 1, 1), Step.DAY) == day.toordinal() - 1
    assert time_name(number, Step.DAY) == day.isoformat()


@given(st.integers(-20_000, 20_000), st.sampled_from(Step))
def test_names_of_times_are_read_back(number: int, step: Step) -> None:
    moment = read_moment(time_name(number, step))
    assert moment is not None
    assert first(moment, step) == last(moment, step) == number


@given(st.integers(-3_000_000, 5_000_000))
def test_later_days_have_larger_numbers(number: int) -> None:
    before, after = number_of(time_name(number, Step.DAY)), number_of(time_name(number + 1, Step.DAY))
    assert before is not None and after is not None and before < after


def test_a_year_stands_for_all_its_months_and_days() -> None:
    year = Moment(2004)
    assert last(year, Step.MONTH) - first(year, Step.MONTH) == 11
    assert last(year, Step.DAY) - first(year, Step.DAY) == 365


def test_more_exact_times_are_cut_to_the_step() -> None:
    assert first(Moment(2004, 7, 2), Step.YEAR) == last(Moment(2004, 7, 2), Step.YEAR) == 2004


@pytest.mark.parametrize(
    ("periods", "step"),
    [
        (["1999 2004"], Step.YEAR),
        (["1999 2004", "2004-07 2004-07"], Step.MONTH),
        (["2004-07-02 2004-07-02", "1999 1999"], Step.DAY),
        (["1999-01-01 2004-12-31", "2001-01-01 2001-01-01"], Step.YEAR),
        (["1999-01-01 2004-01-31"], Step.MONTH),
        (["1999-03-01 2004-04-30"], Step.MONTH),
        (["1999-01-31 1999-01-31"], Step.DAY),
        (["2004-01 2004-01"], Step.MONTH),
    ],
)
def test_the_default_step_is_the_coarsest_that_loses_nothing(periods: list[str], step: Step) -> None:
    finder = StepFinder()
    for period in periods:
        start, end = (read_moment(text) for text in period.split())
        assert start is not None and end is not None
        finder.add(start, end)
    assert finder.step is step


@pytest.mark.parametrize(
    ("text", "longer"),
    [("900", "0900"), ("44-03-15", "0044-03-15"), ("-44", "-0044"), ("1999", None), ("900-13", None), ("9a", None)],
)
def test_a_year_with_too_few_digits_is_completed(text: str, longer: str | None) -> None:
    assert with_four_digits(text) == longer
