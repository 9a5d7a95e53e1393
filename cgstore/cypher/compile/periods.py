"""Times that are kept as periods, and the Cypher that makes of a period the statements that it stands for.

A source whose times would be many keeps one relationship `p = (time)-[CG_PERIOD {first, last}]->()` for each stretch of
times at which a fact holds. `first` and `last` count the source's steps (`text.dates.first`). By definition it stands
for the triples (time, t, fact) for every t from first to last. Here each of them is a map `s` with the properties that
a CG_VALUE relationship has, so that what follows does not know the difference. `s.period` has the element id of p.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cgstore.cypher.compile.context import NUMBER_OF_CLOCK, NUMBER_OF_DATE, CompileContext, call_lines
from cgstore.cypher.compile.seeks import seek
from cgstore.query.operands import (
    Comparison,
    Named,
    Names,
    NodeEquality,
    NumberEquality,
    OrderComparison,
    Output,
    Range,
    Superlative,
)
from cgstore.text.dates import Step
from cgstore.text.periods import EXACT, LEVELS, PER_DAY, first_from, last_to

POWERS = [1 << level for level in range(LEVELS)]
"""The powers of two by which the path to a time is found."""


class Keys(NamedTuple):
    """The built-in keys of one search: those whose times are written out, and by step those that have periods."""

    written: Names | None
    periods: dict[Step, Names]


def keys_of(key: object) -> Keys | None:
    """The parts of a search's key where one of them has periods; else None."""
    if not isinstance(key, Names) or not any(node.periods for node in key.nodes):
        return None
    by_step: dict[Step, list[Named]] = {}
    for node in key.nodes:
        if node.periods:
            by_step.setdefault(Step(node.step or Step.YEAR), []).append(node)
    written = tuple(node for node in key.nodes if not node.periods)
    return Keys(
        Names(written, key.of_facts, key.time_key) if written else None,
        {step: Names(tuple(nodes), key.of_facts, key.time_key) for step, nodes in by_step.items()},
    )


class Sought(NamedTuple):
    """What is known of a period besides its key.

    Attributes:
        comparisons: of its times.
        tests: conditions on the relationship p.
        head: an expression for the head of its fact.
        relation: an expression for the name of the relation of its fact.
        each: whether every time that fits is bound; else one for each period.
    """

    comparisons: Sequence[Comparison]
    tests: Sequence[str] = ()
    head: str | None = None
    relation: str | None = None
    each: bool = True


def period_lines(step: Step, sought: Sought, context: CompileContext) -> list[str]:
    """Binds p, and s as a statement about one of its times; `key` is bound."""
    lines, bounds = _bounds(step, sought.comparisons, context)
    lows, highs = [low for low, _ in bounds if low], [high for _, high in bounds if high]
    if lows or highs:
        named = [*([f"{_greatest(lows)} AS low"] if lows else []), *([f"{_least(highs)} AS high"] if highs else [])]
        lines.append(f"WITH *, {', '.join(named)}")
    low, high = "low" if lows else None, "high" if highs else None
    if low and high:
        lines.append("WITH * WHERE low <= high")
    lines += _of_head(sought, low, high, context) if sought.head else _of_time(sought, low, high, context)
    lines += [f"{'WITH * ' if lines[-1] == '}' else ''}WHERE {' AND '.join(sought.tests)}"] if sought.tests else []
    start = "CASE WHEN low > p.first THEN low ELSE p.first END" if low else "p.first"
    end = "CASE WHEN high < p.last THEN high ELSE p.last END" if high else "p.last"
    lines.append(f"UNWIND range({start}, {end}) AS place" if sought.each else f"WITH *, {start} AS place")
    return [*lines, *_statement(step)]


def _of_head(sought: Sought, low: str | None, high: str | None, context: CompileContext) -> list[str]:
    """Binds the periods of a head."""
    tests = [*(["p.first <= high"] if high else []), *(["p.last >= low"] if low else [])]
    pattern = f"(k)-[p:CG_PERIOD {{node1: key, head: {sought.head}}}]->()"
    return [*seek(pattern, "node1, head", context, *tests), "WITH *"]


