"""Whose different cells a question counts: `how many pupils` of exams, of which each has several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.naming import Context, goodness
from cgstore.llm.backends.compose.parties import is_party, names_party, parties
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.words import mask_of, name_words, stem, word_list, word_set

_DIFFERENT = word_set("different distinct unique separate various")
_KINDS = word_set("kinds types sorts makes kind type sort")


@lru_cache(2)
def counted_columns(context: Context) -> frozenset[int] | None:
    """The columns whose different cells are counted, none if the noun names no column; None for other questions.

    Behind `how many different` stands such a noun in any words, behind `how many` alone the name of a column of texts.
    """
    text, starts = context.text, context.counted_at
    for place, form in enumerate(text.forms):
        if form in _DIFFERENT and not starts.isdisjoint((place, place + 1)):
            return _named_at(context, place + 1 + 2 * _is_kind(context, place + 1))
    for start in starts if _DIFFERENT.isdisjoint(text.forms) else ():
        found = _named_at(context, start) if start < len(text) and not context.of_rows >> start & 1 else frozenset()
        whole = [n for n in found for run in context.runs[n] if run.first == start and run.share == 1]
        if len(whole) == 1 and context.table.columns[whole[0]].form in ("text", "names"):
            return frozenset(whole)
    return None


def quantity_of(conditions: Sequence[Condition], context: Context) -> Column | None:
    """The column that says how many of a thing a row has, where `how many` stands before things of single rows."""
    table, starts = context.table, context.counted_at
    columns = [each for each in table.columns if each.is_amount and _PIECES.issuperset(each.stems) and not each.measure]
    subject = table.columns[table.subject]
    things = [each for each in conditions if each.column == subject.place]
    is_whole = all(each.op == "=" and each.how in ("exact", "stems") for each in things)
    is_counted = any(each.first in starts for each in things) and is_whole and subject.is_distinct
    return columns[0] if is_counted and len(columns) == 1 else None


_PIECES = frozenset(map(stem, word_list("quantity qty copies pieces stock in on hand")))
"""Words of columns of how many there are, by their stems."""


def are_rows_counted(context: Context) -> bool:
    """Whether `how many` stands before a plural noun for the rows: `how many orders` has no quantity."""
    forms = (*context.text.forms, "", "")
    places = [n + (forms[n] == "total") for n in context.counted_at]
    return any(context.of_rows >> n & 1 and forms[n].endswith("s") for n in places)


def is_unnamed_number(column: Column, context: Context) -> bool:
    """Whether no word of a question names a column of numbers, whose name says no number of what the rows are."""
    may_be_rows = column.measure != "money" and not _NUMBERS_OF_ROWS.isdisjoint(column.stems)
    return column.is_amount and not is_named_apart(column.place, context) and not may_be_rows


def is_named_apart(place: int, context: Context) -> bool:
    """Whether a column is named by other words than those that add up: `in total`."""
    added = sum({signal.mask for signal in context.signals.of("sum")})
    return any(not run.mask & added for run in context.runs[place])


_NUMBERS_OF_ROWS = frozenset(map(stem, word_list("number count total amount")))


def may_count_rows(context: Context) -> bool:
    """Whether rows may be counted: not for `how many different pupils`, of which each has several."""
    counted = counted_columns(context)
    return counted is None or any(context.table.columns[place].is_distinct for place in counted)


def people_miscounted(rows: int, context: Context) -> str:
    """The noun for people behind `how many`, where some rows are not people; empty if they are, or it is none.

    They are by the name of the table or by the column of what the rows are about, or where each has somebody else.
    """
    text, table = context.text, context.table
    starts = [place for place in sorted(context.counted_at) if place < len(text)]
    named = [run.mask for _, run in context.every_run if run.share == 1 and not run.meant]
    known = [row_words(text, table), *named]
    nouns = [text.tokens[n] for n in starts if text.forms[n] in _PEOPLE and not any(mask >> n & 1 for mask in known)]
    subject, people = table.columns[table.subject], parties(context)
    is_of_people = (
        is_party(subject) or subject.form == "names" or any(map(names_party, map(stem, name_words(table.name))))
    )
    if not nouns or is_of_people:
        return ""
    cells = [people[0].cells[row] for row in rows_in(rows)] if len(people) == 1 else []
    return "" if cells and len(set(cells)) == len(cells) else nouns[0].text


_PEOPLE = word_set("people persons employees colleagues staff workers")


def words_of_kinds(context: Context) -> int:
    """The words that only say that different cells are counted: `different`, `kinds of`, `people`."""
    starts = context.counted_at
    different = sum(1 << n for n in starts if context.text.forms[n : n + 1] and context.text.forms[n] in _DIFFERENT)
    people = sum(1 << n for n, form in enumerate(context.text.forms) if form in ("people", "persons"))
    return different | people | sum(mask_of(n, n + 2) for n in range(len(context.text)) if _is_kind(context, n))


def _is_kind(context: Context, place: int) -> bool:
    behind = context.text.forms[place : place + 2]
    return behind[1:] == ("of",) and behind[0] in _KINDS


def _named_at(context: Context, place: int) -> frozenset[int]:
    """The columns that the noun at a place names best, or that which the rows are called by."""
    found = [(n, run) for n, run in context.every_run if run.first == place and not run.inverse]
    if found:
        best = max(goodness(run)[:2] for _, run in found)
        return frozenset(n for n, run in found if goodness(run)[:2] == best)
    if context.text.forms[place : place + 1] in (("people",), ("persons",)):
        people = parties(context)
        doing = [each for each in people if any(run.first > place for run in context.runs[each.place])]
        subject = [each for each in people if each.place == context.table.subject]
        return frozenset(each.place for each in doing or (people if len(people) == 1 else subject))
    if place < len(context.text) and row_words(context.text, context.table) >> place & 1:
        numbers = context.table.numbered_by(context.text.tokens[place].stem)
        return frozenset([context.table.subject if numbers is None else numbers])
    return frozenset()
