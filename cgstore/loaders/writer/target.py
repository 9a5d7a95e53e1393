"""Where the sources of a load go: into a running Neo4j, or nowhere, in a dry run.

A load gives each staged source to a target, and asks at the end which ones were new. Many small sources share one
transaction, so that thousands of tables load in a minute. Such a source is never in the state `loading`: if its
transaction is cut short, it is rolled back, and the next load writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cgstore.catalog import registry
from cgstore.catalog.registry import LoadRecord
from cgstore.catalog.sources import drop_version, finish_drops, sweep
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database, insist
from cgstore.cypher.freshness import RAISE_VERSION, raise_version
from cgstore.errors import SourceInTheWay, setting
from cgstore.loaders.staging import Group, Stage, StagedNode
from cgstore.loaders.writer.write import BATCH, MERGE_NODES, Staged, create, layout, node_row, relationship_rows, write
from cgstore.model import Evidence, Role
from cgstore.options import LoadOptions
from cgstore.text.names import VERSION, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

T = TypeVar("T")

Write = Callable[[LoadRecord, Any, Database, bool, int], bool]
"""Writes a source: its record and stage, the database, whether to show bars, how many nodes or relationships a
transaction has. Returns whether it is new."""

SMALL = 20_000
"""Most condition triples of the small sources in one transaction."""

MOST_TOGETHER = 200
"""Most small sources in one transaction."""

_CREATE = """
UNWIND $sources AS about
CREATE (s:CgSource {state: 'ready', started: datetime(), loaded: datetime()}) SET s += about
"""


class Target:
    """Takes staged sources. This class is a dry run, which keeps a sample of the first source's triples."""

    dry_run = True

    def __init__(self) -> None:
        self.written: set[str] = set()
        self.sample: tuple[Evidence, ...] = ()

    def stored_name(self, name: str) -> str:
        """The name under which the nodes that a source owns are staged."""
        return name

    def take(self, record: LoadRecord, staged: Staged, *, small: bool = False, write: Write = write) -> None:
        """Takes a source, which is written now or at the end; its stage may be closed afterwards.

        Args:
            record: the source.
            staged: its nodes and triples.
            small: whether it may be held in memory and written together with others.
            write: writes it, if not as condition triples.
        """
        assert isinstance(staged, Stage)
        self.sample = self.sample or tuple(staged.sample())

    def finish(self) -> None:
        """Writes the sources that are still in memory, and removes what replacements left."""


class Online(Target):
    """Writes into a running Neo4j, `batch` nodes or relationships a transaction.

    `replace`: whether a source of the same name with other content is replaced. `progress`: whether to show bars.
    """

    dry_run = False

    def __init__(self, db: Database, *, replace: bool = False, progress: bool = False, batch: int = BATCH) -> None:
        super().__init__()
        self._db, self._replace, self._progress, self._batch = db, replace, progress, batch
        self._small: list[SmallSource] = []
        self._names: set[str] = set()

    def stored_name(self, name: str) -> str:
        return registry.stored_name(self._db, name, self._replace) if self._replace else name

    def take(self, record: LoadRecord, staged: Staged, *, small: bool = False, write: Write = write) -> None:
        self._names.add(record.name)
        if not small or record.triples > SMALL:
            if self._with_room([record.name], lambda: write(record, staged, self._db, self._progress, self._batch)):
                self.written.add(record.name)
            return
        held = sum(other.record.triples for other in self._small)
        if len(self._small) >= MOST_TOGETHER or held + record.triples > SMALL:
            self._flush()
        self._small.append(SmallSource.of(replace(record, layout=layout(self._batch)), staged))

    def _with_room(self, names: Sequence[str], work: Callable[[], T]) -> T:
        """Runs `work`, which writes sources. A replacement removes what a load of them left that was cut short."""
        try:
            return work()
        except SourceInTheWay:
            if not self._replace:
                raise
        for name in names:
            if registry.is_ready(self._db, name):
                raise registry.overtaken(name)
            drop_version(self._db, name, self._progress, leftover=True)  # it was never answered from
        return work()

    def _flush(self) -> None:
        names = [small.record.name for small in self._small]
        new = self._with_room(names, lambda: write_small(self._db, self._small)) if names else []
        self.written |= {small.record.name for small, written in zip(self._small, new, strict=True) if written}
        self._small.clear()

    def finish(self) -> None:
        self._flush()
        finish_drops(self._db, self._names, self._progress)
        sweep(self._db)


def target_of(to: Database | Target, options: LoadOptions) -> Target:
    """A target as it is; for a database, the target that the options choose."""
    if isinstance(to, Target):
        return to
    return Target() if options.dry_run else Online(to, replace=options.replace, progress=options.progress)


# Small sources


class SmallSource(NamedTuple):
    """A whole source in memory."""

    record: LoadRecord
    nodes: list[tuple[Role, StagedNode]]
    groups: list[Group]

    @classmethod
    def of(cls, record: LoadRecord, staged: Staged) -> SmallSource:
        """The source in a stage."""
        return cls(record, [(role, node) for role in Role for node in staged.nodes(role)], list(staged.groups()))


def write_small(db: Database, sources: Sequence[SmallSource]) -> list[bool]:
    """Writes sources in one transaction; returns for each whether it was new.

    Raises:
        SourceInTheWay: another source has the name, is being dropped under it, or its load was cut short.
        NoDatabase: the database went away and did not come back.
    """
    schema.ensure_constraints(db)
    schema.ensure_indexes(db)  # before the transaction, since that makes the sources ready
    written = insist(db, lambda tx: _write_together(tx, sources))
    raise_version(db)
    return written


def _write_together(tx: ManagedTransaction, sources: Sequence[SmallSource]) -> list[bool]:
    tx.run(registry.LOCK).consume()
    there = registry.versions(tx, [small.record.name for small in sources])
    new = [small for small in sources if _is_new(tx, small.record, there)]
    about = [{**small.record.properties(), "name": small.record.name} for small in new]
    tx.run(_CREATE, sources=about).consume()
    ids = _merge(tx, new)
    for small in new:
        keys = {node.id: node.key for _, node in small.nodes}
        rows = relationship_rows(small.groups, lambda node, keys=keys: ids[keys[node]])  # type: ignore[misc]
        create(tx, small.record.name, rows, small.record.relationships)
    tx.run(registry.RETIRE, names=[small.record.name for small in new], version=VERSION).consume()
    tx.run(RAISE_VERSION).consume()
    return [small in new for small in sources]


def _is_new(tx: ManagedTransaction, record: LoadRecord, there: list[dict[str, Any]]) -> bool:
    """Whether a source is not there yet; raises SourceInTheWay if it cannot be written."""
    name = source_name(record.name)
    if registry.is_there([source for source in there if source_name(source["name"]) == name], record):
        return False
    if registry.is_begun(tx, record):
        raise SourceInTheWay(
            f"A load of source '{name}' was cut short.",
            f"Replace it with {setting('replace', True)}, or drop it: `cgstore drop {name}`.",
        )
    return True


def _merge(tx: ManagedTransaction, sources: Sequence[SmallSource]) -> dict[str, str]:
    """Merges the nodes of all sources; returns element ids by key."""
    ids: dict[str, str] = {}
    for role in Role:
        rows: dict[str, dict[str, Any]] = {}
        for small in sources:
            for of_role, node in small.nodes:
                if of_role is role:
                    rows[node.key] = node_row(node, role, small.record.step) | {"id": node.key}
        if rows:
            found = tx.run(MERGE_NODES[role], rows=[rows[key] for key in sorted(rows)])
            ids.update((row[0], row[1]) for row in found)
    return ids
