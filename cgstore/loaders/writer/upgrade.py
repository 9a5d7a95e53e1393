"""The upgrade of a graph of the first layout, whose labels and types had no prefix, to the present one.

Then times are brought to their present form (`upgrade_times`), also where the layout is the present one.

Properties tell which nodes are cgstore's, since labels alone do not. The first layout had adopted nodes of other people
that had the label `Node` and a `key`. They are given back to their owners, and nodes of cgstore's own take their place
in its triples. Each step goes on where an upgrade that was cut short stopped. The sources get their new label last, so
that nothing is answered from a half-upgraded graph.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.cypher.freshness import raise_version
from cgstore.cypher.indexes import FIRST_DEMONSTRATION, FIRST_SOURCE, LAYOUT_VERSION, record_layout
from cgstore.embedding.vectors import make_indexes
from cgstore.loaders.staging import StagedNode
from cgstore.loaders.writer.upgrade_times import upgrade_times
from cgstore.loaders.writer.write import MERGE_NODES, node_row
from cgstore.model import Role

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
