"""Times that are kept as periods, and the Cypher that finds them and makes the statements that they stand for.

A temporal source keeps one relationship `p = (time)-[CG_PERIOD {first, last}]->()` for each stretch of times at which a
fact holds. `first` and `last` count the source's steps (`text.dates.first`). By definition it stands
for the triples (time, t, fact) for every t from first to last. Here each of them is a map `s` with the properties that
a CG_VALUE relationship has, so that what follows does not know the difference. `s.period` has the element id of p.
Where not each of the times is needed, `s` is a stretch of them: it has `first`, `last` and `step` in place of one time.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import reduce
from typing import NamedTuple

from cgstore.cypher.compile.calendar import date_of, name_of, named_lines, number_of_date, place_lines
from cgstore.cypher.compile.context import CompileContext, call_lines
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
from cgstore.query.operators import Aggregate
from cgstore.text.dates import LEVELS, Step, first_from, last_to


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


class Times(Enum):
    """The form of the times of a period that fit: each time, a stretch of them, or the period itself.

    The last is enough where nobody asks for the times.
    """

    EACH = auto()
    STRETCH = auto()
    PERIOD = auto()


class Sought(NamedTuple):
    """What is known of a period besides its key.

    Attributes:
        comparisons: of its times.
        tests: conditions on the relationship p.
        head: an expression for the head of its fact.
        relation: an expression for the name of the relation of its fact.
        times: what s is bound to.
    """

    comparisons: Sequence[Comparison]
    tests: Sequence[str] = ()
    head: str | None = None
    relation: str | None = None
    times: Times = Times.EACH


def period_lines(step: Step, sought: Sought, context: CompileContext) -> list[str]:
    """Binds p, and s as a statement about one of its times, or about those that fit; `key` is bound."""
    lines, low, high = time_bounds(step, sought.comparisons, context)
    lines += _of_head(sought, low, high, context) if sought.head else _of_time(sought, low, high, context)
    if sought.times is Times.PERIOD:
        return [*lines, "WITH *, p AS s"]
    start = later(low, "p.first") if low else "p.first"
    end = earlier(high, "p.last") if high else "p.last"
    of_fact = [*(f"{name}: p.{name}" for name in _OF_FACT), "name1: k.name", "period: elementId(p)"]
    if sought.times is Times.STRETCH:
        return [*lines, f"WITH *, {_map(*of_fact, f'first: {start}', f'last: {end}', f'step: {step.value!r}')} AS s"]
    return [*lines, f"UNWIND range({start}, {end}) AS place", *_time_lines(of_fact, step, "s")]


_OF_FACT = ("node1", "condition", "head", "relation", "source")


def each_time_lines(step: Step) -> list[str]:
    """Binds e to each of the times of a stretch s."""
    of_fact = [f"{name}: s.{name}" for name in (*_OF_FACT, "name1", "period")]
    return ["UNWIND range(s.first, s.last) AS place", *_time_lines(of_fact, step, "e")]


def _time_lines(of_fact: Sequence[str], step: Step, name: str) -> list[str]:
    """Binds a name to the statement about the time at `place`."""
    if step is Step.YEAR:
        return [f"WITH *, {_map(*of_fact, 'node2: toString(place)', 'num: toFloat(place)')} AS {name}"]
    time = f"node2: {name_of('day', step)}", f"num: {number_of_date('day', step)}"
    return [f"WITH *, {date_of('place', step)} AS day", f"WITH *, {_map(*of_fact, *time)} AS {name}"]


def _map(*properties: str) -> str:
    return f"{{{', '.join(properties)}}}"


def _of_head(sought: Sought, low: str | None, high: str | None, context: CompileContext) -> list[str]:
    """Binds the periods of a head."""
    tests = [*([f"p.first <= {high}"] if high else []), *([f"p.last >= {low}"] if low else [])]
    pattern = f"(k)-[p:CG_PERIOD {{node1: key, head: {sought.head}}}]->()"
    return seek(pattern, "node1, head", context, *tests, *sought.tests)


def _of_time(sought: Sought, low: str | None, high: str | None, context: CompileContext) -> list[str]:
    """Binds the periods that have a time from low to high, those of each level by where they begin (`level_of`)."""
    own, by = ("relation_name", "node1, relation") if sought.relation else ("", "node1")
    given = "node1: key" + (f", relation: {sought.relation}" if sought.relation else "")
    tests = [f"p.first > {low} - toInteger(4 ^ level)", f"p.last >= {low}"] if low else []
    tests += [f"p.first <= {high}"] if high else []
    rows = [f"UNWIND range(0, {LEVELS - 1}) AS level"] if tests else []
    given += ", level: level" if tests else ""
    found = seek(f"(k)-[p:CG_PERIOD {{{given}}}]->()", f"{by}, level, first", context, *(tests or _ANY_TIME))
    imported = [name for name in ("key", own, low, high) if name and not name.startswith("$")]
    where = [f"WITH * WHERE {' AND '.join(sought.tests)}"] if sought.tests else []
    return [*call_lines(imported, [*rows, *found, "RETURN k, p"]), *where]


_ANY_TIME = "p.level IS NOT NULL", "p.first IS NOT NULL"


def later(one: str, other: str) -> str:
    """An expression for the later of two places."""
    return f"CASE WHEN {one} > {other} THEN {one} ELSE {other} END"


def earlier(one: str, other: str) -> str:
    """An expression for the earlier of two places."""
    return f"CASE WHEN {one} < {other} THEN {one} ELSE {other} END"


# Bounds ---------------------------------------------------------------------------------------------------------------

Bound = tuple[str | None, str | None]
"""Expressions for the first and the last place that a comparison allows; None where it leaves that end open."""


def time_bounds(
    step: Step, comparisons: Sequence[Comparison], context: CompileContext
) -> tuple[list[str], str | None, str | None]:
    """Lines that bind the first and the last place that fit, and the expressions for these; None for an open end."""
    if len(comparisons) == 1 and isinstance(comparisons[0], Range):
        low, high = _of_range(step, comparisons[0], context)
        if not (low and high) or context.values[low[1:]] <= context.values[high[1:]]:  # March is no year, and fits none
            return [], low, high
    lines: list[str] = []
    bounds: list[Bound] = []
    for number, comparison in enumerate(comparisons):
        found, bound = _bound(f"at{number}", f"until{number}", step, comparison, context)
        lines += found
        bounds.append(bound)
    lows, highs = [low for low, _ in bounds if low], [high for _, high in bounds if high]
    if lows or highs:
        named = [f"{reduce(later, lows)} AS low"] if lows else []
        named += [f"{reduce(earlier, highs)} AS high"] if highs else []
        lines.append(f"WITH *, {', '.join(named)}")
    if lows and highs:
        lines.append("WITH * WHERE low <= high")
    return lines, "low" if lows else None, "high" if highs else None


def _bound(at: str, until: str, step: Step, comparison: Comparison, context: CompileContext) -> tuple[list[str], Bound]:
    """Lines that bind what the bound of a comparison needs, and the bound."""
    match comparison:
        case Range():
            return [], _of_range(step, comparison, context)
        case OrderComparison(op=op, operand=operand):
            bound = f"{'low' if op.startswith('>') else 'high'}{operand.step + 1}"
            lines = call_lines([bound], [*place_lines(bound, step), f"RETURN {_BEGINS_OR_ENDS[op]} AS {at}"])
            return lines, (at, None) if op.startswith(">") else (None, at)
        case NodeEquality(operand=Output() as operand) | NumberEquality(operand=operand) if (
            operand.step in context.stretched
        ):
            stretches = context.stretches(operand)
            is_one = isinstance(context.plan.steps[operand.step], Aggregate)
            found = [f"UNWIND {stretches} AS each"] if is_one else merged_lines(stretches)
            returned = f"RETURN DISTINCT each.first AS {at}, each.last AS {until}"
            return call_lines([stretches], [*found, returned]), (at, until)
        case NodeEquality(operand=operand):
            named = [context.unwind(operand, "name"), *named_lines("name", step), "WITH DISTINCT place"]
            imported = [context.output(operand)] if isinstance(operand, Output) else []
            returned = f"RETURN each.first AS {at}, each.last AS {until}"
            return call_lines(imported, [*named, *stretch_lines(), returned]), (at, until)
        case NumberEquality(operand=operand):
            numbers = [f"UNWIND {context.equal_numbers(operand)} AS number", *place_lines("number", step)]
            whole = "WITH DISTINCT toInteger(place) AS place, place AS exact WHERE exact = floor(exact)"
            returned = f"RETURN each.first AS {at}, each.last AS {until}"
            return call_lines([context.with_numbers(operand)], [*numbers, whole, *stretch_lines(), returned]), (
                at,
                until,
            )
        case Superlative(of_numbers=of_numbers, least=least):
            found = _extreme(least, at, context) if of_numbers else _frequent(least, at, context)
            return call_lines(["key"], found), (at, at)
    raise AssertionError("no other comparison is with times")


def stretch_lines() -> list[str]:
    """Binds `each` to each stretch of places: all days of ten years are one stretch, and one seek."""
    begins, ends = "i = 0 OR places[i - 1] < places[i] - 1", "i = size(places) - 1 OR places[i + 1] > places[i] + 1"
    return [
        "WITH place ORDER BY place",
        "WITH collect(place) AS places",
        f"WITH places, [i IN range(0, size(places) - 1) WHERE {begins}] AS begins, "
        f"[i IN range(0, size(places) - 1) WHERE {ends}] AS ends",
        "UNWIND range(0, size(begins) - 1) AS i",
        "WITH {first: places[begins[i]], last: places[ends[i]]} AS each",
    ]


AT_ONCE = 100
"""How many stretches are made one at once: a list that grows by one at a time takes a time that grows by its square."""


def merged_lines(stretches: str) -> list[str]:
    """Binds `each` to the stretches of a list, where those that touch are one, among the next `AT_ONCE` in order."""
    last = later("each.last", "done[-1].last")
    return [
        f"UNWIND {stretches} AS each",
        "WITH DISTINCT each.first AS first, each.last AS last ORDER BY first",
        "WITH collect({first: first, last: last}) AS sorted",
        f"UNWIND range(0, size(sorted) - 1, {AT_ONCE}) AS i",
        f"UNWIND reduce(done = [], each IN sorted[i..i + {AT_ONCE}] | CASE WHEN each.first <= done[-1].last + 1 "
        f"THEN done[..-1] + [{{first: done[-1].first, last: {last}}}] ELSE done + [each] END) AS each",
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
    return seek("()-[p:CG_PERIOD {node1: key}]->()", "node1, level, first", context, *_ANY_TIME)
