"""The upgrade of temporal sources that an older version of cgstore loaded: their times become stretches.

Such a source has a CG_VALUE for each time of a fact, or a CG_PERIOD without a `level` for each stretch of them. Each
transaction converts the facts of some heads, so that an upgrade that was cut short goes on where it stopped. The source
gets its new format last; until then it is not answered from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cgstore.catalog.kinds import TKG
from cgstore.catalog.sources import remove_unlinked
from cgstore.cypher.connection import Database, insist
from cgstore.model import FORMAT_OF_TIMES, FORMATS_OF_OLD_TIMES, TimeKey
from cgstore.text.dates import LEVELS, Step, first, merged, read_moment
from cgstore.text.names import SEPARATOR, owned_key

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

HEADS = 200
"""Heads whose facts are converted in one transaction."""

_OLD = """
MATCH (s:CgSource {state: 'ready', kind: $kind}) WHERE s.format IN $formats AND ($names IS NULL OR s.name IN $names)
RETURN s.name AS name, s.step AS step
"""

_HEADS = """
MATCH (k:CgNode {key: $key})-[v:%s]->() USING INDEX SEEK k:CgNode(key)
WHERE size(v.condition) > 1
RETURN DISTINCT v.head AS head LIMIT $limit
"""

_TIMES = """
UNWIND $heads AS head
MATCH (k)-[v:%s {node1: $key, head: head}]->(time) USING INDEX SEEK v:%s(node1, head)
WHERE size(v.condition) > 1
RETURN elementId(v) AS id, v.condition AS condition, v.added AS added, v.removed AS removed, time.name AS name
"""

_REPLACE = """
UNWIND $stretches AS each
MATCH (k)-[v:%s]->(time) WHERE elementId(v) = each.id
CREATE (k)-[p:%s]->(time)
SET p = properties(v), p.node2 = null, p.num = null, p.first = each.first, p.last = each.last
"""

_DELETE = "MATCH ()-[v:%s]->(time) WHERE elementId(v) IN $ids DELETE v RETURN DISTINCT elementId(time) AS id"

_LEVELS = f"""
MATCH (k:CgNode {{key: $key}})-[p:CG_PERIOD|CG_WAS_PERIOD]->() USING INDEX SEEK k:CgNode(key)
WHERE p.level IS NULL
CALL (p) {{
  SET p.level = [level IN range(0, {LEVELS - 1}) WHERE p.last - p.first < toInteger(4 ^ level)][0], p.fork = null
}} IN TRANSACTIONS OF 10000 ROWS
"""

_FINISH = """
MATCH (s:CgSource {name: $source})
CALL () {
  MATCH (k:CgNode {key: $key})-[p:CG_PERIOD]->()
  RETURN sum(p.last - p.first + 1) - count(p) AS fewer
}
CALL () {
  MATCH (o:CgNode)-[:CG_HAS|CG_VALUE|CG_PERIOD]-(other) WHERE o.key STARTS WITH $prefix AND o.source = $source
  UNWIND [o, other] AS node
  RETURN count(DISTINCT node) AS nodes
}
SET s.stored = s.triples - fewer, s.nodes = nodes, s.format = $format
WITH s
MATCH (k:CgNode {key: $key}) SET k.periods = null
"""


def upgrade_times(db: Database, names: Sequence[str] | None = None) -> list[str]:
    """Converts the sources of older versions, or those of some stored names; returns the names of those there were."""
    about = {"kind": TKG.name, "formats": list(FORMATS_OF_OLD_TIMES), "names": names}
    sources = db.read(_OLD, about, timeout=0)
    for row in sources:
        key, step = owned_key(row["name"], TimeKey.TIME), Step(row["step"] or Step.YEAR)
        for live, stretch in (("CG_VALUE", "CG_PERIOD"), ("CG_WAS_VALUE", "CG_WAS_PERIOD")):
            while heads := db.read(_HEADS % live, {"key": key, "limit": HEADS}, timeout=0):
                some = [each["head"] for each in heads]
                insist(db, partial(_convert, key, step, live, stretch, some))
        with db.session() as session, db.errors():
            session.run(_LEVELS, key=key).consume()
        done = {"source": row["name"], "key": key, "prefix": row["name"] + SEPARATOR, "format": FORMAT_OF_TIMES}
        db.write(_FINISH, done)
    return [row["name"] for row in sources]


def _convert(key: str, step: Step, live: str, stretch: str, heads: list[str], tx: ManagedTransaction) -> None:
    """Puts stretches in the place of the times of all facts of some heads."""
    times = tx.run(_TIMES % (live, live), key=key, heads=heads).data()
    tx.run(_REPLACE % (live, stretch), stretches=list(_stretches(times, step))).consume()
    ends = tx.run(_DELETE % live, ids=[time["id"] for time in times]).value("id")
    remove_unlinked(tx, ends)


def _stretches(times: Iterable[dict[str, Any]], step: Step) -> Iterator[dict[str, Any]]:
    """The first and the last time of each stretch of a fact's times, and the relationship of the first one.

    Times that different changes added or removed stay apart.
    """
    of_fact: dict[tuple[Any, ...], dict[int, str]] = defaultdict(dict)
    for time in times:
        moment = read_moment(time["name"])
        assert moment is not None, time["name"]
        of_fact[*time["condition"], time["added"], time["removed"]][first(moment, step)] = time["id"]
    for id_of in of_fact.values():
        for lo, hi in merged((place, place) for place in sorted(id_of)):
            yield {"id": id_of[lo], "first": lo, "last": hi}
