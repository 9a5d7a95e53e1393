"""Which columns a question can ask for at all, by its question word and by the columns that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee

from cgstore.llm.backends.compose.condition_features import condition_features
from cgstore.llm.backends.compose.naming import Context, is_place
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
        return _may_be_given(column, context) and not _is_only_compared(column, reading, context)
    return True


def _is_only_compared(column: Column, reading: Reading, context: Context) -> bool:
    """Whether a column is named only where its values are compared: `items that cost more than 100`."""
    own = [each for each in reading.conditions if each.column == column.place]
    if not own:
        return False
    mask = 0
    for condition in own:
        mask |= condition_features(context, condition)[1]
    return all(run.mask & mask for run in context.runs[column.place]) and column.place != context.table.subject


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
    if wh in ("who", "where") and column.form not in _TEXTS and any(each.form in _TEXTS for each in table.columns):
        return False
    if wh == "who" and (column.is_key or column.is_code):
        return False
    if wh == "who" and not runs and column.form == "text" and any(each.form == "names" for each in table.columns):
        return False
    if wh == "where" and not runs and any(map(is_place, table.columns)):
        return False
    if wh in ("how much", "how many") and column.form in ("text", "names", "flag", "date"):
        return not any(each.is_amount and not each.is_key for each in table.columns)
    if wh == "when" and any(each.form in _TIMES for each in table.columns):
        return column.form in _TIMES
    if context.head is not None and context.of_rows >> context.head & 1 and not context.head_is_named:
        return column.place == table.subject or bool(column.numbered) or bool(runs)
    return True
