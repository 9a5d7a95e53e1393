"""Each step of a plan as a subquery: `qN` holds its distinct elements, `mN` what carries them where asked for."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.cypher.compile.context import CompileContext
from cgstore.cypher.compile.origins import returned_by_source, sources_of_rows, sources_of_values
from cgstore.cypher.compile.pattern import bound_lines, carrier, clauses, pattern_of, tests
from cgstore.model import ROW_NUMBER
from cgstore.query.operands import (
    Against,
    AnyRelation,
    Comparison,
    FactPattern,
    Names,
    Operand,
    Output,
    OutputKind,
    Same,
)
from cgstore.query.operators import (
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Beside,
    Choice,
    Each,
    EachFunction,
    Equality,
    Keep,
    Negation,
    NumberFunction,
    Plan,
    Retyped,
    SearchCondition,
    SearchHead,
    SearchNode,
    SearchRelation,
    SetFunction,
    SetOperation,
    Sorted,
    Step,
    Written,
)
from cgstore.query.sources import SourceScope
from cgstore.text.kinds import Kind as ValueKind
from cgstore.text.names import SEPARATOR

# The hints leave nothing to statistics, which are wrong for a while after a load: a scan of all nodes looks cheap then.
_NODE = "MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)"
_CARRIER = "MATCH (e:CgNode {key: x}) USING INDEX SEEK e:CgNode(key)"
ELEMENT = "coalesce(e.node2, e.key)"
"""The element that a carrier e carries: a CG_VALUE relationship its node2, a node itself."""


def carried_steps(plan: Plan, asked: SourceScope) -> frozenset[int]:
    """The steps whose outputs need carriers: for numbers, for frequencies, or for the order of a table's rows."""
    found: set[int] = set()

    def need(*operands: Operand) -> None:
        found.update(
            o.step
            for o in operands
            if isinstance(o, Output) and plan.kinds[o.step] in (OutputKind.NODES, OutputKind.ROWS)
        )

    last = Output(plan.answer)
    if asked.only_tables and plan.kinds[plan.answer] is OutputKind.NODES:
        need(last)
    for number in reversed(range(len(plan.steps))):
        step = plan.steps[number]
        need(*_needed_by(step))
        if number in found:
            need(*_passed_on_by(step))
    return frozenset(found)


def _needed_by(step: Step) -> tuple[Operand, ...]:
    """The operands of which a step needs more than the elements."""
    compared = tuple(c.operand for c in _comparisons(step) if isinstance(c, Against | Same))
    match step:
        case Keep(operand=operand) | Each(operand=operand) | Sorted(operand=operand):
            return (operand, *compared)
        case Aggregate(function=function, operand=operand) if function is not AggregateFunction.COUNT:
            return (operand,)
        case Arithmetic(left=left, right=right) | Equality(left=left, right=right):
            return left, right
        case Choice(one=one, other=other):
            return one, other
    return compared


def _passed_on_by(step: Step) -> tuple[Operand, ...]:
    """The operands whose carriers are a step's own."""
    match step:
        case SetOperation(operands=operands):
            return operands
        case Choice(left=left, right=right):
            return left, right
        case Retyped(operand=operand):
            return (operand,)
    return ()


def _comparisons(step: Step) -> Iterator[Comparison]:
    match step:
        case SearchCondition(value=value, condition=pattern, scope=scope):
            yield from value
            yield from pattern.tail if pattern else ()
            yield from scope.value if scope else ()
        case SearchNode(condition=pattern, scope=scope):
            yield from pattern.tail if isinstance(pattern, FactPattern) else ()
            yield from scope.value if scope else ()
        case SearchRelation(value=value, scope=scope):
            yield from value
            yield from scope.value if scope else ()
        case Keep(value=value):
            yield from value


