"""`cgstore ask` on the example, where the programs of some questions are kept as right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.store import Store
from tests.cli.conftest import EXAMPLES, Run
from tests.known import CHANCELLOR, WORLD

NOTHING = {"question": "Who was king of Atlantis?", "reply": "get_information(tail_entity='king of Atlantis')"}


QUESTIONS = [line.split("\t") for line in (EXAMPLES / "questions.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("expected", "program"), [(e, p) for _, e, _, p in QUESTIONS], ids=[q for q, *_ in QUESTIONS])
def test_the_program_of_an_example_question_gives_its_answer(world: Store, expected: str, program: str) -> None:
    answer = world.query(program, ["world"])
    assert set(map(str, answer.answer)) == set(expected.split("|")) and answer.evidence


@pytest.fixture
def replies(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options of a backend that knows the program of one question, which gives nothing."""
    file = tmp_path / "replies.jsonl"
    file.write_text(json.dumps(NOTHING) + "\n", encoding="utf-8")
    return "--llm", "replay", "--replies", file


@pytest.mark.parametrize("llm", [(), ("--llm", "demos"), ("--llm", "small")], ids=["default", "demos", "small"])
def test_a_question_is_answered_with_its_proof(run: Run, world: Store, llm: tuple[str, ...]) -> None:
    result = run("ask", CHANCELLOR, "--json", *llm)
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["answer"]) == (0, ["Helmut Kohl"])
    assert answer["program"] == WORLD[CHANCELLOR] and answer["evidence"]


@pytest.mark.parametrize(
    "question",
    [NOTHING["question"], "What is the weather?", "MATCH (n) DETACH DELETE n", "'; DROP TABLE x; --", "?", "誰ですか"],
)
def test_what_cannot_be_answered_is_said_with_exit_code_1(
    run: Run, world: Store, replies: tuple[str | Path, ...], question: str
) -> None:
    result = run("ask", question, *replies)
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer.")
    assert "Note: " in result.stdout


@pytest.mark.parametrize("question", ["", "  "])
def test_an_empty_question_is_a_usage_error(run: Run, question: str) -> None:
    done = run("ask", question)
    assert done.exit_code == 2 and "question" in done.stderr


def test_explain_says_why_this_program(run: Run, world: Store) -> None:
    shown = run("ask", CHANCELLOR, "--explain").stdout
    assert "Why this program" in shown and "kept as right for this question" in shown


def test_openai_without_a_key_is_exit_code_4(run: Run, world: Store) -> None:
    result = run("ask", "Who?", "--llm", "openai")
    assert result.exit_code == 4
    assert "OPENAI_API_KEY" in result.stderr
