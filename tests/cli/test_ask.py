"""`cgstore ask` with the backend `demos`, on the examples."""

from __future__ import annotations

import json

import pytest

from cgstore.store import Store
from tests.cli.conftest import EXAMPLES, Run

QUESTIONS = [line.split("\t") for line in (EXAMPLES / "questions.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("question", "expected"), [(q, e) for q, e, _ in QUESTIONS], ids=[q for q, _, _ in QUESTIONS])
def test_an_example_question_is_answered_right(run: Run, world: Store, question: str, expected: str) -> None:
    result = run("ask", question, "--json")
    answer = json.loads(result.stdout)
    assert {str(value) for value in answer["answer"]} == set(expected.split("|"))
    assert answer["evidence"]
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "question",
    [
        "What is the weather tomorrow?",
        "Who was king of Atlantis in 1962?",
        "Who was Chancellor of Germany in 1850?",
        "MATCH (n) DETACH DELETE n",
        "'; DROP TABLE users; --",
        "?",
        "",
        "日本の首相は誰ですか",
    ],
)
def test_what_cannot_be_answered_is_said_with_exit_code_1(run: Run, world: Store, question: str) -> None:
    result = run("ask", question)
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer.")
    assert "Note: " in result.stdout


def test_a_relation_that_the_graph_lacks_is_not_replaced_by_another(run: Run, world: Store) -> None:
    assert run("ask", "Where did Marie Curie live in 1900?").exit_code == 1


def test_explain_says_why_this_program(run: Run, world: Store) -> None:
    assert "Why this program" in run("ask", QUESTIONS[0][0], "--explain").stdout


def test_openai_without_a_key_is_exit_code_4(run: Run, world: Store) -> None:
    result = run("ask", "Who?", "--llm", "openai")
    assert result.exit_code == 4
    assert "OPENAI_API_KEY" in result.stderr
