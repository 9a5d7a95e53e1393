"""Names of months and weekdays in a program, beside what gives months and weekdays.

`extract_month` gives numbers and `extract_weekday` words, and programs compare them with names: `value='March'` is 3
there, and `'tue'` is Tuesday. A month with its year (`March 1990`) is the word of `extract_year_month`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Program, Value
from cgstore.text.dates import MONTHS, read_time

_PARTS = ("extract_month", "extract_weekday", "extract_year_month")
_PASSING = ("keep", "first", "last", "nth", "min", "max", "mode", "sort", "distinct")
"""Functions that give elements of their set."""

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)\w*", re.IGNORECASE)


def with_dates_named(program: Program) -> Program:
    """The program with months as numbers, and weekdays as `extract_weekday` writes them, where they are compared."""
    parts: dict[int, str | None] = {}
    queries = []
    for number, query in enumerate(program.queries, 1):
        queries.append(_named(query, parts))
        parts[number] = _part(queries[-1], parts)
    return replace(program, queries=tuple(queries))


def _part(value: Value, parts: Mapping[int, str | None]) -> str | None:
    """The function of dates whose results a value has."""
    if isinstance(value, OutputRef):
        return parts.get(value.number)
    if not isinstance(value, Call):
        return None
    if value.function in _PARTS:
        return value.function
    through = {**dict.fromkeys(_PASSING, "set"), "for_each": "value"}.get(value.function, "")
    return next((_part(argument.value, parts) for argument in value.given(through)), None)


def _named(call: Call, parts: Mapping[int, str | None]) -> Call:
    call = call.with_values(lambda a: _named(a.value, parts) if isinstance(a.value, Call) else a.value)
    if call.function == "keep":
        part = next((_part(argument.value, parts) for argument in call.given("set")), None)
        return replace(call, arguments=tuple(_kept(argument, part) for argument in call.arguments))
    sides = {argument.name: _part(argument.value, parts) for argument in call.arguments}
    other = {"value1": sides.get("value2"), "value2": sides.get("value1")}
    has_months = {name for name, part in other.items() if part == "extract_month"}
    return call.with_values(
        lambda a: _month(a.value) if a.name in has_months and isinstance(a.value, Literal) else a.value
    )


def _kept(argument: Argument, part: str | None) -> Argument:
    """What `keep` compares: a month as its number; words have tests of their text, which mean the same here."""
    if argument.name != "value" or not isinstance(argument.value, Literal):
        return argument
    text = argument.value.text
    if part == "extract_month":
        return replace(argument, value=_month(argument.value))
    if part == "extract_weekday" and argument.op == "=" and (day := _weekday(text)):
        return replace(argument, name="contains", value=replace(argument.value, text=day))
    time = read_time(text) if part == "extract_year_month" and argument.op == "=" else None
    if time is not None and time.start.month and not time.start.day and not time.is_interval:
        return replace(argument, name="starts_with", value=replace(argument.value, text=time.start.name))
    return argument


def _month(literal: Literal) -> Literal:
    """A month's name as its number; anything else as it is."""
    number = MONTHS.get(literal.text.strip(" .").lower())
    return literal if number is None else replace(literal, text=str(number))


def _weekday(text: str) -> str:
    """The weekday that a text names in English, in full or by its first letters; empty if it names none."""
    plain = text.strip(" .").lower()
    found = _WEEKDAY.fullmatch(plain)
    return next((day for day in _WEEKDAYS if found and day.lower().startswith(plain)), "")
