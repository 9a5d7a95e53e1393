"""A search as a pattern over CG_VALUE relationships, and the Cypher clauses that seek in an index at each step.

A *fact* is a relationship f = (relation)-[CG_VALUE]->(tail) whose condition is [head]; a *statement* is a relationship
s = (key)-[CG_VALUE]->(value) whose condition is the whole fact [head, relation, tail]. A search binds f, s, or both
joined on the fact, and asks for one part of them. `WITH *` between the two keeps the planner from reordering them.

An *element* of an output is a key. Where a later step needs more of it, its number or its place in the source, the
output also has a list of *carriers*: the relationships that gave the elements, or the nodes themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from cgstore.cypher.compile.context import CompileContext
from cgstore.query.operands import (
    Against,
    Among,
    AnyRelation,
    Comparison,
    Extreme,
    FactPattern,
    Frequent,
    Names,
    Operand,
    Output,
    Range,
    Same,
)
from cgstore.query.operators import Search, SearchCondition, SearchHead, SearchNode, SearchRelation


@dataclass(frozen=True)
class Pattern:
    """What is bound, and what is asked for: an expression over f, s or has. `alone`: s without its fact.

    `sources`: those that a head's relations are asked of; () where they are all.
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
        if any(isinstance(c, Frequent | Extreme) for c in self.tail):
            return Pattern("f.node2", relation=self.relation)
        if any(isinstance(c, Frequent | Extreme) for c in self.value):
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
    """Whether a fact's statements are sought before the fact: by their value, or by its relation where all have one.

    Only numbers are indexed with the relation, and all values of the built-in keys are numbers: they are times.
    """
    if pattern.head or pattern.tail or not pattern.key:
        return False
    return bool(pattern.value) or (isinstance(pattern.key, Names) and pattern.key.time_key)


def carrier(search: Search) -> str | None:
    """The variable of the relationships that carry the elements of a search; None where the nodes themselves do."""
    return {"f.node2": "f", "s.node2": "s"}.get(pattern_of(search).find)


def clauses(pattern: Pattern, scope: CompileContext) -> list[str]:
    """The lines of Cypher that bind the pattern; parameters and bounds are taken from `scope`."""
    lines = bound_lines((*pattern.tail, *pattern.value), scope)
    if pattern.find == "r.key":
        return [*lines, *_has(pattern, scope)]
    if pattern.relation is None or pattern.alone:
        return [*lines, *_statement_alone(pattern, scope)]
    if pattern.key is None:
        return [*lines, *_fact_alone(pattern, scope)]
    if _statement_first(pattern):
        return [*lines, *_statement_alone(pattern, scope), "WITH *", *_fact_of_statement(pattern, scope)]
    return [*lines, *_fact_alone(pattern, scope), "WITH *", *_statement_of_fact(pattern, scope)]


def _has(pattern: Pattern, scope: CompileContext) -> list[str]:
    return [
        scope.unwind(pattern.head, "head"),
        "MATCH (at:CgNode {key: head})-[has:CG_HAS]->(r)",
        "USING INDEX SEEK at:CgNode(key)",
        f"WHERE has.source IN {scope.sources(pattern.sources)}",
    ]


def _fact_alone(pattern: Pattern, scope: CompileContext) -> list[str]:
    bound = _bound_with_relation(pattern, scope)
    seek = _seek("f", pattern.head, pattern.tail, "relation", scope, unwind=not bound)
    lines = bound or [scope.unwind(pattern.relation, "relation")]
    return [*lines, *seek.lines, *seek.tested("size(f.condition) = 1")]


def _bound_with_relation(pattern: Pattern, scope: CompileContext) -> list[str]:
    """Where any relation will do: rows of a head, or else a tail, and the relations that it has facts under.

    A tail in few relationships tells its relations itself; of a hub, each of the relations is tried.
    """
    superlative = any(isinstance(c, Frequent | Extreme) for c in pattern.tail)
    sought = next((c for c in pattern.tail if isinstance(c, Among | Same)), None)
    if not isinstance(pattern.relation, AnyRelation) or superlative:
        return []
    relations = scope.list_of(pattern.relation)
    if pattern.head:
        return [
            scope.unwind(pattern.head, "head"),
            "MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)",
            "USING INDEX SEEK at:CgNode(key)",
            f"WHERE has.source IN {scope.sources()} AND own.key IN {relations}",
            "WITH *, own.key AS relation",
        ]
    if not isinstance(sought, Among):
        return []
    return [
        scope.unwind(sought.operand, "tail"),
        "MATCH (at:CgNode {key: tail})",
        "USING INDEX SEEK at:CgNode(key)",
        f"WITH *, COUNT {{ (at)<-[:CG_VALUE]-() }} <= size({relations}) AS in_few",
        "CALL (at, in_few) {",
        "  WITH * WHERE in_few",
        "  MATCH (at)<-[few:CG_VALUE]-(own)",
        f"  WHERE own.key IN {relations}",
        "  RETURN DISTINCT own.key AS relation",
        "  UNION",
        "  WITH * WHERE NOT in_few",
        f"  UNWIND {relations} AS relation",
        "  RETURN relation",
        "}",
    ]


