"""Times as historians write them: BC, decades, centuries, `c. 855`, intervals, and EDTF of the levels 0 and 1.

Each is a first and a last time. A time that is approximate or uncertain is the time that is written, and not sure.
Bounds such as `before 1800` have no first time, or no last one: they are not read, and `problem_of` says why.

Years count as in ISO 8601, with a year 0: 44 BC is -43. The 19th century is 1801 to 1900, and `18XX` 1800 to 1899. EDTF
is the Extended Date/Time Format of the Library of Congress; the library `edtf` reads it.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from cgstore.text.dates import (
    MINUTES,
    Clock,
    Moment,
    Span,
    Step,
    clock_of,
    day_at,
    days_in_month,
    days_in_year,
    last,
    number_at,
    read_moment,
    read_time_span,
    span_of,
)
from cgstore.text.written_dates import MONTH, MONTHS, WEEKDAY

OPEN_ENDS = ("present", "now", "today", "current", "ongoing", "..", "-", "–")
"""What an end may be, in any case, of a fact that still holds. `export` writes the first."""

LONGEST = 80
"""Characters of a text that may be a time."""


class WrittenTime(NamedTuple):
    """What a text says of a time: its start and its end, which are the same but for an interval.

    `is_open`: the interval has no end yet, and `end` is its start. `is_sure`: it is neither approximate nor uncertain.
    `clocks`: how its times of day are written.
    """

    start: Moment
    end: Moment
    is_interval: bool = False
    is_open: bool = False
    is_sure: bool = True
    clocks: tuple[Clock, ...] = ()


@lru_cache(65_536)
def read_time(text: str) -> WrittenTime | None:
    """The time or the interval that a text means; None if it is neither, or has no first or no last time."""
    if (moment := read_moment(text)) is not None:
        return WrittenTime(moment, moment, clocks=_clocks(text))
    plain = " ".join(text.replace("−", "-").split())
    if not plain or len(plain) > LONGEST:
        return None
    if (one := _read_one(plain)) is not None:
        return WrittenTime(one.moment, one.moment, is_sure=one.is_sure)
    return _read_interval(plain)


def read_span_of_time(text: str, step: str | None = None) -> Span | None:
    """As `read_time_span`, for all that `read_time` reads; the span of an interval is from its start to its end."""
    if (span := read_time_span(text, step)) is not None:
        return span
    time = read_time(text)
    if time is None or time.is_open:
        return None
    start = time.start if step is None else time.start.cut(Step(step))
    return Span(span_of(start, step).lo, span_of(time.end, step).hi)


def read_as_time(text: str) -> str | None:
    """How a note shows the time that was read, where a text leaves that to a rule: a year BC, or a time not sure."""
    time = read_time(text)
    if time is None:
        return None
    is_rule = any(map(any, time.clocks)) if read_moment(text) else not time.is_sure or time.start.year <= 0
    if not is_rule:
        return None
    shown = " to ".join(dict.fromkeys((time.start.name, time.end.name)))
    return None if shown == text else shown


def ends_before_start(start: Moment, end: Moment) -> bool:
    """Whether a fact of these times holds at no time: 2004-03 to 2004 does not end before it starts."""
    return end < start and last(end, Step.SECOND) < last(start, Step.SECOND)


def less_exact_times(number: float, step: Step) -> list[str]:
    """The names of the months, years, decades and centuries around a number that are less exact than a step.

    Those that begin or end with the number are left out: they lie on one side of it.
    """
    year = math.floor(number)
    moments = [Moment(year), *(Moment(year, month) for month in range(1, 13))]
    if step.has_clock:
        moments += _day_and_minute(number)
    moments += [Moment(year - (year - begin) % years, years=years) for years in (10, 100, 1000) for begin in (0, 1, 2)]
    around = [each for each in moments if each.is_coarser_than(step) and _is_inside(number, span_of(each, step))]
    return [each.name for each in around if (time := read_time(each.name)) and time.start == each]


def _day_and_minute(number: float) -> list[Moment]:
    """The day and the minute in which a number lies."""
    day = day_at(number)
    minute = math.floor((number + _EXACT - number_at(day)) * days_in_year(day.year) * MINUTES)
    return [day, day._replace(minute=minute)]


def _is_inside(number: float, span: Span) -> bool:
    return span.lo + _EXACT < number < span.hi - _EXACT


_EXACT = 1e-9  # years by which the number of a time may be inexact


def _clocks(*texts: str) -> tuple[Clock, ...]:
    return tuple(clock for text in texts if (clock := clock_of(text)) is not None)


def is_bc(text: str) -> bool:
    """Whether a text names years BC, and does not count them with a minus."""
    return re.search(_BC.pattern.replace("$", r"\b"), text, re.IGNORECASE) is not None


# Why a text is not a time


_PROBLEMS = (
    (
        re.compile(r"(?:before|after|until|till|since|from|by|not|post|pre|ante)\b.*|[<>].*|(?:\.\.)?/.*", re.I),
        "is a bound, which has no first or no last time: write an interval, such as 1750/1800",
    ),
    (
        re.compile(r".*\w[?~%]?\s*[/–-]"),
        "has an end that nobody knows: write 1985/.. for what still holds, or an interval",
    ),
    (
        re.compile(r".*\d[T ,]\s*\d{1,2}:\d\d.*|\d{1,2}:\d\d.*", re.I),
        "has a time of day that is not read: write 2004-07-02T10:30, 2004-07-02 10:30:15 or 2004-07-02T10:30+02:00",
    ),
    (
        re.compile(r"(?:the )?\d{1,2}00'?s", re.I),
        "may be a decade or a century: write 190X for 1900 to 1909, 19XX for 1900 to 1999",
    ),
    (re.compile(r"-?\d{4}-2[1-4]"), "is a season: write its months, as in 2001-03/2001-05"),
    (re.compile(r"\d{3,4}\s*[-–]\s*\d{2}"), "is not a year or a month; an interval has whole years, as in 1914/1918"),
    (re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}"), "may begin with the day or the month: write it as 2004-07-02"),
)


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def problem_of(text: str) -> str:
    """What is wrong with a text that is not a time, after the text itself; says what to write where that is known."""
    return known_problem_of(text) or "is not a year or an ISO date"


def known_problem_of(text: str) -> str:
    """As `problem_of`; empty where nothing more is known."""
    known = next((problem for form, problem in _PROBLEMS if form.fullmatch(text.strip())), "")
    return known or no_such_day(text)


def no_such_day(text: str) -> str:
    """Why a text of the form of an ISO date is not a day, after the text itself; empty for all other texts."""
    match = re.fullmatch(r"([-+]?\d{4,12})-(\d{2})-(\d{2})", text.strip())
    if match is None:
        return ""
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12:
        return "is not a day: months go from 01 to 12"
    days = days_in_month(year, month)
    return "" if 1 <= day <= days else f"is not a day: {_MONTHS[month - 1]} {year} has {days} days"


# One time


class _One(NamedTuple):
    moment: Moment
    is_sure: bool = True


_ABOUT = re.compile(r"(?:c\.|ca\.?|circa|about|around|approx(?:\.|imately)?)\s*(?=\S)|c\s?(?=\d)", re.IGNORECASE)
_DOUBT = re.compile(r"\s*(?:[?~%]|\(\?\))$")
_BC = re.compile(r"\s*(?:BCE?|B\.\s?C\.(?:\s?E\.)?)$", re.IGNORECASE)
_AD = re.compile(r"^(?:AD|A\.\s?D\.)\s*|\s*(?:AD|CE|A\.\s?D\.|C\.\s?E\.)$", re.IGNORECASE)


def _read_one(text: str) -> _One | None:
    """A time with what stands before and after it: `c. 855`, `855?`, `44 BC`."""
    bare = _DOUBT.sub("", _ABOUT.sub("", text, count=1) if _ABOUT.match(text) else text)
    is_sure = bare == text
    without_era = _BC.sub("", bare)
    if without_era != bare:
        moment = _read_words(without_era, is_bc=True)
    elif (without_era := _AD.sub("", bare)) != bare:
        moment = _read_words(without_era) if without_era[:1].isdigit() else None
        moment = moment or _year(without_era)
    else:
        moment = read_moment(bare) or _read_words(bare) or _in_figures(bare)
        edtf = _read_edtf(text) if moment is None else None
        return edtf or (None if moment is None else _One(moment, is_sure))
    return None if moment is None else _One(moment, is_sure)


_DECADE = re.compile(r"(?:the )?(\d{1,3}0)'?s", re.IGNORECASE)
_AGE = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)[ -](century|cent\.?|c\.|millennium)", re.IGNORECASE)
_YEAR = r"(?P<year>\d{1,6})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_OF = r"(?:\s+of)?[\s-]+"
_DATES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{WEEKDAY}{_DAY}{_OF}{MONTH}(?:,|{_OF})\s*{_YEAR}",
        rf"{WEEKDAY}{MONTH}\s+{_DAY}(?:,\s*|\s+){_YEAR}",
        rf"{MONTH}(?:,|{_OF})\s*{_YEAR}",
    )
)


def _read_words(text: str, *, is_bc: bool = False) -> Moment | None:
    """A year BC, a decade, a century or millennium, or a month or day by the month's name."""
    if is_bc and (year := _year(text)) is not None:
        return Moment(1 - year.year)
    if found := _DECADE.fullmatch(text):
        decade = int(found[1])
        if decade % 100 == 0 or (decade < 100 and not is_bc):
            return None
        return Moment(-8 - decade, years=10) if is_bc else Moment(decade, years=10)
    if found := _AGE.fullmatch(text):
        years, number = 1000 if found[2].lower().startswith("m") else 100, int(found[1])
        return None if number == 0 else Moment(1 - number * years if is_bc else (number - 1) * years + 1, years=years)
    found = next((match for form in _DATES if (match := form.fullmatch(text))), None)
    if found is None or (len(found["year"]) < 3 and not is_bc) or int(found["year"]) == 0:
        return None
    of_era = 1 - int(found["year"]) if is_bc else int(found["year"])
    day = found.groupdict().get("day")
    return _checked(of_era, MONTHS[found["month"].lower()], int(day) if day else None)


