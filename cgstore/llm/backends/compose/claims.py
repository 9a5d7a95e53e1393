"""What a yes-or-no question claims by the name of a column alone: `was order 7 delivered`, `is the stapler in stock`.

A cell that says yes or no is read so, a number by whether it is more than 0, and a date by being there.
"""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.column import DATES, FLAGS, Column
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.runs import Run
from cgstore.llm.backends.compose.states import STOCK
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.words import stem, word_list
from cgstore.text.columns import is_missing

_PIECES = set(map(stem, word_list("quantity qty copies pieces")))
_HAVE = ("have", "has", "having", "had", "got")
_SINGLE = {"0": False, "1": True}


def claims_of_columns(context: Context, base: Reading, unused: int) -> Iterator[Condition]:
    """The claims that columns with the unused words as their whole name make of the rows of a reading."""
    if not unused:
        return
    flags = [run for column, run in _namings(context) if column.is_flag]
    masks = 0
    used = set()
    for condition in base.conditions:
        masks |= condition.mask
        used.add(condition.column)
    for column, run in _namings(context):
        is_other = bool(flags) and not column.is_flag  # `paid her fee` is what `Paid` says, and not that there is a fee
        if unused and not unused & ~run.mask and not run.mask & masks and column.place not in used and not is_other:
            used.add(column.place)
            yield from _claim(context, column, run, base.rows)


def _namings(context: Context) -> list[tuple[Column, Run]]:
    """The whole names of columns in a question."""
    columns = context.table.columns
    return [(columns[n], r) for n, r in context.every_run if r.share == 1 and not (r.meant or r.inflected)]


def objects_of_flags(context: Context) -> int:
    """The words for an amount right behind a verb that is the name of a column of yes and no: `paid her fee`."""
    starts = {place for column, run in _namings(context) if column.is_flag for place in (run.last, run.last + 1)}
    return sum({run.mask for column, run in _namings(context) if column.is_amount and run.first in starts})


def _claim(context: Context, column: Column, run: Run, rows: int) -> Iterator[Condition]:
    cells = [column.cells[row] for row in rows_in(rows)]
    filled = {cell for cell in cells if not is_missing(cell)}
    said = {cell: FLAGS[cell.strip().lower()] for cell in column.rows_of if cell.strip().lower() in FLAGS}
    digits = {cell for cell in column.rows_of if cell.strip()} <= _SINGLE.keys()
    has = any(form in _HAVE for form in context.text.forms)
    if filled and (digits or filled <= said.keys()):
        yes = [cell for cell in column.rows_of if said.get(cell, _SINGLE.get(cell, False))]
        yield _condition(column, "=", yes, run)
    elif column.kind in DATES or (has and column.form in ("text", "names")):
        yield filled_cells(column, run)
    elif column.is_amount and not column.is_year:
        yield _condition(column, ">", ["0"], run)


def _condition(column: Column, op: str, values: list[str], run: Run) -> Condition:
    rows = 0
    for row, cell in enumerate(column.cells):
        number = column.numbers[row]
        rows |= (number is not None and number > 0 if op == ">" else cell in values) << row
    return Condition(column.place, op, tuple(values), rows, run.first, run.last, run.mask, "column")


def filled_cells(column: Column, run: Run) -> Condition:
    """The rows whose cell is not empty; its values are the cells that count as empty."""
    empty = tuple(cell for cell in column.rows_of if is_missing(cell))
    return Condition(column.place, "filled", empty, column.filled, run.first, run.last, run.mask, "column")


def in_stock(context: Context, reading: Reading) -> Condition | None:
    """That some is left of what is asked for, if one column tells it: a row alone does not mean that there is any."""
    forms = context.text.forms
    stems = STOCK | _PIECES if forms[1:2] in (("we",), ("you",)) else STOCK
    used = {condition.column for condition in reading.conditions}
    columns = [each for each in context.table.columns if each.form == "number" and not stems.isdisjoint(each.stems)]
    if len(columns) != 1 or columns[0].place in used:
        return None
    return _condition(columns[0], ">", ["0"], Run(0, 0, 0, 1))
