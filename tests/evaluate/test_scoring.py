"""The reference's scorers, each on the cases in which they differ from denotation accuracy; and rounding."""

from __future__ import annotations

import pytest

from cgstore.evaluate.scoring import METRICS, Judge, accepted_all, accepted_first, accepted_table, settled


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (["2004"], ["2004"]),
        (["2004"], [2004.0]),
        (["1,000"], [1000]),
        (["5.0"], ["5"]),
        (["Bangkok, Thailand"], ["bangkok,thailand"]),
        (["Otters."], ['"Otters"']),
        (["New York"], ["NewYork"]),
        (["a b"], ["a\xa0b"]),
        (["Herons", "Terns"], ["Terns", "Herons"]),
        (["Herons", "Herons"], ["Herons"]),
        (["Herons, Terns"], ["Terns", "Herons"]),
    ],
    ids=str,
)
def test_a_table_answer_is_accepted(gold: list[str], answer: list[str]) -> None:
    assert accepted_table(gold, answer)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (["2004"], []),
        (["Herons"], ["Herons", "Terns"]),
        (["Herons", "Terns"], ["Herons"]),
        (["Herons"], ["Herons", "Herons"]),
        (["5th"], ["5"]),
        (["nan"], ["none"]),
        (["3", "4"], ["3", "4"]),
    ],
    ids=str,
)
def test_a_table_answer_is_not_accepted(gold: list[str], answer: list[str]) -> None:
    assert not accepted_table(gold, answer)


def test_metaqa_looks_at_the_first_answer_only() -> None:
    assert accepted_first(["Ulm", "Bern"], ["Bern", "Graz"])
    assert not accepted_first(["Ulm"], ["Graz", "Ulm"])
    assert not accepted_first(["Ulm"], [])


def test_webqsp_wants_every_gold_answer_and_takes_others() -> None:
    assert accepted_all(["Ulm"], ["Bern", "Ulm"])
    assert not accepted_all(["Ulm", "Bern"], ["Ulm"])
    assert not accepted_all(["Ulm"], ["ulm"])


def test_computed_numbers_are_equal_but_for_rounding() -> None:
    assert settled(("0.3",), (0.1 + 0.2,)) == ("0.3",)
    assert settled(("0.3",), (0.3001,)) == (0.3001,)
    assert settled(("0.3",), ("0.30",)) == ("0.30",)
    assert settled(("Ulm",), (0.3,)) == (0.3,)
    assert settled(("0.3", "1"), (0.1 + 0.2,)) == (0.1 + 0.2,)


def test_right_answers_have_every_metric_at_1() -> None:
    assert Judge().scores(("Ulm", "1958"), ("Ulm", "1958")) == dict.fromkeys(METRICS, 1.0)


def test_a_benchmark_has_its_own_scorer() -> None:
    scores = Judge(lambda gold, answer: 1.0).scores(("Ulm",), ("nobody",))
    assert scores == dict.fromkeys(METRICS, 0.0) | {"accepted": 1.0}


def test_an_answer_is_right_if_any_metric_that_judges_it_says_so() -> None:
    scores = Judge().scores(("Ulm",), ("Ulm", "nobody"))
    assert not Judge().is_right(scores)
    assert Judge(judged_by=("accuracy", "hits_at_1")).is_right(scores)
