"""`cgstore ask` with the backend `demos`, on the examples."""

from __future__ import annotations

import json
import re

import pytest

from cgstore.store import Store
from tests.cli.conftest import EXAMPLES, Run
from tests.share import share

QUESTIONS = [line.split("\t") for line in (EXAMPLES / "questions.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("question", "expected"), share([(q, e) for q, e, _ in QUESTIONS], 2), ids=[q for q, _, _ in QUESTIONS]
)
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
        "日本の首相は誰ですか",
    ],
)
def test_what_cannot_be_answered_is_said_with_exit_code_1(run: Run, world: Store, question: str) -> None:
    result = run("ask", question)
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer.")
    assert "Note: " in result.stdout


@pytest.mark.parametrize("question", ["", "  "])
def test_an_empty_question_is_a_usage_error(run: Run, question: str) -> None:
    done = run("ask", question)
    assert done.exit_code == 2 and "question" in done.stderr


def test_a_relation_that_the_graph_lacks_is_not_replaced_by_another(run: Run, world: Store) -> None:
    assert run("ask", "Where did Marie Curie live in 1900?").exit_code == 1


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who became Chancellor of Germany in 2005?", {"Angela Merkel"}),
        ("Who was Chancellor of Germany in 1980 or 2000?", {"Helmut Schmidt", "Gerhard Schröder"}),
        ("Who was Chancellor of Germany most recently?", {"Olaf Scholz"}),
        ("Since when was Angela Merkel Chancellor of Germany?", {"2005"}),
        ("Until when was Angela Merkel Chancellor of Germany?", {"2021"}),
        ("Which team did Zinedine Zidane join after 1999?", {"Real Madrid CF"}),
        ("Who did Helmut Kohl succeed as Chancellor of Germany?", {"Helmut Schmidt"}),
        ("When did the last Chancellor of Germany take office?", {"2021"}),
    ],
)
def test_words_of_time_are_answered_by_the_file(run: Run, world: Store, question: str, expected: set[str]) -> None:
    assert set(json.loads(run("ask", question, "--json").stdout)["answer"]) == expected


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Who is Chancellor of Germany?", "'is' asks for now"),
        ("Which team other than Real Madrid CF did Zinedine Zidane play for?", "'other'"),
        ("Who was President of France on 5 May 1995?", "ask for '1995'"),
    ],
)
def test_what_the_program_would_not_express_is_a_reason_to_abstain(
    run: Run, world: Store, question: str, note: str
) -> None:
    result = run("ask", question)
    assert (result.exit_code, note in result.stdout) == (1, True)


def test_a_table_is_asked_without_an_llm(run: Run, world: Store) -> None:
    world.load_table(EXAMPLES / "cities.csv")
    result = run("ask", "Which city has the largest population?", "--source", "cities", "--json")
    assert (result.exit_code, json.loads(result.stdout)["answer"]) == (0, ["Lyon"])


def test_a_question_about_a_table_that_is_refused_has_a_program_that_runs(run: Run, world: Store) -> None:
    world.load_table(EXAMPLES / "cities.csv")
    told = run("ask", "Which city became the capital of Austria?", "--source", "cities").stdout
    assert "not understood without an LLM" in told
    program = re.search(r'cgstore query "(.*)" --source cities', told)
    assert program
    assert run("query", program[1], "--source", "cities").exit_code == 0


def test_explain_says_why_this_program(run: Run, world: Store) -> None:
    assert "Why this program" in run("ask", QUESTIONS[0][0], "--explain").stdout


def test_openai_without_a_key_is_exit_code_4(run: Run, world: Store) -> None:
    result = run("ask", "Who?", "--llm", "openai")
    assert result.exit_code == 4
    assert "OPENAI_API_KEY" in result.stderr
