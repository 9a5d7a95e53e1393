"""Which columns a question can ask for at all, by its question word and by the columns that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee

from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.signals import Extreme
from cgstore.llm.backends.compose.table import Column
from cgstore.llm.backends.compose.words import is_content

_CELLS = ("list", "next", "previous")
_TIMES = ("date", "clock")
_TEXTS = ("text", "names")


def asked_for(readings: Iterable[Reading], context: Context) -> Iterator[Reading]:
    """The readings that give what is asked for; all of them if none does."""
    every, kept = tee(readings)
    found = False
    for reading in kept:
        if may_be_asked(reading, context):
            found = True
            yield reading
    if not found:
        yield from every


def may_be_asked(reading: Reading, context: Context) -> bool:
    """Whether the column of a reading may be what a question asks for."""
    if reading.target is None:
        return True
    column = context.table.columns[reading.target]
    if reading.operation == "distinct":
        return bool(context.runs[column.place])
    if reading.operation in ("max", "min"):
        return reading.extreme is None or _is_greatest_itself(column, reading.extreme, context)
    if reading.operation in _CELLS:
        return _may_be_given(column, context)
    return True


def _is_greatest_itself(column: Column, extreme: Extreme, context: Context) -> bool:
    """Whether the greatest value is asked for, and not what has it: `the longest book` is not a number of pages."""
    forms = context.text.forms
    noun = next((n for n in range(extreme.last, min(len(forms), extreme.last + 2)) if is_content(forms[n])), None)
    named = [run.mask for run in context.runs[column.place] if run.mask & ~extreme.mask]
    return noun is None or bool(named)


def _may_be_given(column: Column, context: Context) -> bool:
    """Whether the cells of a column may be the answer."""
    wh, runs, table = context.signals.wh, context.runs[column.place], context.table
    if column.form == "flag" and not runs:
        return False
    if context.heads and column.place not in context.heads:
        return False
    if wh == "who" and column.form not in _TEXTS and any(each.form in _TEXTS for each in table.columns):
        return False
    if wh == "when" and any(each.form in _TIMES for each in table.columns):
        return column.form in _TIMES
    if context.head is not None and context.of_rows >> context.head & 1 and not context.head_is_named:
        return column.place == table.subject or bool(column.numbered) or bool(runs)
    return True
