"""Which of several nodes the sources asked use: a name may be a node of another source, and its twin one of ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.text.names import shared_key

MAX_RELATIONS = 500
"""Under so many relations a node is sought; beyond, it counts as used."""

# By the index of (node1, node2) and not by the node's relationships: a country may have a hundred thousand.
_USED = """\
UNWIND range(0, size($pairs) - 1) AS number
WITH number, $pairs[number] AS pair
WHERE EXISTS {
    MATCH (n:CgNode {key: pair[0]})-[h:CG_HAS]->() USING INDEX SEEK n:CgNode(key)
    WHERE pair[2] AND h.source IN $sources
  }
  OR EXISTS {
    UNWIND pair[1] AS relation
    MATCH ()-[v:CG_VALUE {node1: relation, node2: pair[0]}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  }
RETURN number"""


# Of a node of other sources all relationships are looked at: asked only where there is no answer.
_ELSEWHERE = """\
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  AND NOT EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources }
RETURN n.name AS name ORDER BY name"""


class Candidate(NamedTuple):
    """A node that a name may mean, the relations under which it would be sought, and whether as a head too."""

    key: str
    relations: tuple[str, ...]
    as_head: bool


def used(db: Database, candidates: Iterable[Candidate], sources: Iterable[str]) -> set[Candidate]:
    """Those candidates that are heads in these sources, or values under one of their relations, in one round trip."""
    known = list(dict.fromkeys(candidates))
    sought = [c for c in known if len(c.relations) <= MAX_RELATIONS]
    if not sought:
        return set(known)
    pairs = [[c.key, list(c.relations), c.as_head] for c in sought]
    rows = db.read(_USED, {"pairs": pairs, "sources": list(sources)})
    return {sought[row["number"]] for row in rows} | (set(known) - set(sought))


def elsewhere(db: Database, names: Iterable[str], sources: Iterable[str]) -> list[str]:
    """Those names of entities and values that only other sources have, in one round trip."""
    keys = sorted({shared_key(name) for name in names})
    return [row["name"] for row in db.read(_ELSEWHERE, {"keys": keys, "sources": list(sources)})] if keys else []
