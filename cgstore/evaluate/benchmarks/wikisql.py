"""WikiSQL: each question is asked of its own table; the gold answer is what its SQL gives in SQLite.

WikiSQL (Zhong, Xiong, Socher: "Seq2SQL: Generating Structured Queries from Natural Language using Reinforcement
Learning", 2017) asks one table a question, with its SQL: a column, an aggregate or none, and conditions that all hold.
One JSON object a line: questions `{"question", "table_id", "sql": {"sel", "agg", "conds"}}`, tables `{"id", "header",
"rows"}`. The type is the aggregate in small letters, or `select`.

As in the benchmark's own execution, texts are compared and ordered without case, and numbers as numbers. A column is
numeric if each cell that is not empty reads as a number, with commas between thousands or without. The `types` beside a
table are not used: they call `46,735` a text, which SQLite would order by its digits and add up as 46.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Question, Selection, Sets, Steps
from cgstore.evaluate.benchmarks.files import json_lines, json_object, record_at, text_lines
from cgstore.evaluate.benchmarks.sources import load_changed
from cgstore.evaluate.scoring import Judge, accepted_table
from cgstore.loaders.readers.records import column_names
from cgstore.loaders.table import relations
from cgstore.model import ROW_NUMBER
from cgstore.query.build import quote
from cgstore.store import Store

SOURCE = "eval/wikisql"
"""The names of the tables' sources begin with it: `eval/wikisql/1-10015132-16`."""

TABLES_A_FILE = 200

AGGREGATES = ("", "MAX", "MIN", "COUNT", "SUM", "AVG")
"""By their number in the files; empty for the cells themselves."""

OPERATORS = ("=", ">", "<")

MAX_SETS = 4
"""Sets in one `set_intersection` of a program."""

FUNCTIONS = {"MAX": "max", "MIN": "min", "AVG": "mean", "SUM": "sum"}
"""The functions of the language for aggregates; COUNT counts rows instead."""

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)")


class Condition(NamedTuple):
    """Compares the cells of a column (its place, from 0) with a value, by one of `OPERATORS`."""

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
class Table:
    """A table; `rows` have a text for each column of the header, and `line` is its JSON as in the file."""

    id: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line: str = ""

    def cells(self, column: int) -> list[str]:
        """Returns the cells of a column, row by row."""
        return [row[column] for row in self.rows]

    def is_numeric(self, column: int) -> bool:
        """Whether each cell of the column that is not empty reads as a number, and there is one."""
        filled = [cell for cell in self.cells(column) if cell]
        return bool(filled) and all(sql_number(cell) is not None for cell in filled)


def sql_number(text: str) -> float | None:
    """Returns the number that SQL reads a text as, or None: digits, with commas between thousands or without."""
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


def read_tables(path: Path, only: Collection[str]) -> dict[str, Table]:
    """Reads the tables with these ids."""
    tables = {}
    for place, line in text_lines(path):
        record = json_object(line, place)
        with record_at(place, "table of WikiSQL"):
            if str(record["id"]) in only:
                header = tuple(str(name) for name in record["header"])
                rows = tuple(tuple(_text(cell).strip() for cell in row) for row in record["rows"])
                if any(len(row) != len(header) for row in rows):
                    raise ValueError(f"a row does not have {len(header)} cells, as many as the header")
                tables[str(record["id"])] = Table(str(record["id"]), header, rows, line)
    if missing := sorted(set(only) - tables.keys()):
        raise BadInput(f"{path.name} does not have the table {missing[0]}.", "Do --tables and --questions match?")
    return tables


def read_questions(path: Path) -> Iterator[Question]:
    """Reads the questions of a file, in its order; the annotation is a `Query`, and the source that of the table."""
    for number, (place, record) in enumerate(json_lines(path), 1):
        with record_at(place, "question of WikiSQL"):
            sql = record["sql"]
            conditions = tuple(Condition(int(c), OPERATORS[op], str(value)) for c, op, value in sql["conds"])
            query = Query(int(sql["sel"]), AGGREGATES[sql["agg"]], conditions)
            source = f"{SOURCE}/{record['table_id']}"
            kind = query.aggregate.lower() or "select"
            yield Question(str(number), record["question"], (), kind, (source,), annotation=query)


def execute(table: Table, query: Query) -> tuple[str, ...]:
    """Returns what the query gives in SQLite, as texts: distinct cells as written, in the table's order, or a number.

    MAX and MIN give the cell. NULL, such as the sum of no row, is nothing.
    """
    columns = {query.select, *(condition.column for condition in query.conditions)}
    if not all(0 <= column < len(table.header) for column in columns):
        raise BadInput(f"A query asks table {table.id} for a column that it does not have.")
    numeric = {column: table.is_numeric(column) for column in columns}
    with closing(sqlite3.connect(":memory:")) as database:
        _fill(database, table, numeric)
        where = [f"c{c.column} {c.op} ?" for c in query.conditions]
        sql = f"SELECT {_selected(query)} FROM t" + (f" WHERE {' AND '.join(where)}" if where else "")
        values = [_compared(c.value, numeric[c.column]) for c in query.conditions]
        found = [row[0] for row in database.execute(sql, values)]
    return tuple(dict.fromkeys(_text(value) for value in found if value is not None))


def _fill(database: sqlite3.Connection, table: Table, numeric: dict[int, bool]) -> None:
    """Stores two columns for each one used: `c3` to compare and compute with, and `w3`, its cells as written."""
    used = sorted(numeric)
    declared = ", ".join(f"c{column} {'REAL' if numeric[column] else 'TEXT'}, w{column} TEXT" for column in used)
    database.execute(f"CREATE TABLE t ({declared})")
    marks = ", ".join("?" * 2 * len(used))
    rows = ([(row[c], numeric[c]) for c in used] for row in table.rows)
    stored = ([v for cell, number in row for v in (sql_number(cell) if number else cell.lower(), cell)] for row in rows)
    database.executemany(f"INSERT INTO t VALUES ({marks})", stored)


