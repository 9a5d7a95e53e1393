"""Excel workbooks as tables."""

from __future__ import annotations

import datetime as dt
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import Row, Table
from cgstore.loaders.table import TableOptions, read_tables

openpyxl = pytest.importorskip("openpyxl")


def _tables(path: Path, **options: Any) -> list[Table]:
    return list(read_tables([str(path)], TableOptions(**options)))


def _book(
    folder: Path, *sheets: list[list[Any]], merges: tuple[str, ...] = (), formats: dict[str, str] | None = None
) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"S{number}")
        for row in rows:
            sheet.append(row)
        for merge in merges:
            sheet.merge_cells(merge)
        for cell, form in (formats or {}).items():
            sheet[cell].number_format = form
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def _rows(path: Path) -> list[list[str]]:
    (table,) = _tables(path)
    return [row.cells for row in table.rows if isinstance(row, Row)]


def test_a_sheet_is_a_table_named_as_its_workbook(tmp_path: Path) -> None:
    (table,) = _tables(_book(tmp_path, [["name", "size"], ["Ulm", 5.0], [], [None, 0.5]], []))
    assert (table.name, table.columns) == ("t", ("name", "size"))
    assert list(table.rows) == [Row(2, ["Ulm", "5"]), Row(4, ["", "0.5"])]


def test_sheets_are_named_below_their_workbook(tmp_path: Path) -> None:
    path = _book(tmp_path, [["a"], [1]], [["b"], [2]])
    assert [table.name for table in _tables(path)] == ["t/S1", "t/S2"]
    assert [table.columns for table in _tables(path, sheet="S2")] == [("b",)]


def test_a_hidden_sheet_is_read_only_if_named(tmp_path: Path) -> None:
    path = _book(tmp_path, [["a"], [1]], [["b"], [2]])
    book = openpyxl.load_workbook(path)
    book["S2"].sheet_state = "hidden"
    book.save(path)
    assert [table.name for table in _tables(path)] == ["t"]
    assert [table.columns for table in _tables(path, sheet="S2")] == [("b",)]


def test_typed_cells_are_texts(tmp_path: Path) -> None:
    values = [dt.datetime(2004, 7, 2), dt.datetime(2004, 7, 2, 10, 30), dt.time(10, 30), True, 0.1 + 0.2, 10**12, "x "]
    path = _book(tmp_path, [list("abcdefg"), values])
    assert _rows(path) == [["2004-07-02", "2004-07-02T10:30:00", "10:30:00", "true", "0.3", "1000000000000", "x "]]


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.5, "0%", "50%"),
        (0.07, "0.00%", "7%"),
        (0.12345, "0%", "12.345%"),
        (5, '"$"#,##0.00', "$5.00"),
        (5, "$0", "$5"),
        (-5.5, '"$"#,##0.00_);\\("$"#,##0.00\\)', "-$5.50"),
        (5.005, "[$€-407]0.00", "€5.005"),
        (5, "#,##0.00\\ [$€-407]", "5.00 €"),
        (5, "[$USD] 0.00", "USD5.00"),
        (501, "00000", "00501"),
        (5, '0.0" kg %"', "5"),
        (5, "General", "5"),
        (5, "0.00", "5"),
    ],
)
def test_what_a_format_means_is_kept(tmp_path: Path, value: float, form: str, text: str) -> None:
    assert _rows(_book(tmp_path, [["a"], [value]], formats={"A2": form})) == [[text]]


