"""Rows that are late or on time: one date of a row is after another one, by which it had to be.

A table says it by two columns of dates: one of what is due (`Due`, `Deadline`, `Promised`), and one of what was done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.comparisons import negation_at
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.words import mask_of, stem, word_list, word_set
from cgstore.text.columns import is_missing

COMPARED = {"late": ">", "on time": "<=", "early": "<"}
"""How the date of what was done is to the one by which it had to be, by the `op` of a condition."""

_SAID = {
    "late": ("late", "too late", "behind schedule", "past the deadline", "after the deadline", "after the due date"),
    "on time": ("on time", "in time", "punctually", "on schedule", "by the deadline", "by the due date"),
    "early": ("early", "too early", "ahead of time", "ahead of schedule", "before the deadline", "before the due date"),
}
_NOT = {"late": "on time", "on time": "late"}
_DUE = frozenset(map(stem, word_list("due deadline promised required expected planned scheduled target")))
_DONE = frozenset(
    map(
        stem,
        word_list(
            """
            delivered delivery returned return completed completion finished arrived arrival received submitted actual
            back ready done shipped dispatched repaired paid resolved
            """
        ),
    )
)
_OTHER = word_set("in on at the may how as enough")
"""Words around `late` with which it is a time of the day or of the year: `late in May`, `how late`."""

_DAYS = 2 / 365
"""Years that are less than any month."""

_PAST = word_set("was were did")


def lateness(context: Context) -> Iterator[Condition]:
    """The conditions that a question states by `late`, `on time` and the like, where two columns say it."""
    if not (said := list(_phrases(context))):
        return
    dates = [each for each in context.table.columns if each.form == "date" and _has_days(each)]
    due = [each for each in dates if not _DUE.isdisjoint(each.stems)]
    done = _done([each for each in dates if each not in due], context)
    if len(due) != 1 or done is None:
        return
    for op, first, last in said:
        yield from _condition(op, done, due[0], first, last, context)


def _phrases(context: Context) -> Iterator[tuple[str, int, int]]:
    """Where a question says `late` and the like."""
    text = context.text
    for op, phrases in _SAID.items():
        for words in [phrase.split() for phrase in phrases]:
            for first in range(len(text) - len(words) + 1):
                last = first + len(words)
                if list(text.forms[first:last]) == words and not _is_other(context, first, last):
                    yield op, first, last


def _has_days(column: Column) -> bool:
    """Whether each cell is one day: what is due in May and done on 5 May is not late."""
    spans = [column.reading.span(cell) for cell in column.rows_of if not is_missing(cell)]
    return all(span is not None and span.hi - span.lo < _DAYS for span in spans)


def _done(dates: Sequence[Column], context: Context) -> Column | None:
    """The column of what was done: the one that the question names, or that alone says it."""
    done = [each for each in dates if not _DONE.isdisjoint(each.stems)]
    named = [each for each in done if context.runs[each.place]]
    found = named or done
    return found[0] if len(found) == 1 else None


def _is_other(context: Context, first: int, last: int) -> bool:
    """Whether the words are a value or a name of the table, or say a time of the day or of the year."""
    forms = context.text.forms
    is_named = any(run.mask & mask_of(first, last) for n, run in context.every_run if not run.meant)
    is_cell = any(tuple(forms[first:last]) == cell[: last - first] for cell in context.table.cells_by_words)
    behind = forms[last : last + 1]
    is_time = last - first == 1 and bool((behind and behind[0] in _OTHER) or (first and forms[first - 1] in _OTHER))
    return is_named or is_cell or is_time


def _condition(op: str, done: Column, due: Column, first: int, last: int, context: Context) -> Iterator[Condition]:
    """The condition, or its opposite where it is denied; rows that lack a date are neither late nor on time."""
    named = [run for run in context.runs[done.place] if run.last <= first]
    start = min([first, *(run.first for run in named)])
    denied = negation_at(context.text, first, done.stems) or negation_at(context.text, start)
    is_open = bool(due.filled & ~done.filled) and (denied or not (named or _PAST & set(context.text.forms)))
    if is_open or (denied and op not in _NOT):
        return  # what has not come is late as well, if it is asked how things stand now
    op = _NOT[op] if denied else op
    rows = sum(
        1 << row
        for row, (one, other) in enumerate(zip(done.numbers, due.numbers, strict=True))
        if one is not None and other is not None and _holds(op, one - other)
    )
    mask = mask_of(first, last) | denied | sum({run.mask for run in named})
    yield Condition(done.place, op, (due.name,), rows, (mask & -mask).bit_length() - 1, last, mask, "flag")


def _holds(op: str, difference: float) -> bool:
    return {"late": difference > 0, "on time": difference <= 0, "early": difference < 0}[op]
