"""Reading texts as numbers and times (language page, section 2, with its defects mended)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.dates import number_of, read_span, read_time_span
from cgstore.text.numbers import denotation, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5.0),
        ("-.5", -0.5),
        ("+7", 7.0),
        ("1e3", 1000.0),
        (" 1 ", 1.0),
        ("−7", -7.0),
        ("1,000", 1000.0),
        ("1,000 ", 1000.0),
        ("-1,234", -1234.0),
        ("2,000.50", 2000.5),
        ("1.234,5", 1234.5),
        ("1,23", 1.23),
        ("1,2345", 1.2345),
        ("1,234,567", 1234567.0),
    ],
)
def test_a_number_is_read(text: str, number: float) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "5th", "50%", "$5", "(45)", "1–2", "3-2", "12,34,567", "nan", "inf", "Ulm", "-", ","]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_number(text) is None


@given(st.dates(), st.dates())
def test_days_are_ordered_as_their_numbers(first: date, second: date) -> None:
    a, b = number_of(first.isoformat()), number_of(second.isoformat())
    assert a is not None
    assert b is not None
    assert (a < b) == (first < second)
    assert (a == b) == (first == second)


@given(st.dates())
def test_a_day_lies_within_its_month_and_its_year(day: date) -> None:
    span, month, year = (read_time_span(t) for t in (day.isoformat(), day.isoformat()[:7], str(day.year)))
    assert span and month and year
    assert year.lo <= month.lo <= span.lo <= span.hi <= month.hi <= year.hi


@pytest.mark.parametrize("text", ["2004-13", "2004-00-01", "2003-02-29", "2004-7", "04-07-01"])
def test_an_impossible_date_is_none(text: str) -> None:
    assert read_span(text) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["Ulm", "Bern"], ["bern ", "ULM", "Ulm"]),
        (["1,000"], [1000]),
        ([5.0], ["5"]),
        ([], []),
        (["Straße"], ["STRASSE"]),
    ],
    ids=str,
)
def test_answers_that_denote_the_same(one: list[str | float], other: list[str | float]) -> None:
    assert denotation(one) == denotation(other)


@pytest.mark.parametrize(
    ("one", "other"), [(["Ulm"], ["Ulm", "Bern"]), (["5th"], ["5"]), (["Ulm"], []), (["a b"], ["ab"])], ids=str
)
def test_answers_that_denote_something_else(one: list[str | float], other: list[str | float]) -> None:
    assert denotation(one) != denotation(other)
