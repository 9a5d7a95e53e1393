"""`cgstore eval replay`: what it prints and writes, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.evaluate.benchmarks import sources
from tests.cli.conftest import Run
from tests.evaluate.benchmark_files import write_sample

FIELDS = ["benchmark", "set", "n", "metrics", "seconds", "statements"]
LINE = {"id", "question", "gold", "answer", "correct", "program", "reason", "set"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sources, "cache_folder", lambda: tmp_path / "cache")
    return write_sample(tmp_path / "data")


def test_every_set_there_is_has_a_last_line_and_its_outcomes(
    run: Run, db: Database, data: Path, tmp_path: Path
) -> None:
    result = run("eval", "replay", "--data", data, "--out", tmp_path / "out.jsonl", "--json")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(line) for line in lines] == [FIELDS] * 4
    assert [(line["set"], line["n"]) for line in lines] == [
        ("metaqa_1hop", 2),
        ("metaqa_2hop", 1),
        ("wtq", 3),
        ("webqsp_named", 3),
    ]
    assert set(lines[0]["metrics"]) == {"accepted", "accuracy", "hits_at_1", "f1", "exact_match"}
    outcomes = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(outcomes) == 9 and all(set(outcome) >= LINE for outcome in outcomes)


def test_without_json_the_classes_of_reasons_stand_above_the_last_line(run: Run, db: Database, data: Path) -> None:
    *table, last = run("eval", "replay", "--data", data, "--set", "wtq").stdout.splitlines()
    assert [line.split() for line in table[:4]] == [
        ["wtq"],
        ["reason", "n", "share"],
        ["right", "2", "0.667"],
        ["unknown", "function", "1", "0.333"],
    ]
    assert list(json.loads(last)) == FIELDS


def test_what_is_left_out_is_told(run: Run, db: Database, data: Path) -> None:
    result = run("eval", "replay", "--data", data, "--set", "cronquestions", "--set", "metaqa_1hop", "--json")
    assert "Note: cronquestions is left out" in result.stderr
    assert "Note: 1 reply of metaqa_1hop.jsonl without a known gold answer" in result.stderr
    assert [json.loads(line)["set"] for line in result.stdout.splitlines()] == ["metaqa_1hop"]
    (first, *_) = (data / "recorded" / "wtq.jsonl").read_text(encoding="utf-8").splitlines()
    (data / "mine.jsonl").write_text(first, encoding="utf-8")
    result = run("eval", "replay", "--data", data, "--set", "wtq", "--questions", data / "mine.jsonl", "--json")
    line = json.loads(result.stdout)
    assert (line["set"], line["n"], line["metrics"]["accepted"]) == ("wtq", 1, 1.0)
    nothing = run("eval", "replay", "--data", data.parent)
    assert (nothing.exit_code, "no recorded replies" in nothing.stderr) == (2, True)
