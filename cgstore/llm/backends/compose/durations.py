"""Questions for the time between two dates of a row: `how many days was it on the road`, `how long did Otto stay`.

A table has it if the dates of one column are never after those of one other, which are not those of a birth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.conditions import Stretch
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading, condition_sets, reading_of
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.stays import LASTING, ends_of
from cgstore.llm.backends.compose.words import QuestionText, stem

_UNITS = {"day": "days", "night": "days", "month": "months", "year": "years"}


def asks_duration(text: QuestionText) -> bool:
    """Whether a question asks how long something lasts."""
    forms = text.forms
    counted = any(one == "how" and two == "many" for one, two in pairwise(forms))
    return (counted and any(form.rstrip("s") in _UNITS for form in forms)) or ("how", "long") in pairwise(forms)


def durations(context: Context, stretches: Sequence[Stretch]) -> Iterator[Reading]:
    """The readings that explain all words of such a question, and give the time between two dates of one row."""
    text, table = context.text, context.table
    unit = next((_UNITS[form.rstrip("s")] for form in text.forms if form.rstrip("s") in _UNITS), "days")
    ends = list(ends_of(table))
    for start, end in ends if len(ends) == 1 else ():
        named = sum({run.mask for column in (start, end) for run in context.runs[column.place]})
        lasting = sum(1 << n for n, form in enumerate(text.forms) if form in LASTING)
        if not (named | lasting | _place_at_end(text)) or _is_measured(context, (start, end)):
            continue
        own = lasting | row_words(text, table) | _place_at_end(text)
        own |= sum(1 << n for n, form in enumerate(text.forms) if form == "long" or form.rstrip("s") in _UNITS)
        for conditions, _ in condition_sets(stretches):
            if any(each.column in (start.place, end.place) for each in conditions):
                continue
            base = reading_of(table, conditions, operation="duration")
            reading = replace(base, target=end.place, by=start.place, unit=unit, mask=own)
            for column in (start, end):
                reading = replace(reading, mask=reading.mask | sum({run.mask for run in context.runs[column.place]}))
            left = text.content & ~explained_words(reading, context)
            if not left and base.rows.bit_count() == 1 and denotation(reading, table):
                yield reading


def _place_at_end(text: QuestionText) -> int:
    """The noun at the end for where something is meanwhile: `in the workshop`."""
    forms = text.forms
    before = [form for form in forms[-3:-1] if form not in ("the", "our", "a")]
    return 1 << len(forms) - 1 if before[-1:] in (["in"], ["at"], ["on"]) else 0


def _is_measured(context: Context, ends: Sequence[Column]) -> bool:
    """Whether another column may say how long something lasts: one of durations, or that has a word of the question."""
    others = [each for each in context.table.columns if each not in ends]
    named = {stem(form) for form in context.text.forms if form.rstrip("s") in _UNITS or form == "long"}
    is_open = not any(form.rstrip("s") in _UNITS for form in context.text.forms)
    lasting = [each for each in others if each.form == "clock" or each.measure == "time"]
    return bool(lasting and is_open) or any(not named.isdisjoint(each.stems) for each in others)
