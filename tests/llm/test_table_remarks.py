"""Cells with a remark behind their value, rows that nobody has, and dates of which two columns may be meant."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import Table, table_of
from tests.llm.table_answers import answer, understood

COLUMNS = [
    ("Berth", ""),
    ("Length", "number"),
    ("Skipper", ""),
    ("Listed", "date"),
    ("Let since", "date"),
    ("Notes", ""),
]
BERTHS = [
    ["B1", "9", "Ann Holt", "2008-05-12", "2011-02-01", ""],
    ["B2", "12", "Ben Carr", "2017-09-20", "2022-03-01", ""],
    ["B3", "7", "", "", "", "vacant"],
    ["B4", "8", "Cy Dale", "2022-02-28", "2024-04-01", ""],
    ["B5", "6", "", "", "", "vacant - needs dredging"],
]


def berths(*notes: str) -> Table:
    """The berths, with other notes on those that nobody has."""
    others = iter(notes)
    return table_of("berths", COLUMNS, [[*row[:5], next(others, row[5])] if not row[2] else row for row in BERTHS])


def test_a_remark_behind_a_value_makes_it_no_other_one() -> None:
    found = understood("How many berths are vacant?", berths())
    assert not isinstance(found, str) and found.best.gives == {2}
    assert answer("Total length of the vacant berths?", berths()) == {13}
    assert answer("How many berths are vacant?", berths("vacant", "Vacant (North)")) != {2}


@pytest.mark.parametrize(
    "question", ["Which berths are vacant?", "Which berths have nobody on them?", "Which berths have no one in them?"]
)
def test_rows_that_nobody_has_are_those_whose_person_is_not_said(question: str) -> None:
    assert answer(question, berths("", "")) == {"b3", "b5"}


def test_vacant_is_not_said_of_one_row_alone_where_others_have_nobody_either() -> None:
    for question in ("Which berths are vacant?", "Total length of the vacant berths?", "Which berths are not vacant?"):
        assert "may be all rows whose 'Skipper' is empty" in str(answer(question, berths("vacant", "needs dredging")))


@pytest.mark.parametrize("done", ["were given their berth", "got a berth", "started"])
def test_a_verb_that_names_neither_of_two_dates_does_not_choose_one(done: str) -> None:
    assert "no column is known to say when" in str(answer(f"Which skippers {done} after 2021?", berths()))


def test_a_date_that_no_other_column_may_mean_is_taken() -> None:
    assert answer("Which skippers were listed before 2010?", berths()) == {"ann holt"}
