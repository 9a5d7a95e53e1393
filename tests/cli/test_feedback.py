"""`cgstore right`, `wrong`, `asked` and `ask --follow-up`, with recorded replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding import encoder
from cgstore.llm import remembered
from tests.cli.conftest import Run
from tests.embedding.test_vectors import Trigrams

WED = "get_information(head_entity='Ann', relation='spouse')"
WED_TO = "get_information(relation='spouse', tail_entity='Dan')"
QUESTION = "Who wed Ann?"


@pytest.fixture
def asked(run: Run, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A source of two triples, nothing remembered, and the question asked once."""
    monkeypatch.setattr(encoder, "load_encoder", lambda name=None: Trigrams(name or "trigrams"))
    monkeypatch.setattr(remembered, "answers_folder", lambda: tmp_path / "answers")
    (tmp_path / "people.csv").write_text("Ann,spouse,Bob\nCleo,spouse,Dan\n", encoding="utf-8")
    (tmp_path / "replies.jsonl").write_text(json.dumps({"question": QUESTION, "reply": WED}) + "\n", encoding="utf-8")
    assert run("load", "kg", tmp_path / "people.csv").exit_code == 0
    assert run("ask", "--llm", "replay", "--replies", tmp_path / "replies.jsonl", QUESTION).exit_code == 0
    yield run


def stored(run: Run) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run("demos", "list", "--json").stdout)
    return found


def test_a_right_answer_becomes_a_demonstration_of_its_source_unless_it_has_changed(asked: Run, tmp_path: Path) -> None:
    result = asked("right")
    assert (result.exit_code, result.stdout) == (0, f"Kept as a demonstration: {QUESTION}\n")
    (one,) = stored(asked)
    assert (one["program"], one["state"], one["source_kind"]) == (WED, "right", "kg")
    assert one["sources"] == ["people"]
    asked("demos", "remove", "--all")
    (tmp_path / "people.csv").write_text("Ann,spouse,Otto\n", encoding="utf-8")
    assert asked("load", "kg", tmp_path / "people.csv", "--replace").exit_code == 0
    result = asked("right")
    assert result.exit_code == 2
    assert "The program now gives 'Otto', and not 'Bob', so it is not kept." in result.stderr
    assert stored(asked) == []


def test_a_wrong_answer_is_kept_with_its_correction(asked: Run) -> None:
    assert asked("wrong", "--answer", "Dan", "--answer", "Eve").exit_code == 0
    (one,) = stored(asked)
    assert (one["state"], one["wrong_program"], one["gave"], one["gold"]) == ("wrong", WED, ["Bob"], ["Dan", "Eve"])
    assert "(corrected)" in asked("demos", "list").stdout
    assert asked("demos", "remove", QUESTION).exit_code == 0
    assert stored(asked) == []


def test_the_name_of_another_node_is_no_spelling(asked: Run, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("Bób,spouse,Zoe\n", encoding="utf-8")
    assert asked("load", "kg", tmp_path / "more.csv").exit_code == 0
    assert asked("wrong", "--answer", "Bób").exit_code == 0
    assert [one["gold"] for one in stored(asked)] == [["Bób"]]


def test_a_right_program_becomes_a_demonstration(asked: Run) -> None:
    result = asked("wrong", "--program", WED_TO, "--answer", "Cleo")
    assert result.exit_code == 0, result.output
    (one,) = stored(asked)
    assert (one["state"], one["program"], one["wrong_program"], one["gold"]) == ("right", WED_TO, WED, ["Cleo"])


NO_CORRECTION = [
    ([], "The right answer is missing."),
    (["--answer", "bob"], "The answer was 'Bob': the same."),
    (["--answer", "Bôb"], "The answer was 'Bob': the same but for the spelling."),
    (["--program", WED_TO, "--answer", "Dan"], "The program gives 'Cleo', and not the right answer."),
    (["--program", "get_information(relation='spouse', tail_entity='Ann')"], "The program gives no answer."),
    (["--program", "fly(set='x')"], "The program cannot be run"),
    (["7", "--answer", "Dan"], "1 answer of this database can be judged, and not 7."),
]


def test_what_is_no_correction_is_refused(asked: Run) -> None:
    for arguments, message in NO_CORRECTION:
        result = asked("wrong", *arguments)
        assert (result.exit_code, message in result.stderr) == (2, True), message
    assert stored(asked) == []


def test_the_last_questions_are_listed_and_forgotten(asked: Run) -> None:
    assert asked("asked").stdout == "  1  Who wed Ann?  ->  'Bob'\n"
    assert json.loads(asked("asked", "--json").stdout)[0]["program"] == WED
    assert asked("asked", "--clear").stdout == "Forgot 1 answer.\n"
    assert asked("asked").stdout == "There are none.\n"
    assert asked("right").exit_code == 2
    result = asked("ask", "--follow-up", "And Cleo?")
    assert (result.exit_code, "There is no question to follow up." in result.stderr) == (2, True)


def test_without_an_llm_no_question_follows_up(asked: Run) -> None:
    result = asked("ask", "--llm", "small", "--follow-up", "And Cleo?")
    assert result.exit_code == 2
    assert "The backend small cannot follow up: it reads each question by itself." in result.stderr
