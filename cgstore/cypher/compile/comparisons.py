"""Conditions on the elements of a search: what a comparison asks of a key or of a number."""

from __future__ import annotations

from collections.abc import Iterable

from cgstore.cypher.compile.calendar import number_lines
from cgstore.cypher.compile.context import CompileContext, call_lines
from cgstore.query.operands import Comparison, NodeEquality, NumberEquality, OrderComparison, Range


def bound_lines(comparisons: Iterable[Comparison], context: CompileContext) -> list[str]:
    """Binds the least and the greatest number, `low1` and `high1`, of the outputs that comparisons are with."""
    lines: list[str] = []
    for comparison in comparisons:
        if isinstance(comparison, OrderComparison) and context.first_use_of_bounds(comparison):
            operand = comparison.operand
            place = operand.step + 1
            if of := context.stretched.get(operand.step):
                found = context.stretches(operand)
                body = [f"UNWIND {found} AS s", "WITH min(s.first) AS first, max(s.last) AS last"]
                body += [*number_lines(("first", "last"), of), f"RETURN first AS low{place}, last AS high{place}"]
                lines += call_lines([found], body)
                continue
            numbers = f"UNWIND {context.numbers(operand)} AS number"
            body = [numbers, f"RETURN min(number) AS low{place}, max(number) AS high{place}"]
            lines += call_lines([context.with_numbers(operand)], body)
    return lines


def tests(node: str, number: str, comparison: Comparison, context: CompileContext) -> list[str]:
    """The conditions on an element, given the expressions for its key and for its number."""
    match comparison:
        case NodeEquality(operand=operand):
            return [f"{node} IN {context.list_of(operand)}"]
        case NumberEquality(operand=operand):
            numbers = f"{number} IN {context.equal_numbers(operand)}"
            by_number = context.holds_numbers(operand)
            return [numbers if by_number else f"({node} IN {context.output(operand)} OR {numbers})"]
        case Range(low=low, high=high):
            above, below = ">" if comparison.low_open else ">=", "<" if comparison.high_open else "<="
            bounds = [("low", above, low), ("high", below, high)]
            return [
                f"{number} {op} {context.parameter(comparison, part, bound)}"
                for part, op, bound in bounds
                if bound is not None
            ]
        case OrderComparison(op=op, operand=operand):
            return [f"{number} {op} {'low' if op.startswith('>') else 'high'}{operand.step + 1}"]
    raise AssertionError("a search by frequency starts from the superlative and never tests it")
