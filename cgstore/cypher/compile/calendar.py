"""Places of times in Cypher: the counts of a source's steps (`text.dates.first`), the names and numbers at them."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.cypher.compile.context import NUMBER_OF_CLOCK, NUMBER_OF_DATE
from cgstore.text.dates import EXACT, PER_DAY, Step

_FIRST_DAY = "date({year: 0, month: 3, day: 1})"
_FIRST_TIME = "localdatetime({year: 0, month: 3, day: 1})"

BEYOND = 1e8
"""A year beyond all months and days of a temporal source, and within Neo4j's calendar."""


def date_of(place: str, step: Step) -> str:
    """An expression for the first day of the month, the day, or the time of day at a place."""
    if step is Step.DAY:
        return f"{_FIRST_DAY} + duration({{days: {place}}})"
    if step.has_clock:
        return f"{_FIRST_TIME} + duration({{{step}s: {place}}})"
    year = f"toInteger(floor({place} / 12.0))"
    return f"date({{year: {year}, month: {place} - 12 * {year} + 1, day: 1}})"


def name_of(date: str, step: Step) -> str:
    """An expression for the name of the time that begins on a date, as `text.dates.time_name` gives it."""
    name = f"replace(toString({date}), '+', '')"  # before a year of more than four digits
    return f"left({name}, size({name}) - 3)" if step in (Step.MONTH, Step.MINUTE) else name


def number_of_date(date: str, step: Step) -> str:
    """An expression for the number of the time that begins on a date."""
    return (NUMBER_OF_CLOCK if step.has_clock else NUMBER_OF_DATE).format(date)


def number_lines(places: Sequence[str], step: Step) -> list[str]:
    """Binds each of some places to its number among those of all times; rows where one is null go."""
    known = f"WHERE {' AND '.join(f'{place} IS NOT NULL' for place in places)}"
    if step is Step.YEAR:
        return [f"WITH {', '.join(f'toFloat({place}) AS {place}' for place in places)} {known}"]
    return [
        f"WITH {', '.join(places)} {known}",
        f"WITH {', '.join(f'{date_of(place, step)} AS {place}' for place in places)}",
        f"WITH {', '.join(f'{number_of_date(place, step)} AS {place}' for place in places)}",
    ]


def place_lines(number: str, step: Step) -> list[str]:
    """Binds `place`, that of a number among the times as in `text.dates.place_of`; rows without a number go."""
    if step is Step.YEAR:
        return [f"WITH toFloat({number}) AS place WHERE place IS NOT NULL"]
    within = f"CASE WHEN {number} > {BEYOND} THEN {BEYOND} WHEN {number} < -{BEYOND} THEN -{BEYOND} ELSE {number} END"
    lines = [
        f"WITH {within} AS number WHERE {number} IS NOT NULL",
        "WITH number, toInteger(floor(number)) AS year",
        f"WITH duration.inDays({_FIRST_DAY}, date({{year: year, month: 1, day: 1}})).days + "
        "(number - year) * date({year: year, month: 12, day: 31}).ordinalDay AS exact",
    ]
    if step.has_clock:
        lines.append(f"WITH exact * {PER_DAY[step]} AS exact")
    near = EXACT[step] if step.has_clock else EXACT[Step.DAY]
    lines.append(f"WITH CASE WHEN abs(exact - round(exact)) < {near} THEN round(exact) ELSE exact END AS place")
    if step is Step.DAY or step.has_clock:
        return lines
    is_first = "day.day = 1 AND place = floor(place)"
    return [
        *lines,
        f"WITH place, {date_of('toInteger(floor(place))', Step.DAY)} AS day",
        f"WITH day.year * 12 + day.month - 1 + CASE WHEN {is_first} THEN 0.0 ELSE 0.5 END AS place",
    ]


_FORMS = {
    Step.YEAR: "0|-?[1-9][0-9]{0,11}",
    Step.MONTH: "-?[0-9]{4,8}-[0-9]{2}",
    Step.DAY: "-?[0-9]{4,8}-[0-9]{2}-[0-9]{2}",
    Step.MINUTE: "-?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}",
    Step.SECOND: "-?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}",
}
"""The names of times of each step."""


def named_lines(name: str, step: Step) -> list[str]:
    """Binds `place`, that of the time that an element is; rows of other elements go.

    The calendar's functions fail for what looks like a day and is none. So the place is worked out without them, and
    then the name of the time at this place must be the element.
    """
    lines = [f"WITH {name} AS name WHERE {name} =~ '{_FORMS[step]}'"]
    if step is Step.YEAR:
        return [*lines, "WITH toInteger(name) AS place"]
    lines += [
        "WITH name, CASE WHEN left(name, 1) = '-' THEN substring(name, 1) ELSE name END AS digits",
        "WITH name, split(digits, '-') AS parts, CASE WHEN name = digits THEN 1 ELSE -1 END AS sign",
        "WITH name, sign * toInteger(parts[0]) AS year, toInteger(parts[1]) AS month, coalesce(parts[2], '') AS rest",
        "WITH * WHERE 1 <= month <= 12",
    ]
    if step is Step.MONTH:
        return [*lines, "WITH year * 12 + month - 1 AS place"]
    lines += [
        "WITH name, rest, (month + 9) % 12 AS month, year - CASE WHEN month <= 2 THEN 1 ELSE 0 END AS year",
        "WITH name, rest, 365 * year + toInteger(floor(year / 4.0) - floor(year / 100.0) + floor(year / 400.0)) + "
        "(153 * month + 2) / 5 + toInteger(left(rest, 2)) - 1 AS place",
    ]
    if step.has_clock:
        lines.append(
            "WITH name, rest, place * 1440 + toInteger(substring(rest, 3, 2)) * 60 + "
            "toInteger(substring(rest, 6, 2)) AS place"
        )
    if step is Step.SECOND:
        lines.append("WITH name, place * 60 + toInteger(substring(rest, 9, 2)) AS place")
    return [
        *lines,
        f"WITH name, place, {date_of('place', step)} AS day",
        f"WITH place WHERE {name_of('day', step)} = name",
    ]
