"""How the columns of one source are read: the kind of each, and the format of its numbers and dates.

A column has the kind that most of its distinct values fit, if four in five do; else it is text. Some kinds need more: a
`scaled number` needs a k or a B, which are not units; a `measure` one unit for all values; a `day` a column without
dates with years and without days of both January to March and October to December, which may go over New Year; a
`score` values that cannot be ranges (`18-24`, `25-34`).

What a column shows by itself decides its format: `1,5` has a decimal comma, `1,234.5` a decimal point, `13/6/2004`
begins with the day. Where every amount of a column may be read both ways, as `1.250` may, these decide, in this order:

1. what the user says;
2. the other columns of the source that show it, if they agree;
3. whole numbers: if those below 1,000 have no mark and all others have one, the mark groups thousands (`1.250`, `980`);
4. the file: semicolons between columns stand where commas are needed for decimals;
5. a point stands before decimals, a comma between thousands, as in programs.

`3/4/2004` is read as the user says, else as the other columns show, else with the day first where decimals have commas,
else with the month first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeVar

from cgstore.errors import setting
from cgstore.text import numbers
from cgstore.text.dates import FIGURES, MONTH, is_season
from cgstore.text.kinds import (
    AMOUNTS,
    MAX_LENGTH,
    NOTE_ENDS,
    READERS,
    SCORE,
    ValueKind,
    clock_parts,
    read_as,
    read_duration,
    without_note,
)
from cgstore.text.names import many
from cgstore.text.numbers import COMMA, POINT, plain_amounts

SHARE = 0.8
"""Share of a column's distinct values that must fit its kind."""

_FILLERS = """- -- --- – — ― − ? ?? ??? . .. ... … / * n/a na n.a. n/d nd n.d. #n/a nan none null nil tba tbd tbc tbr
unknown unk. unk dnf dns dnq dnp dnpq dnc dsq dq dnsq dnt dna nc nq wd w/d ret ret. rtd np nh nm npo ex exc inj x ø
n/r nr n/k abs bye"""
FILLERS = frozenset(_FILLERS.split())
"""Texts that stand for a missing value, in lower case."""

_FILLER_LENGTH = max(map(len, FILLERS))
_MIN_RANGES = 3
_OTHER_MARK = {POINT: COMMA, COMMA: POINT}

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class FormatHints:
    """What is known of the formats of a source beside its values; None where nobody says.

    The user may say `decimal`, the mark before decimals, and `day_first`, the order of dates in figures; `suggested` is
    the mark that the kind of file suggests.
    """

    decimal: str | None = None
    day_first: bool | None = None
    suggested: str | None = None


class ColumnFormat(NamedTuple):
    """How a column is read.

    `decimal` is the mark before decimals, in texts too. `form` describes the format of the values; `doubt` says how
    values that may be read in two ways are read, and why.
    """

    kind: ValueKind
    decimal: str = POINT
    form: str = ""
    doubt: str = ""


def is_missing(text: str) -> bool:
    """Whether a cell is empty, or stands for a missing value."""
    plain = text.strip()
    return not plain or (len(plain) <= _FILLER_LENGTH and plain.casefold() in FILLERS)


def kind_of(texts: Iterable[str]) -> ValueKind:
    """The kind of a column by its distinct values.

    Takes about a microsecond a value, and never raises. If `texts` has a length, it is not read to its end once too
    few values can fit; blanks and `FILLERS` do not count.
    """
    profile = ColumnProfile()
    spare = len(texts) - SHARE * len(texts) if isinstance(texts, Sized) else None
    for text in texts:
        profile.add(text)
        if spare is not None and profile.misfits > spare:
            return ValueKind.TEXT
    grouping = profile.thousands_mark()
    return profile.kind(profile.decimal() or (COMMA if grouping == POINT else POINT))


# The kinds that one text fits, as bits

_BITS = {kind: 1 << place for place, kind in enumerate(READERS)}
_FIVE, _SEASON, _ASCENDING, _BRACKETED, _EARLY, _LATE, _GAP = (
    1 << place for place in range(len(_BITS), len(_BITS) + 7)
)
"""Further traits of a text that fits: a time of whole five minutes, a month that may be a season (`2004-05`), a score
that may be a range (`18-24`), a whole number in brackets, a day of January to March, or of October to December, a gap
(`+0:12`, `+5.3`)."""

