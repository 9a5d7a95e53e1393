"""`load table`: tables from files, frames and databases, each as a source of its own.

Row i, counted from 1 over the rows that can be used, is the node `[line_i]`. It has a statement for each cell, empty
ones too, and one with the relation `row_number`, whose tail is i. A column of the table that mapping would take for
`row_number`, such as `Row Number`, becomes `Row Number (2)`, or the next number that is free. So does the second of two
columns of one name, since each column is a relation of its own.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cgstore.catalog.kinds import TABLE
from cgstore.catalog.registry import check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, setting
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.inputs import InputFile, named_files, plain_path
from cgstore.loaders.load import Load
from cgstore.loaders.readers.encoding import opened_bytes
from cgstore.loaders.readers.excel import EXCEL_ENDINGS, read_excel_tables
from cgstore.loaders.readers.frame import PARQUET_ENDING, read_parquet_table, table_of_frame
from cgstore.loaders.readers.json_lines import JSON_ENDINGS, read_json_tables
from cgstore.loaders.readers.records import BadLine, Row, Statement, Table
from cgstore.loaders.readers.sql import is_url, read_sql_tables
from cgstore.loaders.readers.text import TEXT_ENDINGS, TextLoadOptions, read_text_table
from cgstore.loaders.totals import totals
from cgstore.loaders.writer.target import Target
from cgstore.model import ROW_NUMBER, ColumnReport, LoadReport, Role
from cgstore.observe.progress import bar
from cgstore.options import option
from cgstore.text.columns import FormatHints, kind_of
from cgstore.text.kinds import ValueKind, without_note
from cgstore.text.names import many, normal_form, source_name
from cgstore.text.numbers import NumberText
from cgstore.text.roles import ROLES
from cgstore.text.roles import Role as ColumnRole

if TYPE_CHECKING:
    import pandas

LARGE_FILE = 1_000_000
"""Bytes of a file beyond which its table is staged on disk and written on its own."""

_ZIPPED = (*TEXT_ENDINGS, *JSON_ENDINGS)

ENDINGS = (*_ZIPPED, *EXCEL_ENDINGS, PARQUET_ENDING)
"""Files that are taken from a folder."""

_OTHERS = {
    ".xls": "Open it in a spreadsheet program and save it as .xlsx or .csv.",
    ".xlsb": "Open it in a spreadsheet program and save it as .xlsx or .csv.",
    ".ods": "Open it in a spreadsheet program and save it as .xlsx or .csv.",
    ".zip": "Unpack it, and give the folder.",
    ".json": "JSON Lines is read: an object a line, in a file that ends with .jsonl.",
    ".db": "The URL of an SQLite database is sqlite:///FILE.",
    ".sqlite": "The URL of an SQLite database is sqlite:///FILE.",
}
"""Endings of files that are not read, with what to do about each."""

MOST_NAMED = 30
"""Columns that an error lists."""

MOST_NOTES = 20
"""Notes of a report, where many tables have some."""


def _read_roles(texts: Sequence[str]) -> dict[str, str]:
    if wrong := [text for text in texts if "=" not in text]:
        raise BadInput(f"'{wrong[0]}' is not a column and what it is.", "Give both, such as Room=category.")
    return {column.strip(): role.strip() for column, _, role in (text.rpartition("=") for text in texts)}


@dataclass(frozen=True)
class TableOptions(TextLoadOptions):
    """The options of `load table`."""

    escapes: bool | None = option(None, r"Decode \n, \p and \\ as in WikiTableQuestions.", unset="detected")
    sheet: str | None = option(None, "The sheet of a workbook.", unset="all that are visible")
    query: str | None = option(
        None, "For a database: a SELECT statement, or the name of one table.", unset="all tables"
    )
    footnotes: bool = option(
        True, "Leave the marks of footnotes at the end of cells (Graz*, Graz[1]), or take them off."
    )
    columns: Mapping[str, str] | None = option(
        None,
        f"What a column is, in each table: {ROLES}; may be repeated.",
        unset="by its values",
        several=True,
        flag="column",
        metavar="NAME=ROLE",
        read=_read_roles,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.columns is not None and not isinstance(self.columns, Mapping):
            raise BadInput("`columns` is not a mapping from columns to roles.", "Such as {'Room': 'category'}.")
        for column, role in (self.columns or {}).items():
            if role not in set(ColumnRole):
                raise BadInput(f"'{role}' is not what a column may be, as '{column}' is to be.", f"It is {ROLES}.")


_DEFAULTS = TableOptions()


def load_table(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: TableOptions = _DEFAULTS
) -> LoadReport:
    """Loads tables from files, folders, globs or SQLAlchemy URLs, each as a source of its own.

    The counts of the report are the sums over all tables. `facts` counts cells, the row numbers among them.

    Raises:
        BadInput: a table cannot be used; those before it are loaded, each whole.
        NoDatabase: the database went away for good; the same call goes on.
    """
    paths = [path] if isinstance(path, str | Path) else list(path)
    return _load(to, read_tables([str(each) for each in paths], options), options)


def load_frame(
    to: Database | Target, frame: pandas.DataFrame, name: str, options: TableOptions = _DEFAULTS
) -> LoadReport:
    """Loads a pandas DataFrame as a source; an index of numbers without a name is left out.

    Raises:
        BadInput: it has no rows, or a cell that is not a text, number or time.
        NoDatabase: the database went away for good; the same call goes on.
    """
    return _load(to, [table_of_frame(frame, name)], replace(options, name=name))


# Reading


def read_tables(inputs: Sequence[str], options: TableOptions = _DEFAULTS) -> Iterator[Table]:
    """The tables of files, folders, patterns and URLs, in the order given; those of a folder in the order of their
    paths.

    A file's ending tells its format, else its first bytes do; all else is delimited text. A table is named by its
    file: `733` for a file that was given, `203-csv/733` by the path below the folder, or below the part of a pattern
    before the first wildcard. A file that comes twice is read once.

    Raises:
        BadInput: an input is not there or cannot be read, or an option fits none of them.
    """
    if not inputs:
        raise BadInput("No input is given.", "Give files, folders, patterns or the URLs of databases.")
    chosen: dict[str, InputFile | str] = {}
    for given in inputs:
        found = [given] if is_url(given) else named_files([given], ENDINGS, _ZIPPED)
        for each in found:
            chosen.setdefault(each if isinstance(each, str) else os.path.realpath(each.path), each)
    files = [each for each in chosen.values() if isinstance(each, InputFile)]
    if options.query is not None and len(files) == len(chosen):
        raise BadInput("A query is given, but the input is not a database.", "The URL of a database is dialect://...")
    if options.sheet is not None and not any(_ending(file.path) in EXCEL_ENDINGS for file in files):
        raise BadInput(
            "A sheet is given, but the input is not an Excel workbook.", f"A workbook ends with {EXCEL_ENDINGS[0]}."
        )
    for each in chosen.values():
        yield from read_sql_tables(each, options.query) if isinstance(each, str) else _tables(each, options)


def _tables(file: InputFile, options: TableOptions) -> Iterator[Table]:
    path, name = file
    ending = _ending(path) if _ending(path) in ENDINGS else _ending_by_content(path)
    if ending in EXCEL_ENDINGS:
        yield from read_excel_tables(path, name, header=options.header, sheet=options.sheet)
    elif ending == PARQUET_ENDING:
        yield read_parquet_table(path, name)
    elif ending in JSON_ENDINGS:
        yield from read_json_tables(path, name, options.encoding)
    else:
        yield read_text_table(path, name, options, options.escapes)


def _ending(path: Path) -> str:
    """The ending that tells the format of a file; empty for .gz after one that is never zipped."""
    plain = plain_path(path)
    ending = plain.suffix.lower()
    return ending if plain == path or ending in _ZIPPED else ""


def _ending_by_content(path: Path) -> str:
    """The ending that a file without a known one should have."""
    if hint := _OTHERS.get(path.suffix.lower()):
        raise BadInput(f"{path} is of a kind that is not read.", hint)
    with opened_bytes(path) as file:
        opening = file.read(8)
    if opening.startswith(b"PK\x03\x04"):
        return EXCEL_ENDINGS[0]
    if opening.startswith(b"PAR1"):
        return PARQUET_ENDING
    return JSON_ENDINGS[0] if opening.lstrip().startswith(b"{") else TEXT_ENDINGS[0]


# Rows as statements


def line_name(number: int) -> str:
    """The name of a row's node."""
    return f"[line_{number}]"


