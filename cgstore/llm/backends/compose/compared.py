"""By which columns comparatives compare two rows: `heavier` by a weight, `older` by an age or when it was bought."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.column import DATES, PARTIES, Column
from cgstore.llm.backends.compose.comparisons import LESS, OF_STRETCHES, OLDER
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.measures import measures_asked
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import stem, word_list, word_set


def compared_columns(table: Table, word: str) -> Iterator[tuple[Column, bool]]:
    """The columns by which two rows may be compared with a word, and whether it means the lesser number of each."""
    ordered = [column for column in table.columns if column.is_ordered and not column.is_key]
    if word in OF_STRETCHES:
        ordered = [column for column in ordered if column.form != "date"]
    if word in _OF_AMOUNTS:
        ordered = [column for column in ordered if not is_only_a_time(column, table)]
    meant = of_age(word, table) if word in OLDER else [column for column in ordered if means(word, column)]
    if any(column.is_of_one for column in meant):  # what is cheaper for one may be dearer in total
        meant = [column for column in ordered if column in meant or column.measure == "money"]
    for column in meant or ([] if word in OLDER or is_of_measure(word) else ordered):
        yield column, means_less(word, column)


def is_of_measure(word: str) -> bool:
    """Whether a comparative says what is compared: what is heavier has no more of anything but weight."""
    return bool(measures_asked(word)) and word not in _OF_SIZES


def of_age(word: str, table: Table) -> list[Column]:
    """The columns by which rows are older or younger: an age, when they were made, or else when a thing was got."""
    ordered = [column for column in table.columns if column.is_ordered and not column.is_key]
    if word in _AS_NEW:
        ordered = [column for column in ordered if column.form == "date"]  # of ages the newer one is the lesser
    if meant := [column for column in ordered if means(word, column) or (word in _AS_OLD and means("old", column))]:
        return meant
    got = [column for column in ordered if is_of_getting(column)]
    subject = table.columns[table.subject]
    is_of_people = subject.form == "names" or not PARTIES.isdisjoint(subject.stems)
    return got if len(got) == 1 and not is_of_people else []


def is_of_getting(column: Column) -> bool:
    """Whether a column says when the owner got a thing."""
    return column.form == "date" and not _GOT.isdisjoint(column.stems)


def is_only_a_time(column: Column, table: Table) -> bool:
    """Whether a column has times, and another one has amounts, by which something is the largest or has the most."""
    is_time = column.kind in DATES or (column.is_year and stem("year") in column.stems)
    return is_time and any(each.is_amount and not each.is_key for each in table.columns)


def means_less(word: str, column: Column) -> bool:
    """Whether a comparative means the lesser number of a column."""
    is_less = OLDER[word] == "<" if column.form == "date" and word in OLDER else word in LESS
    is_turned = (column.is_rank and word in _BETTER) or (column.form == "clock" and word in ("faster", "slower"))
    return is_less is not is_turned


_OF_AMOUNTS = word_set("more less fewer higher lower larger smaller bigger greater cheaper heavier lighter")
"""Comparatives of numbers, which say nothing of times."""

_BETTER = word_set("higher lower better worse above below over under")
"""Comparatives that mean the other end of a ranking, whose best place has the least number."""

_OF_SIZES = word_set("higher bigger larger smaller")
"""Comparatives of one measure that are said of any numbers too."""

_AS_OLD = word_set("older oldest newer newest younger youngest")
_AS_NEW = word_set("newer newest")
_GOT = frozenset(map(stem, word_list("bought purchase purchased acquired acquisition")))
"""Words of columns of when the owner got a thing."""