_END_OF_MARCH, _END_OF_SEPTEMBER = 91, 274
"""Days of a leap year."""


def _bits(*kinds: ValueKind) -> int:
    return sum(_BITS[kind] for kind in kinds)


_NUMBERS = _bits(ValueKind.NUMBER, ValueKind.SCALED, ValueKind.CURRENCY, ValueKind.DURATION, ValueKind.MEASURE)
_WHOLE_NUMBERS = _NUMBERS | _bits(ValueKind.ORDINAL)
_DATES = _bits(ValueKind.DATE, ValueKind.DAY_FIRST_DATE)
_AMOUNTS = _bits(*AMOUNTS)

_IN_BRACKETS = re.compile(r"\(\d+\)")
_PLAIN_YEAR = re.compile(r"[12]\d{3}")
_WHOLE = re.compile(r"[^\d.,]{0,6}(\d+)[^\d.,]{0,6}")
_LETTER = re.compile("[A-Za-z]")
_HAS_DIGIT = re.compile(r"\d")
_BEGINNING = re.compile(
    rf"[^A-Za-z]|T-?\d|No\.?\s?\d|{numbers.MONEY}|(?:{numbers.CURRENCY_CODE})\s?\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s"
    rf"|{MONTH}[\s\d,-]",
    re.IGNORECASE,
)
"""How a text of any kind begins: the first letters of most texts show that they are of none."""

# The kinds that may fit a text by its characters, which saves trying the others.
_WITH_COLON = (ValueKind.DATE, ValueKind.TIME, ValueKind.DURATION)
_WITHOUT_LETTER = tuple(kind for kind in READERS if kind not in (ValueKind.DAY, ValueKind.TIME))
_WITH_LETTER = tuple(kind for kind in READERS if kind is not ValueKind.DAY_FIRST_DATE)


class _Fit(NamedTuple):
    """The kinds that a text fits, as bits, with either mark before decimals; `marked` if an amount has such a mark."""

    point: int
    comma: int
    marked: bool = False


def _fit(text: str) -> _Fit:
    if len(text) > MAX_LENGTH or not _HAS_DIGIT.search(text) or not _BEGINNING.match(text):
        return _Fit(0, 0)
    if text.isdecimal():
        bits = _WHOLE_NUMBERS | (_DATES if _PLAIN_YEAR.fullmatch(text) else 0)
        return _Fit(bits, bits)
    if numbers.DIGITS_AND_MARKS.fullmatch(text):
        point, comma = (_NUMBERS * numbers.is_well_formed(text, mark) for mark in (POINT, COMMA))
        if point or comma:
            return _Fit(point, comma, True)
    plain = without_note(text)
    if not numbers.MARKED.search(plain):
        bits = _fitting(text, plain, plain)
        return _Fit(bits, bits)
    with_point, with_comma = plain_amounts(plain, POINT), plain_amounts(plain, COMMA)
    bits = _fitting(text, plain, with_point)
    if with_point == with_comma:
        return _Fit(bits, bits)
    return _Fit(bits, _fitting(text, plain, with_comma), True)


def _fitting(text: str, plain: str, amounts: str | None) -> int:
    """The kinds and traits of a text; `amounts` is the text with plain amounts, None if they have another format."""
    candidates = _WITH_COLON if ":" in plain else _WITH_LETTER if _LETTER.search(plain) else _WITHOUT_LETTER
    values: dict[ValueKind, float] = {}
    for kind in candidates:
        form = amounts if kind in AMOUNTS else plain
        if form is not None and (value := READERS[kind](form)) is not None:
            values[kind] = value
    if ValueKind.DATE in values and not FIGURES.match(plain):
        values[ValueKind.DAY_FIRST_DATE] = values[ValueKind.DATE]
    bits = _bits(*values)
    if text.startswith("+"):
        bits |= _GAP * bool(ValueKind.NUMBER in values or read_duration(text[1:].lstrip()) is not None)
    elif ValueKind.TIME in values and (parts := clock_parts(text)):
        bits |= _FIVE * (float(parts[1]) % 5 == 0 and float(parts[2]) == 0)
    elif (score := values.get(ValueKind.SCORE)) is not None:
        bits |= _ASCENDING * (score < 0)
    elif (day := values.get(ValueKind.DAY)) is not None:
        bits |= _EARLY * (day <= _END_OF_MARCH) | _LATE * (day > _END_OF_SEPTEMBER)
    elif ValueKind.DATE in values:
        bits |= _SEASON * is_season(text)
    return bits | _BRACKETED * bool(bits and _IN_BRACKETS.fullmatch(text))


