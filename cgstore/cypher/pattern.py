"""A search as a pattern over VALUE relationships, and the pattern as Cypher clauses that seek in an index at each step.

A *fact* is a relationship f = (relation)-[VALUE]->(tail) whose condition is [head]; a *statement* is a relationship
s = (key)-[VALUE]->(value) whose condition is the whole fact [head, relation, tail]. A search binds f, s, or both joined
on the fact, and asks for one part of them. `WITH *` between the two keeps the planner from reordering them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cgstore.cypher.parameters import Scope
from cgstore.query.execution import (
    Against,
    Among,
    AnyRelation,
    Comparison,
    FactPattern,
    Names,
    Operand,
    Range,
    Search,
    SearchCondition,
    SearchHead,
    SearchNode,
    SearchRelation,
)


@dataclass(frozen=True)
class Pattern:
    """What is bound, and what is asked for: an expression over f, s or has."""

    find: str
    head: Operand | None = None
    relation: Operand | None = None
    tail: tuple[Comparison, ...] = ()
    key: Operand | None = None
    value: tuple[Comparison, ...] = ()

    @property
    def relationships(self) -> tuple[str, ...]:
        """The variables that hold the condition triples found: the evidence."""
        if self.find == "r.key":
            return ("has",)
        return (*(("f",) if self.relation else ()), *(("s",) if self.key else ()))


def pattern_of(search: Search) -> Pattern:
    """The pattern that a search stands for."""
    match search:
        case SearchHead(head=head):
            return Pattern("r.key", head=head)
        case SearchRelation(head=head, value=value, scope=scope):
            return _scoped("f.node1", AnyRelation(), head, value, scope)
        case SearchNode(node1=node1, condition=FactPattern() as fact):
            relation = fact.relation or (AnyRelation() if fact.tail else None)
            return Pattern("s.node2", fact.head, relation, fact.tail, key=node1)
        case SearchNode(node1=node1, condition=condition, scope=scope):
            if condition is None and _is_time_key(node1):
                return Pattern("s.node2", key=node1)
            assert not isinstance(condition, FactPattern)
            return _scoped("f.node2", node1, condition, (), scope)
        case SearchCondition(node1=node1, value=value, condition=condition, scope=scope):
            if _is_time_key(node1):
                return Pattern("s.condition", condition.head if condition else None, key=node1, value=value)
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


def _is_time_key(operand: Operand) -> bool:
    return isinstance(operand, Names) and operand.time_key


def clauses(pattern: Pattern, scope: Scope) -> list[str]:
    """The lines of Cypher that bind the pattern; parameters and bounds are taken from `scope`."""
    lines = bound_lines((*pattern.tail, *pattern.value), scope)
    if pattern.find == "r.key":
        return [*lines, *_has(pattern, scope)]
    if pattern.relation is None:
        return [*lines, *_statement_alone(pattern, scope)]
    if pattern.key is None:
        return [*lines, *_fact_alone(pattern, scope)]
    if pattern.head is None and not pattern.tail:
        return [*lines, *_statement_alone(pattern, scope), "WITH *", *_fact_of_statement(pattern, scope)]
    return [*lines, *_fact_alone(pattern, scope), "WITH *", *_statement_of_fact(pattern, scope)]


def _has(pattern: Pattern, scope: Scope) -> list[str]:
    return [
        scope.unwind(pattern.head, "head"),
        "MATCH (:Node {key: head})-[has:HAS]->(r)",
        f"WHERE has.source IN {scope.sources()}",
    ]


def _fact_alone(pattern: Pattern, scope: Scope) -> list[str]:
    seek = _seek("f", pattern.head, pattern.tail, "tail", scope)
    return [
        scope.unwind(pattern.relation, "relation"),
        *seek.lines,
        f"MATCH (r)-[f:VALUE {{node1: relation{seek.by}}}]->(t)",
        f"USING INDEX SEEK f:VALUE({seek.properties})",
        *_where("size(f.condition) = 1", *seek.where),
    ]


def _statement_alone(pattern: Pattern, scope: Scope) -> list[str]:
    seek = _seek("s", pattern.head, pattern.value, "value", scope)
    related = scope.relation_filter("s.condition[1]", pattern.relation) if pattern.relation else []
    return [
        scope.unwind(pattern.key, "key"),
        *seek.lines,
        f"MATCH (k)-[s:VALUE {{node1: key{seek.by}}}]->(v)",
        f"USING INDEX SEEK s:VALUE({seek.properties})",
        *_where("size(s.condition) = 3", *seek.where, *related),
    ]


def _fact_of_statement(pattern: Pattern, scope: Scope) -> list[str]:
    return [
        scope.unwind(pattern.relation, "relation"),
        "MATCH (r)-[f:VALUE {node1: relation, head: s.head}]->(t)",
        "USING INDEX SEEK f:VALUE(node1, head)",
        *_where(*_SAME_FACT),
    ]


def _statement_of_fact(pattern: Pattern, scope: Scope) -> list[str]:
    where = [test for comparison in pattern.value for test in _tests("s", comparison, scope)]
    return [
        scope.unwind(pattern.key, "key"),
        "MATCH (k)-[s:VALUE {node1: key, head: f.head}]->(v)",
        "USING INDEX SEEK s:VALUE(node1, head)",
        *_where(*_SAME_FACT, *where),
    ]


_SAME_FACT = ("s.source = f.source", "s.condition = f.condition + [r.name, t.name]")


def _where(*tests: str) -> list[str]:
    return ["WHERE " + " AND ".join(tests)] if tests else []


class _Seek(NamedTuple):
    """How a relationship is found: what its pattern says beside node1, the lines before it, the tests after it."""

    by: str
    properties: str
    lines: list[str]
    where: list[str]


def _seek(variable: str, head: Operand | None, comparisons: tuple[Comparison, ...], name: str, scope: Scope) -> _Seek:
    """Seeks by the head, else by an equal node2, else by node2's number, else by node1 alone.

    The index is given as a hint: the planner would else scan while the graph is small, or take the wrong one of two.
    """
    if head is not None:
        where = [test for comparison in comparisons for test in _tests(variable, comparison, scope)]
        return _Seek(", head: head", "node1, head", [scope.unwind(head, "head")], where)
    equal = next((c for c in comparisons if isinstance(c, Among)), None)
    rest = [test for c in comparisons if c is not equal for test in _tests(variable, c, scope)]
    if equal is not None:
        return _Seek(f", node2: {name}", "node1, node2", [scope.unwind(equal.operand, name)], rest)
    if rest:
        return _Seek("", "node1, num", [], rest)
    return _Seek("", "node1, node2", [], [f"{variable}.node2 IS NOT NULL"])


def bound_lines(comparisons: Iterable[Comparison], scope: Scope) -> list[str]:
    """What comparisons with an earlier output need first: the least and the greatest number in it."""
    lines: list[str] = []
    for comparison in comparisons:
        if isinstance(comparison, Against) and scope.first_use_of_bounds(comparison):
            lines += _bind_bounds(comparison, scope)
    return lines


def _bind_bounds(comparison: Against, scope: Scope) -> list[str]:
    low, high = scope.bounds(comparison)
    output = scope.output(comparison.operand)
    computed = scope.holds_numbers(comparison.operand)
    return [
        f"CALL ({output}) {{",
        f"  UNWIND {output} AS x",
        *([] if computed else ["  MATCH (n:Node {key: x})"]),
        f"  WITH {'x' if computed else 'n.num'} AS number",
        f"  RETURN min(number) AS {low}, max(number) AS {high}",
        "}",
    ]


def _tests(variable: str, comparison: Comparison, scope: Scope) -> list[str]:
    return tests(f"{variable}.node2", f"{variable}.num", comparison, scope)


def tests(node: str, number: str, comparison: Comparison, scope: Scope) -> list[str]:
    """The conditions on an element, given the expressions for its key and for its number."""
    match comparison:
        case Among(operand=operand):
            return [f"{node} IN {scope.list_of(operand)}"]
        case Range():
            return _range_tests(number, comparison, scope)
        case Against(op=op):
            low, high = scope.bounds(comparison)
            if op == "=":
                return [f"{number} >= {low}", f"{number} <= {high}"]
            return [f"{number} {op} {low if op.startswith('>') else high}"]


def _range_tests(number: str, span: Range, scope: Scope) -> list[str]:
    conditions = []
    if span.low is not None:
        conditions.append(f"{number} {'>' if span.low_open else '>='} {scope.parameter(span, 'low', span.low)}")
    if span.high is not None:
        conditions.append(f"{number} {'<' if span.high_open else '<='} {scope.parameter(span, 'high', span.high)}")
    return conditions
