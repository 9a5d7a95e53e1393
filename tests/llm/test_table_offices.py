"""Questions about the tables of an office: who manages whom, rows of totals, numbers of tickets and orders."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

CREW = table_of(
    "crew",
    [("ID", ""), ("Name", ""), ("Team", ""), ("Pay", "number"), ("Manager", "")],
    [
        ("1", "Ada Brook", "Management", "90", ""),
        ("2", "Ben Cole", "Sales", "60", "Ada Brook"),
        ("3", "Cleo Dunn", "Sales", "50", "Ben Cole"),
        ("4", "Dan East", "Sales", "40", "Ben Cole"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Who does Ben Cole manage?", {"cleo dunn", "dan east"}),
        ("Whom does Ada Brook manage?", {"ben cole"}),
        ("What does Ben Cole manage?", {"cleo dunn", "dan east"}),
        ("Who does Ben Cole supervise?", {"cleo dunn", "dan east"}),
        ("How many people does Ben Cole manage?", {2.0}),
        ("Who manages Ben Cole?", {"ada brook"}),
    ],
)
def test_the_subject_of_a_verb_stands_in_the_column_of_who_does_it(question: str, given: set[str | float]) -> None:
    assert answer(question, CREW) == given


def test_somebody_who_manages_nobody_is_not_answered_by_the_own_manager() -> None:
    assert answer("Who does Dan East manage?", CREW) == "no row has 'Dan East' under 'Manager'"