# A column by its values


class _KindCounts:
    """How many values of a column fit each kind, with one mark before the decimals; `misfits` fit none."""

    def __init__(self) -> None:
        self.misfits = 0
        self.units: set[str] = set()
        self._scales: set[str] = set()
        self._fits: Counter[int] = Counter()
        self._ranges: list[tuple[int, int]] = []

    def add(self, text: str, bits: int) -> None:
        if not bits:
            self.misfits += 1
            return
        self._fits[bits] += 1
        if bits & _ASCENDING and (match := SCORE.match(text)):
            self._ranges.append((int(match[1]), int(match[2])))
        if bits & _NUMBERS and not bits & _BITS[ValueKind.NUMBER]:
            if bits & _BITS[ValueKind.MEASURE] and (match := numbers.UNIT_AFTER.search(text)):
                self.units.add(match[1].casefold())
            if bits & _BITS[ValueKind.SCALED] and (match := numbers.SCALE_AFTER.search(text)):
                self._scales.add(match[1].casefold())

    def kind(self) -> ValueKind:
        kind, fits, values = self.likeliest()
        if not values or fits < SHARE * values or fits < 2 * self._count(_BRACKETED):
            return ValueKind.TEXT
        if kind is ValueKind.TIME and self._count(_BITS[ValueKind.DURATION]) == fits:
            return kind if self._count(_FIVE) >= SHARE * fits else ValueKind.DURATION
        return ValueKind.TEXT if self._is_misleading(kind, fits) else kind

    def likeliest(self) -> tuple[ValueKind, int, int]:
        """The kind that most values fit, how many do, and of how many."""
        counts = {kind: self._count(bit) for kind, bit in _BITS.items()}
        kind = max(counts, key=lambda each: counts[each])
        return kind, counts[kind], self._fits.total() + self.misfits

    def are_bracketed(self) -> bool:
        fitting = self._fits.total()
        return 2 * self._count(_BRACKETED) > fitting >= SHARE * (fitting + self.misfits)

    def _is_misleading(self, kind: ValueKind, fits: int) -> bool:
        """Whether the values are rather something else that looks like the kind, or cannot be compared."""
        number, duration = _BITS[ValueKind.NUMBER], _BITS[ValueKind.DURATION]
        if kind in (ValueKind.NUMBER, ValueKind.DURATION) and self._count(_GAP):
            return any(bits & (_GAP | duration) and not bits & number for bits in self._fits)
        if kind is ValueKind.MEASURE:
            return len(self.units) > 1
        if kind is ValueKind.SCALED:
            return "k" not in self._scales and len(self._scales) < 2
        if kind is ValueKind.DATE:
            return 2 * self._count(_SEASON) > self._count(_SEASON | _BITS[ValueKind.DATE])
        if kind is ValueKind.DAY:
            return bool(self._count(_EARLY) and self._count(_LATE)) or self._count(_BITS[ValueKind.DATE]) > 0
        if kind is ValueKind.SCORE and fits == len(self._ranges) >= _MIN_RANGES:
            return all(high <= low for (_, high), (low, _) in pairwise(sorted(self._ranges)))
        return False

    def _count(self, bits: int) -> int:
        return sum(count for each, count in self._fits.items() if each & bits)


