from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.loaders.readers.text import TextLoadOptions
from cgstore.loaders.statements import read_statements
from cgstore.model import Role
from cgstore.text.numbers import NumberText

JSON_START = '"subject": "a", "relation": "r", "object": "b"'


def _write(folder: Path, text: str | bytes, name: str = "facts.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _read(path: Path, header: bool | None = None) -> list[Statement]:
    items = list(read_statements(path, TextLoadOptions(header=header)))
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item for item in items if isinstance(item, Statement)]


def _json(folder: Path, *lines: str) -> Path:
    return _write(folder, "".join(f"{line}\n" for line in lines), "facts.jsonl")


# Delimited text


def test_a_line_is_a_fact_with_pairs_of_qualifiers_in_their_order(tmp_path: Path) -> None:
    path = _write(tmp_path, "Q1,P1,Q2\n\nQ1,P1,Q3,P9,Q7,P2,Q5,P9,Q6\n", "train.txt")
    assert _read(path) == [
        Statement("Q1", "P1", "Q2", line=1),
        Statement("Q1", "P1", "Q3", (("P9", "Q7"), ("P2", "Q5"), ("P9", "Q6")), line=3),
    ]


# JSON Lines


@pytest.mark.parametrize("name", ["f.jsonl", "f.ndjson", "f.json", "f.jsonl.gz", "f.txt"])
def test_a_json_object_is_a_fact(tmp_path: Path, name: str) -> None:
    data = b"\n{%s}\n" % JSON_START.encode()
    found = _read(_write(tmp_path, gzip.compress(data) if name.endswith("gz") else data, name))
    assert found == [Statement("a", "r", "b", line=2)]


@pytest.mark.parametrize(
    "qualifiers",
    [
        '{"k": "v", "l": ["w", "x"]}',
        '[["k", "v"], ["l", "w"], ["l", "x"]]',
        '[["k", "v"], ["l", ["w", "x"]]]',
        '[{"key": "k", "value": "v"}, {"object": "w", "relation": "l"}, {"relation": "l", "value": "x"}]',
    ],
)
def test_qualifiers_may_be_written_in_several_ways(tmp_path: Path, qualifiers: str) -> None:
    found = _read(_json(tmp_path, f'{{{JSON_START}, "qualifiers": {qualifiers}}}'))
    assert found[0].qualifiers == (("k", "v"), ("l", "w"), ("l", "x"))


@pytest.mark.parametrize("nothing", ["null", "{}", "[]", '{"k": []}'])
def test_qualifiers_may_be_none(tmp_path: Path, nothing: str) -> None:
    assert _read(_json(tmp_path, f'{{{JSON_START}, "qualifiers": {nothing}}}'))[0].qualifiers == ()


def test_fields_have_synonyms(tmp_path: Path) -> None:
    assert _read(_json(tmp_path, '{"head": "a", "Predicate": "r", "tail": "b"}'))[0][:3] == ("a", "r", "b")


def test_numbers_and_booleans_become_text_as_written_and_are_values(tmp_path: Path) -> None:
    numbers = ["5", "5.0", "-1e3", "1" * 5000, "true", "false"]
    lines = [f'{{"subject": "a", "relation": "r", "object": {n}, "qualifiers": {{"k": {n}}}}}' for n in numbers]
    found = _read(_json(tmp_path, *lines))
    assert [statement.tail for statement in found] == numbers == [statement.qualifiers[0][1] for statement in found]
    assert {statement.tail_role for statement in found} == {Role.VALUE}
    assert [type(statement.tail) for statement in found] == [NumberText] * 4 + [str] * 2


def test_other_keys_are_passed_over_with_a_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _json(tmp_path, f'{{"id": 7, {JSON_START}, "source": {{"x": []}}, "\\ud800": 1}}')
    assert len(list(read_statements(path, warnings=warnings))) == 1
    assert "passed over: 'id', 'source', '?'." in warnings[0]


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
_NAME = _TEXT.map(str.strip).filter(bool)
_STATEMENTS = st.lists(st.tuples(_NAME, _NAME, _NAME, st.lists(st.tuples(_NAME, _NAME), max_size=4)), min_size=1)
_Rows = list[tuple[str, str, str, list[tuple[str, str]]]]


def _plain(statements: list[Statement]) -> _Rows:
    return [(*statement[:3], list(statement.qualifiers)) for statement in statements]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_STATEMENTS, st.booleans())
def test_what_is_written_as_json_lines_is_read_back(tmp_path: Path, rows: _Rows, ascii_only: bool) -> None:
    names = ("subject", "relation", "object", "qualifiers")
    lines = [json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=ascii_only) for row in rows]
    assert _plain(_read(_json(tmp_path, *lines))) == rows
