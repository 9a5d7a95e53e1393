"""What is late, on time or early, by two dates of a row."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.table import table_of
from cgstore.llm.backends.compose.understanding import Understanding, assumptions
from tests.llm.table_answers import answer, understood

SUITS = table_of(
    "suits",
    [("Suit", ""), ("Tailor", ""), ("Promised", "date"), ("Delivered", "date")],
    [
        ("S1", "Ann Reed", "2025-05-02", "2025-05-05"),
        ("S2", "Bo Lind", "2025-05-03", "2025-05-03"),
        ("S3", "Cy Marsh", "2025-06-07", "2025-06-01"),
        ("S4", "Ann Reed", "2025-06-09", ""),
    ],
)
DONE = table_of(SUITS.name, [("Suit", ""), ("Tailor", ""), ("Due", "date"), ("Finished", "date")], [
    ("S1", "Ann Reed", "2025-05-02", "2025-05-05"),
    ("S2", "Bo Lind", "2025-05-03", "2025-05-03"),
])  # fmt: skip
MONTHS = table_of("suits", [("Suit", ""), ("Due", "date"), ("Delivered", "date")], [("S1", "2025-05", "2025-05-05")])


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Which suits were delivered late?", {"s1"}),
        ("Which suits were delivered on time?", {"s2", "s3"}),
        ("Which suits were delivered early?", {"s3"}),
        ("How many suits were late?", {1.0}),
        ("Was S2 delivered on time?", {"yes"}),
        ("Was S1 delivered on time?", {"no"}),
    ],
)
def test_what_is_late_was_done_after_the_date_by_which_it_had_to_be(question: str, given: set[object]) -> None:
    assert answer(question, SUITS) == given


def test_what_was_not_done_on_time_was_late_where_all_is_done() -> None:
    assert answer("Which suits were not finished on time?", DONE) == {"s1"}


@pytest.mark.parametrize("question", ["Which suits are late?", "Which suits were not delivered on time?"])
def test_what_has_not_come_yet_may_be_late_as_well(question: str) -> None:
    assert isinstance(answer(question, SUITS), str)


def test_a_day_in_the_month_by_which_something_is_due_is_not_late() -> None:
    assert isinstance(answer("Which suits were delivered late?", MONTHS), str)


@pytest.mark.parametrize("question", ["How late was S1 delivered?", "Which suits were delivered late in May?"])
def test_late_is_also_a_time(question: str) -> None:
    assert answer(question, SUITS) != {"s1"}


def test_the_program_subtracts_the_two_dates_and_a_note_names_them() -> None:
    found = understood("Which suits were delivered late?", SUITS)
    assert isinstance(found, Understanding)
    assert "subtract(value1='Delivered', value2='Promised')), value>'0'" in Writer(SUITS).program(found.best.reading)
    assert "'late' goes by 'Delivered' and 'Promised', in the rows that have both." in list(assumptions(found))
