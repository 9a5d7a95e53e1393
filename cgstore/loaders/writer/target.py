"""Where the sources of a load go: into a running Neo4j, or nowhere, to see what would come.

A loader hands each source over, staged, and asks at the end which ones were new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, islice, takewhile
from types import TracebackType
from typing import Self, TypeVar

from cgstore.catalog import registry
from cgstore.catalog.registry import LoadRecord
from cgstore.catalog.sources import drop_leftover, finish_drops, sweep
from cgstore.cypher.connection import Database
from cgstore.errors import SourceInTheWay
from cgstore.loaders.alias_stage import AliasStage
from cgstore.loaders.staging import Stage
from cgstore.loaders.writer.aliases import write_aliases
from cgstore.loaders.writer.small import SMALL, Small, write_small
from cgstore.loaders.writer.write import Staged, write
from cgstore.model import Evidence
from cgstore.text.names import source_name

T = TypeVar("T")

SAMPLE = 10
"""Triples that a dry run shows."""

MOST_TOGETHER = 200
"""Small sources written in one transaction."""


class Target:
    """Takes staged sources; also what a dry run is: it counts them, and keeps a sample of the first one's triples."""

    dry_run = True

    def __init__(self) -> None:
        self.written: set[str] = set()
        self.sample: tuple[Evidence, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def stored_name(self, name: str) -> str:
        """The name under which a source's owned nodes are to be staged."""
        return name

    def take(self, record: LoadRecord, staged: Staged, *, small: bool = False) -> None:
        """Takes a source, which may be written now or at the end; its stage may be closed then.

        Args:
            record: what it is.
            staged: its nodes and triples.
            small: whether it may be held in memory and written with others.
        """
        assert isinstance(staged, Stage)
        if not self.sample:
            self.sample = tuple(_sample(record, staged))

    def take_aliases(self, record: LoadRecord, staged: AliasStage) -> None:
        """As `take`, for a source of aliases."""
        name = source_name(record.name)
        self.sample = tuple(Evidence(*pair, condition=(), source=name) for pair in islice(staged.pairs(), SAMPLE))

    def finish(self) -> None:
        """Writes what waits, and puts the graph in order."""

    def close(self) -> None:
        """Lets go of what was not finished."""


class Online(Target):
    """Writes into a running Neo4j.

    Args:
        db: the database.
        replace: whether a source of the same name with other content is replaced.
        progress: whether to show bars on standard error.
    """

    dry_run = False

    def __init__(self, db: Database, *, replace: bool = False, progress: bool = False) -> None:
        super().__init__()
        self._db, self._replace, self._progress = db, replace, progress
        self._waiting: list[Small] = []
        self._names: set[str] = set()

    def stored_name(self, name: str) -> str:
        return registry.stored_name(self._db, name, self._replace) if self._replace else name

    def take(self, record: LoadRecord, staged: Staged, *, small: bool = False) -> None:
        self._names.add(record.name)
        if not small or record.triples > SMALL:
            self._write(record, lambda: write(self._db, record, staged, self._progress))
            return
        waiting = sum(other.record.triples for other in self._waiting)
        if len(self._waiting) >= MOST_TOGETHER or waiting + record.triples > SMALL:
            self._flush()
        self._waiting.append(Small.of(record, staged))

    def take_aliases(self, record: LoadRecord, staged: AliasStage) -> None:
        self._names.add(record.name)
        self._write(record, lambda: write_aliases(self._db, record, staged, self._progress))

    def _write(self, record: LoadRecord, work: Callable[[], bool]) -> None:
        if self._with_room([record.name], work):
            self.written.add(record.name)

    def _with_room(self, names: Sequence[str], work: Callable[[], T]) -> T:
        """What a work gives that writes sources; to replace them, what cut-short loads have left is removed first."""
        try:
            return work()
        except SourceInTheWay:
            if not self._replace:
                raise
        for name in names:
            if registry.is_ready(self._db, name):
                raise registry.overtaken(name)
            drop_leftover(self._db, name, self._progress)  # nobody ever saw it
        return work()

    def _flush(self) -> None:
        names = [small.record.name for small in self._waiting]
        new = self._with_room(names, lambda: write_small(self._db, self._waiting)) if names else []
        self.written |= {small.record.name for small, written in zip(self._waiting, new, strict=True) if written}
        self._waiting.clear()

    def finish(self) -> None:
        self._flush()
        finish_drops(self._db, self._names, self._progress)
        sweep(self._db)


def target_of(to: Database | Target) -> Target:
    """A target as it is; a database as one that is written into."""
    return to if isinstance(to, Target) else Online(to)


def _sample(record: LoadRecord, stage: Stage) -> Iterator[Evidence]:
    """Some condition triples of a staged source, by names: one for each of the first pairs of node1 and condition."""
    assert hasattr(stage, "groups")
    empty = takewhile(lambda group: not group.condition, stage.groups())
    others = dropwhile(lambda group: not group.condition, stage.groups())
    for group in (*islice(empty, SAMPLE // 3), *islice(others, SAMPLE - SAMPLE // 3)):
        yield Evidence(stage.name_of(group.node1), stage.name_of(group.node2[0]), group.condition, record.name)
