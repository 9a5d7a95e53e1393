"""What a backend sees of tables: their rows, and of each column its values, how many differ, and how they are written.

A table of at most `MAX_CELLS` cells is read whole. Of a larger one the first rows are read, the last one, and rows with
a name of the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.model import ROW_NUMBER
from cgstore.text.columns import is_missing
from cgstore.text.names import owned_key

MAX_CELLS = 8_000
"""Cells that are read of all tables together."""

LEAST_READ = 5
"""Rows that are read of any table, however wide."""

MAX_NAMED = 20
"""Rows read beyond the first ones because a cell is a name in the question, for each name and column."""

LONGEST_CELL = 200
"""Characters of a cell that a backend sees."""

FEW = 8
"""Most different values of a column that are listed."""

MAX_FORMATS = 4
"""Formats of a column of which an example is shown."""

Cells = tuple[str, ...]
"""A row of a table, one text per column."""

_CELLS = """
UNWIND $tables AS table
UNWIND table.columns AS column
UNWIND table.lines AS line
MATCH ()-[v:CG_VALUE {node1: column, head: line}]->(cell) USING INDEX SEEK v:CG_VALUE(node1, head)
RETURN column, line, collect(left(cell.name, $longest)) AS cells
"""

_LINES = """
UNWIND $columns AS column
UNWIND $keys AS key
CALL (column, key) {
  MATCH ()-[v:CG_VALUE {node1: column, node2: key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  WITH v.head AS line LIMIT $looked_at
  MATCH (l:CgNode {key: line}) USING INDEX SEEK l:CgNode(key)
  RETURN l.num AS number ORDER BY number LIMIT $most
}
RETURN DISTINCT column, number
"""

_NUMBERS = """
UNWIND $keys AS key
CALL (key) {
  MATCH ()-[v:CG_VALUE]->() USING INDEX SEEK v:CG_VALUE(node1, num)
  WHERE v.node1 = key AND v.num >= $first
  RETURN toInteger(v.num) AS number ORDER BY v.node1, v.num LIMIT $most
}
RETURN key, collect(number) AS numbers
"""

LOOKED_AT = 2_000
"""Rows with one name that are looked at to find the first of them."""


@dataclass(frozen=True)
class StoredTable:
    """A table to be read: its stored name, its columns in their order, and how many rows it has.

    `last` is the number of the last one, if it is not `rows`, since rows were removed.
    """

    source: str
    columns: tuple[str, ...]
    rows: int
    last: int = 0


@dataclass(frozen=True)
class TableRows:
    """The rows of a table that were read, by their number from 1, in order; `count` is how many there are.

    `last` is the number of the last one, if it is not `count`, since rows were removed.
    """

    rows: Mapping[int, Cells]
    count: int
    last: int = 0

    @property
    def whole(self) -> bool:
        """Whether all rows were read."""
        return len(self.rows) == self.count

    def column(self, place: int) -> list[str]:
        """The cells of a column that were read."""
        return [cells[place] for cells in self.rows.values()]

    def chosen(self, most: int, names: Sequence[str]) -> list[int]:
        """The numbers of at most `most` rows, in order: rows with the most of these names, the first rows, the last."""
        if most >= self.count and self.whole:
            return list(self.rows)
        wanted = set(names)
        hits = {number: len(wanted.intersection(cells)) for number, cells in self.rows.items()}
        named = sorted((number for number in hits if hits[number]), key=lambda number: (-hits[number], number))
        last = self.last or self.count
        ends = [last] if most > 1 and last in self.rows else []
        order = [*named[: max(1, most // 2)], *ends, *self.rows]
        return sorted(list(dict.fromkeys(order))[:most])


def read_tables(db: Database, tables: Mapping[str, StoredTable], keys: Sequence[str]) -> dict[str, TableRows]:
    """The rows of some tables by their names, with cells cut to `LONGEST_CELL`.

    Of a table that is not read whole, rows with the names of these keys are read too. The cells of columns of one name
    are joined by ` / `.
    """
    width = sum(max(1, len(table.columns)) for table in tables.values()) or 1
    first = max(LEAST_READ, MAX_CELLS // width)
    with_gaps = {owned_key(table.source, ROW_NUMBER): name for name, table in tables.items() if table.last}
    numbers = {name: {*range(1, min(first, table.rows) + 1), table.rows} - {0} for name, table in tables.items()}
    for key, found in row_numbers(db, list(with_gaps), 1, first).items():
        numbers[with_gaps[key]] = {*found, tables[with_gaps[key]].last}
    cut = {name: table for name, table in tables.items() if table.rows > len(numbers[name])}
    if cut and keys:
        for name, lines in _named_lines(db, cut, keys).items():
            numbers[name] |= lines
    wanted = [
        {
            "columns": [owned_key(table.source, column) for column in table.columns],
            "lines": [owned_key(table.source, f"[line_{number}]") for number in sorted(numbers[name])],
        }
        for name, table in tables.items()
    ]
    cells = read_cells(db, wanted)
    return {
        name: TableRows(
            {
                number: tuple(cells.get((column, line), "") for column in table["columns"])
                for number, line in zip(sorted(numbers[name]), table["lines"], strict=True)
            },
            tables[name].rows,
            tables[name].last,
        )
        for name, table in zip(tables, wanted, strict=True)
    }


def read_cells(db: Database, tables: Sequence[Mapping[str, Sequence[str]]]) -> dict[tuple[str, str], str]:
    """The cells of some rows, cut to `LONGEST_CELL`, by the keys of their column and row.

    A table is given by the keys of its `columns` and of its `lines`.
    """
    rows = db.read(_CELLS, {"tables": list(tables), "longest": LONGEST_CELL})
    return {(row["column"], row["line"]): " / ".join(sorted(row["cells"])) for row in rows}


def row_numbers(db: Database, keys: Sequence[str], first: int, most: int) -> dict[str, list[int]]:
    """The numbers of at most `most` rows of tables from a number on, by the keys of the tables' `row_number`."""
    rows = db.read(_NUMBERS, {"keys": list(keys), "first": first, "most": most}) if keys else []
    return {row["key"]: row["numbers"] for row in rows}


def _named_lines(db: Database, tables: Mapping[str, StoredTable], keys: Sequence[str]) -> dict[str, set[int]]:
    """The numbers of the rows that have a name of the question as a cell."""
    names = {owned_key(table.source, column): name for name, table in tables.items() for column in table.columns}
    given: dict[str, Any] = {"columns": list(names), "keys": list(keys), "most": MAX_NAMED, "looked_at": LOOKED_AT}
    found: dict[str, set[int]] = {name: set() for name in tables}
    for row in db.read(_LINES, given):
        found[names[row["column"]]].add(int(row["number"]))
    return found


# Columns

_SPACES = re.compile(r"\s+")
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_LETTERS = re.compile(r"[^\W\d_]+(?:[ ’'.-]+[^\W\d_]+)*")


@dataclass(frozen=True)
class ColumnValues:
    """The values of a column, as far as they were read.

    `different` counts the values without the missing ones; `repeated` are those of several rows, the most frequent
    first; `few` are all of them if they are at most `FEW` and some occur twice. `missing` counts empty cells and
    placeholders; `placeholders` are these. `formats` has an example of each way of writing that has figures in it.
    """

    different: int
    few: tuple[str, ...]
    repeated: tuple[tuple[str, int], ...]
    missing: int
    placeholders: tuple[str, ...]
    formats: tuple[str, ...]


def column_values(cells: Sequence[str]) -> ColumnValues:
    """What the cells of a column show."""
    counts = Counter(cell for cell in cells if not is_missing(cell))
    fillers = Counter(cell for cell in cells if is_missing(cell))
    order = sorted(counts.items(), key=lambda item: -item[1])  # stable: as in the table
    repeated = tuple((value, count) for value, count in order if count > 1)
    few = tuple(counts) if repeated and len(counts) <= FEW else ()
    placeholders = tuple(text for text in fillers if text.strip())
    return ColumnValues(len(counts), few, repeated, fillers.total(), placeholders, formats(list(counts)))


def formats(values: Sequence[str]) -> tuple[str, ...]:
    """An example of each way in which values are written, the most frequent first; none for words without figures."""
    shapes: dict[str, list[str]] = {}
    for value in values:
        shapes.setdefault(shape(value), []).append(value)
    order = sorted(shapes.items(), key=lambda item: -len(item[1]))
    return tuple(some[0] for form, some in order if "9" in form)[:MAX_FORMATS]


def shape(text: str) -> str:
    """How a text is written: `9` for a number, `a` for words, all other signs as they are.

    `13th (q)` is `9a (a)`, `2,004 (est.)` is `9 (a.)`.
    """
    return _SPACES.sub(" ", _FIGURES.sub("9", _LETTERS.sub("a", text.strip())))
