"""Cells that are empty or say yes, by whatever words name their column; who is asked for; columns beside like ones."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer

LETS = table_of(
    "lets",
    [
        ("Let Ref", ""),
        ("Tenant", ""),
        ("Flat", ""),
        ("Prev. flat", ""),
        ("Mgr", ""),
        ("Rent [EUR]", "currency"),
        ("Pd", ""),
    ],
    [
        ("L-1", "Ada Brook", "Quay One", "Elm Row", "Ines Carb", "€400.00", "yes"),
        ("L-2", "Ben Cole", "Elm Row", "Quay One", "", "€650.00", "no"),
        ("L-3", "Ada Brook", "Mill Loft", "", "Hugo Laer", "", "yes"),
        ("L-4", "Dan East", "Hill Top", "Mill Loft", "Ines Carb", "€380.00", "no"),
        ("L-5", "Eve Ford", "Old Barn", "", "Hugo Laer", "€510.00", ""),
        ("L-6", "Fay Gold", "Sea View", "", "Hugo Laer", "€910.00", "yes"),
        ("L-7", "Gus Hart", "Park End", "", "Hugo Laer", "€210.00", "yes"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("For which let is the rent missing?", {"l-3"}),
        ("For which let ref has the rent been left blank?", {"l-3"}),
        ("Which lets currently have no manager listed?", {"l-2"}),
        ("Which lets have nobody in charge?", {"l-2"}),
        ("Which lets are not paid yet?", {"l-2", "l-4"}),
        ("Which lets haven't been paid?", {"l-2", "l-4"}),
        ("Who hasn't paid yet at Hill Top?", {"dan east"}),
    ],
)
def test_a_column_states_that_its_cell_is_empty_or_says_no(question: str, given: set[str]) -> None:
    assert answer(question, LETS) == given


def test_who_looks_after_something_is_not_what_comes_after_it() -> None:
    assert answer("Who looks after Elm Row?", LETS) != {"mill loft"}
    assert answer("Who looks after Mill Loft?", LETS) == {"hugo laer"}


def test_a_value_belongs_to_the_plain_one_of_two_columns() -> None:
    assert answer("Who lives in Mill Loft?", LETS) == {"ada brook"}


def test_everybody_is_asked_for_by_name() -> None:
    assert answer("I need the names of everybody in Hill Top.", LETS) == {"dan east"}


@pytest.mark.parametrize(
    ("question", "asked"),
    [("Who hasn't paid?", "Who has not paid?"), ("Who directed Don't Look Now?", "Who directed Don't Look Now?")],
)
def test_a_contraction_is_written_out_unless_it_is_in_a_name(question: str, asked: str) -> None:
    assert direct(question) == asked


def test_who_owes_money_has_not_paid() -> None:
    bills = table_of(
        "bills",
        [("Bill", ""), ("Customer", ""), ("Fee", "number"), ("Paid", "")],
        [("B1", "Ann Holt", "10", "yes"), ("B2", "Ben Carr", "20", "no"), ("B3", "Cy Dale", "30", "no")],
    )
    assert answer("Who still owes us money?", bills) == {"ben carr", "cy dale"}
    for question in ("Whom do we owe money?", "Who owes the most?", "Who owes us nothing?"):
        assert isinstance(answer(question, bills), str)
