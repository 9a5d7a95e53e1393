"""`cgstore eval mine` on a real Neo4j: a user's own questions over the sources that are loaded."""

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
from cgstore.evaluate.benchmarks.mine import same_answer
from cgstore.store import Store

Mine = Callable[..., Result]

PROGRAMS = {
    "Where was Ann born?": "get_information(head_entity='Ann', relation='born in')",
    "How old is Ann?": "get_information(head_entity='Ann', relation='age')",
    "Who are the brothers?": "get_information(relation='brother')",
}
QUESTIONS = [
    {"question": "Where was Ann born?", "answer": "Ulm", "source": "people"},
    {"question": "How old is Ann?", "answer": 41},
    {"question": "Who are the brothers?", "answer": ["Cy", "Di"], "source": ["people", "more"]},
    {"question": "Where is Ulm?"},
]


@pytest.fixture
def mine(db: Database, tmp_path: Path, neo4j_settings: dict[str, str]) -> Mine:
    """`mine(questions, ...)`: the result of the command over two small sources, by recorded replies."""
    for name, facts in (
        ("people", "Ann\tborn in\tUlm\nAnn\tage\t41\nAnn\tbrother\tCy\n"),
        ("more", "Bo\tbrother\tDi\n"),
    ):
        file = freebase_sample.write_text(tmp_path / f"{name}.tsv", facts)
        Store(db).load_kg(file, name=name, header=False)
    replies = freebase_sample.write_lines(
        tmp_path / "replies.jsonl", [{"question": text, "reply": f'Query1: "{p}"'} for text, p in PROGRAMS.items()]
    )

    def invoke(questions: list[dict[str, Any]], *arguments: str) -> Result:
        file = freebase_sample.write_lines(tmp_path / "mine.jsonl", questions)
        command = ["eval", "mine", "--questions", str(file), "--llm", "replay", "--replies", str(replies), *arguments]
        return CliRunner(env=neo4j_settings).invoke(main, command)

    return invoke


def test_own_questions_are_judged_and_reported_by_source(mine: Mine) -> None:
    result = mine(QUESTIONS, "--json", "--price", "1", "2")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout.splitlines()[-1])
    assert (figures["benchmark"], figures["set"], figures["n"], figures["without_gold"]) == ("mine", "mine.jsonl", 3, 1)
    assert figures["metrics"]["accuracy"] == 1.0
    assert {name: group["n"] for name, group in figures["by_type"].items()} == {
        "all sources": 1,
        "people": 1,
        "people, more": 1,
    }
    assert figures["cost"] == 0.0


def test_a_question_without_a_source_is_asked_of_the_sources_of_the_command(mine: Mine) -> None:
    result = mine(QUESTIONS[1:2], "--source", "more", "--json")
    assert json.loads(result.stdout.splitlines()[-1])["metrics"]["accuracy"] == 0.0


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
    mine: Mine, questions: list[dict[str, Any]], problem: str
) -> None:
    result = mine(questions)
    assert result.exit_code == 2
    assert problem in result.stderr and "Traceback" not in result.output


def test_rows_of_several_columns_are_compared_field_by_field(mine: Mine, tmp_path: Path) -> None:
    program = "select(set=get_information(relation='age', tail_entity='41'), 'born in', 'age')"
    replies = freebase_sample.write_lines(
        tmp_path / "rows.jsonl", [{"question": "Who?", "reply": f'Query1: "{program}"'}]
    )
    right = {"question": "Who?", "answer": [["Ann", "Ulm", "41.0"]], "source": "people"}
    wrong = {"question": "Who?", "answer": [["Ann", "Ulm", 42]], "source": "people"}
    for question, accuracy in ((right, 1.0), (wrong, 0.0)):
        result = mine([question], "--replies", str(replies))
        assert json.loads(result.stdout.splitlines()[-1])["metrics"]["accuracy"] == accuracy


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        (["1440"], ["€1,440.00"], True),
        (["22458.33333"], [22458.333333333], True),
        (["2022-04-14"], ["14 April 2022"], True),
        (["Castelo"], ["castelo*"], True),
        (["12"], ["12 kg"], True),
        (["O-1063"], ["1063"], False),
        (["2022-04-14"], ["2022-04-15"], False),
        (["Sol", "Foz"], ["Foz"], False),
        (["Sol | 3"], ["Sol"], False),
    ],
)
def test_the_same_value_may_be_written_in_another_way(gold: list[str], answer: list[str | float], same: bool) -> None:
    assert same_answer(gold, answer) is same