class ColumnProfile:
    """What the values of a column show.

    `only` counts the amounts that can be read with one mark before the decimals alone; `either`, by their mark, those
    that are different numbers with each; `small` and `large` the whole numbers below 1,000 and the others, written
    without a mark. `month_first`, `day_first` and `either_first` count dates in figures likewise. `currencies` has
    signs and codes, `padded` a whole number that begins with a 0, such as `007`. `noted` counts the values that end in
    the mark of a footnote. `typed` is set by whoever knows that
    the input has numbers as such, which are written with a point.
    """

    def __init__(self) -> None:
        self._counts = {POINT: _KindCounts(), COMMA: _KindCounts()}
        self.only = {POINT: 0, COMMA: 0}
        self.either = {POINT: 0, COMMA: 0}
        self.small = self.large = 0
        self.month_first = self.day_first = self.either_first = 0
        self.example = self.example_date = self.padded = ""
        self.currencies: set[str] = set()
        self.noted, self.noted_example = 0, ""
        self.typed = False

    def add(self, text: str) -> None:
        """Takes a value into account; blanks and `FILLERS` do not count."""
        if is_missing(text):
            return
        text = text.strip()
        self.currencies.update(numbers.CURRENCIES.findall(text))
        if numbers.is_padded(text):
            self.padded = self.padded or text
        if text[-1:] in NOTE_ENDS and without_note(text) not in ("", text):
            self.noted, self.noted_example = self.noted + 1, self.noted_example or text
        fit = _fit(text)
        self._counts[POINT].add(text, fit.point)
        self._counts[COMMA].add(text, fit.comma)
        point, comma = fit.point & _AMOUNTS, fit.comma & _AMOUNTS
        if fit.marked and point and comma:
            self.either[POINT if POINT in text else COMMA] += 1
            self.example = self.example or text
        elif fit.marked:
            self.only[POINT] += bool(point)
            self.only[COMMA] += bool(comma)
        elif point and (digits := _WHOLE.fullmatch(text)):
            self.small += len(digits[1]) <= 3
            self.large += len(digits[1]) > 3
        if fit.point & _DATES and (figures := FIGURES.match(text)) and figures[2] != ".":
            self._add_date(text, fit.point)

    def _add_date(self, text: str, bits: int) -> None:
        if bits & _DATES != _DATES:
            self.month_first += bool(bits & _BITS[ValueKind.DATE])
            self.day_first += bool(bits & _BITS[ValueKind.DAY_FIRST_DATE])
        elif read_as(ValueKind.DATE, text) != read_as(ValueKind.DAY_FIRST_DATE, text):
            self.either_first += 1
            self.example_date = self.example_date or text

    @property
    def misfits(self) -> int:
        """The number of values that are of no kind, with either mark."""
        return min(counts.misfits for counts in self._counts.values())

    def kind(self, decimal: str) -> ValueKind:
        """The kind of the column, with that mark before its decimals."""
        return self._counts[decimal].kind().written_with(decimal)

    def decimal(self) -> str | None:
        """The mark before the decimals, as most amounts show; None if they do not."""
        if self.typed:
            return POINT
        if self.only[POINT] == self.only[COMMA]:
            return None
        return max(self.only, key=lambda mark: self.only[mark])

    def order(self) -> bool | None:
        """Whether dates in figures begin with the day, as most show; None if they do not."""
        return None if self.day_first == self.month_first else self.day_first > self.month_first

    def thousands_mark(self) -> str | None:
        """The mark that all whole numbers of 1,000 and more have, and none below: `1.250` beside `980`."""
        marks = [mark for mark, count in self.either.items() if count]
        return marks[0] if len(marks) == 1 and self.small and not self.large else None

    def has_marks(self) -> bool:
        """Whether any amount has a mark or thousands in groups."""
        return bool(sum(self.only.values()) + sum(self.either.values()))

    def form(self, kind: ValueKind) -> str:
        """The format of amounts in words."""
        parts = []
        if kind.plain is ValueKind.MEASURE:
            parts.append(f"in {', '.join(sorted(self._counts[POINT].units | self._counts[COMMA].units))}")
        if kind.plain is ValueKind.CURRENCY and len(self.currencies) > 1:
            parts.append(f"in {' and '.join(sorted(self.currencies))}, compared and added as they stand")
        if kind.plain is ValueKind.NUMBER and self.padded:
            parts.append(f"'{self.padded}' being {int(self.padded)} (a code is found alone by = '{self.padded}')")
        if self.has_marks():
            parts.append(f"decimal {'comma' if kind.decimal == COMMA else 'point'}")
        return ", ".join(parts)

    def text_doubt(self, decimal: str) -> str:
        """Why a column is text although many of its values are not; empty if they are."""
        kind, fits, values = self._counts[decimal].likeliest()
        if values / 2 <= fits < SHARE * values:
            return f"{fits:,} of its {values:,} values are of the kind {kind}, too few"
        if self._counts[POINT].are_bracketed():
            return "most values stand in brackets, and may not be amounts below zero"
        if not self.noted or 2 * self.noted >= values:
            return ""
        ends = f"{many(self.noted, 'value ends', 'values end')} in the mark of a footnote"
        return f"{ends}, which is part of the name: '{self.noted_example}' ({setting('footnotes', False)})"


