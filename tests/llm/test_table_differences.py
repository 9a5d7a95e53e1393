"""By how much two rows of a table differ, in whose unit, and which is refused."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.table import table_of
from cgstore.llm.backends.compose.understanding import Understanding
from tests.llm.table_answers import answer, understood

BOATS = table_of(
    "boats",
    [("Boat", ""), ("Yard", ""), ("Weight (t)", "number"), ("Price (£)", "number"), ("Crossing", "duration")],
    [
        ("Bela", "Oslo", "14", "9000", "1h 10min"),
        ("Ceres", "Bergen", "9", "12500", "2h 5min"),
        ("Dena", "Oslo", "21", "4000", "45min"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("How much heavier is the Bela than the Ceres?", 5.0),
        ("by how many pounds is the ceres dearer than the bela", None),
        ("By how many tonnes is the Dena heavier than the Ceres?", 12.0),
        ("What is the difference in price between the Bela and the Dena?", 5000.0),
        ("how much more does the ceres cost than the dena?", 8500.0),
        ("How many minutes longer is the crossing of the Ceres than that of the Dena?", 80.0),
    ],
)
def test_two_rows_differ_by_a_number(question: str, given: float | None) -> None:
    found = answer(question, BOATS)
    assert isinstance(found, str) if given is None else found == {given}


@pytest.mark.parametrize(
    "question",
    [
        "How much heavier is the Ceres than the Bela?",
        "How much faster is the Dena than the Bela?",
        "How much older is the Bela than the Ceres?",
        "By how many tonnes is the Dena heavier than the Bela and the Ceres?",
    ],
)
def test_a_difference_that_is_not_so_or_not_in_the_table_is_refused(question: str) -> None:
    assert isinstance(answer(question, BOATS), str)


def test_a_number_of_durations_is_in_the_unit_that_is_asked_for() -> None:
    found = understood("What is the average crossing in minutes of the boats from Oslo?", BOATS)
    assert isinstance(found, Understanding) and found.best.gives == {57.5}
    assert Writer(BOATS).program(found.best.reading).startswith("calculate(")


def test_the_second_highest_number_is_the_number_itself() -> None:
    assert answer("What's the second highest price?", BOATS) == {9000.0}


FILMS = table_of(
    "films",
    [("Film", ""), ("Year", "number"), ("Genre", "")],
    [("Chriutha", "2007", "drama"), ("Youngistaan", "2014", "drama"), ("Rook", "1999", "comedy")],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("How many years after Chriutha was Youngistaan released?", {7.0}),
        ("Was Chriutha released before Youngistaan?", {"yes"}),
        ("Was Rook released after Chriutha?", {"no"}),
    ],
)
def test_one_time_is_compared_with_another(question: str, given: set[str | float]) -> None:
    assert answer(question, FILMS) == given


def test_who_something_is_given_to_is_not_who_gives_it() -> None:
    loans = table_of(
        "loans",
        [("Object", ""), ("Lender", ""), ("Borrower", "")],
        [("Ewer", "City Museum", "Abbey"), ("Vase", "Abbey", "City Museum"), ("Bureau", "City Museum", "Holme")],
    )
    assert answer("Which objects did we lend to Abbey?", loans) == {"ewer"}
