"""The upgrade of a graph of the first layout, whose labels and types had no prefix, to the present one.

Then times are brought to their present form (`upgrade_times`), also where the layout is the present one. A temporal
source of an older version has a CG_VALUE for each time of a fact, or a CG_PERIOD without a `level` for each stretch of
them. Each transaction converts the facts of some heads. The source gets its new format last; until then it is not
answered from.

Properties tell which nodes are cgstore's, since labels alone do not. The first layout had adopted nodes of other people
that had the label `Node` and a `key`. They are given back to their owners, and nodes of cgstore's own take their place
in its triples. Each step goes on where an upgrade that was cut short stopped. The sources get their new label last, so
that nothing is answered from a half-upgraded graph.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cgstore.catalog.kinds import TKG
from cgstore.catalog.sources import remove_unlinked
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database, insist
from cgstore.cypher.freshness import raise_version
from cgstore.cypher.indexes import FIRST_DEMONSTRATION, FIRST_SOURCE, LAYOUT_VERSION, record_layout
from cgstore.embedding.vectors import make_indexes
from cgstore.loaders.staging import StagedNode
from cgstore.loaders.writer.write import MERGE_NODES, node_row
from cgstore.model import FORMAT_OF_TIMES, FORMATS_OF_OLD_TIMES, Role, TimeKey
from cgstore.text.dates import LEVELS, Step, first, merged, read_moment
from cgstore.text.names import SEPARATOR, owned_key

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

_SOURCES = f"MATCH (s) WHERE {FIRST_SOURCE} RETURN s.name AS name"

_IN_BATCHES = "IN TRANSACTIONS OF 10000 ROWS"

_ROLES = [role.value.removeprefix("Cg") for role in Role]

_RELABEL_NODES = f"""
MATCH (n:Node) WHERE n.key IS NOT NULL AND n.normal IS NOT NULL
CALL (n) {{
  SET n:CgNode REMOVE n:Node
  {" ".join(f"FOREACH (_ IN CASE WHEN n:{r} THEN [1] ELSE [] END | SET n:Cg{r} REMOVE n:{r})" for r in _ROLES)}
}} {_IN_BATCHES}
"""

_ADOPTED = """
MATCH (n:Node)-[r:HAS|VALUE]-() WHERE n.key IS NOT NULL AND n.normal IS NULL AND r.source IN $sources
RETURN DISTINCT elementId(n) AS id, n.key AS key, n.source AS source, labels(n) AS labels
"""

_RELEASE = "MATCH (n) WHERE elementId(n) IN $ids REMOVE n:{role}"

_RETYPE = f"""
MATCH (a)-[r:{{old}}]->(b) WHERE r.source IN $sources AND (a:CgNode OR a:Node) AND (b:CgNode OR b:Node)
CALL (a, r, b) {{{{
  MATCH (x:CgNode {{{{key: a.key}}}})
  MATCH (y:CgNode {{{{key: b.key}}}})
  CREATE (x)-[new:{{new}}]->(y) SET new = properties(r)
  DELETE r
}}}} {_IN_BATCHES}
"""

_RELABEL = f"MATCH (n) WHERE {{ours}} CALL (n) {{{{ SET n:Cg{{label}} REMOVE n:{{label}} }}}} {_IN_BATCHES}"

_BOOKKEEPING = {
    "Alias": "n:Alias AND n.key IS NOT NULL AND n.normal IS NOT NULL AND n.alias IS NOT NULL",
    "Lane": "n:Lane AND n.source IN $sources AND n.done IS NOT NULL AND n.beat IS NOT NULL",
    "Demonstration": FIRST_DEMONSTRATION.replace("d:", "n:").replace("d.", "n."),
    "Meta": "n:Meta AND n.name = 'encoder' AND n.touched IS NOT NULL",
}

_FORGET_LOCK = "MATCH (m:Meta {name: 'cgstore'}) WHERE m.touched IS NOT NULL DELETE m"

_ENCODER = "MATCH (m:CgMeta {name: 'encoder'}) RETURN m.dimensions AS dimensions"

_FINISH = f"MATCH (s) WHERE {FIRST_SOURCE} SET s:CgSource REMOVE s:Source"

_FIRST_CONSTRAINTS = ("node_key", "source_name", "alias_key", "meta_name", "demonstration_key")

_FIRST_INDEXES = tuple(name.removeprefix("cg_") for name in (*schema.VALUE_INDEXES, *schema.NODE_INDEXES)) + tuple(
    f"{role.lower()}_vector" for role in ("Relation", "Key", "Entity", "Value")
)

_OLD_PERIOD_INDEXES = tuple(
    f"cg_{was}period_{by}" for was in ("", "was_") for by in ("first", "last", "relation_first", "relation_last")
)


@dataclass(frozen=True)
class UpgradeReport:
    """How many sources and demonstrations were upgraded, and how many adopted nodes were given back to their owners."""

    sources: int
    demonstrations: int
    given_back: int
    layout: int
    seconds: float


def upgrade(db: Database) -> UpgradeReport:
    """Upgrades a graph of the first layout, and the times of older versions; leaves all else as it is.

    Raises:
        NoDatabase: the database went away; the same call goes on where this one stopped.
        QueryFailed: Neo4j refused a statement.
    """
    began = time.monotonic()
    schema.create_constraints(db)
    sources = [row["name"] for row in db.read(_SOURCES, timeout=0)]
    _run(db, _RELABEL_NODES)
    adopted = _replace_adopted(db, sources)
    for old in ("HAS", "VALUE"):
        _run(db, _RETYPE.format(old=old, new=f"CG_{old}"), sources=sources)
    relabelled = {
        label: _run(db, _RELABEL.format(ours=ours, label=label), sources=sources)
        for label, ours in _BOOKKEEPING.items()
    }
    db.write(_FORGET_LOCK)
    _drop_old_schema(db)
    schema.ensure_indexes(db)
    for row in db.read(_ENCODER):
        if row["dimensions"]:
            make_indexes(db, row["dimensions"])
    db.write(_FINISH)
    record_layout(db)
    upgraded = {*sources, *upgrade_times(db)}
    raise_version(db)
    return UpgradeReport(
        sources=len(upgraded),
        demonstrations=relabelled["Demonstration"],
        given_back=adopted,
        layout=LAYOUT_VERSION,
        seconds=round(time.monotonic() - began, 3),
    )


def _run(db: Database, statement: str, **parameters: Sequence[str]) -> int:
    """Runs a statement that commits in batches; returns the number of nodes or relationships that it changed."""
    with db.session() as session, db.errors():
        counters = session.run(statement, parameters).consume().counters
    return max(counters.labels_added, counters.relationships_created)


def _replace_adopted(db: Database, sources: list[str]) -> int:
    """Makes a node of cgstore's own beside each adopted node that its triples use; returns how many."""
    rows = db.read(_ADOPTED, {"sources": sources}, timeout=0)
    for role in Role:
        old = role.value.removeprefix("Cg")
        some = [row for row in rows if old in row["labels"]]
        staged = [StagedNode(n, row["key"], row["key"], row["source"], None, None) for n, row in enumerate(some)]
        made = [node_row(node, role, None) for node in staged]
        db.write(MERGE_NODES[role], {"rows": made})
        db.write(_RELEASE.format(role=old), {"ids": [row["id"] for row in some]})
    return len(rows)


