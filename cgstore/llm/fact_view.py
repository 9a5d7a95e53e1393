"""What a backend sees of facts: how many a relation has, with one of them, and how the names of a question are linked.

All statements are bounded: by index seeks, by the number of names, and by the facts looked at for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.cypher.connection import Database
from cgstore.model import TimeKey
from cgstore.text.dates import Step, time_name
from cgstore.text.names import is_nameless, name_of_key

SHOWN_ENDS = 2
"""Other ends shown of a link."""

MAX_LINKS_READ = 100
"""Relations read of one name as head."""

MAX_COUNTED = 1_000
"""Facts counted of one link; of more, the count says that there are more."""

MAX_MEDIATORS = 60
"""Nodes without a name whose further links are read for one question."""

MEDIATORS_EACH = 2
"""Nodes without a name that are looked at behind one link."""

LONGEST_END = 120
"""Characters read of a name at the other end of a fact."""

# The number of facts of a relation is its degree, which Neo4j keeps. The first fact is the one with the least head.
_FACTS = """
UNWIND $keys AS key
MATCH (r:CgNode {key: key}) USING INDEX SEEK r:CgNode(key)
CALL (key) {
  MATCH ()-[v:CG_VALUE]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
  WHERE v.node1 = key AND v.head >= ''
  RETURN v.head AS head, left(t.name, $longest) AS tail ORDER BY v.node1, v.head LIMIT 1
}
RETURN key, COUNT { (r)-[:CG_VALUE]->() } AS count, head, tail
"""

_AS_HEAD = """
UNWIND $keys AS key
MATCH (n:CgNode {key: key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
WITH DISTINCT key, r ORDER BY key, r.name LIMIT $links
CALL (key, r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, head: key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
  WITH DISTINCT t LIMIT $counted
  WITH t ORDER BY t.key
  RETURN count(t) AS count, collect(t.key)[..$shown] AS ends, collect(left(t.name, $longest))[..$shown] AS names
}
RETURN key, r.name AS relation, r.source AS source, count, ends, names
"""

# One index seek for each relation: a year or a country may have 100,000 relationships.
_AS_TAIL = """
UNWIND $keys AS key
MATCH (r:CgRelation) WHERE r.source IN $sources
CALL (key, r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  WITH DISTINCT v.head AS head LIMIT $counted
  WITH head ORDER BY head
  RETURN count(head) AS count, collect(head)[..$shown] AS ends
}
WITH key, r, count, ends WHERE count > 0
RETURN key, r.name AS relation, r.source AS source, count, ends, ends AS names
"""

# Nodes without a name have few relationships.
_ONWARD = """
UNWIND $keys AS key
CALL (key) {
  MATCH (m:CgNode {key: key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK m:CgNode(key) WHERE h.source IN $sources
  WITH DISTINCT key, r ORDER BY r.name LIMIT $links
  CALL (key, r) {
    MATCH ()-[v:CG_VALUE {node1: r.key, head: key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
    RETURN min(left(t.name, $longest)) AS end
  }
  RETURN r.name AS relation, true AS as_head, end
  UNION ALL
  MATCH (m:CgNode {key: key})<-[v:CG_VALUE]-(r:CgRelation) USING INDEX SEEK m:CgNode(key) WHERE v.source IN $sources
  WITH r.name AS relation, v.head AS head LIMIT $links
  RETURN relation, false AS as_head, min(left(head, $longest)) AS end
}
WITH key, relation, as_head, end WHERE end IS NOT NULL
RETURN key, relation, as_head, end ORDER BY key, relation, as_head
"""

# Both ends of the index of (node1, num).
_SPANS = """
UNWIND $keys AS key
CALL (key) {
  MATCH ()-[v:CG_VALUE]->(t) USING INDEX SEEK v:CG_VALUE(node1, num)
  WHERE v.node1 = key AND v.num >= $least
  RETURN t.name AS first ORDER BY v.node1, v.num LIMIT 1
}
CALL (key) {
  MATCH ()-[v:CG_VALUE]->(t) USING INDEX SEEK v:CG_VALUE(node1, num)
  WHERE v.node1 = key AND v.num >= $least
  RETURN t.name AS last ORDER BY v.node1 DESC, v.num DESC LIMIT 1
}
RETURN key, first, last
"""


_PERIODS = """
UNWIND $keys AS key
MATCH (k:CgNode {key: key}) USING INDEX SEEK k:CgNode(key) WHERE k.step IS NOT NULL AND k.name = 'time'
MATCH ()-[p:CG_PERIOD {node1: key}]->() USING INDEX SEEK p:CG_PERIOD(node1, level, first)
WHERE p.level IS NOT NULL AND p.first IS NOT NULL
RETURN key, k.step AS step, min(p.first) AS first, max(p.last) AS last
"""


@dataclass(frozen=True)
class RelationFacts:
    """How many facts a relation has, and the head and the tail of one of them."""

    count: int
    head: str
    tail: str


@dataclass(frozen=True)
class Onward:
    """A relation of a node without a name, with one other end; `as_head`: the node is the head."""

    relation: str
    as_head: bool
    end: str


@dataclass(frozen=True)
class NameLink:
    """A relation of a name: as head or tail, how many other ends (`MAX_COUNTED`: or more), some of them.

    `onward` are the relations of the other ends if these have no name.
    """

    relation: str
    as_head: bool
    count: int
    ends: tuple[str, ...]
    onward: tuple[Onward, ...] = ()


def read_facts(db: Database, keys: Sequence[str]) -> dict[str, RelationFacts]:
    """The facts of relations, by the keys of these."""
    rows = db.read(_FACTS, {"keys": list(keys), "longest": LONGEST_END}) if keys else []
    return {row["key"]: RelationFacts(row["count"], name_of_key(row["head"]), row["tail"]) for row in rows}


def read_links(
    db: Database,
    sources: Sequence[str],
    keys: Sequence[str],
    *,
    most: int = MAX_LINKS_READ,
    shown: int = SHOWN_ENDS,
    longest: int = LONGEST_END,
) -> dict[str, tuple[NameLink, ...]]:
    """The links of names, by their keys, in three round trips: as head, as tail, and those of nodes without a name.

    `most` relations are read of one name as head, and `shown` other ends of each, cut to `longest` characters.
    """
    if not keys:
        return {}
    given = {
        "keys": list(keys),
        "sources": list(sources),
        "links": most * len(keys),
        "counted": MAX_COUNTED,
        "shown": shown,
        "longest": longest,
    }
    found = [(True, row) for row in db.read(_AS_HEAD, given)]
    found += [(False, row) for row in db.read(_AS_TAIL, given)]
    found.sort(key=lambda each: (not each[0], each[1]["relation"], each[1]["source"]))
    nameless = [end for _, row in found for end in row["ends"][:MEDIATORS_EACH] if is_nameless(end)]
    onward = _onward(db, sources, list(dict.fromkeys(nameless))[:MAX_MEDIATORS])
    links: dict[str, list[NameLink]] = {key: [] for key in keys}
    for as_head, row in found:
        behind = [step for end in row["ends"][:MEDIATORS_EACH] for step in onward.get(end, ())]
        beyond = [step for step in behind if step.end != name_of_key(row["key"])]
        once = {(step.relation, step.as_head): step for step in reversed(beyond)}
        names = tuple(map(name_of_key, row["names"]))
        links[row["key"]].append(
            NameLink(row["relation"], as_head, row["count"], names, tuple(once[each] for each in sorted(once)))
        )
    return {key: tuple(each) for key, each in links.items()}


def _onward(db: Database, sources: Sequence[str], keys: Sequence[str]) -> dict[str, list[Onward]]:
    given = {"keys": list(keys), "sources": list(sources), "links": MAX_LINKS_READ, "longest": LONGEST_END}
    found: dict[str, list[Onward]] = {}
    for row in db.read(_ONWARD, given) if keys else ():
        found.setdefault(row["key"], []).append(Onward(row["relation"], row["as_head"], name_of_key(row["end"])))
    return found


def read_spans(db: Database, keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The first and the last value by number or time, of relations and qualifiers by their keys.

    What has no such value is left out. Of times that are kept as periods, all periods are read.
    """
    rows = db.read(_SPANS, {"keys": list(keys), "least": -math.inf}) if keys else []
    found: dict[str, tuple[str, str]] = {row["key"]: (row["first"], row["last"]) for row in rows}
    left = [key for key in keys if key not in found and name_of_key(key) == TimeKey.TIME]
    for row in db.read(_PERIODS, {"keys": left}) if left else ():
        step = Step(row["step"])
        found[row["key"]] = (time_name(row["first"], step), time_name(row["last"], step))
    return found
