"""The file of a run: what is in it stands, settings must agree, secrets are not written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from outcome_sample import outcome, question

from cgstore.errors import BadInput
from cgstore.evaluate.outcome import OutcomesFile, read_outcomes, read_settings, settings_file, settings_of

SETTINGS = settings_of("films", "all", [question("1"), question("2")], {"llm": {"name": "openai", "samples": 5}})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "outcomes.jsonl"
    with OutcomesFile(path, SETTINGS) as kept:
        kept.write(outcome("1"))
    return path


def test_a_line_is_on_disk_before_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    with OutcomesFile(path, SETTINGS) as kept:
        kept.write(outcome("1"))
        assert [one.id for one in read_outcomes(path)] == ["1"]


def test_a_run_goes_on_with_what_is_in_the_file(path: Path) -> None:
    with OutcomesFile(path, SETTINGS, resume=True) as kept:
        assert [one.id for one in kept.outcomes] == ["1"]
        kept.write(outcome("2"))
    assert [one.id for one in read_outcomes(path)] == ["1", "2"]


def test_without_resume_the_file_is_begun_anew(path: Path) -> None:
    with OutcomesFile(path, SETTINGS):
        pass
    assert read_outcomes(path) == []


def test_a_file_that_is_not_there_is_begun(tmp_path: Path) -> None:
    with OutcomesFile(tmp_path / "new.jsonl", SETTINGS, resume=True) as kept:
        assert kept.outcomes == []


def test_a_line_that_was_cut_short_is_asked_again(path: Path) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write('{"id": "2", "quest')
    with OutcomesFile(path, SETTINGS, resume=True) as kept:
        kept.write(outcome("2"))
    assert [one.id for one in read_outcomes(path)] == ["1", "2"]


@pytest.mark.parametrize(
    ("others", "name"),
    [({"llm": {"name": "openai", "samples": 1}}, "llm"), ({"llm": SETTINGS["llm"], "seed": 1}, "seed")],
)
def test_other_settings_are_refused_by_name(path: Path, others: dict[str, object], name: str) -> None:
    settings = settings_of("films", "all", [question("1"), question("2")], others)
    with pytest.raises(BadInput, match=rf"other settings: {name}\."):
        OutcomesFile(path, settings, resume=True)


def test_other_questions_are_refused(path: Path) -> None:
    settings = settings_of("films", "all", [question("1"), question("2", "b")], {"llm": SETTINGS["llm"]})
    with pytest.raises(BadInput, match="other settings: questions"):
        OutcomesFile(path, settings, resume=True)


def test_a_file_without_its_settings_is_refused(path: Path) -> None:
    settings_file(path).unlink()
    with pytest.raises(BadInput, match="is missing"):
        OutcomesFile(path, SETTINGS, resume=True)


def test_a_line_that_is_no_outcome_is_named(path: Path) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write('{"id": "2"}\n')
    with pytest.raises(BadInput, match=r"outcomes\.jsonl, line 2"):
        OutcomesFile(path, SETTINGS, resume=True)


def test_a_file_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        OutcomesFile(tmp_path / "none" / "outcomes.jsonl", SETTINGS)


def test_text_that_is_no_unicode_is_kept(path: Path) -> None:
    odd = outcome("2", program="get \ud800", question="wer ist Jörg?")
    with OutcomesFile(path, SETTINGS, resume=True) as kept:
        kept.write(odd)
    assert read_outcomes(path)[1] == odd


def test_secrets_are_not_among_the_settings(tmp_path: Path) -> None:
    llm = {"name": "openai", "base_url": "https://me:secret@host:8000/v1?token=secret", "api_key": "secret"}
    path = tmp_path / "outcomes.jsonl"
    with OutcomesFile(path, settings_of("films", "all", [], {"llm": llm, "paths": [Path("a/b")]})):
        pass
    assert "secret" not in settings_file(path).read_text(encoding="utf-8")
    assert read_settings(path)["llm"]["base_url"] == "https://host:8000/v1"  # type: ignore[index]
    assert json.loads(settings_file(path).read_text(encoding="utf-8"))["paths"] == [str(Path("a/b"))]
