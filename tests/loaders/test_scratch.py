"""A disk that is full, and memory that ran out: a sentence that says what to do, and nothing is loaded."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, NoRoom
from cgstore.loaders.graph import NodeNames
from cgstore.loaders.rdf import files, read_rdf
from cgstore.loaders.readers import excel, frame, sql
from cgstore.store import Store
from tests.conftest import ROOT
from tests.loaders.samples import many_facts, write_csv

EXAMPLES = ROOT / "examples"


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite says of a file that may have thirty pages what it says of a full disk."""
    connect = sqlite3.connect

    def connect_to_a_small_file(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 30")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_small_file)


def _said(*arguments: str | Path) -> dict[str, str]:
    """What a command that ends with exit code 2 says under --json."""
    result = CliRunner().invoke(main, [*map(str, arguments), "--dry-run", "--json"])
    assert (result.exit_code, result.exception.__class__) == (2, SystemExit)
    assert "Traceback" not in result.stderr
    said: dict[str, str] = json.loads(result.stdout)
    return said


@pytest.mark.parametrize("kind", ["kg", "tkg", "statements", "aliases"])
def test_a_full_disk_while_staging_says_where(tmp_path: Path, full_disk: None, kind: str) -> None:
    path = tmp_path / "facts.csv"
    if kind == "tkg":
        write_csv(path, many_facts(3000))
    else:
        relation = "" if kind == "aliases" else "r,"
        path.write_text("".join(f"entity {i},{relation}tail {i}\n" for i in range(5000)))
    said = _said("load", kind, path)
    assert "A temporary file cannot be written" in said["error"]
    assert "database or disk is full. Nothing was loaded." in said["error"]
    assert "TMPDIR" in said["hint"]


def test_a_full_disk_while_rdf_is_staged_says_so(tmp_path: Path, full_disk: None) -> None:
    path = tmp_path / "many.nt"
    path.write_text("".join(f"<http://x/{i}> <http://x/r> <http://x/t{i}> .\n" for i in range(5000)))
    with pytest.raises(NoRoom, match="disk is full"):
        list(read_rdf([path], source="x"))


def test_a_full_disk_while_a_graph_is_read_says_so() -> None:
    with pytest.raises(NoRoom, match="disk is full"), NodeNames() as names:
        names.sql.execute("PRAGMA max_page_count = 3")
        for number in range(10_000):
            names.add(f"4:x:{number}", ["Node"], {})


@contextmanager
def _small_files(size: int) -> Iterator[None]:
    """No file of this process may be larger than `size` bytes: what is larger fails as on a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_export_that_finds_no_room_leaves_no_file(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("".join(f"a\tr\t{'x' * 500} {i}\n" for i in range(200)))
    store = Store(db)
    store.load_kg(path)
    out = tmp_path / "out.tsv"
    with pytest.raises(NoRoom, match="Nothing was exported"), _small_files(50_000):
        store.export("kb", out)
    with pytest.raises(NoRoom, match="temporary file"), _small_files(50_000):
        store.export("kb", io.BytesIO())
    assert not out.exists()


def _no_memory(*_: object, **__: object) -> None:
    raise MemoryError


def test_memory_that_ran_out_is_not_told_as_a_fault_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("sqlalchemy")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet, "ParquetFile", _no_memory)
    with pytest.raises(NoRoom, match="memory of this machine ran out while"), frame._parquet(tmp_path / "t.parquet"):
        pass
    workbook = tmp_path / "book.xlsx"
    openpyxl.Workbook().save(workbook)
    with pytest.raises(NoRoom, match="memory of this machine ran out while"), excel._opened(workbook):
        _no_memory()
    with pytest.raises(NoRoom, match="memory of this machine ran out while"), sql._Source.of("sqlite://").connected():
        _no_memory()
    with pytest.raises(NoRoom, match="memory of this machine ran out while"), files.opened(EXAMPLES / "places.ttl"):
        _no_memory()
    with pytest.raises(MemoryError):
        frame.text_of(_Large())


class _Large:
    def __str__(self) -> str:
        raise MemoryError


@pytest.mark.parametrize("error", [RecursionError, KeyboardInterrupt])
def test_what_ends_a_reading_of_rdf_is_itself(error: type[BaseException]) -> None:
    told = BadInput if error is RecursionError else error  # the file is nested too deeply
    with pytest.raises(told), files.opened(EXAMPLES / "places.ttl"):
        raise error


def test_the_command_line_says_that_memory_ran_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.loaders.kg.read_kg", _no_memory)
    assert _said("load", "kg", EXAMPLES / "films.txt")["error"] == "The memory of this machine ran out."