def relations(columns: Sequence[str]) -> tuple[str, ...]:
    """The relations of a table's columns, in their order: their names, with a number where `ROW_NUMBER` or an earlier
    column has the name."""
    given, ours = {normal_form(column) for column in columns}, normal_form(ROW_NUMBER)
    found: dict[str, None] = {}
    for column in columns:
        name, number = column, 2
        while name in found or normal_form(name) == ours or (name != column and normal_form(name) in given):
            name, number = f"{column} ({number})", number + 1
        found[name] = None
    return tuple(found)


def statements(table: Table, footnotes: bool = True) -> Iterator[Statement | BadLine]:
    """Streams the statements of a table, those of a row together; a bad row stays in its place and has no number.

    White space around a cell is dropped, and without `footnotes` the marks of these at its end. A cell that is nothing
    but such a mark stays.

    Raises:
        BadInput: the table cannot be read to its end.
    """
    names = relations(table.columns)
    number = 0
    for row in table.rows:
        if isinstance(row, BadLine):
            yield row
            continue
        number += 1
        head = line_name(number)
        for relation, cell in zip(names, row.cells, strict=True):
            text = cell if isinstance(cell, NumberText) else cell.strip()
            if not footnotes and not isinstance(text, NumberText):
                text = without_note(text) or text
            yield Statement(head, relation, text, (), Role.LINE, Role.VALUE, line=row.line)
        yield Statement(head, ROW_NUMBER, str(number), (), Role.LINE, Role.VALUE, line=row.line)


