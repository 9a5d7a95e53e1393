"""Rows that are compared with another row: `hired after Ann`, `earns more than Ann`, `bigger than Oslo`.

The value of the other row is in the table, so that this is a comparison with a number or a date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.llm.backends.compose.column import DATES, Column
from cgstore.llm.backends.compose.compared import means_less, of_age
from cgstore.llm.backends.compose.comparisons import LESS, MORE, comparison_at
from cgstore.llm.backends.compose.conditions import Condition, Stretch, compared_rows
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.words import word_set

_TIMES = word_set("after before later earlier since")
_COMPARED = ("<", ">")
_NEAR = 4
"""Words between what is compared and the other row."""


def with_relative(stretches: Sequence[Stretch], context: Context) -> list[Stretch]:
    """The stretches, those that name a row with which others are compared as the comparison."""
    found = []
    for stretch in stretches:
        options = tuple(each for option in stretch.options for each in _compared(option, context))
        found.append(Stretch(stretch.first, stretch.last, options) if options else stretch)
    return found


def _compared(option: Condition, context: Context) -> Iterator[Condition]:
    table, text = context.table, context.text
    is_one = option.op == "=" and option.how in ("exact", "stems", "short") and option.rows.bit_count() == 1
    if not is_one or not table.columns[option.column].is_distinct:
        return
    if context.signals.is_truth or not _of_several(context):
        return
    sign, words = comparison_at(text, option.first, option.last)
    said = [text.forms[n] for n in range(len(text)) if words >> n & 1]
    word = next((form for form in said if form in MORE or form in LESS or form in _TIMES), "")
    if sign not in _COMPARED or not word or words & context.of_joins:
        return
    columns = list(_columns(word, context, words, option))
    if len(columns) == 1:
        column, mask = columns[0]
        row = rows_in(option.rows)[0]
        number, span = column.numbers[row], column.reading.span(column.cells[row])
        if number is None or span is None or not span.lo <= number <= span.hi:
            return
        op = sign if word in _TIMES else "<" if means_less(word, column) else ">"
        rows = compared_rows(column, op, span.lo, span.hi)
        mask |= option.mask | words
        yield Condition(column.place, op, (column.cells[row],), rows, option.first, option.last, mask, "number")


def _of_several(context: Context) -> bool:
    """Whether several rows may be asked for: `the invoice before` is one, the row before it."""
    signals = context.signals
    head = context.text.forms[context.head] if context.head is not None else ""
    return signals.wh not in ("which", "what") or head.endswith("s") or head in ("people", "children")


def _columns(word: str, context: Context, words: int, option: Condition) -> Iterator[tuple[Column, int]]:
    """The columns by which rows are compared with a word, each with the words that name it."""
    by_time, is_old = word in _TIMES, word in ("older", "newer")
    ordered = [
        column
        for column in context.table.columns
        if column.is_ordered and not column.is_key and (column.kind in DATES) == (by_time or is_old)
    ]
    named = []
    for column in ordered:
        runs = [run for run in context.runs[column.place] if run.last <= option.first and not run.mask & words]
        if runs and option.first - runs[-1].last <= _NEAR:
            named.append((column, runs[-1].mask))
    if named or by_time:
        yield from named
        return
    meant = [column for column in ordered if means(word, column) or (is_old and column in of_age(word, context.table))]
    yield from ((column, 0) for column in meant)
