"""What adds numbers up: totals of rows, and values whose rows have the most together."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

SALES = table_of(
    "sales",
    [
        ("Sale No", ""),
        ("Stall", ""),
        ("Seller", ""),
        ("Deposit", "currency"),
        ("Price", "currency"),
        ("Weight (kg)", "number"),
    ],
    [
        ("S-1", "Fruit", "Ann Holt", "€50.00", "€100.00", "90"),
        ("S-2", "Fruit", "Ben Carr", "€5.00", "€90.00", "80"),
        ("S-3", "Cheese", "Ann Holt", "€9.00", "€120.00", "100"),
        ("S-4", "Cheese", "Cy Dale", "€1.00", "€20.00", "10"),
        ("S-5", "", "Cy Dale", "€1.00", "€30.00", "300"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("how much did ann holt pay in all", {220.0}),
        ("what did the cheese stall bring in altogether?", {140.0}),
        ("total weight of the fruit", {170.0}),
    ],
)
def test_a_total_is_the_sum_of_the_named_column_in_the_rows_that_are_meant(question: str, given: set[float]) -> None:
    assert answer(question, SALES) == given


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("which stall made the most money in total", {"fruit"}),
        ("Which seller took the least money in all?", {"cy dale"}),
        ("which stall had the most weight in all", {"fruit"}),  # the empty cell is no stall
    ],
)
def test_the_most_in_all_is_the_greatest_sum(question: str, given: set[str]) -> None:
    assert answer(question, SALES) == given


def test_an_empty_cell_is_not_counted_among_different_ones() -> None:
    assert answer("how many different stalls are there", SALES) == {2.0}
