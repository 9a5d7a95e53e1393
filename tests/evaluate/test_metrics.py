"""Metrics: each of them on the cases that tell it from the others."""

from __future__ import annotations

import pytest

from cgstore.evaluate import scoring as metrics


def test_accuracy_ignores_order_repeats_and_case() -> None:
    assert metrics.accuracy(["Ulm", "Bern"], ["bern", "Ulm", "Ulm"])


def test_accuracy_takes_numbers_by_value() -> None:
    assert metrics.accuracy(["1,000"], [1000.0])


def test_accuracy_is_refused_by_one_answer_too_many() -> None:
    assert not metrics.accuracy(["Ulm"], ["Ulm", "Bern"])


def test_exact_match_keeps_case() -> None:
    assert not metrics.exact_match(["Ulm"], ["ulm"])


def test_exact_match_takes_a_whole_float_for_its_integer() -> None:
    assert metrics.exact_match(["1911"], [1911.0])


def test_hits_at_1_looks_at_the_first_answer_only() -> None:
    assert metrics.hits_at_1(["Ulm"], ["Ulm", "Bern"])
    assert not metrics.hits_at_1(["Ulm"], ["Bern", "Ulm"])


def test_no_answer_is_no_hit() -> None:
    assert not metrics.hits_at_1(["Ulm"], [])
    assert not metrics.accepted(["Ulm"], [])


def test_f1_weighs_missing_and_superfluous_answers_alike() -> None:
    assert metrics.f1(["a", "b", "c"], ["a"]) == pytest.approx(0.5)
    assert metrics.f1(["a"], ["a", "b", "c"]) == pytest.approx(0.5)


def test_f1_of_two_empty_sets_is_1() -> None:
    assert metrics.f1([], []) == 1.0


def test_accepted_drops_a_final_point_zero_even_of_a_text() -> None:
    assert metrics.accepted(["1911"], ["1911.0", "wrong"])


def test_accepted_keeps_case() -> None:
    assert not metrics.accepted(["Ulm"], ["ulm"])
