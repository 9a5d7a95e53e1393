"""JSON Lines and WikiSQL's files as tables."""

from __future__ import annotations

import json
from pathlib import Path

from cgstore.loaders.readers.records import Row, Table
from cgstore.loaders.table import read_tables


def _tables(folder: Path, text: str) -> list[Table]:
    path = folder / "t.jsonl"
    path.write_text(text, encoding="utf-8")
    return list(read_tables([str(path)]))


def test_the_columns_are_all_keys_in_order_with_texts_of_their_values(tmp_path: Path) -> None:
    (table,) = _tables(tmp_path, '{"a": 1, "b": null}\n\n{"c": true, "a": 5.0, "b": {"x": [1, "é"]}}\n')
    assert table.columns == ("a", "b", "c")
    assert list(table.rows) == [Row(1, ["1", "", ""]), Row(3, ["5", '{"x":[1,"é"]}', "true"])]


def test_wikisql_holds_a_table_a_line(tmp_path: Path) -> None:
    lines = [
        {"id": "1-2", "header": ["A ", "B"], "types": ["text", "real"], "rows": [["x", 5.0], ["y", 1.5]]},
        {"header": ["A"], "rows": [["w"]]},
    ]
    first, second = _tables(tmp_path, "\n".join(map(json.dumps, lines)))
    assert (first.name, first.columns) == ("1-2", ("A", "B"))
    assert list(first.rows) == [Row(1, ["x", "5"]), Row(2, ["y", "1.5"])]
    assert (second.name, list(second.rows)) == ("t/2", [Row(1, ["w"])])
