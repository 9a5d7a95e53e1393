"""Looking at the graph before a program is written: names like a text, and how an entity is linked, with examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import entity_candidates, relation_candidates
from cgstore.text.names import shared_key

TOP = 8
"""Names shown for one text, of entities and of relations each."""

MAX_RELATIONS = 60
"""Relations shown of one entity, as head and as tail each."""

EXAMPLES = 3
"""Other ends shown of one relation."""

_RELATIONS = "MATCH (r:CgRelation) WHERE r.source IN $sources RETURN r.key AS key, r.name AS name ORDER BY name"

_AS_HEAD = """
MATCH (n:CgNode {key: $key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
WITH DISTINCT r ORDER BY r.name LIMIT $relations
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, head: $key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
  WITH t ORDER BY t.key LIMIT $more
  RETURN collect(DISTINCT t.name) AS names
}
WITH r, names WHERE size(names) > 0
RETURN r.name AS relation, names
"""

# One index seek a relation instead of expanding the node: a year or a country may have a hundred thousand.
_AS_TAIL = """
MATCH (r:CgRelation) WHERE r.source IN $sources
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: $key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  WITH v LIMIT $more
  MATCH (h:CgNode {key: v.head}) USING INDEX SEEK h:CgNode(key)
  RETURN collect(DISTINCT h.name) AS names
}
WITH r, names WHERE size(names) > 0
RETURN r.name AS relation, names ORDER BY relation LIMIT $relations
"""


@dataclass(frozen=True)
class Link:
    """A relation of an entity, with some of the other ends; `more`: there are others.

    `as_head`: the entity is the head of these facts, and the names are tails; else it is the tail.
    """

    relation: str
    as_head: bool
    names: tuple[str, ...]
    more: bool


@dataclass(frozen=True)
class Alike:
    """Names in the graph that are like a text, the nearest first; `others` are entities with another number in them."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    others: tuple[str, ...] = ()


def names_like(db: Database, sources: Sequence[str], text: str) -> Alike:
    """The entities and values, and the relations, that a text may mean, by spelling."""
    entities = entity_candidates(db, [text], sources, top=TOP)[0]
    nodes = db.read(_RELATIONS, {"sources": list(sources)})
    relations = relation_candidates(text, nodes, top=TOP)
    return Alike(
        tuple(dict.fromkeys(candidate.name for candidate in entities if not candidate.another)),
        tuple(dict.fromkeys(candidate.name for candidate in relations if not candidate.another)),
        tuple(dict.fromkeys(candidate.name for candidate in entities if candidate.another)),
    )


def links_of(db: Database, sources: Sequence[str], name: str) -> list[Link]:
    """How the entity of that exact name is linked; empty where there is none."""
    given = {"key": shared_key(name), "sources": list(sources), "relations": MAX_RELATIONS, "more": EXAMPLES + 1}
    rows = [(row, as_head) for as_head in (True, False) for row in db.read(_AS_HEAD if as_head else _AS_TAIL, given)]
    return [
        Link(row["relation"], as_head, tuple(row["names"][:EXAMPLES]), len(row["names"]) > EXAMPLES)
        for row, as_head in rows
    ]
