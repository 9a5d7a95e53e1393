"""Dates that are only a year or a month, where something more exact is needed: what the notes of them count.

Such a date is compared and counted as its first day (language page, "Comparisons"), so whether it satisfies the
comparison is not known: 2004 may lie before 10 June 2004 or after it. The start and the end of a temporal fact may be
such dates too. They equal none of the times at which facts hold, which are days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from cgstore.cypher.compile.context import ELEMENT, EXAMPLES, Block, CompileContext
from cgstore.cypher.compile.pattern import pattern_of
from cgstore.cypher.compile.seeks import seek
from cgstore.cypher.compile.texts import CLOCK, DAY, MINUTE, MONTH, YEAR
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
from cgstore.text.dates import Step, coarser, less_exact_times, read_time
from cgstore.text.kinds import ValueKind


def looked_up_dates(number: int, step: ops.Step, context: CompileContext) -> tuple[Block, str] | None:
    """The block that looks up the coarse dates beside the bounds of a search, and the note of them.

    How many there are, and a few of them. None where no date can be too coarse.
    """
    returned = [
        "WITH collect(v) AS coarse",
        f"RETURN [size(coarse), [v IN coarse | [v.node2, v.node1]][..{EXAMPLES}]] AS coarse{number + 1}",
    ]
    found = f"coarse{number + 1}[0], coarse{number + 1}[1]"
    if pairs := _times_compared(step, context):
        lines = [
            f"UNWIND {context.parameter(step, 'times', pairs)} AS pair",
            *seek("()-[v:CG_VALUE {node1: pair[0], node2: pair[1]}]->()", "node1, node2", context),
        ]
        return context.block([*lines, *returned]), f"[{number}, 'less exact', {found}]"
    relations, starts, days = _compared(step)
    if not (relations and starts):
        return None
    is_coarse = _is_coarse("v.node2", "start", _day_list(step, days, context))
    lines = [
        f"UNWIND {context.parameter(step, 'dates', relations)} AS relation",
        f"UNWIND {context.parameter(step, 'starts', starts)} AS start",
        *seek(
            "()-[v:CG_VALUE {node1: relation, num: start}]->()",
            "node1, num",
            context,
            is_coarse,
            "size(v.condition) = 1",
        ),
    ]
    return context.block([*lines, *returned]), f"[{number}, 'coarse', {found}]"


def coarse_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a selection that compares dates, as of `notes.note_of`; None where no date can be too coarse."""
    if isinstance(step, ops.Selection) and isinstance(step.operand, Output):
        if step.operand.step in context.stretched or step.operand.step not in context.carried:
            return None
        if context.kind_of(step.operand) is not OutputKind.NODES:
            return None
        carriers = context.carriers_of_step(step.operand.step)
        if pairs := _less_exact(context.plan.types[step.operand.step].time_keys, step.value, context):
            is_less = f"[e.node1, {ELEMENT}] IN {context.parameter(step, 'times', pairs)}"
            coarse = f"[e IN {carriers} WHERE {is_less} | [{ELEMENT}, e.node1]]"
            return f"[coarse IN [{coarse}] | [{number}, 'less exact', size(coarse), coarse[..{EXAMPLES}]]][0]"
        relations, (starts, days) = _dates(context.scope.relations), _starts(step.value)
        if not (relations and starts):
            return None
        of_dates = f"e.node1 IN {context.parameter(step, 'dates', relations)}"
        beside = f"e.num IN {context.parameter(step, 'starts', starts)} AND "
        beside += _is_coarse(ELEMENT, "e.num", _day_list(step, days, context))
        coarse = f"[e IN {carriers} WHERE {of_dates} AND {beside} | [{ELEMENT}, e.node1]]"
        return f"[coarse IN [{coarse}] | [{number}, 'coarse', size(coarse), coarse[..{EXAMPLES}]]][0]"
    return None


def _compared(step: ops.Step) -> tuple[list[str], list[float], list[float]]:
    """The relations of dates that a search compares, and what `_starts` gives for its bounds.

    Qualifiers are left out, since their values have no kind.
    """
    if isinstance(step, ops.SearchNode | ops.SearchCondition):
        pattern = pattern_of(step)
        for node1, comparisons in ((pattern.relation, pattern.tail), (pattern.key, pattern.value)):
            if isinstance(node1, Names) and not node1.of_facts and (starts := _starts(comparisons))[0]:
                return _dates(node1), *starts
    return [], [], []


