"""Steps that compute: aggregates, arithmetic, comparisons and orders, over elements and what carries them."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.cypher.compile.context import ELEMENT, SEEK_NODE, CompileContext, call_lines
from cgstore.cypher.compile.rows import longest_run_lines
from cgstore.query import operators as ops
from cgstore.query.operands import Operand, Output, OutputKind
from cgstore.text.kinds import ValueKind

_SEEK_CARRIER = "MATCH (e:CgNode {key: x}) USING INDEX SEEK e:CgNode(key)"

_DEVIATION = (
    "head([numbers IN [collect(number)] | "
    "head([mean IN [reduce(total = 0.0, n IN numbers | total + n) / size(numbers)] | "
    "sqrt(reduce(total = 0.0, n IN numbers | total + (n - mean) ^ 2) / (size(numbers) - 1))])])"
)
"""In two passes: `stDev` takes one, and of times that are seconds apart its eighth digit is wrong."""

NUMBER_OF_ALL = {
    "sum": "sum(number)",
    "mean": "avg(number)",
    "median": "percentileCont(number, 0.5)",
    "standard_deviation": f"CASE WHEN count(number) > 1 THEN {_DEVIATION} END",
}
"""Aggregates that are one number of all numbers: of a set, and of a group."""

NUMBER_OF_EACH = {
    "abs": "abs(number)",
    "to_number": "toFloat(number)",
    "to_integer": "CASE WHEN number < 0 THEN ceil(number) + 0.0 ELSE floor(number) END",
    "extract_year": "floor(number)",
    "previous_row": "number - 1",
    "next_row": "number + 1",
}

_NUMBER_OF_TWO = {
    "subtract": "a - b",
    "difference": "abs(a - b)",
    "add": "a + b",
    "multiply": "a * b",
    "divide": "a / b",
    "percentage": "100 * a / b",
}

_DIVISIONS = ("divide", "percentage")

GREATEST = "1.7976931348623157e308"


# Elements and their carriers ------------------------------------------------------------------------------------------


def element_lines(operand: Operand, context: CompileContext) -> list[str]:
    """A row (e, x, number) for each carrier: the element that it carries, and its number or null."""
    if context.holds_numbers(operand):
        return [f"UNWIND {context.list_of(operand)} AS x", "WITH *, x AS e, x AS number"]
    if isinstance(operand, Output) and context.has_numbers(operand):
        return [f"UNWIND {context.carriers(operand)} AS e", "WITH *, e.key AS x, e.num AS number"]
    if context.kind_of(operand) is OutputKind.WORDS:
        return [f"UNWIND {context.list_of(operand)} AS x", "WITH *, x AS e, null AS number"]
    if isinstance(operand, Output):
        return [f"UNWIND {context.carriers(operand)} AS e", f"WITH *, {ELEMENT} AS x, e.num AS number"]
    return [f"UNWIND {context.list_of(operand)} AS x", _SEEK_CARRIER, "WITH *, e.num AS number"]


def return_lines(number: int, context: CompileContext, *, nodes: bool = False) -> list[str]:
    """The end of a subquery whose rows are elements x with their carriers e.

    Args:
        number: the step.
        context: the names in force.
        nodes: the elements are distinct, and the nodes themselves carry them.
    """
    if context.has_numbers(Output(number)):
        carried = f"g{number + 1}"
        return [
            f"WITH collect(DISTINCT e) AS {carried}",
            f"RETURN [e IN {carried} | e.key] AS q{number + 1}, {carried}",
        ]
    if nodes and number not in context.carried:
        return [f"RETURN collect(x) AS q{number + 1}"]
    carriers = f", collect(DISTINCT e) AS m{number + 1}" if number in context.carried else ""
    return [*([_SEEK_CARRIER] if nodes else []), f"RETURN collect(DISTINCT x) AS q{number + 1}{carriers}"]


def return_with_nodes(number: int, context: CompileContext, *more: str) -> list[str]:
    """The end of a subquery that has bound the elements, and `more` columns: the nodes themselves carry them."""
    output, carriers = f"q{number + 1}", f"m{number + 1}"
    nodes = [f"UNWIND {output} AS x", SEEK_NODE, f"RETURN collect(n) AS {carriers}"]
    is_carried = number in context.carried
    columns = [output, *more, *([carriers] if is_carried else [])]
    return [*(call_lines([output], nodes) if is_carried else []), f"RETURN {', '.join(columns)}"]


def return_among(number: int, operands: Sequence[Operand], context: CompileContext) -> list[str]:
    """The end of a subquery that has bound the elements, which are among those of operands."""
    output = f"q{number + 1}"
    if number not in context.carried:
        return [f"RETURN {output}"]
    return [*_carriers_among(operands, output, context), f"RETURN {output}, carriers AS m{number + 1}"]


def carriers_of(operand: Operand, name: str, context: CompileContext) -> tuple[list[str], str]:
    """The carriers of an operand; those of names, and of sets with numbers, are the nodes, which the lines find."""
    if isinstance(operand, Output) and not context.has_numbers(operand):
        return [], context.carriers(operand)
    seek = [f"UNWIND {context.list_of(operand)} AS x", *context.seek_node(operand), f"RETURN collect(n) AS {name}"]
    imported = [context.output(operand)] if isinstance(operand, Output) else []
    return call_lines(imported, seek), name


def _carriers_among(operands: Sequence[Operand], output: str, context: CompileContext) -> list[str]:
    """Binds `carriers` to the carriers of operands whose elements an output has."""
    found = [carriers_of(operand, f"own{place}", context) for place, operand in enumerate(operands)]
    lists = [carriers for _, carriers in found]
    among = [f"UNWIND {' + '.join(lists)} AS e", f"WITH DISTINCT e WHERE {ELEMENT} IN {output}"]
    lines = [line for own, _ in found for line in own]
    return [*lines, *call_lines([*lists, output], [*among, "RETURN collect(e) AS carriers"])]


# Aggregates -----------------------------------------------------------------------------------------------------------


def aggregate_lines(number: int, step: ops.Aggregate, context: CompileContext) -> list[str]:
    """The body of an aggregate."""
    output, operand = f"q{number + 1}", step.operand
    if step.function == "count":
        return [f"RETURN [size({context.list_of(operand)})] AS {output}"]
    if step.function == "exists":
        return [f"RETURN [CASE WHEN size({context.list_of(operand)}) > 0 THEN 'yes' ELSE 'no' END] AS {output}"]
    if step.function == "longest_run":
        return [*longest_run_lines(number, step, context), *return_with_nodes(number, context, f"tied{number + 1}")]
    if step.function in NUMBER_OF_ALL:
        numbers = [*element_lines(operand, context), *_once(step, context)]
        return [*numbers, f"WITH {NUMBER_OF_ALL[step.function]} AS of_all", f"RETURN {finite('of_all')} AS {output}"]
    if step.function in ("argmin", "argmax"):
        lines = [
            *element_lines(operand, context),
            f"WITH collect({{e: e, number: number}}) AS all, {step.function.removeprefix('arg')}(number) AS best",
            "UNWIND all AS each",
            "WITH each.e AS e, each.number AS number, best WHERE number = best",
        ]
        if context.has_numbers(operand):
            return [*lines, *return_lines(number, context)]
        lines.append("WITH DISTINCT coalesce(e.head, e.key) AS x")
        return [*lines, *return_lines(number, context, nodes=True)]
    if step.function in ("first", "last", "nth"):
        lines = _at_place(step, context)
        if number in context.carried and isinstance(operand, Output):
            lines.append(f"WITH x, [e IN {context.carriers(operand)} WHERE {ELEMENT} = x] AS es")
    else:
        lines = [*element_lines(operand, context), *_MEMBERS[step.function]]
    if number not in context.carried:
        return [*lines, f"RETURN collect(x) AS {output}"]
    return [*lines, "UNWIND es AS e", *return_lines(number, context)]


def _at_place(step: ops.Aggregate, context: CompileContext) -> list[str]:
    """Rows (x) of the elements at the first or last places, or at one place, in order."""
    operand = step.operand
    if step.n is None:
        return [*in_order(operand, context, "DESC" if step.function == "last" else ""), "WITH x LIMIT 1"]
    n = context.parameter(step, "n", step.n - 1 if step.function == "nth" and step.n > 0 else step.n)
    one = f"[x IN [ordered[{n}]] WHERE x IS NOT NULL]"
    taken = {"first": f"ordered[..{n}]", "last": f"ordered[-{n}..]", "nth": one}[step.function]
    return [*in_order(operand, context), "WITH collect(x) AS ordered", f"UNWIND {taken} AS x"]


_MEMBERS = {
    **{
        function: (
            "WITH e, x, number WHERE number IS NOT NULL",
            f"WITH x, number, collect(e) AS es ORDER BY number {order}, x LIMIT 1",
        )
        for function, order in (("min", "ASC"), ("max", "DESC"))
    },
    "mode": (
        "WITH x, collect(e) AS es",
        "WITH collect([x, es]) AS groups, max(size(es)) AS times",
        "UNWIND groups AS g",
        "WITH g[0] AS x, g[1] AS es, times WHERE size(es) = times",
    ),
}
"""Aggregates that are elements x of their set, with the carriers es."""


def _once(step: ops.Aggregate, context: CompileContext) -> list[str]:
    """Makes one row of all rows of an element, where it counts once and not once a fact."""
    if not step.once:
        return []
    keys = context.parameter(step, "once", list(step.once))
    return [f"WITH DISTINCT x, number, CASE WHEN e.node1 IN {keys} THEN 0 ELSE e END AS counted"]


def finite(number: str) -> str:
    """A list of the number; empty where it is null or beyond all numbers, which no JSON can hold."""
    return f"[x IN [{number}] WHERE abs(x) <= {GREATEST}]"


# Numbers --------------------------------------------------------------------------------------------------------------


def each_lines(number: int, step: ops.EachNumber, context: CompileContext) -> list[str]:
    """The body of a function of each number."""
    lines = [*element_lines(step.operand, context), "WITH number WHERE number IS NOT NULL"]
    return [*lines, f"RETURN collect(DISTINCT {NUMBER_OF_EACH[step.function]}) AS q{number + 1}"]


def arithmetic_lines(number: int, step: ops.Arithmetic, context: CompileContext) -> list[str]:
    """One number from two; nothing where a side has none or several, or would divide by nought."""
    single = "CASE WHEN size(numbers) = 1 THEN numbers[0] END"
    lines = []
    for operand, name in ((step.left, "a"), (step.right, "b")):
        collected = ["WITH collect(DISTINCT toFloat(number)) AS numbers", f"RETURN {single} AS {name}"]
        lines += _of_numbers(operand, collected, context)
    result = f"CASE WHEN {_undefined(step)} THEN [] ELSE {finite(_NUMBER_OF_TWO[step.function])} END"
    return [*lines, f"RETURN {result} AS q{number + 1}"]


def number_of_two(step: ops.Arithmetic) -> str:
    """An expression for the number made of a and b; null where there is none."""
    return f"CASE WHEN {_undefined(step)} THEN null ELSE {_NUMBER_OF_TWO[step.function]} END"


def _undefined(step: ops.Arithmetic) -> str:
    return " OR ".join(["a IS NULL", "b IS NULL", *(["b = 0"] if step.function in _DIVISIONS else [])])


def equality_lines(number: int, step: ops.Equality, context: CompileContext) -> list[str]:
    """By numbers where there are any, else by elements."""
    lines = []
    for operand, name in ((step.left, "a"), (step.right, "b")):
        if isinstance(operand, Output) or context.holds_numbers(operand):
            lines += _of_numbers(operand, [f"RETURN collect(DISTINCT toFloat(number)) AS {name}"], context)
        else:
            lines.append(f"WITH *, [] AS {name}")
    left, right = (context.list_of(operand) for operand in (step.left, step.right))
    numbers, elements = (
        f"all(x IN {one} WHERE x IN {other}) AND all(x IN {other} WHERE x IN {one})"
        for one, other in (("a", "b"), (left, right))
    )
    test = f"CASE WHEN size(a) + size(b) > 0 THEN {numbers} ELSE {elements} END"
    return [*lines, f"RETURN [CASE WHEN {test} THEN 'yes' ELSE 'no' END] AS q{number + 1}"]


def choice_lines(number: int, step: ops.Choice, context: CompileContext) -> list[str]:
    """The elements of one side, by how the extreme numbers of two operands compare."""
    extreme = "min" if step.op.startswith("<") else "max"
    lines = _of_numbers(step.one, [f"RETURN {extreme}(number) AS a"], context)
    lines += _of_numbers(step.other, [f"RETURN {extreme}(number) AS b"], context)
    left, right = context.list_of(step.left), context.list_of(step.right)
    columns = [f"{_chosen(step, left, right)} AS q{number + 1}"]
    if number in context.carried:
        sides = [carriers_of(side, f"own{place}", context) for place, side in enumerate((step.left, step.right))]
        lines += [line for own, _ in sides for line in own]
        columns.append(f"{_chosen(step, *(carriers for _, carriers in sides))} AS m{number + 1}")
    return [*lines, f"RETURN {', '.join(columns)}"]


def _chosen(step: ops.Choice, left: str, right: str) -> str:
    tie = f" WHEN a = b THEN {left} + [x IN {right} WHERE NOT x IN {left}]" if step.both else ""
    return f"CASE WHEN a IS NULL OR b IS NULL THEN []{tie} WHEN a {step.op} b THEN {left} ELSE {right} END"


def _of_numbers(operand: Operand, lines: Sequence[str], context: CompileContext) -> list[str]:
    """A subquery with a row for each number of an operand."""
    numbers = context.numbers(operand)
    return call_lines([context.with_numbers(operand)], [f"UNWIND {numbers} AS number", *lines])


# Order ----------------------------------------------------------------------------------------------------------------


def sort_lines(number: int, step: ops.Sorting, context: CompileContext) -> list[str]:
    """Equal numbers by name, without regard to case. The greatest first is the same order from its end."""
    end, are_nodes = " DESC" if step.descending else "", context.holds_nodes(step.operand)
    lines, seek = element_lines(step.operand, context), context.seek_node(step.operand) if are_nodes else []
    if context.has_numbers(step.operand):
        names = ("toLower(n.name)", "n.name") if are_nodes else ("x",)
        order = ", ".join(f"{each}{end}" for each in (names if step.by_name else ("number", *names)))
        return [*lines, *seek, f"WITH e ORDER BY {order}", *return_lines(number, context)]
    order = f"toLower(n.name){end}, n.name{end}, x" if are_nodes else f"toLower(x){end}, x{end}"
    if context.holds_numbers(step.operand):
        order = f"x{end}"
    if step.by_name or not are_nodes:
        lines.append("WITH DISTINCT x")
    else:
        numeric = [node.key for node in context.scope.relations.nodes if node.kind is not ValueKind.TEXT]
        of_numbers = f"e.relation IS NULL AND e.node1 IN {context.parameter(step, 'numeric', numeric)}"
        order = f"number{end}, {order}"
        lines += [
            f"WITH x, e, number, CASE WHEN number IS NOT NULL OR {of_numbers} THEN 1 ELSE 0 END AS fits",
            f"WITH x, {'max' if step.descending else 'min'}(number) AS number, max(fits) AS fits",
            "WITH collect([x, number]) AS all, min(fits) AS fit",
            "UNWIND all AS each",
            "WITH each[0] AS x, CASE fit WHEN 1 THEN each[1] END AS number, fit",
            "WITH x, number WHERE fit = 0 OR number IS NOT NULL",
        ]
    sorted_lines = [*lines, *seek, f"WITH x ORDER BY {order}", f"WITH collect(x) AS q{number + 1}"]
    return [*sorted_lines, *return_among(number, (step.operand,), context)]


def in_order(operand: Operand, context: CompileContext, direction: str = "") -> list[str]:
    """Rows (x, name) in the order of the source: a table's rows, else by number or time, then by name.

    Callers that want the first ones cut them off a list: Neo4j's `ORDER BY ... LIMIT` counts every list in scope once
    for each row against the memory of the transaction, some gigabytes for a few thousand elements; a whole sort does
    not.
    """
    kind, end = context.kind_of(operand), f" {direction}" if direction else ""
    if context.has_numbers(operand):
        return _in_order_with_numbers(operand, context, end)
    if context.is_ordered(operand):
        elements = context.list_of(operand)
        is_named = context.holds_nodes(operand)
        return [
            f"UNWIND range(0, size({elements}) - 1) AS place",
            f"WITH {elements}[place] AS x, place",
            *(context.seek_node(operand) if is_named else []),
            f"WITH x, {'n.name' if is_named else 'x'} AS name, place ORDER BY place{end}",
        ]
    if kind in (OutputKind.NUMBERS, OutputKind.FACTS, OutputKind.WORDS):
        return [f"UNWIND {context.list_of(operand)} AS x", f"WITH x, x AS name ORDER BY x{end}"]
    if context.scope.only_tables and isinstance(operand, Output) and kind is OutputKind.NODES:
        return [
            f"UNWIND {context.carriers(operand)} AS e",
            "OPTIONAL MATCH (row:CgNode {key: e.head}) USING INDEX SEEK row:CgNode(key)",
            f"WITH {ELEMENT} AS x, e.source AS source, coalesce(row.num, e.num) AS place ORDER BY source, place",
            "WITH x, collect([source, place])[0] AS at",
            *context.seek_node(operand),
            f"WITH x, n.name AS name, at ORDER BY at[0]{end}, at[1]{end}, name{end}",
        ]
    source, order = ("n.source AS source, ", f"source{end}, ") if kind is OutputKind.ROWS else ("", "")
    return [
        f"UNWIND {context.list_of(operand)} AS x",
        *context.seek_node(operand),
        f"WITH x, n.name AS name, {source}n.num AS number ORDER BY {order}number{end}, name{end}",
    ]


def _in_order_with_numbers(operand: Operand, context: CompileContext, end: str) -> list[str]:
    """Rows (x, name, number) of a set with numbers, in the order of its sort, else by what its elements are.

    Each number is a list: the number, and the text that it was read from, or null.
    """
    assert isinstance(operand, Output), "literals have no numbers of their own"
    named = context.seek_node(operand) if context.holds_nodes(operand) else []
    name = "n.name" if named else "x"
    if context.is_ordered(operand):
        elements = context.carriers(operand)
        lines = [f"UNWIND range(0, size({elements}) - 1) AS place", f"WITH {elements}[place] AS e, place"]
        lines += ["WITH e.key AS x, e, place", *named]
        return [*lines, f"WITH x, {name} AS name, [e.num, e.text] AS number, place ORDER BY place{end}"]
    lines = [f"UNWIND {context.carriers(operand)} AS e", "WITH e.key AS x, e", *named]
    order = ["n.source"] if context.kind_of(operand) is OutputKind.ROWS else []
    order += ["n.num", "n.name"] if named else ["x"]
    return [
        *lines,
        f"WITH x, {name} AS name, [e.num, e.text] AS number ORDER BY {', '.join(f'{each}{end}' for each in order)}",
    ]
