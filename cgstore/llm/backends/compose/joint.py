"""Questions that ask two things of the same rows: `which film runs the longest, and what genre is it`.

The first part is understood as a question of its own. What the second one asks for must be one column, by its name or
by its question word alone (`and when`), and all of its words must belong to that. Else there is no answer: the half of
one would look whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import asked_parties, parties
from cgstore.llm.backends.compose.ranking import Model
from cgstore.llm.backends.compose.readings import Reading, Superlative
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.runs import is_place
from cgstore.llm.backends.compose.signals import Signals
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.targets import ARTICLES
from cgstore.llm.backends.compose.understanding import (
    CERTAIN,
    Understanding,
    candidates,
    understand,
    why_unsure,
)
from cgstore.llm.backends.compose.words import LIGHT_VERBS, QuestionText, mask_of, word_set

_ASKING = r"(?:who|why|whom|whose|when|where|which|what|how (?:much|many|long|old|tall|far|high|big|large|heavy))\b"
_SECOND = re.compile(
    rf"(?:,|;)?\s+and\s+(?P<second>(?:(?:in|on|at|for|by|to|from|with|of|under) )?{_ASKING}.*)$", re.IGNORECASE
)
_FIRST = re.compile(rf"\b{_ASKING}|\b(?:name|list|show|give|tell)\b", re.IGNORECASE)
_LONGEST = 8
"""Words of what is asked second."""

_TIMES = ("date", "clock")


def parted(question: str) -> tuple[str, str] | None:
    """A question for two things as its two questions; None for any other."""
    found = _SECOND.search(question)
    if found is None or not _FIRST.search(question[: found.start()]):
        return None
    second = found["second"].rstrip(" ?.!")
    return (question[: found.start()] + "?", second) if len(second.split()) <= _LONGEST else None


def both_asked(
    question: str, tables: Sequence[Table], model: Model, certain: float = CERTAIN
) -> Understanding | str | None:
    """The answer to a question for two things, or why there is none; None for any other question.

    `certain`: the least confidence in its first part.
    """
    parts = parted(question)
    if parts is None:
        return None
    first, second = parts
    found = understand([each for table in tables for each in candidates(first, table, model)], model)
    if found is None:
        return "the question is not understood"
    if reason := why_unsure(found, certain):
        return reason
    best = found.best
    best = replace(best, reading=_of_rows(best.reading))
    columns = list(_second_columns(second, best.reading, best.table))
    if best.reading.operation != "list" or len(columns) != 1:
        return f"which column '{second}' asks for is not understood"
    reading = replace(best.reading, also=(columns[0].place,))
    return replace(found, best=replace(best, reading=reading, gives=denotation(reading, best.table)))


def with_others(found: Understanding) -> Understanding:
    """What is understood, with the columns that are named in one breath with that which is asked for.

    `The fault and the cost` are two; so are `the bikes and their owners`.
    """
    best = found.best
    reading, context = best.reading, best.context
    run = context.best_run(reading.target, 0) if reading.target is not None else None
    if run is None or reading.operation != "list" or reading.also:
        return found
    left = context.text.content & ~explained_words(reading, context)
    first, last = run.first, run.last
    also: list[int] = []
    for _ in context.table.columns:
        for place, other in context.every_run:
            is_free = not other.mask & ~left and other.share >= _ENOUGH and place not in (*also, reading.target)
            if is_free and (_are_joined(last, other.first, context) or _are_joined(other.last, first, context)):
                first, last, also = min(first, other.first), max(last, other.last), [*also, place]
    if not also:
        return found
    reading = replace(reading, also=tuple(also))
    return replace(found, best=replace(best, reading=reading, gives=denotation(reading, best.table)))


def _are_joined(last: int, first: int, context: Context) -> bool:
    """Whether only `and` or a comma stands between two names of columns, with articles and the like."""
    text = context.text
    if not last <= first or not 0 < last < len(text):
        return False
    between = [form for form in text.forms[last:first] if form not in ARTICLES]
    has_comma = "," in text.text[text.tokens[last - 1].end : text.tokens[min(first, len(text) - 1)].start]
    return between == ["and"] or (not between and has_comma)


_ENOUGH = 0.5
"""Share of the name of a column that says which one is meant."""


def _of_rows(reading: Reading) -> Reading:
    """The greatest or least value of a column as that of the rows that have it, so that another one may be asked."""
    if reading.operation not in ("max", "min") or reading.extreme is None:
        return reading
    superlative = Superlative(reading.target, reading.extreme, reading.operation)
    return replace(reading, operation="list", superlative=superlative, extreme=None)


def _second_columns(second: str, reading: Reading, table: Table) -> Iterator[Column]:
    """The columns that a second question may ask for: those that it names best, or those of its question word."""
    text = QuestionText(second)
    table = table.asked_in(text)
    context = Context(text, table, Signals(text))
    used = {reading.target, *(each.column for each in reading.conditions if each.op == "=")}
    free = [
        each for each in table.columns if each.place not in used and not (each.is_numbering and not each.is_ordered)
    ]
    rest = text.content & ~row_words(text, table) & ~sum(1 << n for n, form in enumerate(text.forms) if form in _SAID)
    named = [(_share(column, context, rest), column) for column in free if not rest & ~_naming(column, context)]
    fit = [(share, column) for share, column in named if _fits(column, context)]
    best = max((share for share, _ in fit), default=0)
    if not rest and not {"name", "called"}.isdisjoint(text.forms):
        yield from (column for column in free if column.place == table.subject)
    elif rest:
        yield from (column for share, column in fit if share == best)
    else:
        yield from (column for column in free if _fits(column, context))


_SAID = LIGHT_VERBS | word_set("person one ones same show showed")


def _naming(column: Column, context: Context) -> int:
    """The words that name a column; those of who does something count for whoever it is: `and who bought it`."""
    mask = 0
    for run in context.runs[column.place]:
        mask |= run.mask if not run.inverse or context.signals.wh == "who" else 0
    for place, token in enumerate(context.text.tokens):
        mask |= (token.stem in column.stems) << place
    asked = asked_parties(context)
    return mask_of(0, len(context.text)) if asked is not None and asked == (column,) else mask


def _share(column: Column, context: Context, rest: int) -> float:
    return max((run.share - 0.2 * run.meant for run in context.runs[column.place] if run.mask & rest), default=0.1)


def _fits(column: Column, context: Context) -> bool:
    """Whether a question word asks for such a column."""
    wh = context.signals.wh
    if wh == "who":
        asked = asked_parties(context)
        return column in (parties(context) if asked is None else asked)
    if wh == "when":
        return column.form in _TIMES
    if wh == "where":
        return is_place(column)
    if wh in ("how much", "how many"):
        return column.measure == "money" or (wh == "how many" and column.is_amount)
    return bool(context.runs[column.place])
