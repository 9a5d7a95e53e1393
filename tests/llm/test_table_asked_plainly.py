"""Questions over tables that say plain things in more words, or name rows, measures and groups by everyday nouns."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

KILNS = table_of(
    "pottery",
    [
        ("Kiln", ""),
        ("Potter", ""),
        ("Glaze", ""),
        ("Pots", "number"),
        ("Gas (€)", "number"),
        ("Price/pot", "currency"),
        ("Income", "currency"),
        ("Rating", "number"),
        ("Sold?", ""),
    ],
    [
        ("K1", "Ann Reed", "ash", "10", "4", "€9.00", "€90.00", "4", "y"),
        ("K2", "Ann Reed", "salt", "30", "6", "€2.00", "€60.00", "", "n"),
        ("K3", "Bo Lind", "ash", "20", "5", "€5.00", "€100.00", "3", ""),
        ("K4", "Cy Marsh", "celadon", "5", "3", "€12.00", "€60.00", "5", "y"),
    ],
)
JOBS = table_of(
    "jobs",
    [("Job no", "number"), ("Customer", ""), ("Parts cost", "currency"), ("Fitted by", ""), ("Done", "date")],
    [
        ("1041", "Ann Reed", "£40.00", "Mo", "2024-06-03"),
        ("1042", "Bo Lind", "£90.00", "Mo", "2024-06-05"),
        ("1043", "Cy Marsh", "£15.00", "Wiebke", "2024-06-09"),
    ],
)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Which of the two is older, A or B?", "Which is older, A or B?"),
        ("Which talks took place on Friday?", "Which talks happen on Friday?"),
        ("Which jobs are marked as done?", "Which jobs are done?"),
    ],
)
def test_more_words_for_a_plain_thing_are_left_out(question: str, plain: str) -> None:
    assert direct(question) == plain


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What is the average income per kiln?", {77.5}),
        ("Which potters fired more than one kiln?", {"ann reed"}),
        ("Which potter has the highest average income?", {"bo lind"}),
        ("Which kiln has the highest price per pot?", {"k4"}),
        ("How much money did Ann Reed earn altogether?", {150.0}),
        ("Which kiln has not been rated?", {"k2"}),
        ("Which has more pots, K1 or K3?", {"k3"}),
        ("How many different glazes are on these pots?", {3.0}),
        ("For which kiln was sold left blank?", {"k3"}),
    ],
)
def test_everyday_nouns_say_what_is_worked_out(question: str, given: set[object]) -> None:
    assert answer(question, KILNS) == given


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What did the parts for job 1042 cost?", {"£90.00"}),
        ("Which job needed the most expensive parts?", {1042.0}),
        ("How much more did the parts cost for job 1042 than for job 1043?", {75.0}),
        ("Who did the most jobs?", {"mo"}),
    ],
)
def test_a_column_is_named_by_words_that_stand_apart_or_by_its_measure(question: str, given: set[object]) -> None:
    assert answer(question, JOBS) == given


def test_numbers_of_jobs_are_neither_years_nor_compared_unless_they_are_named() -> None:
    assert not JOBS.columns[0].is_year
    assert answer("Which jobs had parts for more than 20?", JOBS) == {1041.0, 1042.0}


@pytest.mark.parametrize(
    "question",
    [
        "Which potters baked more than one cake?",
        "For which kiln did nobody write down whether it was sold?",
        "Which is nicer, K1 or K2, and older?",
    ],
)
def test_what_no_column_says_is_refused(question: str) -> None:
    assert isinstance(answer(question, KILNS), str)


def test_what_was_refused_is_no() -> None:
    pupils = table_of("pupils", [("Pupil", ""), ("Consent", "")], [("Ann Reed", "Y"), ("Bo Lind", "N")])
    assert answer("For which pupils was consent refused?", pupils) == {"bo lind"}
    assert isinstance(answer("For which pupils was consent discussed?", pupils), str)
