"""Dates as the language page counts them, and the numbers and parts inside a text."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Callable

from cgstore.text.dates import days_in_month
from cgstore.text.dates import month_of as written_month
from cgstore.text.kinds import ValueKind, without_note
from cgstore.text.numbers import without_aside
from tests.query.interpreter_graph import Node, Reading
from tests.query.interpreter_search import Found

WEEKDAYS = ("Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
"""Those of 1 January 2000 and of the six days after it."""

Parts = tuple[int, int, int]
"""Year, month and day; 0 where a date does not say its month or day."""


def day_at(number: float) -> Parts:
    """The day at a place of the line of numbers and dates, in years."""
    year = math.floor(number)
    left = int((number - year) * (366 if calendar.isleap(year) else 365) + 1e-6)
    month = 1
    while left >= days_in_month(year, month) and month < 12:
        left -= days_in_month(year, month)
        month += 1
    return year, month, left + 1


def day_number(year: int, month: int, day: int) -> int:
    """The days since the beginning of year 0."""
    leap_days = (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    return 365 * year + leap_days + sum(days_in_month(year, before) for before in range(1, month)) + day - 1


LEAST = {"months": 1, "days": 2}
"""The last part that a date must have so that its months or days can be counted."""


def counted(parts: Parts | None, unit: str) -> float | None:
    """The number of a month or a day, from year 0; None if the date does not say it, or has no year."""
    if parts is None or not parts[0] or not parts[LEAST[unit]]:
        return None
    year, month, _ = parts
    return float(12 * year + month - 1) if unit == "months" else float(day_number(*parts))


# The parts of a date

_ISO = re.compile(r"[-+]?[0-9]{4,12}-[0-9]{2}(?P<day>-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}.*)?)?")
_YEAR = re.compile(r"[12][0-9]{3}")


def parts_of(found: Found) -> Parts | None:
    """What a value says of a day, by the kind of its relation; None if it is not a date."""
    if not isinstance(found.element, Node) or found.element.owner:
        return None
    kind, text = found.reading.kind, found.element.name.strip()
    number = found.reading.number(text)
    if number is None:
        return None
    if kind is ValueKind.TEXT:
        iso = _ISO.fullmatch(text)
        year, month, day = day_at(number)
        return (year, month, day if iso["day"] else 0) if iso else None
    if kind is ValueKind.DAY:
        leap_year = day_number(2000, 1, 1)
        month = next(m for m in range(12, 0, -1) if day_number(2000, m, 1) - leap_year < number)
        return 0, month, int(number) - day_number(2000, month, 1) + leap_year
    if kind not in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE):
        return None
    plain, (year, month, day) = without_aside(without_note(text)), day_at(number)
    if _YEAR.fullmatch(plain):
        return year, 0, 0
    is_month = written_month(plain) is not None or re.fullmatch(r"[12]\d{3}-\d\d", plain)
    return year, month, 0 if is_month else day


def date_in(text: str) -> Parts | None:
    """The date that a literal is, in ISO form or as people write it."""
    readings = (Reading(), Reading(ValueKind.DATE))
    return next((parts for reading in readings if (parts := parts_of(Found(Node(text), reading=reading)))), None)


def month_of(parts: Parts) -> float | None:
    return float(parts[1]) or None


def year_month_of(parts: Parts) -> str | None:
    year, month, _ = parts
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}-{month:02}" if year and month else None


def quarter_of(parts: Parts) -> float | None:
    return float((parts[1] + 2) // 3) or None


def day_of(parts: Parts) -> float | None:
    return float(parts[2]) or None


def weekday_of(parts: Parts) -> str | None:
    if not (parts[0] and parts[2]):
        return None
    return WEEKDAYS[(day_number(*parts) - day_number(2000, 1, 1)) % 7]


PARTS: dict[str, Callable[[Parts], float | str | None]] = {
    "extract_month": month_of,
    "extract_year_month": year_month_of,
    "extract_quarter": quarter_of,
    "extract_day": day_of,
    "extract_weekday": weekday_of,
}

# Texts

_NUMBER = re.compile(r"(?:(?:(?<=\s)|\A)[-−])?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?")
PLACES = {"first": 0, "second": 1, "third": 2, "last": -1, "-1": -1}


def numbers_in(text: str, decimal: str) -> list[float]:
    """The numbers inside a text, in their order, by the mark before their decimals."""
    if decimal == ",":
        text = text.translate({ord(","): ".", ord("."): ","})
    return [float(number.replace(",", "").replace("−", "-")) for number in _NUMBER.findall(text)]


def items_of(text: str, separator: str | None) -> list[str]:
    """The parts of a text, without blanks at their ends and without empty ones."""
    parts = re.split(r"[\r\n;]|,(?=\s)", text) if separator is None else text.split(separator)
    return [part.strip() for part in parts if part.strip()]