def step_lines(number: int, step: Step, scope: CompileContext) -> list[str]:
    """The subquery of a step."""
    output, carried = f"q{number + 1}", number in scope.carried
    match step:
        case SearchNode() if may_have_covalues(step, scope):
            return _search_with_covalues(number, step, scope)
        case SearchNode() | SearchCondition() | SearchHead() | SearchRelation():
            pattern, carries = pattern_of(step).answering(), carrier(step)
            body = clauses(pattern, scope)
            if number in scope.mixing:
                names = output, f"s{number + 1}", f"m{number + 1}" if carried else None
                facts = f"facts{number + 1}" if number in scope.counted else None
                return scope.subquery([*body, *returned_by_source(pattern, names, carries, facts)])
            if carried and not carries:
                body += [f"WITH collect(DISTINCT {pattern.find}) AS found", *_nodes_of("found")]
                return scope.subquery([*body, f"RETURN found AS {output}, nodes AS m{number + 1}"])
            carriers = f", collect(DISTINCT {carries}) AS m{number + 1}" if carried else ""
            carriers += f", count(f) AS facts{number + 1}" if number in scope.counted else ""
            return scope.subquery([*body, f"RETURN collect(DISTINCT {pattern.find}) AS {output}{carriers}"])
        case SetOperation():
            more = sources_of_rows(number, scope) if number in scope.mixing else []
            return [*scope.subquery(_set_operation(number, step, scope)), *more]
        case Beside(operand=operand):
            returned = [f"WITH collect(DISTINCT f.head) AS {output}"]
            returned += [*_nodes_of(output), f"RETURN {output}, nodes AS m{number + 1}"] if carried else []
            returned = returned if carried else [f"RETURN collect(DISTINCT f.head) AS {output}"]
            return scope.subquery([*rows_beside(step, scope), *returned])
        case Negation(operand=operand):
            return scope.subquery(_negation(number, operand, scope))
        case Keep(operand=operand, value=value):
            where = " AND ".join(test for c in value for test in tests("x", "number", c, scope))
            lines = [*bound_lines(value, scope), *_elements(operand, scope), f"WITH * WHERE {where}"]
            return scope.subquery([*lines, *_kept(number, operand, scope)])
        case Sorted():
            return scope.subquery(_sorted(number, step, scope))
        case Written(values=values):
            return scope.subquery([f"RETURN {scope.parameter(step, 'values', list(values))} AS {output}"])
        case Retyped():
            return scope.subquery(_retyped(number, step, scope))
        case Aggregate():
            return scope.subquery(_aggregate(number, step, scope))
        case Arithmetic():
            return scope.subquery(_arithmetic(output, step, scope))
        case Each():
            number_of = _EACH[step.function]
            lines = [*_elements(step.operand, scope), "WITH number WHERE number IS NOT NULL"]
            return scope.subquery([*lines, f"RETURN collect(DISTINCT {number_of}) AS {output}"])
        case Equality():
            return scope.subquery(_equality(output, step, scope))
        case Choice():
            return scope.subquery(_choice(number, step, scope))


def _returned(number: int, scope: CompileContext) -> str:
    """The end of a subquery whose rows are elements x with their carriers e."""
    carriers = f", collect(DISTINCT e) AS m{number + 1}" if number in scope.carried else ""
    return f"RETURN collect(DISTINCT x) AS q{number + 1}{carriers}"


def _kept(number: int, operand: Operand, scope: CompileContext) -> list[str]:
    """As `_returned`, in the order of the operand where that has one of its own."""
    if number not in scope.ordered:
        return [_returned(number, scope)]
    output, carried = f"q{number + 1}", number in scope.carried
    carriers, also = (f", collect(DISTINCT e) AS m{number + 1}", f", m{number + 1}") if carried else ("", "")
    in_order = f"[x IN {scope.list_of(operand)} WHERE x IN kept] AS {output}"
    return [f"WITH collect(DISTINCT x) AS kept{carriers}", f"RETURN {in_order}{also}"]


def _nodes_of(found: str) -> list[str]:
    return [
        f"CALL ({found}) {{",
        f"  UNWIND {found} AS x",
        f"  {_NODE}",
        "  RETURN collect(n) AS nodes",
        "}",
    ]


def _elements(operand: Operand, scope: CompileContext) -> list[str]:
    """A row (e, x, number) for each carrier: the element that it carries, and its number or null."""
    if scope.holds_numbers(operand):
        return [f"UNWIND {scope.list_of(operand)} AS x", "WITH *, x AS e, x AS number"]
    if isinstance(operand, Output):
        return [f"UNWIND {scope.carriers(operand)} AS e", f"WITH *, {ELEMENT} AS x, e.num AS number"]
    return [f"UNWIND {scope.list_of(operand)} AS x", _CARRIER, "WITH *, e.num AS number"]


