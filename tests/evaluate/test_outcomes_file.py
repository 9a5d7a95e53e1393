"""The file of a run: what is in it stands, settings must agree, secrets are not written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.outcome import OutcomesFile, read_outcomes, read_settings, settings_file, settings_of
from tests.evaluate.outcome_sample import outcome, question

LLM = {"name": "openai", "samples": 5}
SETTINGS = settings_of("films", "all", [question("1"), question("2")], {"llm": LLM})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "outcomes.jsonl"
    with OutcomesFile(path, SETTINGS) as kept:
        kept.write(outcome("1"))
        assert [one.id for one in read_outcomes(path)] == ["1"]  # on disk before the file is closed
    return path


def test_a_run_goes_on_with_what_is_in_the_file(path: Path) -> None:
    odd = outcome("2", program="get \ud800", question="wer ist Jörg?")
    with OutcomesFile(path, SETTINGS, resume=True) as kept:
        assert [one.id for one in kept.outcomes] == ["1"]
        kept.write(odd)
    assert read_outcomes(path) == [outcome("1"), odd]


def test_without_resume_or_without_a_file_it_is_begun_anew(path: Path) -> None:
    with OutcomesFile(path, SETTINGS):
        pass
    assert read_outcomes(path) == []
    with OutcomesFile(path.with_name("new.jsonl"), SETTINGS, resume=True) as kept:
        assert kept.outcomes == []


def test_a_line_that_was_cut_short_is_asked_again(path: Path) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write('{"id": "2", "quest')
    with OutcomesFile(path, SETTINGS, resume=True) as kept:
        kept.write(outcome("2"))
    assert [one.id for one in read_outcomes(path)] == ["1", "2"]


@pytest.mark.parametrize(
    ("gold", "others", "name"),
    [
        ("a", {"llm": {**LLM, "samples": 1}}, "llm"),
        ("a", {"llm": LLM, "seed": 1}, "seed"),
        ("b", {"llm": LLM}, "questions"),
    ],
)
def test_other_settings_are_refused_by_name(path: Path, gold: str, others: dict[str, object], name: str) -> None:
    settings = settings_of("films", "all", [question("1"), question("2", gold)], others)
    with pytest.raises(BadInput, match=rf"other settings: {name}\."):
        OutcomesFile(path, settings, resume=True)


def test_a_file_without_its_settings_is_refused(path: Path) -> None:
    settings_file(path).unlink()
    with pytest.raises(BadInput, match="is missing"):
        OutcomesFile(path, SETTINGS, resume=True)


@pytest.mark.parametrize("record", [{}, {"id": 1}, {"id": "2"}, {**outcome("2").to_json(), "scores": {}}])
def test_a_line_that_is_no_outcome_is_named(path: Path, record: dict[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(record) + "\n")
    with pytest.raises(BadInput, match=r"outcomes\.jsonl, line 2"):
        OutcomesFile(path, SETTINGS, resume=True)


def test_a_file_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        OutcomesFile(tmp_path / "none" / "outcomes.jsonl", SETTINGS)


def test_secrets_are_not_among_the_settings(tmp_path: Path) -> None:
    llm = {"name": "openai", "base_url": "https://me:secret@host:8000/v1?token=secret", "api_key": "secret"}
    path = tmp_path / "outcomes.jsonl"
    with OutcomesFile(path, settings_of("films", "all", [], {"llm": llm, "paths": [Path("a/b")]})):
        pass
    assert "secret" not in settings_file(path).read_text(encoding="utf-8")
    settings: Any = read_settings(path)
    assert (settings["llm"]["base_url"], settings["paths"]) == ("https://host:8000/v1", [str(Path("a/b"))])