def _drop_old_schema(db: Database) -> None:
    for what, names in (("CONSTRAINT", _FIRST_CONSTRAINTS), ("INDEX", (*_FIRST_INDEXES, *_OLD_PERIOD_INDEXES))):
        for name in names:
            db.write(f"DROP {what} {name} IF EXISTS")


# Times

HEADS = 200
"""Heads whose facts are converted in one transaction."""

_OLD_TIMES = """
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

_REPLACE_TIMES = """
UNWIND $stretches AS each
MATCH (k)-[v:%s]->(time) WHERE elementId(v) = each.id
CREATE (k)-[p:%s]->(time)
SET p = properties(v), p.node2 = null, p.num = null, p.first = each.first, p.last = each.last
"""

_DELETE_TIMES = "MATCH ()-[v:%s]->(time) WHERE elementId(v) IN $ids DELETE v RETURN DISTINCT elementId(time) AS id"

_LEVELS = f"""
MATCH (k:CgNode {{key: $key}})-[p:CG_PERIOD|CG_WAS_PERIOD]->() USING INDEX SEEK k:CgNode(key)
WHERE p.level IS NULL
CALL (p) {{
  SET p.level = [level IN range(0, {LEVELS - 1}) WHERE p.last - p.first < toInteger(4 ^ level)][0], p.fork = null
}} IN TRANSACTIONS OF 10000 ROWS
"""

_FINISH_TIMES = """
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
    sources = db.read(_OLD_TIMES, about, timeout=0)
    for row in sources:
        key, step = owned_key(row["name"], TimeKey.TIME), Step(row["step"] or Step.YEAR)
        for live, stretch in (("CG_VALUE", "CG_PERIOD"), ("CG_WAS_VALUE", "CG_WAS_PERIOD")):
            while heads := db.read(_HEADS % live, {"key": key, "limit": HEADS}, timeout=0):
                some = [each["head"] for each in heads]
                insist(db, partial(_convert, key, step, live, stretch, some))
        with db.session() as session, db.errors():
            session.run(_LEVELS, key=key).consume()
        done = {"source": row["name"], "key": key, "prefix": row["name"] + SEPARATOR, "format": FORMAT_OF_TIMES}
        db.write(_FINISH_TIMES, done)
    return [row["name"] for row in sources]


def _convert(key: str, step: Step, live: str, stretch: str, heads: list[str], tx: ManagedTransaction) -> None:
    """Puts stretches in the place of the times of all facts of some heads."""
    times = tx.run(_TIMES % (live, live), key=key, heads=heads).data()
    tx.run(_REPLACE_TIMES % (live, stretch), stretches=list(_stretches(times, step))).consume()
    ends = tx.run(_DELETE_TIMES % live, ids=[time["id"] for time in times]).value("id")
    remove_unlinked(tx, ends)


def _stretches(times: Iterable[dict[str, Any]], step: Step) -> Iterator[dict[str, Any]]:
    """The first and the last time of each stretch of a fact's times, and the relationship of the first one.

    Times that different changes added or removed stay apart.
    """
    of_fact: dict[tuple[Any, ...], dict[int, str]] = defaultdict(dict)
    for each in times:
        moment = read_moment(each["name"])
        assert moment is not None, each["name"]
        of_fact[*each["condition"], each["added"], each["removed"]][first(moment, step)] = each["id"]
    for id_of in of_fact.values():
        for lo, hi in merged((place, place) for place in sorted(id_of)):
            yield {"id": id_of[lo], "first": lo, "last": hi}