# Loading


def _load(to: Database | Target, tables: Iterable[Table], options: TableOptions) -> LoadReport:
    load, empty = Load(TABLE, to, options), list[str]()
    with bar("read", "tables", show=options.progress) as shown:
        for name, table in _named(tables, options.name):
            if options.rejected and load.records:
                raise BadInput(
                    f"{setting('rejected')} can take the lines of one table only.", "Leave it out: each has its own."
                )
            if not _take(load, name, table, options):
                empty.append(name)
            shown.update()
    if len(load.notes) > MOST_NOTES:
        load.notes[MOST_NOTES:] = [f"... and {len(load.notes) - MOST_NOTES:,} more such notes."]
    if empty:
        load.notes.append(f"{len(empty):,} without rows were left out: {', '.join(empty[:5])}.")
    return load.report()


def _named(tables: Iterable[Table], name: str | None) -> Iterator[tuple[str, Table]]:
    """Each table with the name of its source. A table that is alone takes the given name, so the first one waits."""
    waiting: Table | None = None
    several, seen = False, set[str]()
    for table in tables:
        if waiting is not None:
            several = True
            yield _unique(f"{name}/{waiting.name}" if name else waiting.name, seen), waiting
        waiting = table
    if waiting is not None:
        full = f"{name}/{waiting.name}" if several and name else name or waiting.name
        yield _unique(full, seen), waiting


def _unique(name: str, seen: set[str]) -> str:
    check_source_name(name)
    if name in seen:
        raise BadInput(f"Two tables are named '{name}'.", f"Load them one by one, each with its {setting('name')}.")
    seen.add(name)
    return name


