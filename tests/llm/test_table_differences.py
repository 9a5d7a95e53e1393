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
        ("by how many pounds is the ceres dearer than the bela", 3500.0),
        ("By how many tonnes is the Dena heavier than the Ceres?", 12.0),
        ("What is the difference in price between the Bela and the Dena?", 5000.0),
        ("how much more does the ceres cost than the dena?", 8500.0),
        ("How many minutes longer is the crossing of the Ceres than that of the Dena?", 80.0),
    ],
)
def test_two_rows_differ_by_a_number(question: str, given: float) -> None:
    assert answer(question, BOATS) == {given}


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


HIRES = table_of(
    "hires",
    [
        ("Hire No", ""),
        ("Tool", ""),
        ("Customer", ""),
        ("Out", "date"),
        ("Back", "date"),
        ("Pages", "number"),
        ("Charge", "currency"),
    ],
    [
        ("H-1", "Ladder", "Ann Holt", "2024-02-27", "2024-03-02", "12", "€90.00"),
        ("H-2", "Chainsaw", "Ben Carr", "2024-03-01", "2024-03-03", "7", "€40.00"),
        ("H-3", "Tower", "Ann Holt", "2024-03-04", "", "9", "€10.00"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("how many days was the ladder away", 4.0),
        ("How long was H-2 out?", 2.0),
        ("how many nights did ben carr keep the chainsaw", 2.0),
    ],
)
def test_what_lasts_goes_from_the_one_date_of_a_row_to_the_other(question: str, given: float) -> None:
    assert answer(question, HIRES) == {given}


@pytest.mark.parametrize(
    "question", ["how long was the tower away", "how long is the ladder", "how many days did ann holt keep things"]
)
def test_what_has_not_ended_or_is_not_one_row_has_no_duration(question: str) -> None:
    found = understood(question, HIRES)
    assert isinstance(found, str) or found.best.reading.operation != "duration"


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("by how much was the ladder dearer than the chainsaw", {50.0}),
        ("how many more pages did h-1 fill than h-2", {5.0}),
        ("Did we get the ladder out before the chainsaw?", {"yes"}),
    ],
)
def test_the_verb_of_two_rows_says_no_more_than_the_column(question: str, given: set[str | float]) -> None:
    assert answer(question, HIRES) == given


def test_what_takes_longer_is_not_what_ends_later() -> None:
    jobs = table_of("jobs", [("Fault", ""), ("Done", "date")], [("flat", "2024-06-12"), ("hinge", "2024-06-10")])
    assert isinstance(answer("Did the flat take longer than the hinge?", jobs), str)
