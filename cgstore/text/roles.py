"""What a column is for: to tell rows apart, to name, to measure, to group, to date, to say yes or no, or to describe.

The role of a column rests on what its values show, and on little else: its header counts where it ends as headers of
identifiers do (`Order No`, `customer_id`), or in a unit (`Height (m)`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from cgstore.text.columns import SHARE, is_missing
from cgstore.text.kinds import ValueKind, read_as
from cgstore.text.names import normal_form, spaced
from cgstore.text.numbers import is_padded


class Role(StrEnum):
    """What the values of a column are for.

    An identifier tells rows apart, or names one of another table, and cannot be added up: `INV-7`, `00421`. A label is
    the name of a row. A category is shared by several rows. A date is any time: a day, a year, a time of day. Text is
    what people write freely.
    """

    IDENTIFIER = "identifier"
    LABEL = "label"
    QUANTITY = "quantity"
    CATEGORY = "category"
    DATE = "date"
    YES_NO = "yes or no"
    TEXT = "text"


ROLES = f"{', '.join(list(Role)[:-1])} or {list(Role)[-1]}"
"""The roles in words."""

_NUMBERING = "id ids identifier key code no nr num number ref reference uuid isbn issn ean sku iban email mail #"
NUMBERING = frozenset(_NUMBERING.split())
"""Words in which the headers of identifiers end."""

_WEAK = frozenset(("no", "number", "num", "nr", "key", "ref", "reference"))
"""Words that mean little as a whole header: `No` may count the votes against."""

_ASKING = frozenset(("is", "has", "was", "can"))
"""Words with which the headers of flags begin."""

_AFFIRMATIVE = "yes y true t x ✓ ✔ ☑ ✅ ja oui vrai sí si sì sim wahr vero"
_NEGATIVE = "no n false f ✗ ✘ ☐ ❌ nein non faux não nao falsch falso nee nej nei"
_YES, _NO = frozenset(_AFFIRMATIVE.split()), frozenset(_NEGATIVE.split())
_TICKS = _YES - {"t", "y"}

_DATES = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE, ValueKind.DAY, ValueKind.TIME)

_UNIQUE = 0.9
"""Share of the cells, at least, that differ in a column whose values are nearly unique."""

_ROWS = 5
"""Cells, at least, that show anything by being in sequence or of one length."""

_FLAGS, _TRUE = 10, 0.3
"""Cells, at least, and share of those with 1, for 0 and 1 to be no and yes: the others count what is rare."""

_FILLED = 0.75
"""Share of the rows, at least, that have a label."""

_WORDS, _LENGTH = 5.5, 60
"""Words and characters, on average, above which texts are free text."""

_YEARS = range(1000, 2101)
_LATE_YEARS = range(1800, 2101)
_LONG = 8
"""Digits of numbers that nobody adds up, if all have them: telephone numbers, EANs."""

_WHOLE = re.compile(r"\d+\.?|\W?\d+(?:st|nd|rd|th)?|No\.?\s?\d+", re.IGNORECASE)
_UNIT = re.compile(r"\S.*[(\[][^()\[\]]+[)\]]\s*$")
_AMOUNT = re.compile(r"\d[\d.,]*(?:\s[^\W\d_]{1,4}|[^\W\d_]{2,3})?(?:\s?\(.*\))?|\d+[.,]\d+\D{0,8}")
"""A number with what may be a unit, where those of the column differ: `20 kg`, `40 (+12 outside)`, and no `8a`."""

_SPAN = re.compile(r"[12]\d{3}\s?[-–—/]\s?(?:[12]\d{3}|\d\d|[^\W\d_]*)")
"""Years, as `1998-2004`, `1998/99` or `1998–present`."""

_CODE = re.compile(
    r"(?=.*\d)(?!.*\d[.,]\d)(?:\S*[^\W\d]\S*|(?=.*[A-Z])[A-Z\d]+(?:[ /._-][A-Z\d]+)*)|\S+@\S+\.\S+|\w+://\S+"
)
_FIGURES = re.compile(r"[+(]?\d(?:[ ()/.-]{0,2}\d){6,}")
_CAPITALS = re.compile(r"[A-Z]{2,5}")
_LETTERS = re.compile(r"[^\W\d_]")


def role_of(values: Sequence[str] | Mapping[str, int], kind: ValueKind | str, name: str = "") -> Role:
    """The role of a column, or of a relation by its tails, by what its values are read as and its name. Never raises.

    The values are its cells, all or a sample, or how often each occurs; blanks tell how many rows have none.
    """
    counts = values if isinstance(values, Mapping) else Counter(values)
    column = _Column.of(counts, name)
    plain = ValueKind(kind or ValueKind.TEXT).plain
    if column.says_yes_or_no():
        return Role.YES_NO
    if plain in _DATES:
        return Role.DATE
    if plain in (ValueKind.NUMBER, ValueKind.ORDINAL):
        return column.role_of_numbers(ValueKind(kind))
    return column.role_of_texts() if plain is ValueKind.TEXT else Role.QUANTITY


@dataclass(frozen=True)
class _Column:
    """The values of a column without those that are missing, how many cells are, and the words of its header."""

    counts: Mapping[str, int]
    missing: Mapping[str, int]
    header: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, counts: Mapping[str, int], name: str) -> _Column:
        filled: Counter[str] = Counter()
        missing: Counter[str] = Counter()
        for text, count in counts.items():
            (missing if is_missing(text) else filled)[text.strip()] += count
        return cls(filled, missing, name, tuple(normal_form(spaced(name)).split()))

    @cached_property
    def cells(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def is_unique(self) -> bool:
        """Whether nearly all values occur once."""
        return len(self.counts) >= _UNIQUE * self.cells

    @cached_property
    def is_numbering(self) -> bool:
        """Whether the header says that the values number something."""
        if not self.words or self.words[-1] not in NUMBERING:
            return False
        return self.is_unique or len(self.words) > 1 or self.words[0] not in _WEAK

    def says_yes_or_no(self) -> bool:
        """Whether all cells are a yes or a no, or a tick where it is so and nothing where it is not."""
        said = {text.casefold() for text in self.counts} | _TICKS.intersection(map(str.casefold, self.missing))
        if said == {"0", "1"}:
            is_asked = not _ASKING.isdisjoint(self.words[:1])
            return is_asked or (self.cells >= _FLAGS and self.counts["1"] >= _TRUE * self.cells)
        if not said <= _YES | _NO:
            return False
        if said.isdisjoint(_NO):
            return bool(said) and said <= _TICKS
        return not said.isdisjoint(_YES)

    # Numbers

    def role_of_numbers(self, kind: ValueKind) -> Role:
        amounts = {text: number for text in self.counts if (number := read_as(kind, text)) is not None}
        codes = sum(not _WHOLE.fullmatch(text) and bool(_CODE.fullmatch(text)) for text in amounts)
        if amounts and codes >= _UNIQUE * len(amounts):  # `T-01` reads as the first of something
            return Role.IDENTIFIER
        if not amounts or not all(map(_WHOLE.fullmatch, amounts)) or _UNIT.match(self.header):
            return Role.QUANTITY
        if self.is_numbering or any(map(is_padded, amounts)):
            return Role.IDENTIFIER
        whole = sorted(map(int, amounts.values()))
        if whole[0] in _YEARS and whole[-1] in _YEARS:
            return self._role_of_years(whole)
        return Role.IDENTIFIER if self._is_sequence(whole) or self._is_long(amounts) else Role.QUANTITY

    def _role_of_years(self, whole: list[int]) -> Role:
        """The role of whole numbers that may be years: sequences may number rows, round numbers may be amounts."""
        late = sum(number in _LATE_YEARS for number in whole)
        if 2 * late >= len(whole):
            return Role.DATE
        if self._is_sequence(whole):
            return Role.IDENTIFIER
        return Role.QUANTITY if 2 * sum(number % 10 == 0 for number in whole) > len(whole) else Role.DATE

    def _is_long(self, texts: Collection[str]) -> bool:
        """Whether each number is another one, of as many digits as telephone numbers have."""
        lengths = set(map(len, texts))
        return self.is_unique and len(texts) >= _ROWS and len(lengths) == 1 and min(lengths) >= _LONG

    def _is_sequence(self, whole: list[int]) -> bool:
        """Whether numbers follow each other without gaps, each once."""
        return len(whole) == self.cells >= _ROWS and whole[-1] - whole[0] < len(whole)

    # Texts

    def role_of_texts(self) -> Role:
        if not self.counts:
            return Role.TEXT
        if self._are_mostly(_SPAN):
            return Role.DATE
        if self._is_of_codes():
            return Role.IDENTIFIER
        if self._are_mostly(_AMOUNT):
            return Role.QUANTITY
        if self._is_free_text():
            return Role.TEXT
        if not self.is_unique:
            return Role.CATEGORY
        names = sum(bool(_LETTERS.search(text)) for text in self.counts)
        is_full = self.cells >= _FILLED * (self.cells + sum(self.missing.values()))
        return Role.LABEL if is_full and 2 * names >= len(self.counts) else Role.TEXT

    def _are_mostly(self, pattern: re.Pattern[str]) -> bool:
        """Whether most values fit a pattern."""
        return sum(bool(pattern.fullmatch(text)) for text in self.counts) >= SHARE * len(self.counts)

    def _is_of_codes(self) -> bool:
        if self.is_numbering:
            return all(len(text.split()) <= 2 for text in self.counts)
        if not self.is_unique:
            return False
        codes = sum(bool(_CODE.fullmatch(text) or _FIGURES.fullmatch(text)) for text in self.counts)
        if codes >= _UNIQUE * len(self.counts):
            return True
        alike = len(self.counts) >= _ROWS and len(set(map(len, self.counts))) == 1
        return alike and all(map(_CAPITALS.fullmatch, self.counts))

    def _is_free_text(self) -> bool:
        words = sum(len(text.split()) for text in self.counts)
        length = sum(map(len, self.counts))
        return words > _WORDS * len(self.counts) or length > _LENGTH * len(self.counts)
