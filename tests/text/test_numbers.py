"""Reading texts as numbers and times (language page, section 2)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.dates import read_time_span
from cgstore.text.numbers import read_number


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


@given(st.dates())
def test_a_day_lies_within_its_month_and_its_year(day: date) -> None:
    span, month, year = (read_time_span(t) for t in (day.isoformat(), day.isoformat()[:7], str(day.year)))
    assert span and month and year
    assert year.lo <= month.lo <= span.lo <= span.hi <= month.hi <= year.hi