# The columns of a source


def read_columns(profiles: Mapping[K, ColumnProfile], hints: FormatHints) -> dict[K, ColumnFormat]:
    """How each column of a source is read, by what its values show."""
    marks = {key: profile.decimal() for key, profile in profiles.items()}
    others = _agreed(mark for key, mark in marks.items() if mark and profiles[key].kind(mark) is not ValueKind.TEXT)
    day_first = _day_first(_agreed(profile.order() for profile in profiles.values()), others, hints)
    return {
        key: _column_format(profile, *_decimal(profile, marks[key], others, hints), *day_first)
        for key, profile in profiles.items()
    }


def _agreed(values: Iterable[V | None]) -> V | None:
    """The one value that all have which are not None, if there is one."""
    found = {value for value in values if value is not None}
    return found.pop() if len(found) == 1 else None


def _decimal(profile: ColumnProfile, shown: str | None, others: str | None, hints: FormatHints) -> tuple[str, str]:
    """The mark before decimals, and why it is taken if the values leave it open; no reason if they do not."""
    if shown:
        return shown, ""
    if not profile.has_marks():
        return hints.decimal or others or hints.suggested or POINT, ""
    if hints.decimal:
        return hints.decimal, ""
    if others:
        return others, "as in the other columns"
    if mark := profile.thousands_mark():
        return _OTHER_MARK[mark], "as its whole numbers below 1,000 have no mark"
    if hints.suggested:
        return hints.suggested, "as semicolons separate the columns"
    return POINT, "as programs write numbers"


def _day_first(shown: bool | None, decimal: str | None, hints: FormatHints) -> tuple[bool, str]:
    """Whether dates that may be read both ways begin with the day, and why."""
    if hints.day_first is not None:
        return hints.day_first, ""
    if shown is not None:
        return shown, "as in the other columns"
    continental = (decimal or hints.decimal or hints.suggested) == COMMA
    return (True, "as decimals have commas") if continental else (False, "as nothing says otherwise")


def _column_format(
    profile: ColumnProfile, decimal: str, why_decimal: str, day_first: bool, why_day_first: str
) -> ColumnFormat:
    kind = profile.kind(decimal)
    if kind is ValueKind.TEXT:
        return ColumnFormat(kind, decimal, doubt=profile.text_doubt(decimal))
    if kind.plain in AMOUNTS:
        number = read_as(kind, profile.example) if why_decimal and profile.example else None
        doubt = f"'{profile.example}' is read as {number:.10g}, {why_decimal}" if number is not None else ""
        return ColumnFormat(kind, decimal, profile.form(kind), doubt)
    if kind not in _DATE_KINDS or not (profile.either_first or profile.month_first or profile.day_first):
        return ColumnFormat(kind, decimal)
    doubt = ""
    if profile.either_first and profile.order() is None:
        kind = _DATE_KINDS[day_first]
        doubt = f"'{profile.example_date}' is read {_ORDERS[kind]}, {why_day_first}" if why_day_first else ""
    return ColumnFormat(kind, decimal, _ORDERS[kind], doubt)


_DATE_KINDS = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)
_ORDERS = {ValueKind.DATE: "month first", ValueKind.DAY_FIRST_DATE: "day first"}
