"""The two searching functions of the execution query, public: search_node and search_condition (TrustUQA, section 3.2).

They take names and give names, by the searches that programs are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from cgstore.cypher.compile.statement import compile_plan
from cgstore.cypher.connection import READ_TIMEOUT, Database
from cgstore.cypher.run import Result, execute
from cgstore.errors import BadInput
from cgstore.query.comparisons import ValueReading, comparison_with
from cgstore.query.name_uses import is_time_name
from cgstore.query.operands import Comparison, Named, Names, NodeEquality, Range
from cgstore.query.operators import Part, Search
from cgstore.query.plan import Plan
from cgstore.query.planner import titles_of
from cgstore.query.sources import SourceScope
from cgstore.query.types import Types
from cgstore.text.dates import number_of
from cgstore.text.likeness import similar
from cgstore.text.names import FACT_PARTS, relation_forms, shared_key

Condition = str | tuple[str, ...]
"""A head, a whole fact (head, relation, tail), or a further statement about it (head, relation, tail, "#2")."""

OPERATORS = ("=", "<", ">", "<=", ">=")

_OWNED = """\
MATCH (n:CgRelation|CgKey) WHERE n.source IN $sources
RETURN n.key AS key, n.name AS name, n.step AS step, n:CgRelation AS of_heads, n:CgKey AS of_facts"""

_ALL = 10**9
"""Most answers and triples."""


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
    asked = SourceScope(tuple(sources), Names(()))
    if condition is None and scope is None:
        of_head = Search(Part.RELATIONS, _names([node1]))
        if found := _run(db, of_head, asked, timeout).answer:
            return sorted(map(str, found))
    relations, keys = _owned(db, node1, sources)
    conditions, scoped = _conditions(condition), _conditions(scope)
    wanted = scoped if conditions is None else conditions
    heads = None if wanted is None else _names(sorted({each[0] for each in wanted}))
    searches = [Search(Part.TAIL, heads, relations)] if relations else []
    searches += [Search(Part.VALUE, heads, key=keys)] if keys else []
    if wanted is None:
        return _in_order(str(name) for each in searches for name in _run(db, each, asked, timeout).answer)
    facts = {each[:FACT_PARTS] for each in scoped or ()}
    triples = [triple for each in searches for triple in _run(db, each, asked, timeout, evidence=True).evidence]
    return _in_order(
        triple.node2
        for triple in triples
        if (conditions is None or not conditions.isdisjoint((triple.condition, triple.condition[:FACT_PARTS])))
        and (scoped is None or triple.condition in scoped or (*triple.condition, triple.node1, triple.node2) in facts)
    )


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
    value, asked = str(node2_value), SourceScope(tuple(sources), Names(()))
    relations, keys = _owned(db, node1, sources)
    compared: Comparison | None = comparison_with(op, value, ValueReading(time=is_time_name(node1)), None)
    if not isinstance(compared, Range):
        if op != "=":
            raise BadInput(f"'{value}' is not a number or time, and cannot be compared by '{op}'.")
        compared = NodeEquality(_names([value]))
    found = set[tuple[str, ...]]()
    if relations:
        of_heads = Search(Part.HEAD, relation=relations, tail=(compared,))
        found |= {(str(head),) for head in _run(db, of_heads, asked, timeout).answer}
    if keys:
        of_facts = Search(Part.FACT, key=keys, value=(compared,))
        found |= {tuple(map(str, row)) for row in _run(db, of_facts, asked, timeout).rows}
    return sorted(found)


def _run(db: Database, search: Search, asked: SourceScope, timeout: float, *, evidence: bool = False) -> Result:
    """What a search finds, as a program of one step."""
    of = search.output_type(Types(asked))
    plan = Plan((search,), (of,), 0, columns=titles_of(of))
    statement = compile_plan(plan, asked, evidence=evidence, limit=_ALL, evidence_limit=_ALL)
    return execute(db, replace(statement, look_up=None), timeout)


def _in_order(names: Iterable[str]) -> list[str]:
    """Names by number where they read as such, else by name."""
    numbers = {name: number_of(name) for name in names}
    return sorted(numbers, key=lambda name: (numbers[name] is None, numbers[name] or 0, name))


def _names(names: Iterable[str]) -> Names:
    """Entities and values."""
    return Names(tuple(Named(shared_key(name), name) for name in names))


def _owned(db: Database, node1: str, sources: Sequence[str]) -> tuple[Names | None, Names | None]:
    """The relations, and the keys of statements, of that name, exactly or else normalised, in each source."""
    owned = db.read(_OWNED, {"sources": list(sources)})
    forms = relation_forms(node1)
    found = [n for n in owned if n["name"] == node1] or [n for n in owned if relation_forms(n["name"]) & forms]
    if not found:
        near = similar(node1, sorted({n["name"] for n in owned}), count=3, least=0.4)
        hint = f"Closest: {', '.join(map(repr, near))}." if near else None
        raise BadInput(f"No relation or key is named '{node1}'.", hint)
    nodes = [
        Named(
            n["key"],
            n["name"],
            step=n["step"],
            of_heads=n["of_heads"],
            of_facts=n["of_facts"],
            built_in=n["step"] is not None,
        )
        for n in sorted(found, key=lambda n: str(n["key"]))
    ]
    relations, keys = tuple(n for n in nodes if n.of_heads), tuple(n for n in nodes if n.of_facts)
    return Names(relations) if relations else None, Names(keys, of_facts=True, time_key=True) if keys else None


def _conditions(given: Condition | Iterable[Any] | None) -> set[tuple[str, ...]] | None:
    """One head, one fact (a tuple of texts), or several of either, as tuples of names."""
    if given is None:
        return None
    if isinstance(given, str):
        return {(given,)}
    if isinstance(given, tuple) and given and all(isinstance(part, str) for part in given):
        return {given}
    return {(each,) if isinstance(each, str) else tuple(each) for each in given}
