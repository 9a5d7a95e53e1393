"""The statements of a table: each row is a line node, each of its cells a statement about it.

Row i, counted from 1 over the rows that can be used, has the node `[line_i]`, a statement for each cell, the empty ones
too, and one with the relation `row_number`, whose tail is i. That relation always has the row's number: a column of the
table which a reader would call the same (`Row Number`) becomes `Row Number (2)`, or the next number that is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.loaders.readers.rows import BadLine, Table
from cgstore.loaders.statement import Statement
from cgstore.model import ROW_NUMBER, Role
from cgstore.text.names import normal_form
from cgstore.text.values import Typed


def line_name(number: int) -> str:
    """The name of a row's node."""
    return f"[line_{number}]"


def relations(columns: Sequence[str]) -> tuple[str, ...]:
    """The relations of a table's columns, in their order: their names, but for one named as `ROW_NUMBER`."""
    ours = normal_form(ROW_NUMBER)
    taken = {normal_form(column) for column in columns}
    renamed: dict[str, str] = {}
    for column in columns:
        if column not in renamed and normal_form(column) == ours:
            number = 2
            while normal_form(f"{column} ({number})") in taken:
                number += 1
            renamed[column] = f"{column} ({number})"
    return tuple(renamed.get(column, column) for column in columns)


def statements(table: Table) -> Iterator[Statement | BadLine]:
    """Streams the statements of a table, those of a row together; a bad row stays in its place and has no number.

    White space around a cell is dropped.

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
            text = cell if isinstance(cell, Typed) else cell.strip()
            yield Statement(head, relation, text, (), Role.LINE, Role.VALUE, line=row.line)
        yield Statement(head, ROW_NUMBER, str(number), (), Role.LINE, Role.VALUE, line=row.line)
