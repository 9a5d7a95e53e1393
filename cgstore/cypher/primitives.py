"""The two searching functions of the execution query, public: search_node and search_condition (TrustUQA, section 3.2).

They take names and give names. Programs go another way (`compile`), by the same patterns and indexes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from cgstore.cypher.connection import READ_TIMEOUT, Database
from cgstore.errors import BadInput
from cgstore.query.name_uses import TIME_NAMES
from cgstore.text.dates import Span, Step, first_from, last_to, number_of, read_span, read_span_of_time, time_name
from cgstore.text.likeness import similar
from cgstore.text.names import FACT_PARTS, relation_forms, shared_key

Condition = str | tuple[str, ...]
"""A head, a whole fact (head, relation, tail), or a further statement about it (head, relation, tail, "#2")."""

OPERATORS = ("=", "<", ">", "<=", ">=")

OWNED = """\
MATCH (n:CgRelation|CgKey) WHERE n.source IN $sources
RETURN n.key AS key, n.name AS name, n.step AS step,
  n.step IS NOT NULL AND n.name = 'time' AS periods"""

BY_CONDITION = """\
UNWIND $keys AS key
UNWIND $heads AS head
MATCH (k)-[v:CG_VALUE {node1: key, head: head}]->(n)
USING INDEX SEEK v:CG_VALUE(node1, head)
WHERE ($conditions IS NULL OR v.condition IN $conditions OR v.condition[..3] IN $conditions)
  AND ($scope IS NULL OR v.condition IN $scope OR v.condition + [k.name, n.name] IN $facts)
