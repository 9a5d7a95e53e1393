"""Gold annotations as programs through the ordinary path, on samples of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import oracle_sample as sample
import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks import ORACLE_SETS
from cgstore.evaluate.benchmarks.benchmark import Selection
from cgstore.evaluate.known_programs import oracle_backend
from cgstore.evaluate.run import run as run_benchmark
from cgstore.evaluate.summary import Run
from cgstore.store import Store
from tests.conftest import ROOT

HEADLINE = ["benchmark", "set", "n", "metrics", "seconds", "statements"]
LINE = ["id", "question", "gold", "answer", "correct", "program", "reason", "set"]

Eval = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return sample.write(tmp_path)


@pytest.fixture
def store(db: Database) -> Store:
    return Store(db)


@pytest.fixture
def evaluate(neo4j_settings: dict[str, str]) -> Eval:
    """`evaluate(...)`: the result of `cgstore eval oracle` with these arguments."""

    def invoke(*arguments: str | Path) -> Result:
        return CliRunner(env=neo4j_settings).invoke(main, ["eval", "oracle", *map(str, arguments)])

    return invoke


def run(store: Store, name: str, selection: Selection) -> Run:
    """Runs one set; its sources are loaded."""
    benchmark = ORACLE_SETS[name]
    selection = replace(selection, **benchmark.oracle_sets[name])
    ask = oracle_backend(store, benchmark)
    return run_benchmark(store, benchmark, selection, benchmark.read(selection), ask, set_name=name)


def wrong(store: Store, name: str, selection: Selection) -> dict[str, str]:
    """The questions that are not right, with their reasons."""
    return {one.id: one.reason for one in run(store, name, selection).outcomes if not one.correct}


def test_sql_and_its_programs_agree_but_for_cells_that_differ_in_case_only(store: Store, data: Path) -> None:
    assert wrong(store, "wikisql", Selection(data)) == {"8": "in part: f1 0.67"}


@pytest.mark.parametrize("name", ["metaqa_2hop", "metaqa_3hop", "cron_like", "words"])
def test_annotations_give_the_gold_answers(store: Store, data: Path, name: str) -> None:
    report = run(store, name, Selection(data))
    assert report.short_headline("oracle")["metrics"]["accuracy"] == 1.0
    assert report.outcomes


def test_the_programs_of_written_questions_give_their_answers(store: Store) -> None:
    report = run(store, "words", Selection(ROOT / "benchmarks", limit=12, seed=1))
    assert {one.id: one.reason for one in report.outcomes if not one.correct} == {}


def test_films_that_share_a_title_and_titles_cut_at_a_comma_are_not_right(store: Store, data: Path) -> None:
    assert wrong(store, "metaqa_1hop", Selection(data)) == {
        "3": "gold and more: 2 answers, 1 of them gold",
        "4": "in part: f1 0.40",
    }


def test_limit_loads_only_the_tables_needed(store: Store, data: Path) -> None:
    report = run(store, "wikisql", Selection(data, limit=1, seed=1))
    assert len(report.outcomes) == 1
    assert len(store.sources()) == 1


def test_limit_draws_the_same_questions_for_the_same_seed(store: Store, data: Path) -> None:
    drawn = [run(store, "metaqa_1hop", Selection(data, limit=2, seed=5)).outcomes for _ in range(2)]
    assert [one.id for one in drawn[0]] == [one.id for one in drawn[1]]


def test_sources_are_kept_and_others_left_alone(store: Store, data: Path) -> None:
    kept = data / "kept.tsv"
    kept.write_text("a\tb\tc\n", encoding="utf-8")
    store.load_kg(kept, name="kept")
    for name in ORACLE_SETS:
        run(store, name, Selection(data))
    before = store.sources()
    words = {"eval/words/byre/cows", "eval/words/byre/barns", "eval/words/inn/hosts"}
    others = {"kept", "eval/cron_like", "eval/metaqa", "eval/wikisql/1-1", "eval/wikisql/1-2"}
    assert {s.name for s in before} == others | words
    for name in ORACLE_SETS:
        run(store, name, Selection(data))
    assert store.sources() == before


def test_refused_program_is_an_outcome_with_its_error(store: Store, data: Path) -> None:
    lines = [json.dumps(sample.sql("How many play for Ulm?", "1-1", 0, 3, (1, 0, "Nowhere at all")))]
    questions = sample.write_lines(data / "other.jsonl", lines)
    tables = data / "wikisql" / "dev.tables.jsonl"
    reasons = wrong(store, "wikisql", Selection(data, questions=questions, tables=tables))
    assert list(reasons) == ["1"]
    assert reasons["1"].startswith("no program could be run: ")
    assert "no entity is named 'Nowhere at all'" in reasons["1"]


def test_no_question_is_an_error(store: Store, data: Path) -> None:
    with pytest.raises(BadInput, match="no question"):
        run(store, "wikisql", Selection(data, questions=sample.write_lines(data / "none.jsonl", [])))


def test_command_prints_a_json_line_for_each_set_and_writes_one_for_each_question(
    evaluate: Eval, store: Store, data: Path
) -> None:
    out = data / "out.jsonl"
    result = evaluate("--data", data, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["set"] for line in lines] == list(ORACLE_SETS)
    assert all(list(line) == HEADLINE and line["benchmark"] == "oracle" for line in lines)
    assert lines[0]["n"] == lines[0]["statements"] == len(sample.SQL_QUESTIONS)
    assert lines[0]["metrics"]["accuracy"] == 7 / 8
    written = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert all({*LINE, "scores"} <= line.keys() for line in written)
    assert [line["id"] for line in written if line["set"] == "wikisql" and not line["correct"]] == ["8"]


def test_command_shows_the_classes_of_what_is_not_right(evaluate: Eval, store: Store, data: Path) -> None:
    result = evaluate("--data", data, "--set", "metaqa_1hop", "--set", "metaqa_2hop")
    lines = result.stdout.splitlines()
    assert lines[0] == "metaqa_1hop: 2 of 4 right (50.00%)"
    assert lines[1] == "      1  gold and more"
    assert lines[2] == "         such as question 3: gold and more: 2 answers, 1 of them gold"
    assert lines[6] == "metaqa_2hop: 1 of 1 right (100.00%)"


def test_other_questions_of_the_same_format_are_asked(evaluate: Eval, store: Store, data: Path) -> None:
    wikisql = data / "wikisql"
    questions = sample.write_lines(data / "test.jsonl", [json.dumps(sample.SQL_QUESTIONS[0])])
    tables = wikisql / "dev.tables.jsonl"
    tables = tables.rename(data / "test.tables.jsonl")
    chosen = ["--questions", questions, "--tables", tables]
    assert json.loads(evaluate("--data", data, "--set", "wikisql", *chosen, "--json").stdout)["n"] == 1
    folder = (data / "metaqa" / "2-hop").rename(data / "test 2-hop")
    assert (
        json.loads(evaluate("--data", data, "--set", "metaqa_2hop", "--questions", folder, "--json").stdout)["n"] == 1
    )
    facts = (data / "cron_like" / "questions_dev.jsonl.gz").rename(data / "test.jsonl.gz")
    assert json.loads(evaluate("--data", data, "--set", "cron_like", "--questions", facts, "--json").stdout)["n"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--questions", "wikisql/dev.jsonl"], "give one --set"),
        (["--questions", "wikisql/dev.jsonl", "--set", "wikisql"], "need --tables"),
        (["--tables", "wikisql/dev.tables.jsonl", "--set", "cron_like"], "belong to --set wikisql"),
        (["--questions", "metaqa/kb.txt", "--set", "metaqa_2hop"], "folder such as 2-hop"),
        (["--questions", "metaqa/2-hop", "--set", "cron_like"], "are a file"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    evaluate: Eval, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(data)
    result = evaluate("--data", ".", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
