"""Why an answer over a table is that of another question about a time, or about what never was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.condition_features import condition_features
from cgstore.llm.backends.compose.conditions import Condition, compared_rows
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.runs import asks_time
from cgstore.llm.backends.compose.stays import ends_of
from cgstore.llm.backends.compose.targets import TIME_WORDS
from cgstore.llm.backends.compose.words import stem, word_list, word_set
from cgstore.text.kinds import ValueKind
from cgstore.text.names import some_of
from cgstore.text.thesaurus import IRREGULAR


def undated(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why what was done at a time is not known, as reasons: `flooded before 2015` is not `since` when."""
    text, columns = context.text, context.table.columns
    left = unused & ~row_words(text, context.table)
    done = sum(1 << n for n, form in enumerate(text.forms) if form.endswith("ed"))
    past = done | sum(1 << n for n, form in enumerate(text.forms) if form in IRREGULAR)
    for condition in reading.conditions:
        column = columns[condition.column]
        others = _other_times(condition, columns)
        is_start = any(start is column for start, _ in ends_of(context.table))
        empty = _MOVING if others and is_start else frozenset() if others else _MOVING | _COMING
        verbs = left & ~sum(1 << n for n, form in enumerate(text.forms) if form in empty)
        if reading.operation != "count":
            verbs &= past if others else done  # "were given their plot after 2021"
        is_time = condition.how in ("number", "exact") and column.form == "date" and bool(others or not column.is_year)
        if not is_time or condition_features(context, condition)[1] & ~condition.mask:
            continue
        if verbs:
            said = some_of(text.words(verbs))
            yield f"no column is known to say when: {said} may be something else than '{column.name}'"
        is_within = condition.op in ("=", "month") and text.forms[max(0, condition.first - 1)] in _WITHIN
        if is_within and (pair := next((ends for ends in ends_of(context.table) if column in ends), None)):
            said = text.between(condition.first, condition.last)
            yield f"what '{said}' is the time of is not said: '{pair[0].name}', '{pair[1].name}', or between them"


def _other_times(condition: Condition, columns: Sequence[Column]) -> list[Column]:
    """The other columns whose dates may be meant by a condition on one, since some of them are so too."""
    dates = [each for each in columns if each.form == "date" and each.place != condition.column]
    found = []
    for each in dates if len(condition.values) == 1 else ():
        span = None if each.is_of_birth else each.reading.span(condition.values[0])
        if span is not None and compared_rows(each, condition.op, span.lo, span.hi):
            found.append(each)
    return found


def mistimed(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why an answer is that of another question about a time, or about what never was, as reasons for no answer."""
    text, target = context.text, reading.target
    if target is None:
        return
    column = context.table.columns[target]
    dates = [each for each in context.table.columns if each.form == "date"]
    is_past = not any(each.to_come for each in dates) or text.forms[context.signals.wh_at + 1] in _PAST
    is_only = is_past and [each.to_come for each in dates].count("") == 1
    is_named = context.best_run(target, 0) is not None or (is_only and _ANY_TIME.issuperset(column.stems))
    if column.kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE) and reading.operation == "list":
        parts = [form for form in _PARTS_OF_DATES if form in text.forms and unused >> text.forms.index(form) & 1]
        for part in parts if context.signals.wh == "when" else ():
            yield f"the {part} alone is asked for, and '{column.name}' has whole dates: ask for the date"
    is_number = column.is_amount and column.measure != "time" and TIME_WORDS.isdisjoint(column.stems)
    if context.signals.wh == "when" and is_number:
        yield f"a time is asked for, and '{column.name}' has numbers"
    is_time_of_day = any(asks_time(text, place) for place in range(len(text)))
    if is_time_of_day and column.kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE):
        yield f"the time of day is asked for, and '{column.name}' has days alone"
    if context.signals.wh == "when" and not is_past and not column.to_come and context.best_run(target, 0) is None:
        yield f"what is to come is asked, and '{column.name}' is the time of the row"
    asks_when = context.signals.wh == "when" and reading.operation == "list" and column.form == "date"
    if asks_when and unused and not is_named:
        left = some_of(text.words(unused))
        yield f"no column is known to say when: {left} may be something else than '{column.name}'"
    for condition in reading.conditions:
        if condition.op == "!=" and not column.is_distinct:
            words = [form for n, form in enumerate(text.forms) if condition.mask >> n & 1]
            if not _NEVER.isdisjoint(words):
                yield f"which of '{column.name}' have no such row is not understood: it has several rows of one value"


_WITHIN = ("during", "throughout")
_PARTS_OF_DATES = ("month", "weekday")
_MOVING = word_set("come comes came go goes went")
_COMING = word_set("get gets got placed")
"""Verbs of what a row is about, which say nothing of which of its times is meant."""

_ANY_TIME = frozenset(map(stem, word_list("date year time day month when")))
_PAST = word_set("was were did had date day time")
"""Words behind `when` by which nothing to come is asked for."""

_NEVER = word_set("never didn don doesn didnt dont without no")
