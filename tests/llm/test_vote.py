"""Self-consistency counts denotations."""

from __future__ import annotations

from cgstore.llm.backends import Attempt
from cgstore.llm.backends.write import vote
from cgstore.model import Answer


def tried(*values: str | int | float) -> Attempt:
    return Attempt("Query1: ...", Answer(values, "Query1: ..."))


def test_answers_agree_in_any_order_and_spelling_of_numbers() -> None:
    won = vote([tried("Ulm", 5), tried("5.0", "ulm"), tried("Bern")])
    assert won is not None
    assert won.votes == 2


def test_programs_without_an_answer_do_not_vote() -> None:
    won = vote([tried(), tried(), Attempt("?", error="no program"), tried("Ulm")])
    assert won is not None
    assert (won.votes, won.of) == (1, 4)
