"""Reading a source's facts out of the graph: from the nodes that it owns, which their indexes find, without a scan.

A fact is a CG_VALUE relationship of a relation of the source under one name, a qualifier one of a key under three. The
reading is a stream in one READ transaction. It sees what others commit meanwhile; but a source that is ready does not
change, and one that is dropped or replaced first says so, so that looking at it again afterwards proves the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.catalog.registry import as_source
from cgstore.catalog.selection import ready_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError
from cgstore.export.stage import ExportStage
from cgstore.loaders.graphs.reader import reading
from cgstore.model import Source, SourceState, TimeKey
from cgstore.progress import Bar, bar
from cgstore.source_kinds import kind_named
from cgstore.text.names import SEPARATOR, owned_key, shared_key

if TYPE_CHECKING:
    from neo4j import Transaction

CHUNK = 5_000
"""Rows handed to SQLite at a time."""

HEADS = 200
"""Heads whose times are asked for at a time."""

_FIND = "MATCH (s:CgSource {name: $source}) RETURN elementId(s) AS id, properties(s) AS source"

_OWNED = """
MATCH (o:CgRelation) USING INDEX o:CgRelation(source) WHERE o.source = $source AND o.iri IS NOT NULL
RETURN o.name AS name, o.iri AS iri
UNION
MATCH (o:CgKey) USING INDEX o:CgKey(source) WHERE o.source = $source AND o.iri IS NOT NULL
RETURN o.name AS name, o.iri AS iri
"""

_HEADS = """
MATCH (r:CgRelation)<-[has:CG_HAS]-(h) USING INDEX r:CgRelation(source) WHERE r.source = $source AND has.iri IS NOT NULL
RETURN h.name, has.iri
"""

_FACTS = """
MATCH (r:CgRelation)-[f:CG_VALUE]->(t) USING INDEX r:CgRelation(source)
WHERE r.source = $source AND size(f.condition) = 1
RETURN r.name, f.condition[0], t.name, f.iri, f.literal
"""

_ALIASES = "MATCH (a:CgAlias) WHERE a.key STARTS WITH $prefix RETURN '', a.alias, a.name, null AS iri, null AS literal"

_QUALIFIERS = """
MATCH (k:CgKey)-[s:CG_VALUE]->(v) USING INDEX k:CgKey(source)
WHERE k.source = $source AND ($without IS NULL OR k.name <> $without) AND size(s.condition) = 3
RETURN k.name, s.condition, v.name, s.iri, s.literal
"""

_SEVERAL_PERIODS = """
SELECT DISTINCT head FROM qualifier GROUP BY head, relation, tail HAVING count(*) > 2 ORDER BY head
"""

_TIMES = """
UNWIND $heads AS head
MATCH (k)-[s:CG_VALUE {node1: $time, head: head}]->(v) USING INDEX SEEK s:CG_VALUE(node1, head)
WHERE size(s.condition) = 3
RETURN k.name, s.condition, collect(v.name)
"""


class Chosen(NamedTuple):
    """A source that is ready: what it is, how the graph calls it, and its node there."""

    source: Source
    stored: str
    node: str
    loaded: Any


def choose(db: Database, name: str) -> Chosen:
    """The version of a source, also of aliases, that is ready.

    Raises:
        BadInput: there is no such source, or it is not ready.
    """
    (stored,) = ready_sources(db, [name], aliases=True)
    return _found(db, stored) or _gone(name)


def check_unchanged(db: Database, chosen: Chosen) -> None:
    """Raises BadInput unless the source is still there as it was chosen, so that what was read is all of it."""
    if _found(db, chosen.stored) != chosen:
        _gone(chosen.source.name)


def _found(db: Database, stored: str) -> Chosen | None:
    for row in db.read(_FIND, {"source": stored}):
        source = as_source(row["source"])
        if source.state is SourceState.READY:
            return Chosen(source, stored, row["id"], row["source"].get("loaded"))
    return None


def _gone(name: str) -> Chosen:
    raise BadInput(f"Source '{name}' was dropped or replaced while it was read.", "Give the command again.")


def read_source(db: Database, chosen: Chosen, stage: ExportStage, *, iris: bool, progress: bool = False) -> None:
    """Reads all facts of a source with their qualifiers.

    Of a temporal source the times between start and end are read only where a fact has several periods, and their names
    stand in one value, with spaces between. Aliases are taken as facts of an empty relation.

    Args:
        db: the database.
        chosen: the source.
        stage: takes what is read.
        iris: whether those of heads, relations and keys are wanted.
        progress: whether to show a bar on standard error.

    Raises:
        BadInput: the source was dropped or replaced meanwhile.
        CgstoreError: the source is not complete.
        NoDatabase: the connection was lost.
    """
    if not kind_named(chosen.source.kind).has_facts:
        _read_aliases(db, chosen, stage, progress)
        return
    temporal = kind_named(chosen.source.kind).has_times
    about = {"source": chosen.stored, "without": TimeKey.TIME.value if temporal else None}
    total = None if temporal else chosen.source.value
    with (
        reading(db) as tx,
        bar("read", "triples", total, show=progress) as shown,
    ):
        if iris:
            stage.iris = dict(tx.run(_OWNED, about).values())
            _take(tx, _HEADS, about, stage.add_heads)
        _take(tx, _FACTS, about, stage.add_facts, shown)
        _take(tx, _QUALIFIERS, about, stage.add_qualifiers, shown)
        if temporal:
            _read_times(tx, chosen, stage, shown)
    check_unchanged(db, chosen)
    _check_complete(chosen.source, stage)


def _read_aliases(db: Database, chosen: Chosen, stage: ExportStage, progress: bool) -> None:
    about, total = {"prefix": chosen.stored + SEPARATOR}, chosen.source.facts
    with (
        reading(db) as tx,
        bar("read", "aliases", total, show=progress) as shown,
    ):
        _take(tx, _ALIASES, about, stage.add_facts, shown)
    check_unchanged(db, chosen)
    if stage.fact_count != total:
        raise _incomplete(chosen.source, f"{stage.fact_count:,} of its {total:,} aliases")


def _take(
    tx: Transaction,
    statement: str,
    parameters: dict[str, Any],
    add: Callable[[list[list[Any]]], None],
    shown: Bar | None = None,
) -> None:
    for rows in _chunks((record.values() for record in tx.run(statement, parameters)), CHUNK):
        add(rows)
        if shown is not None:
            shown.update(len(rows))


def _chunks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    waiting = iter(items)
    while chunk := list(islice(waiting, size)):
        yield chunk


def _read_times(tx: Transaction, chosen: Chosen, stage: ExportStage, shown: Bar) -> None:
    heads = [head for (head,) in stage.sql.execute(_SEVERAL_PERIODS)]
    time = owned_key(chosen.stored, TimeKey.TIME.value)

    def add(rows: list[list[Any]]) -> None:
        stage.add_qualifiers([[key, condition, " ".join(times), None, None] for key, condition, times in rows])

    for some in _chunks(map(shared_key, heads), HEADS):
        _take(tx, _TIMES, {"heads": some, "time": time}, add, shown)


def _check_complete(source: Source, stage: ExportStage) -> None:
    if kind_named(source.kind).has_times:  # its facts are not those of the graph, and its times were not all read
        return
    read, there = stage.fact_count + stage.qualifier_count, source.value
    if (stage.fact_count, read) != (source.facts, there):
        raise _incomplete(source, f"{read:,} of its {there:,} triples with a condition")


def _incomplete(source: Source, found: str) -> CgstoreError:
    return CgstoreError(
        f"Source '{source.name}' is not complete: {found} were found.",
        f"Something else deleted them; drop it and load it again: `cgstore drop {source.name}`.",
    )