# Starts and ends of temporal facts


def _times_compared(step: ops.Step, context: CompileContext) -> list[list[str]]:
    """The keys of starts and ends that a search compares, each with a time that its bounds lie in."""
    if isinstance(step, ops.SearchNode | ops.SearchCondition):
        pattern = pattern_of(step)
        said = ((pattern.key, pattern.value), *((each.node1, each.value) for each in pattern.further))
        times = ((key, value) for key, value in said if isinstance(key, Names) and key.time_key)
        return [pair for key, value in times for pair in _less_exact(key.nodes, value, context)]
    return []


def _less_exact(keys: Iterable[Named], comparisons: Iterable[Comparison], context: CompileContext) -> list[list[str]]:
    """The keys of starts and ends, each with the times less exact than its source's around a bound."""
    comparisons = list(comparisons)
    bounds = [*_bounds(comparisons), *_begins(comparisons)]
    pairs = (
        [key.key, name] for key in _ends(keys, context) for n in bounds for name in less_exact_times(n, _step(key))
    )
    return [list(pair) for pair in dict.fromkeys(map(tuple, pairs))]


def _ends(keys: Iterable[Named], context: CompileContext) -> list[Named]:
    """Those that are `start time` or `end time`, whose values may be less exact than the times of the source."""
    exact = context.scope.exact
    return [key for key in keys if key.name in (TimeKey.START, TimeKey.END) and key.source not in exact]


def _step(key: Named) -> Step:
    return Step(key.step or Step.YEAR)


_LONG = "(?:[0-9]+s|[0-9]+(?:st|nd|rd|th) (?:century|millennium))(?: BC)?|-?[0-9]*X+"
"""The name of a decade, a century or a millennium (`Moment.name`)."""

_FORMS = {Step.YEAR: YEAR, Step.MONTH: MONTH, Step.DAY: DAY, Step.MINUTE: MINUTE}
"""The names of times of each step, but the finest."""


def inexact_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a step that takes the number of a start or end that is less exact than its source's times."""
    several = isinstance(step, ops.Aggregate | ops.Sorting)
    found = []
    for operand in _numbers_taken(step):
        keys = _ends(context.plan.types[operand.step].time_keys, context)
        if not keys or operand.step not in context.carried:
            continue
        carriers = context.carriers_of_step(operand.step)
        by_step = {
            unit: f"e.node1 IN {context.parameter(operand, f'by_{unit}', [k.key for k in keys if _step(k) is unit])}"
            for unit in Step
            if any(_step(key) is unit for key in keys)
        }
        forms = [f"{is_key} AND {ELEMENT} =~ '{_LONG}'" for is_key in by_step.values()]
        if not isinstance(step, ops.EachNumber):
            forms += [
                f"{is_key} AND {ELEMENT} =~ '{form}'"
                for coarser, form in _FORMS.items()
                for unit, is_key in by_step.items()
                if unit.is_finer_than(coarser)
            ]
        beside = f" AND size({carriers}) > 1" if several else ""
        found.append(f"[e IN {carriers} WHERE ({' OR '.join(forms)}){beside} | [{ELEMENT}, e.node1]]")
    if not found:
        return None
    return f"[coarse IN [{' + '.join(found)}] | [{number}, 'inexact', size(coarse), coarse[..{EXAMPLES}]]][0]"


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


class OtherTimes(NamedTuple):
    """A search at the times of an earlier step: this step, and how far apart the times of the sources are."""

    elements: int
    steps: frozenset[Step]

    def note(self, elements: Sequence[Any]) -> tuple[Any, ...]:
        """What the note tells, given the first elements: those that equal no time of a source; 0 if all may equal."""
        times = {name: time.start for name in elements if isinstance(name, str) and (time := read_time(name))}
        finest, coarsest = (pick(self.steps, key=list(Step).index) for pick in (max, min))
        less = [name for name, moment in times.items() if moment.is_coarser_than(finest)]
        if less:
            return "unequal", len(less), less[:EXAMPLES], finest
        more = [name for name, moment in times.items() if moment.step.is_finer_than(coarsest)]
        return "too exact", len(more), more[:EXAMPLES], coarsest


