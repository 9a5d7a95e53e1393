"""The two searching functions of the execution query, public: search_node and search_condition (TrustUQA, section 3.2).

They take names and give names. Programs go another way (`compile`), by the same patterns and indexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cgstore.cypher.connection import READ_TIMEOUT, Database
from cgstore.errors import BadInput
from cgstore.names import SEPARATOR, owned_key, shared_key
from cgstore.values import read_span, read_time_span

Condition = str | Sequence[str]
"""A head, or a whole fact (head, relation, tail)."""

OPERATORS = ("=", "<", ">", "<=", ">=")

BY_HEAD = """\
UNWIND $keys AS key
UNWIND $heads AS head
MATCH ()-[v:VALUE {node1: key, head: head.key}]->(n)
USING INDEX SEEK v:VALUE(node1, head)
WHERE v.condition = head.condition
RETURN DISTINCT n.name AS name, n.num AS number
ORDER BY number, name"""

BY_NODE = """\
MATCH (:Node {key: $head})-[h:HAS]->(n)
WHERE h.source IN $sources
RETURN DISTINCT n.name AS name
ORDER BY name"""

ALL_VALUES = """\
UNWIND $keys AS key
MATCH ()-[v:VALUE {node1: key}]->(n)
USING INDEX SEEK v:VALUE(node1, node2)
WHERE v.node2 IS NOT NULL
RETURN DISTINCT n.name AS name, n.num AS number
ORDER BY number, name"""

BY_VALUE = """\
UNWIND $keys AS key
MATCH ()-[v:VALUE {node1: key, node2: $node2}]->()
USING INDEX SEEK v:VALUE(node1, node2)
RETURN DISTINCT v.condition AS condition
ORDER BY condition"""

BY_NUMBER = """\
UNWIND $keys AS key
MATCH ()-[v:VALUE {node1: key}]->()
USING INDEX SEEK v:VALUE(node1, num)
WHERE v.num >= $low AND v.num <= $high
RETURN DISTINCT v.condition AS condition
ORDER BY condition"""

ABOVE = BY_NUMBER.replace("v.num >= $low AND v.num <= $high", "v.num > $high")
AT_LEAST = BY_NUMBER.replace("v.num >= $low AND v.num <= $high", "v.num >= $low")
BELOW = BY_NUMBER.replace("v.num >= $low AND v.num <= $high", "v.num < $low")
AT_MOST = BY_NUMBER.replace("v.num >= $low AND v.num <= $high", "v.num <= $high")

_BY_OPERATOR = {"=": BY_NUMBER, ">": ABOVE, ">=": AT_LEAST, "<": BELOW, "<=": AT_MOST}

STATEMENTS = {
    "search_node by condition": BY_HEAD,
    "search_node of a head": BY_NODE,
    "search_node of a relation": ALL_VALUES,
    "search_condition by name": BY_VALUE,
    "search_condition =": BY_NUMBER,
    "search_condition >": ABOVE,
    "search_condition >=": AT_LEAST,
    "search_condition <": BELOW,
    "search_condition <=": AT_MOST,
}
"""Every statement that the primitives run; a test walks their plans: an index seek at each step."""


def search_node(
    db: Database,
    node1: str,
    condition: Condition | Iterable[Condition] | None = None,
    scope: Iterable[Condition] | None = None,
    *,
    sources: Sequence[str],
    timeout: float = READ_TIMEOUT,
) -> list[str]:
    """node2 of the condition triples (node1, ?, condition).

    Args:
        db: the database.
        node1: a relation, a key (`time`, `start time`, `end time`), or, without a condition, a head.
        condition: a head, a fact (head, relation, tail), or a list of facts or heads (a tuple is one fact).
        scope: conditions among which the triple's condition must be; the same as a list in `condition`, and both must
            hold where both are given.
        sources: names of the sources searched.
        timeout: seconds.

    Returns:
        Names by number where they read as such, else by name. Without condition and scope: what hangs on node1 without
        a condition (a head's relations), else all values under node1 as a relation.
    """
    if condition is None and scope is None:
        rows = db.read(BY_NODE, {"head": shared_key(node1), "sources": list(sources)}, timeout)
        rows = rows or db.read(ALL_VALUES, {"keys": _keys(node1, sources)}, timeout)
        return [row["name"] for row in rows]
    allowed = None if scope is None else {_as_list(c) for c in scope}
    wanted = (allowed or set()) if condition is None else {_as_list(c) for c in _conditions(condition)}
    heads = [{"key": shared_key(c[0]), "condition": list(c)} for c in sorted(wanted) if allowed is None or c in allowed]
    rows = db.read(BY_HEAD, {"keys": _keys(node1, sources), "heads": heads}, timeout)
    return list(dict.fromkeys(row["name"] for row in rows))


def search_condition(
    db: Database,
    node1: str,
    node2_value: str,
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
        Conditions in order: (head,) for a relation, (head, relation, tail) for a time key.

    Raises:
        BadInput: another operator, or an order comparison with what is no number or time.
    """
    if op not in OPERATORS:
        raise BadInput(f"'{op}' is no comparison.", f"One of {' '.join(OPERATORS)}.")
    keys = _keys(node1, sources)
    span = read_time_span(node2_value) if node1 in ("time", "start time", "end time") else read_span(node2_value)
    if span is None:
        if op != "=":
            raise BadInput(f"'{node2_value}' is no number or time, and cannot be compared by '{op}'.")
        rows = db.read(BY_VALUE, {"keys": keys, "node2": shared_key(node2_value)}, timeout)
    else:
        rows = db.read(_BY_OPERATOR[op], {"keys": keys, "low": span.lo, "high": span.hi}, timeout)
    return [tuple(row["condition"]) for row in rows]


def _keys(node1: str, sources: Sequence[str]) -> list[str]:
    if any(SEPARATOR in source for source in sources):
        raise BadInput("A source's name has no control characters.")
    return [owned_key(source, node1) for source in sources]


def _conditions(condition: Condition | Iterable[Condition]) -> list[Condition]:
    return [condition] if isinstance(condition, str | tuple) else list(condition)


def _as_list(condition: Condition) -> tuple[str, ...]:
    return (condition,) if isinstance(condition, str) else tuple(condition)