def rows_beside(step: Beside, scope: CompileContext) -> list[str]:
    """Rows (x, f): a row, and the fact of the number of the row before or after it, in the same table."""
    scope.values["separator"] = SEPARATOR
    return [
        f"UNWIND {scope.list_of(step.operand)} AS x",
        _NODE,
        f"WITH *, n.source + $separator + {scope.parameter(step, 'relation', ROW_NUMBER)} AS relation, "
        f"n.num + {scope.parameter(step, 'step', step.step)} AS number",
        "MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)",
        "USING INDEX SEEK f:CG_VALUE(node1, num)",
        "WHERE size(f.condition) = 1",
    ]


# Searches with co-values ----------------------------------------------------------------------------------------------


def _search_with_covalues(number: int, step: SearchNode, scope: CompileContext) -> list[str]:
    """The search; where it finds nothing at all, the co-values."""
    if number in scope.mixing:
        return _covalues_by_source(number, step, scope)
    carried, noted = number in scope.carried, f"covalues{number + 1}"
    literal = ["l", *(["lm"] if carried else [])]
    more = [", collect(DISTINCT f) AS lm" if carried else "", ", collect(DISTINCT f) AS cm" if carried else ""]
    body = [*clauses(pattern_of(step), scope), f"RETURN collect(DISTINCT f.node2) AS l{more[0]}"]
    inner = scope.subquery(body)
    again = [*covalue_lines(step, "size(l) = 0", scope), f"RETURN collect(DISTINCT f.node2) AS c{more[1]}"]
    inner += scope.subquery(again, *literal[:1])
    carriers = f", lm + cm AS m{number + 1}" if carried else ""
    imported = [f"q{o.step + 1}" for o in (step.node1, step.condition) if isinstance(o, Output)]
    returned = f"RETURN l + c AS q{number + 1}{carriers}, size(c) > 0 AS {noted}"
    return scope.subquery([*inner, returned], *imported)


def _covalues_by_source(number: int, step: SearchNode, scope: CompileContext) -> list[str]:
    """Likewise, with the sources that the elements come from."""
    pattern, carried = pattern_of(step), number in scope.carried
    names = [(one, f"{one}s", f"{one}m" if carried else None) for one in "lc"]
    inner = scope.subquery([*clauses(pattern, scope), *returned_by_source(pattern, names[0], "f")])
    beside = covalue_lines(step, "size(l) = 0", scope)
    inner += scope.subquery([*beside, *returned_by_source(pattern, names[1], "f")], "l")
    carriers = f", lm + cm AS m{number + 1}" if carried else ""
    imported = [f"q{o.step + 1}" for o in (step.node1, step.condition) if isinstance(o, Output)]
    place = number + 1
    returned = f"RETURN l + c AS q{place}{carriers}, ls + cs AS s{place}, size(c) > 0 AS covalues{place}"
    return scope.subquery([*inner, returned], *imported)


def may_have_covalues(step: Step, scope: CompileContext) -> bool:
    """Whether the step takes co-values: rows are heads always."""
    condition = step.condition if isinstance(step, SearchNode) and step.covalues else None
    rows = isinstance(condition, Output) and scope.kinds[condition.step] is OutputKind.ROWS
    return condition is not None and not rows


def covalue_lines(step: SearchNode, when: str, scope: CompileContext) -> list[str]:
    """Rows (g, f): g has an element that is a head of nothing under the relation, f any value of g's head under it."""
    condition = step.condition
    assert isinstance(condition, Names | Output), "co-values stand in for heads"
    lines = [
        f"UNWIND CASE WHEN {when} THEN {scope.list_of(condition)} ELSE [] END AS value",
        scope.unwind(step.node1, "relation"),
        "MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)",
        "USING INDEX SEEK g:CG_VALUE(node1, node2)",
    ]
    here = scope.sources(step.sources)
    return [
        *lines,
        f"WHERE size(g.condition) = 1 AND NOT EXISTS {{ (n)-[h:CG_HAS]->() WHERE h.source IN {here} }}",
        "WITH *",
        "MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()",
        "USING INDEX SEEK f:CG_VALUE(node1, head)",
        "WHERE size(f.condition) = 1",
    ]


