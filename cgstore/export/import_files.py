"""`export --format import`: a source as files for Neo4j's own importer, for a first load into any other server.

The source is read out of the graph into a stage, from which the files are written: what the importer makes of them is
the source as a load would have made it there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError
from cgstore.export.read import Chosen, check_unchanged, choose
from cgstore.loaders.readers.neo4j import reading
from cgstore.loaders.staging import Group, Stage, StagedNode, ValueAnnotation
from cgstore.loaders.writer.import_files import ImportFiles
from cgstore.model import Role
from cgstore.source_kinds import kind_named
from cgstore.text.names import SEPARATOR

if TYPE_CHECKING:
    from neo4j import Record, Transaction

_OWNED = """
MATCH (o:{role}) USING INDEX o:{role}(source) WHERE o.source = $source
RETURN o.name AS name, o.kind AS kind, o.iri AS iri
"""

_HAS = """
MATCH (r:CgRelation)<-[has:CG_HAS]-(a) USING INDEX r:CgRelation(source) WHERE r.source = $source
RETURN a.name AS node1, a:CgLine AS is_line, r.name AS node2, has.iri AS iri
"""

_VALUE = """
MATCH (o:{role})-[v:CG_VALUE]->(b) USING INDEX o:{role}(source)
WHERE o.source = $source AND (size(v.condition) = 1) = $alone
RETURN o.name AS node1, v.condition AS condition, v.head AS head, b.name AS node2, b:CgEntity AS is_entity,
  b:CgValue AS is_value, b.num AS num, v.num AS own_num, v.iri AS iri, v.literal AS literal
"""

_TABLE = """
CREATE TABLE triple (node1 INTEGER, condition TEXT, head TEXT, node2 INTEGER, about TEXT, iri TEXT)
"""


@dataclass(frozen=True)
class ImportReport:
    """What was written: nodes (the source's own not counted), relationships, bytes, and the folder."""

    source: str
    kind: str
    format: str
    facts: int
    nodes: int
    relationships: int
    size: int
    seconds: float
    path: str


def export_import_files(db: Database, source: str, folder: Path, *, progress: bool = False) -> ImportReport:
    """Writes a source as files for Neo4j's importer, with a README that says how to use them.

    Args:
        db: the database.
        source: its name.
        folder: where to; must be empty or new.
        progress: whether to show bars on standard error.

    Raises:
        BadInput: there is no such source, it is of aliases or changed meanwhile, or the folder is not empty.
        CgstoreError: the source is not complete.
        NoDatabase: the connection was lost.
    """
    began = time.monotonic()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} is no empty folder.", "Give --output a new one.")
    chosen = choose(db, source)
    if not kind_named(chosen.source.kind).has_facts:
        raise BadInput(f"Source '{source}' holds aliases, which the importer's files do not.", "Give --format tsv.")
    with GraphStage(chosen) as stage:
        stage.read(db)
        with ImportFiles(folder, progress=progress) as files:
            files.add(_plan(chosen, stage), stage)
            written = files.finish()
    found = chosen.source
    seconds = round(time.monotonic() - began, 3)
    return ImportReport(found.name, found.kind, "import", found.facts, *written, seconds, str(folder))


def _plan(chosen: Chosen, stage: GraphStage) -> LoadRecord:
    about = {name: getattr(chosen.source, name) for name in ("name", "kind", "step", "facts", "has", "value")}
    columns = chosen.source.columns or None
    fingerprint = chosen.source.fingerprint or ""
    return LoadRecord(**about, fingerprint=fingerprint, layout="import", nodes=stage.node_count, columns=columns)


class GraphStage(Stage):
    """A source as the graph has it, read into a stage.

    Its owned nodes get the keys that they have under the source's own name, whatever its version.
    """

    def __init__(self, chosen: Chosen) -> None:
        super().__init__(chosen.source.name)
        self.sql.execute(_TABLE)
        self._chosen = chosen
        self._owned: dict[tuple[Role, str], dict[str, Any]] = {}

    def read(self, db: Database) -> None:
        """Reads all nodes and triples of the source.

        Raises:
            BadInput: the source was dropped or replaced meanwhile.
            CgstoreError: the source is not complete.
        """
        with reading(db) as tx:
            for role in (Role.RELATION, Role.KEY):
                for record in tx.run(_OWNED.format(role=role.value), source=self._chosen.stored):
                    self._owned[role, record["name"]] = dict(record)
            count = sum(self._add_has(record) for record in tx.run(_HAS, source=self._chosen.stored))
            count += self._read_values(tx, Role.RELATION) + self._read_values(tx, Role.KEY)
        check_unchanged(db, self._chosen)
        if count != self._chosen.source.triples:
            raise CgstoreError(
                f"Source '{self.source}' is not complete: {count:,} of its {self._chosen.source.triples:,} triples "
                "were found.",
                f"Something else deleted them; drop it and load it again: `cgstore drop {self.source}`.",
            )

    def _read_values(self, tx: Transaction, role: Role) -> int:
        records = tx.run(_VALUE.format(role=role.value), source=self._chosen.stored, alone=role is Role.RELATION)
        return sum(self._add_value(record, role) for record in records)

    def _add_has(self, record: Record) -> int:
        head = self.node(record["node1"], Role.LINE if record["is_line"] else Role.ENTITY)
        relation = self.node(record["node2"], Role.RELATION)
        self._add(head, [], "", relation, None, record["iri"])
        return 1

    def _add_value(self, record: Record, role: Role) -> int:
        roles = [r for r, has in ((Role.ENTITY, record["is_entity"]), (Role.VALUE, record["is_value"])) if has]
        node2 = [self.node(record["node2"], r) for r in roles][-1]
        owned = self._chosen.stored + SEPARATOR
        head = record["head"]
        if head.startswith(owned):
            head = self.source + SEPARATOR + head.removeprefix(owned)
        about = ValueAnnotation(record["own_num"], record["iri"], record["literal"])
        told = None if about == ValueAnnotation(record["num"]) else about
        self._add(self.node(record["node1"], role), record["condition"], head, node2, told, None)
        return 1

    def _add(
        self, node1: int, condition: list[str], head: str, node2: int, about: ValueAnnotation | None, iri: str | None
    ) -> None:
        values = (node1, json.dumps(condition), head, node2, json.dumps(about) if about else None, iri)
        self.sql.execute("INSERT INTO triple VALUES (?, ?, ?, ?, ?, ?)", values)

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """As `Stage.nodes`, relations and keys with their kinds and IRIs."""
        for node in super().nodes(role):
            about = self._owned.get((role, node.name))
            yield node._replace(kind=about["kind"], iri=about["iri"]) if about else node

    def groups(self) -> Iterator[Group]:
        """All condition triples of the source, those that tell of their values apart from the others."""
        rows = self.sql.execute(
            "SELECT node1, condition, head, iri, about IS NOT NULL, node2, about FROM triple "
            "ORDER BY condition <> '[]', node1, condition, head, iri, about IS NOT NULL, node2"
        )
        for (node1, condition, head, iri, _), found in groupby(rows, itemgetter(0, 1, 2, 3, 4)):
            triples = list(found)
            about = [ValueAnnotation(*json.loads(row[6])) for row in triples if row[6] is not None] or None
            yield Group(node1, tuple(json.loads(condition)), head, [row[5] for row in triples], about, iri)
