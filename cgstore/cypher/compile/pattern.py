"""A search as a pattern over CG_VALUE relationships, and the Cypher clauses that seek in an index at each step.

A *fact* is a relationship f = (relation)-[CG_VALUE]->(tail) whose condition is [head]; a *statement* is a relationship
s = (key)-[CG_VALUE]->(value) whose condition is the whole fact [head, relation, tail], with the number of the statement
behind it where the fact has several. A search binds f, s, or both joined on the fact, and asks for one part of them.
`WITH *` between the two keeps the planner from reordering them.

An *element* of an output is a key. Where a later step needs more of it, its number or its place in the source, the
output also has a list of *carriers*: the relationships that gave the elements, or the nodes themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from cgstore.cypher.compile.comparisons import bound_lines, tests
from cgstore.cypher.compile.context import CompileContext, call_lines
from cgstore.cypher.compile.periods import Sought, Times, keys_of, period_lines
from cgstore.cypher.compile.seeks import known, seek, types
from cgstore.model import TimeKey
from cgstore.query.operands import (
    AnyRelation,
    Comparison,
    Names,
    NodeEquality,
    NumberEquality,
    Operand,
    Output,
    Superlative,
)
from cgstore.query.operators import Part, Said, Search
from cgstore.text.dates import Step

_FOUND = {
    Part.HEAD: "f.head",
    Part.RELATION: "f.node1",
    Part.TAIL: "f.node2",
    Part.SUBJECT: "s.head",
    Part.FACT: "s.condition",
    Part.VALUE: "s.node2",
    Part.RELATIONS: "r.key",
}

CARRIERS = {Part.TAIL: "f", Part.VALUE: "s"}
"""The relationships that carry the elements of a search; those of any other are carried by their nodes."""


def found(search: Search) -> str:
    """An expression for what a search asks for."""
    return _FOUND[search.asked]


def holder(search: Search) -> str:
    """A variable that is bound to a relationship, which has the source."""
    if search.asked is Part.RELATIONS:
        return "has"
    return "f" if search.relation and not search.alone else "s"


def relationships(search: Search) -> tuple[str, ...]:
    """The variables that hold the condition triples found: the evidence."""
    if search.asked is Part.RELATIONS:
        return ("has",)
    return (*(("f",) if search.relation else ()), *(("s",) if search.key else ()), *FURTHER[: len(search.further)])


def answering(search: Search) -> Search:
    """What binds as much as the answer needs: a statement found by its relation has its fact, unseen."""
    if search.asked in (Part.HEAD, Part.VALUE) and isinstance(search.relation, Names) and _statement_first(search):
        return replace(search, asked=Part.SUBJECT if search.asked is Part.HEAD else Part.VALUE, alone=True)
    return search


def counted(search: Search) -> Search | None:
    """All that a superlative was chosen among, whatever else the search says; None where it has none."""
    if any(isinstance(c, Superlative) for c in search.tail):
        return Search(Part.TAIL, relation=search.relation)
    if any(isinstance(c, Superlative) for c in search.value):
        return Search(Part.VALUE, key=search.key)
    return None


def _statement_first(search: Search) -> bool:
    """Whether a search finds the statements before the fact: by their value, or by its relation if all have one.

    Only numbers are indexed with the relation, and all values of the built-in keys are numbers: they are times.
    """
    if search.head or search.tail or not search.key:
        return False
    return bool(search.value) or (isinstance(search.key, Names) and search.key.time_key)


def clauses(pattern: Search, context: CompileContext, times: Times = Times.STRETCH) -> list[str]:
    """The lines of Cypher that bind the pattern; parameters and bounds are taken from `context`.

    Args:
        pattern: the pattern.
        context: the names in force.
        times: what s is bound to, where it is about the times at which facts hold.
    """
    lines = bound_lines(pattern.compared, context)
    if pattern.asked is Part.RELATIONS:
        return [*lines, *_has(pattern, context)]
    if pattern.key is None:
        return [*lines, *_fact_alone(pattern, context)]
    is_alone, further = pattern.relation is None or pattern.alone, pattern.further
    if further and not (pattern.head or pattern.tail or pattern.value):  # no more is known of s
        found = [*_further_alone(pattern, context), "WITH *", *_statement_of(FURTHER[0], pattern, context, times)]
        found += [] if is_alone else ["WITH *", *_fact_of_statement(pattern, context)]
        further = further[1:]
    elif is_alone:
        found = _statement_alone(pattern, context, times)
    elif _statement_first(pattern):
        found = [*_statement_alone(pattern, context, times), "WITH *", *_fact_of_statement(pattern, context)]
    else:
        found = [*_fact_alone(pattern, context), "WITH *", *_statement_of("f", pattern, context, times)]
    for variable, said in zip(FURTHER[len(pattern.further) - len(further) :], further, strict=False):
        found += ["WITH *", *_further_of_statement(variable, said, context)]
    said_of = [("s", pattern.key), *zip(FURTHER, (said.key for said in pattern.further), strict=False)]
    same_period = _of_one_period(said_of)
    return [*lines, *found, *([f"WITH * {_where(*same_period)}"] if same_period else [])]


def _of_one_period(bound: Iterable[tuple[str, Operand | None]]) -> list[str]:
    """The conditions on starts and ends of one fact, by their variables, that make them those of one of its periods.

    Where the starts and ends of a fact alone do not say which belong together, each start has the names of its `ends`.
    """
    keys = ((variable, key) for variable, key in bound if isinstance(key, Names) and key.time_key and key.nodes)
    times = [(variable, key.names[0]) for variable, key in keys if key.names[0] in (TimeKey.START, TimeKey.END)]
    tests = []
    for (one, first), (other, second) in combinations(times, 2):
        if first == second:
            tests.append(f"{one}.node2 = {other}.node2")
        else:
            start, end = (one, other) if first == TimeKey.START else (other, one)
            tests.append(f"coalesce({end}.node2 IN {start}.ends, true)")
    return tests


def _has(pattern: Search, context: CompileContext) -> list[str]:
    return [
        context.unwind(pattern.head, "head"),
        f"MATCH (at:CgNode {{key: head}})-[has:{types('CG_HAS', context)}]->(r)",
        "USING INDEX SEEK at:CgNode(key)",
        _where(f"has.source IN {context.sources(pattern.sources)}", *known("has", context)),
    ]


def _fact_alone(pattern: Search, context: CompileContext) -> list[str]:
    bound = _bound_with_relation(pattern, context)
    tests = facts_alone("f", pattern.relation, context)
    found = _seek("f", pattern.head, pattern.tail, context, tests, unwind=not bound)
    return [*(bound or [context.unwind(pattern.relation, "relation")]), *found]


def facts_alone(variable: str, relation: Operand | None, context: CompileContext) -> list[str]:
    """The condition that a relationship of a relation is a fact, where it may be a qualifier of facts too.

    It is left out elsewhere: `condition` is slow to read.
    """
    of = context.scope.relations if isinstance(relation, AnyRelation) else relation
    is_never_key = isinstance(of, Names) and not any(node.of_facts for node in of.nodes)
    return [] if is_never_key else [f"size({variable}.condition) = 1"]


def _statements_alone(variable: str, key: Operand | None) -> list[str]:
    """The condition that a relationship of a key says something of a fact, where it may be a fact of its own."""
    is_never_relation = isinstance(key, Names) and not any(node.of_heads for node in key.nodes)
    return [] if is_never_relation else [f"{variable}.relation IS NOT NULL"]


def _bound_with_relation(pattern: Search, context: CompileContext) -> list[str]:
    """Where any relation will do: rows of a head, or else a tail, and the relations that it has facts under.

    A tail in few relationships names its relations itself; of a hub, each of the relations is tried.
    """
    superlative = any(isinstance(c, Superlative) for c in pattern.tail)
    sought = next((c for c in pattern.tail if isinstance(c, NodeEquality | NumberEquality)), None)
    if not isinstance(pattern.relation, AnyRelation) or superlative:
        return []
    relations = context.list_of(pattern.relation)
    if pattern.head:
        return [
            context.unwind(pattern.head, "head"),
            f"MATCH (at:CgNode {{key: head}})-[has:{types('CG_HAS', context)}]->(own)",
            "USING INDEX SEEK at:CgNode(key)",
            _where(f"has.source IN {context.sources()}", f"own.key IN {relations}", *known("has", context)),
            "WITH *, own.key AS relation",
        ]
    if not isinstance(sought, NodeEquality):
        return []
    body = [
        "WITH * WHERE in_few",
        f"MATCH (at)<-[few:{types('CG_VALUE', context)}]-(own)",
        _where(f"own.key IN {relations}", *known("few", context)),
        "RETURN DISTINCT own.key AS relation",
        "UNION",
        "WITH * WHERE NOT in_few",
        f"UNWIND {relations} AS relation",
        "RETURN relation",
    ]
    return [
        context.unwind(sought.operand, "tail"),
        "MATCH (at:CgNode {key: tail})",
        "USING INDEX SEEK at:CgNode(key)",
        f"WITH *, COUNT {{ (at)<-[:{types('CG_VALUE', context)}]-() }} <= size({relations}) AS in_few",
        *call_lines(["at", "in_few"], body),
    ]


def _statement_alone(pattern: Search, context: CompileContext, times: Times) -> list[str]:
    relations = context.relation_names(pattern.relation)
    superlative = any(isinstance(c, Superlative) for c in pattern.value)

    def written(key: Operand) -> list[str]:
        tests = _statements_alone("s", key)
        found = _seek("s", pattern.head, pattern.value, context, tests, relations=relations)
        return [context.unwind(key, "key"), *found]

    def of_periods(step: Step, key: Operand) -> list[str]:
        lines, tests = [context.unwind(key, "key")], list[str]()
        sought = Sought(pattern.value, times=times)
        if superlative:
            tests += [f"p.head IN {context.list_of(pattern.head)}"] if pattern.head else []
            tests += [f"p.relation IN {relations}"] if relations else []
        elif pattern.head:
            lines.append(context.unwind(pattern.head, "head"))
            sought = sought._replace(head="head")
        elif relations:
            lines.append(f"UNWIND {relations} AS relation_name")
            sought = sought._replace(relation="relation_name")
        return [*lines, *period_lines(step, sought._replace(tests=tests), context)]

    return _of_each_kind(pattern.key, context, written, of_periods)


def _of_each_kind(
    key: Operand | None,
    context: CompileContext,
    written: Callable[[Operand], list[str]],
    of_periods: Callable[[Step, Operand], list[str]],
) -> list[str]:
    """Binds statements of keys whose times are written out, and of those that have periods."""
    assert key is not None
    keys = context.kept(key, keys_of)
    if keys is None:
        return written(key)
    bodies = [written(keys.written)] if keys.written else []
    bodies += [of_periods(step, names) for step, names in keys.periods.items()]
    if len(bodies) == 1:
        return bodies[0]
    first, *others = ([f"  {line}" for line in [*body, "RETURN s"]] for body in bodies)
    return ["CALL (*) {", *first, *(line for other in others for line in ["  UNION ALL", *other]), "}"]


def _fact_of_statement(pattern: Search, context: CompileContext) -> list[str]:
    found = _match("f", "node1, head", context, _SAME_FACT.format("s"), value="s.head")
    return [context.unwind(pattern.relation, "relation"), *found]


def _statement_of(bound: str, pattern: Search, context: CompileContext, times: Times) -> list[str]:
    """Binds s where its fact, or another relationship of the same statement, is bound."""
    same = _SAME_FACT if bound == "f" else _SAME_STATEMENT

    def written(key: Operand) -> list[str]:
        tests = same.format("s", bound), *_tests("s", pattern.value, context)
        found = _match("s", "node1, head", context, *tests, value=f"{bound}.head")
        return [context.unwind(key, "key"), *found]

    def of_periods(step: Step, key: Operand) -> list[str]:
        sought = Sought(pattern.value, [same.format("p", bound)], head=f"{bound}.head", times=times)
        return [context.unwind(key, "key"), *period_lines(step, sought, context)]

    return _of_each_kind(pattern.key, context, written, of_periods)


_SAME_FACT = "{0}.source = f.source AND {0}.condition[..3] = f.condition + [r.name, t.name]"

FURTHER = ("other", "third")
"""The variables of what else a statement says."""

_SAME_STATEMENT = "{0}.source = {1}.source AND {0}.condition = {1}.condition"


def _further_alone(pattern: Search, context: CompileContext) -> list[str]:
    """Binds what else a statement says before the rest of it."""
    said, relations = pattern.further[0], context.relation_names(pattern.relation)
    tests = _statements_alone(FURTHER[0], said.key)
    found = _seek(FURTHER[0], None, said.value, context, tests, relations=relations)
    return [context.unwind(said.key, _NODE1[FURTHER[0]]), *found]


def _further_of_statement(variable: str, said: Said, context: CompileContext) -> list[str]:
    same = _SAME_STATEMENT.format(variable, "s")
    tests = same, *_tests(variable, said.value, context)
    found = _match(variable, "node1, head", context, *tests, value="s.head")
    return [context.unwind(said.key, _NODE1[variable]), *found]


_ENDS = {"f": ("r", "t"), "s": ("k", "v"), "other": ("other_k", "other_v"), "third": ("third_k", "third_v")}
"""The nodes at the two ends of a fact and of a statement."""

_NODE1 = {"f": "relation", "s": "key", "other": "other_key", "third": "third_key"}
"""The variables with the key of their node1."""


def _match(variable: str, index: str, context: CompileContext, *tests: str, value: str = "") -> list[str]:
    """Binds a relationship of node1 and its ends by an index, whose second property has a value, if one is given."""
    start, end = _ENDS[variable]
    by = f", {index.split(', ')[1]}: {value}" if value else ""
    pattern = f"({start})-[{variable}:CG_VALUE {{node1: {_NODE1[variable]}{by}}}]->({end})"
    return seek(pattern, index, context, *tests)


def _where(*tests: str) -> str:
    return f"WHERE {' AND '.join(tests)}"


def _seek(
    variable: str,
    head: Operand | None,
    comparisons: tuple[Comparison, ...],
    context: CompileContext,
    alone: Sequence[str],
    *,
    relations: str | None = None,
    unwind: bool = True,
) -> list[str]:
    """Binds a fact or a statement: by the head, else by an equal node2, else by node2's number, else by node1 alone.

    Args:
        variable: f for a fact, s for a statement.
        head: the head, if it is given.
        comparisons: of node2.
        context: the names in force.
        alone: the condition that separates facts from statements, if one is needed.
        relations: the names of the relation of a statement, if there is one; numbers are searched within them.
        unwind: whether the head or node2 of the search has no row of its own yet.
    """
    superlative = next((c for c in comparisons if isinstance(c, Superlative)), None)
    if head is not None and superlative is None:
        rows = [context.unwind(head, "head")] if unwind else []
        where = _tests(variable, comparisons, context)
        return [*rows, *_match(variable, "node1, head", context, *alone, *where, value="head")]
    equal = superlative or next((c for c in comparisons if isinstance(c, NodeEquality | NumberEquality)), None)
    where = [f"{variable}.head IN {context.list_of(head)}"] if head is not None else []
    where += _tests(variable, [c for c in comparisons if c is not equal], context)
    if relations and not equal:
        where = where or [f"{variable}.num IS NOT NULL"]
        found = _match(variable, "node1, relation, num", context, *alone, *where, value="relation_name")
        return [f"UNWIND {relations} AS relation_name", *found]
    if relations:
        where.append(f"{variable}.relation IN {relations}")
    if equal:
        return _by_equal(variable, equal, context, unwind, *alone, *where)
    if where:
        return _match(variable, "node1, num", context, *alone, *where)
    return _match(variable, "node1, node2", context, *alone, f"{variable}.node2 IS NOT NULL")


def _by_equal(variable: str, equal: Comparison, context: CompileContext, unwind: bool, *tests: str) -> list[str]:
    """Binds by a comparison that says what node2 is."""
    match equal:
        case NodeEquality(operand=operand):
            name = "tail" if variable == "f" else "value"
            rows = [context.unwind(operand, name)] if unwind else []
            return [*rows, *_match(variable, "node1, node2", context, *tests, value=name)]
        case NumberEquality(operand=operand):
            lines = _same(variable, operand, context)
        case Superlative(of_numbers=of_numbers, least=least):
            lines = _extreme(variable, least, context) if of_numbers else _frequent(variable, least, context)
        case _:
            raise AssertionError("ranges and orders do not say what node2 is")
    return [*lines, *([f"WITH * {_where(*tests)}"] if tests else [])]


def _same(variable: str, operand: Output, context: CompileContext) -> list[str]:
    """Binds the relationships with a node2 that is an element of an output, or the same number as one."""
    start, end = _ENDS[variable]
    returned = f"RETURN {start}, {variable}, {end}"
    by_number = _match(variable, "node1, num", context, value="number")
    body = [f"UNWIND {context.equal_numbers(operand)} AS number", *by_number, returned]
    imported = [_NODE1[variable], context.output(operand)]
    if not context.holds_numbers(operand):
        imported.append(context.carriers(operand))
        by_name = _match(variable, "node1, node2", context, value="name")
        body = [f"UNWIND {context.output(operand)} AS name", *by_name, returned, "UNION", *body]
    return call_lines(imported, body)


def _frequent(variable: str, least: bool, context: CompileContext) -> list[str]:
    """Binds the relationships of node1 with the most frequent node2, or the least frequent."""
    start, end = _ENDS[variable]
    body = [
        *_match(variable, "node1, node2", context, f"{variable}.node2 IS NOT NULL", _is_whole(variable)),
        f"WITH {variable}.node2 AS name, collect({variable}) AS found",
        f"WITH collect(found) AS groups, {'min' if least else 'max'}(size(found)) AS times",
        "UNWIND groups AS found",
        "WITH * WHERE size(found) = times",
        f"UNWIND found AS {variable}",
        f"RETURN startNode({variable}) AS {start}, {variable}, endNode({variable}) AS {end}",
    ]
    return call_lines([_NODE1[variable]], body)


def _extreme(variable: str, least: bool, context: CompileContext) -> list[str]:
    """Binds the relationships of node1 with the greatest number, or the least."""
    start, end = _ENDS[variable]
    best = [
        *_match(variable, "node1, num", context, f"{variable}.num IS NOT NULL", _is_whole(variable)),
        f"RETURN {'min' if least else 'max'}({variable}.num) AS extreme",
    ]
    found = [*_match(variable, "node1, num", context, value="extreme"), f"RETURN {start}, {variable}, {end}"]
    return [*call_lines([_NODE1[variable]], best), *call_lines([_NODE1[variable], "extreme"], found)]


def _is_whole(variable: str) -> str:
    return f"size({variable}.condition) {'=' if variable == 'f' else '>'} 1"


def _tests(variable: str, comparisons: Iterable[Comparison], context: CompileContext) -> list[str]:
    return [test for c in comparisons for test in tests(f"{variable}.node2", f"{variable}.num", c, context)]
