"""Nodes in use: whether the sources asked have a node in a place, now or at the time that they are asked about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.query.sources import SourceScope
from cgstore.text.names import shared_key

MAX_RELATIONS = 500
"""Most relations under which a node is looked up. With more, it counts as used."""

# The index of (node1, node2) finds them, not the node's relationships: a country may have a hundred thousand.
_IN_USE = """\
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

_THEN = "coalesce({0}.added, 0) <= $at[{0}.source] AND coalesce({0}.removed > $at[{0}.source], true)"

_IN_USE_THEN = f"""\
UNWIND range(0, size($pairs) - 1) AS number
WITH number, $pairs[number] AS pair
WHERE EXISTS {{
    MATCH (n:CgNode {{key: pair[0]}})-[h:CG_HAS|CG_WAS_HAS]->() USING INDEX SEEK n:CgNode(key)
    WHERE pair[2] AND {_THEN.format("h")}
  }}
  OR EXISTS {{
    UNWIND pair[1] AS relation
    MATCH ()-[v:CG_VALUE {{node1: relation, node2: pair[0]}}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
    WHERE {_THEN.format("v")}
  }}
  OR EXISTS {{
    UNWIND pair[1] AS relation
    MATCH ()-[v:CG_WAS_VALUE {{node1: relation, node2: pair[0]}}]->() USING INDEX SEEK v:CG_WAS_VALUE(node1, node2)
    WHERE {_THEN.format("v")}
  }}
RETURN number"""

# This reads all relationships of a node of other sources, and so runs only if there is no answer.
_ELSEWHERE = """\
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  AND NOT EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources }
RETURN n.name AS name ORDER BY name"""

_ELSEWHERE_THEN = f"""\
UNWIND $keys AS key
MATCH (n:CgNode {{key: key}})
USING INDEX SEEK n:CgNode(key)
WHERE NOT EXISTS {{ (n)-[h:CG_HAS|CG_WAS_HAS]->() WHERE {_THEN.format("h")} }}
  AND NOT EXISTS {{ (n)<-[v:CG_VALUE|CG_WAS_VALUE]-() WHERE {_THEN.format("v")} }}
RETURN n.name AS name ORDER BY name"""


class Placement(NamedTuple):
    """A node, the relations under which a program would look it up, and whether it would do so as a head too."""

    key: str
    relations: tuple[str, ...]
    as_head: bool


def nodes_in_use(db: Database, candidates: Iterable[Placement], scope: SourceScope) -> set[Placement]:
    """The placements that exist: of heads in these sources, or of values under a relation; in one round trip."""
    known = list(dict.fromkeys(candidates))
    sought = [c for c in known if len(c.relations) <= MAX_RELATIONS]
    if not sought:
        return set(known)
    pairs = [[c.key, list(c.relations), c.as_head] for c in sought]
    rows = db.read(_IN_USE if scope.changes is None else _IN_USE_THEN, {"pairs": pairs, **_asked(scope)})
    return {sought[row["number"]] for row in rows} | (set(known) - set(sought))


def names_only_elsewhere(db: Database, names: Iterable[str], scope: SourceScope) -> list[str]:
    """The names of entities and values that only other sources have, in one round trip."""
    keys = sorted({shared_key(name) for name in names})
    text = _ELSEWHERE if scope.changes is None else _ELSEWHERE_THEN
    return [row["name"] for row in db.read(text, {"keys": keys, **_asked(scope)})] if keys else []


def _asked(scope: SourceScope) -> dict[str, object]:
    return {"sources": list(scope.sources), "at": scope.changes_by_name}
