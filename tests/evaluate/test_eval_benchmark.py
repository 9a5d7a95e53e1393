"""`cgstore eval BENCHMARK` on a real Neo4j, on the sample of all benchmarks, by backends that need no LLM."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.evaluate.benchmarks import BENCHMARKS
from cgstore.evaluate.benchmarks.benchmark import Selection
from cgstore.store import Store
from tests.conftest import wipe
from tests.evaluate.benchmark_files import write_lines

Eval = Callable[..., Result]

REPLIES = Path(__file__).parent / "replies.jsonl"
"""What an LLM may write for a question of each sample."""

RIGHT = {
    "wikisql": "1",
    "wtq": "ns-1",
    "metaqa": "1",
    "webqsp": "WebQTest-1",
    "cwq": "q-1",
    "cronquestions": "2",
    "cron_like": "1",
    "timequestions": "7",
    "multitq": "1",
    "words": "inn/1",
}
"""The question of each sample that these programs answer."""


@pytest.fixture(scope="module")
def db(shared_db: Database) -> Database:
    wipe(shared_db)
    return shared_db


@pytest.fixture(scope="module")
def evaluate(db: Database, sample: Path, neo4j_settings: dict[str, str]) -> Eval:
    """`evaluate("wtq", ...)`: the result of that benchmark over the samples, by recorded replies."""
    settings = {**neo4j_settings, "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}

    def invoke(name: str, *arguments: object, replay: bool = True) -> Result:
        by = ("--llm", "replay", "--replies", REPLIES) if replay else ()
        command = ["eval", name, "--data", sample, *by, *arguments]
        return CliRunner(env=settings).invoke(main, list(map(str, command)))

    return invoke


def headline(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def outcomes(path: Path) -> dict[str, dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


def test_only_the_tables_of_the_drawn_questions_are_loaded(evaluate: Eval, db: Database) -> None:
    headline(evaluate("wikisql", "--limit", 1, "--seed", 3))
    assert len(Store(db).sources()) == 1


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_is_loaded_asked_and_judged(name: str, evaluate: Eval, sample: Path, tmp_path: Path) -> None:
    figures = headline(evaluate(name, "--out", tmp_path / "out.jsonl", "--json"))
    assert list(figures)[:6] == ["benchmark", "set", "n", "metrics", "seconds", "statements"]
    assert (figures["benchmark"], figures["llm"]) == (name, "replay")
    assert figures["n"] == len(BENCHMARKS[name].read(Selection(sample)).questions)
    right = outcomes(tmp_path / "out.jsonl")[RIGHT[name]]
    assert right["correct"] and right["reason"] == "right"
    assert figures["metrics"]["accuracy"] > 0


@pytest.mark.parametrize(("name", "graph"), [("webqsp", "own"), ("cwq", "own"), ("timequestions", "union")])
def test_the_graph_asked_may_be_the_other_one(
    name: str, graph: str, evaluate: Eval, db: Database, tmp_path: Path
) -> None:
    evaluate(name, "--graph", graph, "--out", tmp_path / "out.jsonl")
    part = RIGHT[name] if graph == "own" else "union"
    assert f"eval/{name}/{part}" in {source.name for source in Store(db).sources()}
    assert outcomes(tmp_path / "out.jsonl")[RIGHT[name]]["correct"]


def test_what_is_wrong_says_why(evaluate: Eval, tmp_path: Path) -> None:
    figures = headline(evaluate("webqsp", "--out", tmp_path / "out.jsonl"))
    line = outcomes(tmp_path / "out.jsonl")["WebQTest-2"]
    assert line["reason"] == "gold is not in the data: another answer, none of them gold"
    assert line["program"].startswith("Query1") and line["tried"][0]["answer"] == ["Bern"]
    assert figures["reasons"] == {"right": 1, "gold is not in the data": 1}
    assert (figures["ceiling"], figures["without_gold"]) == (0.5, 1)


def test_topics_are_told_where_that_is_asked_for(evaluate: Eval, tmp_path: Path) -> None:
    evaluate("cwq", "--topics", "--out", tmp_path / "out.jsonl")
    assert "'a b'" in outcomes(tmp_path / "out.jsonl")["q-1"]["tried"][0]["program"]


def test_a_run_goes_on_where_it_ended_but_not_with_other_settings(evaluate: Eval, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    whole = headline(evaluate("wikisql", "--out", out))
    lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join(lines[:3]) + lines[3][:20], encoding="utf-8")
    again = headline(evaluate("wikisql", "--out", out, "--resume"))
    assert (again["n"], again["metrics"]) == (whole["n"], whole["metrics"])
    assert out.read_text(encoding="utf-8").splitlines(keepends=True)[:3] == lines[:3]
    result = evaluate("wikisql", "--out", out, "--resume", "--exact")
    assert result.exit_code == 2 and "other settings: mapping" in result.stderr


def test_questions_without_a_reply_wait_and_are_answered_when_it_is_there(evaluate: Eval, tmp_path: Path) -> None:
    out, folder = tmp_path / "out.jsonl", tmp_path / "batch"
    by = ("--llm", "batch", "--batch", folder, "--model", "m", "--samples", 1, "--retries", 0, "--out", out)
    result = evaluate("metaqa", *by, "--resume", replay=False)
    figures = headline(result)
    assert (figures["n"], figures["waiting"], figures["metrics"]) == (0, 4, {})
    assert "4 questions wait for a reply of the LLM" in result.stderr
    (request, *_) = map(json.loads, (folder / "requests-1.jsonl").read_text(encoding="utf-8").splitlines())
    program = "Query1: \"get_information(relation='directed_by')\""
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    reply = {"choices": [{"message": {"content": program}}], "usage": usage}
    line = {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": reply}}
    write_lines(folder / "replies.jsonl", [line])
    figures = headline(evaluate("metaqa", *by, "--resume", "--price", 1, 2, replay=False))
    assert (figures["n"], figures["waiting"]) == (1, 3)
    assert (figures["tokens"]["prompt_tokens"], figures["cost"]) == (10, 0.00002)


def test_the_report_is_written(evaluate: Eval, tmp_path: Path) -> None:
    result = evaluate("wtq", "--report", tmp_path / "report")
    assert "wtq: all" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert str(tmp_path / "report" / "index.html") in result.stderr


def test_no_llm_at_all_ends_the_run_with_what_to_do(evaluate: Eval, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = evaluate("wtq", "--llm", "openai", "--model", "m", "--no-cache", "--out", out, replay=False)
    assert result.exit_code == 4 and "OPENAI_API_KEY" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("wtq", "--resume"), "give --out"),
        (("metaqa", "--questions", __file__), "takes --questions as a folder"),
        (("wtq", "--canonical"), "No such option"),
    ],
)
def test_options_that_do_not_go_together_are_refused(evaluate: Eval, arguments: tuple[str, ...], said: str) -> None:
    result = evaluate(*arguments)
    assert result.exit_code == 2 and said in result.stderr


# `cgstore eval mine`: a user's own questions over the sources that are loaded.

PROGRAMS = {
    "Where was Ann born?": "get_information(head_entity='Ann', relation='born in')",
    "How old is Ann?": "get_information(head_entity='Ann', relation='age')",
    "Who are the brothers?": "get_information(relation='brother')",
    "Who?": "select(set=get_information(relation='age', tail_entity='41'), 'born in', 'age')",
}
QUESTIONS = [
    {"question": "Where was Ann born?", "answer": "Ulm", "source": "people"},
    {"question": "How old is Ann?", "answer": 41},
    {"question": "Who are the brothers?", "answer": ["Cy", "Di"], "source": ["people", "more"]},
    {"question": "Where is Ulm?"},
]


@pytest.fixture(scope="module")
def mine(shared_db: Database, tmp_path_factory: pytest.TempPathFactory, neo4j_settings: dict[str, str]) -> Eval:
    """`mine(questions, ...)`: the result of the command over two small sources, by recorded replies."""
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("mine")
    facts = {"people": "Ann\tborn in\tUlm\nAnn\tage\t41\nAnn\tbrother\tCy\n", "more": "Bo\tbrother\tDi\n"}
    for name, text in facts.items():
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
        Store(shared_db).load_kg(folder / f"{name}.tsv", name=name, header=False)
    lines = [{"question": question, "reply": f'Query1: "{program}"'} for question, program in PROGRAMS.items()]
    by = ("--llm", "replay", "--replies", write_lines(folder / "replies.jsonl", lines))

    def invoke(questions: list[dict[str, Any]], *arguments: str) -> Result:
        command = ["eval", "mine", "--questions", write_lines(folder / "mine.jsonl", questions), *by, *arguments]
        return CliRunner(env=neo4j_settings).invoke(main, list(map(str, command)))

    return invoke


def test_own_questions_are_judged_and_reported_by_source(mine: Eval) -> None:
    figures = headline(mine(QUESTIONS, "--json", "--price", "1", "2"))
    assert (figures["benchmark"], figures["set"], figures["n"], figures["without_gold"]) == ("mine", "mine.jsonl", 3, 1)
    assert (figures["metrics"]["accuracy"], figures["cost"]) == (1.0, 0.0)
    by_type = {name: group["n"] for name, group in figures["by_type"].items()}
    assert by_type == {"all sources": 1, "people": 1, "people, more": 1}


def test_a_question_without_a_source_is_asked_of_the_sources_of_the_command(mine: Eval) -> None:
    assert headline(mine(QUESTIONS[1:2], "--source", "more"))["metrics"]["accuracy"] == 0.0


def test_rows_of_several_columns_are_compared_field_by_field(mine: Eval) -> None:
    for age, accuracy in (("41.0", 1.0), (42, 0.0)):
        question = {"question": "Who?", "answer": [["Ann", "Ulm", age]], "source": "people"}
        assert headline(mine([question]))["metrics"]["accuracy"] == accuracy


@pytest.mark.parametrize(
    ("questions", "problem"),
    [
        ([{"question": "Who?", "answer": "Ann", "source": "nobody"}], "nobody"),
        ([{"question": "Who?"}], "answer"),
        ([{"question": "", "answer": "Ann"}], "line 1"),
        ([{"question": "Who?", "answer": {"a": 1}}], "line 1"),
        ([], "no question"),
    ],
)
def test_what_cannot_be_asked_is_an_error_that_says_what(
    mine: Eval, questions: list[dict[str, Any]], problem: str
) -> None:
    result = mine(questions)
    assert result.exit_code == 2
    assert problem in result.stderr and "Traceback" not in result.output
