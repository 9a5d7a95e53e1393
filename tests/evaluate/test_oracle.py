"""Gold annotations as programs through the ordinary path, and SQL in SQLite, on samples of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks import ORACLE_SETS
from cgstore.evaluate.benchmarks.benchmark import Selection
from cgstore.evaluate.benchmarks.cronquestions import program_for, read_questions
from cgstore.evaluate.benchmarks.wikisql import Condition, Query, Table, execute, read_tables
from cgstore.evaluate.known_programs import oracle_backend
from cgstore.evaluate.outcome import Outcome
from cgstore.evaluate.run import run
from cgstore.store import Store
from tests.conftest import ROOT, wipe
from tests.evaluate.benchmark_files import write_lines

HEADLINE = ["benchmark", "set", "n", "metrics", "seconds", "statements"]
LINE = ["id", "question", "gold", "answer", "correct", "program", "reason", "set"]

Eval = Callable[..., Result]


@pytest.fixture(scope="module")
def evaluate(neo4j_settings: dict[str, str]) -> Eval:
    """`evaluate(...)`: the result of `cgstore eval oracle` with these arguments."""

    def invoke(*arguments: str | Path) -> Result:
        return CliRunner(env=neo4j_settings).invoke(main, ["eval", "oracle", *map(str, arguments)])

    return invoke


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    return Store(shared_db)


@pytest.fixture(scope="module")
def written(evaluate: Eval, store: Store, sample: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The lines that a run over all sets prints, and those that it writes."""
    result = evaluate("--data", sample, "--out", sample / "out.jsonl", "--json")
    assert result.exit_code == 0, result.output
    lines = (sample / "out.jsonl").read_text(encoding="utf-8")
    return list(map(json.loads, result.stdout.splitlines())), list(map(json.loads, lines.splitlines()))


def outcomes(store: Store, name: str, selection: Selection) -> list[Outcome]:
    """Runs one set."""
    benchmark = ORACLE_SETS[name]
    selection = replace(selection, **benchmark.oracle_sets[name])
    ask = oracle_backend(store, benchmark)
    return list(run(store, benchmark, selection, benchmark.read(selection), ask, set_name=name).outcomes)


WRONG = {
    "wikisql": {"8": "in part: f1 0.67"},
    "metaqa_1hop": {"3": "gold and more: 2 answers, 1 of them gold", "4": "in part: f1 0.40"},
}
"""Two cells differ in case only, two films share a title, a title is cut at a comma."""


@pytest.mark.parametrize("name", ORACLE_SETS)
def test_annotations_give_the_gold_answers(written: tuple[list[dict[str, Any]], ...], name: str) -> None:
    lines = [line for line in written[1] if line["set"] == name]
    assert {line["id"]: line["reason"] for line in lines if not line["correct"]} == WRONG.get(name, {})
    assert lines


def test_the_command_prints_a_json_line_for_each_set(written: tuple[list[dict[str, Any]], ...]) -> None:
    printed, lines = written
    assert [line["set"] for line in printed] == list(ORACLE_SETS)
    assert all(list(line) == HEADLINE and line["benchmark"] == "oracle" for line in printed)
    assert (printed[0]["n"], printed[0]["statements"], printed[0]["metrics"]["accuracy"]) == (12, 12, 11 / 12)
    assert all({*LINE, "scores"} <= line.keys() for line in lines)


def test_sources_are_kept_and_others_left_alone(
    written: object, evaluate: Eval, store: Store, sample: Path, tmp_path: Path
) -> None:
    (tmp_path / "kept.tsv").write_text("a\tb\tc\n", encoding="utf-8")
    store.load_kg(tmp_path / "kept.tsv", name="kept")
    before = store.sources()
    assert {source.name for source in before} == {
        *("kept", "eval/cron_like", "eval/metaqa", "eval/wikisql/1-1", "eval/wikisql/1-2", "eval/wikisql/1-3"),
        *("eval/words/byre/cows", "eval/words/byre/barns", "eval/words/inn/hosts"),
    }
    evaluate("--data", sample)
    assert store.sources() == before
    store.drop("kept")


def test_the_command_shows_the_classes_of_what_is_not_right(evaluate: Eval, store: Store, data: Path) -> None:
    result = evaluate("--data", data, "--set", "metaqa_1hop", "--set", "metaqa_2hop")
    lines = result.stdout.splitlines()
    assert lines[0] == "metaqa_1hop: 2 of 4 right (50.00%)"
    assert lines[1] == "      1  gold and more"
    assert lines[2] == "         such as question 3: gold and more: 2 answers, 1 of them gold"
    assert lines[6] == "metaqa_2hop: 2 of 2 right (100.00%)"


