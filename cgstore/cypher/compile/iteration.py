"""Steps that are run for one element at a time: numbers for each element, groups, and records.

The steps from `EachElement` on stand in a subquery within that of the step that iterates, which runs them for each
element and takes what they give. A set with numbers is a list of maps, `g3`, beside its elements, `q3`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cgstore.cypher.compile.context import ELEMENT, EXAMPLES, SHOWN, Block, CompileContext, call_lines
from cgstore.cypher.compile.functions import GREATEST, NUMBER_OF_ALL, in_order, number_of_two
from cgstore.cypher.compile.pattern import clauses, facts_alone
from cgstore.cypher.compile.seeks import seek
from cgstore.cypher.compile.steps import step_blocks
from cgstore.cypher.compile.texts import result_lines
from cgstore.query import operators as ops
from cgstore.query.operands import Constant, Names, Output, parts_of
from cgstore.query.plan import Plan

_STEP_OF = re.compile(r"[a-z]+(\d+)")

_OF_GROUP = {
    **NUMBER_OF_ALL,
    "sum": f"CASE WHEN count(number) > 0 THEN {NUMBER_OF_ALL['sum']} END",
    "min": "min(number)",
    "max": "max(number)",
    "count": "toFloat(count(DISTINCT item))",
}
"""The number of a group by its function: nothing where it has none."""


class Relations(NamedTuple):
    """The relations of `by` and `of`, where a group needs no more than these, and what is worked out of the former.

    `by` is None where each element is a group, `of` where elements are counted, `worked_out` where the values of `by`
    are the groups themselves.
    """

    by: Names | None
    of: Names | None
    worked_out: ops.EachNumber | None = None


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


def plan_blocks(plan: Plan, context: CompileContext) -> list[Block]:
    """The blocks of all steps of a plan; those that are run for each element stand within the one that iterates."""
    blocks: list[Block] = []
    scanned = scanned_heads(context)
    for number, step in enumerate(plan.steps):
        match step:
            case _ if number in plan.repeated:
                pass
            case ops.Search() if number in scanned:
                context.values["shown"] = SHOWN
                first = ["WITH DISTINCT f.head AS x LIMIT $shown", f"RETURN collect(x) AS q{number + 1}"]
                blocks.append(context.block([*clauses(step, context), *first]))
            case ops.ForEach():
                blocks.append(_for_each(number, step, context))
            case ops.Grouping():
                blocks.append(_grouping(number, step, context))
            case ops.Records():
                blocks.append(_records(number, step, context))
            case _:
                blocks += step_blocks(number, step, context)
    return blocks


def body_of(number: int, step: ops.Iteration, context: CompileContext, last: int | None = None) -> Body:
    """The steps that an iteration runs for each element, or those up to the step `last`."""
    each, operand = step.each.step, step.operand
    if each in context.carried:
        carriers = context.carriers(operand)
        start = [f"UNWIND {carriers} AS e", f"WITH {ELEMENT} AS x, collect(e) AS es"]
        bound = ["x", "es"]
        returned = f"RETURN [x] AS q{each + 1}, es AS {context.carriers_of_step(each)}"
    else:
        start, bound = [f"UNWIND {context.list_of(operand)} AS x"], ["x"]
        returned = f"RETURN [x] AS q{each + 1}"
    around = context.take_used()
    blocks = [Block(bound, [returned])]
    for inner in range(each + 1, number if last is None else last + 1):
        blocks += step_blocks(inner, context.plan.steps[inner], context)
    imports = imported_from_outside(blocks, each, number)
    for result in (result.step for result in step.results if result.step < each):  # the same for each element
        imports += [f"q{result + 1}", *([context.carriers_of_step(result)] if result in context.carried else [])]
    return Body(start, bound, lines_of(blocks), list(dict.fromkeys([*around, *imports])))


def run_for_each(body: Body, returned: Sequence[str]) -> list[str]:
    """Runs the steps for the x of each row."""
    return call_lines([*body.bound, *body.imports], [*body.lines, *returned])


def lines_of(blocks: Iterable[Block]) -> list[str]:
    """The lines of blocks, each as a subquery."""
    return [line for block in blocks for line in block.lines]


def imported_from_outside(blocks: Iterable[Block], each: int, number: int) -> list[str]:
    """The variables that blocks of the body of an iteration import, but for those of its own steps and its element."""
    names = [name for block in blocks for name in block.imports]
    steps = {name: int(found[1]) - 1 for name in names if (found := _STEP_OF.match(name))}
    return [name for name in names if name in steps and not each <= steps[name] < number]


def _numbers_with_texts(operand: Output, context: CompileContext) -> str:
    """An expression for the numbers of an output of the body: lists of a number, its text and its relation."""
    if context.holds_numbers(operand):
        expression = f"[n IN {context.list_of(operand)} | [toFloat(n), null, null]]"
    elif context.has_numbers(operand):
        expression = f"[e IN {context.carriers(operand)} | [e.num, e.text, null]]"
    else:
        expression = f"[e IN {context.carriers(operand)} | [toFloat(e.num), coalesce(e.node2, e.name), e.node1]]"
    context.take_used()  # the body itself binds them
    return expression


def _for_each(number: int, step: ops.ForEach, context: CompileContext) -> Block:
    numbered = f"g{number + 1}"
    rows, imports = _numbers_of_columns(step, context) or _numbers_of_calls(number, step, context)
    lines = [
        *rows,
        f"WITH x, number, text WHERE abs(number) <= {GREATEST}",
        f"WITH collect({{key: x, num: number, text: text}}) AS {numbered}",
        f"RETURN [e IN {numbered} | e.key] AS q{number + 1}, {numbered}",
    ]
    return Block(imports, lines)


def _numbers_of_calls(number: int, step: ops.ForEach, context: CompileContext) -> tuple[list[str], list[str]]:
    """The rows (x, number, text) of the single numbers that a call gives for each element; and what they use."""
    body = body_of(number, step, context)
    found = [
        f"UNWIND {_numbers_with_texts(step.value, context)} AS pair",
        "WITH pair[0] AS number, min(pair[1]) AS text WHERE number IS NOT NULL",
        "RETURN collect([number, text]) AS numbers",
    ]
    single = "WITH x, numbers[0][0] AS number, numbers[0][1] AS text, numbers WHERE size(numbers) = 1"
    return [*body.start, *run_for_each(body, found), single], body.imports


def _numbers_of_columns(step: ops.ForEach, context: CompileContext) -> tuple[list[str], list[str]] | None:
    """Such rows where the number is a value of a column, or arithmetic of such values and constants.

    A row has one value in a column, so that no subquery is run for each row.
    """
    result = context.plan.steps[step.value.step]
    sides = (result.left, result.right) if isinstance(result, ops.Arithmetic) else (step.value,)
    columns = [_relation_of(side, step, context) if isinstance(side, Output) else None for side in sides]
    for side, column in zip(sides, columns, strict=True):
        is_column = column is not None and len(column.nodes) == 1 and column.is_of_tables
        if not (is_column or isinstance(side, Constant)):
            return None
    lines = [f"UNWIND {context.list_of(step.operand)} AS x"]
    imports, numbers = context.take_used(), []
    for side, column, fact in zip(sides, columns, ("f", "g"), strict=False):
        lines += _facts(fact, column, context) if column else []
        numbers.append(f"{fact}.num" if column else f"{context.list_of(side)}[0]")
    if not isinstance(result, ops.Arithmetic):
        return [*lines, "WITH x, toFloat(f.num) AS number, f.node2 AS text"], imports
    named = ", ".join(f"toFloat({each}) AS {name}" for each, name in zip(numbers, ("a", "b"), strict=True))
    return [*lines, f"WITH x, {named}", f"WITH x, {number_of_two(result)} AS number, null AS text"], imports


def _grouping(number: int, step: ops.Grouping, context: CompileContext) -> Block:
    """Groups of rows (x, key, item): an element, the key of a group of it, and what is aggregated of it.

    Numbers are taken of items [number, text, relation]. An element without a group has the key null, one without items
    the item null, and what is not a number the number null. `missing` counts the elements without items in groups with
    a number.
    """
    rows, imports = _rows_of_relations(step, context) or _rows_of_calls(number, step, context)
    numbered, of_numbers = f"g{number + 1}", step.measures_numbers
    unread = "collect(CASE WHEN number IS NULL THEN item[1..] END)" if of_numbers else "[]"
    text = "null"
    if step.function in ("min", "max"):
        first = "CASE WHEN p[0] = number AND coalesce(p[1] < text, true) THEN p[1] ELSE text END"
        text = f"reduce(text = null, p IN items | {first})"
    heads, of_group = "count(DISTINCT x)", "toFloat(heads)" if step.of is None else "number"
    lost, counted, sizes = "sum(CASE WHEN key IS NULL THEN heads END) AS lost", list[str](), ""
    missing = "sum(CASE WHEN key IS NOT NULL AND number IS NOT NULL THEN missing ELSE 0 END) AS missing"
    operand, relations = step.operand.step, relations_of(step, context)
    if operand in scanned_heads(context) and relations and relations.worked_out:  # each head has one group
        lost, sizes = f"{lost}, sum(heads) AS size{operand + 1}", f", size{operand + 1}"
    elif operand in scanned_heads(context):
        heads, of_group = "collect(DISTINCT x)", of_group.replace("heads", "size(heads)")
        lost, sizes = "sum(0) AS lost, collect(heads) AS all_heads", f", size{operand + 1}"
        every = ["UNWIND all_heads AS own", "UNWIND own AS x", f"RETURN count(DISTINCT x) AS size{operand + 1}"]
        counted = call_lines(["all_heads"], every)
    lines = [
        *rows,
        *(["WITH x, key, item, item[0] AS number"] if of_numbers else []),
        f"WITH key, {heads} AS heads, {'null' if step.of is None else _OF_GROUP[step.function]} AS number, "
        f"{'collect(item)' if text != 'null' else '[]'} AS items, {unread} AS unread, "
        f"{_without_items(step, relations)} AS missing",
        f"WITH collect({{key: key, num: {of_group}, text: {text}}}) AS groups, {lost}, {missing}, "
        "collect(CASE WHEN key IS NOT NULL THEN unread END) AS all",
        *counted,
        f"WITH [e IN groups WHERE e.key IS NOT NULL] AS groups, lost, missing{sizes}, "
        "reduce(some = [], u IN all | some + u) AS unread",
        f"WITH [e IN groups WHERE abs(e.num) <= {GREATEST}] AS {numbered}, size(groups) AS groups, lost, missing, "
        f"unread{sizes}",
        f"RETURN [e IN {numbered} | e.key] AS q{number + 1}, {numbered}, "
        f"[lost, groups - size({numbered}), size(unread), unread[..{EXAMPLES}], missing] AS lost{number + 1}{sizes}",
    ]
    return Block(imports, lines)


def _without_items(step: ops.Grouping, relations: Relations | None) -> str:
    """An expression for how many elements of a group have nothing that its number is taken of."""
    if not step.measures_numbers:
        return "0"  # elements are counted, or their different values
    if relations and relations.of and len(relations.of.nodes) > 1:  # a row for each relation, most of them without
        return "count(DISTINCT x) - count(DISTINCT CASE WHEN item IS NOT NULL THEN x END)"
    return "sum(CASE WHEN item IS NULL THEN 1 ELSE 0 END)"


def scanned_heads(context: CompileContext) -> frozenset[int]:
    """The searches of all heads of a relation that nothing but a grouping by this relation uses.

    The grouping finds the heads with their keys in one scan, and counts them; the search gives the first ones alone.
    """
    steps, users = context.plan.steps, Counter[int]()
    for step in steps:
        users.update({used.step for used in parts_of(step, Output)})
    return frozenset(
        step.operand.step
        for step in steps
        if isinstance(step, ops.Grouping) and users[step.operand.step] == 2 and _is_of_all_heads(step, context)
    )


def _is_of_all_heads(step: ops.Grouping, context: CompileContext) -> bool:
    number = step.operand.step
    relations, is_more = relations_of(step, context), context.carried | context.mixing | {context.plan.answer}
    match context.plan.steps[number]:
        case ops.Search(asked=ops.Part.HEAD, relation=Names() as relation, tail=(), key=None):
            return number not in is_more and relations is not None and relations.by == relation
    return False


def _rows_of_calls(number: int, step: ops.Grouping, context: CompileContext) -> tuple[list[str], list[str]]:
    """The rows of a grouping by what its calls give for each element, and the variables that they use."""
    body = body_of(number, step, context)
    if step.of is None:
        items = "[x]"
    elif step.measures_numbers:
        items = _numbers_with_texts(step.of, context)
    else:
        items = f"q{step.of.step + 1}"
    returned = [f"RETURN q{step.by.step + 1} AS keys, {items} AS items"]
    or_null = "UNWIND CASE {0} WHEN [] THEN [null] ELSE {0} END AS {1}"
    each = [or_null.format("keys", "key"), or_null.format("items", "item")]
    return [*body.start, *run_for_each(body, returned), *each], body.imports


def relations_of(step: ops.Grouping, context: CompileContext) -> Relations | None:
    """The relations of a grouping that needs no subquery for each element."""
    of = None if step.of is None else _relation_of(step.of, step, context)
    if step.of is not None and of is None:
        return None
    if step.by == step.each:
        return Relations(None, of) if of else None
    worked_out = context.plan.steps[step.by.step]
    if isinstance(worked_out, ops.EachNumber) and isinstance(worked_out.operand, Output):
        by = _relation_of(worked_out.operand, step, context)
        # A head has one value in a column, and so one group at most.
        return Relations(by, of, worked_out) if by and len(by.nodes) == 1 and by.is_of_tables else None
    by = _relation_of(step.by, step, context)
    return Relations(by, of) if by and len(by.nodes) == 1 else None


def _rows_of_relations(step: ops.Grouping, context: CompileContext) -> tuple[list[str], list[str]] | None:
    """The rows of such a grouping, and the variables that they use."""
    if (relations := relations_of(step, context)) is None:
        return None
    lines = [*_keyed(step, relations, context), f"WITH {'DISTINCT ' if relations.of else ''}x, key"]
    imports = context.take_used()
    if relations.of is None:
        return lines, imports
    item = "CASE WHEN g IS NOT NULL THEN [g.num, g.node2, g.node1] END" if step.measures_numbers else "g.node2"
    return [*lines, *_facts("g", relations.of, context), f"WITH x, key, {item} AS item"], imports


def _keyed(step: ops.Grouping, relations: Relations, context: CompileContext) -> list[str]:
    """Binds x, key and f: an element, the key of its group, and the fact that says it, or null."""
    by, worked_out = relations.by, relations.worked_out
    if by is None:
        return [f"UNWIND {context.list_of(step.operand)} AS x", "WITH x, x AS key, null AS f"]
    is_text = worked_out is not None and worked_out.function in ("fold", "extract_number")
    end = "(n)" if is_text else "()"  # the key of a long text is only its beginning
    if step.operand.step in scanned_heads(context):
        tests = "f.node2 IS NOT NULL", *facts_alone("f", by, context)
        found = seek(f"()-[f:CG_VALUE {{node1: of_f}}]->{end}", "node1, node2", context, *tests)
        lines, head = [context.unwind(by, "of_f"), *found], "f.head"
    else:
        lines = [f"UNWIND {context.list_of(step.operand)} AS x", *_facts("f", by, context, end)]
        head = "x"
    if worked_out is None:
        return [*lines, f"WITH {head} AS x, f, f.node2 AS key"]
    name = "n.name" if is_text else "f.node2"
    of_fact = f"{name} AS name, f.node1 AS relation, f.num AS number, true AS is_fact"
    result = result_lines(worked_out, context)
    return [*lines, f"WITH [{head}, f] AS x, {of_fact}", *result, "WITH x[0] AS x, x[1] AS f, result AS key"]


def facts_of_groups(step: ops.Grouping, relations: Relations, among: str, context: CompileContext) -> list[str]:
    """Binds `all`, the facts of the groups that count, and `xs`, their elements; for the evidence."""
    facts = [*(["f"] if relations.by else []), *(["g"] if relations.of else [])]
    return [
        *_keyed(step, relations, context),
        f"WITH * WHERE key IN {among}",
        "WITH * LIMIT $evidence_limit",
        *(_facts("g", relations.of, context) if relations.of else []),
        f"WITH {' + '.join(f'collect(DISTINCT {fact})' for fact in facts)} AS all, collect(DISTINCT x) AS xs",
    ]


def _facts(variable: str, relation: Names, context: CompileContext, end: str = "()") -> list[str]:
    """Binds the facts of x under a relation, or null."""
    pattern = f"()-[{variable}:CG_VALUE {{node1: of_{variable}, head: x}}]->{end}"
    found = seek(pattern, "node1, head", context, *facts_alone(variable, relation, context), is_optional=True)
    return [context.unwind(relation, f"of_{variable}"), *found]


def _relation_of(result: Output, step: ops.ForEach | ops.Grouping, context: CompileContext) -> Names | None:
    """The relation under which a result is the values of each element, if it is no more than that."""
    match context.plan.steps[result.step]:
        case ops.Search(asked=ops.Part.TAIL, relation=Names() as relation, head=step.each, key=None) as search:
            is_among_heads = not search.sources and _are_heads(step.operand, context)
            return None if context.takes_covalues(search) and not is_among_heads else relation
    return None


def _are_heads(operand: Output, context: CompileContext) -> bool:
    """Whether an operand is all heads of some relations, which never stand for what is beside them as a tail."""
    match context.plan.steps[operand.step]:
        case ops.Search(asked=ops.Part.HEAD, relation=Names(), tail=(), key=None):
            return True
    return False


def _records(number: int, step: ops.Records, context: CompileContext) -> Block:
    """The records in the order of the operand, each a list of fields, each a list of names or numbers."""
    body = body_of(number, step, context)
    ordered = in_order(step.operand, context)
    around = [*context.take_used(), *body.imports]
    fields, returned = [], []
    for place, column in enumerate(step.columns):
        lines = in_order(column, context)
        returned += call_lines(context.take_used(), [*lines, f"RETURN collect(DISTINCT name) AS field{place}"])
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
    return Block(list(dict.fromkeys(around)), lines)