LAYOUTS: dict[str, tuple[list[list[Any]], tuple[str, ...], tuple[str, ...], list[Row], str]] = {
    "a merged cell stands for all that it spans": (
        [["land", "town", "x"], ["DE", "Ulm", 1], [None, "Kiel", 2], ["FR", None, 3]], ("A2:A3", "A4:B4"),
        ("land", "town", "x"), [Row(2, ["DE", "Ulm", "1"]), Row(3, ["DE", "Kiel", "2"]), Row(4, ["FR", "FR", "3"])], "",
    ),
    "a merged range may go over rows that are not there": (
        [["land", "town"], ["DE", "Ulm"], [], ["", "Kiel"]], ("A2:A4",),
        ("land", "town"), [Row(2, ["DE", "Ulm"]), Row(4, ["DE", "Kiel"])], "",
    ),
    "a merged header is two rows": (
        [["Town", "Population", None], [None, 2010, 2020], ["Ulm", 1, 2]], ("A1:A2", "B1:C1"),
        ("Town", "Population 2010", "Population 2020"), [Row(3, ["Ulm", "1", "2"])],
        "rows 1 to 2 are the header, since cells are merged there.",
    ),
    "a header with fewer values is noted": (
        [["town", "size", None], ["Ulm", 1, 2]], (),
        ("town", "size", "column 3"), [Row(2, ["Ulm", "1", "2"])],
        "row 1 is the header, with fewer values than the row below.",
    ),
    "a title over all columns is passed over": (
        [["Towns", None], ["name", "size"], ["Ulm", 5]], ("A1:B1",),
        ("name", "size"), [Row(3, ["Ulm", "5"])], "the title 'Towns' was passed over; row 2 is the header.",
    ),
    "a title over almost all columns is passed over": (
        [["Sales 2024"], ["in euros"], ["town", "year", "sold", "left"], ["Ulm", 2024, 5, 6]], ("A1:C1", "A2:B2"),
        ("town", "year", "sold", "left"), [Row(4, ["Ulm", "2024", "5", "6"])],
        "the title 'Sales 2024', 'in euros' was passed over; row 3 is the header.",
    ),
    "a lone cell above full rows is a title": (
        [["Orders (draft)"], [], ["no", "wine", "price"], [1, "Riesling", 5], [2, "Merlot", 6]], (),
        ("no", "wine", "price"), [Row(4, ["1", "Riesling", "5"]), Row(5, ["2", "Merlot", "6"])],
        "the title 'Orders (draft)' was passed over; row 3 is the header.",
    ),
}  # fmt: skip
"""The rows of a sheet, its merged cells; and the columns, the rows and the note of its table."""


@pytest.mark.parametrize(("rows", "merges", "columns", "cells", "note"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_merged_cells_and_titles_above_a_table(
    tmp_path: Path,
    rows: list[list[Any]],
    merges: tuple[str, ...],
    columns: tuple[str, ...],
    cells: list[Row],
    note: str,
) -> None:
    (table,) = _tables(_book(tmp_path, rows, merges=merges))
    assert (table.columns, list(table.rows)) == (columns, cells)
    assert table.notes[0].endswith(note) if note else not table.notes


def test_unused_columns_around_the_table_are_none(tmp_path: Path) -> None:
    path = _book(tmp_path, [[], [None, "a", None, "b"], [None, 1, None, 2]], formats={"Z9": "0%"})
    (table,) = _tables(path)
    assert (table.columns, list(table.rows)) == (("a", "column 2", "b"), [Row(3, ["1", "", "2"])])


@pytest.mark.parametrize("corner", ["XFD3", "C1048576", "XFD1048576"])
def test_a_stray_cell_costs_nothing(tmp_path: Path, corner: str) -> None:
    path = _book(tmp_path, [["name", "size"], ["Ulm", 5], ["Bern", 7]])
    book = openpyxl.load_workbook(path)
    book["S1"][corner] = "x"
    book.save(path)
    (table,) = _tables(path)
    rows = [row.cells for row in table.rows if isinstance(row, Row)]
    assert table.columns == ("name", "size", "column 3")
    assert [row[:2] for row in rows][:2] == [["Ulm", "5"], ["Bern", "7"]] and rows[-1][2] == "x"
    assert any("columns without a value" in note for note in table.notes) == corner.startswith("XFD")


def test_cells_far_apart_are_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.loaders.readers.excel.MOST_SPARSE", 1000)
    rows = [[None] * place + [1] for place in range(1100)]
    with pytest.raises(BadInput, match="nearly all cells of the table would be empty"):
        _tables(_book(tmp_path, rows))


def test_without_a_header_the_columns_are_numbered(tmp_path: Path) -> None:
    (table,) = _tables(_book(tmp_path, [[1, 2]]), header=False)
    assert (table.columns, list(table.rows)) == (("column 1", "column 2"), [Row(1, ["1", "2"])])


def _patched(path: Path, part: str, old: bytes, new: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old in parts[part]
    parts[part] = parts[part].replace(old, new)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


SHEET = "xl/worksheets/sheet1.xml"


def test_a_computed_formula_is_its_value(tmp_path: Path) -> None:
    path = _book(tmp_path, [["a"], ["=1+1"]])
    _patched(path, SHEET, b"<f>1+1</f>", b"<f>1+1</f><v>2</v>")
    assert _rows(path) == [["2"]]


def test_a_wrong_dimension_loses_no_cell(tmp_path: Path) -> None:
    path = _book(tmp_path, [["a", "b"], [1, 2], [3, 4]])
    _patched(path, SHEET, b'<dimension ref="A1:B3"', b'<dimension ref="A1"')
    assert _rows(path) == [["1", "2"], ["3", "4"]]
