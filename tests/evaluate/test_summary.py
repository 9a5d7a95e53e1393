"""The figures of a run: means, intervals, types, verdicts, confidences; and two runs side by side."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.evaluate.calibration import calibration, calibration_lines
from cgstore.evaluate.outcome import Outcome, answered
from cgstore.evaluate.scoring import METRICS, Judge
from cgstore.evaluate.summary import Run, bootstrap, compare_files, table, verdicts
from cgstore.model import Answer
from tests.evaluate.outcome_sample import outcome, question


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


def test_without_outcomes_there_are_no_means() -> None:
    run = Run("films", "all", [], drawn=2, waiting=2)
    headline = run.headline()
    assert (headline["n"], headline["metrics"], headline["intervals"], headline["cost"]) == (0, {}, {}, None)
    assert run.short_headline("replay")["metrics"] == dict.fromkeys(METRICS, 0.0)


def test_the_table_has_a_row_a_type_and_a_class() -> None:
    lines = table(Run("films", "all", [outcome("1"), outcome("2", False)], drawn=2).headline()).splitlines()
    assert [line.split()[0] for line in lines if line.strip()] == [
        *("type", "one", "all", "95%"),
        *("verdict", "one", "all"),
        *("reason", "right", "another"),
    ]


def test_no_answer_is_right_only_where_the_data_have_none() -> None:
    asked, unknown = (
        replace(question("1"), type="tables"),
        Question("2", "who?", (), "tables", ("s",), answerable=False),
    )
    nothing, given = Answer((), ""), Answer(("Maud",), "p")
    doubted = Answer(("Maud",), "p", warnings=("Doubtful: it may be another.",))
    outcomes = [
        answered(each, answer, (), Judge())
        for each, answer in ((asked, nothing), (asked, doubted), (unknown, nothing), (unknown, given))
    ]
    found, none = verdicts(outcomes), {"right": 0, "refused": 0, "doubtful": 0, "wrong": 0}
    assert found["tables"] == {**none, "refused": 1, "doubtful": 1}
    assert found["all, no answer"] == found["tables, no answer"] == {**none, "right": 1, "wrong": 1}


def test_an_interval_is_near_the_one_that_theory_gives_and_the_same_by_its_seed() -> None:
    chosen = random.Random(0)
    rows = [[float(chosen.random() < 0.3)] for _ in range(2_000)]
    mean = sum(row[0] for row in rows) / len(rows)
    half = 1.96 * (mean * (1 - mean) / len(rows)) ** 0.5
    (interval,) = bootstrap(rows)
    assert interval == pytest.approx((mean - half, mean + half), abs=0.004)
    few = [[float(n % 3 == 0)] for n in range(60)]
    assert bootstrap(few, seed=1) == bootstrap(few, seed=1) != bootstrap(few, seed=2)
    assert bootstrap([[1.0, 0.0]] * 5) == [(1.0, 1.0), (0.0, 0.0)]


def test_draws_in_parts_give_intervals_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.evaluate.summary.AT_A_TIME", 100)
    (interval,) = bootstrap([[0.0], [1.0]] * 20, resamples=501)
    assert 0.3 < interval.low < 0.5 < interval.high < 0.7


# Confidences.


def sure(confidence: float | None, correct: bool) -> Outcome:
    """An outcome of that confidence; without one there is no answer."""
    return outcome("1", correct, confidence=confidence, program="" if confidence is None else "p")


def test_accuracy_is_that_of_answers_and_of_the_surest_questions() -> None:
    figures = calibration([sure(0.95, True), sure(0.91, True), sure(0.65, False), sure(0.7, True), sure(None, False)])
    assert figures is not None
    assert (figures["coverage"], figures["accuracy"], figures["accuracy_at_80"]) == (0.8, 0.75, 0.75)
    assert [(each["from"], each["answers"], each["accuracy"]) for each in figures["reliability"]] == [
        (0.6, 1, 0.0),
        (0.7, 1, 1.0),
        (0.9, 2, 1.0),
    ]
    assert len(calibration_lines(figures)) == 5


def test_a_question_without_an_answer_is_wrong_among_the_surest() -> None:
    figures = calibration([sure(0.9, True), *[sure(None, False)] * 4])
    assert figures is not None and figures["accuracy_at_80"] == 0.25


def test_a_backend_without_confidences_has_no_figures() -> None:
    assert calibration([sure(None, True)]) is None


# Two runs.


def written(path: Path, outcomes: Sequence[Outcome]) -> Path:
    path.write_text("".join(json.dumps(one.to_json()) + "\n" for one in outcomes), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first = [outcome("1"), outcome("2", False), outcome("3", False), outcome("4"), outcome("5")]
    second = [outcome("4"), outcome("3"), outcome("2"), outcome("1", False, program="other\nprogram"), outcome("6")]
    return written(tmp_path / "a.jsonl", first), written(tmp_path / "b.jsonl", second)


def test_the_questions_of_both_are_compared_and_those_that_changed_are_told(files: tuple[Path, Path]) -> None:
    comparison = compare_files(*files)
    figures = comparison.to_json()
    assert (figures["n"], figures["only_in_first"], figures["only_in_second"]) == (4, 1, 1)
    assert (figures["first"]["accuracy"], figures["second"]["accuracy"]) == (0.5, 0.75)
    assert figures["difference"]["accuracy"] == 0.25
    low, high = figures["intervals"]["f1"]
    assert low < figures["difference"]["f1"] < high
    assert [a.id for a, _ in comparison.lost] == ["1"]
    assert [a.id for a, _ in comparison.gained] == ["2", "3"]


def test_the_interval_is_paired_so_that_equal_runs_differ_by_nothing(tmp_path: Path) -> None:
    same = written(tmp_path / "a.jsonl", [outcome(str(n), n % 2 == 0) for n in range(40)])
    assert compare_files(same, same).to_json()["intervals"]["accuracy"] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        (outcome("2"), "no question in common"),
        (outcome("1", question="whence?"), r"Question 1 differs between a\.jsonl and b\.jsonl"),
    ],
)
def test_runs_over_other_questions_are_refused(tmp_path: Path, other: Outcome, problem: str) -> None:
    first, second = written(tmp_path / "a.jsonl", [outcome("1")]), written(tmp_path / "b.jsonl", [other])
    with pytest.raises(BadInput, match=problem):
        compare_files(first, second)


def test_the_command_prints_the_changes_with_programs_and_ends_with_json(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    result = CliRunner().invoke(main, ["eval", "compare", *map(str, files)])
    assert result.exit_code == 0
    assert "Right, then wrong: 1" in result.stdout and "      other\n      program" in result.stdout
    assert json.loads(result.stdout.splitlines()[-1])["wrong_to_right"] == 2
    result = CliRunner().invoke(main, ["eval", "compare", *map(str, files), "--json"])
    assert len(result.stdout.splitlines()) == 1
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["eval", "compare", str(files[0]), str(tmp_path / "other.jsonl")])
    assert result.exit_code == 2 and "other.jsonl, line 1" in result.stderr