def _take(load: Load, name: str, table: Table, options: TableOptions) -> bool:
    """Stages one table and hands it over; returns False if it has no rows."""
    small = table.path is not None and _size(table.path) < LARGE_FILE
    formats = FormatHints(options.decimal, options.day_first, table.decimal)
    names = relations(table.columns)
    roles = _roles(name, names, options.columns or {})
    origin, before = table.path or Path(name.replace("/", "_")), len(load.columns)
    with FactStage(load.target.stored_name(name), in_memory=small, formats=formats, roles=roles) as stage:
        short = _ShortRows(table.rows, stage)
        cells = statements(replace(table, rows=short), options.footnotes)
        if not load.take(stage, origin, cells, columns=(*names, ROW_NUMBER), small=True):
            return False
        load.header = table.header
        amounts = (cell for cell in stage.numbered_cells() if cell[1] != ROW_NUMBER)
        notes = [
            *table.notes,
            *_doubled_names(table.columns),
            *short.notes(),
            *_header_notes(table, load.columns[before:]),
            *map(str, totals(amounts, sum(1 for _ in stage.nodes(Role.LINE)))),
        ]
    load.notes += [f"{name}: {note}" for note in notes]
    return True


def _roles(name: str, columns: Sequence[str], said: Mapping[str, str]) -> dict[str, ColumnRole]:
    """The roles that the user says, by the names of the columns.

    Raises:
        BadInput: the table has no such column.
    """
    found = {normal_form(column): column for column in columns} | {column: column for column in columns}
    roles = {}
    for given, role in said.items():
        column = found.get(given) or found.get(normal_form(given))
        if column is None:
            has = ", ".join(f"'{each}'" for each in columns[:MOST_NAMED])
            hint = f"It has {has}{f' and {len(columns) - MOST_NAMED:,} more' if len(columns) > MOST_NAMED else ''}."
            raise BadInput(f"Table '{source_name(name)}' has no column '{given}'.", f"{hint} A column is {ROLES}.")
        roles[column] = ColumnRole(role)
    return roles


class _ShortRows:
    """The rows of a table. It counts the rows that were filled up; the hint of the stage names the first one."""

    def __init__(self, rows: Iterable[Row | BadLine], stage: FactStage) -> None:
        self._rows, self._stage = rows, stage
        self._count = self._first = 0

    def __iter__(self) -> Iterator[Row | BadLine]:
        for row in self._rows:
            if isinstance(row, Row) and row.missing:
                if not self._count:
                    self._first = row.line
                    self._stage.hint = f"Line {row.line} is the first one with fewer cells than columns."
                self._count += 1
            yield row

    def notes(self) -> Iterator[str]:
        if self._count:
            have = many(self._count, "row has", "rows have")
            yield f"{have} fewer cells than there are columns, first on line {self._first}; the last cells are empty."


def _doubled_names(columns: Sequence[str]) -> Iterator[str]:
    """A note for each name that several columns have: which names the later ones got."""
    named = list(zip(columns, relations(columns), strict=True))
    for column, count in Counter(columns).items():
        if count > 1:
            given = [f"'{name}'" for original, name in named if original == column and name != column]
            yield f"{count} columns are named '{column}'; the others are {', '.join(given)}."


def _header_notes(table: Table, columns: Sequence[ColumnReport]) -> Iterator[str]:
    """A note if the header looks like a row: a number stands above half the columns of numbers.

    Several years do not count, since they may be names of columns.
    """
    read = [column for column in columns if column.kind != ValueKind.TEXT]
    alike = [column.name for column in read if kind_of([column.name]) is not ValueKind.TEXT]
    years = all(re.fullmatch(r"[12]\d{3}", name) for name in alike) and len(alike) > 1
    if table.header and alike and not years and 2 * len(alike) >= len(read):
        shown = ", ".join(f"'{name[:40]}'" for name in alike[:3])
        reads = f"{setting('header', False)} reads it as a row."
        yield f"{table.header} was taken for the header, and {shown} looks like a value. {reads}"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}", "Was it moved meanwhile?") from error