# Sets -----------------------------------------------------------------------------------------------------------------


def _set_operation(number: int, step: SetOperation, scope: CompileContext) -> list[str]:
    """Union and intersection have the carriers of all their sets, difference those of the first."""
    output, carried = f"q{number + 1}", number in scope.carried
    lists = [scope.list_of(operand) for operand in step.operands]
    if step.function is SetFunction.UNION:
        lines = [f"UNWIND {' + '.join(lists)} AS x", f"WITH collect(DISTINCT x) AS {output}"]
        used = step.operands
    else:
        negated = "NOT " if step.function is SetFunction.DIFFERENCE else ""
        where = " AND ".join(f"{negated}x IN {other}" for other in lists[1:])
        lines = [f"UNWIND {lists[0]} AS x", f"WITH x WHERE {where}", f"WITH collect(DISTINCT x) AS {output}"]
        used = step.operands[:1] if step.function is SetFunction.DIFFERENCE else step.operands
    if not carried:
        return [*lines, f"RETURN {output}"]
    return [*lines, *_carriers_among(used, output, scope), f"RETURN {output}, carriers AS m{number + 1}"]


def _carriers_among(operands: tuple[Operand, ...], output: str, scope: CompileContext) -> list[str]:
    lists = []
    lines: list[str] = []
    for place, operand in enumerate(operands):
        own, carriers = _carriers_of(operand, f"own{place}", scope)
        lines += own
        lists.append(carriers)
    imported = ", ".join([*lists, output])
    return [
        *lines,
        f"CALL ({imported}) {{",
        f"  UNWIND {' + '.join(lists)} AS e",
        f"  WITH DISTINCT e WHERE {ELEMENT} IN {output}",
        "  RETURN collect(e) AS carriers",
        "}",
    ]


def _carriers_of(operand: Operand, name: str, scope: CompileContext) -> tuple[list[str], str]:
    """The carriers of an operand; those of names are the nodes, which the lines find."""
    if isinstance(operand, Output):
        return [], scope.carriers(operand)
    lines = [f"  UNWIND {scope.list_of(operand)} AS x", f"  {_NODE}", f"  RETURN collect(n) AS {name}"]
    return ["CALL () {", *lines, "}"], name


def _negation(number: int, operand: Operand, scope: CompileContext) -> list[str]:
    facts = isinstance(operand, Output) and scope.kinds[operand.step] is OutputKind.FACTS
    condition = "f.condition + [r.name, t.name]" if facts else "f.head"
    lines = [
        scope.unwind(AnyRelation(), "relation"),
        "MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)",
        "USING INDEX SEEK f:CG_VALUE(node1, node2)",
        "WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL",
        f"WITH DISTINCT {condition} AS x",
        f"WHERE NOT x IN {scope.list_of(operand)}",
    ]
    if number not in scope.carried:
        return [*lines, f"RETURN collect(x) AS q{number + 1}"]
    return [*lines, _CARRIER, _returned(number, scope)]


def _retyped(number: int, step: Retyped, scope: CompileContext) -> list[str]:
    """Elements that have values under the relation are replaced by these; the others stay, with their carriers."""
    carried = number in scope.carried
    each = scope.list_of(step.operand)
    lines = [
        f"UNWIND {each} AS x",
        "CALL (x) {",
        f"  {scope.unwind(step.relation, 'relation')}",
        "  MATCH (r)-[f:CG_VALUE {node1: relation, head: x}]->(t)",
        "  USING INDEX SEEK f:CG_VALUE(node1, head)",
        "  WHERE size(f.condition) = 1",
        "  RETURN collect(f) AS found",
        "}",
        "WITH collect([x, found]) AS pairs",
        "WITH [p IN pairs WHERE p[1] = [] | p[0]] AS stay, reduce(all = [], p IN pairs | all + p[1]) AS found",
    ]
    values = "stay + [f IN found | f.node2]"
    if number in scope.ordered:
        lines[-1] += ", reduce(all = [], p IN pairs | all + [f IN p[1] | f.node2] + "
        lines[-1] += "CASE WHEN p[1] = [] THEN [p[0]] ELSE [] END) AS inline"
        values = "inline"
    distinct = [
        f"CALL ({'inline' if values == 'inline' else 'stay, found'}) {{",
        f"  UNWIND {values} AS x",
        f"  RETURN collect(DISTINCT x) AS q{number + 1}",
        "}",
    ]
    told = number in scope.mixing
    distinct += sources_of_values("found", f"s{number + 1}") if told else []
    returned = f"RETURN q{number + 1}{f', s{number + 1}' if told else ''}"
    if not carried:
        return [*lines, *distinct, returned]
    assert isinstance(step.operand, Output)
    kept = f"[e IN {scope.carriers(step.operand)} WHERE {ELEMENT} IN stay]"
    return [*lines, *distinct, f"{returned}, found + {kept} AS m{number + 1}"]


