"""The sheets of an Excel workbook (.xlsx, .xlsm) as tables.

Sheets: hidden and empty ones are left out; a hidden one can be named. The columns of a sheet reach from the first to
the last that has a value. If most columns in between have none, those are left out. The rows begin with the first that
has a value. So a table is as large as its contents, wherever these stand.

Merged cells: the value stands for every cell that the range spans; a row without a value of its own is blank. A first
row that is one range over all columns is a title: it is left out, with a note. So is a first row with one value alone,
in a cell or in a range that begins at the first column, above a row with values in most of at least three columns. A
title may have several rows. If the first row of the header has a range over columns, or over two rows (or three), the
header is two rows (or three), and the names of a column are joined: `Population 2010`. A note then names these rows, as
it does where the header has fewer values than the row below.

Cells: a formula is its last computed value; a formula that was never computed makes its row a `BadLine`. Dates and
times are in ISO form. The meaning that a number's format gives it is kept: `50%` for 0.5, `$5.00`, `5.00 €`, `00501`.
Only digits past the 15 that Excel has are rounded away.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.errors import BadFile, setting
from cgstore.loaders.readers.frame import number_text, text_of
from cgstore.loaders.readers.records import BadLine, Row, Table, as_row, column_names, library, numbered_columns
from cgstore.loaders.staging import out_of_memory
from cgstore.text.names import many

EXCEL_ENDINGS = (".xlsx", ".xlsm")

MAX_UNPACKED = 4 << 30
"""Bytes to which a workbook may unpack. A full sheet of a million rows and 50 columns takes about half of it."""

MAX_RATIO, _SMALL = 200, 100 << 20
"""How many times its size a workbook that unpacks to over `_SMALL` bytes may unpack to: 10 or 20 is usual for sheets,
1,000 for zip bombs."""

_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_DEEPEST_HEADER = _MOST_TITLES = 3

MOST_SPARSE = 10_000_000
"""Most cells of a table in which hardly any cell has a value."""

_NO_WORKBOOK = "Open it in a spreadsheet program and save it as .xlsx or .csv."


class _Merge(NamedTuple):
    """A merged range: first and last row and column, from 1."""

    top: int
    bottom: int
    left: int
    right: int


@dataclass
class _Layout:
    """The layout of a sheet, known before its values are read: the columns in use, and the cells that need care.

    `used` are the columns with a value, `columns` those of the table. `cells` counts the values, `rows` the rows that
    have one.
    """

    used: set[int] = field(default_factory=set)
    columns: Sequence[int] = ()
    cells: int = 0
    rows: int = 0
    merges: list[_Merge] = field(default_factory=list)
    uncomputed: set[tuple[int, int]] = field(default_factory=set)
    errors: int = 0

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def left_out(self) -> int:
        """The number of columns without a value between the others, which are left out."""
        return self.columns[-1] - self.columns[0] + 1 - self.width if self.columns else 0

    def settle(self) -> None:
        """Finds the columns of the table. Call it once all cells are noted."""
        if self.used:
            between = range(min(self.used), max(self.used) + 1)
            self.columns = between if len(between) <= 2 * len(self.used) else sorted(self.used)
            first, last = between[0], between[-1]
            self.merges = [merge for merge in self.merges if merge.left <= last and merge.right >= first]

    def places(self, merge: _Merge) -> slice:
        """The places among the columns that a merged range spans."""
        return slice(bisect_left(self.columns, merge.left), bisect_right(self.columns, merge.right))


def read_excel_tables(
    path: Path, name: str, *, header: bool | None = None, sheet: str | None = None
) -> Iterator[Table]:
    """The tables of a workbook, one a sheet: named as the workbook if that has one sheet, else `NAME/SHEET`.

    `header` is False if the first row is not one; `sheet` is the one sheet to read, hidden or not.

    Raises:
        BadFile: the file is not a workbook, unpacks to an absurd size, or lacks the sheet or any value.
    """
    layouts = _layouts(path, sheet)
    chosen = [title for title in layouts if sheet is None or title == sheet]
    if not chosen:
        raise BadFile(f"{path} has no sheet with a value.", f"Hidden sheets are read if named with {setting('sheet')}.")
    for title in chosen:
        yield _table(path, name if len(layouts) == 1 else f"{name}/{title}", title, layouts[title], header)


def _layouts(path: Path, sheet: str | None) -> dict[str, _Layout]:
    """The layouts of the sheets that have values and are not hidden, or are named."""
    with _opened(path) as book:
        titles = [each.title for each in book.worksheets]
        if sheet is not None and sheet not in titles:
            shown = ", ".join(titles)[:300]
            raise BadFile(
                f"{path} has no sheet '{sheet}'; its sheets are {shown}.", f"Give {setting('sheet')} one of these."
            )
        wanted = [each for each in book.worksheets if each.sheet_state == "visible" or each.title == sheet]
        layouts = {each.title: _layout(path, each) for each in wanted}
    return {title: layout for title, layout in layouts.items() if layout.width}


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    excel = library("openpyxl.reader.excel", f"{path} is an Excel workbook, which")
    library("defusedxml", f"{path} is an Excel workbook, which")  # openpyxl's own guard against hostile XML
    _check_zip(path)
    book = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions, on which no value depends
            reader = excel.ExcelReader(path, read_only=True, data_only=True)
            reader.read()
            book = reader.wb
        _check_sheets(path, reader)
        yield book
    except BadFile:
        raise
    except MemoryError as error:
        raise out_of_memory(path) from error
    except Exception as error:  # openpyxl raises errors of any type
        reason = str(error).partition("\n")[0][:200] or type(error).__name__
        if any(type(each).__name__ == "EntitiesForbidden" for each in (error, error.__cause__)):
            reason = "its XML defines entities, which those of spreadsheet programs never do"
        raise BadFile(f"{path} is not an Excel workbook that can be read: {reason}", _NO_WORKBOOK) from error
    finally:
        if book is not None:
            book.close()


def _check_sheets(path: Path, reader: Any) -> None:
    """Refuses a workbook that names a sheet and does not hold it; openpyxl would leave the sheet out silently."""
    for sheet, relation in reader.parser.find_sheets():
        if relation.target not in reader.valid_files:
            raise BadFile(f"{path} lacks its sheet '{sheet.name}'.", _NO_WORKBOOK)


def _check_zip(path: Path) -> None:
    try:
        with path.open("rb") as file:
            if file.read(4) == b"\xd0\xcf\x11\xe0":
                raise BadFile(f"{path} is encrypted, or an old .xls workbook.", _NO_WORKBOOK)
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            packed = path.stat().st_size
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise BadFile(f"{path} is not an Excel workbook: {error}", _NO_WORKBOOK) from error
    if unpacked > MAX_UNPACKED or (unpacked > _SMALL and unpacked > MAX_RATIO * packed):
        raise BadFile(
            f"{path} would unpack from {packed:,} to {unpacked:,} bytes, as no workbook of values does.",
            "If it is sound, save its sheets as .csv.",
        )


def _layout(path: Path, sheet: Any) -> _Layout:
    """The layout, by one pass over the sheet's XML: a stream of openpyxl has neither ranges nor uncomputed formulas."""
    parser = library("defusedxml.ElementTree", f"{path} is an Excel workbook, which")
    layout = _Layout()
    row = column = counted = 0
    rows: Any = None
    with sheet._get_source() as source:
        for event, element in parser.iterparse(source, events=("start", "end")):
            tag = element.tag.rpartition("}")[2]
            if event == "start":
                if tag == "row":
                    row, column = int(element.get("r") or row + 1), 0
                    _check_place(path, row, 1)
                    counted = layout.cells
                elif tag == "c":
                    column = _column(element.get("r"), column)
                elif tag == "sheetData":
                    rows = element
            elif tag == "c":
                _check_place(path, row, column)
                _note_cell(layout, element, row, column)
            elif tag == "row" and rows is not None:
                layout.rows += layout.cells > counted
                rows.clear()
            elif tag == "mergeCell":
                layout.merges.append(_merge(path, element.get("ref") or ""))
    layout.settle()
    if layout.rows * layout.width > max(MOST_SPARSE, 1000 * layout.cells):
        raise BadFile(
            f"{path}, sheet '{sheet.title}': {layout.cells:,} values in {layout.rows:,} rows and {layout.width:,} "
            "columns, so that nearly all cells of the table would be empty.",
            "Is it a table? Move its parts together, or save them as files of their own.",
        )
    return layout


