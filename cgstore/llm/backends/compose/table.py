"""A table in memory, as questions are compared with it: its columns, and where each cell stands.

Sets of rows are bits, the first row the lowest, so that conditions are combined by `&` and `|`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from cgstore.llm.backends.compose.column import NUMBERS, OF_NAMES, PARTIES, Column
from cgstore.llm.backends.compose.headers import has_minutes, may_be_short
from cgstore.llm.backends.compose.words import QuestionText, name_words, stem
from cgstore.loaders.totals import Total, totals
from cgstore.text.columns import is_missing
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import lemma, other_values

_SHORT = re.compile(r"([^\W_]+)(\.?)")

_NAMES = ("name", "title")

_MOST = 0.8
"""Share of different cells with which a column names the rows."""

_FEW = 12
"""Values of a column that says of what kind or in which state a row is."""

Place = tuple[int, str]
"""The place of a column, and a cell of it."""


@dataclass
class Table:
    """A table: its name as a source, its columns and the number of its rows.

    `whole`: all of its rows are here. `first_row` is the number of the first one.
    """

    name: str
    columns: tuple[Column, ...]
    rows: int
    whole: bool = True
    every: int = field(init=False)

    def __post_init__(self) -> None:
        self.every = (1 << self.rows) - 1

    def asked_in(self, text: QuestionText) -> Table:
        """The table with the meanings that the names of its columns have in a question."""
        columns = tuple(column.asked_in(text) for column in self.columns)
        return self if columns == self.columns else replace(self, columns=columns)

    @cached_property
    def subject(self) -> int:
        """The column that names what the rows are about: the first one with texts, most of them different.

        One that only tells the rows apart is it only if there is no other: `Full Name` comes before `Emp ID`, and so
        does what a table of `film_rentals` calls its films by, though these are rented several times.
        """
        texts = [c for c in self.columns if c.form in ("text", "names") and not (c.is_code or c.is_key)]
        naming = [c for c in self.columns if c.form in ("text", "names") and len(c.rows_of) >= _MOST * self.rows]
        names = [c.place for c in naming if not c.is_numbering and not c.has_amounts]
        names = names or [c.place for c in texts if self._calls_things(c)] or [c.place for c in naming]
        return names[0] if names else 0

    def is_named_by(self, place: int) -> bool:
        """Whether the cells of a column are nearly all different, so that they name the rows."""
        return len(self.columns[place].rows_of) >= _MOST * self.rows

    def _calls_things(self, column: Column) -> bool:
        """Whether a column is called `Title` or `Name`, or as the table is."""
        own = {stem(word) for word in name_words(self.name)}
        is_name = all(word in _NAMES or word in OF_NAMES for word in column.words)
        return is_name or (len(column.stems) == 1 and column.stems[0] in own)

    @cached_property
    def has_names(self) -> bool:
        """Whether each row has a name, so that a key is not asked for unless the question says so."""
        column = self.columns[self.subject]
        return column.is_distinct and not column.is_numbering and column.form in ("text", "names")

    def numbered_by(self, noun: str) -> int | None:
        """The column that numbers what a noun (a stem) means, if rows are called by it: flights by `Flight No.`.

        Employees are called by their names, and not by `Emp ID`; their payloads are no names of flights.
        """
        places = [column.place for column in self.columns if column.numbered == noun]
        subject = self.columns[self.subject]
        if not self.is_named_by(self.subject) and not places and noun == stem(name_words(self.name)[-1]):
            # of `film_rentals`, a rental is called by its number, and a film is not
            places = [c.place for c in self.columns if c.is_distinct and NUMBERS.issuperset(c.words[-1:])]
        has_name = all(word.endswith(_NAMES) or word in OF_NAMES for word in subject.words)
        is_named = noun in PARTIES or noun in subject.stems or has_name
        return places[0] if noun and places and not (self.has_names and is_named) else None

    @cached_property
    def totals(self) -> list[Total]:
        """The rows that look like totals of others; none of a table that was not read whole."""
        columns = [(each, each.is_ordered and each.is_amount) for each in self.columns] if self.whole else []
        cells = (
            (row + 1, each.name, each.cells[row], each.numbers[row] if is_amount else None)
            for row in range(self.rows)
            for each, is_amount in columns
        )
        return totals(cells, self.rows)

    @cached_property
    def has_texts(self) -> bool:
        """Whether any column has names or other texts."""
        return any(column.form in ("text", "names") for column in self.columns)

    @cached_property
    def cells_by_words(self) -> dict[tuple[str, ...], list[Place]]:
        """The cells with the words of each normal form."""
        found: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        for column in self.columns:
            for cell in column.rows_of:
                if not is_missing(cell):
                    found[tuple(normal_form(cell).split())].append((column.place, cell))
        return dict(found)

    @cached_property
    def cells_with_word(self) -> dict[str, list[tuple[tuple[str, ...], Place]]]:
        """The cells of several words that have each word, with all their words."""
        found: dict[str, list[tuple[tuple[str, ...], Place]]] = defaultdict(list)
        for words, places in self.cells_by_words.items():
            for word in set(words) if len(words) > 1 else ():
                found[word] += [(words, place) for place in places]
        return dict(found)

    @cached_property
    def cells_in_other_words(self) -> dict[tuple[str, ...], list[Place]]:
        """The cells of columns with few values that a list has other words for, by the lemmas of these."""
        found: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        for column in self.columns:
            if column.form in ("text", "names") and len(column.rows_of) <= _FEW and not column.is_distinct:
                for cell in column.rows_of:
                    for other in other_values(cell):
                        found[tuple(map(lemma, other.split()))].append((column.place, cell))
        return dict(found)

    @cached_property
    def short_cells(self) -> list[tuple[int, str, list[tuple[str, bool]]]]:
        """The cells with words that are written short: the column, the cell, and whether each of its words is.

        A word with a full stop is, and so is the only word of one of a few cells unless a list has it.
        """
        found = []
        for column in self.columns:
            is_of_kinds = len(column.rows_of) <= _FEW and not column.is_distinct
            for cell in column.rows_of if column.form in ("text", "names") else ():
                words = [(match[1].lower(), bool(match[2])) for match in _SHORT.finditer(cell)]
                if len(words) == 1 and len(words[0][0]) > 2 and is_of_kinds and may_be_short(words[0][0]):
                    words = [(words[0][0], True)]
                if any(is_short for _, is_short in words):
                    found.append((column.place, cell, words))
        return found

    @cached_property
    def all_words(self) -> frozenset[str]:
        """All words of cells and of the names of columns."""
        return self.cell_words | {word for column in self.columns for word in column.words}

    @cached_property
    def cell_words(self) -> frozenset[str]:
        """All words of cells."""
        return frozenset(word for words in self.cells_by_words for word in words)


def rows_in(rows: int) -> list[int]:
    """The numbers of the rows of a set, from 0, in order."""
    found = []
    while rows:
        low = rows & -rows
        found.append(low.bit_length() - 1)
        rows ^= low
    return found


def table_of(name: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]], whole: bool = True) -> Table:
    """A table from its columns, each a name and a kind (empty: text), and its rows."""
    made = tuple(
        Column(place, title, ValueKind(kind) if kind else ValueKind.TEXT, tuple(row[place] for row in rows))
        for place, (title, kind) in enumerate(columns)
    )
    if made and _is_id(made[0], name):
        made = (replace(made[0], is_id=True), *made[1:])
    if has_minutes([column.meaning for column in made]):
        made = tuple(replace(each, said="minutes") if each.meaning == "minimum" else each for each in made)
    if {"W", "L"} <= {column.name for column in made}:
        made = tuple(replace(each, said=_GAMES.get(each.name, "")) for each in made)
    return Table(name, made, len(rows), whole)


_GAMES = {"W": "wins", "L": "losses", "D": "draws", "T": "ties", "P": "played", "GP": "games played"}
"""What letters stand for in a table of games won and lost."""


def _is_id(column: Column, table: str) -> bool:
    """Whether the first column has a whole number for each row and is called what the rows are."""
    is_whole = all(number is not None and number.is_integer() for number in column.numbers)
    is_noun = set(column.stems) <= {stem(word) for word in name_words(table)}
    return is_noun and is_whole and column.kind is ValueKind.NUMBER and column.is_distinct and not column.is_year
