"""What a question says about cells: conditions on the rows of a table, each with the words that it explains.

A value is found by its words in their normal form, by their stems (`desk lamps`), as a part of a cell (`Schumacher`),
one letter off (`Germny`), or by its number or date. A number is compared if the words around it say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cgstore.llm.backends.compose.cells import conditions_by_words
from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.comparisons import OLDER, comparison_at
from cgstore.llm.backends.compose.conditions import Condition, Stretch, compared_rows
from cgstore.llm.backends.compose.days import days_and_months
from cgstore.llm.backends.compose.measures import SPELT_UNITS, UNITS_OF, Unit
from cgstore.llm.backends.compose.ranks import ranks
from cgstore.llm.backends.compose.states import states
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import (
    QuestionText,
    is_content,
    mask_of,
    stem,
    word_set,
)
from cgstore.mapping.mentions import find_times
from cgstore.text.dates import Span, number_of

FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Plain numbers that may be compared with dates lie between these."""

_NUMBER = re.compile(
    r"(?<![\w.,:/-])(?:[$€£]\s?)?-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:%|st|nd|rd|th)?(?![\w:/]|[.,]\d|-\d)"
)
_CLOCK = re.compile(r"\b\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?\b|o'?clock)|\b\d{1,2}:\d\d(?::\d\d)?\b", re.IGNORECASE)
_DECADE = re.compile(r"\b(\d{3}0)'?s\b")


class Said(NamedTuple):
    """A number or time of the question: its words, and the text by which it is compared."""

    first: int
    last: int
    literal: str
    is_time: bool


def numbers_said(text: QuestionText) -> list[Said]:
    """The numbers and times of a question; of those that overlap, the longest."""
    found = [Said(*text.places(m.start, m.end), m.name, True) for m in find_times(text.text) if "s" not in m.text[-1:]]
    for match in _CLOCK.finditer(text.text):
        literal = re.sub(r"\s?o'?clock", ":00", match[0], flags=re.IGNORECASE)
        found.append(Said(*text.places(match.start(), match.end()), literal, True))
    for match in _NUMBER.finditer(text.text):
        found.append(Said(*text.places(match.start(), match.end()), match[0], False))
    for place, token in enumerate(text.tokens):
        if token.number is not None and token.form != "one":
            found.append(Said(place, place + 1, str(token.number), False))
    kept: list[Said] = []
    for said in sorted(found, key=lambda s: (s.first - s.last, not s.is_time)):
        if said.last > said.first and all(said.last <= other.first or other.last <= said.first for other in kept):
            kept.append(said)
    return sorted(kept)


def _ones(text: QuestionText, table: Table) -> Iterator[Said]:
    """The ones of a question that are compared with a column, whose name stands behind them: `more than one child`."""
    amounts = {stem for column in table.columns if column.is_amount for stem in column.stems}
    for place, token in enumerate(text.tokens[:-1]):
        is_compared = text.forms[place - 1 : place] in (("than",), ("least",))
        if token.form == "one" and is_compared and text.tokens[place + 1].stem in amounts:
            yield Said(place, place + 1, "1", False)


