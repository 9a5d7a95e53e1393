"""Comparisons by order with an output that has no number: nothing satisfies them, and a count of what does is 0.

So a rank that is written by hand, the count of those that have more, plus 1, would make what has no number the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.cypher.compile.context import Block, CompileContext
from cgstore.cypher.compile.iteration import body_of, run_for_each
from cgstore.query import operators as ops
from cgstore.query.operands import OrderComparison, Output, parts_of


def unmet_blocks(number: int, step: ops.Step, context: CompileContext) -> list[Block]:
    """The block that counts the elements of an iteration for which the right side of a comparison has no number."""
    sides = _sides_in_body(number, step, context)
    if not (sides and isinstance(step, ops.Iteration)):
        return []
    body = body_of(number, step, context, last=max(side.step for side in sides))
    tests = " OR ".join(_is_without_number(side, context) for side in sides)
    lines = [*body.start, *run_for_each(body, [f"RETURN CASE WHEN {tests} THEN 1 ELSE 0 END AS one"])]
    return [Block(body.imports, [*lines, f"RETURN sum(one) AS unmet{number + 1}"])]


def unmet_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of such comparisons, as of `notes.note_of`. An empty answer has a note of its own."""
    answered = f"size({context.elements_of_step(context.plan.answer)}) > 0"
    if isinstance(step, ops.Iteration):
        if not _sides_in_body(number, step, context):
            return None
        return f"[{number}, 'unmet of', CASE WHEN {answered} THEN unmet{number + 1} ELSE 0 END]"
    if sides := [comparison.operand for comparison in parts_of(step, OrderComparison)]:
        return f"[{number}, 'unmet', {answered} AND ({' OR '.join(_is_without_number(s, context) for s in sides)})]"
    return None


def _sides_in_body(number: int, step: ops.Step, context: CompileContext) -> list[Output]:
    """What the comparisons by order in the body of an iteration compare with, where it depends on the element."""
    return list(dict.fromkeys(_each_side(number, step, context))) if isinstance(step, ops.Iteration) else []


def _each_side(number: int, step: ops.Iteration, context: CompileContext) -> Iterator[Output]:
    each = step.each.step
    for inner in context.plan.steps[each + 1 : number]:
        yield from (c.operand for c in parts_of(inner, OrderComparison) if c.operand.step >= each)


def _is_without_number(side: Output, context: CompileContext) -> str:
    """An expression for whether an output has no number."""
    if side.step in context.stretched:
        return f"size(t{side.step + 1}) = 0"
    if context.holds_numbers(side):
        return f"size(q{side.step + 1}) = 0"
    return f"NOT any(e IN {context.carriers_of_step(side.step)} WHERE e.num IS NOT NULL)"
