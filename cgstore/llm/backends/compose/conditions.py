"""Conditions on the rows of a table, as a question states them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cgstore.llm.backends.compose.column import Column


@dataclass(frozen=True)
class Condition:
    """Rows of a table: those whose cell of a column compares so with some values; `first` to `last` are its words.

    `op` is one of `=`, `!=`, `contains`, `between`, `month`, `filled` (not one of these, the empty cells), `empty`
    (one of these), `late`, `on time` and `early` (than in the column that `values` names), `>`, `<`, `>=` and `<=`.
    `how` says how the value was found: `exact`, `stems`, `short` (its words are written short), `part`, `number`,
    `rank`, `flag`, `column` (by a column's name alone), `total` (not said at all: see `total_rows`). `mask` has the
    words that are explained.
    """

    column: int
    op: str
    values: tuple[str, ...]
    rows: int
    first: int
    last: int
    mask: int
    how: str


class Stretch(NamedTuple):
    """A stretch of words, with the conditions that it may state, at most one of which holds."""

    first: int
    last: int
    options: tuple[Condition, ...]


def compared_rows(column: Column, op: str, low: float, high: float) -> int:
    """The rows whose number compares so with a span."""
    tests = {
        "=": lambda n: low <= n <= high,
        ">": lambda n: n > high,
        "<": lambda n: n < low,
        ">=": lambda n: n >= low,
        "<=": lambda n: n <= high,
    }
    if op not in tests:
        return 0
    return sum(1 << row for row, n in enumerate(column.numbers) if n is not None and tests[op](n))
