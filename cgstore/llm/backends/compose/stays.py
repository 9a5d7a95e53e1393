"""How long what a row is about lasts: a column of the days from one date of the row to another one.

A table has it if the dates of one column are never after those of one other, which are not those of a birth, and if the
question asks for what lasts longer, and no other column says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import permutations

from cgstore.llm.backends.compose.column import DATES, Column
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import QuestionText, stem, word_set
from cgstore.text.dates import day_at
from cgstore.text.kinds import ValueKind

LASTING = word_set(
    """
    stay stays stayed take took taken takes taking last lasted lasts away gone out road way transit keep kept hold held
    spend spent wait waited waiting go went run ran pass passed before until till between go get got need needed lend
    lent borrow borrowed rent rented hire hired loan loaned travel travelled travelling underway here there
    """
)
"""Words that say that something lasts, beside the names of the two columns."""

_SAID = word_set("take takes took taken last lasts lasted stay stays stayed keep kept wait waited out away")
"""Those of them that say it of no length."""

_COMPARED = word_set("longer shorter longest shortest")


def ends_of(table: Table) -> Iterator[tuple[Column, Column]]:
    """The columns of which one has the end of what begins at the date of the other."""
    dates = [each for each in table.columns if each.kind in DATES and not each.is_of_birth and each.to_come != "next"]
    for one, other in permutations(dates, 2):
        pairs = [(a, b) for a, b in zip(one.numbers, other.numbers, strict=True) if a is not None and b is not None]
        if pairs and all(a <= b for a, b in pairs) and any(a < b for a, b in pairs):
            yield one, other


def with_stay(table: Table, text: QuestionText) -> Table:
    """The table with a column of how many days each row lasted, if the question compares rows by it."""
    if _COMPARED.isdisjoint(text.forms) or not table.whole or not _says_time(text):
        return table
    ends = list(ends_of(table))
    others = [each for each in table.columns if each.form != "date"]
    is_said = not _SAID.isdisjoint(text.forms)
    measured = [each for each in others if each.measure == "time" or (not is_said and means("longest", each))]
    if len(ends) != 1 or measured or any(each.form == "clock" for each in others):
        return table
    start, end = ends[0]
    if any(column.kind not in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE) for column in ends[0]):
        return table
    pairs = zip(start.numbers, end.numbers, strict=True)
    days = tuple("" if a is None or b is None else str(_day(b) - _day(a)) for a, b in pairs)
    name = f"days from {start.name} to {end.name}"
    stay = Column(len(table.columns), name, ValueKind.NUMBER, days, "duration days", ends=(start.place, end.place))
    return replace(table, columns=(*table.columns, stay))


def _says_time(text: QuestionText) -> bool:
    """Whether what is longer lasts: by a verb or a noun of what does, since a boat may be longer than another one."""
    return any(form in LASTING or form.removesuffix("s") in _EVENTS or stem(form) == "day" for form in text.forms)


_EVENTS = word_set(
    """
    stay trip journey voyage tour loan hire rental lease let booking visit course class project job task repair contract
    delivery shipment transit exhibition show event festival holiday session treatment term reign war season gap time
    run life warranty membership subscription
    """
)
"""Nouns of what lasts."""


def _day(number: float) -> int:
    day = day_at(number)
    return date(day.year, day.month, day.day).toordinal()


def words_of_stay(text: QuestionText) -> int:
    """The words that say that something lasts."""
    return sum(
        1 << n for n, form in enumerate(text.forms) if form in LASTING or form in _COMPARED or stem(form) == "day"
    )
