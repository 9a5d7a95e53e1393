"""Questions that give two values to choose from: `is Elm or Oak higher`, `was Elm a film or a book`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends.compose.compared import compared_columns, of_age
from cgstore.llm.backends.compose.comparisons import LESS, MORE, OLDER
from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import (
    Reading,
    Superlative,
    condition_sets,
    reading_of,
)
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.signals import Extreme
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.things import may_be_thing

_SIZES = ("bigger", "larger", "smaller")
"""Comparatives that the only number of a table answers."""


def choices(context: Context, stretches: Sequence[Stretch]) -> Iterator[Reading]:
    """The readings that explain all words, and give one of two values of a column."""
    text, table = context.text, context.table
    for conditions, _ in condition_sets(stretches):
        base = reading_of(table, conditions)
        pairs = [group for group in base.groups if len(group) == 2 and all(each.op == "=" for each in group)]
        if len(pairs) != 1 or any(len(group) > 1 for group in base.groups if group != pairs[0]):
            continue
        one, other = pairs[0]
        if "or" not in text.forms[one.last : other.first] or text.forms.count("or") > 1:
            continue  # "more or less than", "before or after"
        for reading in _readings(replace(base, target=one.column), context):
            left = text.content & ~(explained_words(reading, context) | row_words(text, table))
            if reading.superlative is not None and reading.superlative.column is not None:
                left &= ~sum({run.mask for run in context.runs[reading.superlative.column]})
                is_meant = means(reading.superlative.extreme.word, table.columns[reading.superlative.column])
                is_of_whom = text.forms[0] == "whose" and may_be_thing(text.tokens[1]) and is_meant
                left &= ~(2 if is_of_whom else 0)  # "whose plot is bigger"
            if left or len(denotation(reading, table)) != 1:
                continue
            # one number of each is compared; several would have to be added up
            rows = [each.rows & _rest(base, pairs[0]) for each in pairs[0]]
            if all(_is_one_number(each, reading, context) for each in rows):
                yield reading


def _is_one_number(rows: int, reading: Reading, context: Context) -> bool:
    """Whether some rows have one number of the column by which values are compared, if they are."""
    if reading.superlative is None or reading.superlative.column is None:
        return True
    numbers = context.table.columns[reading.superlative.column].numbers
    return len({numbers[row] for row in rows_in(rows)}) == 1


def _rest(base: Reading, pair: tuple[Condition, ...]) -> int:
    """The rows for which all but a pair of conditions hold."""
    rows = -1
    for condition in base.conditions:
        rows &= condition.rows if condition not in pair else -1
    return rows


def _readings(base: Reading, context: Context) -> Iterator[Reading]:
    text, table = context.text, context.table
    places = [place for place, form in enumerate(text.forms) if form in MORE or form in LESS]
    if not places:
        yield base
    if len(places) != 1:
        return
    word = text.forms[places[0]]
    amounts = [each for each in table.columns if each.is_amount and not (each.is_key or each.is_rank)]
    for column, is_less in compared_columns(table, word):
        named = any(run.share == 1 for run in context.runs[column.place]) or means(word, column)
        named = named or (word in OLDER and column in of_age(word, table))
        named = named or (word in _SIZES and amounts == [column])
        if named and column.place != base.target:
            end = "min" if is_less else "max"
            extreme = Extreme(word, end, places[0], places[0] + 1)
            yield replace(base, superlative=Superlative(column.place, extreme, end))