def other_times(number: int, step: ops.Step, context: CompileContext) -> OtherTimes | None:
    """What a search at the times of an output takes for times of its sources, where they may be others."""
    if not isinstance(step, ops.SearchNode | ops.SearchCondition):
        return None
    pattern = pattern_of(step)
    keys = pattern.key.nodes if isinstance(pattern.key, Names) else ()
    steps = frozenset(_step(key) for key in keys if key.periods)
    for operand in (comparison.operand for comparison in pattern.value if isinstance(comparison, NodeEquality)):
        if not (steps and isinstance(operand, Output)) or context.kind_of(operand) is not OutputKind.NODES:
            continue
        of = context.plan.types[operand.step].time_keys
        is_of_same_steps = bool(of) and {_step(key) for key in of} == steps and len(steps) == 1
        if operand.step not in context.stretched and not (is_of_same_steps and not _ends(of, context)):
            return OtherTimes(operand.step, steps)
    return None


def _dates(relations: Names) -> list[str]:
    return [node.key for node in relations.nodes if node.kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)]


def _starts(comparisons: Iterable[Comparison]) -> tuple[list[float], list[float]]:
    """The numbers of the years, months and days in which the bounds of order comparisons lie; those of days again."""
    found = [coarser(bound) for bound in _bounds(comparisons)]
    days = {each.day for each in found if each.day is not None}
    return sorted({start for each in found for start in each.years_and_months} | days), sorted(days)


def _day_list(step: ops.Step, days: list[float], context: CompileContext) -> str | None:
    return context.parameter(step, "days", days) if days else None


def _bounds(comparisons: Iterable[Comparison]) -> list[float]:
    """The bounds of order comparisons."""
    return [
        bound
        for comparison in comparisons
        if isinstance(comparison, Range) and (comparison.low is None or comparison.high is None)
        for bound in (comparison.low, comparison.high)
        if bound is not None
    ]


def _begins(comparisons: Iterable[Comparison]) -> list[float]:
    """Where the times begin that values must equal."""
    ranges = (each for each in comparisons if isinstance(each, Range))
    return [each.low for each in ranges if each.low is not None and each.high is not None]


def _is_coarse(text: str, start: str, days: str | None) -> str:
    """The condition that a date is only a year or a month, or a day, where a bound is a time of this day."""
    of_day = f" OR ({start} IN {days} AND NOT {text} =~ '{CLOCK}')" if days else ""
    return f"({text} =~ '{YEAR}' OR {text} =~ '{MONTH}'{of_day})"


def _inexact_times(verb: str, count: int, times: Sequence[Sequence[str]]) -> str:
    """The sentence of `inexact_note`, and of a comparison of starts and ends."""
    such = f"less exact than those beside {'it' if count == 1 else 'them'}"
    shown = ", ".join(f"'{time}'" for time in dict.fromkeys(name for name, _ in times))
    if count == 1:
        return f"a time that is {such} ({shown}) was {verb} as its beginning."
    return f"{count:,} times that are {such} ({shown}) were {verb} as their beginnings."


def _unequal_times(count: int, times: Sequence[str], step: str) -> str:
    """The sentence of times less exact than those of a source."""
    advice = f"Write value='{times[0]}' for all of its {step}s."
    return (
        f"no {step} equals what is less exact ({_some_of(count, times)}), which finds nothing among {step}s. {advice}"
    )


def _too_exact(count: int, times: Sequence[str], step: str) -> str:
    """The sentence of times more exact than those of a source."""
    advice = f"Write extract_{'year' if step == Step.YEAR else 'year_month'}(set=...) around it, or the time itself."
    return (
        f"no {step} equals what is more exact ({_some_of(count, times)}), which finds nothing among {step}s. {advice}"
    )


def _some_of(count: int, times: Sequence[str]) -> str:
    return f"{', '.join(times)}{', ...' if count > len(times) else ''}"


SENTENCES: dict[str, Callable[..., str]] = {
    "less exact": partial(_inexact_times, "compared"),
    "inexact": partial(_inexact_times, "taken"),
    "unequal": _unequal_times,
    "too exact": _too_exact,
}
"""The sentences of these notes by their words; that of dates of columns, `coarse`, is in `notes`."""