def _by_number(text: QuestionText, table: Table, said: Said) -> Iterator[Condition]:
    """The conditions that a number states, by the comparison that the words around it make."""
    op, words = comparison_at(text, said.first, said.last)
    unit = _unit_behind(text, said, table)
    is_date = said.is_time and not said.literal.isdigit() and ":" not in said.literal
    by_age = next((text.forms[n] for n in range(len(text)) if words >> n & 1 and text.forms[n] in OLDER), None)
    own = mask_of(said.first, said.last + (unit is not None))
    own |= mask_of(said.first - 1, said.first) if text.forms[said.first - 1 : said.first] == ("during",) else 0
    if unit is None and said.last < len(text) and _is_of_other_unit(text.forms[said.last], said, table):
        return
    bounds = {form for n, form in enumerate(text.forms) if words >> n & 1 and form in _OF_TIME}
    bounded = [each for each in table.columns if each.form == "date" and bounds.intersection(each.words)]
    for column in table.columns:
        literal = _in_unit_of(column, said.literal, unit, text.forms[said.last]) if unit else said.literal
        if (
            not column.is_ordered
            or (is_date and column.form not in ("date", "clock"))
            or (unit is not None and column.measure != unit.measure)
            or (_is_of_time(text, words) and not _may_be_at_time(text, said, column))
            or ((column.is_key or column.numbered) and op not in ("=", "!="))
            or (span := column.reading.span(literal)) is None
        ):
            continue
        if column.form == "clock" and ":" not in literal and not literal[-1:].isalpha():
            continue
        sign = OLDER[by_age] if by_age and column.form == "date" else op
        if bounded:
            if column not in bounded:
                continue
            sign = "="  # `insured until 2026` is what `Insured until` has
        if column.form == "date" and op == "=" and said.first and text.forms[said.first - 1] == "by":
            sign, words = "<=", mask_of(said.first - 1, said.first)
        rows = compared_rows(column, sign, span.lo, span.hi)
        if sign == "!=":
            rows = table.every & ~compared_rows(column, "=", span.lo, span.hi)
        no_year = column.form == "date" and not said.is_time and not FIRST_YEAR <= span.lo <= LAST_YEAR
        if (rows or (sign != "=" and not column.is_rank)) and not no_year:
            yield Condition(column.place, sign, (literal,), rows, said.first, said.last, own | words, "number")


_OF_TIME = word_set("before after since until till prior")


def _is_of_time(text: QuestionText, words: int) -> bool:
    """Whether a number is compared by words for times: `before 1700`."""
    return any(words >> n & 1 and form in _OF_TIME for n, form in enumerate(text.forms))


def _may_be_at_time(text: QuestionText, said: Said, column: Column) -> bool:
    """Whether a column has times, or is named beside a number: `after round 3` of a column `Round`."""
    beside = text.tokens[max(0, said.first - 3) : said.last + 2]
    return column.form in ("date", "clock") or any(token.stem in column.stems for token in beside)


def _is_of_other_unit(form: str, said: Said, table: Table) -> bool:
    """Whether a unit stands behind a number that no column measures, nor has in its name: `12 kilometres` of nights."""
    if said.is_time or form not in SPELT_UNITS or UNITS_OF[form].measure in ("money", "time"):
        return False
    named = {stem(form) for column in table.columns for form in column.words}
    return stem(form) not in named


def _unit_behind(text: QuestionText, said: Said, table: Table) -> Unit | None:
    """The unit behind a number, if a column of the table measures the same."""
    form = text.forms[said.last] if said.last < len(text) and not said.is_time else ""
    unit = UNITS_OF[form] if form in SPELT_UNITS else None
    return unit if unit and any(column.measure == unit.measure for column in table.columns) else None


def _in_unit_of(column: Column, literal: str, unit: Unit, form: str) -> str:
    """A number with a unit for a column: of `2 tonnes` 2000 for one in kg, `2 hours` itself for durations."""
    if column.form == "clock":
        return f"{literal} {form}"
    number = number_of(literal)
    factor = unit.factor / column.unit.factor if column.unit is not None else 1
    return literal if factor == 1 or number is None else f"{number * factor:.10g}"


def _rows_between(column: Column, low: Span, high: Span) -> int:
    """The rows whose number lies in one of two spans or between them."""
    return compared_rows(column, ">=", low.lo, low.hi) & compared_rows(column, "<=", high.lo, high.hi)


def _between(text: QuestionText, table: Table, one: Said, other: Said) -> Iterator[Condition]:
    """The conditions that two numbers state as the ends of a range."""
    before, joint = text.forms[one.first - 1] if one.first else "", text.forms[one.last : other.first]
    if (before, joint) not in (("between", ("and",)), ("from", ("to",)), ("from", ("until",)), ("from", ("through",))):
        return
    mask = mask_of(one.first - 1, other.last)
    for column in table.columns:
        ends = [column.reading.span(said.literal) for said in (one, other)] if column.is_ordered else [None]
        if all(ends):
            low, high = (end for end in ends if end)
            rows = _rows_between(column, low, high)
            values = (one.literal, other.literal)
            yield Condition(column.place, "between", values, rows, one.first, other.last, mask, "number")


