"""Which steps give times as stretches, by how their outputs are used.

A stretch is times in a row, by the first and the last of them. A search for times that are kept as periods finds
stretches. Where nothing needs each of these times, such as where the least of them is asked for, the output of the
search stays a list of stretches, and a period of thirty years is one element and not 11,000. The definition stays what
it is: a list of stretches stands for the times in them, and where these are many and one is needed, it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cgstore.query import operators as ops
from cgstore.query.operands import (
    Names,
    NodeEquality,
    NumberEquality,
    Operand,
    OrderComparison,
    Output,
    Range,
    parts_of,
)
from cgstore.query.plan import Plan
from cgstore.text.dates import Step

Stretched = dict[int, Step]
"""The steps whose outputs are stretches, each with how far apart its times are."""

ENDS = {"min": "first", "first": "first", "max": "last", "last": "last"}
"""The functions that give one time of many, and the end of a stretch at which it stands."""


def stretched_steps(plan: Plan) -> Stretched:
    """The steps whose outputs stay stretches: those that may, less those of which a step needs each time."""
    found: Stretched = {}
    apart = {each.step for each in plan.mixing}  # the sources of their elements are counted
    for number, step in enumerate(plan.steps):
        if number not in apart and (of := _step_of(step, found)):
            found[number] = of
    while True:
        written = set(_needed_one_by_one(plan, found))
        written |= {number for number in found if not _step_of(plan.steps[number], found)}
        if not written & found.keys():
            return found
        found = {number: of for number, of in found.items() if number not in written}


def operands_read(step: ops.Step, found: Stretched) -> tuple[Output, ...]:
    """The operands whose stretches a step works on, whatever it gives; nothing where it needs each time of them."""
    operands: tuple[Operand, ...] = ()
    match step:
        case ops.Selection(operand=operand, value=value) if all(isinstance(c, Range | OrderComparison) for c in value):
            operands = (operand,)
        case ops.SetOperation(function="set_union" | "set_intersection"):
            operands = step.operands
        case ops.Aggregate(function="count" | "exists", operand=operand):
            operands = (operand,)
        case ops.Aggregate(function=function, operand=operand, n=None) if function in ENDS:
            operands = (operand,)
    outputs = tuple(operand for operand in operands if isinstance(operand, Output))
    steps = {found.get(output.step) for output in outputs}
    return outputs if len(outputs) == len(operands) and len(steps) == 1 and None not in steps else ()


def periods_step(key: object) -> Step | None:
    """How far apart the times of a key are, where all of them are kept as periods, and as far apart; else None."""
    if not isinstance(key, Names) or not all(node.periods for node in key.nodes):
        return None
    steps = {Step(node.step or Step.YEAR) for node in key.nodes}
    return steps.pop() if len(steps) == 1 else None


def _step_of(step: ops.Step, found: Stretched) -> Step | None:
    """How far apart the times of a step's output are, where it may be stretches."""
    match step:
        case ops.Search(asked=ops.Part.VALUE, key=key):
            return periods_step(key)
        case ops.Aggregate(function="count" | "exists"):
            return None
    operands = operands_read(step, found)
    return found[operands[0].step] if operands else None


def _needed_one_by_one(plan: Plan, found: Stretched) -> Iterator[int]:
    """The steps of which a step needs each time."""
    for step in plan.steps:
        used = Counter(output.step for output in parts_of(step, Output))
        yield from used - Counter(output.step for output in _used_as_stretches(step, found))


def _used_as_stretches(step: ops.Step, found: Stretched) -> Iterator[Output]:
    """The outputs that a step uses without needing each time, as often as it uses them so."""
    yield from (comparison.operand for comparison in parts_of(step, OrderComparison))
    yield from operands_read(step, found)
    if not isinstance(step, ops.Search):
        return
    for comparison in step.value:
        operand = comparison.operand if isinstance(comparison, NodeEquality | NumberEquality) else None
        if isinstance(operand, Output) and found.get(operand.step) is periods_step(step.key):
            yield operand
