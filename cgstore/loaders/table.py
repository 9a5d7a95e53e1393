"""`load table`: tables as sources, one each: a line is a head, a column a relation, a cell a value."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore.catalog.registry import LoadRecord, check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.load import Options, fact_record, nothing_in, usable
from cgstore.loaders.readers.files import read_tables
from cgstore.loaders.readers.frame import table_of_frame
from cgstore.loaders.readers.rows import BadLine, Row, Table
from cgstore.loaders.rejects import Rejects
from cgstore.loaders.table_statements import relations, statements
from cgstore.loaders.totals import totals
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import MOST_COLUMNS, ROW_NUMBER, ColumnReport, LoadReport, Role
from cgstore.progress import bar, waiting
from cgstore.source_kinds import TABLE
from cgstore.text.columns import kind_of
from cgstore.text.kinds import ValueKind
from cgstore.text.names import source_name

if TYPE_CHECKING:
    import pandas

LARGE_FILE = 1_000_000
"""Bytes of a file beyond which its table is staged on disk and written on its own."""


def load_table(to: Database | Target, path: Path | str | Sequence[Path | str], **options: Any) -> LoadReport:
    """Loads tables, each as a source of its own.

    Args:
        to: where to.
        path: files, folders, globs or SQLAlchemy URLs.
        options: those of `read_tables` (header, delimiter, encoding, sheet, query, escapes), and of
            `cgstore.loaders.load.Options`. Where there are several tables, `name` is put before the name of each, with
            a slash between.

    Returns:
        A report whose counts are the sums over all tables. `facts` counts cells, the row numbers among them.

    Raises:
        BadInput: a table cannot be used; those before it are loaded, each whole.
        NoDatabase: the database went away for good; the same call goes on.
    """
    reading = {name: options.pop(name) for name in _READING if name in options}
    paths = [path] if isinstance(path, str | Path) else list(path)
    tables = read_tables([str(p) for p in paths], **reading)
    return _load(target_of(to), tables, Options(**options))


def load_frame(to: Database | Target, frame: pandas.DataFrame, name: str, **options: Any) -> LoadReport:
    """Loads a pandas DataFrame as a source; its index is left out.

    Raises:
        BadInput: it has no rows, or a cell that is no text, number or time.
        NoDatabase: the database went away for good; the same call goes on.
    """
    return _load(target_of(to), [table_of_frame(frame, name)], Options(name=name, **options))


_READING = ("header", "delimiter", "encoding", "sheet", "query", "escapes")

MOST_NOTES = 20
"""Notes of a report, where many tables have some."""


@dataclass
class _Sums:
    """What all tables have together."""

    names: list[str] = field(default_factory=list)
    facts: int = 0
    nodes: int = 0
    has: int = 0
    value: int = 0
    rejected: int = 0
    rejected_file: str | None = None
    empty: list[str] = field(default_factory=list)
    nothing: BadInput | None = None
    notes: list[str] = field(default_factory=list)
    columns: list[ColumnReport] = field(default_factory=list)
    header: str = ""

    def add(self, record: LoadRecord, rejects: Rejects) -> None:
        self.names.append(record.name)
        self.facts += record.facts
        self.nodes += record.nodes
        self.has += record.has
        self.value += record.value
        self.rejected += rejects.count
        if rejects.count:
            self.rejected_file = str(rejects.path)


def _load(target: Target, tables: Iterable[Table], options: Options) -> LoadReport:
    began, sums = time.monotonic(), _Sums()
    with target, bar("read", "tables", show=options.progress) as shown:
        for name, table in _named(tables, options.name):
            if options.rejected and sums.names:
                raise BadInput("--rejected can take the lines of one table only.", "Leave it out: each has its own.")
            _take(target, name, table, options, sums)
            shown.update()
        target.finish()
    if not sums.names:
        raise sums.nothing or BadInput("There is no table.", "Is it the right input?")
    return LoadReport(
        source=source_name(sums.names[0]) if len(sums.names) == 1 else options.name or "",
        kind=TABLE.name,
        facts=sums.facts,
        nodes=sums.nodes,
        triples=sums.has + sums.value,
        has=sums.has,
        value=sums.value,
        rejected=sums.rejected,
        seconds=round(time.monotonic() - began, 3),
        unchanged=not target.dry_run and not target.written,
        rejected_file=sums.rejected_file,
        warnings=_warnings(sums),
        sources=len(sums.names),
        dry_run=target.dry_run,
        sample=target.sample,
        columns=tuple(_shown_columns(sums)),
        header=sums.header if len(sums.names) == 1 else "",
    )


def _shown_columns(sums: _Sums) -> list[ColumnReport]:
    alone = len(sums.names) == 1
    return [column for column in sums.columns if alone or column.unread or column.doubt][:MOST_COLUMNS]


def _named(tables: Iterable[Table], name: str | None) -> Iterator[tuple[str, Table]]:
    """Each table with the name of its source. The first one waits for the second: one alone takes the name given."""
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
        raise BadInput(f"Two tables are named '{name}'.", "Load them one by one, each with its --name.")
    seen.add(name)
    return name


def _take(target: Target, name: str, table: Table, options: Options, sums: _Sums) -> None:
    """Stages one table and hands it over."""
    small = table.path is not None and _size(table.path) < LARGE_FILE
    formats = options.formats(table.decimal)
    stage = FactStage(target.stored_name(name), in_memory=small, formats=formats)
    with stage, Rejects(table.path or Path(name.replace("/", "_")), options.skip, options.rejected) as rejects:
        short = _ShortRows(table.rows, rejects)
        for statement in usable(statements(replace(table, rows=short)), rejects, progress=False):
            stage.add(statement)
        with waiting("the cells to be sorted and counted"):
            stage.settle()
        if not stage.fact_count:
            sums.empty.append(name)
            sums.nothing = sums.nothing or nothing_in(table.path or Path(name), rejects)
            return
        record = fact_record(stage, TABLE.name, columns=(*relations(table.columns), ROW_NUMBER))
        target.take(record, stage, small=True)
        sums.add(record, rejects)
        columns = _columns(stage, relations(table.columns))
        sums.columns += columns
        sums.header = table.header
        cells = (cell for cell in stage.numbered_cells() if cell[1] != ROW_NUMBER)
        found = totals(cells, sum(1 for _ in stage.nodes(Role.LINE)))
        notes = [*table.notes, *short.notes(), *_header_notes(table, columns), *map(str, found)]
        sums.notes += [f"{name}: {note}" for note in notes]


class _ShortRows:
    """The rows of a table; those that were filled up are counted, and told to who refuses a bad line below."""

    def __init__(self, rows: Iterable[Row | BadLine], rejects: Rejects) -> None:
        self._rows, self._rejects = rows, rejects
        self._count = self._first = 0

    def __iter__(self) -> Iterator[Row | BadLine]:
        for row in self._rows:
            if isinstance(row, Row) and row.missing:
                if not self._count:
                    self._first = row.line
                    self._rejects.note = f"Line {row.line} is the first one with fewer cells than columns."
                self._count += 1
            yield row

    def notes(self) -> Iterator[str]:
        if self._count:
            rows = "1 row has" if self._count == 1 else f"{self._count:,} rows have"
            yield f"{rows} fewer cells than there are columns, first on line {self._first}; the last cells are empty."


def _columns(stage: FactStage, names: Sequence[str]) -> list[ColumnReport]:
    """How the columns of a table were read, in its order."""
    reports = {report.name: report for report in stage.column_reports(texts=True)}
    return [reports[name] for name in dict.fromkeys(names) if name in reports]


def _header_notes(table: Table, columns: Sequence[ColumnReport]) -> Iterator[str]:
    """Whether the row that was taken for the header looks like a row: half the columns of numbers have one above.

    Years are names of columns, too, where several columns have them.
    """
    read = [column for column in columns if column.kind != ValueKind.TEXT]
    alike = [column.name for column in read if kind_of([column.name]) is not ValueKind.TEXT]
    years = all(re.fullmatch(r"[12]\d{3}", name) for name in alike) and len(alike) > 1
    if table.header and alike and not years and 2 * len(alike) >= len(read):
        shown = ", ".join(f"'{name[:40]}'" for name in alike[:3])
        yield f"{table.header} was taken for the header, and {shown} looks like a value. --no-header reads it as a row."


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}", "Was it moved meanwhile?") from error


def _warnings(sums: _Sums) -> tuple[str, ...]:
    shown = sums.notes[:MOST_NOTES]
    if len(sums.notes) > MOST_NOTES:
        shown.append(f"... and {len(sums.notes) - MOST_NOTES:,} more such notes.")
    if sums.empty:
        shown.append(f"{len(sums.empty):,} without rows were left out: {', '.join(sums.empty[:5])}.")
    return tuple(shown)
