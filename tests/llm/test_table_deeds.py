"""Verbs of everyday speech for columns: who did something, to whom, when, and what has not been done yet."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

HARVEST = table_of(
    "harvest",
    [("Field", ""), ("Crop", ""), ("Harvested", "date"), ("Buyer", ""), ("Operator", ""), ("Inspected", "date")],
    [
        ("Long Acre", "Wheat", "2023-08-09", "Penrose Milling", "Wojtek", "2023-08-20"),
        ("Mill Piece", "Barley", "2023-09-11", "Eastfen Feeds", "Gareth", ""),
        ("Top Forty", "Linseed", "2023-08-12", "Hallam Oils", "", ""),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("By whom was Long Acre harvested?", {"wojtek"}),
        ("who was mill piece cut by", {"gareth"}),
        ("To whom did the linseed go?", {"hallam oils"}),
        ("when did we cut Mill Piece?", {"2023-09-11"}),
        ("Which field hasn't been given an operator yet?", {"top forty"}),
        ("which fields still haven't been inspected", {"mill piece", "top forty"}),
        ("Is there anything by Penrose Milling in Long Acre?", {"yes"}),
    ],
)
def test_a_verb_of_everyday_speech_names_a_column(question: str, given: set[str]) -> None:
    assert answer(question, HARVEST) == given


def test_what_came_last_is_told_by_the_only_date() -> None:
    cuts = table_of(
        "cuts",
        [("Field", ""), ("Cut", "date")],
        [("Elm", "2023-08-09"), ("Oak", "2023-09-11"), ("Fir", "2023-08-12")],
    )
    assert answer("which field came in last of all", cuts) == {"oak"}


def test_a_preposition_before_whom_goes_to_the_end() -> None:
    assert direct("To whom did the linseed go?") == "who did the linseed go to?"


def test_whom_something_is_done_to_is_not_who_does_it() -> None:
    loans = table_of(
        "loans", [("Object", ""), ("Lender", "")], [("Blue Vase", "City Museum"), ("Red Bowl", "Holme House")]
    )
    assert isinstance(answer("to whom was the blue vase lent", loans), str)


def test_the_order_of_rows_is_not_that_of_what_is_done_where_there_are_dates() -> None:
    stays = table_of(
        "stays",
        [("Dog", ""), ("Arrived", "date"), ("Left", "date")],
        [("Rex", "2023-06-04", "2023-06-19"), ("Pip", "2023-06-08", "2023-06-09")],
    )
    assert isinstance(answer("which dog slept last", stays), str)


@pytest.mark.parametrize(
    "question",
    [
        "who planted Long Acre",  # its crop was planted
        "which buyer complained the most in all",
        "how long did Long Acre flourish",
    ],
)
def test_a_verb_that_no_column_knows_is_refused(question: str) -> None:
    assert isinstance(answer(question, HARVEST), str)


TRIPS = table_of(
    "trips",
    [("Trip", ""), ("Boat", ""), ("Skipper", ""), ("Set off", "date"), ("Got in", "date"), ("Distance (nm)", "number"),
     ("Status", "")],
    [
        ("T1", "Petrel", "Ann Holt", "2024-07-01", "2024-07-04", "120", "Done"),
        ("T2", "Skua", "Ben Carr", "2024-07-02", "2024-07-09", "310", "Done"),
        ("T3", "Tern", "Ann Holt", "2024-07-05", "", "95", "Cancelled"),
        ("T4", "Petrel", "Cy Dale", "2024-07-06", "", "80", "At sea"),
    ],
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("which trips are still out", {"t3", "t4"}),
        ("which of the skua's trips are done", {"t2"}),
        ("which trips have been called off", {"t3"}),
        ("how many different boats did Ann Holt sail", {2.0}),
        ("how much further was T2 than T1", {190.0}),
    ],
)
def test_a_state_and_a_verb_of_the_rows_are_understood(question: str, given: set[str | float]) -> None:
    assert answer(question, TRIPS) == given


def test_how_long_somebody_has_been_something_is_not_a_length() -> None:
    assert isinstance(answer("how long has Ben Carr been a skipper", TRIPS), str)
