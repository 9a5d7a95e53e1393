"""`cgstore eval BENCHMARK` on a real Neo4j, on samples of all benchmarks, by backends that need no LLM."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import freebase_sample
import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.evaluate.benchmarks import BENCHMARKS
from cgstore.evaluate.benchmarks.benchmark import Selection
from cgstore.store import Store

Eval = Callable[..., Result]

PROGRAMS = {
    "Which club has Bo Lind?": "get_information(relation='Club', head_entity='[line_2]')",
    "which team was last?": "get_information(relation='Team', head_entity='[line_3]')",
    "who directed [The Mill]": "get_information(head_entity='The Mill', relation='directed_by')",
    "where was ann ash born?": "get_information(head_entity='Ann Ash', relation='person.born_in')",
    "who is ann ash's uncle?": "get_information(head_entity='Bo Birch', relation='person.born_in')",
    "Where was the wife of Bo Birch born?": "get_information(head_entity='Ann Ash', relation='person.born_in')",
    "Where was the wife of Bo Birch born? [Bo Birch; Ulm]": "get_information(head_entity='Ann Ash', relation='a b')",
    "Who was mayor in 1958?": "get_information(relation='position held', tail_entity='Mayor of Aldham', "
    "key='time', value='1958')",
    "who was mayor of ulm in 1951": "get_information(relation='mayor of', tail_entity='Ulm', key='time', value='1951')",
    "Who was Mayor of Aldham in 1961?": "get_information(relation='position held', tail_entity='Mayor of Aldham', "
    "key='time', value='1961')",
    "Who visited the Police of Ulm on 4 February 2005?": "get_information(relation='Make a visit', "
    "tail_entity='Police (Ulm)', key='time', value='2005-02-04')",
    "who ran the anchor in 2015?": "get_information(head_entity='The Anchor', relation='host', key='time', "
    "value='2015')",
}
"""What an LLM may write for a question of each sample, by its text."""

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


@pytest.fixture
def evaluate(db: Database, data: Path, tmp_path: Path, neo4j_settings: dict[str, str]) -> Eval:
    """`evaluate("wtq", ...)`: the result of that benchmark over the samples, by recorded replies."""
    replies = freebase_sample.write_lines(
        tmp_path / "replies.jsonl", [{"question": text, "reply": f'Query1: "{p}"'} for text, p in PROGRAMS.items()]
    )
    settings = {**neo4j_settings, "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}

    def invoke(name: str, *arguments: str | Path, replay: bool = True) -> Result:
        by = ["--llm", "replay", "--replies", str(replies)] if replay else []
        command = ["eval", name, "--data", str(data), *by, *map(str, arguments)]
        return CliRunner(env=settings).invoke(main, command)

    return invoke


def headline(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def outcomes(path: Path) -> dict[str, dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_is_loaded_asked_and_judged(name: str, evaluate: Eval, data: Path, tmp_path: Path) -> None:
    figures = headline(evaluate(name, "--out", tmp_path / "out.jsonl", "--json"))
    assert list(figures)[:6] == ["benchmark", "set", "n", "metrics", "seconds", "statements"]
    assert (figures["benchmark"], figures["llm"]) == (name, "replay")
    assert figures["n"] == len(BENCHMARKS[name].read(Selection(data)).questions)
    lines = outcomes(tmp_path / "out.jsonl")
    assert lines[RIGHT[name]]["correct"] and lines[RIGHT[name]]["reason"] == "right"
    assert figures["metrics"]["accuracy"] > 0


@pytest.mark.parametrize("name", ["webqsp", "cwq", "timequestions"])
@pytest.mark.parametrize("graph", ["own", "union"])
def test_the_graph_asked_may_be_a_questions_own_or_that_of_all(
    name: str, graph: str, evaluate: Eval, db: Database, tmp_path: Path
) -> None:
    evaluate(name, "--graph", graph, "--out", tmp_path / "out.jsonl")
    loaded = {source.name for source in Store(db).sources()}
    identifier = RIGHT[name]
    assert (f"eval/{name}/{identifier}" in loaded) == (graph == "own")
    assert outcomes(tmp_path / "out.jsonl")[identifier]["correct"]


def test_only_the_tables_of_the_drawn_questions_are_loaded(evaluate: Eval, db: Database) -> None:
    headline(evaluate("wikisql", "--limit", 1, "--seed", 3))
    assert len(Store(db).sources()) == 1


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


def test_a_run_goes_on_where_it_ended(evaluate: Eval, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    whole = headline(evaluate("wikisql", "--out", out))
    lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join(lines[:3]) + lines[3][:20], encoding="utf-8")
    again = headline(evaluate("wikisql", "--out", out, "--resume"))
    assert (again["n"], again["metrics"]) == (whole["n"], whole["metrics"])
    assert out.read_text(encoding="utf-8").splitlines(keepends=True)[:3] == lines[:3]


def test_a_run_with_other_settings_does_not_go_on(evaluate: Eval, tmp_path: Path) -> None:
    evaluate("wikisql", "--out", tmp_path / "out.jsonl")
    result = evaluate("wikisql", "--out", tmp_path / "out.jsonl", "--resume", "--exact")
    assert result.exit_code == 2 and "other settings: mapping" in result.stderr


def test_questions_without_a_reply_wait_and_are_answered_when_it_is_there(evaluate: Eval, tmp_path: Path) -> None:
    out, folder = tmp_path / "out.jsonl", tmp_path / "batch"
    by = ("--llm", "batch", "--batch", folder, "--model", "m", "--samples", 1, "--retries", 0, "--out", out)
    result = evaluate("metaqa", *by, "--resume", replay=False)
    figures = headline(result)
    assert (figures["n"], figures["waiting"], figures["metrics"]) == (0, 4, {})
    assert "4 questions wait for a reply of the LLM" in result.stderr
    (request, *_) = map(json.loads, (folder / "requests-1.jsonl").read_text(encoding="utf-8").splitlines())
    reply = {"choices": [{"message": {"content": "Query1: \"get_information(relation='directed_by')\""}}]}
    reply["usage"] = {"prompt_tokens": 10, "completion_tokens": 5}  # type: ignore[assignment]
    line = {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": reply}}
    freebase_sample.write_lines(folder / "replies.jsonl", [line])
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
        (("metaqa", "--questions", __file__), "are a folder"),
        (("wtq", "--canonical"), "No such option"),
    ],
)
def test_options_that_do_not_go_together_are_refused(evaluate: Eval, arguments: tuple[str, ...], said: str) -> None:
    result = evaluate(*arguments)
    assert result.exit_code == 2 and said in result.stderr
