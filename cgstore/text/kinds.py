"""The kinds of values that a column may have, and the number that a value of each kind is read as.

The numbers serve to compare and to compute. `cgstore.text.columns` chooses the kind of a column. A plain number fits
every kind of amount but percent and is itself in each, so that `59.8` beside `1:02.5` is a duration in seconds; a plain
year fits the dates.

- number: itself; `1.2 million` too; `(45)` is -45; `93 (36)` and `12 (40%)` are the first number.
- scaled number: `12k` is 12,000 and `3.4M` 3,400,000.
- percent: `50%` is 50.
- currency: the amount, in the column's own currency: `$1.2 million`, `5 €`, `US$5`, `($45)`.
- ordinal: `5th` is 5, and so are `T-5th`, `T5`, `=5` and `#5`.
- measure: the amount of a quantity with a unit: `16 km`, `200 mi (320 km)`.
- date: years, as in `cgstore.text.dates`: `2004-07-02`, `July 2, 2004`, `2 July 2004`, `2-Jul-04`, `Jul 2004`,
  `2004/07/02`, `7/2/2004`. A year of two digits lies in 1969 to 2068. `2/7/2004` begins with the month in a date column
  and with the day in a day-first one. `August 7, 1986 (age 27)` is the day.
- day: the day of a leap year, from 1, of dates without a year: `July 2`, `2 Jul`.
- time: hours since midnight: `10:30`, `9:05 pm`.
- duration: seconds: `1:02:03.5`, `3:45` (minutes and seconds), `2h 5min`, `5h 29' 10"`. A gap, `+0:12`, is text, since
  it stands beside the winner's whole time.
- score: the first number minus the second. It orders a column of results from the highest loss to the highest win, and
  its sign says who won.

Amounts (numbers, scaled or not, percent, currencies, ordinals, measures, durations) have one format in the whole
column: a point before the decimals, or a comma (`number, decimal comma`). The other mark groups thousands, three
digits each (or as in `12,34,567`), and so do spaces of any width and apostrophes in both formats: `1 234,5`,
`1'234.50`. An amount of the other format does not fit. `1,234.50-` is negative, `5.-` is 5.

The mark of a footnote after a value (`[1]`, `*`, `†`) does not count. Months may be named in English, German, French,
Spanish, Italian, Portuguese, Dutch, Danish, Norwegian and Swedish; in days without a year, in English only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import partial

from cgstore.text import numbers
from cgstore.text.dates import Span, date_span, number_of, read_date, read_day_of_year
from cgstore.text.numbers import COMMA, POINT, plain_amounts, ungrouped

_WITH_COMMA = ", decimal comma"

MAX_LENGTH = 60
"""Longest text, in characters, that is of another kind than text."""


class ValueKind(StrEnum):
    """What the values of a column are read as; for amounts, together with the mark before the decimals."""

    NUMBER = "number"
    SCALED = "scaled number"
    PERCENT = "percent"
    CURRENCY = "currency"
    ORDINAL = "ordinal"
    MEASURE = "measure"
    DATE = "date"
    DAY_FIRST_DATE = "day-first date"
    DAY = "day"
    TIME = "time"
    DURATION = "duration"
    SCORE = "score"
    TEXT = "text"
    COMMA_NUMBER = f"number{_WITH_COMMA}"
    COMMA_SCALED = f"scaled number{_WITH_COMMA}"
    COMMA_PERCENT = f"percent{_WITH_COMMA}"
    COMMA_CURRENCY = f"currency{_WITH_COMMA}"
    COMMA_ORDINAL = f"ordinal{_WITH_COMMA}"
    COMMA_MEASURE = f"measure{_WITH_COMMA}"
    COMMA_DURATION = f"duration{_WITH_COMMA}"

    @property
    def plain(self) -> ValueKind:
        """The kind without its decimal mark."""
        return _PLAIN[self]

    @property
    def decimal(self) -> str:
        """The mark before the decimals: a point or a comma."""
        return POINT if self is _PLAIN[self] else COMMA

    def written_with(self, decimal: str) -> ValueKind:
        """The same kind with that mark before the decimals; itself if its values are not amounts."""
        plain = self.plain
        return ValueKind(f"{plain}{_WITH_COMMA}") if decimal == COMMA and plain in AMOUNTS else plain


_PLAIN = {kind: ValueKind(kind.value.removesuffix(_WITH_COMMA)) for kind in ValueKind}

AMOUNTS = frozenset(plain for kind, plain in _PLAIN.items() if plain is not kind)
"""The kinds whose values have a format of numbers."""

_BARE = AMOUNTS - {ValueKind.PERCENT, ValueKind.ORDINAL}
"""The kinds of which any plain number is a value."""


def read_as(kind: ValueKind, text: str) -> float | None:
    """The number that a cell is, read as a value of a kind; None if it does not fit, and for TEXT."""
    if len(text) > MAX_LENGTH or kind is ValueKind.TEXT:
        return None
    plain_kind, text = _PLAIN[kind], text.strip()
    decimal = POINT if plain_kind is kind else COMMA
    if plain_kind in _BARE and numbers.DIGITS_AND_MARKS.fullmatch(text):  # most cells are
        return numbers.number_in_format(text, decimal)
    plain = without_note(text)
    amount = plain_amounts(plain, decimal) if plain_kind in AMOUNTS else plain
    return None if amount is None else READERS[plain_kind](amount)


def number_in_text(text: str, decimal: str) -> float | None:
    """The number that a cell is in a column of texts, whose numbers have that mark before their decimals."""
    amount = text if len(text) > MAX_LENGTH else plain_amounts(text.strip(), decimal)
    return None if amount is None else number_of(amount)


def literal_as(kind: ValueKind, text: str) -> float | None:
    """The number that a program means when it compares a text with values of a kind.

    Programs write numbers in one format, whatever the column has: a point before the decimals, commas between
    thousands; `12,75` and `0,125` have decimals, since these are not thousands. A text that is not a number in this
    format is read as a cell is.
    """
    if len(text) > MAX_LENGTH or kind is ValueKind.TEXT:
        return None
    plain_kind, plain = _PLAIN[kind], without_note(text.strip())
    number = READERS[plain_kind](ungrouped(plain) if plain_kind in AMOUNTS else plain)
    return read_as(kind, text) if number is None else number


def reads_otherwise(kind: ValueKind, text: str) -> bool:
    """Whether a text in a program is another number than a cell of that text is."""
    number = literal_as(kind, text)
    return number is not None and read_as(kind, text) not in (None, number)


def span_as(kind: ValueKind, text: str) -> Span | None:
    """The span that a program means, as `literal_as`: in a column of dates all of a month, or of a day."""
    number = literal_as(kind, text)
    if number is None:
        return None
    is_date = kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)
    return date_span(without_note(text.strip()), number) if is_date else Span(number, number)


_SPACES = re.compile(r"\s\s")
NOTE_ENDS = tuple("]*†‡§^")
_NOTE = re.compile(r"(?:\s*(?:\[[^\[\]]{1,12}\]|[*†‡§^]))+$")


def without_note(text: str) -> str:
    """The text without a footnote's mark, with one space for white space, which patterns would try in every way."""
    if _SPACES.search(text):
        text = " ".join(text.split())
    if text[-1:] in NOTE_ENDS and (note := _NOTE.search(text)):
        return text[: note.start()]
    return text


