"""Two runs side by side: differences with intervals, and the questions that changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from outcome_sample import outcome

from cgstore.cli import main
from cgstore.errors import BadInput
from cgstore.evaluate.outcome import Outcome
from cgstore.evaluate.summary import compare_files


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    first = [outcome("1"), outcome("2", False), outcome("3", False), outcome("4"), outcome("5")]
    second = [outcome("4"), outcome("3"), outcome("2"), outcome("1", False, program="other\nprogram"), outcome("6")]
    return _written(tmp_path / "a.jsonl", first), _written(tmp_path / "b.jsonl", second)


def _written(path: Path, outcomes: Sequence[Outcome]) -> Path:
    path.write_text("".join(json.dumps(one.to_json()) + "\n" for one in outcomes), encoding="utf-8")
    return path


def test_only_the_questions_of_both_are_compared(files: tuple[Path, Path]) -> None:
    figures = compare_files(*files).to_json()
    assert (figures["n"], figures["only_in_first"], figures["only_in_second"]) == (4, 1, 1)
    assert (figures["first"]["accuracy"], figures["second"]["accuracy"]) == (0.5, 0.75)
    assert figures["difference"]["accuracy"] == 0.25


def test_the_questions_that_changed_are_told_by_direction(files: tuple[Path, Path]) -> None:
    comparison = compare_files(*files)
    assert [a.id for a, _ in comparison.lost] == ["1"]
    assert [a.id for a, _ in comparison.gained] == ["2", "3"]


def test_the_interval_is_paired_so_that_equal_runs_differ_by_nothing(tmp_path: Path) -> None:
    outcomes = [outcome(str(n), n % 2 == 0) for n in range(40)]
    same = _written(tmp_path / "a.jsonl", outcomes)
    assert compare_files(same, same).to_json()["intervals"]["accuracy"] == [0.0, 0.0]


def test_the_interval_holds_the_difference(files: tuple[Path, Path]) -> None:
    figures = compare_files(*files).to_json()
    low, high = figures["intervals"]["f1"]
    assert low < figures["difference"]["f1"] < high


def test_runs_with_nothing_in_common_are_refused(tmp_path: Path) -> None:
    first, second = _written(tmp_path / "a.jsonl", [outcome("1")]), _written(tmp_path / "b.jsonl", [outcome("2")])
    with pytest.raises(BadInput, match="no question in common"):
        compare_files(first, second)


def test_another_question_with_the_same_id_is_refused(tmp_path: Path) -> None:
    first = _written(tmp_path / "a.jsonl", [outcome("1")])
    second = _written(tmp_path / "b.jsonl", [outcome("1", question="whence?")])
    with pytest.raises(BadInput, match=r"Question 1 differs between a\.jsonl and b\.jsonl"):
        compare_files(first, second)


def test_the_command_prints_the_changes_with_programs_and_ends_with_json(files: tuple[Path, Path]) -> None:
    result = CliRunner().invoke(main, ["eval", "compare", *map(str, files)])
    assert result.exit_code == 0
    assert "Right, then wrong: 1" in result.stdout and "      other\n      program" in result.stdout
    assert json.loads(result.stdout.splitlines()[-1])["wrong_to_right"] == 2


def test_with_json_only_json_is_printed(files: tuple[Path, Path]) -> None:
    result = CliRunner().invoke(main, ["eval", "compare", *map(str, files), "--json"])
    assert len(result.stdout.splitlines()) == 1


def test_what_is_no_file_of_outcomes_is_bad_input(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["eval", "compare", str(files[0]), str(tmp_path / "other.jsonl")])
    assert result.exit_code == 2 and "other.jsonl, line 1" in result.stderr
