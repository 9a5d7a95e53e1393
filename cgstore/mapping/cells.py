"""The cells of tables: the one that a text in a program means, best in the column that it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cgstore.cypher.connection import Database
from cgstore.model import ROW_NUMBER
from cgstore.query.operands import Names
from cgstore.text.kinds import ValueKind, literal_as
from cgstore.text.likeness import nearest
from cgstore.text.names import normal_form
from cgstore.text.numbers import read_number
from cgstore.text.numerals import other_number

MAX_CELLS = 50_000
"""Most distinct cells that are compared. With more, names are looked up as in any other source."""

BY_NUMBER = "number"
"""How a text was found that reads as the number of a cell: the number is compared, and needs no node."""

_CELLS = """\
UNWIND $columns AS column
MATCH (r)-[f:CG_VALUE {node1: column}]->(n)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
RETURN DISTINCT r.name AS column, r.kind AS kind, n.key AS key, n.name AS name, f.num AS num
LIMIT $limit"""


CLOSE = 0.8
"""Least likeness of a cell as a share of that of the nearest cell with another number."""


class Cell(NamedTuple):
    """A cell: its node's key, its text, and the number that it is read as in its column."""

    key: str
    name: str
    num: float | None


@dataclass
class Cells:
    """The distinct cells of each column, and the kinds of the columns."""

    of: dict[str, list[Cell]]
    kinds: dict[str, ValueKind]

    def find(self, text: str, columns: Sequence[str], least: float | None) -> tuple[list[dict[str, Any]], str, float]:
        """The cell that a text means, how it was found and how similar the two are; ([], "", 0.0) if there is none.

        The columns given come first: the same text, the same number (as ([], BY_NUMBER, 1.0)), the same normal form.
        Then come the same text or normal form in any column, then the nearest cell in the columns given, or in any
        column if none is given.
        """
        here = [cell for column in dict.fromkeys(columns) for cell in self.of.get(column, ())]
        anywhere = [cell for column, cells in self.of.items() if column != ROW_NUMBER for cell in cells]
        if found := [c for c in here if c.name == text]:
            return _nodes(found), "exact", 1.0
        if columns and self._as_number(text, columns):
            return [], BY_NUMBER, 1.0
        for cells in (here, anywhere):
            if found := [c for c in cells if c.name == text]:
                return _nodes(found), "exact", 1.0
            if found := [c for c in cells if normal_form(c.name) == normal_form(text)]:
                return _nodes(found), "normalised", 0.9
        names = dict.fromkeys(c.name for c in here or anywhere if c.name)
        others = {name for name in names if other_number(text, name)}
        near = nearest(text, (name for name in names if name not in others))
        if near is None or least is None or near[1] < least:
            return [], "", 0.0
        other = nearest(text, sorted(others))
        if other is not None and near[1] < CLOSE * other[1]:
            return [], "", 0.0  # a cell with another number is more similar: the nearest is not meant either
        return _nodes([c for c in here or anywhere if c.name == near[0]]), "nearest", round(near[1], 3)

    def _as_number(self, text: str, columns: Sequence[str]) -> bool:
        """Whether the text is compared by its number: a column of numbers has no nearest cell."""
        for column in columns:
            kind = self.kinds.get(column, ValueKind.TEXT)
            if kind not in (ValueKind.TEXT, ValueKind.SCORE) and literal_as(kind, text) is not None:
                return True
            number = read_number(text)
            if number is not None and any(cell.num == number for cell in self.of.get(column, ())):
                return True
        return False


def _nodes(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    return [{"key": key, "name": name} for key, name in dict.fromkeys((c.key, c.name) for c in cells)]


def read_cells(db: Database, columns: Names) -> Cells | None:
    """The cells of these columns, or None if there are too many."""
    rows = db.read(_CELLS, {"columns": list(columns.keys), "limit": MAX_CELLS + 1})
    if len(rows) > MAX_CELLS:
        return None
    cells = Cells({}, {})
    for row in rows:
        cells.of.setdefault(row["column"], []).append(Cell(row["key"], row["name"], row["num"]))
        cells.kinds[row["column"]] = ValueKind(row["kind"] or ValueKind.TEXT)
    return cells
