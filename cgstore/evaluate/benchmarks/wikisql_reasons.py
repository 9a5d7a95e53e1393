"""Why the answer to a question of WikiSQL is not what SQL gives.

The two differ in what is equal, what is greater, and what is a number. SQL compares texts without case. The language
maps a name to nodes, exactly or else without case, accents and punctuation, and compares what reads as a number by
number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cgstore.errors import CgstoreError
from cgstore.evaluate.benchmarks.benchmark import Question, Reason, some_of, unexplained
from cgstore.evaluate.benchmarks.wikisql import Condition, Query, Table, sql_number
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.query.comparisons import ValueReading
from cgstore.text.columns import kind_of
from cgstore.text.dates import number_of
from cgstore.text.kinds import ValueKind, read_as


class _Given(NamedTuple):
    """A condition: the name and the distinct cells of its column, and the nodes that its value was mapped to."""

    condition: Condition
    column: str
    cells: frozenset[str]
    numeric: bool
    nodes: frozenset[str]

    @property
    def value(self) -> str:
        """The value that the cells are compared with."""
        return self.condition.value

    def equal_in_sql(self) -> frozenset[str]:
        """Returns the cells that are equal to the value in SQL."""
        number = sql_number(self.value) if self.numeric else None
        if number is not None:
            return frozenset(cell for cell in self.cells if sql_number(cell) == number)
        return frozenset(cell for cell in self.cells if cell.lower() == self.value.lower())

    def equal_by_number(self) -> frozenset[str] | None:
        """Returns the cells that are the same number in the language; None if the language compares names."""
        kind = kind_of(self.cells)
        span = ValueReading((kind,)).span(self.value)
        if span is None or (kind is ValueKind.SCORE and self.nodes):
            return None
        numbers = {cell: number_of(cell) if kind is ValueKind.TEXT else read_as(kind, cell) for cell in self.cells}
        return frozenset(cell for cell, n in numbers.items() if n is not None and span.lo <= n <= span.hi)


def explain(question: Question, query: Query, table: Table, answer: Answer, error: CgstoreError | None) -> Reason:
    """Returns why the answer is not the gold one, which is what the query gives on the table."""
    given = list(_given(query, table, answer))
    if isinstance(error, UnmappedName):
        return _unmapped(given, error)
    if error is None:
        for reason in (*map(_condition, given), _aggregate(query, table)):
            if reason is not None:
                return reason
    return unexplained(question, answer, error)


def _given(query: Query, table: Table, answer: Answer) -> Iterator[_Given]:
    for condition in query.conditions:
        place = condition.column
        nodes = frozenset(m.node for m in answer.mappings if m.role == "entity" and m.name == condition.value)
        cells = frozenset(table.cells(place))
        yield _Given(condition, table.header[place], cells, table.is_numeric(place), nodes)


def _unmapped(given: list[_Given], error: UnmappedName) -> Reason:
    message = error.message.splitlines()[0]
    for each in given:
        if f"'{each.value}'" in message and (cells := each.equal_in_sql()):
            return Reason("a name in other case is not found", f"'{each.value}' is {some_of(sorted(cells))}")
    return Reason("no cell has the name, which is refused; SQL finds no row", message)


def _condition(given: _Given) -> Reason | None:
    if given.condition.op != "=":
        detail = f"'{given.column}' {given.condition.op} {given.value}"
        kind = "of texts SQL compares the letters, the language the numbers"
        return None if given.numeric else Reason(kind, detail)
    sql, ours = given.equal_in_sql(), given.equal_by_number()
    if ours is not None:
        same = "texts that read as one number, which SQL tells apart"
        return None if sql == ours else Reason(same, f"'{given.value}' is {some_of(sorted(ours ^ sql))} too")
    ours = given.cells & given.nodes
    if lost := sql - ours:
        if ours:
            return Reason("cells that differ in case only, of which the exact one is taken", some_of(sorted(sql)))
        detail = f"'{given.value}', here {some_of(sorted(lost))}"
        return Reason("a name in other case here, which another source has exactly", detail)
    if more := ours - sql:
        return Reason(
            "names that differ in punctuation or accents, which SQL tells apart",
            f"'{given.value}' is {some_of(sorted(more))} too",
        )
    return None


def _aggregate(query: Query, table: Table) -> Reason | None:
    if query.aggregate in ("", "COUNT") or table.is_numeric(query.select):
        return None
    kind = kind_of(frozenset(table.cells(query.select)))
    if query.aggregate in ("MAX", "MIN"):
        what = "of texts SQL takes the first or last by letters"
    else:
        what = "of texts SQL computes with the digits that they begin with"
    return Reason(what, f"{query.aggregate} of '{table.header[query.select]}', whose cells are read as {kind} here")
