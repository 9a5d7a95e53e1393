"""A search as a pattern over CG_VALUE relationships, and the Cypher clauses that seek in an index at each step.

A *fact* is a relationship f = (relation)-[CG_VALUE]->(tail) whose condition is [head]; a *statement* is a relationship
s = (key)-[CG_VALUE]->(value) whose condition is the whole fact [head, relation, tail]. A search binds f, s, or both
joined on the fact, and asks for one part of them. `WITH *` between the two keeps the planner from reordering them.

An *element* of an output is a key. Where a later step needs more of it, its number or its place in the source, the
output also has a list of *carriers*: the relationships that gave the elements, or the nodes themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cgstore.cypher.compile.context import CompileContext, call_lines
from cgstore.cypher.compile.periods import Sought, keys_of, period_lines
from cgstore.query.operands import (
    AnyRelation,
    Comparison,
    FactPattern,
    Names,
    NodeEquality,
    NumberEquality,
    Operand,
    OrderComparison,
    Output,
    Range,
    Superlative,
)
from cgstore.query.operators import Search, SearchCondition, SearchHead, SearchNode, SearchRelation
from cgstore.text.dates import Step


@dataclass(frozen=True)
class Pattern:
    """What is bound, and what is asked for.

    `find`: an expression over f, s or has. `alone`: s without its fact. `sources`: those that the relations of a head
    are asked of; () where they are all.
    """

    find: str
    head: Operand | None = None
    relation: Operand | None = None
    tail: tuple[Comparison, ...] = ()
    key: Operand | None = None
    value: tuple[Comparison, ...] = ()
    alone: bool = False
    sources: tuple[str, ...] = ()

    @property
    def holder(self) -> str:
        """A variable that is bound to a relationship, which has the source."""
        if self.find == "r.key":
            return "has"
        return "f" if self.relation and not self.alone else "s"

    @property
    def relationships(self) -> tuple[str, ...]:
        """The variables that hold the condition triples found: the evidence."""
        if self.find == "r.key":
            return ("has",)
        return (*(("f",) if self.relation else ()), *(("s",) if self.key else ()))

    def answering(self) -> Pattern:
        """What binds as much as the answer needs: a statement found by its relation has its fact, unseen."""
        if self.find in ("f.head", "s.node2") and isinstance(self.relation, Names) and _statement_first(self):
            return replace(self, find=self.find.replace("f.", "s."), alone=True)
        return self

    def counted(self) -> Pattern | None:
        """All that a superlative was chosen among, whatever else the pattern says; None where it has none."""
        if any(isinstance(c, Superlative) for c in self.tail):
            return Pattern("f.node2", relation=self.relation)
        if any(isinstance(c, Superlative) for c in self.value):
            return Pattern("s.node2", key=self.key)
        return None


def pattern_of(search: Search) -> Pattern:
    """The pattern that a search stands for."""
    match search:
        case SearchHead(head=head, sources=sources):
            return Pattern("r.key", head=head, sources=sources)
        case SearchRelation(head=head, value=value, scope=scope, relations=relations):
            return _scoped("f.node1", relations, head, value, scope)
        case SearchNode(node1=node1, condition=FactPattern() as fact):
            relation = fact.relation or (AnyRelation() if fact.tail else None)
            return Pattern("s.node2", fact.head, relation, fact.tail, key=node1)
        case SearchNode(node1=node1, condition=condition, scope=scope):
            if condition is None and _of_facts(node1):
                return Pattern("s.node2", key=node1)
            assert not isinstance(condition, FactPattern)
            return _scoped("f.node2", node1, condition, (), scope)
        case SearchCondition(node1=node1, value=value, condition=condition, scope=scope, heads=heads):
            if _of_facts(node1):
                find = "s.head" if heads else "s.condition"
                return Pattern(find, condition.head if condition else None, key=node1, value=value)
            return _scoped("f.head", node1, None, value, scope)


def _scoped(
    find: str,
    relation: Operand,
    head: Operand | None,
    tail: tuple[Comparison, ...],
    scope: SearchCondition | None,
) -> Pattern:
    if scope is None:
        return Pattern(find, head, relation, tail)
    return Pattern(find, head, relation, tail, key=scope.node1, value=scope.value)


def _of_facts(operand: Operand) -> bool:
    return isinstance(operand, Names) and operand.of_facts


def _statement_first(pattern: Pattern) -> bool:
    """Whether a search finds the statements before the fact: by their value, or by its relation if all have one.

    Only numbers are indexed with the relation, and all values of the built-in keys are numbers: they are times.
    """
    if pattern.head or pattern.tail or not pattern.key:
        return False
    return bool(pattern.value) or (isinstance(pattern.key, Names) and pattern.key.time_key)


def carrier(search: Search) -> str | None:
    """The variable of the relationships that carry the elements of a search; None where the nodes themselves do."""
    return {"f.node2": "f", "s.node2": "s"}.get(pattern_of(search).find)


def clauses(pattern: Pattern, context: CompileContext, *, every_time: bool = False) -> list[str]:
    """The lines of Cypher that bind the pattern; parameters and bounds are taken from `context`.

    Args:
        pattern: the pattern.
        context: the names in force.
        every_time: whether s is bound to every time of a period that fits, also where the fact alone is asked for.
    """
    lines = bound_lines((*pattern.tail, *pattern.value), context)
    each = every_time or pattern.find == "s.node2"
    if pattern.find == "r.key":
        return [*lines, *_has(pattern, context)]
    if pattern.relation is None or pattern.alone:
        return [*lines, *_statement_alone(pattern, context, each)]
    if pattern.key is None:
        return [*lines, *_fact_alone(pattern, context)]
    if _statement_first(pattern):
        return [*lines, *_statement_alone(pattern, context, each), "WITH *", *_fact_of_statement(pattern, context)]
    return [*lines, *_fact_alone(pattern, context), "WITH *", *_statement_of_fact(pattern, context, each)]


def _has(pattern: Pattern, context: CompileContext) -> list[str]:
    return [
        context.unwind(pattern.head, "head"),
        "MATCH (at:CgNode {key: head})-[has:CG_HAS]->(r)",
        "USING INDEX SEEK at:CgNode(key)",
        f"WHERE has.source IN {context.sources(pattern.sources)}",
    ]


def _fact_alone(pattern: Pattern, context: CompileContext) -> list[str]:
    bound = _bound_with_relation(pattern, context)
    found = _seek("f", pattern.head, pattern.tail, context, "size(f.condition) = 1", unwind=not bound)
    return [*(bound or [context.unwind(pattern.relation, "relation")]), *found]


def _bound_with_relation(pattern: Pattern, context: CompileContext) -> list[str]:
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
            "MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)",
            "USING INDEX SEEK at:CgNode(key)",
            f"WHERE has.source IN {context.sources()} AND own.key IN {relations}",
            "WITH *, own.key AS relation",
        ]
    if not isinstance(sought, NodeEquality):
        return []
    body = [
        "WITH * WHERE in_few",
        "MATCH (at)<-[few:CG_VALUE]-(own)",
        f"WHERE own.key IN {relations}",
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
        f"WITH *, COUNT {{ (at)<-[:CG_VALUE]-() }} <= size({relations}) AS in_few",
        *call_lines(["at", "in_few"], body),
    ]


def _statement_alone(pattern: Pattern, context: CompileContext, each: bool) -> list[str]:
    relations = context.relation_names(pattern.relation)
    superlative = any(isinstance(c, Superlative) for c in pattern.value)

    def written(key: Operand) -> list[str]:
        found = _seek("s", pattern.head, pattern.value, context, "s.relation IS NOT NULL", relations=relations)
        return [context.unwind(key, "key"), *found]

    def of_periods(step: Step, key: Operand) -> list[str]:
        lines, tests = [context.unwind(key, "key")], list[str]()
        sought = Sought(pattern.value, each=each)
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


def _fact_of_statement(pattern: Pattern, context: CompileContext) -> list[str]:
    found = _tested(_match("f", "node1, head", "s.head"), _SAME_FACT)
    return [context.unwind(pattern.relation, "relation"), *found]


def _statement_of_fact(pattern: Pattern, context: CompileContext, each: bool) -> list[str]:
    def written(key: Operand) -> list[str]:
        found = _tested(_match("s", "node1, head", "f.head"), _SAME_FACT, *_tests("s", pattern.value, context))
        return [context.unwind(key, "key"), *found]

    def of_periods(step: Step, key: Operand) -> list[str]:
        sought = Sought(pattern.value, [_SAME_FACT.replace("s.", "p.")], head="f.head", each=each)
        return [context.unwind(key, "key"), *period_lines(step, sought, context)]

    return _of_each_kind(pattern.key, context, written, of_periods)


_SAME_FACT = "s.source = f.source AND s.condition = f.condition + [r.name, t.name]"

_ENDS = {"f": ("r", "t"), "s": ("k", "v")}
"""The nodes at the two ends of a fact and of a statement."""

_NODE1 = {"f": "relation", "s": "key"}
"""The variables with the key of their node1."""


def _match(variable: str, index: str, value: str = "") -> list[str]:
    """Binds a relationship of node1 and its ends by an index, whose second property has a value, if one is given.

    The index is given as a hint: the planner would else scan while the graph is small, or take the wrong one.
    """
    start, end = _ENDS[variable]
    by = f", {index.split(', ')[1]}: {value}" if value else ""
    return [
        f"MATCH ({start})-[{variable}:CG_VALUE {{node1: {_NODE1[variable]}{by}}}]->({end})",
        f"USING INDEX SEEK {variable}:CG_VALUE({index})",
    ]


def _seek(
    variable: str,
    head: Operand | None,
    comparisons: tuple[Comparison, ...],
    context: CompileContext,
    test: str,
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
        test: the condition that separates facts from statements.
        relations: the names of the relation of a statement, if there is one; numbers are searched within them.
        unwind: whether the head or node2 of the search has no row of its own yet.
    """
    superlative = next((c for c in comparisons if isinstance(c, Superlative)), None)
    if head is not None and superlative is None:
        lines = [*([context.unwind(head, "head")] if unwind else []), *_match(variable, "node1, head", "head")]
        return _tested(lines, test, *_tests(variable, comparisons, context))
    equal = superlative or next((c for c in comparisons if isinstance(c, NodeEquality | NumberEquality)), None)
    where = [f"{variable}.head IN {context.list_of(head)}"] if head is not None else []
    where += _tests(variable, [c for c in comparisons if c is not equal], context)
    if relations and not equal:
        lines = [f"UNWIND {relations} AS relation_name", *_match(variable, "node1, relation, num", "relation_name")]
        return _tested(lines, test, *(where or [f"{variable}.num IS NOT NULL"]))
    if relations:
        where.append(f"{variable}.relation IN {relations}")
    if equal:
        lines = _by_equal(variable, equal, context, unwind)
    elif where:
        lines = _match(variable, "node1, num")
    else:
        lines, where = _match(variable, "node1, node2"), [f"{variable}.node2 IS NOT NULL"]
    return _tested(lines, test, *where)


