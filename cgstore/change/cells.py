"""Cells of a table that are changed one by one, as facts: each row keeps its number and a cell in every column.

A cell that is removed is empty from then on, as in a file without it. Only a whole row goes with its number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from cgstore.change.stated import AnyFact, key_of, shown
from cgstore.change.working import Working
from cgstore.errors import BadInput
from cgstore.loaders.readers.records import Statement
from cgstore.model import ROW_NUMBER, Role
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import owned_key, shared_key


def empty_cell(row: str, column: str) -> Statement:
    """A cell without a value."""
    return Statement(row, column, "", (), Role.LINE, Role.VALUE)


def columns_of(working: Working) -> list[str]:
    """The columns of a table, without the numbers of its rows."""
    return [column for column in working.kind.source.columns if column != ROW_NUMBER]


def remove_cells(working: Working, found: Sequence[AnyFact], relation: str | None, tail: str | None) -> None:
    """Empties cells that were found by their column or value; without either, they are whole rows, which go."""
    if relation == ROW_NUMBER:
        raise BadInput("The number of a row cannot be removed.", _whole_row(working, found[0].head))
    is_row = relation is None and tail is None
    taken = [fact for fact in found if is_row or fact.relation != ROW_NUMBER]
    for fact in taken:
        working.remove(fact)
    if not is_row:
        fill(working, taken)


def fill(working: Working, places: Iterable[AnyFact]) -> None:
    """Puts an empty cell in each place, given by its row and column, that has none."""
    for place in places:
        if not working.find(place.head, place.relation):
            cell = empty_cell(place.head, place.relation)
            working.fetch([key_of(cell)])
            working.add(cell)


def check_correction(working: Working, found: Sequence[AnyFact], head: str | None, relation: str | None) -> None:
    """Makes room where cells are to be moved to another row or column; raises BadInput where there is none."""
    numbers = [fact for fact in found if fact.relation == ROW_NUMBER]
    if numbers or relation == ROW_NUMBER:
        raise BadInput("The number of a row cannot be changed.", "Name the column of the cell.")
    columns, name = columns_of(working), working.kind.source.name
    if relation is not None and relation not in columns:
        hint = f"The columns of '{name}' are {', '.join(columns)}."
        raise BadInput(f"Source '{name}' has no column '{relation}'.", did_you_mean(relation, columns, hint))
    if head is not None and not working.find(head, ROW_NUMBER):
        raise BadInput(f"Source '{name}' has no row '{head}'.", 'Give the row that it has, such as "[line_3]".')
    for fact in found:
        place = head or fact.head, relation or fact.relation
        if place != (fact.head, fact.relation):
            _make_room(working, *place)


def _make_room(working: Working, row: str, column: str) -> None:
    for cell in working.find(row, column):
        if cell.tail:
            raise BadInput(
                f"That cell has a value already: {shown(working.kind.record(cell))}.",
                "Correct its value, or remove it first.",
            )
        working.remove(cell)


_WITH_CELLS = """
UNWIND $cells AS cell
CALL (cell) {
  MATCH ()-[v:CG_VALUE {node1: cell[0], node2: cell[1]}]->()
  USING INDEX SEEK v:CG_VALUE(node1, node2)
  WHERE size(v.condition) = 1
  RETURN v.condition[0] AS row LIMIT $most
}
RETURN cell[2] AS column, cell[1] AS value, row
"""


def rows_with(
    working: Working, cells: Iterable[tuple[str, str]], most: int = 2**31 - 1
) -> dict[tuple[str, str], set[str]]:
    """The rows, at most `most` of each, that have cells, by the column and the key of the value."""
    wanted = {(owned_key(working.kind.stored, column), shared_key(value), column) for column, value in cells}
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in working.tx.run(_WITH_CELLS, cells=sorted(map(list, wanted)), most=most):
        found[row["column"], row["value"]].add(row["row"])
    return found


def where_value_is(working: Working, value: str) -> str:
    """A hint for who named a cell by a value: the rows that have it."""
    found = rows_with(working, ((column, value) for column in columns_of(working)), 3)
    there = [f"{row} as '{column}'" for (column, _), rows in found.items() for row in sorted(rows)][:3]
    stands = f" '{value[:60]}' stands in {' and '.join(there)}." if there else ""
    return f'The head of a cell is its row, such as "[line_4]".{stands}'


def _whole_row(working: Working, row: str) -> str:
    name = working.kind.source.name
    return f"`cgstore facts remove ... --all` removes the whole row {row} of '{name}'."
