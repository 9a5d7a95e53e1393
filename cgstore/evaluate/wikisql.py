"""Reader of WikiSQL, and its SQL run in SQLite: what a question's answer is by definition.

WikiSQL (Zhong, Xiong, Socher: "Seq2SQL: Generating Structured Queries from Natural Language using Reinforcement
Learning", 2017) asks one table a question, with its SQL: a column, an aggregate or none, and conditions that all hold.
One JSON object a line: questions `{"question", "table_id", "sql": {"sel", "agg", "conds"}}`, tables `{"id", "header",
"rows"}`.

Texts are compared and ordered without case, numbers as numbers, as the benchmark's own execution does. A column is one
of numbers where each cell that is not empty reads as one, with commas between thousands or without: the `types` beside
a table call `46,735` a text, which SQLite would order by its digits and add up as 46.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.errors import BadInput
from cgstore.text.json_text import read_json

AGGREGATES = ("", "MAX", "MIN", "COUNT", "SUM", "AVG")
"""By their number in the files; empty: the cells themselves."""

OPERATORS = ("=", ">", "<")

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)")


class Condition(NamedTuple):
    """A cell of the column (its place, from 0) compared by `op`, one of `OPERATORS`, with the value as annotated."""

    column: int
    op: str
    value: str


@dataclass(frozen=True)
class Query:
    """SELECT `aggregate`(column `select`) WHERE all `conditions`; `aggregate` is one of `AGGREGATES`."""

    select: int
    aggregate: str
    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Question:
    """One question; `id` is the number of its line, from 1."""

    id: str
    text: str
    table: str
    query: Query


@dataclass(frozen=True)
class Table:
    """A table; `rows` hold a text for each of the header's columns. `line` is its JSON, as the file has it."""

    id: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line: str

    def cells(self, column: int) -> list[str]:
        """The cells of a column, row by row."""
        return [row[column] for row in self.rows]

    def is_numeric(self, column: int) -> bool:
        """Whether the column is one of numbers: each cell that is not empty reads as one, and there is one."""
        filled = [cell for cell in self.cells(column) if cell]
        return bool(filled) and all(sql_number(cell) is not None for cell in filled)


def sql_number(text: str) -> float | None:
    """The number that a text is for SQL, or None: digits, with commas between thousands or without."""
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


def read_tables(path: Path, only: Collection[str]) -> dict[str, Table]:
    """The tables with these ids.

    Raises:
        BadInput: there is no such file, a line is no table, or a table is not there.
    """
    tables = {}
    for where, line in _lines(path):
        if table := _table(where, line, only):
            tables[table.id] = table
    if missing := sorted(set(only) - tables.keys()):
        raise BadInput(f"{path.name} has no table {missing[0]}.", "Do --tables and --questions belong together?")
    return tables


def _table(where: str, line: str, only: Collection[str]) -> Table | None:
    record = _record(where, line)
    try:
        if str(record["id"]) not in only:
            return None
        header = tuple(str(name) for name in record["header"])
        rows = tuple(tuple(_text(cell).strip() for cell in row) for row in record["rows"])
    except (KeyError, TypeError) as error:
        raise BadInput(f"{where}: this is no table of WikiSQL: {error!r}.") from error
    if any(len(row) != len(header) for row in rows):
        raise BadInput(f"{where}: a row has not {len(header)} cells, as many as the header.")
    return Table(str(record["id"]), header, rows, line)


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of a file, in its order.

    Raises:
        BadInput: there is no such file, or a line is no question of WikiSQL.
    """
    for number, (where, line) in enumerate(_lines(path), 1):
        record = _record(where, line)
        try:
            sql = record["sql"]
            conditions = tuple(Condition(int(c), OPERATORS[op], str(value)) for c, op, value in sql["conds"])
            query = Query(int(sql["sel"]), AGGREGATES[sql["agg"]], conditions)
            yield Question(str(number), record["question"], str(record["table_id"]), query)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise BadInput(f"{where}: this is no question of WikiSQL: {error!r}.") from error


def execute(table: Table, query: Query) -> tuple[str, ...]:
    """What the query gives in SQLite, as texts: cells as written, each once, in the table's order; or a number.

    MAX and MIN give the cell. NULL, such as the sum of no row, is nothing.

    Raises:
        BadInput: the query names a column that the table has not.
    """
    columns = {query.select, *(condition.column for condition in query.conditions)}
    if not all(0 <= column < len(table.header) for column in columns):
        raise BadInput(f"A query asks table {table.id} for a column that it has not.")
    numeric = {column: table.is_numeric(column) for column in columns}
    with closing(sqlite3.connect(":memory:")) as database:
        _fill(database, table, numeric)
        where = [f"c{c.column} {c.op} ?" for c in query.conditions]
        sql = f"SELECT {_selected(query)} FROM t" + (f" WHERE {' AND '.join(where)}" if where else "")
        values = [_compared(c.value, numeric[c.column]) for c in query.conditions]
        found = [row[0] for row in database.execute(sql, values)]
    return tuple(dict.fromkeys(_text(value) for value in found if value is not None))


def _fill(database: sqlite3.Connection, table: Table, numeric: dict[int, bool]) -> None:
    """Two columns for each that is used: `c3` to compare and compute with, and `w3`, its cells as written."""
    used = sorted(numeric)
    declared = ", ".join(f"c{column} {'REAL' if numeric[column] else 'TEXT'}, w{column} TEXT" for column in used)
    database.execute(f"CREATE TABLE t ({declared})")
    marks = ", ".join("?" * 2 * len(used))
    rows = ([v for column in used for v in (_stored(row[column], numeric[column]), row[column])] for row in table.rows)
    database.executemany(f"INSERT INTO t VALUES ({marks})", rows)


def _selected(query: Query) -> str:
    """What is selected; beside MAX and MIN SQLite gives the other columns of the row that they are of."""
    column = query.select
    match query.aggregate:
        case "":
            return f"w{column}"
        case "MAX" | "MIN":
            return f"w{column}, {query.aggregate}(c{column})"
        case "COUNT":
            return f"COUNT(w{column})"
        case aggregate:
            return f"{aggregate}(c{column})"


def _stored(cell: str, numeric: bool) -> str | float | None:
    return sql_number(cell) if numeric else cell.lower()


def _compared(value: str, numeric: bool) -> str | float:
    """The value as the column's cells are; of a text the first number in it, as the benchmark's execution has it."""
    if not numeric:
        return value.lower()
    number = sql_number(value)
    if number is None and (match := _NUMBER.search(value)):
        number = sql_number(match[0])
    return value.lower() if number is None else number


def _text(value: str | float | None) -> str:
    """A value of JSON or of SQLite as a text; whole numbers have no fraction."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _record(where: str, line: str) -> dict[str, Any]:
    try:
        record = read_json(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"{where}: this is no JSON: {error}.") from error
    if not isinstance(record, dict):
        raise BadInput(f"{where}: this is no JSON object.")
    return record


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place."""
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"{path.name}, line {number}", line.rstrip("\n")
