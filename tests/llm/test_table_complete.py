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
        ("What is the dearest plot?", PLOTS, {"p3"}),
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


@pytest.mark.parametrize(
    "question",
    [
        "Which plots were flooded before 2015?",
        "How many plots are longer than 12 kilometres?",
        "Which vehicle has the highest mileage?",
        "How many objects were made before 1700?",
    ],
)
def test_what_is_not_accounted_for_is_refused(question: str) -> None:
    assert isinstance(answer(question, PLOTS), str)


WINES = table_of(
    "cellar",
    [("Wine", ""), ("Ctry", ""), ("Btls", "number"), ("Price/btl (€)", "number"), ("Drink by", "number"), ("Rack", "")],
    [
        ("Clos Blanc", "France", "6", "48.00", "2030", "A1"),
        ("Vigna Rossa", "Italy", "3", "72.50", "2035", "A2"),
        ("Kirchberg", "Germany", "12", "19.90", "2026", "B1"),
        ("Monte Alto", "Spain", "2", "38.00", "2025", "B2"),
    ],
)
ROUTES = table_of(
    "routes",
    [("Rte", "number"), ("From", ""), ("Dist km", "number"), ("Freq/day", "number"), ("Op.", ""), ("Status", "")],
    [
        ("10", "Harbour", "14.5", "48", "CityBus", "running"),
        ("17", "Old Town", "8.8", "36", "Velox", "planned"),
        ("33", "Northgate", "19.7", "24", "Velox", "running"),
    ],
)


@pytest.mark.parametrize(
    ("question", "table", "given"),
    [
        ("How much does a bottle of Monte Alto cost?", WINES, {38.0}),
        ("How many bottles of the Kirchberg do we have?", WINES, {12.0}),
        ("Where is the Vigna Rossa kept?", WINES, {"a2"}),
        ("Which wines have to be drunk by 2026?", WINES, {"kirchberg", "monte alto"}),
        ("what is the longest route", ROUTES, {33.0}),
        ("What is the total distance of the routes run by Velox?", ROUTES, {28.5}),
        ("How much longer is route 33 than route 17?", ROUTES, {10.9}),
    ],
)
def test_what_a_number_is_for_is_not_what_it_is(question, table, given) -> None:  # type: ignore[no-untyped-def]
    assert answer(question, table) == given


CHESS = table_of(
    "chess",
    [("Player", ""), ("Elo", "number"), ("W", "number"), ("L", "number"), ("Team", "")],
    [
        ("Ada Roth", "2412", "5", "1", "Rookfield"),
        ("Bea Nowak", "2288", "4", "3", "Castle"),
        ("Cem Kaya", "2195", "3", "2", "Endgame"),
        ("Dan Walsh", "2104", "2", "5", "Endgame"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("How many games did Dan Walsh lose?", {5.0}),
        ("How many games did Ada Roth win?", {5.0}),
        ("What is Cem Kaya's rating?", {"2195"}),
    ],
)
def test_letters_of_a_table_of_games_are_wins_and_losses(question: str, given: set[str | float]) -> None:
    found = answer(question, CHESS)
    assert {str(value).removesuffix(".0") for value in found} == {str(value).removesuffix(".0") for value in given}


def test_a_verb_between_who_and_a_value_is_not_left_out() -> None:
    assert isinstance(answer("Who coaches Endgame?", CHESS), str)
    assert answer("Who is in Endgame?", CHESS) == {"cem kaya", "dan walsh"}


def test_how_often_is_no_number_of_a_row() -> None:
    loans = table_of(
        "loans",
        [("loan", ""), ("tool", ""), ("borrower", ""), ("deposit", "number")],
        [(str(1101 + n), tool, who, "40") for n, (tool, who) in enumerate([("Saw", "Ada"), ("Drill", "Ada")])],
    )
    assert answer("How often has Ada borrowed from us?", loans) == "'often' is not understood without an LLM"
