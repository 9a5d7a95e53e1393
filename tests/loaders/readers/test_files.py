"""Where tables come from: files, folders, patterns; and the data sets that all of them must be read of."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.inputs import REJECTED_HEADER as HEADER
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.table import TableOptions, read_tables
from tests.conftest import DATA


def _write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = b"a\tb\n1\t2\n" if ".tsv" in name.lower() else b'{"a": 1}\n' if ".jsonl" in name else b"a,b\n1,2\n"
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)


def _names(*paths: Path | str) -> list[str]:
    return [table.name for table in read_tables([str(path) for path in paths])]


def test_a_file_is_named_by_its_stem_whatever_it_is_called(tmp_path: Path) -> None:
    files = ("x/a.csv.gz", "x/b.v1.tsv", "x/c", "x/d[1].csv")
    _write(tmp_path, *files, "x/d1.csv")
    assert _names(*(tmp_path / file for file in files)) == ["a", "b.v1", "c", "d[1]"]


def test_a_folder_is_read_in_order_without_what_is_hidden_or_unknown(tmp_path: Path) -> None:
    names = ("2/b.TSV", "2/a.csv.gz", "1/c.jsonl", "z.csv", ".h/d.csv", ".e.csv", "~$f.xlsx", "notes.md")
    _write(tmp_path, *names, "b.rejected.csv")
    (tmp_path / "a.rejected.tsv").write_text(HEADER)  # of a load
    assert _names(tmp_path) == ["1/c", "2/a", "2/b", "b.rejected", "z"]


def test_a_pattern_names_by_the_path_below_its_fixed_part(tmp_path: Path) -> None:
    _write(tmp_path, "w/2/b.csv", "w/1/a.csv", "w/1/a.txt")
    assert _names(tmp_path / "w/*/*.csv") == _names(tmp_path / "w/**/*.[ct]s[v]") == ["1/a", "2/b"]
    assert _names(tmp_path / "w/[12]") == ["1/a", "2/b"]


def test_a_file_that_comes_twice_is_read_once(tmp_path: Path) -> None:
    _write(tmp_path, "a.csv", "b.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    given = ("b.csv", "", "*.csv", "link.csv", f"../{tmp_path.name}/b.csv")
    assert _names(*(tmp_path / each for each in given)) == ["b", "a"]


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No input"):
        _names()
    _write(tmp_path, "a.csv", "deep/b.csv")
    with pytest.raises(BadInput, match="A query is given"):
        list(read_tables([str(tmp_path / "a.csv")], TableOptions(query="x")))
    with pytest.raises(BadInput, match="cannot be read"):
        _names(tmp_path / "a.csv" / "x")
    os.mkfifo(tmp_path / "deep" / "z.csv")
    with pytest.raises(BadInput, match=r"z\.csv is not an ordinary file"):
        _names(tmp_path)


def test_many_tables_keep_no_file_open(tmp_path: Path) -> None:
    _write(tmp_path, *(f"{number}.csv" for number in range(50)))
    tables = list(read_tables([str(tmp_path)]))
    opened = {os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}  # noqa: PTH208
    assert len(tables) == 50 and not any(str(tmp_path) in name for name in opened)


@pytest.mark.parametrize(
    ("place", "count", "name"),
    [("wtq/csv", 2108, "203-csv/733"), ("wikisql/dev.tables.jsonl", 1695, "1-10015132-16")],
)
def test_all_tables_of_a_data_set_are_read(place: str, count: int, name: str) -> None:
    if not (DATA / place).exists():
        pytest.skip(f".data/{place} is not there")
    tables = {table.name: table for table in read_tables([str(DATA / place)])}
    assert len(tables) == count and name in tables
    assert not [(table.name, row) for table in tables.values() for row in table.rows if isinstance(row, BadLine)]
    if place == "wtq/csv":  # as people see it
        assert tables[name].columns == ("Rank", "Cyclist", "Team", "Time", "UCI ProTour Points")


@pytest.mark.parametrize(
    ("name", "module"), [("a.xlsx", "openpyxl"), ("a.parquet", "pyarrow"), ("sqlite:///a.db", "sqlalchemy")]
)
def test_a_missing_library_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a.xlsx").touch()
    (tmp_path / "a.parquet").touch()
    with pytest.raises(BadInput, match=f"the library {module} is missing") as caught:
        list(read_tables([name if "://" in name else str(tmp_path / name)]))
    assert caught.value.hint == "pip install 'cgstore[table]'"