def _of_time(sought: Sought, low: str | None, high: str | None, context: CompileContext) -> list[str]:
    """Binds the periods that have a time from low to high, by the forks on the paths to these (`text.periods.fork_of`).

    A period whose fork lies before low begins before it too, so that its last time decides; likewise after high.
    """
    own, by = ("relation_name", "node1, relation, fork") if sought.relation else ("", "node1, fork")
    given = "node1: key" + (f", relation: {sought.relation}" if sought.relation else "")
    context.values["powers"] = POWERS
    between = [f"p.fork >= {low}" if low else "", f"p.fork <= {high}" if high else "", "p.first IS NOT NULL"]
    if not (low or high):
        between.insert(0, "p.fork IS NOT NULL")
    bodies = [_forks(f"{{{given}}}", f"{by}, first", context, *filter(None, between))]
    if low:
        path = "UNWIND [power IN $powers | toInteger(floor(toFloat(low) / power)) * power] AS fork"
        found = _forks(f"{{{given}, fork: fork}}", f"{by}, last", context, "p.last >= low")
        bodies.append([path, "WITH DISTINCT fork WHERE fork < low", *found])
    if high:
        path = "UNWIND [power IN $powers | toInteger(floor(toFloat(high) / power) + 1) * power] AS fork"
        found = _forks(f"{{{given}, fork: fork}}", f"{by}, first", context, "p.first <= high")
        bodies.append([path, "WITH DISTINCT fork WHERE fork > high", *found])
    imported = [name for name in ("key", own, low, high) if name]
    lines = [line for body in bodies for line in ["UNION ALL", *body]][1:]
    return call_lines(imported, lines)


def _forks(properties: str, by: str, context: CompileContext, *tests: str) -> list[str]:
    return [*seek(f"(k)-[p:CG_PERIOD {properties}]->()", by, context, *tests), "RETURN k, p"]


def _statement(step: Step) -> list[str]:
    """Binds s to the statement that p stands for at a place."""
    parts = [f"{name}: p.{name}" for name in ("node1", "condition", "head", "relation", "source")]
    parts += ["name1: k.name", "period: elementId(p)"]
    if step is Step.YEAR:
        return [f"WITH *, {{{', '.join(parts)}, node2: toString(place), num: toFloat(place)}} AS s"]
    number = (NUMBER_OF_CLOCK if step.has_clock else NUMBER_OF_DATE).format("day")
    time = f"node2: {name_of('day', step)}, num: {number}"
    return [f"WITH *, {date_of('place', step)} AS day", f"WITH *, {{{', '.join(parts)}, {time}}} AS s"]


def _greatest(values: Sequence[str]) -> str:
    return _chosen(values, ">")


def _least(values: Sequence[str]) -> str:
    return _chosen(values, "<")


def _chosen(values: Sequence[str], op: str) -> str:
    first, *others = values
    for other in others:
        first = f"CASE WHEN {other} {op} {first} THEN {other} ELSE {first} END"
    return first


# Bounds ---------------------------------------------------------------------------------------------------------------

Bound = tuple[str | None, str | None]
"""Expressions for the first and the last place that a comparison allows; None where it leaves that end open."""


def _bounds(step: Step, comparisons: Sequence[Comparison], context: CompileContext) -> tuple[list[str], list[Bound]]:
    """Lines that bind what the bounds of comparisons need, and the bounds."""
    lines: list[str] = []
    bounds: list[Bound] = []
    for number, comparison in enumerate(comparisons):
        at, until = f"at{number}", f"until{number}"
        match comparison:
            case Range():
                bounds.append(_of_range(step, comparison, context))
                continue
            case OrderComparison(op=op, operand=operand):
                bound = f"{'low' if op.startswith('>') else 'high'}{operand.step + 1}"
                lines += call_lines([bound], [*_place_lines(bound, step), f"RETURN {_BEGINS_OR_ENDS[op]} AS {at}"])
                bounds.append((at, None) if op.startswith(">") else (None, at))
                continue
            case NodeEquality(operand=operand):
                named = [context.unwind(operand, "name"), *_named_lines("name", step), "WITH DISTINCT place"]
                imported = [context.output(operand)] if isinstance(operand, Output) else []
                lines += call_lines(imported, [*named, *_stretch_lines(at, until)])
                bounds.append((at, until))
                continue
            case NumberEquality(operand=operand):
                numbers = [f"UNWIND {context.equal_numbers(operand)} AS number", *_place_lines("number", step)]
                whole = "WITH DISTINCT toInteger(place) AS place, place AS exact WHERE exact = floor(exact)"
                lines += call_lines([context.with_numbers(operand)], [*numbers, whole, *_stretch_lines(at, until)])
                bounds.append((at, until))
                continue
            case Superlative(of_numbers=of_numbers, least=least):
                lines += call_lines(
                    ["key"], _extreme(least, at, context) if of_numbers else _frequent(least, at, context)
                )
            case _:
                raise AssertionError("no other comparison is with times")
        bounds.append((at, at))
    return lines, bounds


def _stretch_lines(at: str, until: str) -> list[str]:
    """Binds the first and the last of each stretch of places: all days of ten years are one stretch, and one seek."""
    begins, ends = "i = 0 OR places[i - 1] < places[i] - 1", "i = size(places) - 1 OR places[i + 1] > places[i] + 1"
    return [
        "WITH place ORDER BY place",
        "WITH collect(place) AS places",
        f"WITH places, [i IN range(0, size(places) - 1) WHERE {begins}] AS begins, "
        f"[i IN range(0, size(places) - 1) WHERE {ends}] AS ends",
        "UNWIND range(0, size(begins) - 1) AS i",
        f"RETURN places[begins[i]] AS {at}, places[ends[i]] AS {until}",
    ]