RETURN DISTINCT n.name AS name, n.num AS number
ORDER BY number, name"""

BY_NODE = """\
MATCH (head:CgNode {key: $head})-[h:CG_HAS]->(n)
USING INDEX SEEK head:CgNode(key)
WHERE h.source IN $sources
RETURN DISTINCT n.name AS name
ORDER BY name"""

ALL_VALUES = """\
UNWIND $keys AS key
MATCH ()-[v:CG_VALUE {node1: key}]->(n)
USING INDEX SEEK v:CG_VALUE(node1, node2)
WHERE v.node2 IS NOT NULL
RETURN DISTINCT n.name AS name, n.num AS number
ORDER BY number, name"""

BY_VALUE = """\
UNWIND $keys AS key
MATCH ()-[v:CG_VALUE {node1: key, node2: $node2}]->()
USING INDEX SEEK v:CG_VALUE(node1, node2)
RETURN DISTINCT v.condition AS condition
ORDER BY condition"""

_BY_NUMBER = """\
UNWIND $keys AS key
MATCH ()-[v:CG_VALUE {node1: key}]->()
USING INDEX SEEK v:CG_VALUE(node1, num)
WHERE %s
RETURN DISTINCT v.condition AS condition
ORDER BY condition"""

_BY_OPERATOR = {
    "=": _BY_NUMBER % "v.num >= $low AND v.num <= $high",
    ">": _BY_NUMBER % "v.num > $high",
    ">=": _BY_NUMBER % "v.num >= $low",
    "<": _BY_NUMBER % "v.num < $low",
    "<=": _BY_NUMBER % "v.num <= $high",
}

PERIODS_BY_CONDITION = """\
UNWIND $keys AS key
UNWIND $heads AS head
MATCH ()-[p:CG_PERIOD {node1: key, head: head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE ($conditions IS NULL OR p.condition IN $conditions) AND ($scope IS NULL OR p.condition IN $scope)
RETURN DISTINCT p.first AS first, p.last AS last"""

ALL_PERIODS = """\
UNWIND $keys AS key
MATCH ()-[p:CG_PERIOD {node1: key}]->()
USING INDEX SEEK p:CG_PERIOD(node1, level, first)
WHERE p.level IS NOT NULL AND p.first IS NOT NULL
RETURN DISTINCT p.first AS first, p.last AS last"""

PERIODS_BY_TIME = """\
UNWIND $keys AS key
MATCH ()-[p:CG_PERIOD {node1: key}]->()
USING INDEX SEEK p:CG_PERIOD(node1, level, first)
WHERE p.level IS NOT NULL AND p.first <= $high AND p.last >= $low
RETURN DISTINCT p.condition AS condition
ORDER BY condition"""

STATEMENTS = {
    "search_node by condition": BY_CONDITION,
    "search_node of a head": BY_NODE,
    "search_node of a relation": ALL_VALUES,
    "search_condition by name": BY_VALUE,
    **{f"search_condition {op}": statement for op, statement in _BY_OPERATOR.items()},
    "search_node by condition, of periods": PERIODS_BY_CONDITION,
    "search_node of a key with periods": ALL_PERIODS,
    "search_condition, of periods": PERIODS_BY_TIME,
}
"""Every search that the primitives run; a test walks their plans: an index seek at each step."""


def search_node(
    db: Database,
    node1: str,
    condition: Condition | Iterable[Condition] | None = None,
    scope: Condition | Iterable[Condition] | None = None,
    *,
    sources: Sequence[str],
    timeout: float = READ_TIMEOUT,
) -> list[str]:
    """node2 of the condition triples (node1, ?, condition).

    Args:
        db: the database.
        node1: a relation, a key (`time`, `start_time`, `end_time`), or, without condition and scope, a head.
        condition: a head, a fact (head, relation, tail) with all statements about it, or several of them.
        scope: heads or facts, such as `search_condition` gives: only triples whose condition, or whose fact, is among
            them. `search_node("position held", scope=search_condition("time", "1962"))` are the positions held in 1962,
            and `search_node("stars", scope=search_condition("year", "2020"))` the stars of the same statements.
        sources: names of the sources searched.
        timeout: seconds.

    Returns:
        Names by number where they read as such, else by name. Without condition and scope: what hangs on node1 without
        a condition (a head's relations), else all values under node1 as a relation.

    Raises:
        BadInput: node1 is neither a relation or key of the sources nor a head.
    """
    if condition is None and scope is None:
        rows = db.read(BY_NODE, {"head": shared_key(node1), "sources": list(sources)}, timeout)
        if rows:
            return [row["name"] for row in rows]
        keys = _keys(db, node1, sources)
        rows = db.read(ALL_VALUES, {"keys": keys.written}, timeout) if keys.written else []
        return _names(rows, keys.times(lambda some: db.read(ALL_PERIODS, {"keys": some}, timeout)))
    conditions, scoped = _conditions(condition), _conditions(scope)
    wanted = conditions if conditions is not None else scoped or []
    heads = sorted({shared_key(c[0]) for c in wanted})
    facts = scoped and [c[:FACT_PARTS] for c in scoped]
    parameters = {"heads": heads, "conditions": conditions, "scope": scoped, "facts": facts}
    keys = _keys(db, node1, sources)
    rows = db.read(BY_CONDITION, parameters | {"keys": keys.written}, timeout) if keys.written else []
    return _names(rows, keys.times(lambda some: db.read(PERIODS_BY_CONDITION, parameters | {"keys": some}, timeout)))


def search_condition(
    db: Database,
    node1: str,
    node2_value: str | float,
    op: str = "=",
    *,
    sources: Sequence[str],
    timeout: float = READ_TIMEOUT,
) -> list[tuple[str, ...]]:
    """The conditions of the triples (node1, node2, ?) where `node2 op node2_value`.

    Args:
        db: the database.
        node1: a relation or a key.
        node2_value: a name, a number or a time. What reads as a number equals every text of the same number.
        op: one of = < > <= >=; all but = want a number or a time.
        sources: names of the sources searched.
        timeout: seconds.

    Returns:
        Conditions in order: (head,) for a relation, (head, relation, tail) for a key of facts, and from the second
        statement about a fact on (head, relation, tail, "#2").

    Raises:
        BadInput: node1 is not a relation or key, the operator is another one, or an order comparison is with a text
            that is not a number or time.
    """
    if op not in OPERATORS:
        raise BadInput(f"'{op}' is not a comparison.", f"One of {' '.join(OPERATORS)}.")
    value, owned = str(node2_value), _keys(db, node1, sources)
    keys = owned.written
    span = read_span_of_time(value) if not TIME_NAMES.isdisjoint(relation_forms(node1)) else read_span(value)
    if span is not None:
        rows = db.read(_BY_OPERATOR[op], {"keys": keys, "low": span.lo, "high": span.hi}, timeout)
        for step, some in owned.periods.items():
            rows += db.read(PERIODS_BY_TIME, {"keys": some} | _bounds(op, span, step), timeout)
    elif op == "=":
        rows = db.read(BY_VALUE, {"keys": keys, "node2": shared_key(value)}, timeout)
    else:
        raise BadInput(f"'{value}' is not a number or time, and cannot be compared by '{op}'.")
    return sorted({tuple(row["condition"]) for row in rows})


_EVER = 10**9
"""A time that lies beyond all others."""


def _bounds(op: str, span: Span, step: Step) -> dict[str, int]:
    """The first and the last time that compare so with a number or time."""
    low, high = -_EVER, _EVER
    if op in ("=", ">", ">="):
        low = first_from(span.hi if op == ">" else span.lo, step, after=op == ">")
    if op in ("=", "<", "<="):
        high = last_to(span.lo if op == "<" else span.hi, step, before=op == "<")
    return {"low": low, "high": high}


class _Keys(NamedTuple):
    """The keys of relations or keys: those whose triples are written out, and by step those with periods."""

    written: list[str]
    periods: dict[Step, list[str]]

    def times(self, read: Callable[[list[str]], list[dict[str, Any]]]) -> list[str]:
        """The names of all times within the periods that a function reads of some keys."""
        places = {
            (step, place)
            for step, keys in self.periods.items()
            for row in read(keys)
            for place in range(row["first"], row["last"] + 1)
        }
        return [time_name(place, step) for step, place in places]


def _names(rows: Iterable[dict[str, Any]], times: Iterable[str]) -> list[str]:
    """The names that were read, and times, by number where they read as such, else by name."""
    numbers = {row["name"]: row["number"] for row in rows} | {name: number_of(name) for name in times}
    return sorted(numbers, key=lambda name: (numbers[name] is None, numbers[name] or 0, name))


def _keys(db: Database, node1: str, sources: Sequence[str]) -> _Keys:
    """The keys of the relation or key of that name, exactly or else normalised, in each source."""
    owned = db.read(OWNED, {"sources": list(sources)})
    forms = relation_forms(node1)
    found = [n for n in owned if n["name"] == node1] or [n for n in owned if relation_forms(n["name"]) & forms]
    if not found:
        near = similar(node1, sorted({n["name"] for n in owned}), count=3, least=0.4)
        hint = f"Closest: {', '.join(map(repr, near))}." if near else None
        raise BadInput(f"No relation or key is named '{node1}'.", hint)
    found = sorted(found, key=lambda n: str(n["key"]))
    periods: dict[Step, list[str]] = {}
    for n in found:
        if n["periods"]:
            periods.setdefault(Step(n["step"]), []).append(n["key"])
    return _Keys([n["key"] for n in found if not n["periods"]], periods)


def _conditions(given: Condition | Iterable[Any] | None) -> list[list[str]] | None:
    """One head, one fact (a tuple of texts), or several of either, as lists of names."""
    if given is None:
        return None
    if isinstance(given, str):
        return [[given]]
    if isinstance(given, tuple) and given and all(isinstance(part, str) for part in given):
        return [list(given)]
    return [[c] if isinstance(c, str) else list(c) for c in given]
