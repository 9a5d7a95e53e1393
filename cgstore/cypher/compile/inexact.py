"""Times that are less exact than what they are compared with, or taken beside: what the notes of them tell.

A time that is only a year or a month is compared and counted as its first day (language page, "Comparisons"), so
whether it satisfies the comparison is not known: 2004 may lie before 10 June 2004 or after it. The start and the end of
a temporal fact may be such times too. They equal none of the times at which facts hold, which are days. The statement
gives the values that may be such; their names tell which of them are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from cgstore.cypher.compile.context import ELEMENT, LOOKED_AT, NAMED, Block, CompileContext
from cgstore.cypher.compile.seeks import seek
from cgstore.model import TimeKey
from cgstore.query import operators as ops
from cgstore.query.operands import (
    Comparison,
    Named,
    Names,
    NodeEquality,
    Operand,
    OrderComparison,
    Output,
    OutputKind,
    Range,
    parts_of,
)
from cgstore.text.dates import Moment, Step, coarser, less_exact_times, number_at, read_any_moment, read_time, span_of
from cgstore.text.kinds import ValueKind
from cgstore.text.names import name_of_key

_ASIDE = re.compile(r"(?:\s*(?:\([^()]*\)|\[[^\[\]]*\]|[*†‡§^]))*\s*$")
_EXACT = 1e-9

Told = tuple[str, Callable[..., str]]
"""A note: an expression for a list, and what makes a sentence of its elements (`notes.Note`)."""

Near = dict[str, tuple[Named, list[float]]]
"""Columns of dates, starts and ends by their keys, each with the bounds that its values are compared with."""


def looked_up_times(number: int, step: ops.Search, context: CompileContext) -> tuple[Block, Told] | None:
    """The block that looks up the values around the bounds of a search; None where there can be none.

    Of each value it has the name, the relation or key, and how often it stands there.
    """
    near = Near()
    for node1, comparisons in ((step.relation, step.tail), (step.key, step.value), *step.further):
        near |= _near(node1.nodes, comparisons, context) if isinstance(node1, Names) else {}
    if not (starts := _starts(near)):
        return None
    lines = [
        f"UNWIND {context.parameter(step, 'dates', list(near))} AS relation",
        f"UNWIND {context.parameter(step, 'starts', starts)} AS start",
        *seek("()-[v:CG_VALUE {node1: relation, num: start}]->()", "node1, num", context),
        "WITH v.node2 AS name, v.node1 AS relation, count(*) AS times",
        f"RETURN collect([name, relation, times]) AS near{number + 1}",
    ]
    return context.block(lines), (f"[near{number + 1}]", partial(_compared, near))


def times_kept(step: ops.Step, context: CompileContext) -> Told | None:
    """The note of a selection that compares times."""
    if not isinstance(step, ops.Selection) or context.kind_of(step.operand) is not OutputKind.NODES:
        return None
    operand = step.operand
    if not isinstance(operand, Output) or operand.step not in context.carried:
        return None
    near = _near((*context.plan.types[operand.step].time_keys, *context.scope.relations.nodes), step.value, context)
    if not (starts := _starts(near)):
        return None
    dates, begins = context.parameter(step, "dates", list(near)), context.parameter(step, "starts", starts)
    found = f"[e IN {context.carriers_of_step(operand.step)} WHERE e.node1 IN {dates} AND e.num IN {begins}"
    return f"[{found} | [{ELEMENT}, e.node1, 1]][..{LOOKED_AT}]]", partial(_compared, near)


def times_taken(step: ops.Step, context: CompileContext) -> Told | None:
    """The note of a step that takes the numbers of starts and ends, where these are less exact than others."""
    found, keys = list[str](), dict[str, Named]()
    for operand in _numbers_taken(step):
        ends = {node.key: node for node in _ends(context.plan.types[operand.step].time_keys, context)}
        if not ends or operand.step not in context.carried:
            continue
        keys |= ends
        carriers = context.carriers_of_step(operand.step)
        is_end = f"e.node1 IN {context.parameter(operand, 'ends', list(ends))}"
        beside = f" AND size({carriers}) > 1" if isinstance(step, ops.Aggregate | ops.Sorting) else ""
        found.append(f"[e IN {carriers} WHERE {is_end}{beside} | [{ELEMENT}, e.node1]]")
    if not found:
        return None
    return f"[({' + '.join(found)})[..{LOOKED_AT}]]", partial(_taken, keys, isinstance(step, ops.EachNumber))


def other_times(step: ops.Step, context: CompileContext) -> Told | None:
    """The note of a search at the times of an output that are no times of its sources: these are other steps apart."""
    if not isinstance(step, ops.Search) or step.asked is ops.Part.RELATION:
        return None
    keys = step.key.nodes if isinstance(step.key, Names) else ()
    steps = frozenset(_step(key) for key in keys if key.periods)
    for operand in (comparison.operand for comparison in step.value if isinstance(comparison, NodeEquality)):
        if not (steps and isinstance(operand, Output)) or context.kind_of(operand) is not OutputKind.NODES:
            continue
        of = context.plan.types[operand.step].time_keys
        is_of_same_steps = bool(of) and {_step(key) for key in of} == steps and len(steps) == 1
        if operand.step not in context.stretched and not (is_of_same_steps and not _ends(of, context)):
            return f"[q{operand.step + 1}[..{LOOKED_AT}]]", partial(_unequal, steps)
    return None


def _near(nodes: Iterable[Named], comparisons: Iterable[Comparison], context: CompileContext) -> Near:
    """The columns of dates, and the starts and ends, among some relations and keys, with the bounds of comparisons.

    A start or an end that is only a year need not equal a day of it.
    """
    ranges, nodes = [each for each in comparisons if isinstance(each, Range)], list(nodes)
    bounds = [b for each in ranges if None in (each.low, each.high) for b in (each.low, each.high) if b is not None]
    begins = [each.low for each in ranges if each.low is not None and each.high is not None]
    near = {node.key: (node, [*bounds, *begins]) for node in _ends(nodes, context) if bounds or begins}
    is_date = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)
    return near | {node.key: (node, bounds) for node in nodes if node.kind in is_date and bounds}


def _starts(near: Near) -> list[float]:
    """The numbers at which times begin that may lie on either side of a bound."""
    found = set[float]()
    for node, bounds in near.values():
        for bound in bounds:
            if node.built_in:
                times = map(read_time, less_exact_times(bound, _step(node)))
                found |= {number_at(time.start) for time in times if time}
            else:
                years_and_months, day = coarser(bound)
                found |= {*years_and_months, *([] if day is None else [day])}
    return sorted(found)


def _ends(keys: Iterable[Named], context: CompileContext) -> list[Named]:
    """Returns the keys `start time` and `end time` whose values may be less exact than the times of the source."""
    ends = (key for key in keys if key.built_in and key.name in (TimeKey.START, TimeKey.END))
    return [key for key in ends if key.source not in context.scope.exact]


def _step(key: Named) -> Step:
    return Step(key.step or Step.YEAR)


def _numbers_taken(step: ops.Step) -> Iterator[Output]:
    """The outputs whose numbers a step compares, orders or computes with."""
    operands: Iterable[Operand] = [comparison.operand for comparison in parts_of(step, OrderComparison)]
    match step:
        case ops.Aggregate(function=function) if function in ("count", "exists", "mode"):
            pass
        case ops.Aggregate() | ops.Arithmetic() | ops.Choice():
            operands = step.measured
        case ops.EachNumber(function="extract_year" | "abs" | "to_number" | "to_integer") | ops.Sorting(by_name=False):
            operands = [step.operand]
    yield from (operand for operand in operands if isinstance(operand, Output))


# Sentences ------------------------------------------------------------------------------------------------------------

LONGEST = 40
"""Most characters of an example."""


def example(name: str) -> str:
    """A value in a sentence."""
    if not name.strip():
        return "an empty cell"
    return f"'{name}'" if len(name) <= LONGEST else f"'{name[:LONGEST]}...'"


def examples(keys: Iterable[str]) -> str:
    """A few values, each once, by the keys of their nodes."""
    return ", ".join(list(dict.fromkeys(example(name_of_key(key)) for key in keys))[:NAMED])


def _moment(name: str, node: Named) -> Moment | None:
    """The time that a value says, as exact as it is written."""
    if not node.built_in:
        return read_any_moment(_ASIDE.sub("", name_of_key(name)))
    time = read_time(name)
    return time.start if time else None


def _compared(near: Near, found: Sequence[tuple[str, str, int]]) -> str:
    """The sentence of the values that may lie on either side of a bound."""
    dates, times, has_days = Counter[str](), Counter[str](), False
    for name, key, count in found:
        node, bounds = near[key]
        moment, step = _moment(name, node), _step(node) if node.built_in else None
        if moment is None or (not moment.is_coarser_than(step) if step else moment.step.has_clock):
            continue
        span = span_of(moment, step)
        if any(span.lo + _EXACT < bound < span.hi - _EXACT for bound in bounds):
            (times if step else dates)[name] += count
            has_days = has_days or (not step and bool(moment.day))
    return " ".join(filter(None, (_dates_said(dates, has_days), _times_said("compared", times))))


def _dates_said(dates: Counter[str], has_days: bool) -> str:
    if not dates:
        return ""
    several = dates.total() > 1
    if has_days:
        says, start = f"{'are' if several else 'is'} less exact than the time asked for", "beginning"
    else:
        says, start = f"{'say' if several else 'says'} only a year or a month", "first day"
    subject, each = (f"{dates.total():,} dates", "each") if several else ("a date", "it")
    return f"{subject} {says} ({examples(dates)}); {each} was compared as its {start}."


def _taken(keys: Mapping[str, Named], only_long: bool, found: Sequence[tuple[str, str]]) -> str:
    """The sentence of starts and ends whose numbers were taken; a year is one of its own year."""
    times = Counter[str]()
    for name, key in found:
        moment = _moment(name, keys[key])
        if moment and (moment.years > 1 or (not only_long and moment.is_coarser_than(_step(keys[key])))):
            times[name] += 1
    return _times_said("taken", times)


def _times_said(verb: str, times: Counter[str]) -> str:
    if not times:
        return ""
    such = f"less exact than those beside {'it' if times.total() == 1 else 'them'} ({examples(times)})"
    if times.total() == 1:
        return f"a time that is {such} was {verb} as its beginning."
    return f"{times.total():,} times that are {such} were {verb} as their beginnings."


def _unequal(steps: frozenset[Step], elements: Sequence[Any]) -> str:
    """The sentence of elements that equal no time of a source, which are less exact or more exact than these."""
    times = {name: time.start for name in elements if isinstance(name, str) and (time := read_time(name))}
    finest, coarsest = (pick(steps, key=list(Step).index) for pick in (max, min))
    less = [name for name, moment in times.items() if moment.is_coarser_than(finest)]
    more = [name for name, moment in times.items() if moment.step.is_finer_than(coarsest)]
    if not (less or more):
        return ""
    found, than, step = (less, "less", finest) if less else (more, "more", coarsest)
    extract = "extract_year" if step is Step.YEAR else "extract_year_month"
    around = f"Write {extract}(set=...) around it, or the time itself."
    advice = f"Write value='{found[0]}' for all of its {step}s." if less else around
    some = f"{', '.join(found[:NAMED])}{', ...' if len(found) > NAMED else ''}"
    return f"no {step} equals what is {than} exact ({some}), which finds nothing among {step}s. {advice}"
