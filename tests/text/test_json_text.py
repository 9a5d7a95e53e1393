"""A key that stands twice in a JSON object is an error wherever JSON is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.files import json_lines
from cgstore.llm.backends.replay import read_recorded
from cgstore.llm.demonstrations import read_demonstrations
from cgstore.llm.demonstrations.build import read_questions
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.statements import read_statements
from cgstore.loaders.table import read_tables
from cgstore.loaders.tkg import read_tkg
from cgstore.text.json_text import read_json

TWICE = "the key 'relation' stands twice in an object"


def test_an_object_with_a_key_twice_is_refused() -> None:
    assert read_json('{"a": {"b": 1}, "c": NaN}', parse_constant=str) == {"a": {"b": 1}, "c": "NaN"}
    with pytest.raises(ValueError, match="the key 'b' stands twice in an object; several values of one key are a list"):
        read_json('{"a": {"b": 1, "b": 2}}')


def rows(path: Path) -> list[object]:
    (table,) = read_tables([str(path)])
    return list(table.rows)


@pytest.mark.parametrize(
    "read", [rows, lambda path: list(read_statements(path)), lambda path: list(read_tkg(path))], ids=["t", "s", "tkg"]
)
def test_a_line_with_a_key_twice_is_a_bad_line(tmp_path: Path, read: Callable[[Path], list[object]]) -> None:
    line = '{"head": "a", "relation": "r", "tail": "b", "start": "2004"}'
    path = tmp_path / "t.jsonl"
    path.write_text(line + "\n" + line.replace('"tail"', '"relation": "s", "tail"') + "\n")
    good, bad = read(path)
    assert isinstance(bad, BadLine) and not isinstance(good, BadLine)
    assert TWICE in bad.problem


@pytest.mark.parametrize(
    "read",
    [read_recorded, lambda path: read_demonstrations([path]), read_questions, lambda path: list(json_lines(path))],
    ids=["recorded", "demonstrations", "questions", "benchmark"],
)
def test_a_file_with_a_key_twice_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"question": "q", "reply": "r", "program": "p", "answer": "a", "relation": 1, "relation": 2}\n')
    with pytest.raises(BadInput, match="line 1: .*" + TWICE):
        read(path)
