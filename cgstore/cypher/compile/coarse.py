"""Dates that are only a year or a month, where something more exact is needed: what the notes of them count.

Such a date is compared and counted as its first day (language page, "Comparisons"), so whether it satisfies the
comparison is not known: 2004 may lie before 10 June 2004 or after it. The start and the end of a temporal fact may be
such dates too. They equal none of the times at which facts hold, which are days.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cgstore.cypher.compile.context import ELEMENT, EXAMPLES, CompileContext
from cgstore.cypher.compile.pattern import pattern_of
from cgstore.cypher.compile.texts import MONTH, YEAR
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
from cgstore.text.dates import Step, coarser
from cgstore.text.kinds import ValueKind


def coarse_lines(number: int, step: ops.Step, context: CompileContext) -> list[str]:
    """The subquery that finds the coarse dates beside the bounds of a search: how many, and a few of them."""
    relations, starts = _compared(step)
    if not (relations and starts):
        return []
    return context.subquery(
        [
            f"UNWIND {context.parameter(step, 'dates', relations)} AS relation",
            f"UNWIND {context.parameter(step, 'starts', starts)} AS start",
            "MATCH ()-[v:CG_VALUE {node1: relation, num: start}]->()",
            "USING INDEX SEEK v:CG_VALUE(node1, num)",
            f"WHERE {_is_coarse('v.node2')} AND size(v.condition) IN [1, 3]",
            "WITH collect(v) AS coarse",
            f"RETURN [size(coarse), [v IN coarse | [v.node2, v.node1]][..{EXAMPLES}]] AS coarse{number + 1}",
        ]
    )


def coarse_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a step that compares dates, as of `notes.note_of`; None where no date can be too coarse."""
    if isinstance(step, ops.Selection) and isinstance(step.operand, Output):
        times = context.plan.types[step.operand.step].time_keys
        relations = [*_dates(context.scope.relations), *_bounds_of_facts(times)]
        starts = _starts(step.value)
        if context.kind_of(step.operand) is not OutputKind.NODES or not (relations and starts):
            return None
        of_dates = f"e.node1 IN {context.parameter(step, 'dates', relations)}"
        beside = f"e.num IN {context.parameter(step, 'starts', starts)} AND {_is_coarse(ELEMENT)}"
        coarse = (
            f"[e IN {context.carriers_of_step(step.operand.step)} WHERE {of_dates} AND {beside} | [{ELEMENT}, e.node1]]"
        )
        return f"[coarse IN [{coarse}] | [{number}, 'coarse', size(coarse), coarse[..{EXAMPLES}]]][0]"
    return f"[{number}, 'coarse', coarse{number + 1}[0], coarse{number + 1}[1]]" if all(_compared(step)) else None


def _compared(step: ops.Step) -> tuple[list[str], list[float]]:
    """The relations of dates that a search compares, and where the years and months of its bounds begin.

    Qualifiers are left out, since their values have no kind. The starts and ends of temporal facts are not.
    """
    if isinstance(step, ops.SearchNode | ops.SearchCondition):
        pattern = pattern_of(step)
        for node1, comparisons in ((pattern.relation, pattern.tail), (pattern.key, pattern.value)):
            if not isinstance(node1, Names) or not (starts := _starts(comparisons)):
                continue
            if node1.time_key:
                return _bounds_of_facts(node1.nodes), starts
            if not node1.of_facts:
                return _dates(node1), starts
    return [], []


def _bounds_of_facts(keys: Iterable[Named]) -> list[str]:
    """The keys `start time` and `end time` of sources by day or by month, whose values may be less exact."""
    return [node.key for node in keys if node.name != TimeKey.TIME and node.step in (Step.DAY, Step.MONTH)]


def inexact_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a step that takes the number of a start or end that is less exact than its source's times."""
    several = isinstance(step, ops.Aggregate | ops.Sorting)
    found = []
    for operand in _numbers_taken(step):
        keys = context.plan.types[operand.step].time_keys
        if operand.step in context.carried and (bounds := _bounds_of_facts(keys)):
            carriers = context.carriers_of_step(operand.step)
            by_day = context.parameter(operand, "by_day", [node.key for node in keys if node.step == Step.DAY])
            is_inexact = f"({ELEMENT} =~ '{YEAR}' OR e.node1 IN {by_day} AND {ELEMENT} =~ '{MONTH}')"
            is_bound = f"e.node1 IN {context.parameter(operand, 'bounds', bounds)}"
            beside = f" AND size({carriers}) > 1" if several else ""
            found.append(f"[e IN {carriers} WHERE {is_bound} AND {is_inexact}{beside} | [{ELEMENT}, e.node1]]")
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
        case ops.Sorting(by_name=False):
            operands = [step.operand]
    yield from (operand for operand in operands if isinstance(operand, Output))


def unequal_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a search at the times of an output that are less exact than those of its source."""
    if not isinstance(step, ops.SearchNode | ops.SearchCondition):
        return None
    pattern = pattern_of(step)
    if not isinstance(pattern.key, Names) or not pattern.key.time_key:
        return None
    steps = [Step(node.step) for node in pattern.key.nodes if node.step]
    finest = max(steps, key=list(Step).index, default=Step.YEAR)
    for comparison in pattern.value:
        if isinstance(comparison, NodeEquality) and isinstance(comparison.operand, Output) and finest != Step.YEAR:
            if context.kind_of(comparison.operand) is not OutputKind.NODES:
                continue
            times = f"q{comparison.operand.step + 1}"
            is_coarse = _is_coarse("x") if finest == Step.DAY else f"x =~ '{YEAR}'"
            found = f"[x IN {times} WHERE {is_coarse}]"
            return f"[coarse IN [{found}] | [{number}, 'unequal', size(coarse), coarse[..{EXAMPLES}], '{finest}']][0]"
    return None


def _dates(relations: Names) -> list[str]:
    return [node.key for node in relations.nodes if node.kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)]


def _starts(comparisons: tuple[Comparison, ...]) -> list[float]:
    """The numbers of the years and months in which the bounds of order comparisons lie."""
    bounds = [
        bound
        for comparison in comparisons
        if isinstance(comparison, Range) and (comparison.low is None or comparison.high is None)
        for bound in (comparison.low, comparison.high)
        if bound is not None
    ]
    return sorted({start for bound in bounds for start in coarser(bound)})


def unequal_times(count: int, times: Sequence[str], step: str) -> str:
    """The sentence of `unequal_note`."""
    shown, more = ", ".join(times), ", ..." if count > len(times) else ""
    return (
        f"no {step} equals what is less exact ({shown}{more}), so nothing was found there. "
        f"Write value='{times[0]}' for all of its {step}s."
    )


def _is_coarse(text: str) -> str:
    return f"({text} =~ '{YEAR}' OR {text} =~ '{MONTH}')"
