"""The figures of a run: means, intervals, types, reasons, tokens."""

from __future__ import annotations

import random

import pytest
from outcome_sample import outcome

from cgstore.evaluate.scoring import METRICS
from cgstore.evaluate.summary import Run, bootstrap, table


def test_the_headline_has_the_figures_of_all_and_of_each_type() -> None:
    outcomes = [
        outcome("1", statements=2, tokens={"requests": 1, "prompt_tokens": 10}, cost=0.5),
        outcome("2", False, type="two", statements=1, tokens={"requests": 2}, cost=0.25),
        outcome("3", type="two"),
    ]
    headline = Run("films", "all", outcomes, drawn=5, asked=2, seconds=4.0, waiting=2, unreachable=1).headline()
    assert list(headline)[:6] == ["benchmark", "set", "n", "metrics", "seconds", "statements"]
    assert (headline["n"], headline["metrics"]["accuracy"]) == (3, round(2 / 3, 6))
    assert headline["by_type"]["two"]["metrics"]["f1"] == 0.5 and headline["by_type"]["one"]["n"] == 1
    assert headline["verdicts"]["two"] == {"right": 1, "refused": 0, "doubtful": 0, "wrong": 1}
    assert headline["reasons"] == {"right": 2, "another answer": 1}
    assert (headline["tokens"], headline["cost"]) == ({"prompt_tokens": 10, "requests": 3}, 0.75)
    assert (headline["statements"], headline["waiting"], headline["ceiling"]) == (3, 2, 0.8)
    assert headline["questions_per_second"] == 0.5


def test_the_short_headline_has_the_fields_that_others_rely_on() -> None:
    outcomes = [outcome("1", statements=1), outcome("2", statements=1), outcome("3", False, statements=1)]
    line = Run("films", "sample", outcomes, drawn=3, seconds=1.23456).short_headline("replay")
    assert list(line) == ["benchmark", "set", "n", "metrics", "seconds", "statements"]
    assert (line["benchmark"], line["n"], line["seconds"], line["statements"]) == ("replay", 3, 1.235, 3)
    assert line["metrics"] == dict.fromkeys(METRICS, 2 / 3)


def test_the_short_headline_of_no_questions_has_zeros() -> None:
    line = Run("films", "none", [], drawn=0).short_headline("replay")
    assert (line["n"], line["metrics"]) == (0, dict.fromkeys(METRICS, 0.0))


def test_without_outcomes_there_are_no_means() -> None:
    headline = Run("films", "all", [], drawn=2, waiting=2).headline()
    assert (headline["n"], headline["metrics"], headline["intervals"], headline["cost"]) == (0, {}, {}, None)


def test_the_table_has_a_row_a_type_and_a_class() -> None:
    lines = table(Run("films", "all", [outcome("1"), outcome("2", False)], drawn=2).headline()).splitlines()
    assert [line.split()[0] for line in lines if line.strip()] == [
        *("type", "one", "all", "95%"),
        *("verdict", "one", "all"),
        *("reason", "right", "another"),
    ]


def test_an_interval_is_the_same_by_its_seed() -> None:
    rows = [[float(n % 3 == 0)] for n in range(60)]
    assert bootstrap(rows, seed=1) == bootstrap(rows, seed=1) != bootstrap(rows, seed=2)


def test_an_interval_is_near_the_one_that_theory_gives() -> None:
    chosen = random.Random(0)
    rows = [[float(chosen.random() < 0.3)] for _ in range(2_000)]
    mean = sum(row[0] for row in rows) / len(rows)
    half = 1.96 * (mean * (1 - mean) / len(rows)) ** 0.5
    (interval,) = bootstrap(rows)
    assert interval == pytest.approx((mean - half, mean + half), abs=0.004)


def test_draws_in_parts_give_intervals_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.evaluate.summary.AT_A_TIME", 100)
    (interval,) = bootstrap([[0.0], [1.0]] * 20, resamples=501)
    assert 0.3 < interval.low < 0.5 < interval.high < 0.7


def test_equal_values_have_no_spread() -> None:
    assert bootstrap([[1.0, 0.0]] * 5) == [(1.0, 1.0), (0.0, 0.0)]
