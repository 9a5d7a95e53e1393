"""Values that a question says in other words, in another unit, or denies behind a verb."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.table import table_of
from cgstore.text.word_forms import places_of
from tests.llm.table_answers import answer

FLIGHTS = table_of(
    "flights",
    [("Flight No", ""), ("Load (kg)", "number"), ("Country", ""), ("Outcome", ""), ("In the air", "duration")],
    [
        ("X1", "120", "Poland", "Success", "95 min"),
        ("X2", "2500", "UK", "Failure", "20 min"),
        ("X3", "900", "Poland", "Partial failure", "130 min"),
        ("X4", "3100", "Austria", "Success", "150 min"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Which Polish flights were a success?", {"x1"}),
        ("How many British flights were there?", {1.0}),
        ("Which flights did not end in success?", {"x2", "x3"}),
        ("Which flights had a load of more than 2 tonnes?", {"x2", "x4"}),
        ("Which flights were in the air for more then two hours?", {"x3", "x4"}),
        ("How many flights failed?", {1.0}),
        ("Which flights worked out?", {"x1", "x4"}),
    ],
)
def test_a_value_is_said_in_other_words(question: str, given: set[str | float]) -> None:
    assert answer(question, FLIGHTS) == given


@pytest.mark.parametrize(
    ("people", "place"), [("polish", "poland"), ("austrian", "austria"), ("british", "uk"), ("finish", "finland")]
)
def test_a_people_has_places(people: str, place: str) -> None:
    assert (place in places_of(people)) is (people != "finish")


def test_then_behind_a_comparative_is_than() -> None:
    assert direct("Is A longer then B?") == "Is A longer than B?"
    assert direct("What happened then?") == "What happened then?"


PLOTS = table_of(
    "plots",
    [("Plot", ""), ("Crop", ""), ("Svc", ""), ("Owner", ""), ("Size (ha)", "number")],
    [
        ("Elm", "W. wheat", "Exp", "Ann Holt", "3"),
        ("Oak", "S. wheat", "Std", "Ann Holt", "4"),
        ("Fir", "W. wheat", "Std", "Ben Carr", "6"),
        ("Ash", "Sugar beet", "Exp", "Ben Carr", "2"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("which plots have winter wheat", {"elm", "fir"}),
        ("What is the average size of the spring wheat plots?", {4.0}),
        ("which express plots does ben carr own", {"ash"}),
        ("which plots have beets", {"ash"}),
    ],
)
def test_a_cell_that_is_written_short_or_in_another_number_is_found(question: str, given: set[str | float]) -> None:
    assert answer(question, PLOTS) == given
