"""Questions about orders, which have a quantity, the price of one and a total: what is counted, and what was paid."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import Table, table_of
from tests.llm.table_answers import answer

COLUMNS = [
    ("Order No", ""),
    ("Vendor", ""),
    ("Item", ""),
    ("Qty", "number"),
    ("Unit Price", "currency"),
    ("Total", "currency"),
    ("Ordered", "date"),
    ("Status", ""),
    ("Ordered by", ""),
]
ROWS = [
    ("N-1", "Elm Supply", "Paper", "100", "$4.00", "$400.00", "2024-01-08", "Delivered", "Ann Holt"),
    ("N-2", "Oak Office", "Desk lamp", "12", "$38.00", "$456.00", "2024-01-11", "Delivered", "Ben Carr"),
    ("N-3", "Elm Supply", "Toner", "20", "$72.00", "$1,440.00", "2024-02-19", "Open", "Ann Holt"),
    ("N-4", "Ash Systems", "Server rack", "1", "$900.00", "$900.00", "2024-03-15", "Open", "Cy Dale"),
    ("N-5", "Oak Office", "Desk lamp", "6", "$39.50", "$237.00", "2024-03-18", "Cancelled", "Ben Carr"),
]
ORDERS = table_of("orders", COLUMNS, ROWS)
PURCHASES = table_of("purchases", COLUMNS, ROWS)
OF_ONE = table_of("orders", [*COLUMNS[:5], *COLUMNS[6:]], [(*row[:5], *row[6:]) for row in ROWS])


@pytest.mark.parametrize("table", [ORDERS, PURCHASES, OF_ONE])
@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("How many orders are there?", {5.0}),
        ("How many orders are still open?", {2.0}),
        ("How many orders did we cancel?", {1.0}),
        ("How many orders has Elm Supply got?", {2.0}),
        ("How many orders were placed in March 2024?", {2.0}),
    ],
)
def test_a_plural_noun_for_the_rows_is_counted(question: str, given: set[float], table: Table) -> None:
    assert answer(question, table) == given


def test_how_many_units_asks_for_the_quantity() -> None:
    assert answer("How many units did we order from Elm Supply?", ORDERS) == {120.0}


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("How much did Ann Holt spend?", {1840.0}),
        ("How much did we spend with Oak Office?", {693.0}),
        ("How much did Ben Carr spend excluding cancelled orders?", {"$456.00"}),
        ("How much did the desk lamps cost?", {693.0}),
        ("How much did Elm Supply charge?", {1840.0}),
        ("Which orders were over $500?", {"n-3", "n-4"}),
        ("Which orders cost more than $500?", {"n-3", "n-4"}),
        ("How many orders were over $500?", {2.0}),
        ("Which order cost the most?", {"n-3"}),
    ],
)
def test_what_was_paid_is_the_total_and_not_the_price_of_one(question: str, given: set[str | float]) -> None:
    assert answer(question, ORDERS) == given


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What is the unit price of Toner?", {"$72.00"}),
        ("What is the most expensive item?", {"server rack"}),
        ("Which items have a unit price over $50?", {"toner", "server rack"}),
    ],
)
def test_the_price_of_one_is_given_where_it_is_asked_for(question: str, given: set[str]) -> None:
    assert answer(question, ORDERS) == given


@pytest.mark.parametrize(
    "question",
    [
        "How much did Ann Holt spend?",
        "Which orders were over $500?",
        "How many orders were over $500?",
        "Which order cost the most?",
    ],
)
def test_the_price_of_one_beside_a_quantity_is_not_what_was_paid(question: str) -> None:
    assert "'Unit Price' is for one" in answer(question, OF_ONE)


@pytest.mark.parametrize(
    "question", ["Which items cost more than $500?", "Who spent more than $500?", "How much do we pay for Toner?"]
)
def test_whether_one_or_all_is_meant_has_to_be_said(question: str) -> None:
    assert isinstance(answer(question, ORDERS), str)


@pytest.mark.parametrize(
    "question", ["Which vendor got the most money from us overall?", "Which vendor cost the most in total?"]
)
def test_the_most_overall_is_that_of_the_sums_of_groups(question: str) -> None:
    assert answer(question, ORDERS) == {"elm supply"}


def test_the_most_orders_in_total_are_no_sum_of_the_column_total() -> None:
    rows = [*ROWS, ("N-6", "Oak Office", "Pens", "9", "$1.00", "$9.00", "2024-04-01", "Open", "Cy Dale")]
    assert answer("Which vendor got the most orders in total?", table_of("orders", COLUMNS, rows)) != {"elm supply"}


@pytest.mark.parametrize("table", [ORDERS, PURCHASES])
@pytest.mark.parametrize(
    ("question", "given"), [("What was ordered last?", {"desk lamp"}), ("What was ordered first?", {"paper"})]
)
def test_what_was_done_last_is_a_thing_and_no_time(question: str, given: set[str], table: Table) -> None:
    assert answer(question, table) == given


@pytest.mark.parametrize("table", [ORDERS, PURCHASES])
def test_which_order_is_not_who_ordered_it(table: Table) -> None:
    assert not {"ann holt", "ben carr", "cy dale"}.intersection(answer("Which order has the biggest Total?", table))


@pytest.mark.parametrize("table", [ORDERS, OF_ONE])
def test_cells_are_not_given_for_the_cheaper_one(table: Table) -> None:
    assert isinstance(answer("Which desk lamp order was cheaper?", table), str)


def test_what_is_cheaper_for_one_and_dearer_in_total_is_not_cheaper() -> None:
    assert isinstance(answer("Is N-1 cheaper than N-5?", ORDERS), str)
