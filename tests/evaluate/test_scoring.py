"""Every metric on the cases that tell it from the others, the scorers of benchmarks, and rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cgstore.evaluate.benchmarks import mine, words
from cgstore.evaluate.benchmarks.wtq import normalised, same_denotation
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
        (accuracy, ["5"], [5.0], True),
        (accuracy, ["Straße"], ["STRASSE "], True),
        (accuracy, [], [], True),
        (accuracy, ["Ulm"], [], False),
        (accuracy, ["5th"], ["5"], False),
        (accuracy, ["a b"], ["ab"], False),
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
        (mine.same_answer, ["1440"], ["€1,440.00"], True),
        (mine.same_answer, ["22458.33333"], [22458.333333333], True),
        (mine.same_answer, ["2022-04-14"], ["14 April 2022"], True),
        (mine.same_answer, ["Castelo"], ["castelo*"], True),
        (mine.same_answer, ["12"], ["12 kg"], True),
        (mine.same_answer, ["O-1063"], ["1063"], False),
        (mine.same_answer, ["2022-04-14"], ["2022-04-15"], False),
        (mine.same_answer, ["Sol", "Foz"], ["Foz"], False),
        (mine.same_answer, ["Sol | 3"], ["Sol"], False),
        (words.same_answer, ["Bo Birch", "Ann Ash"], ["ann  ash", "bo birch "], True),
        (words.same_answer, ["7893.333333333333"], [7893.33], True),
        (words.same_answer, ["12.31"], [12.3], False),
        (words.same_answer, ["Yes"], ["yes"], True),
        (words.same_answer, ["Jersey | 38.5", "Holstein | 24"], ["holstein | 24.0", "Jersey | 38.5"], True),
        (words.same_answer, ["Jersey | 38.5", "Holstein | 24"], ["Holstein", "Jersey"], True),
        (words.same_answer, ["Jersey | 38.5", "Holstein | 24"], ["Holstein | 25", "Jersey | 38.5"], False),
        (words.same_answer, ["Ann Ash"], [], False),
    ],
    ids=lambda value: f"{value.__module__}.{value.__name__}" if callable(value) else str(value),
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


@pytest.mark.parametrize(
    ("gold", "canonical", "answer", "same"),
    [
        (["10 years"], ["10.0"], [10], True),
        (["10 years"], ["10.0"], ["10 years"], True),
        (["10 years"], [], [10], False),
        (["1,000"], ["1000.0"], ["1000"], True),
        (["3"], ["3.0"], [3.001], False),
        (["October"], ["xxxx-10-xx"], ["october"], True),
        (["October"], ["xxxx-10-xx"], ["2009-10-01"], False),
        (["August 7, 1986"], ["1986-08-07"], ["1986-08-07"], True),
        (["in 1986"], ["1986-xx-xx"], [1986], True),
        (["1986"], ["1986.0"], ["1986-08-07"], False),
        (["Müller"], [], ["muller"], True),
        (["a", "b"], [], ["B", "a", "b"], True),
        (["a", "b"], [], ["a"], False),
        (["a"], [], ["a", "b"], False),
        (["nan"], [], [float("inf")], False),
        (["a"], [], [], False),
        ([], [], [], True),
    ],
)
def test_denotation_is_that_of_wikitablequestions_own_evaluator(
    gold: list[str], canonical: list[str], answer: list[str | int], same: bool
) -> None:
    assert same_denotation(gold, answer, canonical) is same


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Paul Wendkos (director)[1]†", "paul wendkos"),
        ("“Hi  There”.", '"hi there"'),
        ("“Hi  There.”", "hi there"),
        ("(both)", "(both)"),
        ("[a]", "[a]"),
        ("1990–91", "1990-91"),
    ],
)
def test_texts_are_normalised(text: str, normal: str) -> None:
    assert normalised(text) == normal
