"""Whose different cells a question counts: `how many pupils` of exams, of which each has several."""

from __future__ import annotations

from functools import lru_cache

from cgstore.llm.backends.compose.naming import Context, goodness, row_words
from cgstore.llm.backends.compose.parties import parties
from cgstore.llm.backends.compose.words import mask_of, word_set

_DIFFERENT = word_set("different distinct unique separate various")
_KINDS = word_set("kinds types sorts makes kind type sort")


@lru_cache(2)
def counted_columns(context: Context) -> frozenset[int] | None:
    """The columns whose different cells are counted, none if the noun names no column; None for other questions.

    Behind `how many different` stands such a noun in any words, behind `how many` alone the name of a column of texts.
    """
    text, starts = context.text, {signal.last for signal in context.signals.of("count")}
    for place, form in enumerate(text.forms):
        if form in _DIFFERENT and not starts.isdisjoint((place, place + 1)):
            return _named_at(context, place + 1 + 2 * _is_kind(context, place + 1))
    for start in starts if _DIFFERENT.isdisjoint(text.forms) else ():
        found = _named_at(context, start) if start < len(text) and not context.of_rows >> start & 1 else frozenset()
        whole = [n for n in found for run in context.runs[n] if run.first == start and run.share == 1]
        if len(whole) == 1 and context.table.columns[whole[0]].form in ("text", "names"):
            return frozenset(whole)
    return None


def may_count_rows(context: Context) -> bool:
    """Whether rows may be counted: not for `how many different pupils`, of which each has several."""
    counted = counted_columns(context)
    return counted is None or any(context.table.columns[place].is_distinct for place in counted)


def words_of_kinds(context: Context) -> int:
    """The words that only say that different cells are counted: `kinds of`, `people`."""
    people = sum(1 << n for n, form in enumerate(context.text.forms) if form in ("people", "persons"))
    return people | sum(mask_of(n, n + 2) for n in range(len(context.text)) if _is_kind(context, n))


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
