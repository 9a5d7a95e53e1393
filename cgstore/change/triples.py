"""The stored triples of a few facts: the relationships that hold them, each found by an index seek on its head."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.loaders.staging import Group

if TYPE_CHECKING:
    from neo4j import Transaction

Identity = tuple[Any, ...]
"""What tells a triple from all others of its source: keys and names of its nodes, the period, the ends that it says."""

_HAS = """
UNWIND $pairs AS pair
MATCH (h:CgNode {key: pair[0]})-[x:CG_HAS]->(r:CgRelation)
USING INDEX SEEK h:CgNode(key)
WHERE r.key = pair[1]
RETURN elementId(x) AS id, 'CG_HAS' AS type, h.key AS node1, r.key AS node2, h.name AS name1, r.name AS name2
"""

_FACTS = """
UNWIND $facts AS each
MATCH (r)-[v:CG_VALUE {node1: each[1], head: each[0]}]->(t)
USING INDEX SEEK v:CG_VALUE(node1, head)
WHERE size(v.condition) = 1 AND (each[2] IS NULL OR v.node2 IN each[2])
RETURN elementId(v) AS id, 'CG_VALUE' AS type, v.node1 AS node1, v.node2 AS node2, r.name AS name1, t.name AS name2,
  v.condition AS condition
"""

_STATEMENTS = """
UNWIND $heads AS each
UNWIND $keys AS key
MATCH (k)-[v:CG_VALUE {node1: key, head: each[0]}]->(x)
USING INDEX SEEK v:CG_VALUE(node1, head)
WHERE size(v.condition) > 2 AND v.condition[1..3] IN each[1]
RETURN elementId(v) AS id, 'CG_VALUE' AS type, v.node1 AS node1, v.node2 AS node2, k.name AS name1, x.name AS name2,
  v.condition AS condition, v.ends AS ends
"""

_PERIODS = """
UNWIND $heads AS each
UNWIND $keys AS key
MATCH (k)-[p:CG_PERIOD {node1: key, head: each[0]}]->(x)
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.condition[1..3] IN each[1]
RETURN elementId(p) AS id, 'CG_PERIOD' AS type, p.node1 AS node1, x.key AS node2, k.name AS name1, x.name AS name2,
  p.condition AS condition, p.first AS first, p.last AS last
"""

_OTHERS = """
UNWIND $facts AS each
WITH each WHERE EXISTS {
  MATCH ()-[v:CG_VALUE {node1: each[1], head: each[0]}]->() WHERE size(v.condition) = 1 AND NOT v.node2 IN each[2]
}
RETURN each[0] AS head, each[1] AS relation
"""

_RELATIONS_OF = """
MATCH (h:CgNode {key: $head})-[x:CG_HAS]->(r:CgRelation)
USING INDEX SEEK h:CgNode(key)
WHERE x.source = $source
RETURN r.name AS relation
"""


class StoredTriple(NamedTuple):
    """One relationship. `name1` and `name2` are the names of its nodes; `first` and `last` those of a period."""

    id: str
    type: str
    node1: str
    node2: str
    name1: str
    name2: str
    condition: tuple[str, ...] = ()
    first: int | None = None
    last: int | None = None
    ends: tuple[str, ...] | None = None

    @property
    def identity(self) -> Identity:
        """Like `identities` gives it for a staged triple."""
        return (self.type, self.node1, self.node2, self.condition, self.first, self.last, self.ends)

    @property
    def times(self) -> int:
        """The condition triples that it stands for."""
        return 1 if self.first is None or self.last is None else self.last - self.first + 1


class FactPlace(NamedTuple):
    """Where facts are found: the keys of their head and relation, and those of their tails; None for all tails."""

    head: str
    relation: str
    tails: list[str] | None


def read_facts(tx: Transaction, places: Sequence[FactPlace]) -> list[StoredTriple]:
    """The facts of some places."""
    return _triples(tx.run(_FACTS, facts=[list(place) for place in places]))


def read_statements(
    tx: Transaction, facts: Iterable[tuple[str, str, str, str]], keys: Sequence[str]
) -> list[StoredTriple]:
    """What is said of some facts: (key of the head, head, relation, tail); `keys` are those of the source's keys."""
    of_head: dict[str, list[list[str]]] = {}
    for head, _, relation, tail in facts:
        of_head.setdefault(head, []).append([relation, tail])
    heads = [[head, pairs] for head, pairs in of_head.items()]
    if not heads or not keys:
        return []
    found = _triples(tx.run(_STATEMENTS, heads=heads, keys=list(keys)))
    return found + _triples(tx.run(_PERIODS, heads=heads, keys=list(keys)))


def read_has(tx: Transaction, pairs: Iterable[tuple[str, str]]) -> list[StoredTriple]:
    """The triples that say that a head has a relation, by their keys."""
    return _triples(tx.run(_HAS, pairs=[list(pair) for pair in pairs]))


def with_other_tails(tx: Transaction, places: Iterable[FactPlace]) -> set[tuple[str, str]]:
    """The pairs (head, relation) of some places that have a fact with another tail."""
    rows = tx.run(_OTHERS, facts=[list(place) for place in places])
    return {(row["head"], row["relation"]) for row in rows}


def relations_of(tx: Transaction, source: str, head: str) -> list[str]:
    """The names of the relations that a head, given by its key, has in a source."""
    return [row["relation"] for row in tx.run(_RELATIONS_OF, source=source, head=head)]


def _triples(rows: Any) -> list[StoredTriple]:
    def listed(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    return [StoredTriple(**{name: listed(value) for name, value in row.items()}) for row in rows]


def identities(group: Group, key: dict[int, str]) -> Iterator[Identity]:
    """The identity of each triple of a staged group, in order; `key` has the keys of the staged nodes."""
    for place, node2 in enumerate(group.node2):
        first = last = ends = None
        if group.periods is not None:
            kind, (first, last) = "CG_PERIOD", group.periods[place]
        else:
            kind = "CG_VALUE" if group.condition else "CG_HAS"
            about = group.about[place] if group.about else None
            ends = None if about is None or about.ends is None else tuple(about.ends)
        yield (kind, key[group.node1], key[node2], group.condition, first, last, ends)
