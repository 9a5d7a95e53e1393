"""Demonstrations: the shipped ones are sound, and a user's file is read with its mistakes named."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cgstore.catalog.kinds import DEMONSTRATED
from cgstore.errors import BadInput
from cgstore.llm.demonstrations import load_demonstrations, source_kinds
from cgstore.llm.masking import masked_by_program
from cgstore.query.parse import parse

SHIPPED = load_demonstrations()


def test_shipped_programs_can_be_read_and_speak_of_their_questions() -> None:
    for demonstration in SHIPPED:  # the answers of those that are not temporal: tests/llm/test_shipped_programs.py
        assert parse(demonstration.program, undefined=True).queries
        if demonstration.source == "tkg":
            assert "{entity}" in masked_by_program(demonstration.question, demonstration.program)


def test_shipped_questions_are_distinct_of_many_kinds_and_about_every_kind_of_source() -> None:
    assert len({d.question for d in SHIPPED}) == len(SHIPPED)
    assert len({d.kind for d in SHIPPED}) >= 20
    counts = Counter(demonstration.source for demonstration in SHIPPED)
    assert set(counts) == set(DEMONSTRATED) and min(counts.values()) >= 8


def test_a_user_s_demonstrations_come_first_about_any_source_unless_they_say_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    any_source = {"question": "Who wed Ann?", "program": "count(set='Ann')"}
    of_tables = {"question": "Who won?", "program": "count(set='Ann')", "source": "table"}
    file.write_text(f"{json.dumps(any_source)}\n{json.dumps(of_tables)}\n", encoding="utf-8")
    found = [(d.question, d.source) for d in load_demonstrations([file])[:2]]
    assert found == [("Who wed Ann?", ""), ("Who won?", "table")]


@pytest.mark.parametrize(
    ("kinds", "fitting"),
    [
        (["table"], ("table",)),
        (["rdf"], ("kg",)),
        (["graph", "tkg"], ("kg", "tkg")),
        (["statements"], ("kg", "statements")),
    ],
)
def test_demonstrations_fit_kinds_of_sources(kinds: list[str], fitting: tuple[str, ...]) -> None:
    assert source_kinds(kinds) == fitting


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", ""),
        ("[]", ""),
        ('{"question": "Who?"}', ""),
        ('{"question": 1, "program": "x"}', ""),
        ('{"question": "Who?", "program": "x", "source": "tabel"}', "there is no kind of source 'tabel'"),
    ],
)
def test_a_bad_line_is_named_with_its_number(line: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=rf"mine\.jsonl, line 2.*{problem}"):
        load_demonstrations([file])
    with pytest.raises(BadInput, match="cannot be read"):
        load_demonstrations([tmp_path / "none.jsonl"])
