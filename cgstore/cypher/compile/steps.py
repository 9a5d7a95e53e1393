"""Each step of a plan as a subquery: `qN` holds its distinct elements, `mN` what carries them where needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cgstore.cypher.compile.comparisons import bound_lines, tests
from cgstore.cypher.compile.context import ELEMENT, Block, CompileContext, call_lines
from cgstore.cypher.compile.functions import (
    aggregate_lines,
    arithmetic_lines,
    choice_lines,
    each_lines,
    element_lines,
    equality_lines,
    return_among,
    return_lines,
    return_with_nodes,
    sort_lines,
)
from cgstore.cypher.compile.origins import pairs_of_rows, sources_of
from cgstore.cypher.compile.pattern import CARRIERS, answering, clauses, facts_alone, found, holder
from cgstore.cypher.compile.periods import Times
from cgstore.cypher.compile.rows import rows_beside
from cgstore.cypher.compile.seeks import known, seek, types
from cgstore.cypher.compile.stretch_steps import returned, stretched_lines
from cgstore.cypher.compile.texts import OF_TEXTS, each_text_lines, fold_lines, items_lines, text_condition, text_lines
from cgstore.query import operators as ops
from cgstore.query.operands import AnyRelation, Output, OutputKind, TextTest


def step_blocks(number: int, step: ops.Step, context: CompileContext) -> list[Block]:
    """The blocks of a step."""
    if stretched := stretched_lines(number, step, context):
        return [context.block(stretched)]
    if isinstance(step, ops.Search) and context.takes_covalues(step):
        blocks = [_search_with_covalues(number, step, context)]
    else:
        blocks = [context.block(_BODIES[type(step)](number, step, context))]
    if number in context.mixing:
        has_rows, pairs = isinstance(step, ops.SetOperation), f"pairs{number + 1}"
        of = (pairs_of_rows(number, context), f"q{number + 1}") if has_rows else (pairs, pairs)
        blocks.append(sources_of(number, *of))
    return blocks


# Searches -------------------------------------------------------------------------------------------------------------


def _search(number: int, step: ops.Search, context: CompileContext) -> list[str]:
    output, is_carried = f"q{number + 1}", number in context.carried
    search, carries = answering(step), CARRIERS.get(step.asked)
    if number in context.stretched:
        return [*clauses(search, context), *returned(number)]
    body = clauses(search, context, Times.EACH if search.asked is ops.Part.VALUE else Times.PERIOD)
    columns = {output: f"collect(DISTINCT {found(search)})"}
    if is_carried and carries:
        columns[f"m{number + 1}"] = f"collect(DISTINCT {carries})"
    if number in context.counted:
        columns[f"facts{number + 1}"] = "count(f)"
    if number in context.mixing:
        columns[f"pairs{number + 1}"] = f"collect(DISTINCT [{holder(search)}.source, {found(search)}])"
    if is_carried and not carries:
        return [*body, f"WITH {_named(columns)}", *return_with_nodes(number, context, *list(columns)[1:])]
    return [*body, f"RETURN {_named(columns)}"]


def _named(columns: dict[str, str]) -> str:
    return ", ".join(f"{expression} AS {name}" for name, expression in columns.items())


def _search_with_covalues(number: int, step: ops.Search, context: CompileContext) -> Block:
    """The search; where it finds nothing at all, the co-values."""
    place = number + 1
    parts = {"q": "f.node2"} | ({"m": "f"} if number in context.carried else {})
    parts |= {"pairs": "[f.source, f.node2]"} if number in context.mixing else {}

    def end(part: str) -> str:
        return f"RETURN {_named({part + name: f'collect(DISTINCT {each})' for name, each in parts.items()})}"

    inner = context.block([*clauses(step, context, Times.PERIOD), end("l")]).lines
    inner += context.block([*covalue_lines(step, "size(lq) = 0", context), end("c")], "lq").lines
    columns = {f"{name}{place}": f"l{name} + c{name}" for name in parts} | {f"covalues{place}": "size(cq) > 0"}
    imported = [f"q{o.step + 1}" for o in (step.relation, step.head) if isinstance(o, Output)]
    return context.block([*inner, f"RETURN {_named(columns)}"], *imported)


def covalue_lines(step: ops.Search, when: str, context: CompileContext) -> list[str]:
    """Rows (g, f): g has an element that is a head of nothing under the relation, f any value of g's head under it."""
    assert step.head is not None, "co-values stand in for heads"
    rows = [
        f"UNWIND CASE WHEN {when} THEN {context.list_of(step.head)} ELSE [] END AS value",
        context.unwind(step.relation, "relation"),
    ]
    heads = f"h.source IN {context.sources(step.sources)}", *known("h", context)
    is_no_head = f"NOT EXISTS {{ (n)-[h:{types('CG_HAS', context)}]->() WHERE {' AND '.join(heads)} }}"
    of_element = "()-[g:CG_VALUE {node1: relation, node2: value}]->(n)"
    beside = "()-[f:CG_VALUE {node1: relation, head: g.head}]->()"
    return [
        *rows,
        *seek(of_element, "node1, node2", context, *facts_alone("g", step.relation, context), is_no_head),
        "WITH *",
        *seek(beside, "node1, head", context, *facts_alone("f", step.relation, context)),
    ]