def _tested(lines: list[str], *tests: str) -> list[str]:
    """The lines, and that what they bind passes the tests."""
    return [*lines, ("WITH * " if lines[-1] == "}" else "") + "WHERE " + " AND ".join(tests)]


def _by_equal(variable: str, equal: Comparison, context: CompileContext, unwind: bool) -> list[str]:
    """Binds by a comparison that says what node2 is."""
    match equal:
        case NodeEquality(operand=operand):
            name = "tail" if variable == "f" else "value"
            return [*([context.unwind(operand, name)] if unwind else []), *_match(variable, "node1, node2", name)]
        case NumberEquality(operand=operand):
            return _same(variable, operand, context)
        case Superlative(of_numbers=of_numbers, least=least):
            return _extreme(variable, least) if of_numbers else _frequent(variable, least)
    raise AssertionError("ranges and orders do not say what node2 is")


def _same(variable: str, operand: Output, context: CompileContext) -> list[str]:
    """Binds the relationships with a node2 that is an element of an output, or the same number as one."""
    start, end = _ENDS[variable]
    returned = f"RETURN {start}, {variable}, {end}"
    body = [f"UNWIND {context.equal_numbers(operand)} AS number", *_match(variable, "node1, num", "number"), returned]
    imported = [_NODE1[variable], context.output(operand)]
    if not context.holds_numbers(operand):
        imported.append(context.carriers(operand))
        by_name = [f"UNWIND {context.output(operand)} AS name", *_match(variable, "node1, node2", "name"), returned]
        body = [*by_name, "UNION", *body]
    return call_lines(imported, body)