def test_other_questions_of_the_same_format_are_asked(evaluate: Eval, store: Store, data: Path) -> None:
    facts = (data / "cron_like" / "questions_dev.jsonl.gz").rename(data / "test.jsonl.gz")
    folder = (data / "metaqa" / "2-hop").rename(data / "test 2-hop")
    tables = ("--tables", data / "wikisql" / "dev.tables.jsonl")
    for name, questions, others, count in (
        ("wikisql", data / "wikisql" / "dev.jsonl", tables, 12),
        ("metaqa_2hop", folder, (), 2),
        ("cron_like", facts, (), 2),
    ):
        result = evaluate("--data", data, "--set", name, "--questions", questions, *others, "--json")
        assert json.loads(result.stdout)["n"] == count


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--questions", "wikisql/dev.jsonl"], "give one --set"),
        (["--questions", "wikisql/dev.jsonl", "--set", "wikisql"], "need --tables"),
        (["--tables", "wikisql/dev.tables.jsonl", "--set", "cron_like"], "belong to --set wikisql"),
        (["--questions", "metaqa/kb.txt", "--set", "metaqa_2hop"], "folder such as 2-hop"),
        (["--questions", "metaqa/2-hop", "--set", "cron_like"], "takes --questions as a file"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    evaluate: Eval, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(data)
    result = evaluate("--data", ".", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_the_programs_of_written_questions_give_their_answers(store: Store) -> None:
    found = outcomes(store, "words", Selection(ROOT / "benchmarks", limit=12, seed=1))
    assert {one.id: one.reason for one in found if not one.correct} == {}


def test_a_refused_program_is_an_outcome_with_its_error(store: Store, data: Path) -> None:
    sql = {"sel": 0, "agg": 3, "conds": [[1, 0, "Nowhere at all"]]}
    questions = write_lines(data / "other.jsonl", [{"question": "How many?", "table_id": "1-1", "sql": sql}])
    tables = data / "wikisql" / "dev.tables.jsonl"
    (one,) = outcomes(store, "wikisql", Selection(data, questions=questions, tables=tables))
    assert one.reason.startswith("no program could be run: ") and "'Nowhere at all'" in one.reason


@pytest.mark.parametrize(
    ("others", "lacks"), [({"type": "riddle"}, "riddle"), ({"type": "first_last"}, "adj"), ({"annotation": {}}, "head")]
)
def test_a_question_of_cronquestions_of_no_known_kind_is_refused(
    data: Path, others: dict[str, Any], lacks: str
) -> None:
    question, *_ = read_questions(data / "cron_like" / "questions_dev.jsonl")
    with pytest.raises(BadInput, match=lacks):
        program_for(replace(question, **others))


# SQL.


@pytest.fixture(scope="module")
def players(sample: Path) -> Table:
    return read_tables(sample / "wikisql" / "dev.tables.jsonl", {"1-1"})["1-1"]


NAME, CLUB, GOALS, FEE = range(4)


@pytest.mark.parametrize(
    ("aggregate", "select", "conditions", "found"),
    [
        pytest.param("", CLUB, [(GOALS, "=", "5")], ("aldham", "Bexley"), id="cells as written"),
        pytest.param("", CLUB, [], ("Aldham", "aldham", "Bexley"), id="each once"),
        pytest.param("", NAME, [(CLUB, "=", "ALDHAM")], ("Ann Rae", "Bo Lind"), id="without case"),
        pytest.param("", NAME, [(NAME, ">", "bo lind")], ("Cy Roos", "Di Moe"), id="texts by their letters"),
        pytest.param("", NAME, [(FEE, ">", "1,000")], ("Ann Rae", "Cy Roos"), id="numbers with commas"),
        pytest.param("", NAME, [(FEE, "<", "1000.0"), (GOALS, "=", "5.0")], ("Bo Lind",), id="numbers"),
        pytest.param("", NAME, [(GOALS, "<", "9")], ("Ann Rae", "Bo Lind", "Cy Roos"), id="an empty cell"),
        pytest.param("", NAME, [(GOALS, "=", "3 goals")], ("Ann Rae",), id="the first number of a value"),
        pytest.param("AVG", GOALS, [(CLUB, "=", "Bexley")], ("5",), id="no number in an empty cell"),
        ("MAX", FEE, [], ("2,000",)),
        ("MIN", FEE, [], ("75",)),
        ("MIN", NAME, [], ("Ann Rae",)),
        ("SUM", FEE, [], ("4225",)),
        ("AVG", FEE, [], ("1056.25",)),
        ("COUNT", CLUB, [], ("4",)),
        *((aggregate, GOALS, [(NAME, "=", "Nobody")], ()) for aggregate in ("SUM", "AVG", "MAX", "")),
        ("COUNT", GOALS, [(NAME, "=", "Nobody")], ("0",)),
    ],
)
def test_sql_gives_the_cells_or_an_aggregate_of_the_rows(
    players: Table, aggregate: str, select: int, conditions: list[tuple[int, str, str]], found: tuple[str, ...]
) -> None:
    query = Query(select, aggregate, tuple(Condition(*condition) for condition in conditions))
    assert execute(players, query) == found


def test_a_column_that_the_table_lacks_is_refused(players: Table) -> None:
    with pytest.raises(BadInput, match="column that it does not have"):
        execute(players, Query(5, "", ()))