def _selected(query: Query) -> str:
    """The selected expression; beside MAX and MIN SQLite returns the other columns of the same row."""
    written, computed = f"w{query.select}", f"{query.aggregate}(c{query.select})"
    if query.aggregate in ("MAX", "MIN"):
        return f"{written}, {computed}"
    return {"": written, "COUNT": f"COUNT({written})"}.get(query.aggregate, computed)


def _compared(value: str, numeric: bool) -> str | float:
    """The value in the form of the column's cells; in a numeric column its first number, as in the benchmark."""
    number = sql_number(value) if numeric else None
    if numeric and number is None and (match := _NUMBER.search(value)):
        number = sql_number(match[0])
    return value.lower() if number is None else number


def _text(value: str | float | None) -> str:
    """A value of JSON or of SQLite as a text; whole numbers have no fraction."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def program_of(query: Query, header: Sequence[str]) -> str:
    """Returns the program that asks a table with this header what the query asks.

    Names and values stand as annotated; the engine maps them to cells. SQL selects and computes over rows, the language
    over sets. So the conditions find the rows, COUNT counts the rows, and SUM and AVG run over the cells of the rows,
    with equal cells as often as they occur.
    """
    columns = list(relations(column_names(header, "The header")))
    steps = Steps()
    rows = _rows(query.conditions, columns, steps)
    if query.aggregate == "COUNT":
        steps.add("count", set=rows or steps.search(relation=ROW_NUMBER))
        return str(steps)
    cells = steps.search(relation=columns[query.select], head_entity=rows)
    if query.aggregate:
        result = steps.add(FUNCTIONS[query.aggregate], set=cells)
        if query.aggregate == "SUM" and rows:  # the sum of no row is NULL in SQL, and 0 in the language
            found = steps.add("count", set=rows)
            steps.call(f"if(value1='{found}', operator='>', value2='0', then='{result}')")
    return str(steps)


def _rows(conditions: Sequence[Condition], columns: Sequence[str], steps: Steps) -> str:
    """The output with the rows for which all conditions hold; empty if there is no condition."""
    sets = [
        steps.call(f"get_information(relation={quote(columns[c.column])}, tail_entity{c.op}{quote(c.value)})")
        for c in conditions
    ]
    while len(sets) > 1:
        together, sets = sets[:MAX_SETS], sets[MAX_SETS:]
        sets.insert(0, steps.add("set_intersection", **{f"set{n}": each for n, each in enumerate(together, 1)}))
    return sets[0] if sets else ""


class Annotation(NamedTuple):
    """What a question asks of its table."""

    query: Query
    table: Table


class WikiSQL(Benchmark):
    """The questions of a file, each over its table."""

    name = "wikisql"
    title = "WikiSQL: each question is asked of its own table; gold is what its SQL gives."
    example = "wikisql --data .data --limit 200 --out outcomes.jsonl --report report"
    file = "dev.jsonl"
    judge = Judge(accepted_table, ("accepted", "accuracy"))
    options = ("tables",)
    oracle_sets: ClassVar[Sets] = {"wikisql": {}}

    def questions(self, selection: Selection) -> Iterable[Question]:
        return read_questions(self.path(selection))

    def is_asked(self, question: Question, selection: Selection) -> bool:
        return True

    def complete(self, questions: list[Question], selection: Selection) -> list[Question]:
        """Adds the gold answers, by the SQL."""
        tables = self._tables(selection, questions)
        return [_with_gold(question, tables[question.sources[0]]) for question in questions]

    def load(self, store: Store, selection: Selection, questions: Sequence[Question]) -> None:
        lines = {source: f"{table.line}\n".encode() for source, table in self._tables(selection, questions).items()}

        def load(sources: list[str]) -> None:
            with TemporaryDirectory() as folder:
                paths = []
                for start in range(0, len(sources), TABLES_A_FILE):
                    paths.append(Path(folder) / f"tables-{start}.jsonl")
                    paths[-1].write_bytes(b"".join(lines[each] for each in sources[start : start + TABLES_A_FILE]))
                # The loader names several tables NAME/TABLE, and one alone NAME.
                name = SOURCE if len(sources) > 1 else sources[0]
                store.load_table(paths, name=name, replace=True, progress=True)

        load_changed(store, lines, load)

    def program(self, question: Question) -> str:
        return program_of(question.annotation.query, question.annotation.table.header)

    def _tables(self, selection: Selection, questions: Sequence[Question]) -> dict[str, Table]:
        """The tables of these questions, by their sources."""
        if selection.questions and not selection.tables:
            raise BadInput("WikiSQL's --questions need their tables.", "Give the file of the tables by --tables.")
        path = selection.tables or selection.folder(self.name) / "dev.tables.jsonl"
        only = {source.removeprefix(f"{SOURCE}/") for question in questions for source in question.sources}
        return {f"{SOURCE}/{identifier}": table for identifier, table in read_tables(path, only).items()}


def _with_gold(question: Question, table: Table) -> Question:
    try:
        gold = execute(table, question.annotation)
    except BadInput as error:
        raise BadInput(f"Question {question.id} of WikiSQL: {error.message}", error.hint) from error
    return replace(question, gold=gold, annotation=Annotation(question.annotation, table))


BENCHMARK = WikiSQL()
