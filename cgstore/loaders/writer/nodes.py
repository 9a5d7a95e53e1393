"""Merging a source's nodes into the graph, in several sessions, and keeping their ids for the relationships."""

from __future__ import annotations

import gc
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from cgstore.catalog import registry
from cgstore.catalog.registry import LANES, Claim, LoadRecord
from cgstore.cypher.connection import Database, insist
from cgstore.loaders.writer.rows import MERGE_NODES, node_row
from cgstore.model import Role
from cgstore.progress import bar
from cgstore.text.names import source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from cgstore.loaders.writer.write import Staged

BATCH = 5_000
"""Nodes a transaction."""

BATCH_TEXT = 4_000_000
"""Most characters of names in one transaction, so that long names do not fill the server's memory."""

SWEPT = 8
"""Batches after which garbage is collected: the driver's results hold themselves, half a kilobyte a node."""

Merged = list[tuple[int, str]]
"""Numbers in the stage, and element ids."""


class NodeIds:
    """The graph's element ids of the staged nodes, by stage number.

    An element id is a text such as `4:<uuid>:117`; where all share what is before the last number, as they do, eight
    bytes a node are enough. Any other form is kept as it is.
    """

    def __init__(self, count: int) -> None:
        self._numbers = array("q", [-1]) * count
        self._prefix = ""
        self._others: dict[int, str] = {}

    def put(self, node: int, element: str) -> None:
        """Keeps one id."""
        prefix, colon, tail = element.rpartition(":")
        prefix += colon
        if not self._prefix:
            self._prefix = prefix
        if prefix == self._prefix and tail.isascii() and tail.isdigit() and len(tail) < 18 and str(int(tail)) == tail:
            self._numbers[node] = int(tail)
        else:
            self._others[node] = element

    def get(self, node: int) -> str:
        """One id."""
        number = self._numbers[node]
        return f"{self._prefix}{number}" if number >= 0 else self._others[node]


def merge_nodes(db: Database, record: LoadRecord, claim: Claim, staged: Staged, progress: bool) -> NodeIds:
    """Merges all nodes; safe to repeat, since a node's key is unique."""
    ids, stop = NodeIds(record.nodes), Event()
    waiting: deque[Future[Merged]] = deque()
    name, taken = source_name(record.name), 0
    shown = bar(name, "nodes", record.nodes, show=progress)

    def collect(most: int) -> None:
        nonlocal taken
        while len(waiting) > most:
            merged = waiting.popleft().result()
            for node, element in merged:
                ids.put(node, element)
            shown.update(len(merged))
            taken += 1
            if taken % SWEPT == 0:
                gc.collect()

    with ThreadPoolExecutor(LANES, "nodes") as pool, shown:
        try:
            for role in Role:
                rows = (node_row(node, role, record.step) for node in staged.nodes(role))
                for number, batch in enumerate(batches(rows)):
                    work = partial(_merge, record, claim, number % LANES, role, batch)
                    waiting.append(pool.submit(insist, db, work, stop))
                    collect(most=2 * LANES)
                collect(most=0)  # a node of two roles is never merged by two sessions at once
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    return ids


def batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Cuts rows with a `name`, and perhaps an `alias`, into those of one transaction each."""
    batch: list[dict[str, Any]] = []
    text = 0
    for row in rows:
        batch.append(row)
        text += len(row["name"]) + len(row.get("alias", ""))
        if len(batch) >= BATCH or text >= BATCH_TEXT:
            yield batch
            batch, text = [], 0
    if batch:
        yield batch


def _merge(
    record: LoadRecord, claim: Claim, lane: int, role: Role, rows: list[dict[str, Any]], tx: ManagedTransaction
) -> Merged:
    registry.beat(tx, record.name, claim.lanes[lane].id, claim.owner)
    # Transactions that lock the same keys in the same order wait for each other, in different orders they deadlock.
    result = tx.run(MERGE_NODES[role], rows=sorted(rows, key=lambda row: str(row["key"])))
    return [(record[0], record[1]) for record in result]