# Times of day, durations and scores

_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d\d)(?::(\d\d))?)?\s?([ap])\.?\s?m\.?", re.IGNORECASE)
COLONS = re.compile(r"(?:(\d{1,4}):)?(\d{1,4}):(\d\d(?:[.,]\d{1,6})?)")
_DURATION_UNITS = {
    "years": (365.2425 * 86400, r"\d+", r"(?:years?|yrs?)\b"),
    "months": (365.2425 / 12 * 86400, r"\d+", r"months?\b"),
    "weeks": (7 * 86400, r"\d+", r"weeks?\b"),
    "days": (86400, r"\d+", r"(?:days?|d)\b"),
    "hours": (3600, r"\d+(?:\.\d+)?", r"(?:hours?|hrs?|h)\.?(?![a-z])"),
    "minutes": (60, r"\d+(?:\.\d+)?", r"(?:minutes?|mins?\b|m\b|m(?=\s?\d)|min(?=\s?\d)|['’′](?!['’′]))\.?"),
    "seconds": (1, r"\d{1,3}(?:\.\d+)?", r"(?:seconds?|secs?|s|\"|''|’’|″|”)(?![a-z])\.?"),
}
"""The units of durations, each with its seconds, its digits and its names."""

_IN_UNITS = re.compile(
    r"(?=\d)"
    + "".join(
        rf"(?:(?P<{unit}>{digits})\s?{names},?(?:\s?and)?\s*)?" for unit, (_, digits, names) in _DURATION_UNITS.items()
    ),
    re.IGNORECASE,
)
SCORE = re.compile(
    r"(\d{1,3})\s?[-–—−]\s?(\d{1,3})(?:\s?\([^()]{1,14}\)|\s?(?:a\.?e\.?t\.?|o\.?t\.?|so|pen\.?))?", re.IGNORECASE
)


