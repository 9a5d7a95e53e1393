"""Questions about the tables of an office: who manages whom, rows of totals, numbers of tickets and orders."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.table import table_of
from cgstore.llm.backends.compose.understanding import Understanding
from tests.llm.table_answers import answer, understood

CREW = table_of(
    "crew",
    [("ID", ""), ("Name", ""), ("Team", ""), ("Pay", "number"), ("Manager", "")],
    [
        ("1", "Ada Brook", "Management", "90", ""),
        ("2", "Ben Cole", "Sales", "60", "Ada Brook"),
        ("3", "Cleo Dunn", "Sales", "50", "Ben Cole"),
        ("4", "Dan East", "Sales", "40", "Ben Cole"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Who does Ben Cole manage?", {"cleo dunn", "dan east"}),
        ("Whom does Ada Brook manage?", {"ben cole"}),
        ("What does Ben Cole manage?", {"cleo dunn", "dan east"}),
        ("Who does Ben Cole supervise?", {"cleo dunn", "dan east"}),
        ("How many people does Ben Cole manage?", {2.0}),
        ("What is the pay of the people Ben Cole manages?", {40.0, 50.0}),
        ("Who manages Ben Cole?", {"ada brook"}),
    ],
)
def test_the_subject_of_a_verb_stands_in_the_column_of_who_does_it(question: str, given: set[str | float]) -> None:
    assert answer(question, CREW) == given


def test_somebody_who_manages_nobody_is_not_answered_by_the_own_manager() -> None:
    assert answer("Who does Dan East manage?", CREW) == "no row has 'Dan East' under 'Manager'"


SHOPS = table_of(
    "shops",
    [("Shop", ""), ("Q1", "number"), ("Q2", "number")],
    [("Ulm", "5", "8"), ("Ems", "7", "1"), ("Bonn", "9", "2"), ("Total", "21", "11")],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What is the average Q1?", {7.0}),
        ("What is the sum of Q1?", {21.0}),
        ("How many shops are there?", {3.0}),
        ("Which shop has the highest Q1?", {"bonn"}),
        ("Which shops have more than 6 in Q1?", {"ems", "bonn"}),
        ("List all shops", {"ulm", "ems", "bonn"}),
        ("What is the Q2 of Total?", {11.0}),
    ],
)
def test_a_row_of_totals_counts_only_where_it_is_named(question: str, given: set[str | float]) -> None:
    assert answer(question, SHOPS) == given


def test_a_row_of_totals_is_left_out_by_the_program() -> None:
    found = understood("Which shop has the highest Q1?", SHOPS)
    assert isinstance(found, Understanding)
    assert "tail_entity='Total'" in Writer(SHOPS).program(found.best.reading)


def test_a_yes_for_the_row_of_totals_alone_is_refused() -> None:
    assert "looks like a total" in answer("Is there a shop with more than 20 in Q1?", SHOPS)


TICKETS = table_of(
    "tickets",
    [("Ticket", "ordinal"), ("Agent", ""), ("Priority", ""), ("Hours", "number")],
    [("T-1", "Ada Brook", "high", "3"), ("T-3", "Ada Brook", "low", "2"), ("T-4", "Ben Cole", "high", "1")],
)
ORDERS = table_of(
    "orders",
    [("Order No", "number"), ("Customer", ""), ("SKU", ""), ("Qty", "number"), ("Total Amt", "number")],
    [
        ("5001", "Elm Ltd", "P-1", "100", "15"),
        ("5003", "Elm Ltd", "P-3", "4", "128"),
        ("5008", "Oak Ltd", "P-3", "2", "64"),
        ("5009", "Ash Ltd", "P-3", "2", "64"),
    ],
)


def test_numbers_of_tickets_and_orders_are_counted_and_not_added() -> None:
    assert answer("How many tickets did Ada Brook handle?", TICKETS) == {2.0}
    assert answer("How many tickets have high priority?", TICKETS) == {2.0}
    assert answer("How many orders did Elm Ltd place?", ORDERS) == {2.0}


def test_how_many_units_is_the_sum_of_a_quantity_and_never_a_list() -> None:
    assert answer("How many units of P-3 were ordered?", ORDERS) == {8.0}
    assert answer("How many units did Elm Ltd order?", ORDERS) == {104.0}


def test_rows_are_not_counted_where_a_column_says_how_many() -> None:
    assert "may be rows, or what 'Qty' says" in answer("How many P-3 are there?", ORDERS)
    assert answer("How many P-3 were ordered?", ORDERS) == {8.0}


def test_who_somebody_is_names_no_column() -> None:
    assert answer("Who is Ben Cole?", CREW) == "what is asked about 'Ben Cole' is not said: name a column"
    assert "not said" in answer("Who is Elm Ltd?", ORDERS)


def test_the_mean_for_each_value_is_asked_by_per() -> None:
    assert answer("Average Hours per Agent", TICKETS) == {"ada brook | 2.5", "ben cole | 1.0"}


PETS = table_of(
    "pets",
    [("Pet", ""), ("Species", ""), ("Weight (kg)", "number")],
    [("Daisy", "Dog", "9.8"), ("Rex", "Dog", "31"), ("Tom", "Cat", "4")],
)


def test_which_has_the_least_of_a_number_is_not_the_number() -> None:
    assert answer("which dog is the lightest?", PETS) == {"daisy"}
    assert answer("What is the lowest weight of a dog?", PETS) == {9.8}
