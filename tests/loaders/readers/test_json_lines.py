"""JSON Lines and WikiSQL's files as tables."""

from __future__ import annotations

import json
from pathlib import Path

from cgstore.loaders.readers.records import BadLine, Row, Table
from cgstore.loaders.table import read_tables


def _tables(folder: Path, text: str) -> list[Table]:
    path = folder / "t.jsonl"
    path.write_text(text, encoding="utf-8")
    return list(read_tables([str(path)]))


def test_the_columns_are_all_keys_in_order(tmp_path: Path) -> None:
    (table,) = _tables(tmp_path, '{"a": 1, "b": "x"}\n\n{"c": true, "a": 5.0}\n')
    assert table.columns == ("a", "b", "c")
    assert list(table.rows) == [Row(1, ["1", "x", ""]), Row(3, ["5", "", "true"])]


def test_nested_values_are_json_and_null_is_empty(tmp_path: Path) -> None:
    (table,) = _tables(tmp_path, '{"a": {"x": [1, "é"]}, "b": null}\n')
    assert list(table.rows) == [Row(1, ['{"x":[1,"é"]}', ""])]


def test_wikisql_holds_a_table_a_line(tmp_path: Path) -> None:
    lines = [
        {"id": "1-2", "header": ["A ", "B"], "types": ["text", "real"], "rows": [["x", 5.0], ["y", 1.5]]},
        {"header": ["A"], "rows": [["x", "y"], "z", ["w"]]},
    ]
    first, second = _tables(tmp_path, "\n".join(map(json.dumps, lines)))
    assert (first.name, first.columns) == ("1-2", ("A", "B"))
    assert list(first.rows) == [Row(1, ["x", "5"]), Row(2, ["y", "1.5"])]
    assert second.name == "t/2"
    assert [str(row) for row in second.rows if isinstance(row, BadLine)] == [
        "1: column 2: 2 cells where the table has 1 column",
        "2: not a list of cells",
    ]
