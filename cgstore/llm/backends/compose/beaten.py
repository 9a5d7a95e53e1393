"""Questions whether one beat another: `did Ann beat Ben in the final`, `did Ann finish behind Ben`.

Who did has the better place in a ranking, or less time where no column has the places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading, condition_sets, reading_of
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.words import QuestionText, mask_of

_BEATING = {
    ("beaten", "by"): True,
    ("lose", "to"): True,
    ("lost", "to"): True,
    ("finish", "behind"): True,
    ("come", "behind"): True,
    ("finish", "ahead", "of"): False,
    ("finish", "before"): False,
    ("beat",): False,
    ("defeat",): False,
}
"""Words that say who was better, and whether it is the second of the two."""


def beating(text: QuestionText) -> tuple[int, bool] | None:
    """The words by which one beats another, and whether it is the second of the two: `A beat B`, `A lost to B`."""
    for phrase, is_turned in _BEATING.items():
        for first in range(len(text)):
            if text.forms[first : first + len(phrase)] == phrase:
                return mask_of(first, first + len(phrase)), is_turned
    return None


def beaten(context: Context, stretches: Sequence[Stretch], words: tuple[int, bool]) -> Iterator[Reading]:
    """The readings that explain all words of such a question, and compare one row with another."""
    for conditions, _ in condition_sets(stretches):
        base = reading_of(context.table, conditions)
        pairs = [group for group in base.groups if len(group) == 2]
        if len(pairs) != 1 or any(len(group) > 2 for group in base.groups):
            continue
        for reading in _readings(base, context, pairs[0], words):
            left = context.text.content & ~(explained_words(reading, context) | row_words(context.text, context.table))
            if not left and denotation(reading, context.table):
                yield reading


def _readings(
    base: Reading, context: Context, pair: tuple[Condition, ...], words: tuple[int, bool]
) -> Iterator[Reading]:
    columns = context.table.columns
    ranks = [column for column in columns if column.is_rank]
    by = ranks or [column for column in columns if column.form == "clock"]
    mask, is_turned = words
    one, other = sorted(pair, key=lambda condition: condition.first)
    is_between = one.last <= other.first and mask & mask_of(one.last, other.first) == mask
    if len(by) == 1 and is_between and one.op == other.op == "=" and columns[one.column].form in ("names", "text"):
        operation = "greater" if is_turned else "less"
        yield replace(base, operation=operation, target=by[0].place, by=one.column, mask=mask)