def _frequent(variable: str, least: bool) -> list[str]:
    """Binds the relationships of node1 with the most frequent node2, or the least frequent."""
    start, end = _ENDS[variable]
    body = [
        *_match(variable, "node1, node2"),
        f"WHERE {variable}.node2 IS NOT NULL AND {_is_whole(variable)}",
        f"WITH {variable}.node2 AS name, collect({variable}) AS found",
        f"WITH collect(found) AS groups, {'min' if least else 'max'}(size(found)) AS times",
        "UNWIND groups AS found",
        "WITH * WHERE size(found) = times",
        f"UNWIND found AS {variable}",
        f"RETURN startNode({variable}) AS {start}, {variable}, endNode({variable}) AS {end}",
    ]
    return call_lines([_NODE1[variable]], body)


def _extreme(variable: str, least: bool) -> list[str]:
    """Binds the relationships of node1 with the greatest number, or the least."""
    start, end = _ENDS[variable]
    best = [
        *_match(variable, "node1, num"),
        f"WHERE {variable}.num IS NOT NULL AND {_is_whole(variable)}",
        f"RETURN {'min' if least else 'max'}({variable}.num) AS extreme",
    ]
    found = [*_match(variable, "node1, num", "extreme"), f"RETURN {start}, {variable}, {end}"]
    return [*call_lines([_NODE1[variable]], best), *call_lines([_NODE1[variable], "extreme"], found)]


def _is_whole(variable: str) -> str:
    return f"size({variable}.condition) = {1 if variable == 'f' else 3}"


def bound_lines(comparisons: Iterable[Comparison], context: CompileContext) -> list[str]:
    """Binds the least and the greatest number, `low1` and `high1`, of the outputs that comparisons are with."""
    lines: list[str] = []
    for comparison in comparisons:
        if isinstance(comparison, OrderComparison) and context.first_use_of_bounds(comparison):
            operand = comparison.operand
            place, imported = operand.step + 1, context.with_numbers(operand)
            numbers = f"UNWIND {context.numbers(operand)} AS number"
            lines += call_lines([imported], [numbers, f"RETURN min(number) AS low{place}, max(number) AS high{place}"])
    return lines


def _tests(variable: str, comparisons: Iterable[Comparison], context: CompileContext) -> list[str]:
    return [test for c in comparisons for test in tests(f"{variable}.node2", f"{variable}.num", c, context)]


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
