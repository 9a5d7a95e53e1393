"""Tables of a database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import Row
from cgstore.loaders.table import TableOptions, read_tables

pytest.importorskip("sqlalchemy")


@pytest.fixture
def url(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "shop.db") as db:
        db.executescript(
            """CREATE TABLE item (id INTEGER PRIMARY KEY, "unit price" REAL, sold DATE, note TEXT);
            INSERT INTO item VALUES (2, 5.0, '2004-07-02', NULL), (1, 0.5, NULL, 'a:b');
            CREATE TABLE "select" (x); CREATE VIEW dear AS SELECT id FROM item WHERE "unit price" > 1;"""
        )
    return f"sqlite:///{tmp_path}/shop.db"


def test_all_tables_and_views_are_read_by_their_keys(url: str) -> None:
    tables = {table.name: table for table in read_tables([url])}
    assert list(tables) == ["dear", "item", "select"]
    assert tables["item"].columns == ("id", "unit price", "sold", "note")
    assert list(tables["item"].rows) == [Row(1, ["1", "0.5", "", "a:b"]), Row(2, ["2", "5", "2004-07-02", ""])]
    assert (list(tables["select"].rows), list(tables["dear"].rows)) == ([], [Row(1, ["2"])])


def test_a_query_is_a_table_or_a_select_statement(url: str) -> None:
    assert [table.name for table in read_tables([url], TableOptions(query="dear"))] == ["dear"]
    (table,) = read_tables([url], TableOptions(query="SELECT id, id, ':x' AS y FROM item ORDER BY id"))
    assert table.name.startswith("SELECT") and table.columns == ("id", "id", "y")
    assert next(iter(table.rows)) == Row(1, ["1", "1", ":x"])


@pytest.mark.parametrize(
    "url",
    [
        "nosuch://user:s3cr%40t@host/db",
        "postgresql://user:s3cr%40t@127.0.0.1:1/db",
        "sqlite:////nowhere/x.db?password=s3cr%40t",
        "postgresql://user:s3cr%40t@[host:x/db",
        "postgresql://user:s3cr%40t@host:port/db",
        "http://user:s3cr%40t@host/x.csv",
    ],
)
def test_no_error_shows_a_password(url: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(read_tables([url]))
    shown = f"{caught.value} {caught.value.__cause__} {caught.value.__context__}"
    assert "s3cr" not in shown