def _sorted(number: int, step: Sorted, scope: CompileContext) -> list[str]:
    """Equal numbers by name, without regard to case. The greatest first is the same order from its end."""
    output, end = f"q{number + 1}", " DESC" if step.descending else ""
    if scope.holds_numbers(step.operand):
        return [*_elements(step.operand, scope), f"WITH x ORDER BY x{end}", f"RETURN collect(x) AS {output}"]
    numeric = [node.key for node in scope.asked.relations.nodes if node.kind is not ValueKind.TEXT]
    of_numbers = f"e.relation IS NULL AND e.node1 IN {scope.parameter(step, 'numeric', numeric)}"
    own = "max" if step.descending else "min"
    lines = [
        *_elements(step.operand, scope),
        f"WITH x, e, number, CASE WHEN number IS NOT NULL OR {of_numbers} THEN 1 ELSE 0 END AS fits",
        f"WITH x, {own}(number) AS number, max(fits) AS fits",
        "WITH collect([x, number]) AS all, min(fits) AS fit",
        "UNWIND all AS each",
        "WITH each[0] AS x, CASE fit WHEN 1 THEN each[1] END AS number, fit",
        "WITH x, number WHERE fit = 0 OR number IS NOT NULL",
        _NODE,
        f"WITH x ORDER BY number{end}, toLower(n.name){end}, n.name{end}, x",
        f"WITH collect(x) AS {output}",
    ]
    if number not in scope.carried:
        return [*lines, f"RETURN {output}"]
    return [*lines, *_carriers_among((step.operand,), output, scope), f"RETURN {output}, carriers AS m{number + 1}"]


# Aggregates and numbers -----------------------------------------------------------------------------------------------


def _aggregate(number: int, step: Aggregate, scope: CompileContext) -> list[str]:
    output, operand = f"q{number + 1}", step.operand
    match step.function:
        case AggregateFunction.COUNT:
            return [f"RETURN [size({scope.list_of(operand)})] AS {output}"]
        case AggregateFunction.SUM:
            return [
                *_elements(operand, scope),
                *_once(step, scope),
                "WITH sum(number) AS total",
                f"RETURN {_finite('total')} AS {output}",
            ]
        case AggregateFunction.MEAN:
            return [
                *_elements(operand, scope),
                *_once(step, scope),
                "WITH avg(number) AS mean",
                f"RETURN {_finite('mean')} AS {output}",
            ]
        case AggregateFunction.MIN | AggregateFunction.MAX:
            order = "ASC" if step.function is AggregateFunction.MIN else "DESC"
            best = f"WITH x, number, collect(e) AS es ORDER BY number {order}, x LIMIT 1"
            lines = [*_elements(operand, scope), "WITH e, x, number WHERE number IS NOT NULL", best]
        case AggregateFunction.FIRST | AggregateFunction.LAST:
            order = "" if step.function is AggregateFunction.FIRST else "DESC"
            lines = [*in_order(operand, scope, order), "WITH x LIMIT 1", *_carried_by(number, operand, scope)]
        case AggregateFunction.MODE:
            lines = [
                *_elements(operand, scope),
                "WITH x, collect(e) AS es",
                "WITH collect([x, es]) AS groups, max(size(es)) AS times",
                "UNWIND groups AS g",
                "WITH g[0] AS x, g[1] AS es, times WHERE size(es) = times",
            ]
        case AggregateFunction.ARGMIN | AggregateFunction.ARGMAX:
            return _extreme_heads(number, step, scope)
    if number not in scope.carried:
        return [*lines, f"RETURN collect(x) AS {output}"]
    return [*lines, "UNWIND es AS e", _returned(number, scope)]


