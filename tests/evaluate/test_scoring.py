"""Every metric on the cases that tell it from the others, the reference's scorers, and rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cgstore.evaluate.scoring import (
    METRICS,
    Judge,
    accepted,
    accepted_all,
    accepted_first,
    accepted_table,
    accuracy,
    exact_match,
    f1,
    hits_at_1,
    settled,
)


@pytest.mark.parametrize(
    ("metric", "gold", "answer", "score"),
    [
        (accuracy, ["Ulm", "Bern"], ["bern", "Ulm", "Ulm"], True),
        (accuracy, ["1,000"], [1000.0], True),
        (accuracy, ["Ulm"], ["Ulm", "Bern"], False),
        (exact_match, ["Ulm"], ["ulm"], False),
        (exact_match, ["1911"], [1911.0], True),
        (hits_at_1, ["Ulm"], ["Ulm", "Bern"], True),
        (hits_at_1, ["Ulm"], ["Bern", "Ulm"], False),
        (hits_at_1, ["Ulm"], [], False),
        (f1, ["a", "b", "c"], ["a"], 0.5),
        (f1, ["a"], ["a", "b", "c"], 0.5),
        (f1, [], [], 1.0),
        (accepted, ["1911"], ["1911.0", "wrong"], True),
        (accepted, ["Ulm"], ["ulm"], False),
        (accepted, ["Ulm"], [], False),
        (accepted_first, ["Ulm", "Bern"], ["Bern", "Graz"], True),
        (accepted_first, ["Ulm"], ["Graz", "Ulm"], False),
        (accepted_first, ["Ulm"], [], False),
        (accepted_all, ["Ulm"], ["Bern", "Ulm"], True),
        (accepted_all, ["Ulm", "Bern"], ["Ulm"], False),
        (accepted_all, ["Ulm"], ["ulm"], False),
        (accepted_table, ["2004"], ["2004"], True),
        (accepted_table, ["2004"], [2004.0], True),
        (accepted_table, ["1,000"], [1000], True),
        (accepted_table, ["5.0"], ["5"], True),
        (accepted_table, ["Bangkok, Thailand"], ["bangkok,thailand"], True),
        (accepted_table, ["Otters."], ['"Otters"'], True),
        (accepted_table, ["New York"], ["NewYork"], True),
        (accepted_table, ["a b"], ["a\xa0b"], True),
        (accepted_table, ["Herons", "Terns"], ["Terns", "Herons"], True),
        (accepted_table, ["Herons", "Herons"], ["Herons"], True),
        (accepted_table, ["Herons, Terns"], ["Terns", "Herons"], True),
        (accepted_table, ["2004"], [], False),
        (accepted_table, ["Herons"], ["Herons", "Terns"], False),
        (accepted_table, ["Herons", "Terns"], ["Herons"], False),
        (accepted_table, ["Herons"], ["Herons", "Herons"], False),
        (accepted_table, ["5th"], ["5"], False),
        (accepted_table, ["nan"], ["none"], False),
        (accepted_table, ["3", "4"], ["3", "4"], False),
    ],
    ids=lambda value: value.__name__ if callable(value) else str(value),
)
def test_a_metric(metric: Callable[..., float], gold: list[str], answer: list[Any], score: float) -> None:
    assert metric(gold, answer) == pytest.approx(score)


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        (("0.3",), (0.1 + 0.2,), ("0.3",)),
        (("0.3",), (0.3001,), (0.3001,)),
        (("0.3",), ("0.30",), ("0.30",)),
        (("Ulm",), (0.3,), (0.3,)),
        (("0.3", "1"), (0.1 + 0.2,), (0.1 + 0.2,)),
    ],
)
def test_computed_numbers_are_equal_but_for_rounding(gold: Any, answer: Any, expected: Any) -> None:
    assert settled(gold, answer) == expected


def test_right_answers_have_every_metric_at_1() -> None:
    assert Judge().scores(("Ulm", "1958"), ("Ulm", "1958")) == dict.fromkeys(METRICS, 1.0)


def test_a_benchmark_has_its_own_scorer() -> None:
    scores = Judge(lambda gold, answer: 1.0).scores(("Ulm",), ("nobody",))
    assert scores == dict.fromkeys(METRICS, 0.0) | {"accepted": 1.0}


def test_an_answer_is_right_if_any_metric_that_judges_it_says_so() -> None:
    scores = Judge().scores(("Ulm",), ("Ulm", "nobody"))
    assert not Judge().is_right(scores)
    assert Judge(judged_by=("accuracy", "hits_at_1")).is_right(scores)
