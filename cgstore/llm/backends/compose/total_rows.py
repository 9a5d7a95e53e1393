"""Rows of totals: no reading counts, adds up or lists them with the rows that they sum up, unless they are named.

A reading leaves such a row out by a condition, `not Total`, that no words of the question state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.table import Table
from cgstore.loaders.totals import Total

_NOWHERE = -99
"""The place of words that no question has."""

_OF_NAMED = ("next", "previous", "greater", "less", "difference")
"""Operations on rows that a question names."""


def without_totals(reading: Reading, table: Table) -> Reading:
    """A reading that leaves out the rows of totals which the question does not name, if a condition can say so."""
    if reading.operation in _OF_NAMED:
        return reading
    for total in list(_meant_with_others(reading, table)):
        if (left_out := _other_than(total, table)) is not None:
            reading = replace(reading, groups=(*reading.groups, (left_out,)), rows=reading.rows & left_out.rows)
    return reading


def untotalled(reading: Reading, table: Table) -> Iterator[str]:
    """Why an answer would rest on a row of totals, as reasons for none."""
    if reading.operation in _OF_NAMED:
        return
    for total in _meant_with_others(reading, table):
        is_so_without = reading.operation == "exists" and reading.rows & ~(1 << (total.row - 1))
        if not is_so_without:
            yield f"row {total.row}{_says(total)} looks like a total of other rows, and would count for the answer"


def notes_of_totals(reading: Reading, table: Table) -> Iterator[str]:
    """A note for each row that looks like a total of others and is left out, or is named; none if not all were read."""
    for total in table.totals:
        row = 1 << (total.row - 1)
        if any(group[0].how == "total" and not group[0].rows & row for group in reading.groups):
            yield f"Row {total.row}{_says(total)} looks like a total of other rows, and was left out."
        elif reading.rows & row:
            yield f"Row {total.row}{_says(total)} looks like a total of other rows."


def _meant_with_others(reading: Reading, table: Table) -> Iterator[Total]:
    """The rows of totals among those of a reading, of which no condition names them alone."""
    every = sum(1 << (total.row - 1) for total in table.totals)
    if any(each.op in ("=", "contains") and not each.rows & ~every for each in reading.conditions):
        return
    yield from (total for total in table.totals if reading.rows >> (total.row - 1) & 1)


def _other_than(total: Total, table: Table) -> Condition | None:
    """The condition by which all rows but that of a total are meant: that one has a cell which no other row has."""
    row = total.row - 1
    named = [column for column in table.columns if column.cells[row] == total.word]
    for column in (*named, *table.columns):
        cell = column.cells[row]
        if cell.strip() and column.rows_of[cell] == 1 << row and (column in named or not column.is_ordered):
            rows = table.every & ~(1 << row)
            return Condition(column.place, "!=", (cell,), rows, _NOWHERE, _NOWHERE, 0, "total")
    return None


def _says(total: Total) -> str:
    return f" ('{total.word}')" if total.word else ""
