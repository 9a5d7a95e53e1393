"""Dates that are only a year or a month, beside a comparison that needs more: what the note of them counts.

Such a date is compared as its first day (language page, "Comparisons"), so whether it satisfies the comparison is not
known: 2004 may lie before 10 June 2004 or after it.
"""

from __future__ import annotations

from cgstore.cypher.compile.context import ELEMENT, EXAMPLES, CompileContext
from cgstore.cypher.compile.pattern import pattern_of
from cgstore.cypher.compile.texts import MONTH, YEAR
from cgstore.query import operators as ops
from cgstore.query.operands import Comparison, Names, Output, OutputKind, Range
from cgstore.text.dates import coarser
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
            f"WHERE {_is_coarse('v.node2')} AND size(v.condition) = 1",
            "WITH collect(v) AS coarse",
            f"RETURN [size(coarse), [v IN coarse | [v.node2, v.node1]][..{EXAMPLES}]] AS coarse{number + 1}",
        ]
    )


def coarse_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a step that compares dates, as of `notes.note_of`; None where no date can be too coarse."""
    if isinstance(step, ops.Selection) and isinstance(step.operand, Output):
        relations, starts = _dates(context.scope.relations), _starts(step.value)
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

    Qualifiers are left out, since their values have no kind.
    """
    if isinstance(step, ops.SearchNode | ops.SearchCondition):
        pattern = pattern_of(step)
        for node1, comparisons in ((pattern.relation, pattern.tail), (pattern.key, pattern.value)):
            if isinstance(node1, Names) and not node1.of_facts and (starts := _starts(comparisons)):
                return _dates(node1), starts
    return [], []


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


def _is_coarse(text: str) -> str:
    return f"({text} =~ '{YEAR}' OR {text} =~ '{MONTH}')"