def _statement_alone(pattern: Pattern, scope: CompileContext) -> list[str]:
    seek = _seek("s", pattern.head, pattern.value, "key", scope, relations=scope.relation_names(pattern.relation))
    return [scope.unwind(pattern.key, "key"), *seek.lines, *seek.tested("s.relation IS NOT NULL")]


def _fact_of_statement(pattern: Pattern, scope: CompileContext) -> list[str]:
    return [
        scope.unwind(pattern.relation, "relation"),
        "MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)",
        "USING INDEX SEEK f:CG_VALUE(node1, head)",
        *_where(*_SAME_FACT),
    ]


def _statement_of_fact(pattern: Pattern, scope: CompileContext) -> list[str]:
    where = [test for comparison in pattern.value for test in _tests("s", comparison, scope)]
    return [
        scope.unwind(pattern.key, "key"),
        "MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)",
        "USING INDEX SEEK s:CG_VALUE(node1, head)",
        *_where(*_SAME_FACT, *where),
    ]


_SAME_FACT = ("s.source = f.source", "s.condition = f.condition + [r.name, t.name]")


def _where(*tests: str) -> list[str]:
    return ["WHERE " + " AND ".join(tests)] if tests else []


class _Seek(NamedTuple):
    """How a relationship is found: the lines that bind it and its two ends, and the tests that are left."""

    lines: list[str]
    where: list[str]

    def tested(self, *tests: str) -> list[str]:
        """The line of these tests and those that are left."""
        return [("WITH * " if self.lines[-1] == "}" else "") + "WHERE " + " AND ".join([*tests, *self.where])]


_ENDS = {"f": ("r", "t"), "s": ("k", "v")}
"""The nodes at the two ends of a fact and of a statement."""


def _match(variable: str, node1: str, by: str, indexed: str) -> list[str]:
    """The index is given as a hint: the planner would else scan while the graph is small, or take the wrong one."""
    start, end = _ENDS[variable]
    return [
        f"MATCH ({start})-[{variable}:CG_VALUE {{node1: {node1}{by}}}]->({end})",
        f"USING INDEX SEEK {variable}:CG_VALUE({indexed})",
    ]


def _seek(
    variable: str,
    head: Operand | None,
    comparisons: tuple[Comparison, ...],
    node1: str,
    scope: CompileContext,
    relations: str | None = None,
    unwind: bool = True,
) -> _Seek:
    """Seeks by the head, else by an equal node2, else by node2's number, else by node1 alone.

    `relations` are the names of a statement's relation, if there is one, by which numbers are sought within; `unwind`
    is whether the head or node2 sought by has no row of its own yet.
    """
    superlative = next((c for c in comparisons if isinstance(c, Frequent | Extreme)), None)
    if head is not None and superlative is None:
        lines = [scope.unwind(head, "head")] if unwind else []
        lines += _match(variable, node1, ", head: head", "node1, head")
        return _Seek(lines, [test for c in comparisons for test in _tests(variable, c, scope)])
    equal = superlative or next((c for c in comparisons if isinstance(c, Among | Same)), None)
    rest = [f"{variable}.head IN {scope.list_of(head)}"] if head is not None else []
    rest += [test for c in comparisons if c is not equal for test in _tests(variable, c, scope)]
    if relations and not equal:
        by = _match(variable, node1, ", relation: relation_name", "node1, relation, num")
        return _Seek([f"UNWIND {relations} AS relation_name", *by], rest or [f"{variable}.num IS NOT NULL"])
    rest += [f"{variable}.relation IN {relations}"] if relations else []
    match equal:
        case Among(operand=operand):
            name = "tail" if variable == "f" else "value"
            by = _match(variable, node1, f", node2: {name}", "node1, node2")
            return _Seek([scope.unwind(operand, name), *by] if unwind else by, rest)
        case Same(operand=operand):
            return _Seek(_same(variable, operand, node1, scope), rest)
        case Frequent(least=least):
            return _Seek(_frequent(variable, least, node1), rest)
        case Extreme(least=least):
            return _Seek(_extreme(variable, least, node1), rest)
    if rest:
        return _Seek(_match(variable, node1, "", "node1, num"), rest)
    return _Seek(_match(variable, node1, "", "node1, node2"), [f"{variable}.node2 IS NOT NULL"])