def _once(step: Aggregate, scope: CompileContext) -> list[str]:
    """What makes one row of all rows of an element whose facts do not count each."""
    if not step.once:
        return []
    keys = scope.parameter(step, "once", list(step.once))
    return [f"WITH DISTINCT x, number, CASE WHEN e.node1 IN {keys} THEN 0 ELSE e END AS counted"]


def _carried_by(number: int, operand: Operand, scope: CompileContext) -> list[str]:
    if number not in scope.carried or not isinstance(operand, Output):
        return []
    return [f"WITH x, [e IN {scope.carriers(operand)} WHERE {ELEMENT} = x] AS es"]


def _extreme_heads(number: int, step: Aggregate, scope: CompileContext) -> list[str]:
    best = "min" if step.function is AggregateFunction.ARGMIN else "max"
    lines = [
        *_elements(step.operand, scope),
        f"WITH collect({{e: e, number: number}}) AS all, {best}(number) AS best",
        "UNWIND all AS each",
        "WITH each.e AS e, each.number AS number, best WHERE number = best",
        "WITH DISTINCT coalesce(e.head, e.key) AS x",
    ]
    if number not in scope.carried:
        return [*lines, f"RETURN collect(x) AS q{number + 1}"]
    return [*lines, _CARRIER, _returned(number, scope)]


_EACH = {
    EachFunction.ABS: "abs(number)",
    EachFunction.NUMBER: "toFloat(number)",
    EachFunction.INTEGER: "CASE WHEN number < 0 THEN ceil(number) + 0.0 ELSE floor(number) END",
    EachFunction.YEAR: "floor(number)",
    EachFunction.PREVIOUS: "number - 1",
    EachFunction.NEXT: "number + 1",
}

_ARITHMETIC = {
    NumberFunction.SUBTRACT: "a - b",
    NumberFunction.DIFFERENCE: "abs(a - b)",
    NumberFunction.ADD: "a + b",
    NumberFunction.MULTIPLY: "a * b",
    NumberFunction.DIVIDE: "a / b",
}


_GREATEST = "1.7976931348623157e308"


def _finite(number: str) -> str:
    """A list of the number; empty where it is null or beyond all numbers, which no JSON can hold."""
    return f"[x IN [{number}] WHERE abs(x) <= {_GREATEST}]"


def _arithmetic(output: str, step: Arithmetic, scope: CompileContext) -> list[str]:
    """One number from two; nothing where a side has none or several, or would divide by nought."""
    lines = [*_single(step.left, "a", scope), *_single(step.right, "b", scope)]
    undefined = ["a IS NULL", "b IS NULL", *(["b = 0"] if step.function is NumberFunction.DIVIDE else [])]
    result = f"CASE WHEN {' OR '.join(undefined)} THEN [] ELSE {_finite(_ARITHMETIC[step.function])} END"
    return [*lines, f"RETURN {result} AS {output}"]


def _equality(output: str, step: Equality, scope: CompileContext) -> list[str]:
    """By numbers where there are any, else by elements."""
    lines = [*_numbers_of(step.left, "a", scope), *_numbers_of(step.right, "b", scope)]
    left, right = (scope.list_of(operand) for operand in (step.left, step.right))
    same = f"all(x IN {left} WHERE x IN {right}) AND all(x IN {right} WHERE x IN {left})"
    numbers = "all(x IN a WHERE x IN b) AND all(x IN b WHERE x IN a)"
    test = f"CASE WHEN size(a) + size(b) > 0 THEN {numbers} ELSE {same} END"
    return [*lines, f"RETURN [CASE WHEN {test} THEN 'yes' ELSE 'no' END] AS {output}"]


def _numbers_of(operand: Operand, name: str, scope: CompileContext) -> list[str]:
    """The operand's different numbers as `name`."""
    if not isinstance(operand, Output) and not scope.holds_numbers(operand):
        return [f"WITH *, [] AS {name}"]
    lines = [f"  UNWIND {scope.numbers(operand)} AS number", f"  RETURN collect(DISTINCT toFloat(number)) AS {name}"]
    return [f"CALL ({_variable(operand, scope)}) {{", *lines, "}"]