def _decades(text: QuestionText, table: Table) -> Iterator[Condition]:
    """The conditions that the decades of a question state."""
    for match in _DECADE.finditer(text.text):
        first, last = text.places(match.start(), match.end())
        low, high = match[1], str(int(match[1]) + 9)
        for column in table.columns:
            spans = [column.reading.span(each) for each in (low, high)] if column.form == "date" else [None]
            if all(spans):
                start, end = (span for span in spans if span)
                if rows := _rows_between(column, start, end):
                    mask = mask_of(first, last)
                    yield Condition(column.place, "between", (low, high), rows, first, last, mask, "number")


def stretches(text: QuestionText, table: Table) -> list[Stretch]:
    """The stretches of a question that state conditions, in its order, without those within longer ones."""
    said = sorted([*numbers_said(text), *_ones(text, table)])
    found = [*conditions_by_words(text, table), *_decades(text, table), *days_and_months(text, table)]
    found += [*states(text, table), *ranks(text, table)]
    for one, other in pairwise(said):
        found += _between(text, table, one, other)
    for each in said:
        found += _by_number(text, table, each)
    places: dict[tuple[int, int], dict[tuple[object, ...], Condition]] = {}
    for condition in found:
        same = places.setdefault((condition.first, condition.last), {})
        same.setdefault((condition.column, condition.op in ("=", "!=", "contains"), condition.rows), condition)
    for same in places.values():
        if any(c.how == "number" and c.op not in ("=", "!=") for c in same.values()):
            for key in [key for key, c in same.items() if c.op in ("=", "contains")]:
                del same[key]  # the words around it compare the number
    for (first, _), same in places.items():
        _keep_named(text, table, first, same)
        _keep_plain(text, table, same)
    spans = sorted(places)
    inner = {
        span
        for span in spans
        for other in spans
        if other != span and other[0] <= span[0] and span[1] <= other[1] and _prevails(places[other], places[span])
    }
    return [Stretch(*span, tuple(places[span].values())) for span in spans if span not in inner]


def _keep_plain(text: QuestionText, table: Table, same: dict[tuple[object, ...], Condition]) -> None:
    """Drops the conditions on `Prev. crop` beside those on `Crop`, if nothing in the question says `previous`."""
    said = {token.stem for token in text.tokens}
    columns = {c.column: set(table.columns[c.column].stems) for c in same.values() if c.how != "number"}
    modified = {
        place
        for place, stems in columns.items()
        if any(others < stems and not (stems - others) & said for others in columns.values())
    }
    for key in [key for key, condition in same.items() if condition.column in modified]:
        del same[key]


def _keep_named(text: QuestionText, table: Table, first: int, same: dict[tuple[object, ...], Condition]) -> None:
    """Keeps the conditions on the column whose whole name is the small word before a value: `from Hamburg`."""
    before = text.forms[first - 1] if first else ""
    named = {c.column for c in same.values() if table.columns[c.column].name.lower() == before}
    if named and not is_content(before):
        for key in [key for key, condition in same.items() if condition.column not in named]:
            del same[key]


def _prevails(longer: dict[tuple[object, ...], Condition], shorter: dict[tuple[object, ...], Condition]) -> bool:
    """Whether a stretch takes the place of one within it; what is only like a cell takes that of none that is one."""
    order = {"exact": 3, "number": 3, "stems": 2, "short": 2, "part": 1, "flag": 1, "rank": 3}
    best = [max(order[condition.how] for condition in each.values()) for each in (longer, shorter)]
    return best[0] >= best[1] or best[0] >= order["stems"]