# Rows and sets --------------------------------------------------------------------------------------------------------


def _rows_beside(number: int, step: ops.RowsBeside, context: CompileContext) -> list[str]:
    found = f"WITH collect(DISTINCT f.head) AS q{number + 1}"
    return [*rows_beside(step, context), found, *return_with_nodes(number, context)]


def _set_operation(number: int, step: ops.SetOperation, context: CompileContext) -> list[str]:
    """Union and intersection have the carriers of all their sets, difference those of the first."""
    output, is_difference = f"q{number + 1}", step.function == "set_difference"
    lists = [context.list_of(operand) for operand in step.operands]
    if step.function == "set_union":
        lines = [f"UNWIND {' + '.join(lists)} AS x"]
    else:
        where = " AND ".join(f"{'NOT ' if is_difference else ''}x IN {other}" for other in lists[1:])
        lines = [f"UNWIND {lists[0]} AS x", f"WITH x WHERE {where}"]
    lines.append(f"WITH collect(DISTINCT x) AS {output}")
    return [*lines, *return_among(number, step.operands[:1] if is_difference else step.operands, context)]


def _negation(number: int, step: ops.Negation, context: CompileContext) -> list[str]:
    facts = context.kind_of(step.operand) is OutputKind.FACTS
    tests = "size(f.condition) = 1", "f.node2 IS NOT NULL"
    lines = [
        context.unwind(AnyRelation(), "relation"),
        *seek("(r)-[f:CG_VALUE {node1: relation}]->(t)", "node1, node2", context, *tests),
        f"WITH DISTINCT {'f.condition + [r.name, t.name]' if facts else 'f.head'} AS x",
        f"WHERE NOT x IN {context.list_of(step.operand)}",
    ]
    return [*lines, *return_lines(number, context, nodes=True)]


def _keep(number: int, step: ops.Selection, context: CompileContext) -> list[str]:
    """The elements that satisfy the comparisons, in the order of the operand where that has one of its own."""
    numbers = [c for c in step.value if not isinstance(c, TextTest)]
    texts = [text_condition(c, context) for c in step.value if isinstance(c, TextTest)]
    where = " AND ".join([test for c in numbers for test in tests("x", "number", c, context)] + texts)
    lines = bound_lines(numbers, context)
    lines += text_lines(step.operand, context) if texts else element_lines(step.operand, context)
    lines.append(f"WITH * WHERE {where}")
    if context.has_numbers(step.operand) or not context.is_ordered(step.operand):
        return [*lines, *return_lines(number, context)]
    is_carried = number in context.carried
    carriers, also = (f", collect(DISTINCT e) AS m{number + 1}", f", m{number + 1}") if is_carried else ("", "")
    in_order = f"[x IN {context.list_of(step.operand)} WHERE x IN kept] AS q{number + 1}"
    return [*lines, f"WITH collect(DISTINCT x) AS kept{carriers}", f"RETURN {in_order}{also}"]


