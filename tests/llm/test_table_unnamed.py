"""Columns that a question does not name: none is taken for what the table does not say; small words of names."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cgstore.llm.backends.compose.table import Table, table_of
from tests.llm.table_answers import answer

COLUMNS = [
    ("Skiff", ""),
    ("Kind", ""),
    ("Owner", ""),
    ("Insured until", "date"),
    ("Last lift-out", "date"),
    ("From", "time"),
    ("Fee £/yr", "number"),
    ("Paid", ""),
]
ROWS = [
    ("Petrel", "sloop", "Ada Brook", "2026-03-31", "2024-10-12", "09:30", "400", "Y"),
    ("Dunlin", "ketch", "Ben Cole", "2025-11-15", "2023-09-30", "11:00", "650", "N"),
    ("Curlew", "sloop", "Dan East", "2026-01-20", "2024-04-06", "14:15", "380", "n/a"),
    ("Osprey", "launch", "Eve Ford", "2025-06-30", "2025-03-22", "08:00", "510", "Y"),
]


def skiffs(without: Sequence[str] = ()) -> Table:
    places = [n for n, (name, _) in enumerate(COLUMNS) if name not in without]
    return table_of("skiffs", [COLUMNS[n] for n in places], [[row[n] for n in places] for row in ROWS])


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("Which skiff has the highest fee?", ["Skiff", "Kind"]),
        ("Which skiffs were lifted out in 2024?", ["Skiff", "Kind"]),
        ("Who has the Petrel?", ["Owner"]),
    ],
)
def test_what_a_table_does_not_say_is_not_taken_from_another_column(question: str, lacks: list[str]) -> None:
    assert isinstance(answer(question, skiffs(lacks)), str)


def test_a_mean_of_some_rows_is_not_that_of_all() -> None:
    assert isinstance(answer("What is the average fee of the varnished ones?", skiffs()), str)


def test_what_has_a_verb_of_yes_and_no_behind_it_is_what_was_paid_and_not_that_there_is_a_fee() -> None:
    assert answer("Has Ben Cole paid his fee?", skiffs()) == {"no"}
    assert answer("Has Ada Brook paid her fee?", skiffs()) == {"yes"}


def test_a_column_of_yes_and_no_may_say_that_it_does_not_apply() -> None:
    assert answer("Who hasn't paid?", skiffs()) == {"ben cole"}


def test_what_kind_of_asks_for_the_column_of_kinds() -> None:
    assert answer("What kind of skiff is the Dunlin?", skiffs()) == {"ketch"}


def test_what_time_asks_for_a_time_of_day() -> None:
    assert answer("What time does the Curlew leave?", skiffs()) == {"14:15"}
    assert isinstance(answer("What time does the Curlew leave?", skiffs(["From"])), str)


def test_a_bound_in_the_name_of_a_column_does_not_compare() -> None:
    assert answer("Which skiffs are insured until 2026?", skiffs()) == {"petrel", "curlew"}
    assert answer("Until when is the Osprey insured?", skiffs()) == {"2025-06-30"}


def test_a_particle_does_not_name_a_column() -> None:
    assert answer("Which skiff's insurance runs out first?", skiffs()) != {"dunlin"}


BOOKINGS = table_of(
    "evenings",
    [("Ref", ""), ("Booked by", ""), ("Event", ""), ("Hrs", "number"), ("Keyholder", "")],
    [
        ("V1", "Ada Brook", "Seed swap", "3", "Hugo Laer"),
        ("V2", "Ben Cole", "Yoga class", "1.5", "Hugo Laer"),
        ("V3", "Ada Brook", "Spring ball", "5", "Ines Carb"),
        ("V4", "Ben Cole", "Poetry night", "2", "Hugo Laer"),
    ],
)


def test_a_booking_is_not_who_it_was_booked_by() -> None:
    assert answer("How many bookings have Hugo Laer as keyholder?", BOOKINGS) == {3.0}
    assert answer("Which booking was the longest?", BOOKINGS) != {"ada brook"}
