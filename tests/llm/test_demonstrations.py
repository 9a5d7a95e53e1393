"""Demonstrations: the shipped ones are sound, and a user's file is read with its mistakes named."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cgstore.catalog.kinds import DEMONSTRATED
from cgstore.errors import BadInput
from cgstore.llm.demonstrations import Demonstration, load_demonstrations, source_kinds
from cgstore.llm.masking import masked_by_program
from cgstore.query.parse import parse

SHIPPED = load_demonstrations()


@pytest.mark.parametrize("demonstration", SHIPPED[::5], ids=[d.question for d in SHIPPED[::5]])
def test_a_shipped_program_can_be_read_and_speaks_of_its_question(demonstration: Demonstration) -> None:
    assert parse(demonstration.program, undefined=True).queries
    if demonstration.source == "tkg":
        assert "{entity}" in masked_by_program(demonstration.question, demonstration.program)


def test_shipped_questions_are_distinct_and_of_many_kinds() -> None:
    assert len({d.question for d in SHIPPED}) == len(SHIPPED)
    assert len({d.kind for d in SHIPPED}) >= 20


def test_a_user_s_demonstrations_come_first(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    mine = {"question": "Who wed Ann?", "program": "get_information(head_entity='Ann', relation='spouse')"}
    file.write_text(json.dumps(mine) + "\n\n", encoding="utf-8")
    assert load_demonstrations([file])[0].question == "Who wed Ann?"


def test_shipped_demonstrations_are_about_the_kind_of_source_of_their_file() -> None:
    counts = Counter(demonstration.source for demonstration in SHIPPED)
    assert set(counts) == set(DEMONSTRATED) and min(counts.values()) >= 8


def test_a_user_s_demonstration_is_about_any_source_unless_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    any_source = {"question": "Who wed Ann?", "program": "count(set='Ann')"}
    of_tables = {"question": "Who won?", "program": "count(set='Ann')", "source": "table"}
    file.write_text(f"{json.dumps(any_source)}\n{json.dumps(of_tables)}\n", encoding="utf-8")
    assert [d.source for d in load_demonstrations([file])[:2]] == ["", "table"]


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


def test_an_unknown_kind_of_source_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"question": "Who?", "program": "x", "source": "tabel"}\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 1: .*there is no kind of source 'tabel'"):
        load_demonstrations([file])


@pytest.mark.parametrize("line", ["{", "[]", '{"question": "Who?"}', '{"question": 1, "program": "x"}'])
def test_a_bad_line_is_named_with_its_number(line: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"mine\.jsonl, line 2"):
        load_demonstrations([file])


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        load_demonstrations([tmp_path / "none.jsonl"])
