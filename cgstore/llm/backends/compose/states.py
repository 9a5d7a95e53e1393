"""Conditions that the name of a column states alone: `works remotely`, `has no order number`, `out of stock`."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.comparisons import LACKING, negation_at
from cgstore.llm.backends.compose.conditions import Condition, compared_rows
from cgstore.llm.backends.compose.table import FLAGS, Column, Table
from cgstore.llm.backends.compose.words import QuestionText, mask_of, stem, word_set
from cgstore.text.columns import is_missing
from cgstore.text.names import normal_form


def states(text: QuestionText, table: Table) -> Iterator[Condition]:
    """The conditions that the names of columns state."""
    yield from _flags(text, table)
    yield from _filled(text, table)
    yield from _sold_out(text, table)
    yield from _for_free(text, table)


def _flags(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Columns that say yes or no of each row, where the question has all words of their names."""
    stems = [token.stem for token in text.tokens]
    for column in table.columns:
        if not column.is_flag or not set(column.stems) <= set(stems) or not _are_of_state(text, column):
            continue
        values = {cell: FLAGS[cell.strip().lower()] for cell in column.rows_of if cell.strip()}
        places = [stems.index(each) for each in column.stems]
        first, last = min(places), max(places) + 1
        if last - first > len(places) + 2:
            continue
        words = negation_at(text, first, also=LACKING)
        named = [cell for cell, value in values.items() if value is not bool(words)]
        if named:
            rows = 0
            for cell in named:
                rows |= column.rows_of[cell]
            mask = mask_of(first, last) | words
            yield Condition(column.place, "=", tuple(named), rows, first, last, mask, "flag")


def _are_of_state(text: QuestionText, column: Column) -> bool:
    """Whether the participles of a name are said as such: who `pays` much need not have `paid`."""
    said = {token.stem: token.form for token in text.tokens}
    return all(said.get(stem(word)) == word for word in column.words if word == "paid" or word.endswith("ed"))


def _filled(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows that have a cell in a column, or none: `with a return date`, `has no order number`."""
    stems = tuple(token.stem for token in text.tokens)
    for column in table.columns:
        empty = tuple(cell for cell in column.rows_of if is_missing(cell))
        size = len(column.stems)
        if not empty or column.is_flag:
            continue
        missing = sum(column.rows_of[cell] for cell in empty)
        for first in [place for place in range(1, len(stems)) if stems[place : place + size] == column.stems]:
            mask = mask_of(first, first + size)
            before = text.forms[:first][-2:]
            if _is_before_cell(text, first + size, column):
                continue  # "not closed on Monday" is not without a day
            if words := _lack(text, first, first + size):
                yield Condition(column.place, "empty", empty, missing, first, first + size, mask | words, "flag")
            elif before[-1] in ("a", "an", "any") and before[0] in ("with", "have", "has", "had"):
                rows = table.every & ~missing
                yield Condition(column.place, "filled", empty, rows, first, first + size, mask, "flag")


def _is_before_cell(text: QuestionText, last: int, column: Column) -> bool:
    """Whether a value stands behind the name of its column, with at most one small word between."""
    starts = [last] if text.content >> last & 1 else [last, last + 1]
    cells = [tuple(normal_form(cell).split()) for cell in column.rows_of if not is_missing(cell)]
    return any(text.forms[start : start + len(cell)] == cell for cell in cells for start in starts)


STOCK = frozenset(map(stem, ["stock", "inventory", "available", "remaining", "left", "hand"]))
"""Words of columns that say how many are left, by their stems."""


def _sold_out(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows of which none is left, where one column says how many there are: `out of stock`."""
    columns = [each for each in table.columns if each.is_amount and not STOCK.isdisjoint(each.stems)]
    for phrase in (("out", "of", "stock"), ("sold", "out")) if len(columns) == 1 else ():
        for first in range(len(text) - len(phrase) + 1):
            last = first + len(phrase)
            rows = compared_rows(columns[0], "=", 0, 0)
            if text.forms[first:last] == phrase and rows:
                yield Condition(columns[0].place, "=", ("0",), rows, first, last, mask_of(first, last), "flag")


PRICES = frozenset(map(stem, ["price", "cost", "fee", "fare", "admission", "charge"]))
"""Words of columns that say what has to be paid, by their stems."""

_FREE = ("for free", "free of charge", "is free", "are free", "for nothing", "cost nothing", "costs nothing")


def _for_free(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows for which nothing is paid, where one column says how much, and 0 of some."""
    columns = [each for each in table.columns if each.is_amount and not PRICES.isdisjoint(each.stems)]
    cells = [cell for cell, n in zip(columns[0].cells, columns[0].numbers, strict=True) if n == 0] if columns else []
    for phrase in map(str.split, _FREE if len(columns) == 1 and cells else ()):
        for first in range(len(text) - len(phrase) + 1):
            last = first + len(phrase)
            if list(text.forms[first:last]) == phrase:
                rows, mask = compared_rows(columns[0], "=", 0, 0), mask_of(first, last)
                yield Condition(columns[0].place, "=", ("0",), rows, first, last, mask, "flag")


def _lack(text: QuestionText, first: int, last: int) -> int:
    """The words that say that something is not there: before it, or behind it as in `whose date is missing`."""
    behind = text.forms[last : last + 2]
    if behind[:1] in (("is",), ("are",)) and behind[1:] and behind[1] in _MISSING:
        return mask_of(last, last + 2)
    return negation_at(text, first, also=LACKING)


_MISSING = word_set("missing empty blank unknown")