def _year(text: str) -> Moment | None:
    return Moment(int(text)) if re.fullmatch(r"0*[1-9]\d{0,11}", text) else None


def _in_figures(text: str) -> Moment | None:
    """A day in figures that can be read in one way: with dots and the day first, or with the year first."""
    if found := re.fullmatch(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{3,4})", text):
        return _checked(int(found[3]), int(found[2]), int(found[1]))
    found = re.fullmatch(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})", text)
    return _checked(int(found[1]), int(found[3]), int(found[4])) if found else None


def _checked(year: int, month: int, day: int | None) -> Moment | None:
    """The month or day, if the calendar has it."""
    is_there = 1 <= month <= 12 and (day is None or 1 <= day <= days_in_month(year, month))
    return Moment(year, month, day or 0) if is_there else None


_EDTF = re.compile(r"(?:-?[\dX]{3}X|-?\d{4}-(?:\d\d-)?XX(?:-XX)?)[?~%]?|Y-?\d{5,12}")
"""What EDTF alone has: unspecified digits, and years of more than four. The library takes 29 February of any year."""


def _read_edtf(text: str) -> _One | None:
    """One time of EDTF, level 1, that no other form reads."""
    text = text.upper()
    if not _EDTF.fullmatch(text):
        return None
    from edtf import EDTFParseException, parse_edtf  # which takes a third of a second

    try:
        found = parse_edtf(text)
    except EDTFParseException:
        return None
    low, high = (Moment(*tuple(day)[:3]) for day in (found.lower_strict(), found.upper_strict()))
    sizes = [Moment(low.year, years=years) for years in (1, 10, 100, 1000)]
    sizes += [Moment(low.year, low.month), low]
    moment = next((each for each in sizes if (each.first_day, each.last_day) == (low, high)), None)
    is_sure = not (found.is_uncertain or found.is_approximate)
    return None if moment is None else _One(moment, is_sure)


