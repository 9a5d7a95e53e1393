"""Rows that are added to a table, or replace the rows that have their key.

A row keeps its number: `[line_3]` is the same row before and after a change, and the number of a row that was removed
is not given again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore.change.cells import columns_of, empty_cell, rows_with
from cgstore.change.commit import commit
from cgstore.change.incoming import PART, Incoming
from cgstore.change.operations import Append, Upsert
from cgstore.change.parts import Fingerprint, Part, run_of
from cgstore.change.report import ChangeReport, report_of
from cgstore.change.working import Working
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, setting
from cgstore.loaders.load import Rejects, nothing_in, usable
from cgstore.loaders.readers.records import Statement, Table
from cgstore.loaders.table import TableOptions, line_name, relations, statements
from cgstore.model import ROW_NUMBER, Role, Source
from cgstore.observe.progress import bar
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import owned_key, shared_key

if TYPE_CHECKING:
    from neo4j import Transaction

_LAST = """
CALL () {
  MATCH ()-[v:CG_VALUE {node1: $row_number}]->()
  USING INDEX SEEK v:CG_VALUE(node1, num)
  WHERE v.num IS NOT NULL
  RETURN v.num AS number ORDER BY number DESC LIMIT 1
  UNION
  MATCH (r:CgRelation {key: $row_number})-[v:CG_WAS_VALUE]->()
  RETURN v.num AS number ORDER BY number DESC LIMIT 1
}
RETURN toInteger(max(number)) AS last
"""

Cells = dict[str, Statement]
"""The cells of a row by their columns."""


@dataclass(frozen=True)
class PutRows:
    """Adds rows to a table; with `key` (columns), each replaces the rows that have its values there.

    Columns that the rows lack stay as they are in a row that is replaced, and are empty in a new one. A `part` of an
    append that is there already changes nothing.
    """

    rows: Sequence[Cells]
    key: tuple[str, ...] = ()
    part: Part | None = None

    def apply(self, working: Working) -> None:
        """Does it; raises BadInput if several rows of the table, or of the input, have the same key."""
        if self.part is not None and self.part.is_there(partial(_read, working.tx), working.kind.stored):
            return  # by another process that was given the same command
        columns = columns_of(working)
        lines = self._lines(working) if self.key else [None] * len(self.rows)
        row_number = owned_key(working.kind.stored, ROW_NUMBER)
        last = int(working.tx.run(_LAST, row_number=row_number).single(strict=True)["last"] or 0)
        cells: list[Statement] = []
        for line, row in zip(lines, self.rows, strict=True):
            if line is None:
                last += 1
                cells += _whole(line_name(last), str(last), row, columns)
            else:
                cells += [cell._replace(head=line) for cell in row.values()]
        (Upsert(cells) if self.key else Append(cells)).apply(working)

    def _lines(self, working: Working) -> list[str | None]:
        """The line that each row replaces; None where none has its key."""
        for given in self.rows:
            check_key(given, self.key)
        wanted = [tuple(row[column].tail for column in self.key) for row in self.rows]
        _refuse_doubles(wanted, self.key)
        found = rows_with(working, (cell for values in wanted for cell in zip(self.key, values, strict=True)))
        lines: list[str | None] = []
        for values in wanted:
            having = set.intersection(
                *(found[column, shared_key(value)] for column, value in zip(self.key, values, strict=True))
            )
            if len(having) > 1:
                raise BadInput(
                    f"{len(having):,} rows of '{working.kind.source.name}' have {_named(self.key, values)}: "
                    f"{', '.join(sorted(having)[:3])}.",
                    f"Give more columns with {setting('key')}, or correct the table first.",
                )
            lines.append(next(iter(having), None))
        return lines


def _whole(line: str, number: str, row: Cells, columns: Iterable[str]) -> list[Statement]:
    """All cells of a new row."""
    cells = [row[column]._replace(head=line) if column in row else empty_cell(line, column) for column in columns]
    return [*cells, Statement(line, ROW_NUMBER, number, (), Role.LINE, Role.VALUE)]


def check_key(row: Cells, key: Sequence[str], number: int | None = None) -> None:
    """Raises BadInput if a row, the `number`th of its input, has nothing as a key: it would replace any such row."""
    if empty := next((column for column in key if not row[column].tail), None):
        which = "A row" if number is None else f"Row {number:,}"
        cells = ", ".join(cell.tail[:60] for cell in row.values() if cell.tail)
        raise BadInput(
            f"{which} of the input has no '{empty}', by which rows are to be found ({cells[:200]}).",
            "Give it one, or append such rows on their own.",
        )


def _refuse_doubles(wanted: Sequence[tuple[str, ...]], key: Sequence[str]) -> None:
    seen: set[tuple[str, ...]] = set()
    for values in wanted:
        if values in seen:
            raise BadInput(f"Two rows of the input have {_named(key, values)}.", "Keep one of them.")
        seen.add(values)


def _named(key: Sequence[str], values: Sequence[str]) -> str:
    return " and ".join(f"'{value[:60]}' as '{column}'" for column, value in zip(key, values, strict=True))


def change_by_rows(
    db: Database,
    stored: str,
    source: Source,
    table: Table,
    options: TableOptions,
    command: str,
    key: Sequence[str] | None,
) -> ChangeReport:
    """Appends the rows of a table to a source, or replaces those that have their key."""
    began = time.monotonic()
    names = relations(table.columns)
    check_columns(source, names, key)
    by, most = tuple(key or ()), max(1, PART // len(source.columns))
    done: list[ChangeReport] = []
    fingerprint = Fingerprint()
    with Incoming() as incoming, Rejects(table.path or _path(table), options) as rejects:
        given = usable(statements(table, options.footnotes), rejects, progress=False)
        for number, (_, cells) in enumerate(groupby(given, lambda cell: cell.head)):
            row = {cell.relation: cell for cell in cells if cell.relation != ROW_NUMBER}
            check_key(row, by, number + 1)
            incoming.put((f"{number:012}", "", ""), row)
            fingerprint.add({column: cell.tail for column, cell in row.items()})
        if not incoming.count:
            raise nothing_in(table.path or _path(table), rejects)
        count = -(-incoming.count // most)
        run = run_of(db, stored, source.name, fingerprint.of_parts(most), count, is_append=not by)
        with bar("change", "rows", incoming.count, show=options.progress) as shown:
            for part, rows in zip(run.parts(), incoming.parts(3, most), strict=True):
                if part.number not in run.there:
                    put = PutRows(rows, by, None if by else part)
                    one = commit(db, stored, [put], command, dry_run=options.dry_run, about=part.record())
                    done += [one] if one else []
                shown.update(len(rows))
        made = [number for each in done for number in each.changes]
        notes = (*table.notes, *run.notes(made, dry_run=options.dry_run))
        return report_of(source.name, done, began, notes, dry_run=options.dry_run, **rejected(rejects))


def rejected(rejects: Rejects) -> dict[str, Any]:
    """What a report says of lines that were left out."""
    return {"rejected": rejects.count, "rejected_file": str(rejects.path) if rejects.count else None}


def check_columns(source: Source, names: Sequence[str], key: Sequence[str] | None) -> None:
    """Raises BadInput unless a table has these columns, and the input those of the key."""
    known = [column for column in source.columns if column != ROW_NUMBER]
    hint = f"The columns of '{source.name}' are {', '.join(known)}."
    if len(set(known)) < len(known):  # of a version that made one relation of them
        raise BadInput(
            "A table with two columns of one name cannot be changed row by row.", f"Use {setting('replace', True)}."
        )
    for name in names:
        if name not in known:
            ways = f"Leave the column out, or load the whole table again with {setting('replace', True)}."
            raise BadInput(
                f"Source '{source.name}' has no column '{name}'.", f"{did_you_mean(name, known, hint)} {ways}"
            )
    if key is not None and not key:
        raise BadInput("An upsert needs the columns that tell rows apart.", f"Name them with {setting('key')}. {hint}")
    for name in key or ():
        if name not in names:
            raise BadInput(f"The input has no column '{name}' for {setting('key')}.", did_you_mean(name, names, hint))


def _read(tx: Transaction, statement: str, about: dict[str, Any]) -> list[dict[str, Any]]:
    return [row.data() for row in tx.run(statement, about)]


def _path(table: Table) -> Path:
    return Path(table.name.replace("/", "_"))
