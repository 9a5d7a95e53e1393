"""Tables of who looked after whom on which day, with the day of the next time."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

LESSONS = table_of(
    "music",
    [
        ("date", "date"),
        ("pupil", ""),
        ("tutor", ""),
        ("piece", ""),
        ("min", "number"),
        ("fee", "currency"),
        ("next lesson", "date"),
    ],
    [
        ("2025-05-01", "Ann Holt", "Eva Lund", "Waltz", "30", "€20", "2025-05-08"),
        ("2025-05-02", "Ben Carr", "Eva Lund", "Tango", "45", "€35", "2025-05-20"),
        ("2025-05-05", "Cy Dale", "Max Frey", "Waltz", "60", "€30", ""),
        ("2025-05-08", "Ann Holt", "Eva Lund", "March", "20", "€15", "2025-05-19"),
        ("2025-05-09", "Dee Ford", "Max Frey", "March", "50", "€25", "2025-05-10"),
    ],
)
TREATED = table_of(
    "practice",
    [
        ("date", "date"),
        ("patient", ""),
        ("physiotherapist", ""),
        ("sent by", ""),
        ("min", "number"),
        ("fee", "currency"),
    ],
    [
        ("2025-05-01", "Ann Holt", "Eva Lund", "Dr. Beck", "30", "€20"),
        ("2025-05-02", "Ben Carr", "Eva Lund", "Dr. Voss", "45", "€35"),
        ("2025-05-05", "Ann Holt", "Max Frey", "Dr. Beck", "60", "€30"),
        ("2025-05-06", "Cy Dale", "Eva Lund", "", "25", "€10"),
    ],
)


def test_a_column_called_min_alone_has_minutes() -> None:
    assert answer("How many minutes did Ben Carr's session take?", LESSONS) == {45.0}
    bounds = table_of("loads", [("Beam", ""), ("min", "number"), ("max", "number")], [("A", "3", "9"), ("B", "4", "7")])
    assert isinstance(answer("How many minutes did A take?", bounds), str)


def test_what_took_longer_goes_by_minutes_and_not_by_the_days_to_the_next_time() -> None:
    assert answer("Was Dee Ford's session longer than Ben Carr's?", LESSONS) == {"yes"}


def test_what_lasts_long_is_not_the_last_row() -> None:
    assert answer("How long did a session with Max Frey last on average?", LESSONS) == {55.0}


@pytest.mark.parametrize("question", ["When is Ben Carr due back?", "When does Ben Carr come again?"])
def test_a_date_of_the_row_is_not_when_somebody_comes_again(question: str) -> None:
    assert answer(question, LESSONS) != {"2025-05-02"}


@pytest.mark.parametrize("question", ["When was the first lesson of Ann Holt?", "When was Ben Carr's lesson?"])
def test_the_next_time_is_not_the_time_of_the_row(question: str) -> None:
    assert answer(question, LESSONS) not in ({"2025-05-08"}, {"2025-05-19"}, {"2025-05-20"})


def test_who_came_first_or_last_goes_by_the_date_of_the_row() -> None:
    assert answer("who was the last pupil that Eva Lund saw?", LESSONS) == {"ann holt"}
    assert answer("On what date was Ann Holt here for the first time?", LESSONS) == {"2025-05-01"}


def test_the_first_fee_is_not_the_least_one() -> None:
    assert answer("What did Ann Holt's first session cost?", LESSONS) != {"€15"}
    assert answer("What was the first fee?", LESSONS) != {15.0}


def test_rows_are_visits_where_somebody_is_looked_after_on_a_day() -> None:
    assert answer("How many appointments did Eva Lund have?", TREATED) == {3.0}
    assert answer("Which physiotherapist had the most sessions?", TREATED) == {"eva lund"}
    assert answer("whose visit was the most expensive one?", TREATED) == {"ben carr"}
    assert isinstance(answer("How many appointments were cancelled?", TREATED), str)


def test_who_treats_somebody_is_the_therapist() -> None:
    assert answer("Who treated Ben Carr?", TREATED) == {"eva lund"}
    assert isinstance(answer("Who hurt Ben Carr?", TREATED), str)


def test_those_who_did_what_no_column_says_are_not_counted() -> None:
    assert isinstance(answer("How many patients missed an appointment?", TREATED), str)


def test_when_the_first_visit_was_is_the_first_date() -> None:
    assert answer("When was the first visit of Ann Holt?", TREATED) == {"2025-05-01"}


def test_what_is_to_come_is_not_the_date_of_the_row() -> None:
    assert isinstance(answer("When is Ben Carr's lesson?", LESSONS), str)
    sent = table_of(
        "crates",
        [("Crate", ""), ("Delivery due", "date"), ("Delivered", "date")],
        [("C1", "2024-06-01", "2024-06-03"), ("C2", "2024-06-10", "2024-06-09")],
    )
    assert answer("When was the delivery of C1?", sent) == {"2024-06-03"}
    assert answer("When was the delivery of C1 due?", sent) == {"2024-06-01"}


def test_when_is_answered_by_no_number() -> None:
    dogs = table_of("dogs", [("Dog", ""), ("Walks", "number")], [("Rex", "12"), ("Luna", "8")])
    assert isinstance(answer("When did Rex walk?", dogs), str)
