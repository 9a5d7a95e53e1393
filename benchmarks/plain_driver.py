"""What the plain driver needs for the same graph: the yardstick for a load.

Everything is in memory before the clock starts: nodes, and relationships as rows. Nodes are created without a lookup,
relationships by the internal ids of their nodes in two sessions, the constraint and the indexes at the end. Two forms
of rows: one a relationship, which is what one writes first, and one for all relationships that share node1 and
condition, which sends less and is the fastest that we know.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.tkg_stage import TkgStage
from cgstore.loaders.writer.write import cut, node_row, relation_of, relationship_rows
from cgstore.model import Role

BATCH = 5_000

_NODES = {
    role: f"""
UNWIND $rows AS row
CREATE (n:CgNode:{role.value} {{key: row.key, name: row.name, normal: row.normal, num: row.num, source: row.source,
  step: row.step}})
RETURN elementId(n) AS id
"""
    for role in Role
}

_HAS_ROWS = """
UNWIND $rows AS r
MATCH (a) WHERE elementId(a) = r[0]
MATCH (b) WHERE elementId(b) = r[1]
CREATE (a)-[:CG_HAS {source: $source}]->(b)
"""

_VALUE_ROWS = """
UNWIND $rows AS r
MATCH (a) WHERE elementId(a) = r[0]
MATCH (b) WHERE elementId(b) = r[1]
CREATE (a)-[:CG_VALUE {condition: r[2], node1: r[3], node2: r[4], head: r[5], num: r[6], relation: r[7],
  source: $source}]->(b)
"""


class InMemory(NamedTuple):
    """A source ready to be sent: the rows of its nodes by role, with their numbers, and its batches of groups."""

    source: str
    nodes: dict[Role, list[tuple[int, dict[str, Any]]]]
    batches: list[Any]


def in_memory(stage: FactStage | TkgStage, step: str | None = None) -> InMemory:
    """Everything of a staged source, whose times are counted by `step`."""
    nodes = {role: [(node.id, node_row(node, role, step)) for node in stage.nodes(role)] for role in Role}
    return InMemory(stage.source, nodes, [batch.groups for batch in cut(stage.groups())])


def create_all(db: Database, data: InMemory, by_row: bool) -> dict[str, float]:
    """Creates the graph in an empty database; returns the seconds of each part and of all."""
    began = last = time.monotonic()
    seconds: dict[str, float] = {}

    def lap(part: str) -> None:
        nonlocal last
        now = time.monotonic()
        seconds[part], last = now - last, now

    ids: dict[int, str] = {}
    keys: dict[int, tuple[str, Any]] = {}
    for role, rows in data.nodes.items():
        new = [(number, row) for number, row in rows if number not in ids]
        for place in range(0, len(new), BATCH):
            some = new[place : place + BATCH]
            found = db.write(_NODES[role], {"rows": [row for _, row in some]})
            ids.update((number, record["id"]) for (number, _), record in zip(some, found, strict=True))
        keys.update((number, (row["key"], row["num"])) for number, row in rows)
    lap("nodes")
    with ThreadPoolExecutor(2) as pool:
        send = _by_row if by_row else _by_group
        waiting = [pool.submit(send, db, data.source, groups, ids, keys) for groups in data.batches]
        for future in waiting:
            future.result()
    lap("relationships")
    schema.ensure_constraints(db)
    schema.ensure_indexes(db)
    lap("indexes")
    return seconds | {"all": time.monotonic() - began}


def _by_group(db: Database, source: str, groups: list[Any], ids: dict[int, str], keys: dict[int, Any]) -> None:
    with db.session() as session, session.begin_transaction() as tx:
        for statement, some, rows in relationship_rows(groups, ids.__getitem__):
            tx.run(statement, ids=some, groups=rows, source=source, added=None).consume()
        tx.commit()


def _by_row(db: Database, source: str, groups: list[Any], ids: dict[int, str], keys: dict[int, Any]) -> None:
    has = [[ids[g.node1], ids[n]] for g in groups if not g.condition for n in g.node2]
    value = [
        [ids[g.node1], ids[n], g.condition, keys[g.node1][0], keys[n][0], g.head, keys[n][1], relation_of(g.condition)]
        for g in groups
        if g.condition
        for n in g.node2
    ]
    with db.session() as session, session.begin_transaction() as tx:
        for statement, rows in ((_HAS_ROWS, has), (_VALUE_ROWS, value)):
            if rows:
                tx.run(statement, rows=rows, source=source).consume()
        tx.commit()
