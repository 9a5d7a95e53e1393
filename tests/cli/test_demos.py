"""`cgstore demos` from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding import encoder
from tests.cli.conftest import Run
from tests.embedding.test_vectors import Trigrams

PROGRAM = "get_information(head_entity='Ann', relation='spouse')"


@pytest.fixture
def people(run: Run, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A source of two triples, encoders without weights, and a folder for files."""
    monkeypatch.setattr(encoder, "load_encoder", lambda name=None: Trigrams(name or "trigrams"))
    path = tmp_path / "people.csv"
    path.write_text("Ann,spouse,Bob\nCleo,spouse,Dan\n", encoding="utf-8")
    assert run("load", "kg", path).exit_code == 0
    yield tmp_path


def lines(folder: Path, name: str, *objects: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
    return path


@pytest.fixture
def mine(people: Path) -> Path:
    return lines(people, "mine.jsonl", {"question": "Who wed Ann?", "program": PROGRAM, "source": "kg"})


@pytest.fixture
def build(run: Run, people: Path) -> list[str | Path]:
    """A build by recorded replies, the first of which is right and the second wrong."""
    replies = [{"question": q, "reply": PROGRAM} for q in ("Who wed Ann?", "Who wed Cleo?")]
    train = [{"question": "Who wed Ann?", "answer": ["Bob"]}, {"question": "Who wed Cleo?", "answer": ["Dan"]}]
    replay = ["--llm", "replay", "--replies", lines(people, "replies.jsonl", *replies), "--encoder", "trigrams"]
    return ["demos", "build", "--train", lines(people, "train.jsonl", *train), *replay]


def test_what_is_added_is_listed_and_what_is_removed_is_not(run: Run, mine: Path) -> None:
    assert run("demos", "add", mine).stdout == "Added 1 demonstration.\n"
    assert run("demos", "list").stdout == "right    kg          Who wed Ann?\n"
    (one,) = json.loads(run("demos", "list", "--json").stdout)
    assert one["program"] == PROGRAM
    assert (one["state"], one["source_kind"]) == ("right", "kg")
    assert run("demos", "remove", "who wed ann").stdout == "Removed 1 demonstration.\n"
    assert "There are none" in run("demos", "list").stdout
    assert json.loads(run("demos", "add", mine, "--json").stdout.splitlines()[-1]) == {"added": 1}
    assert json.loads(run("demos", "remove", "--all", "--json").stdout) == {"removed": 1}


def test_what_cannot_be_is_exit_code_2(run: Run, mine: Path, build: list[str]) -> None:
    result = run("demos", "add", lines(mine.parent, "bad.jsonl", {"question": "Who?"}))
    assert (result.exit_code, "bad.jsonl, line 1" in result.stderr) == (2, True)
    for which in (["Who?"], [], ["Who?", "--all"]):
        assert run("demos", "remove", *which).exit_code == 2
    result = run(*build, "--source", "peple")
    assert (result.exit_code, "Did you mean 'people'?" in result.stderr) == (2, True)
    assert "belong to --benchmark" in run(*build, "--oracle").stderr


def test_build_says_what_came(run: Run, build: list[str]) -> None:
    report = json.loads(run(*build, "--json").stdout.splitlines()[-1])
    assert report.pop("seconds") > 0
    assert report == {
        "questions": 2,
        "left_out": 0,
        "there": 0,
        "right": 1,
        "wrong": 1,
        "waiting": 0,
        "failed": 0,
        "failures": [],
    }
    again = run(*build)
    assert "2 training questions: 0 right and 0 wrong now, 2 tried before" in again.stdout
    assert run("demos", "list", "--state", "right").stdout == "right    kg          Who wed Ann?\n"


@pytest.fixture
def wikisql(people: Path) -> list[str | Path]:
    """A build from WikiSQL's SQL: three questions of one table. SQL orders the texts of the third by their letters."""
    cells = {"id": "1-1", "header": ["Player", "Points", "Class"], "rows": [["Ann", 7, "9th"], ["Bo", 5, "10th"]]}
    sql = [(1, 0, 0, "Ann"), (0, 1, 1, 6), (0, 1, 2, "9th")]
    questions = [
        {
            "question": f"Question {number}?",
            "table_id": "1-1",
            "sql": {"sel": sel, "agg": 0, "conds": [[column, op, v]]},
        }
        for number, (sel, op, column, v) in enumerate(sql, 1)
    ]
    files = ["--train", lines(people, "train.jsonl", *questions), "--tables", lines(people, "tables.jsonl", cells)]
    return ["demos", "build", "--benchmark", "wikisql", *files, "--encoder", "trigrams"]


def test_build_from_sql_asks_no_llm_and_keeps_what_gives_the_answer_of_sqlite(
    run: Run, wikisql: list[str | Path]
) -> None:
    report = json.loads(run(*wikisql, "--oracle", "--json").stdout.splitlines()[-1])
    assert (report["questions"], report["right"], report["left_out"]) == (3, 2, 1)
    kept = json.loads(run("demos", "list", "--state", "right", "--json").stdout)
    assert [one["program"] for one in kept] == [
        "Query1: \"get_information(relation='Player', tail_entity='Ann')\"\n"
        "Query2: \"get_information(relation='Points', head_entity='output_of_query1')\"",
        "Query1: \"get_information(relation='Points', tail_entity>'6')\"\n"
        "Query2: \"get_information(relation='Player', head_entity='output_of_query1')\"",
    ]


def test_build_of_a_benchmark_without_annotations_has_no_oracle(run: Run, wikisql: list[str | Path]) -> None:
    result = run(*["wtq" if each == "wikisql" else each for each in wikisql], "--oracle")
    assert result.exit_code == 2
    assert "no annotation that a program can be made from" in result.stderr


def test_requests_that_wait_for_replies_are_told(run: Run, build: list[str], people: Path) -> None:
    """The files of a batch are written by one build, and what waits is said."""
    batch = ["--llm", "batch", "--batch", str(people / "files"), "--model", "some", "--encoder", "trigrams"]
    result = run(*build[:4], *batch)
    assert result.exit_code == 0, result.output
    assert "2 wait for the LLM's reply" in result.stdout
    assert len((people / "files" / "requests-1.jsonl").read_text(encoding="utf-8").splitlines()) == 2
