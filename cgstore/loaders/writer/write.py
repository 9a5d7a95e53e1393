"""Writing a staged source into the graph: nodes, relationships in lanes, indexes, and only then `ready`.

Relationships are created by the ids of their nodes, kept from merging them: twice as fast as looking nodes up by key
for every row, and half as fast again with two sessions (`docs/benchmarks.md`).
An id may go stale: a row whose node is gone creates nothing, so that every batch counts what it created, and fails
as a whole if it is not what it holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cgstore.catalog import registry
from cgstore.catalog.registry import LANES, Claim, Lane, LoadRecord
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database, insist
from cgstore.errors import CgstoreError, NoDatabase
from cgstore.loaders.staging import Group, StagedNode
from cgstore.loaders.writer.nodes import BATCH_TEXT, NodeIds, merge_nodes
from cgstore.loaders.writer.rows import Rows, create, relationship_rows
from cgstore.model import FORMAT, Role
from cgstore.progress import Bar, bar
from cgstore.text.names import source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

BATCH = 5_000
"""Relationships a transaction; 20,000 are a little slower."""

WAITING = 3
"""Batches that may wait for a lane: enough to keep it busy, few enough to keep memory small."""

LAYOUT = f"{FORMAT} {LANES} {BATCH} {BATCH_TEXT}"
"""Changes whenever the same source would be cut into other batches."""

_LOCK_LANE = "MATCH (l:CgLane) WHERE elementId(l) = $lane SET l.beat = timestamp()"

_ADVANCE_LANE = """
MATCH (l:CgLane) WHERE elementId(l) = $lane AND l.owner = $owner
WITH l, l.done AS done
FOREACH (_ IN CASE WHEN done = $number THEN [1] ELSE [] END | SET l.done = done + 1, l.created = l.created + $size)
RETURN done
"""


class Staged(Protocol):
    """What the writer needs of a staged source."""

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """The nodes that have a role, numbered from 0 over all roles."""

    def groups(self) -> Iterator[Group]:
        """All condition triples, in the same order each time."""


class Batch(NamedTuple):
    """The relationships of one transaction: the `number`th (from 0) of its lane."""

    lane: int
    number: int
    size: int
    groups: list[Group]


def write(db: Database, record: LoadRecord, staged: Staged, progress: bool = False) -> bool:
    """Writes a source, or the rest of it where an earlier load was cut short, and makes it ready.

    Returns whether anything was to be done: False when the source was there already.

    Raises:
        BadInput: the name is taken, or being loaded by somebody else.
        NoDatabase: the database went away and did not come back; the same call goes on from there.
        KeyboardInterrupt: with a note that says the same.
    """

    def fill(claim: Claim) -> list[int]:
        ids = merge_nodes(db, record, claim, staged, progress)
        return _Writer(db, record, claim, ids).run(staged.groups(), progress)

    return complete(db, record, fill)


def complete(db: Database, record: LoadRecord, fill: Callable[[Claim], list[int]]) -> bool:
    """Claims a source, has it filled, and makes it ready; returns False when it was there already.

    Args:
        db: the database.
        record: what is loaded.
        fill: writes what is missing of it, and returns the number of batches of each lane.

    Raises:
        BadInput: the name is taken, or being loaded by somebody else.
        NoDatabase, KeyboardInterrupt: as `write`; the source is left to the next load.
    """
    schema.ensure_constraints(db)
    claim = registry.claim(db, record)
    if claim.unchanged:
        return False
    try:
        with registry.alive(db, record, claim):
            batches = fill(claim)
            schema.ensure_indexes(db)
            registry.finish(db, record, batches)
    except BaseException as error:
        _give_up(db, record, claim, error)
        raise
    return True


def _give_up(db: Database, record: LoadRecord, claim: Claim, error: BaseException) -> None:
    """Leaves the source to the next load, and says that there can be one."""
    with suppress(CgstoreError):
        registry.release(db, record.name, claim.owner)
    again = f"Source '{source_name(record.name)}' is not complete; give the command again: it goes on where it stopped."
    if isinstance(error, NoDatabase):
        error.hint = f"{error.hint} {again}" if error.hint else again
    elif isinstance(error, KeyboardInterrupt):
        error.add_note(again)


def cut(groups: Iterable[Group]) -> Iterator[Batch]:
    """Cuts groups into batches of `BATCH` relationships (fewer if their text is long), dealt to the lanes in turn."""
    held: list[Group] = []
    size = text = count = 0
    for group in groups:
        each = sum(map(len, group.condition)) + 1
        if (count2 := len(group.node2)) < BATCH - size and each * count2 < BATCH_TEXT - text:
            held.append(group)  # nearly always
            size, text = size + count2, text + each * count2
            continue
        place = 0
        while place < len(group.node2):
            room = max(min(BATCH - size, (BATCH_TEXT - text) // each), 0 if held else 1)
            if part := group.node2[place : place + room]:
                about = group.about[place : place + room] if group.about else None
                held.append(group._replace(node2=part, about=about))
                size, text, place = size + len(part), text + each * len(part), place + len(part)
            if size >= BATCH or place < len(group.node2):
                yield Batch(count % LANES, count // LANES, size, held)
                held, size, text, count = [], 0, 0, count + 1
    if held:
        yield Batch(count % LANES, count // LANES, size, held)


class _Writer:
    """Writes batches in lanes: each lane is one thread with one session at a time, its batches in order."""

    def __init__(self, db: Database, record: LoadRecord, claim: Claim, ids: NodeIds) -> None:
        self._db, self._record, self._claim, self._ids = db, record, claim, ids
        self._stop = Event()
        self._waiting: list[deque[tuple[Future[None], int]]] = [deque() for _ in range(LANES)]

    def run(self, groups: Iterable[Group], progress: bool) -> list[int]:
        """Writes what is not yet written; returns how many batches each lane has."""
        batches = [0] * LANES
        done = sum(lane.created for lane in self._claim.lanes)
        lanes = [ThreadPoolExecutor(1, f"lane-{number}") for number in range(LANES)]
        name = source_name(self._record.name)
        shown = bar(name, "triples", self._record.triples, initial=done, show=progress)
        try:
            for batch in cut(groups):
                batches[batch.lane] += 1
                if batch.number >= self._claim.lanes[batch.lane].done:
                    self._wait(batch.lane, WAITING, shown)
                    future = lanes[batch.lane].submit(self._write, batch)
                    self._waiting[batch.lane].append((future, batch.size))
            for lane in range(LANES):
                self._wait(lane, 1, shown)
        finally:
            self._stop.set()
            for pool in lanes:
                pool.shutdown(cancel_futures=True)
            shown.close()
        return batches

    def _wait(self, lane: int, most: int, shown: Bar) -> None:
        """Waits until fewer than `most` batches wait for a lane; raises what a batch raised."""
        waiting = self._waiting[lane]
        while len(waiting) >= most:
            future, size = waiting.popleft()
            future.result()
            shown.update(size)

    def _write(self, batch: Batch) -> None:
        lane = self._claim.lanes[batch.lane]
        rows = relationship_rows(batch.groups, self._ids.get)
        insist(self._db, lambda tx: self._transact(tx, lane, batch, rows), self._stop)

    def _transact(self, tx: ManagedTransaction, lane: Lane, batch: Batch, rows: list[Rows]) -> None:
        """One batch, exactly once: the lane's counter is locked first, read, and moved on in the same transaction."""
        tx.run(_LOCK_LANE, lane=lane.id).consume()
        numbers = {"lane": lane.id, "owner": self._claim.owner, "number": batch.number, "size": batch.size}
        row = tx.run(_ADVANCE_LANE, numbers).single()
        if row is not None and row["done"] == batch.number + 1:
            return  # committed by an earlier try, whose answer was lost
        if row is None or row["done"] != batch.number:
            raise registry.lost(self._record.name)
        create(tx, self._record.name, rows, batch.size)