def _column(reference: str | None, before: int) -> int:
    """The number of a cell's column, from 1. A cell without a reference is in the next one."""
    if not reference:
        return before + 1
    number = 0
    for letter in reference.upper():
        if not "A" <= letter <= "Z":
            break
        number = number * 26 + ord(letter) - 64
        if number > _LAST_COLUMN:
            break
    return number


def _check_place(path: Path, row: int, column: int) -> None:
    if not (1 <= row <= _LAST_ROW and 1 <= column <= _LAST_COLUMN):
        raise BadFile(f"{path} has row {row:,}, column {column:,}, which no sheet has.", _NO_WORKBOOK)


def _note_cell(layout: _Layout, cell: Any, row: int, column: int) -> None:
    formula = filled = False
    for part in cell:
        tag = part.tag.rpartition("}")[2]
        formula = formula or tag == "f"
        filled = filled or (tag == "v" and bool(part.text)) or tag == "is"
    if formula and not filled and cell.get("t") != "str":  # a value of type `str` is the empty text
        layout.uncomputed.add((row, column))
        filled = True
    layout.errors += cell.get("t") == "e"
    if filled:
        layout.used.add(column)
        layout.cells += 1


def _merge(path: Path, reference: str) -> _Merge:
    match = re.fullmatch(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?", reference)
    if match is None:
        raise BadFile(f"{path} has a merged range '{reference[:30]}', which is not a range.", _NO_WORKBOOK)
    left, top = _column(match[1], 0), int(match[2])
    right, bottom = (_column(match[3], 0), int(match[4])) if match[3] else (left, top)
    return _Merge(top, bottom, left, right)


class _SheetRow(NamedTuple):
    """A row that has a value of its own, with those of ranges filled in.

    `uncomputed` is the place of the first formula that was never computed, from 0; -1 if there is none.
    """

    number: int
    cells: list[str]
    uncomputed: int


def _sheet_rows(path: Path, title: str, layout: _Layout) -> Iterator[_SheetRow]:
    spans = _Spans(path, layout)
    places = {column: place for place, column in enumerate(layout.columns)}
    with _opened(path) as book:
        sheet = book[title]
        for number, found in _cells_by_row(path, sheet):
            cells = [""] * layout.width
            uncomputed = -1
            for cell in found:
                if (place := places.get(cell.column)) is not None:
                    cells[place] = _cell_text(cell)
                    if uncomputed < 0 and (number, cell.column) in layout.uncomputed:
                        uncomputed = place
            own = uncomputed >= 0 or any(cells)
            spans.fill(number, cells)
            if own:
                yield _SheetRow(number, cells, uncomputed)


def _cells_by_row(path: Path, sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """The rows and cells that the sheet holds; openpyxl's own iteration fills up to the last row and column."""
    reader = library("openpyxl.worksheet._reader", f"{path} is an Excel workbook, which")
    cell = library("openpyxl.cell.read_only", f"{path} is an Excel workbook, which")
    book = sheet.parent
    with sheet._get_source() as source:
        parser = reader.WorkSheetParser(
            source,
            sheet._shared_strings,
            data_only=book.data_only,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for number, row in parser.parse():
            yield number, [cell.ReadOnlyCell(sheet, **each) for each in row]


class _Spans:
    """Gives the cells of merged ranges the value of the first one, row by row from the top."""

    def __init__(self, path: Path, layout: _Layout) -> None:
        self._path = path
        self._layout = layout
        self._waiting = sorted(layout.merges, reverse=True)
        self._active: list[tuple[_Merge, str]] = []

    def fill(self, row: int, cells: list[str]) -> None:
        while self._waiting and self._waiting[-1].top <= row:
            merge = self._waiting.pop()
            place = self._layout.places(merge).start
            has_first = merge.top == row and merge.left in self._layout.columns[place : place + 1]
            self._active.append((merge, cells[place] if has_first else ""))
        if not self._active:
            return
        if len(self._active) > _LAST_COLUMN:
            raise BadFile(f"{self._path} has merged ranges that overlap.", _NO_WORKBOOK)
        for merge, value in self._active:
            if merge.bottom >= row:
                places = self._layout.places(merge)
                cells[places] = [value] * (places.stop - places.start)
        self._active = [(merge, value) for merge, value in self._active if merge.bottom > row]


def _table(path: Path, name: str, title: str, layout: _Layout, header: bool | None) -> Table:
    where = f"{path}, sheet '{title}'"
    notes: tuple[str, ...] = ()
    if layout.left_out:
        notes = (f"{where}: {layout.left_out:,} columns without a value, between those with one, were left out.",)
    if layout.errors:
        cells = many(layout.errors, "cell holds an error", "cells hold errors")
        notes += (f"{where}: {cells} of a formula, such as #DIV/0!, read as the text that is shown.",)
    if header is False:
        columns = numbered_columns(layout.width, where)
        return Table(name, columns, _rows(path, title, layout, columns, 0), path, notes)
    first = list(islice(_sheet_rows(path, title, layout), _MOST_TITLES + _DEEPEST_HEADER + 1))
    skipped = _title_rows(first, layout, any_lone=header is None)
    opening = first[skipped]
    depth = _header_depth(opening.number, layout)
    parts = [row for row in first[skipped:] if row.number < opening.number + depth]
    for part in parts:
        if part.uncomputed >= 0:
            raise BadFile(f"{where}, row {part.number}: the header has a formula that was never computed.", _COMPUTE)
    names = [_joined(cells) for cells in zip(*(part.cells for part in parts), strict=True)]
    columns = column_names(names, where)
    rows = f"row {opening.number}" if len(parts) == 1 else f"rows {opening.number} to {parts[-1].number}"
    if note := _header_note(rows, first, skipped, len(parts)):
        notes += (f"{where}: {note}",)
    rows_below = _rows(path, title, layout, columns, skipped + len(parts))
    return Table(name, columns, rows_below, path, notes, rows if header is None else "")


_COMPUTE = "Open it in a spreadsheet program, which computes it, and save it."


def _title_rows(rows: Sequence[_SheetRow], layout: _Layout, *, any_lone: bool) -> int:
    """How many of the first rows are titles: ranges over all columns, and where wanted other values alone in a row."""

    above = rows[: min(_MOST_TITLES, len(rows) - 1)]
    lone = len(list(takewhile(lambda row: _is_alone(row, layout), above)))
    if any_lone and layout.width > 2 and 2 * sum(map(bool, rows[lone].cells)) > layout.width:
        return lone
    return len(list(takewhile(lambda row: any(_is_over_all(m, row.number, layout) for m in layout.merges), above)))


def _is_over_all(merge: _Merge, row: int, layout: _Layout) -> bool:
    columns = layout.columns
    return merge.top == row and layout.width > 1 and merge.left <= columns[0] and merge.right >= columns[-1]


def _is_alone(row: _SheetRow, layout: _Layout) -> bool:
    """Whether a row has one value, in a cell or in a range that begins at the first column."""
    filled = sum(map(bool, row.cells))
    ranges = [m for m in layout.merges if m.top == row.number and m.left <= layout.columns[0] <= m.right]
    return filled == 1 or any(row.cells[0] and layout.places(each).stop == filled for each in ranges)


def _header_note(rows: str, first: Sequence[_SheetRow], skipped: int, depth: int) -> str:
    """Which rows are the header, where others were taken for titles or where it may be a title itself."""
    are = "is" if depth == 1 else "are"
    if skipped:
        titles = ", ".join(f"'{max(row.cells, key=len)[:100]}'" for row in first[:skipped])
        return f"the title {titles} was passed over; {rows} {are} the header."
    if depth > 1:
        return f"{rows} are the header, since cells are merged there."
    is_thin = sum(map(bool, first[0].cells)) < sum(map(bool, first[:2][-1].cells))
    return f"{rows} is the header, with fewer values than the row below." if is_thin else ""


def _header_depth(row: int, layout: _Layout) -> int:
    depth = 1
    for merge in layout.merges:
        if merge.top == row:
            height = merge.bottom - merge.top + 1
            depth = max(depth, height if height <= _DEEPEST_HEADER else 1, 2 if merge.right > merge.left else 1)
    return depth


def _joined(parts: Sequence[str]) -> str:
    """The name of a column, joined from the rows of its header. A part that a range repeats counts once."""
    names: list[str] = []
    for part in (" ".join(part.split()) for part in parts):
        if part and part not in names[-1:]:
            names.append(part)
    return " ".join(names)


def _rows(path: Path, title: str, layout: _Layout, columns: tuple[str, ...], skipped: int) -> Iterator[Row | BadLine]:
    """The rows below the header."""
    for row in islice(_sheet_rows(path, title, layout), skipped, None):
        if row.uncomputed >= 0:
            problem = f"a formula that was never computed. {_COMPUTE}"
            place, column = layout.columns[row.uncomputed], columns[row.uncomputed]
            yield BadLine(row.number, place, column, problem, "\t".join(row.cells))
        else:
            yield as_row(row.number, row.cells, columns)


def _cell_text(cell: Any) -> str:
    value = cell.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value, cell.number_format or "General")
    return text_of(value)
