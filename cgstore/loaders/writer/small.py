"""Writing small sources: many in one transaction, so that thousands of tables load in a minute.

A source that is written so is never seen `loading`: it is not there, or ready. What is cut short is rolled back, and
the next load writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.catalog import registry
from cgstore.catalog.registry import LoadRecord
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database, insist
from cgstore.errors import SourceInTheWay
from cgstore.loaders.staging import Group, StagedNode
from cgstore.loaders.writer.rows import MERGE_NODES, create, node_row, relationship_rows
from cgstore.model import Role
from cgstore.text.names import VERSION, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from cgstore.loaders.writer.write import Staged

SMALL = 20_000
"""Most condition triples of one transaction."""

_CREATE = """
UNWIND $sources AS about
CREATE (s:CgSource {state: 'ready', started: datetime(), loaded: datetime()}) SET s += about
"""


class Small(NamedTuple):
    """A whole source in memory."""

    record: LoadRecord
    nodes: list[tuple[Role, StagedNode]]
    groups: list[Group]

    @classmethod
    def of(cls, record: LoadRecord, staged: Staged) -> Small:
        """Reads it from its stage."""
        return cls(record, [(role, node) for role in Role for node in staged.nodes(role)], list(staged.groups()))


def write_small(db: Database, sources: Sequence[Small]) -> list[bool]:
    """Writes sources in one transaction; tells of each whether anything was to be done.

    Raises:
        SourceInTheWay: a name is taken by something else, is being dropped, or a load of it was cut short.
        NoDatabase: the database went away and did not come back.
    """
    schema.ensure_constraints(db)
    schema.ensure_indexes(db)  # before, since the transaction makes the sources ready
    return insist(db, lambda tx: _written(tx, sources))


def _written(tx: ManagedTransaction, sources: Sequence[Small]) -> list[bool]:
    tx.run(registry.LOCK).consume()
    there = registry.versions(tx, [small.record.name for small in sources])
    new = [small for small in sources if _is_new(tx, small.record, there)]
    about = [{**small.record.properties(), "name": small.record.name} for small in new]
    tx.run(_CREATE, sources=about).consume()
    ids = _merge(tx, new)
    for small in new:
        keys = {node.id: node.key for _, node in small.nodes}
        rows = relationship_rows(small.groups, lambda node, keys=keys: ids[keys[node]])  # type: ignore[misc]
        create(tx, small.record.name, rows, small.record.triples)
    tx.run(registry.RETIRE, names=[small.record.name for small in new], version=VERSION).consume()
    return [small in new for small in sources]


def _is_new(tx: ManagedTransaction, record: LoadRecord, there: list[dict[str, Any]]) -> bool:
    """Whether a source is still to be written; raises where it cannot be."""
    name = source_name(record.name)
    mine = [source for source in there if source_name(source["name"]) == name]
    if registry.is_there(mine, record):
        return False
    if registry.is_begun(tx, record):
        raise SourceInTheWay(
            f"A load of source '{name}' was cut short.",
            f"Replace it with --replace, or drop it: `cgstore drop {name}`.",
        )
    return True


def _merge(tx: ManagedTransaction, sources: Sequence[Small]) -> dict[str, str]:
    """Merges the nodes of all; returns element ids by key."""
    ids: dict[str, str] = {}
    for role in Role:
        rows: dict[str, dict[str, Any]] = {}
        for small in sources:
            for of_role, node in small.nodes:
                if of_role is role:
                    rows[node.key] = node_row(node, role, small.record.step) | {"id": node.key}
        if rows:
            found = tx.run(MERGE_NODES[role], rows=[rows[key] for key in sorted(rows)])
            ids.update((record[0], record[1]) for record in found)
    return ids