def _reached(number: int, step: ops.Reached, context: CompileContext) -> list[str]:
    reached = f"{context.list_of(step.operand)} AS q{number + 1}"
    is_carried = number in context.carried
    return [f"WITH {reached}", *return_with_nodes(number, context)] if is_carried else [f"RETURN {reached}"]


def _each(number: int, step: ops.EachNumber, context: CompileContext) -> list[str]:
    if step.function == "fold":
        return fold_lines(number, step, context)
    return (each_text_lines if step.function in OF_TEXTS else each_lines)(number, step, context)


def _target_values(number: int, step: ops.TargetValues, context: CompileContext) -> list[str]:
    """Elements that have values under the relation are replaced by these; the others stay, with their carriers."""
    output = f"q{number + 1}"
    tests = facts_alone("f", step.relation, context)
    values_of_x = [
        context.unwind(step.relation, "relation"),
        *seek("(r)-[f:CG_VALUE {node1: relation, head: x}]->(t)", "node1, head", context, *tests),
        *(["WITH f ORDER BY f.num, t.name"] if context.is_ordered(step.operand) else []),
        "RETURN collect(f) AS found",
    ]
    parted = "WITH [p IN pairs WHERE p[1] = [] | p[0]] AS stay, reduce(all = [], p IN pairs | all + p[1]) AS found"
    imported, values = ["stay", "found"], "stay + [f IN found | f.node2]"
    if context.is_ordered(step.operand):
        parted += ", reduce(all = [], p IN pairs | all + [f IN p[1] | f.node2] + "
        parted += "CASE WHEN p[1] = [] THEN [p[0]] ELSE [] END) AS inline"
        imported, values = ["inline"], "inline"
    lines = [
        f"UNWIND {context.list_of(step.operand)} AS x",
        *call_lines(["x"], values_of_x),
        "WITH collect([x, found]) AS pairs",
        parted,
        *call_lines(imported, [f"UNWIND {values} AS x", f"RETURN collect(DISTINCT x) AS {output}"]),
    ]
    columns = [output]
    columns += [f"[f IN found | [f.source, f.node2]] AS pairs{number + 1}"] if number in context.mixing else []
    if number in context.carried:
        assert isinstance(step.operand, Output)
        stay = f"[e IN {context.carriers(step.operand)} WHERE {ELEMENT} IN stay]"
        columns.append(f"found + {stay} AS m{number + 1}")
    return [*lines, f"RETURN {', '.join(columns)}"]


def _written(number: int, step: ops.WrittenValues, context: CompileContext) -> list[str]:
    return [f"RETURN {context.parameter(step, 'values', list(step.values))} AS q{number + 1}"]


_BODIES: dict[type[ops.Step], Callable[[int, Any, CompileContext], list[str]]] = {
    ops.Search: _search,
    ops.SetOperation: _set_operation,
    ops.RowsBeside: _rows_beside,
    ops.Negation: _negation,
    ops.Selection: _keep,
    ops.Sorting: sort_lines,
    ops.WrittenValues: _written,
    ops.TargetValues: _target_values,
    ops.Aggregate: aggregate_lines,
    ops.Arithmetic: arithmetic_lines,
    ops.EachNumber: _each,
    ops.Items: items_lines,
    ops.Reached: _reached,
    ops.Equality: equality_lines,
    ops.Choice: choice_lines,
}
"""The body of each operator's subquery."""