# Intervals


_YEARS = re.compile(r"(\d{3,4})\s*-\s*(\d{3,4}|present|now|today|current|ongoing)(\D*)", re.IGNORECASE)
_TO = re.compile(r"(?:from )?(.+?)(?:\s+(?:-|to|until|till)\s+|\s*[–—]\s*)(.+)", re.IGNORECASE)


def _read_interval(text: str) -> WrittenTime | None:
    """An interval between two times, the last of which may be an open end: `1964/2008`, `1985/..`, `44–30 BC`."""
    if text.count("/") == 1:
        start, end = (part.strip() for part in text.split("/"))
    elif found := _YEARS.fullmatch(text):
        start, end = found[1], f"{found[2]}{found[3]}"
    elif found := _TO.fullmatch(text):
        start, end = found[1], found[2]
    else:
        return None
    has_era = _BC.search(end) or _AD.search(end) or _BC.search(start)
    if not has_era and any(re.fullmatch(r"\d{1,2}", part) for part in (start, end)):
        return None  # 1914–18, 3/4
    if (era := _BC.search(end)) and re.fullmatch(r"\D*\d+", start):
        start += era[0]
    since = _read_one(start)
    if since is None:
        return None
    if end.lower() in OPEN_ENDS:
        return WrittenTime(since.moment, since.moment, True, True, since.is_sure, _clocks(start))
    until = _read_one(end)
    is_sure = until is not None and since.is_sure and until.is_sure
    return until and WrittenTime(since.moment, until.moment, True, is_sure=is_sure, clocks=_clocks(start, end))
