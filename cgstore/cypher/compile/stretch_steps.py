"""Steps over stretches of times: `tN` holds the stretches of an output, with the facts that hold in them.

`sizeN` says how many times there are. A step that reads stretches may give each time, where a step after it needs that.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.cypher.compile.calendar import named_lines
from cgstore.cypher.compile.comparisons import bound_lines
from cgstore.cypher.compile.context import Block, CompileContext, call_lines
from cgstore.cypher.compile.periods import each_time_lines, earlier, later, merged_lines, stretch_lines, time_bounds
from cgstore.cypher.compile.stretches import ENDS, operands_read
from cgstore.query import operators as ops
from cgstore.query.operands import Comparison, Output
from cgstore.text.dates import Step


def common(one: str, other: str) -> str:
    """An expression for the part of a stretch that lies in another."""
    first, last = later(f"{one}.first", f"{other}.first"), earlier(f"{one}.last", f"{other}.last")
    return f"{one} {{.*, first: {first}, last: {last}}}"


def overlap(one: str, other: str) -> str:
    """An expression for whether two stretches have a time in common."""
    return f"{one}.first <= {other}.last AND {one}.last >= {other}.first"


def stretched_lines(number: int, step: ops.Step, context: CompileContext) -> list[str] | None:
    """The body of a step that works on the stretches of its operands; None where it is another one."""
    operands = operands_read(step, context.stretched)
    if not operands:
        return None
    of = context.stretched[operands[0].step]
    match step:
        case ops.Aggregate(function="count"):
            return [f"RETURN [{context.size(operands[0])}] AS q{number + 1}"]
        case ops.Aggregate(function="exists"):
            return [f"RETURN [CASE WHEN {context.size(operands[0])} > 0 THEN 'yes' ELSE 'no' END] AS q{number + 1}"]
        case ops.Aggregate(function=function):
            found = _at_end(ENDS[function], operands[0], context)
        case ops.Selection(value=value):
            found = _within(of, operands[0], value, context)
        case _:
            assert isinstance(step, ops.SetOperation)
            found = _in_all(operands, context) if step.function == "set_intersection" else _in_any(operands, context)
    return [*found, *(returned(number) if number in context.stretched else _each_returned(number, of, context))]


def returned(number: int) -> list[str]:
    """Ends a subquery whose rows are stretches s: returns all in order, and the number of different times."""
    place = number + 1
    new = later("s.first", "seen[1] + 1")
    counted = f"CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - {new} + 1, s.last] ELSE seen END"
    return [
        "WITH DISTINCT s ORDER BY s.first",
        f"WITH collect(s) AS t{place}",
        f"RETURN t{place}, reduce(seen = [0, t{place}[0].first - 1], s IN t{place} | {counted})[0] AS size{place}",
    ]


def _each_returned(number: int, of: Step, context: CompileContext) -> list[str]:
    """The end of such a subquery where each time is needed."""
    carriers = f", collect(DISTINCT e) AS m{number + 1}" if number in context.carried else ""
    return [*each_time_lines(of), f"RETURN collect(DISTINCT e.node2) AS q{number + 1}{carriers}"]


def _at_end(end: str, operand: Output, context: CompileContext) -> list[str]:
    """Rows (s) of the first or the last time of all, as a stretch."""
    function = "min" if end == "first" else "max"
    found = context.stretches(operand)
    return [
        f"UNWIND {found} AS s",
        f"WITH {function}(s.{end}) AS extreme",
        f"UNWIND [s IN {found} WHERE s.{end} = extreme | s {{.*, first: extreme, last: extreme}}] AS s",
    ]


def _within(of: Step, operand: Output, value: Sequence[Comparison], context: CompileContext) -> list[str]:
    """Rows (s) of the parts of stretches that satisfy comparisons."""
    lines = bound_lines(value, context)
    bounds, low, high = time_bounds(of, value, context)
    tests = [*([f"s.last >= {low}"] if low else []), *([f"s.first <= {high}"] if high else [])]
    part = [f"first: {later('s.first', low)}"] if low else []
    part += [f"last: {earlier('s.last', high)}"] if high else []
    return [
        *lines,
        *bounds,
        f"UNWIND {context.stretches(operand)} AS s",
        f"WITH * WHERE {' AND '.join(tests)}",
        f"WITH s {{.*, {', '.join(part)}}} AS s",
    ]


def _in_any(operands: Sequence[Output], context: CompileContext) -> list[str]:
    """Rows (s) of the stretches of all operands."""
    return [f"UNWIND {' + '.join(context.stretches(operand) for operand in operands)} AS s"]


def _in_all(operands: Sequence[Output], context: CompileContext) -> list[str]:
    """Rows (s) of the parts of all operands' stretches that lie in those of each other operand."""
    names = [context.stretches(operand) for operand in operands]
    bodies = []
    for place, name in enumerate(names):
        body = [f"UNWIND {name} AS s"]
        for other in [*names[:place], *names[place + 1 :]]:
            body += [
                *call_lines([other], [*merged_lines(other), "RETURN each"]),
                f"WITH s, each WHERE {overlap('s', 'each')}",
                f"WITH {common('s', 'each')} AS s",
            ]
        bodies.append([*body, "RETURN s"])
    lines = [line for body in bodies for line in ["UNION ALL", *body]][1:]
    return call_lines(list(dict.fromkeys(names)), lines)


def answer_lines(answer: Output, context: CompileContext) -> list[str]:
    """The end of a statement whose answer is stretches: the first ones up to the limit of times.

    The reader of the row makes times of them.
    """
    found, size = context.stretches(answer), context.size(answer)
    last = [
        f"UNWIND CASE WHEN {size} > $limit THEN {found} ELSE [] END AS s",
        "UNWIND range(s.first, s.last) AS place",
        "WITH DISTINCT place ORDER BY place",
        "RETURN collect(place)[$limit - 1] AS last",
    ]
    part = f"{{first: s.first, last: {earlier('last', 's.last')}}}"
    return [
        *call_lines([found, size], last),
        f"WITH [s IN {found} WHERE last IS NULL OR s.first <= last | {part}] AS found",
        "RETURN [s IN found | [s.first, s.last]] AS answer, found",
    ]


def among(names: Sequence[str], stretches: Sequence[str], of: Step, output: str) -> Block:
    """The block that makes one list of stretches of lists of names of times, and of lists of stretches."""
    lines, lists = list[str](), list(stretches)
    if names:
        named = [
            f"UNWIND {' + '.join(names)} AS name",
            *named_lines("name", of),
            "WITH DISTINCT place",
            *stretch_lines(),
        ]
        lines += call_lines(names, [*named, "RETURN collect(each) AS named"])
        lists.append("named")
    lines += [*merged_lines(" + ".join(lists)), f"RETURN collect(each) AS {output}"]
    return Block([*names, *stretches], lines)