def _read_time(text: str) -> float | None:
    if match := _CLOCK.fullmatch(text):
        hour, minute, second = int(match[1]), int(match[2] or 0), float(match[3] or 0)
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (match[4].lower() == "p")
    elif (parts := clock_parts(text)) and len(parts[0]) <= 2:
        hour, minute, second = int(parts[0]), int(float(parts[1])), float(parts[2])
    else:
        return None
    return hour + minute / 60 + second / 3600 if hour < 24 and minute < 60 and second < 60 else None


def clock_parts(text: str) -> tuple[str, str, str] | None:
    """Hours, minutes and seconds of a text with colons, read as a time of day; None if it has another form."""
    match = COLONS.fullmatch(text)
    if match is None:
        return None
    last = match[3].replace(",", ".")
    return (match[1], match[2], last) if match[1] else (match[2], last, "0")


def read_duration(text: str) -> float | None:
    """Seconds."""
    if match := COLONS.fullmatch(text):
        seconds = float(match[3].replace(",", "."))
        if seconds >= 60 or (match[1] and int(match[2]) >= 60):
            return None
        return int(match[1] or 0) * 3600 + int(match[2]) * 60 + seconds
    if (match := _IN_UNITS.fullmatch(text)) and (parts := {unit: n for unit, n in match.groupdict().items() if n}):
        return sum(float(number) * _DURATION_UNITS[unit][0] for unit, number in parts.items())
    return None if text.startswith("+") else numbers.read_bare(text)


def _read_score(text: str) -> float | None:
    match = SCORE.fullmatch(text)
    return float(int(match[1]) - int(match[2])) if match else None


READERS: dict[ValueKind, Callable[[str], float | None]] = {
    ValueKind.NUMBER: numbers.read_plain,
    ValueKind.PERCENT: numbers.read_percent,
    ValueKind.CURRENCY: numbers.read_currency,
    ValueKind.ORDINAL: numbers.read_ordinal,
    ValueKind.MEASURE: numbers.read_measure,
    ValueKind.SCALED: numbers.read_scaled,
    ValueKind.DATE: read_date,
    ValueKind.DAY_FIRST_DATE: partial(read_date, day_first=True),
    ValueKind.DAY: read_day_of_year,
    ValueKind.TIME: _read_time,
    ValueKind.DURATION: read_duration,
    ValueKind.SCORE: _read_score,
}
"""How a value of each kind is read, most likely first: if as many values fit several kinds, the first one counts."""
