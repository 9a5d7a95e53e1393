"""Rows of a table that look like totals of others: pointed out when the table is loaded, and never left out.

A row is one if it says so in a cell (`Total`, `Summe`) and at least one of its numbers is the sum of the rows above,
of those since the last such row, or of all other rows; or if it is among the last and all its numbers are the sums of
the rows above, which must be too many for chance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

_LAST = 3
"""Rows at the end that may be totals without saying so: notes may follow a total."""

_MANY = 3
"""Rows that must stand above a total that does not say so, and one more where it has one number only."""

_WORD = re.compile(
    r"\W*(?:(?:grand\s+|sub[-\s]?)?total(?:s|e|es)?\b|totaal\b|summ?[ae]?\b|zwischensumme|gesamt|insgesamt|somme\b|soma\b"
    r"|итого|всего|合计|合計|总计|總計|小计|小計)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Total:
    """A row that looks like a total: its place in the table from 1, the cell that says so, columns that add up."""

    row: int
    word: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        says = f" ('{self.word[:40]}')" if self.word else ""
        shown = ", ".join(f"'{column[:40]}'" for column in self.columns[:3])
        more = f" and {len(self.columns) - 3} more" if len(self.columns) > 3 else ""
        return f"[line_{self.row}]{says} looks like a total of other rows by {shown}{more}. It counts like any row."


@dataclass
class _Sums:
    """The numbers of the rows so far, without those of totals: all, and those since the last total."""

    rows: int = 0
    all: dict[str, float] = field(default_factory=dict)
    since: dict[str, float] = field(default_factory=dict)

    def add(self, numbers: Mapping[str, float]) -> None:
        self.rows += 1
        for column, number in numbers.items():
            self.all[column] = self.all.get(column, 0) + number
            self.since[column] = self.since.get(column, 0) + number


Cell = tuple[int, str, str, float | None]
"""The place of its row, its column, its text, and its number where its column has amounts."""


def totals(cells: Iterable[Cell], rows: int) -> list[Total]:
    """The rows that look like totals.

    Args:
        cells: those of all rows, row by row.
        rows: how many rows there are.
    """
    sums, found = _Sums(), list[Total]()
    opening: tuple[int, str, dict[str, float]] | None = None
    for row, word, numbers in _rows(cells):
        if word and not sums.rows:
            opening = (row, word, numbers)  # a total may stand above what it sums up
            continue
        if columns := _sum_of(sums, numbers, bool(word), last=row > rows - _LAST):
            found.append(Total(row, word, columns))
            sums.since = {}
        else:
            sums.add(numbers)
    if opening and (columns := _equal(opening[2], sums.all, 1e-3)):
        found.insert(0, Total(opening[0], opening[1], columns))
    return found


def _rows(cells: Iterable[Cell]) -> Iterator[tuple[int, str, dict[str, float]]]:
    for row, its in groupby(cells, itemgetter(0)):
        word, numbers = "", dict[str, float]()
        for _, column, text, number in its:
            if number is not None:
                numbers[column] = number
            elif not word and _WORD.match(text):
                word = text
        yield row, word, numbers


def _sum_of(sums: _Sums, numbers: dict[str, float], says: bool, *, last: bool) -> tuple[str, ...]:
    """The columns in which a row is the sum of those above, if it is a total."""
    if says:
        return _equal(numbers, sums.all, 1e-3) or _equal(numbers, sums.since, 1e-3) if sums.rows > 1 else ()
    columns = _equal(numbers, sums.all, 1e-9) if last else ()
    others = [column for column, number in numbers.items() if number and column not in columns]
    return () if others or sums.rows < _MANY + (len(columns) < 2) else columns


def _equal(numbers: Mapping[str, float], sums: Mapping[str, float], tolerance: float) -> tuple[str, ...]:
    """The columns whose number is the sum, but for what rounding takes away."""
    pairs = ((column, number, sums.get(column, 0)) for column, number in numbers.items() if number)
    return tuple(column for column, number, total in pairs if math.isclose(number, total, rel_tol=tolerance))