def _same(variable: str, operand: Output, node1: str, scope: CompileContext) -> list[str]:
    """node2 is an element of an output, or the same number as one."""
    start, end = _ENDS[variable]
    returned = f"RETURN {start}, {variable}, {end}"
    by_number = [
        f"UNWIND {scope.numbers(operand)} AS number",
        *_match(variable, node1, ", num: number", "node1, num"),
        returned,
    ]
    imported = [node1, scope.output(operand)]
    if scope.holds_numbers(operand):
        body = by_number
    else:
        imported.append(scope.carriers(operand))
        by_name = [
            f"UNWIND {scope.output(operand)} AS name",
            *_match(variable, node1, ", node2: name", "node1, node2"),
            returned,
        ]
        body = [*by_name, "UNION", *by_number]
    return [f"CALL ({', '.join(imported)}) {{", *(f"  {line}" for line in body), "}"]


def _frequent(variable: str, least: bool, node1: str) -> list[str]:
    """All of node1's whose node2 stands most often, or least often, under it."""
    start, end = _ENDS[variable]
    return [
        f"CALL ({node1}) {{",
        *(f"  {line}" for line in _match(variable, node1, "", "node1, node2")),
        f"  WHERE {variable}.node2 IS NOT NULL AND size({variable}.condition) = {1 if variable == 'f' else 3}",
        f"  WITH {variable}.node2 AS name, collect({variable}) AS found",
        f"  WITH collect(found) AS groups, {'min' if least else 'max'}(size(found)) AS times",
        "  UNWIND groups AS found",
        "  WITH * WHERE size(found) = times",
        f"  UNWIND found AS {variable}",
        f"  RETURN startNode({variable}) AS {start}, {variable}, endNode({variable}) AS {end}",
        "}",
    ]


def _extreme(variable: str, least: bool, node1: str) -> list[str]:
    """All of node1's whose node2 is the greatest number under it, or the least."""
    start, end = _ENDS[variable]
    size = f"size({variable}.condition) = {1 if variable == 'f' else 3}"
    return [
        f"CALL ({node1}) {{",
        *(f"  {line}" for line in _match(variable, node1, "", "node1, num")),
        f"  WHERE {variable}.num IS NOT NULL AND {size}",
        f"  RETURN {'min' if least else 'max'}({variable}.num) AS extreme",
        "}",
        f"CALL ({node1}, extreme) {{",
        *(f"  {line}" for line in _match(variable, node1, ", num: extreme", "node1, num")),
        f"  RETURN {start}, {variable}, {end}",
        "}",
    ]


def bound_lines(comparisons: Iterable[Comparison], scope: CompileContext) -> list[str]:
    """What comparisons with an earlier output need first: the least and the greatest number in it."""
    lines: list[str] = []
    for comparison in comparisons:
        if isinstance(comparison, Against) and scope.first_use_of_bounds(comparison):
            lines += _bind_bounds(comparison, scope)
    return lines


def _bind_bounds(comparison: Against, scope: CompileContext) -> list[str]:
    low, high = scope.bounds(comparison)
    operand = comparison.operand
    return [
        f"CALL ({scope.output(operand) if scope.holds_numbers(operand) else scope.carriers(operand)}) {{",
        f"  UNWIND {scope.numbers(operand)} AS number",
        f"  RETURN min(number) AS {low}, max(number) AS {high}",
        "}",
    ]


def _tests(variable: str, comparison: Comparison, scope: CompileContext) -> list[str]:
    return tests(f"{variable}.node2", f"{variable}.num", comparison, scope)


def tests(node: str, number: str, comparison: Comparison, scope: CompileContext) -> list[str]:
    """The conditions on an element, given the expressions for its key and for its number."""
    match comparison:
        case Among(operand=operand):
            return [f"{node} IN {scope.list_of(operand)}"]
        case Same(operand=operand):
            numbers = f"{number} IN {scope.numbers(operand)}"
            by_number = scope.holds_numbers(operand)
            return [numbers if by_number else f"({node} IN {scope.output(operand)} OR {numbers})"]
        case Range():
            return _range_tests(number, comparison, scope)
        case Against(op=op):
            low, high = scope.bounds(comparison)
            return [f"{number} {op} {low if op.startswith('>') else high}"]
    raise AssertionError("what stands most often is sought first, and tested nowhere")


def _range_tests(number: str, span: Range, scope: CompileContext) -> list[str]:
    conditions = []
    if span.low is not None:
        conditions.append(f"{number} {'>' if span.low_open else '>='} {scope.parameter(span, 'low', span.low)}")
    if span.high is not None:
        conditions.append(f"{number} {'<' if span.high_open else '<='} {scope.parameter(span, 'high', span.high)}")
    return conditions
