"""Writing staged aliases into the graph: a node each, beside the condition graph, and only then `ready`.

`(:CgAlias {key, source, alias, normal, name, target})`: `normal` is the normal form of the alias, by which it is found,
`target` the key of the node that it stands for, if the graph has one. An alias has no relationships, and none of its
nodes belongs to two sources, so that a load, a drop and others beside them do not meet.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING, Any

from cgstore.catalog import registry
from cgstore.catalog.registry import LANES, Claim, LoadRecord
from cgstore.cypher.connection import Database, insist
from cgstore.loaders.alias_stage import AliasStage
from cgstore.loaders.statement import Alias
from cgstore.loaders.writer.nodes import batches
from cgstore.loaders.writer.write import complete
from cgstore.model import FORMAT
from cgstore.progress import bar
from cgstore.text.names import normal_form, owned_key, shared_key, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

LAYOUT = f"{FORMAT} aliases"
"""Pairs may be cut into batches in any way, since a pair that is there is not written again."""

_MERGE = """
UNWIND $rows AS row
MERGE (a:CgAlias {key: row.key})
ON CREATE SET a.source = $source, a.alias = row.alias, a.normal = row.normal, a.name = row.name, a.target = row.target
"""


def write_aliases(db: Database, record: LoadRecord, staged: AliasStage, progress: bool = False) -> bool:
    """Writes a source of aliases, or what is missing of it where an earlier load was cut short, and makes it ready.

    Returns whether anything was to be done: False when the source was there already.

    Raises:
        BadInput: the name is taken, or being loaded by somebody else.
        NoDatabase: the database went away and did not come back; the same call goes on from there.
        KeyboardInterrupt: with a note that says the same.
    """

    def fill(claim: Claim) -> list[int]:
        _merge_all(db, record, claim, staged, progress)
        return [0] * LANES  # lanes count relationships

    return complete(db, record, fill)


def _merge_all(db: Database, record: LoadRecord, claim: Claim, staged: AliasStage, progress: bool) -> None:
    stop, cut = Event(), batches(_row(record.name, pair) for pair in staged.pairs())
    name = source_name(record.name)
    with (
        bar(name, "aliases", record.facts, show=progress) as shown,
        ThreadPoolExecutor(LANES, "aliases") as pool,
    ):
        try:
            while some := list(islice(cut, LANES)):
                work = (partial(_merge, record, claim, lane, batch) for lane, batch in enumerate(some))
                for done in pool.map(partial(insist, db, stop=stop), work):
                    shown.update(done)
        finally:
            stop.set()


def _row(source: str, pair: Alias) -> dict[str, Any]:
    # The length tells where the alias ends, so that no two pairs have one key.
    key = owned_key(source, f"{len(pair.alias)} {pair.alias} {pair.name}")
    about = {"alias": pair.alias, "normal": normal_form(pair.alias), "name": pair.name, "target": shared_key(pair.name)}
    return {"key": key, **about}


def _merge(record: LoadRecord, claim: Claim, lane: int, rows: list[dict[str, Any]], tx: ManagedTransaction) -> int:
    registry.beat(tx, record.name, claim.lanes[lane].id, claim.owner)
    tx.run(_MERGE, rows=rows, source=record.name).consume()
    return len(rows)
