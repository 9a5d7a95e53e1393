"""Self-consistency counts denotations."""

from __future__ import annotations

from cgstore.llm.backends import Attempt
from cgstore.llm.backends.write import vote
from cgstore.model import Answer


def tried(*values: str | int | float) -> Attempt:
    return Attempt("Query1: ...", Answer(values, "Query1: ..."))


def test_the_answer_that_most_programs_give_wins() -> None:
    won = vote([tried("Ulm"), tried("Bern"), tried("Bern")])
    assert won is not None
    assert (won.chosen.answer and won.chosen.answer.answer, won.votes, won.of) == (("Bern",), 2, 3)


def test_answers_agree_in_any_order_and_spelling_of_numbers() -> None:
    won = vote([tried("Ulm", 5), tried("5.0", "ulm"), tried("Bern")])
    assert won is not None
    assert won.votes == 2


def test_of_equals_the_first_one_wins() -> None:
    won = vote([tried("Ulm"), tried("Bern")])
    assert won is not None
    assert won.chosen.answer == Answer(("Ulm",), "Query1: ...")


def test_programs_without_an_answer_do_not_vote() -> None:
    won = vote([tried(), tried(), Attempt("?", error="no program"), tried("Ulm")])
    assert won is not None
    assert (won.votes, won.of) == (1, 4)


def test_nothing_wins_where_nothing_answers() -> None:
    assert vote([tried(), Attempt("?", error="no program")]) is None
