"""How the columns of one source are read together: the kind of each, and the format of its numbers and dates.

What a column shows by itself decides: `1,5` has a decimal comma, `1,234.5` a decimal point, `13/6/2004` begins with the
day. Where every amount of a column may be read both ways, as `1.250` and `12.000` may, this decides, in this order:

1. what the user says;
2. the other columns of the source that show it, if they agree;
3. whole numbers: if those below 1,000 have no mark and there are no others, the mark groups thousands (`1.250`, `980`);
4. the file: semicolons between columns stand where commas are needed for decimals;
5. a point stands before decimals, a comma between thousands, as in programs.

`3/4/2004` is read as what the user says, then as the other columns show, then as the day before the month where
decimals have commas, else as the month before the day.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from cgstore.text.kinds import AMOUNTS, COMMA, POINT, Seen, ValueKind, read_as

K = TypeVar("K", bound=Hashable)

_OTHER = {POINT: COMMA, COMMA: POINT}
_DATES = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)


@dataclass(frozen=True)
class Formats:
    """What is known of the formats of a source beside its values.

    `decimal` is the mark before decimals and `day_first` the order of dates in figures, as the user says; `suggested`
    is the mark that the kind of file suggests. Each is None where nobody says.
    """

    decimal: str | None = None
    day_first: bool | None = None
    suggested: str | None = None


class Column(NamedTuple):
    """How a column is read.

    `decimal` is the mark before decimals, in texts too. `form` says the format of the values in words; `doubt` how what
    may be read otherwise is read, and why, or nothing.
    """

    kind: ValueKind
    decimal: str = POINT
    form: str = ""
    doubt: str = ""


def read_columns(seen: Mapping[K, Seen], formats: Formats) -> dict[K, Column]:
    """How each column of a source is read, by what was seen of its values."""
    shown = {key: _shown(column) for key, column in seen.items()}
    voters = (mark for key, mark in shown.items() if mark and seen[key].kind(mark) is not ValueKind.TEXT)
    others = _agreed(voters)
    decimals = {key: _decimal(column, shown[key], others, formats) for key, column in seen.items()}
    first = {key: mark for key, mark in ((k, _order(c)) for k, c in seen.items()) if mark is not None}
    continental = (others or formats.decimal or formats.suggested) == COMMA
    return {
        key: _column(column, *decimals[key], _day_first(_agreed(first.values()), continental, formats))
        for key, column in seen.items()
    }


def _shown(seen: Seen) -> str | None:
    return POINT if seen.typed else seen.decimal()


V = TypeVar("V")


def _agreed(values: Iterable[V]) -> V | None:
    """The one value of all, if there is one."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _decimal(seen: Seen, shown: str | None, others: str | None, formats: Formats) -> tuple[str, str]:
    """The mark before decimals, and why it is taken where the values leave it open; no reason where they do not."""
    if shown:
        return shown, ""
    if not seen.marked():
        return formats.decimal or others or formats.suggested or POINT, ""
    if formats.decimal:
        return formats.decimal, ""
    if others:
        return others, "as in the other columns"
    if mark := seen.groups_thousands():
        return _OTHER[mark], "as its whole numbers below 1,000 have no mark"
    if formats.suggested:
        return formats.suggested, "as semicolons separate the columns"
    return POINT, "as programs write numbers"


def _order(seen: Seen) -> bool | None:
    """Whether dates in figures begin with the day, by what most show."""
    return None if seen.day_first == seen.month_first else seen.day_first > seen.month_first


def _day_first(others: bool | None, continental: bool, formats: Formats) -> tuple[bool, str]:
    """Whether dates that may be read both ways begin with the day, and why."""
    if formats.day_first is not None:
        return formats.day_first, ""
    if others is not None:
        return others, "as in the other columns"
    return (True, "as decimals have commas") if continental else (False, "as nothing says otherwise")


def _column(seen: Seen, decimal: str, why: str, day_first: tuple[bool, str]) -> Column:
    kind = seen.kind(decimal)
    if kind.plain in AMOUNTS:
        return Column(kind, decimal, _form(seen, kind, decimal), _doubt(seen, kind, why))
    if kind is ValueKind.TEXT and (nearly := seen.nearly(decimal)):
        fitting, fits, values = nearly
        return Column(kind, decimal, doubt=f"{fits:,} of its {values:,} values are of the kind {fitting}, too few")
    if kind is ValueKind.TEXT and seen.bracketed():
        return Column(kind, decimal, doubt="most values stand in brackets, so that they may be no amounts below zero")
    if kind not in _DATES or not (seen.either_first or seen.month_first or seen.day_first):
        return Column(kind, decimal)
    if seen.either_first and seen.month_first == seen.day_first:
        kind = ValueKind.DAY_FIRST_DATE if day_first[0] else ValueKind.DATE
        return Column(kind, decimal, _order_of(kind), _date_doubt(seen, kind, day_first[1]))
    return Column(kind, decimal, _order_of(kind))


def _form(seen: Seen, kind: ValueKind, decimal: str) -> str:
    parts = []
    if kind.plain is ValueKind.MEASURE:
        parts.append(f"in {', '.join(sorted(seen.units()))}")
    if kind.plain is ValueKind.CURRENCY and len(seen.currencies) > 1:
        parts.append(f"in {' and '.join(sorted(seen.currencies))}, compared and added as they stand")
    if kind.plain is ValueKind.NUMBER and seen.padded:
        parts.append(f"'{seen.padded}' being {int(seen.padded)} (a code is found alone by = '{seen.padded}')")
    if seen.marked():
        parts.append(f"decimal {'comma' if decimal == COMMA else 'point'}")
    return ", ".join(parts)


def _doubt(seen: Seen, kind: ValueKind, why: str) -> str:
    """How an amount that may be read both ways is read."""
    if not why or not seen.example:
        return ""
    number = read_as(kind, seen.example)
    return f"'{seen.example}' is read as {number:.10g}, {why}" if number is not None else ""


def _order_of(kind: ValueKind) -> str:
    return "day first" if kind is ValueKind.DAY_FIRST_DATE else "month first"


def _date_doubt(seen: Seen, kind: ValueKind, why: str) -> str:
    if not why:
        return ""
    return f"'{seen.example_date}' is read {'day' if kind is ValueKind.DAY_FIRST_DATE else 'month'} first, {why}"