def _of_range(step: Step, comparison: Range, context: CompileContext) -> Bound:
    low = high = None
    if comparison.low is not None:
        place = first_from(comparison.low, step, after=comparison.low_open)
        low = context.parameter(comparison, f"first {step}", place)
    if comparison.high is not None:
        place = last_to(comparison.high, step, before=comparison.high_open)
        high = context.parameter(comparison, f"last {step}", place)
    return low, high


_BEGINS_OR_ENDS = {
    ">": "toInteger(floor(place)) + 1",
    ">=": "toInteger(ceil(place))",
    "<": "toInteger(ceil(place)) - 1",
    "<=": "toInteger(floor(place))",
}
"""The first or the last time that compares so with what lies at a place."""


def _extreme(least: bool, at: str, context: CompileContext) -> list[str]:
    """Binds the first or the last time of a key."""
    return [*_all_periods(context), f"RETURN {'min(p.first)' if least else 'max(p.last)'} AS {at}"]


def _frequent(least: bool, at: str, context: CompileContext) -> list[str]:
    """Binds the times of a key at which the most facts hold, or the fewest."""
    return [
        *_all_periods(context),
        "UNWIND range(p.first, p.last) AS place",
        "WITH place, count(*) AS times",
        f"WITH collect([place, times]) AS all, {'min' if least else 'max'}(times) AS best",
        "UNWIND all AS each",
        f"WITH each, best WHERE each[1] = best RETURN each[0] AS {at}",
    ]


def _all_periods(context: CompileContext) -> list[str]:
    tests = "p.fork IS NOT NULL", "p.first IS NOT NULL"
    return seek("()-[p:CG_PERIOD {node1: key}]->()", "node1, fork, first", context, *tests)


# Counting in Cypher ---------------------------------------------------------------------------------------------------

_FIRST_DAY = "date({year: 0, month: 3, day: 1})"
_FIRST_TIME = "localdatetime({year: 0, month: 3, day: 1})"

BEYOND = 1e6
"""A year beyond all months and days that are kept as periods, and within Neo4j's calendar."""


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
    is_cut = step in (Step.MONTH, Step.MINUTE)
    return f"left(toString({date}), size(toString({date})) - 3)" if is_cut else f"toString({date})"


def _place_lines(number: str, step: Step) -> list[str]:
    """Binds `place`, that of a number among the times as in `text.periods.place_of`; rows without a number go."""
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
    Step.MONTH: "-?[0-9]{4}-[0-9]{2}",
    Step.DAY: "-?[0-9]{4}-[0-9]{2}-[0-9]{2}",
    Step.MINUTE: "-?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}",
    Step.SECOND: "-?[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}",
}
"""The names of times of each step."""


def _named_lines(name: str, step: Step) -> list[str]:
    """Binds `place`, that of the time that an element is; rows of other elements go.

    The calendar's functions fail for what looks like a day and is none. So the place is worked out without them, and
    then the name of the time at this place must be the element.
    """
    lines = [f"WITH {name} AS name WHERE {name} =~ '{_FORMS[step]}'"]
    if step is Step.YEAR:
        return [*lines, "WITH toInteger(name) AS place"]
    lines += [
        "WITH name, CASE WHEN left(name, 1) = '-' THEN substring(name, 1) ELSE name END AS digits",
        "WITH *, toInteger(substring(digits, 5, 2)) AS month, toInteger(substring(digits, 8, 2)) AS of_month, "
        "CASE WHEN name = digits THEN 1 ELSE -1 END * toInteger(left(digits, 4)) AS year",
        "WITH * WHERE 1 <= month <= 12",
    ]
    if step is Step.MONTH:
        return [*lines, "WITH year * 12 + month - 1 AS place"]
    lines += [
        "WITH *, (month + 9) % 12 AS month, year - CASE WHEN month <= 2 THEN 1 ELSE 0 END AS year",
        "WITH name, digits, 365 * year + toInteger(floor(year / 4.0) - floor(year / 100.0) + floor(year / 400.0)) + "
        "(153 * month + 2) / 5 + of_month - 1 AS place",
    ]
    if step.has_clock:
        lines.append(
            "WITH name, digits, place * 1440 + toInteger(substring(digits, 11, 2)) * 60 + "
            "toInteger(substring(digits, 14, 2)) AS place"
        )
    if step is Step.SECOND:
        lines.append("WITH name, place * 60 + toInteger(substring(digits, 17, 2)) AS place")
    return [
        *lines,
        f"WITH name, place, {date_of('place', step)} AS day",
        f"WITH place WHERE {name_of('day', step)} = name",
    ]
