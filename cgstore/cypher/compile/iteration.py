"""Steps that are run for one element at a time: numbers for each element, groups, and records.

The steps from `EachElement` on stand in a subquery within that of the step that iterates, which runs them for each
element and takes what they give. A set with numbers is a list of maps, `g3`, beside its elements, `q3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cgstore.cypher.compile.context import ELEMENT, CompileContext, call_lines
from cgstore.cypher.compile.functions import in_order
from cgstore.cypher.compile.notes import EXAMPLES
from cgstore.cypher.compile.steps import step_lines
from cgstore.query import operators as ops
from cgstore.query.operands import Output
from cgstore.query.plan import Plan

_STEP_OF = re.compile(r"[a-z]+(\d+)")

_OF_ALL = {
    "sum": "CASE WHEN count(number) > 0 THEN sum(number) END",
    "mean": "avg(number)",
    "min": "min(number)",
    "max": "max(number)",
    "median": "percentileCont(number, 0.5)",
    "standard_deviation": "CASE WHEN count(number) > 1 THEN stDev(number) END",
}
"""The number of a group by its function: nothing where it has none."""

GREATEST = "1.7976931348623157e308"


class Body(NamedTuple):
    """The steps that are run for each element.

    Attributes:
        start: binds the element as x, and es, what carries it, where that is needed.
        bound: the variables of an element.
        lines: the steps.
        imports: the variables of the program around them that they use.
    """

    start: list[str]
    bound: list[str]
    lines: list[str]
    imports: list[str]


def plan_lines(plan: Plan, context: CompileContext) -> list[str]:
    """The subqueries of all steps of a plan; those that are run for each element stand within the one that iterates."""
    lines: list[str] = []
    for number, step in enumerate(plan.steps):
        match step:
            case _ if number in plan.repeated:
                pass
            case ops.ForEach():
                lines += _for_each(number, step, context)
            case ops.Grouping():
                lines += _grouping(number, step, context)
            case ops.Records():
                lines += _records(number, step, context)
            case _:
                lines += step_lines(number, step, context)
    return lines


def body_of(number: int, step: ops.Iteration, context: CompileContext) -> Body:
    """The steps that an iteration runs for each element."""
    each, operand = step.each.step, step.operand
    if each in context.carried:
        carriers = context.carriers(operand)
        start = [f"UNWIND {carriers} AS e", f"WITH {ELEMENT} AS x, collect(e) AS es"]
        bound = ["x", "es"]
        returned = f"RETURN [x] AS q{each + 1}, es AS {context.carriers_of_step(each)}"
    else:
        start, bound = [f"UNWIND {context.list_of(operand)} AS x"], ["x"]
        returned = f"RETURN [x] AS q{each + 1}"
    around = list(context.used_outputs)
    context.used_outputs.clear()
    lines = call_lines(bound, [returned])
    for inner in range(each + 1, number):
        lines += step_lines(inner, context.plan.steps[inner], context)
    imports = [name for name in imported_by(lines) if not is_within(name, each, number)]
    return Body(start, bound, lines, list(dict.fromkeys([*around, *imports])))


def run_for_each(body: Body, returned: Sequence[str]) -> list[str]:
    """Runs the steps for the x of each row."""
    return call_lines([*body.bound, *body.imports], [*body.lines, *returned])


def imported_by(lines: Sequence[str]) -> Iterator[str]:
    """The variables that subqueries import."""
    for line in lines:
        if line.startswith("CALL ("):
            yield from (name for name in line.removeprefix("CALL (").removesuffix(") {").split(", ") if name)


def is_within(name: str, each: int, number: int) -> bool:
    """Whether a variable is of a step of the body, or of its element."""
    step = _STEP_OF.match(name)
    return step is None or each <= int(step[1]) - 1 < number


def _numbers_with_texts(operand: Output, context: CompileContext) -> str:
    """An expression for the numbers of an output of the body, each with the text that it was read from, or null."""
    if context.holds_numbers(operand):
        expression = f"[n IN {context.list_of(operand)} | [toFloat(n), null]]"
    else:
        text = "e.text" if context.has_numbers(operand) else ELEMENT
        expression = f"[e IN {context.carriers(operand)} WHERE e.num IS NOT NULL | [toFloat(e.num), {text}]]"
    context.used_outputs.clear()  # the body itself binds them
    return expression


def _for_each(number: int, step: ops.ForEach, context: CompileContext) -> list[str]:
    body, numbered = body_of(number, step, context), f"g{number + 1}"
    found = [
        f"UNWIND {_numbers_with_texts(step.value, context)} AS pair",
        "WITH pair[0] AS number, min(pair[1]) AS text",
        "RETURN collect([number, text]) AS numbers",
    ]
    lines = [
        *body.start,
        *run_for_each(body, found),
        f"WITH x, numbers WHERE size(numbers) = 1 AND abs(numbers[0][0]) <= {GREATEST}",
        f"WITH collect({{key: x, num: numbers[0][0], text: numbers[0][1]}}) AS {numbered}",
        f"RETURN [e IN {numbered} | e.key] AS q{number + 1}, {numbered}",
    ]
    return call_lines(body.imports, lines)


def _grouping(number: int, step: ops.Grouping, context: CompileContext) -> list[str]:
    body, numbered = body_of(number, step, context), f"g{number + 1}"
    if step.of is None:
        found = "[x]"
    else:
        found = _numbers_with_texts(step.of, context) if step.measures_numbers else f"q{step.of.step + 1}"
    lines = [
        *body.start,
        *run_for_each(
            body, [f"RETURN q{step.by.step + 1} AS keys, {found} AS found, {_unread(step, context)} AS unread"]
        ),
        "WITH collect([keys, found]) AS rows, collect(unread) AS unreads",
        *call_lines(["unreads"], ["UNWIND unreads AS some", "UNWIND some AS one", "RETURN collect(one) AS unread"]),
        *call_lines(["rows"], _grouped(step)),
        f"WITH [e IN groups WHERE abs(e.num) <= {GREATEST}] AS {numbered}, size(groups) AS groups, unread, "
        "size([row IN rows WHERE row[0] = []]) AS lost",
        f"RETURN [e IN {numbered} | e.key] AS q{number + 1}, {numbered}, "
        f"[lost, groups - size({numbered}), size(unread), unread[..{EXAMPLES}]] AS lost{number + 1}",
    ]
    return call_lines(body.imports, lines)


def _unread(step: ops.Grouping, context: CompileContext) -> str:
    """An expression for the values of an element that are not numbers, where these are needed."""
    if step.of is None or not step.measures_numbers or context.holds_numbers(step.of):
        return "[]"
    unread = f"[e IN {context.carriers(step.of)} WHERE e.num IS NULL | [{ELEMENT}, e.node1]]"
    context.used_outputs.clear()
    return unread


def _grouped(step: ops.Grouping) -> list[str]:
    """The groups of rows [keys, found]: a group without a number has null."""
    rows = [
        "UNWIND rows AS row",
        "UNWIND row[0] AS x",
        "UNWIND CASE row[1] WHEN [] THEN [null] ELSE row[1] END AS each",
    ]
    if not step.measures_numbers:
        number = "toFloat(count(DISTINCT each))"
    elif step.function in ("min", "max"):
        first = "CASE WHEN p[0] = number AND coalesce(p[1] < text, true) THEN p[1] ELSE text END"
        text = f"reduce(text = null, p IN pairs | {first})"
        return [
            *rows,
            f"WITH x, {step.function}(each[0]) AS number, collect(each) AS pairs",
            f"RETURN collect({{key: x, num: number, text: {text}}}) AS groups",
        ]
    else:
        number = _OF_ALL[step.function].replace("number", "each[0]")
    return [*rows, f"WITH x, {number} AS number", "RETURN collect({key: x, num: number}) AS groups"]


def _records(number: int, step: ops.Records, context: CompileContext) -> list[str]:
    """The records in the order of the operand, each a list of fields, each a list of names or numbers."""
    body = body_of(number, step, context)
    ordered = in_order(step.operand, context)
    around = [*context.used_outputs, *body.imports]
    context.used_outputs.clear()
    fields, returned = [], []
    for place, column in enumerate(step.columns):
        lines = in_order(column, context)
        imports = list(context.used_outputs)
        context.used_outputs.clear()
        returned += call_lines(imports, [*lines, f"RETURN collect(name) AS field{place}"])
        fields.append(f"field{place}")
    with_number = context.has_numbers(step.operand)
    if with_number:
        fields.append("[coalesce(number[1], number[0])]")
    elements = ["x", *(["number"] if with_number else [])]
    start = [*ordered, f"WITH {', '.join(elements)} LIMIT $limit"]
    if "es" in body.bound:
        of_element = f"[e IN {context.carriers_of_step(step.operand.step)} WHERE {ELEMENT} = x]"
        start.append(f"WITH *, {'[{key: x, num: number[0], text: number[1]}]' if with_number else of_element} AS es")
    returned.append(f"RETURN {', '.join(fields[: len(step.columns)])}")
    lines = [
        *start,
        *run_for_each(body, returned),
        f"RETURN collect([{', '.join(fields)}]) AS q{number + 1}, collect(x) AS k{number + 1}",
    ]
    return call_lines(list(dict.fromkeys(around)), lines)
