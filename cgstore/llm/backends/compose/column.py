"""A column of a table in memory: what its name says, and what its cells are read as."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property

from cgstore.llm.backends.compose.headers import meaning_in, meaning_of
from cgstore.llm.backends.compose.measures import (
    MEASURES_NAMED,
    OF_ONE,
    SPELT_UNITS,
    UNITS_OF,
    Unit,
    is_price_of_one,
    unit_called,
)
from cgstore.llm.backends.compose.words import UNITS, QuestionText, name_words, stem, stems_of, word_list
from cgstore.query.comparisons import ValueReading
from cgstore.text.columns import is_missing
from cgstore.text.dates import number_of
from cgstore.text.kinds import AMOUNTS, ValueKind, read_as
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import narrower_kinds

DATES = frozenset((ValueKind.DATE, ValueKind.DAY_FIRST_DATE, ValueKind.DAY))
CLOCKS = frozenset((ValueKind.TIME, ValueKind.DURATION))
_YEARS = (1000.0, 2100.0)

RANKS = frozenset(map(stem, ("rank", "ranking", "position", "pos", "place", "finish", "seed", "standing", "standings")))
"""Words of the names of columns that have places of a ranking."""

_OF_BIRTH = frozenset(map(stem, ("birth", "born", "dob")))

_TO_COME = frozenset(("next", "following", "planned", "scheduled", "expected", "due", "estimated"))
"""First or last words of the names of columns of what has not been yet."""

KEYS = frozenset(
    ("id", "ids", "identifier", "code", "isbn", "sku", "ref", "reference", "barcode", "ean", "serial", "bib", "uuid")
)
"""Words of the names of columns that only tell the rows apart."""

NUMBERS = KEYS | {"no", "nr", "num", "number"}
"""Words of the names of columns that number the rows."""

_UNIT = re.compile(r"[(\[][^()\[\]]*[)\]]\s*$")
_AMOUNT = re.compile(r"\d[\d.,]*\s?[^\W\d_]{1,3}")
_CELL_UNIT = re.compile(r"[^\W\d_]+\d?$")

OF_NAMES = word_list("full first last given family display")
"""Words of columns that have names, beside `name` itself."""

PEOPLE = frozenset(
    stem(noun.split()[-1])
    for noun in (
        *narrower_kinds("person"),
        *word_list("runner racer rider driver skier skater rower jockey sprinter player competitor winner"),
    )
)
"""Nouns of people, by which columns are named, as stems."""

PARTIES = PEOPLE | set(
    map(stem, word_list("customer client member supplier vendor company firm guest contact participant"))
)
"""Nouns of people and firms, as stems: these are called by their names, whatever numbers they have."""

FLAGS = {"yes": True, "true": True, "y": True, "x": True, "no": False, "false": False, "n": False}
"""Cells of a column that says of each row whether it is so."""


@dataclass(frozen=True)
class Column:
    """A column: its place from 0, its name, what its values are read as, and its cells, row by row.

    `meaning` is its name with its short words written out, as far as lists or the question tell. `is_id`: its numbers
    are what the rows are called by, as those of `Route` in a table of routes. `ends`: the places of the two columns of
    dates between which its numbers are the days, for a column that the table itself does not have.
    """

    place: int
    name: str
    kind: ValueKind
    cells: tuple[str, ...]
    said: str = ""
    is_id: bool = False
    ends: tuple[int, int] | None = None

    @cached_property
    def meaning(self) -> str:
        """Its name with its short words written out."""
        return self.said or meaning_of(self.name, self.form)

    def asked_in(self, text: QuestionText) -> Column:
        """The column with the meaning that its name has in a question."""
        if self.said and self.said != self.name and normal_form(self.name) in text.forms:
            return replace(self, said=self.name)  # `W` itself
        meaning = meaning_in(self.said or self.name, self.form, text)
        return self if meaning == self.meaning else replace(self, said=meaning)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of the words of its name."""
        return stems_of(self.meaning)

    @cached_property
    def words(self) -> list[str]:
        """The words of its name."""
        return name_words(self.meaning)

    @cached_property
    def rate(self) -> set[str]:
        """The stems of what its numbers are for: `day` of `Freq/day`."""
        if self.is_of_one or not OF_ONE.isdisjoint(self.words):
            return set(map(stem, (*OF_ONE, "unit")))
        _, _, of = re.sub(r"[(\[].*", "", self.meaning).partition("/")
        unit = unit_called(of) if of else None
        same = [stem(name) for name, each in UNITS_OF.items() if each == unit and name.isalpha()]
        return {*stems_of(of), *same} if of else set()

    @cached_property
    def is_of_one(self) -> bool:
        """Whether its money is for one of several things."""
        return self.measure == "money" and is_price_of_one(self.words)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The stems of the unit in brackets at the end of its name: `km` of `Length (km)`."""
        unit = _UNIT.search(self.meaning)
        if unit is None or not unit.start():
            return tuple(stem(word) for word in self.words[1:][-1:] if word in UNITS)
        return tuple(each for each in stems_of(unit[0]) if each not in stems_of(self.meaning[: unit.start()]))

    @cached_property
    def unit(self) -> Unit | None:
        """The unit of its values, by its name, by its kind or by its cells; none of rates, such as `€/h`."""
        bracket = _UNIT.search(self.meaning)
        if bracket is not None and bracket.start():
            return unit_called(bracket[0]) or (Unit("money", 1) if self.form == "money" else None)
        if not self.is_amount and self.form != "clock":
            return None
        if "square" in self.words:
            return Unit("area", 1)
        if self.form == "money" or self.kind.plain is ValueKind.DURATION:
            return Unit("money" if self.form == "money" else "time", 1)
        if self.kind.plain is ValueKind.MEASURE:
            ends = {match[0] for cell in self.rows_of if (match := _CELL_UNIT.search(cell))}
            return unit_called(ends.pop()) if len(ends) == 1 else None
        return unit_called(self.words[-1]) if self.words[-1] in SPELT_UNITS or len(self.words) > 1 else None

    @cached_property
    def measure(self) -> str:
        """What its numbers measure, such as `weight`; empty if nothing says it."""
        if self.unit is not None:
            return self.unit.measure
        is_rate = "per" in self.words or _UNIT.search(self.meaning) is not None
        if is_rate or not self.is_amount:
            return ""
        return next((MEASURES_NAMED[word] for word in self.words if word in MEASURES_NAMED), "")

    @cached_property
    def rows_of(self) -> dict[str, int]:
        """The rows that have each cell."""
        found: dict[str, int] = defaultdict(int)
        for row, cell in enumerate(self.cells):
            found[cell] |= 1 << row
        return dict(found)

    @cached_property
    def filled(self) -> int:
        """The rows whose cell is not empty."""
        return sum(1 << row for row, cell in enumerate(self.cells) if not is_missing(cell))

    @cached_property
    def numbers(self) -> tuple[float | None, ...]:
        """The number of each cell, as the engine compares and orders it."""
        if self.kind is ValueKind.TEXT:
            return tuple(map(number_of, self.cells))
        return tuple(read_as(self.kind, cell) for cell in self.cells)

    @cached_property
    def reading(self) -> ValueReading:
        """How the engine reads a literal that is compared with its values."""
        return ValueReading((self.kind,))

    @cached_property
    def is_ordered(self) -> bool:
        """Whether its values are numbers or times."""
        return self.kind is not ValueKind.TEXT and self.kind is not ValueKind.SCORE

    @cached_property
    def is_year(self) -> bool:
        """Whether its values are years, as numbers."""
        if NUMBERS.issuperset(name_words(self.name)[1:][-1:] or [""]):
            return False  # those of `Job no` from 1041 on
        filled = [number for number in self.numbers if number is not None]
        low, high = _YEARS
        return self.kind is ValueKind.NUMBER and bool(filled) and all(low <= n <= high for n in filled)

    @cached_property
    def is_of_birth(self) -> bool:
        """Whether its dates are those of births, by which nothing else is said to come first or last."""
        return not _OF_BIRTH.isdisjoint(self.stems)

    @cached_property
    def to_come(self) -> str:
        """The word of its name by which its dates are of what comes after the row: a `next visit` is not the visit."""
        ends = (self.words[0], self.words[-1]) if self.form == "date" and len(self.words) > 1 else ()
        return next((word for word in ends if word in _TO_COME), "")

    @cached_property
    def is_rank(self) -> bool:
        """Whether its numbers are places of a ranking, of which the first is the best."""
        return self.is_ordered and self.form != "clock" and not RANKS.isdisjoint(self.stems)

    @cached_property
    def is_key(self) -> bool:
        """Whether its values only tell the rows apart, by its name: there is no greatest order number."""
        return self.is_id or (self.is_distinct and not KEYS.isdisjoint(self.words))

    @cached_property
    def is_code(self) -> bool:
        """Whether each cell is one word with a digit, such as `INV-7`."""
        filled = [cell for cell in self.rows_of if not is_missing(cell)]
        return all(len(cell.split()) == 1 and any(map(str.isdigit, cell)) for cell in filled)

    @cached_property
    def has_amounts(self) -> bool:
        """Whether most texts are a number with a unit, as amounts are that are not written alike."""
        return 2 * sum(_AMOUNT.fullmatch(cell) is not None for cell in self.cells) > len(self.cells)

    @cached_property
    def is_numbering(self) -> bool:
        """Whether it only tells the rows apart, by its name or by its cells."""
        return self.is_key or self.is_code or bool(self.numbered)

    @cached_property
    def numbered(self) -> str:
        """The stem of what it numbers, if it has a different number for each: `order` for `Order No`."""
        words = self.words
        if self.is_id:
            return stem(words[0])
        return stem(words[0]) if len(words) == 2 and words[1] in NUMBERS and self.is_distinct else ""

    @cached_property
    def is_flag(self) -> bool:
        """Whether its cells say yes or no."""
        cells = {cell.strip().lower() for cell in self.rows_of if not is_missing(cell)}
        return bool(cells) and cells <= FLAGS.keys()

    @cached_property
    def form(self) -> str:
        """What its values are: `date` (years too), `clock`, `number`, `money`, `score`, `flag`, `names` or `text`."""
        if self.kind in DATES or self.is_year:
            return "date"
        if self.kind in CLOCKS:
            return "clock"
        if self.kind.plain in AMOUNTS:
            return "money" if self.kind.plain is ValueKind.CURRENCY else "number"
        if self.kind is ValueKind.SCORE:
            return "score"
        if self.is_flag:
            return "flag"
        return "names" if self._has_names() else "text"

    @cached_property
    def is_amount(self) -> bool:
        """Whether its values can be added up."""
        return self.form in ("number", "money")

    @cached_property
    def is_of_numbers(self) -> bool:
        """Whether its amounts number things instead of measuring them: order numbers, `T-1`; no places of a ranking."""
        is_number = self.is_key or bool(self.numbered) or self.kind.plain is ValueKind.ORDINAL
        return is_number and not self.is_rank

    def _has_names(self) -> bool:
        """Whether most cells are two to four capitalised words, as people's names are."""
        filled = [cell.split() for cell in self.cells if not is_missing(cell)]
        named = [2 <= len(words) <= 4 and all(map(_may_be_of_name, words)) for words in filled]
        return sum(named) > 0.7 * len(named)

    @cached_property
    def is_distinct(self) -> bool:
        """Whether no cell occurs twice."""
        return len(self.rows_of) == len(self.cells)


def _may_be_of_name(word: str) -> bool:
    return word[0].isupper() and not any(map(str.isdigit, word))