def _single(operand: Operand, name: str, scope: CompileContext) -> list[str]:
    """The operand's only number as `name`, or null."""
    numbers = scope.numbers(operand)
    imported = _variable(operand, scope)
    return [
        f"CALL ({imported}) {{",
        f"  UNWIND {numbers} AS number",
        "  WITH collect(DISTINCT toFloat(number)) AS numbers",
        f"  RETURN CASE WHEN size(numbers) = 1 THEN numbers[0] END AS {name}",
        "}",
    ]


def _variable(operand: Operand, scope: CompileContext) -> str:
    if not isinstance(operand, Output):
        return ""
    return scope.output(operand) if scope.holds_numbers(operand) else scope.carriers(operand)


def _choice(number: int, step: Choice, scope: CompileContext) -> list[str]:
    extreme = "min" if step.op.startswith("<") else "max"
    lines: list[str] = []
    for operand, name in ((step.one, "a"), (step.other, "b")):
        lines += [
            f"CALL ({_variable(operand, scope)}) {{",
            f"  UNWIND {scope.numbers(operand)} AS number",
            f"  RETURN {extreme}(number) AS {name}",
            "}",
        ]
    left, right = scope.list_of(step.left), scope.list_of(step.right)
    chosen = [_chosen(step, left, right) + f" AS q{number + 1}"]
    if number in scope.carried:
        sides = []
        for place, operand in enumerate((step.left, step.right)):
            own, side = _carriers_of(operand, f"own{place}", scope)
            lines += own
            sides.append(side)
        chosen.append(_chosen(step, *sides) + f" AS m{number + 1}")
    return [*lines, f"RETURN {', '.join(chosen)}"]


def _chosen(step: Choice, left: str, right: str) -> str:
    tie = f" WHEN a = b THEN {left} + [x IN {right} WHERE NOT x IN {left}]" if step.both else ""
    return f"CASE WHEN a IS NULL OR b IS NULL THEN []{tie} WHEN a {step.op} b THEN {left} ELSE {right} END"


# Order ----------------------------------------------------------------------------------------------------------------


def in_order(operand: Operand, scope: CompileContext, direction: str = "") -> list[str]:
    """Rows (x, name) in the order of the source: a table's rows, else by number or time, then by name.

    Whoever wants the first ones cuts them off a list: Neo4j's `ORDER BY ... LIMIT` counts every list in scope once for
    each row against the memory of the transaction, some gigabytes for a few thousand elements; a whole sort does not.
    """
    kind = scope.kinds[operand.step] if isinstance(operand, Output) else OutputKind.NODES
    end = f" {direction}" if direction else ""
    if isinstance(operand, Output) and operand.step in scope.ordered:
        each = f"{scope.output(operand)}[place] AS x"
        lines = [f"UNWIND range(0, size({scope.output(operand)}) - 1) AS place", f"WITH {each}, place"]
        named, name = ([], "x") if kind is OutputKind.NUMBERS else ([_NODE], "n.name")
        return [*lines, *named, f"WITH x, {name} AS name, place ORDER BY place{end}"]
    if isinstance(operand, Output) and kind in (OutputKind.NUMBERS, OutputKind.FACTS, OutputKind.WORDS):
        return [f"UNWIND {scope.output(operand)} AS x", f"WITH x, x AS name ORDER BY x{end}"]
    if scope.asked.only_tables and isinstance(operand, Output) and kind is OutputKind.NODES:
        return [
            f"UNWIND {scope.carriers(operand)} AS e",
            "OPTIONAL MATCH (row:CgNode {key: e.head}) USING INDEX SEEK row:CgNode(key)",
            f"WITH {ELEMENT} AS x, e.source AS source, coalesce(row.num, e.num) AS place ORDER BY source, place",
            "WITH x, collect([source, place])[0] AS at",
            _NODE,
            f"WITH x, n.name AS name, at ORDER BY at[0]{end}, at[1]{end}, name{end}",
        ]
    source = "n.source AS source, " if kind is OutputKind.ROWS else ""
    order = f"source{end}, " if kind is OutputKind.ROWS else ""
    return [
        f"UNWIND {scope.list_of(operand)} AS x",
        _NODE,
        f"WITH x, n.name AS name, {source}n.num AS number ORDER BY {order}number{end}, name{end}",
    ]
