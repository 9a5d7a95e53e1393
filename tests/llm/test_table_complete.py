"""Questions that the model doubts, where one answer alone accounts for every word; and what columns measure."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

PLOTS = table_of(
    "plots",
    [("Plot No", ""), ("Tenant", ""), ("Size (m²)", "number"), ("Rent (£)", "number"), ("Since", "date"), ("Shed", "")],
    [
        ("P1", "Ada Brook", "120", "45", "2009-05-01", "y"),
        ("P2", "Ben Cole", "80", "30", "2012-02-13", "n"),
        ("P3", "Cleo Dunn", "250", "90", "2016-09-05", "y"),
        ("P4", "Dan East", "95", "38", "2018-04-16", "n"),
    ],
)
WELLS = table_of(
    "wells",
    [("Well No.", ""), ("Pump", ""), ("Depth (m)", "number"), ("Dug", "date")],
    [("W1", "Delta", "30", "1990-01-01"), ("W2", "Orion", "55", "1994-01-01"), ("W3", "Lyra", "42", "2001-01-01")],
)


@pytest.mark.parametrize(
    ("question", "table", "given"),
    [
        ("wells dug before 1995", WELLS, {"w1", "w2"}),
        ("Which well has the Lyra?", WELLS, {"w3"}),
        ("Which plots have no shed?", PLOTS, {"p2", "p4"}),
    ],
)
def test_rows_are_asked_for_by_what_they_are_called(question, table, given) -> None:  # type: ignore[no-untyped-def]
    assert answer(question, table) == given


@pytest.mark.parametrize(
    ("question", "table", "given"),
    [
        ("What does Ben Cole pay?", PLOTS, {30.0}),
        ("Which is the biggest plot?", PLOTS, {"p3"}),
    ],
)
def test_a_column_is_meant_by_what_it_measures(question, table, given) -> None:  # type: ignore[no-untyped-def]
    assert answer(question, table) == given


def test_what_is_not_accounted_for_is_refused() -> None:
    assert isinstance(answer("Which plots were flooded before 2015?", PLOTS), str)
