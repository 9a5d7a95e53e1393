"""Readings that account for every word of a question, where the model is not sure of the likeliest one.

The model weighs readings by what it learnt from other tables, and doubts a short question whose column is not named.
Where all readings that leave no word and no signal out agree, and ask for what the question names or what the rows
are called by, it is the only way to understand the question.
"""

from __future__ import annotations

from cgstore.llm.backends.compose.condition_features import condition_features
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.words import LIGHT, mask_of

_NUMBERS = ("sum", "mean", "max", "min", "list")
_SURE = ("exact", "number", "stems", "flag", "rank")


def rank_of(reading: Reading, context: Context) -> int:
    """How well a question justifies a reading that accounts for all of its words; 0 if it does not.

    3: its column is named; 2: by other words; 1: it is what the rows are called by.
    """
    text = context.text
    explained = explained_words(reading, context)
    light = sum(1 << n for n, form in enumerate(text.forms) if form in LIGHT) if reading.conditions else 0
    if text.content & ~(explained | light) or any(signal.mask & ~explained for signal in context.signals.found):
        return 0
    values = 0
    for condition in reading.conditions:
        values |= condition.mask
    if any(each != reading.ordered_by and each.mask & ~values for each in context.signals.extremes):
        return 0
    if any(mask_of(each.first, each.last) & text.content & ~explained for each in reading.skipped):
        return 0
    if not all(_is_sure(condition, context) for condition in reading.conditions) or not _is_ordered(reading, context):
        return 0
    return _of_target(reading, context)


def _of_target(reading: Reading, context: Context) -> int:
    target = reading.target
    if target is None:
        return 3 if reading.operation == "count" and reading.conditions else 0
    if reading.operation not in (*_NUMBERS, "distinct") and not reading.operation.startswith("group"):
        return 0
    column = context.table.columns[target]
    if context.signals.wh in ("how many", "how much") and (not column.is_ordered or column.is_numbering):
        return 0
    used = 0
    for condition in reading.conditions:
        used |= condition_features(context, condition)[1]
    run = context.best_run(target, used)
    if run is not None:
        return 3 if run.share == 1 and not run.meant else 2
    return int(target == context.table.subject and reading.operation == "list")


def _is_sure(condition: Condition, context: Context) -> bool:
    """Whether a condition is said as it stands in the table, a number with its column or where only one may have it."""
    if condition.how not in _SURE:
        return False
    column = context.table.columns[condition.column]
    if condition.how != "number":
        return True
    if naming := condition_features(context, condition)[1] & ~condition.mask:
        columns = context.table.columns
        others = [(columns[place], run.mask) for place, run in context.every_run if place != column.place]
        # "first tops" are no "Second TOPS"
        return not any(
            naming & mask == naming and (mask != naming or each.form == column.form) for each, mask in others
        )
    columns = context.table.columns
    if column.form == "date":
        return sum(each.form == "date" for each in columns) == 1
    return sum(each.is_amount and not each.is_key for each in columns) == 1


def _is_ordered(reading: Reading, context: Context) -> bool:
    """Whether it is said by which column a superlative orders the rows."""
    superlative = reading.superlative
    if superlative is None or superlative.column is None:
        return superlative is None
    column = context.table.columns[superlative.column]
    ordered = [each for each in context.table.columns if each.is_ordered and not each.is_key]
    extreme = superlative.extreme
    is_named = any(
        run.last > extreme.last and extreme.first <= run.first <= extreme.last + 2 for run in context.runs[column.place]
    )
    return is_named or means(superlative.extreme.word, column) or ordered == [column]
