"""Names of months and weekdays that a program compares with what functions of dates give."""

from __future__ import annotations

import pytest

from cgstore.query.ast import Call, Literal
from cgstore.query.date_names import with_dates_named
from cgstore.query.parse import parse

MONTH = "extract_month(get_information(head_entity='x', key='start_time'))"
WEEKDAY = MONTH.replace("extract_month", "extract_weekday")
YEAR_MONTH = MONTH.replace("extract_month", "extract_year_month")


def _literals(program: str) -> list[tuple[str, str, str]]:
    """The literals of the last query, each with its argument and operator."""
    last: Call = with_dates_named(parse(program)).queries[-1]
    return [(a.name, a.op, a.value.text) for a in last.arguments if isinstance(a.value, Literal)]


@pytest.mark.parametrize(
    ("program", "literal"),
    [
        (f"keep(set={MONTH}, value='March')", ("value", "=", "3")),
        (f"keep(set={MONTH}, value>='sept.')", ("value", ">=", "9")),
        (f"keep(set={MONTH}, value='4')", ("value", "=", "4")),
        (f"Query1: \"{MONTH}\"\nQuery2: \"keep(set='output_of_query1', value='mai')\"", ("value", "=", "5")),
        (f"keep(set=for_each(set=heads(relation='d'), value={MONTH}), value='May')", ("value", "=", "5")),
        (f"equals({MONTH}, 'January')", ("value2", "=", "1")),
        (f"compare('June', {MONTH})", ("value1", "=", "6")),
        (f"keep(set={WEEKDAY}, value='Monday')", ("contains", "=", "Monday")),
        (f"keep(set={WEEKDAY}, value='tues')", ("contains", "=", "Tuesday")),
        (f"keep(set={YEAR_MONTH}, value='March 1990')", ("starts_with", "=", "1990-03")),
        (f"keep(set={YEAR_MONTH}, value='1990-03')", ("starts_with", "=", "1990-03")),
    ],
)
def test_names_of_dates_are_what_the_function_gives(program: str, literal: tuple[str, str, str]) -> None:
    assert _literals(program) == [literal]


@pytest.mark.parametrize(
    "program",
    [
        "keep(set=get_information(relation='name'), value='May')",
        "equals(get_information(head_entity='x', relation='name'), 'May')",
        f"keep(set={WEEKDAY}, value='day')",
        f"keep(set={YEAR_MONTH}, value='1990')",
        "keep(set=group(by=extract_month('date')), value='March')",
    ],
)
def test_other_names_stay(program: str) -> None:
    assert with_dates_named(parse(program)) == parse(program)
