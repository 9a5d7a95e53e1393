"""Conditions by the day of the week and by the month: `on Friday`, `in May`.

A column of dates has both. Other cells have them as words, short or in full: `Fri`, `Sat 17 May`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.comparisons import comparison_at, negation_at
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import QuestionText, mask_of, word_list
from cgstore.text.columns import is_missing
from cgstore.text.dates import day_at
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form
from cgstore.text.written_dates import ENGLISH_MONTHS

_WEEKDAYS = word_list("monday tuesday wednesday thursday friday saturday sunday")
_SHORT = {"tues": "tuesday", "weds": "wednesday", "thur": "thursday", "thurs": "thursday", "sept": "september"}
_NAMES = {
    name: (kind, number)
    for kind, names in (("weekday", _WEEKDAYS), ("month", ENGLISH_MONTHS))
    for number, name in enumerate(names)
}
_DAYS = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)
MAX_CELLS = 100
"""Cells of one day of the week that a program looks for."""

_MOST = 0.5
"""Share of cells with the name of a day or a month, from which on a column has them."""


def days_and_months(text: QuestionText, table: Table) -> Iterator[Condition]:
    """The conditions that names of days and months state, unless a number stands beside them or compares them."""
    for place, token in enumerate(text.tokens):
        named = _named(token.form)
        if named is None or (token.form,) in table.cells_by_words or not _is_said(text, place, named[0]):
            continue
        for column in table.columns:
            yield from _of_column(text, table, column, place, named)


def _named(form: str) -> tuple[str, int] | None:
    """The day of the week or the month that a word names, in full or short: its kind, and its number from 0."""
    form = _SHORT.get(form, form)
    form = form if form in _NAMES else form.removesuffix("s")
    if len(form) == _OF_SHORT:
        form = next((name for name in _NAMES if name.startswith(form)), form)
    return _NAMES.get(form)


_OF_SHORT = 3
"""Letters of the short names of days and months."""


def _is_said(text: QuestionText, place: int, kind: str) -> bool:
    """Whether a word is said as the name of a day or month: `may`, `march` and `sun` are words too."""
    before = text.forms[place - 1] if place else ""
    is_capital = place > 0 and text.tokens[place].text[0].isupper()
    if kind == "month":
        beside = text.forms[max(0, place - 1) : place] + text.forms[place + 1 : place + 2]
        return (before in ("in", "of", "during") or is_capital) and not any(form[0].isdigit() for form in beside)
    is_full = len(text.forms[place]) > _OF_SHORT + 1
    return is_full or is_capital or before == "on"


def _of_column(
    text: QuestionText, table: Table, column: Column, place: int, named: tuple[str, int]
) -> Iterator[Condition]:
    kind, number = named
    op, _ = comparison_at(text, place, place + 1)
    if op not in ("=", "!="):
        return
    words = negation_at(text, place, column.stems)
    mask = mask_of(place, place + 1) | words
    rows, cells = _rows(column, kind, number)
    if not rows:
        return
    if column.kind in _DAYS and kind == "month":
        if not words:
            yield Condition(column.place, kind, (str(number + 1),), rows, place, place + 1, mask, "number")
        return
    if len(cells) > MAX_CELLS:
        return
    how = "number" if column.kind in _DAYS else "stems"
    sign, rows = ("!=", table.every & ~rows) if words else ("=", rows)
    yield Condition(column.place, sign, cells, rows, place, place + 1, mask, how)


def _rows(column: Column, kind: str, number: int) -> tuple[int, tuple[str, ...]]:
    """The rows on a day of the week or in a month, and their cells; none if a column does not have such."""
    if column.kind in _DAYS:
        rows = sum(1 << row for row, n in enumerate(column.numbers) if _is_at(n, column.cells[row], kind, number))
        return rows, tuple(cell for cell, some in column.rows_of.items() if some & rows)
    if column.form not in ("text", "names", "date"):
        return 0, ()
    said = {cell: _said_in(cell, kind) for cell in column.rows_of if not is_missing(cell)}
    if any(len(numbers) > 1 for numbers in said.values()):
        return 0, ()  # of `Mon-Fri` nobody knows whether it has Wednesday
    if sum(map(bool, said.values())) < _MOST * len(said):
        return 0, ()
    cells = tuple(cell for cell, numbers in said.items() if number in numbers)
    return sum(column.rows_of[cell] for cell in cells), cells


def _is_at(number: float | None, cell: str, kind: str, wanted: int) -> bool:
    """Whether a date is on a day of the week or in a month."""
    if number is None or cell.strip().isdigit():
        return False
    day = day_at(number)
    return (day.month - 1 if kind == "month" else date(day.year, day.month, day.day).weekday()) == wanted


def _said_in(cell: str, kind: str) -> set[int]:
    """The days of the week, or the months, that a cell has by their names."""
    found = {named for word in normal_form(cell).replace("-", " ").split() if (named := _named(word))}
    return {number for of, number in found if of == kind}
