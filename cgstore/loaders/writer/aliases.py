"""Aliases, staged and written: a node for each pair of alias and name, beside the condition graph, and then `ready`.

`(:CgAlias {key, source, alias, normal, name, target})`: `normal` is the normal form of the alias, by which it is found,
`target` the key of the node that it stands for, if the graph has one. An alias has no relationships, and each of these
nodes belongs to one source, so that loads and drops do not touch each other's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice, starmap
from threading import Event
from typing import TYPE_CHECKING, Any

from cgstore.catalog import registry
from cgstore.catalog.registry import LANES, Claim, LoadRecord
from cgstore.cypher.connection import Database, insist
from cgstore.loaders.staging import CHUNK, Stage
from cgstore.loaders.statement import Alias
from cgstore.loaders.writer.write import BATCH, complete, node_batches
from cgstore.model import FORMAT
from cgstore.progress import bar
from cgstore.text.names import normal_form, owned_key, shared_key, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

LAYOUT = f"{FORMAT} aliases"
"""Pairs may be cut into batches in any way, since a pair that is there is not written again."""

_TABLE = "CREATE TABLE alias (alias TEXT, name TEXT, PRIMARY KEY (alias, name)) WITHOUT ROWID"

_MERGE = """
UNWIND $rows AS row
MERGE (a:CgAlias {key: row.key})
ON CREATE SET a.source = $source, a.alias = row.alias, a.normal = row.normal, a.name = row.name, a.target = row.target
"""


class AliasStage(Stage):
    """The distinct pairs of one source: first `add` all of them, then `settle`, then read.

    `count` and `fingerprint`, which does not depend on the order of the input, are known after `settle`.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.sql.execute(_TABLE)
        self._buffer: list[Alias] = []
        self.count = 0
        self.fingerprint = ""

    def add(self, pair: Alias) -> None:
        """Stages one pair; a repeat vanishes."""
        self._buffer.append(pair)
        if len(self._buffer) >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        self.sql.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?)", self._buffer)
        self._buffer.clear()

    def settle(self) -> None:
        """Ends the adding."""
        self._flush()
        digest = hashlib.sha256()
        for pair in self.pairs():
            digest.update(repr(tuple(pair)).encode("utf-8"))
            self.count += 1
        self.fingerprint = digest.hexdigest()

    def pairs(self) -> Iterator[Alias]:
        """The distinct pairs, by alias and name."""
        return starmap(Alias, self.sql.execute("SELECT alias, name FROM alias ORDER BY alias, name"))


def write_aliases(
    db: Database, record: LoadRecord, staged: AliasStage, progress: bool = False, batch: int = BATCH
) -> bool:
    """Writes a source of aliases, or what an earlier load that was cut short left out; see `write.write`."""
    record = replace(record, layout=LAYOUT)

    def fill(claim: Claim) -> list[int]:
        stop, batches = Event(), node_batches((_row(record.name, pair) for pair in staged.pairs()), batch)
        with (
            bar(source_name(record.name), "aliases", record.facts, show=progress) as shown,
            ThreadPoolExecutor(LANES, "aliases") as pool,
        ):
            try:
                while some := list(islice(batches, LANES)):
                    work = (partial(_merge, record, claim, lane, rows) for lane, rows in enumerate(some))
                    for done in pool.map(partial(insist, db, stop=stop), work):
                        shown.update(done)
            finally:
                stop.set()
        return [0] * LANES  # lanes count relationships

    return complete(db, record, fill)


def _row(source: str, pair: Alias) -> dict[str, Any]:
    # The length tells where the alias ends, so that no two pairs have one key.
    key = owned_key(source, f"{len(pair.alias)} {pair.alias} {pair.name}")
    about = {"alias": pair.alias, "normal": normal_form(pair.alias), "name": pair.name, "target": shared_key(pair.name)}
    return {"key": key, **about}


def _merge(record: LoadRecord, claim: Claim, lane: int, rows: list[dict[str, Any]], tx: ManagedTransaction) -> int:
    registry.beat(tx, record.name, claim.lanes[lane].id, claim.owner)
    tx.run(_MERGE, rows=rows, source=record.name).consume()
    return len(rows)
