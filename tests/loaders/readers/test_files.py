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
        text = b"a\tb\n1\t2\n" if ".tsv" in name else b'{"a": 1}\n' if ".jsonl" in name else b"a,b\n1,2\n"
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)


def _names(*paths: Path | str) -> list[str]:
    return [table.name for table in read_tables([str(path) for path in paths])]


def test_a_file_is_named_by_its_stem(tmp_path: Path) -> None:
    _write(tmp_path, "x/a.csv.gz", "x/b.v1.tsv", "x/c")
    assert _names(tmp_path / "x/a.csv.gz", tmp_path / "x/b.v1.tsv", tmp_path / "x/c") == ["a", "b.v1", "c"]


def test_a_folder_is_read_in_order_without_what_is_hidden_or_unknown(tmp_path: Path) -> None:
    _write(tmp_path, "2/b.tsv", "2/a.csv", "1/c.jsonl", "z.csv", ".h/d.csv", ".e.csv", "~$f.xlsx", "notes.md")
    assert _names(tmp_path) == ["1/c", "2/a", "2/b", "z"]


def test_rejected_lines_of_a_load_are_no_table(tmp_path: Path) -> None:
    _write(tmp_path, "a.csv", "b.rejected.tsv")
    (tmp_path / "a.rejected.tsv").write_text(HEADER)
    assert _names(tmp_path) == ["a", "b.rejected"]


def test_a_pattern_names_by_the_path_below_its_fixed_part(tmp_path: Path) -> None:
    _write(tmp_path, "w/2/b.csv", "w/1/a.csv", "w/1/a.txt")
    assert _names(tmp_path / "w/*/*.csv") == _names(tmp_path / "w/**/*.csv") == ["1/a", "2/b"]


def test_a_file_that_comes_twice_is_read_once(tmp_path: Path) -> None:
    _write(tmp_path, "a.csv", "b.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    assert _names(tmp_path / "b.csv", tmp_path, tmp_path / "*.csv", tmp_path / "link.csv") == ["b", "a"]


def test_options_that_fit_no_input_are_refused(tmp_path: Path) -> None:
    _write(tmp_path, "a.csv")
    for option in ("sheet", "query"):
        with pytest.raises(BadInput, match=f"A {option} is given"):
            list(read_tables([str(tmp_path / "a.csv")], TableOptions(**{option: "x"})))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="No input"):
        _names()


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
    tables = list(read_tables([str(DATA / place)]))
    assert len(tables) == count and name in {table.name for table in tables}
    assert not [(table.name, row) for table in tables for row in table.rows if isinstance(row, BadLine)]


def test_wikitablequestions_is_read_as_people_see_it() -> None:
    path = DATA / "wtq/csv/203-csv/733.tsv"
    if not path.exists():
        pytest.skip(".data/wtq is not there")
    (table,) = read_tables([str(path)])
    assert table.columns == ("Rank", "Cyclist", "Team", "Time", "UCI ProTour Points")


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
