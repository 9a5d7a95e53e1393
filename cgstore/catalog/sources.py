"""The sources of the graph: listing them, choosing those to answer from, and dropping one without harm to the others.

A drop runs in many small transactions. It first marks the source `dropping`: the source is no longer answered from, and
a drop that was cut short goes on when the command is given again. The source's relationships all touch a node that it
owns (a relation, a key, a line), and are found from there, not by a scan; aliases are found by their keys.

Shared nodes are removed with their last relationship, unless a load is at work, which may be about to link them (see
`cgstore.catalog.registry`). Then they are left, and the next drop or load that ends while no source is loading removes
them. The same holds for nodes that a drop or a load that was cut short left without relationships.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cgstore.catalog.kinds import ALIASES, kind_named
from cgstore.catalog.registry import BUSY, LOCK, as_source, find_free, versions
from cgstore.cypher.connection import Database, insist
from cgstore.cypher.freshness import CHANGING, STATE_OF, raise_version
from cgstore.cypher.indexes import check_layout
from cgstore.errors import LOAD_FIRST, BadInput, NoSource, setting
from cgstore.model import FORMATS_OF_OLD_TIMES, Role, Source, SourceState, is_readable
from cgstore.observe.progress import bar
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import SEPARATOR, VERSION, is_unicode, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

BATCH = 5_000
"""Relationships, or nodes, removed in one transaction."""

PAGE = 1_000
"""Owned nodes taken up at a time."""

_LIST = "MATCH (s:CgSource) RETURN properties(s) AS source ORDER BY s.name"

_MARK = """
MATCH (s:CgSource {name: $name})
WITH s, s.state <> 'ready' AS broken
OPTIONAL MATCH (l:CgLane {source: $name})
DETACH DELETE l
WITH DISTINCT s, broken
SET s.state = 'dropping', s.owner = null
FOREACH (_ IN CASE WHEN broken THEN [1] ELSE [] END | MERGE (m:CgMeta {name: 'cgstore'}) SET m.unused = true)
RETURN properties(s) AS source
"""

# An owned key begins with its source and a separator; a shared key of a long name may begin like that too, but its
# node has no source.
_OWNED = """
MATCH (o:CgNode) WHERE o.key STARTS WITH $prefix AND o.source = $name
RETURN elementId(o) AS id LIMIT $limit
"""

_DELETE_RELATIONSHIPS = """
UNWIND $ids AS id
MATCH (o) WHERE elementId(o) = id
MATCH (o)-[r:CG_HAS|CG_VALUE|CG_PERIOD|CG_WAS_HAS|CG_WAS_VALUE|CG_WAS_PERIOD]-(other)
WITH r, other LIMIT $limit
DELETE r
WITH DISTINCT other WHERE other.source IS NULL
RETURN collect(elementId(other)) AS touched
"""

# A node that users have linked to their own nodes stays, without the labels that make it cgstore's.
_DELETE_OR_LEAVE = f"""
WITH n, EXISTS {{ (n)--() }} AS linked
FOREACH (_ IN CASE WHEN linked THEN [1] ELSE [] END | REMOVE n:CgNode:{":".join(role.value for role in Role)})
WITH n, linked WHERE NOT linked
DELETE n
"""

_DELETE_UNUSED = f"""
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
  AND NOT EXISTS {{ (n)-[:CG_HAS|CG_VALUE|CG_PERIOD|CG_WAS_HAS|CG_WAS_VALUE|CG_WAS_PERIOD]-() }}
{_DELETE_OR_LEAVE}"""

_DELETE_ALIASES = "MATCH (a:CgAlias) WHERE a.key STARTS WITH $prefix WITH a LIMIT $limit DELETE a"

_DELETE_OWNED = f"""
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
{_DELETE_OR_LEAVE}"""

_COUNT = """
MATCH (s:CgSource {name: $name})
SET s.removed_relationships = coalesce(s.removed_relationships, 0) + $relationships,
    s.removed_nodes = coalesce(s.removed_nodes, 0) + $nodes
"""

_LEAVE = "MATCH (m:CgMeta {name: 'cgstore'}) SET m.unused = true"

_LEFT = "MATCH (m:CgMeta {name: 'cgstore', unused: true}) RETURN count(m) AS left"

_SWEEP = """
MATCH (n:CgNode) WHERE n.source IS NULL AND NOT EXISTS { (n)--() }
WITH n LIMIT $limit
DELETE n
"""

_SWEPT = "MATCH (m:CgMeta {name: 'cgstore'}) REMOVE m.unused"

_REMOVE_SOURCE = """
MATCH (s:CgSource {name: $name})
OPTIONAL MATCH (c:CgChange {source: $name})
DETACH DELETE c
WITH DISTINCT s
OPTIONAL MATCH (m:CgMeta {name: $mark})
DELETE m
WITH s
WITH s, s.nodes AS nodes, s.removed_nodes AS removed, s.removed_relationships AS relationships
DELETE s
RETURN nodes, coalesce(removed, 0) AS removed, coalesce(relationships, 0) AS relationships
"""


@dataclass(frozen=True)
class DropReport:
    """What a drop did: relationships and nodes removed, and `kept`, the shared nodes that other sources need.

    The counts include what an earlier drop of the same source removed before it was cut short, but may miss its last
    batch. For a source whose load was cut short, `kept` is an upper bound.
    """

    source: str
    relationships: int
    nodes: int
    kept: int
    seconds: float


def list_sources(db: Database) -> list[Source]:
    """All sources by name, also those that are loading or dropping.

    Raises:
        BadInput: another version of cgstore has written this graph.
    """
    check_layout(db)
    return [as_source(row["source"]) for row in db.read(_LIST)]


def drop_source(db: Database, name: str, progress: bool = False) -> DropReport:
    """Removes a source in all its versions: relationships, owned nodes, and shared nodes that no other source needs.

    Raises:
        BadInput: there is no such source.
        NoDatabase: the database went away for good; the same call goes on where it stopped.
    """
    began = time.monotonic()
    stored = [version["name"] for version in insist(db, lambda tx: versions(tx, [name]))]
    if not stored:
        raise _no_source(db, name)
    reports = [drop_version(db, version, progress) for version in stored]
    return DropReport(
        source=name,
        relationships=sum(report.relationships for report in reports),
        nodes=sum(report.nodes for report in reports),
        kept=sum(report.kept for report in reports),
        seconds=round(time.monotonic() - began, 3),
    )


def finish_drops(db: Database, names: Iterable[str], progress: bool = False) -> None:
    """Drops the versions of some sources that newer versions have replaced."""
    there = insist(db, lambda tx: versions(tx, names))
    ready = {source_name(version["name"]) for version in there if version["state"] == SourceState.READY}
    for version in there:
        if version["state"] == SourceState.DROPPING and source_name(version["name"]) in ready:
            drop_version(db, version["name"], progress)


def drop_version(db: Database, stored: str, progress: bool = False, leftover: bool = False) -> DropReport:
    """Removes one version, by its stored name; does nothing if there is no such version.

    A `leftover` is what a load or a drop that was cut short has left of it.

    Raises:
        BadInput: it should be a leftover, and a process that may be alive is loading it.
    """
    began = time.monotonic()
    triples = _marked(db, stored, leftover)
    name = source_name(stored)
    with bar(f"drop {name}", "triples", triples, show=progress) as shown:
        while ids := _owned(db, stored):
            while (removed := insist(db, partial(_delete_relationships, ids)))[0]:
                insist(db, partial(_delete_unused, stored, *removed))
                shown.update(removed[0])
            insist(db, partial(_delete_owned, stored, ids))
        while aliases := insist(db, partial(_delete_aliases, stored)):
            shown.update(aliases)
    swept = sweep(db)
    row = insist(db, lambda tx: _remove(tx, stored))
    nodes = row["removed"] + swept
    return DropReport(
        source=name,
        relationships=row["relationships"],
        nodes=nodes,
        kept=max(0, row["nodes"] - nodes),
        seconds=round(time.monotonic() - began, 3),
    )


def _marked(db: Database, stored: str, leftover: bool) -> int:
    """Marks a version as being dropped; returns how many triples it has."""

    def mark(tx: ManagedTransaction) -> int:
        tx.run(LOCK).consume()
        if leftover:
            find_free(tx, stored)
        row = tx.run(_MARK, name=stored).single()
        return 0 if row is None else int(row["source"].get("triples", 0))

    triples = insist(db, mark)
    raise_version(db)
    return triples


def _owned(db: Database, name: str) -> list[str]:
    rows = db.read(_OWNED, {"prefix": name + SEPARATOR, "name": name, "limit": PAGE})
    return [row["id"] for row in rows]


def _delete_relationships(ids: list[str], tx: ManagedTransaction) -> tuple[int, list[str]]:
    """Deletes up to `BATCH` relationships of owned nodes; returns how many, and the shared nodes at their ends."""
    result = tx.run(_DELETE_RELATIONSHIPS, ids=ids, limit=BATCH)
    touched = result.single(strict=True)["touched"]
    return result.consume().counters.relationships_deleted, touched


def _delete_unused(name: str, relationships: int, touched: list[str], tx: ManagedTransaction) -> None:
    """Deletes shared nodes that have no relationships left, unless a load may be about to link them."""
    tx.run(_COUNT, name=name, relationships=relationships, nodes=remove_unlinked(tx, touched)).consume()


def remove_unlinked(tx: ManagedTransaction, ids: list[str]) -> int:
    """Like `_delete_unused`, but for the count of the drop; returns how many."""
    tx.run(LOCK).consume()
    if tx.run(BUSY).single(strict=True)["loading"]:
        tx.run(_LEAVE).consume()
        return 0
    return tx.run(_DELETE_UNUSED, ids=ids).consume().counters.nodes_deleted


def _delete_owned(name: str, ids: list[str], tx: ManagedTransaction) -> None:
    nodes = tx.run(_DELETE_OWNED, ids=ids).consume().counters.nodes_deleted
    tx.run(_COUNT, name=name, relationships=0, nodes=nodes).consume()


def _delete_aliases(name: str, tx: ManagedTransaction) -> int:
    """Deletes up to `BATCH` aliases; returns how many."""
    result = tx.run(_DELETE_ALIASES, prefix=name + SEPARATOR, limit=BATCH)
    if nodes := result.consume().counters.nodes_deleted:
        tx.run(_COUNT, name=name, relationships=0, nodes=nodes).consume()
    return nodes


def _remove(tx: ManagedTransaction, name: str) -> dict[str, int]:
    row = tx.run(_REMOVE_SOURCE, name=name, mark=CHANGING + name).single()
    return {"nodes": 0, "removed": 0, "relationships": 0} if row is None else dict(row)


def sweep(db: Database) -> int:
    """Removes shared nodes without relationships that were left while a source was loading; returns how many.

    Leaves them again while a source is loading.
    """
    removed = 0
    if not db.read(_LEFT)[0]["left"]:
        return removed
    while (count := insist(db, _sweep_some)) > 0:
        removed += count
    return removed


def _sweep_some(tx: ManagedTransaction) -> int:
    tx.run(LOCK).consume()
    if tx.run(BUSY).single(strict=True)["loading"]:
        return 0
    count = tx.run(_SWEEP, limit=BATCH).consume().counters.nodes_deleted
    if count < BATCH:
        tx.run(_SWEPT).consume()
    return count


# The sources asked: from the names that users know to the stored names


ASKED = f"""\
CALL () {{
  MATCH (s:CgSource) WHERE $asked IS NULL AND s.state = 'ready' AND s.kind <> '{ALIASES.name}'
  RETURN s.name AS name, s.state AS state, s.kind AS kind, s.format AS format,
    {STATE_OF} AS loaded, s.now AS now, s.ends AS ends, s.unsure AS unsure, s.coarse AS coarse
  UNION
  UNWIND coalesce($asked, []) AS name
  MATCH (s:CgSource) WHERE s.name = name OR s.name STARTS WITH name + $version
  RETURN s.name AS name, s.state AS state, s.kind AS kind, s.format AS format,
    {STATE_OF} AS loaded, s.now AS now, s.ends AS ends, s.unsure AS unsure, s.coarse AS coarse
}}
"""
"""One row for each source asked, given the `parameters_of` it: the (stored) `name`, `state`, `kind`, `format`, its
state since it was `loaded`, and of a temporal source `now` and `ends` (`model.Source`), `unsure` and `coarse`
(`registry.LoadRecord`); one of aliases only if it is named, which `choose_ready` refuses."""


def parameters_of(asked: Sequence[str] | None) -> dict[str, Any]:
    """The parameters of `ASKED`; None asks all sources that are ready."""
    for name in asked or ():
        if not is_unicode(name):
            raise BadInput("The name of a source is not valid Unicode.")
    return {"asked": None if asked is None else list(dict.fromkeys(asked)), "version": VERSION}


def ready_sources(db: Database, asked: Sequence[str] | None = None, *, aliases: bool = False) -> tuple[str, ...]:
    """The stored names of the sources to answer from, by one statement; see `choose_ready`."""
    rows = db.read(f"{ASKED}RETURN name, state, kind, format", parameters_of(asked))
    return choose_ready(db, rows, asked, aliases=aliases)


def choose_ready(
    db: Database, found: Iterable[dict[str, Any]], asked: Sequence[str] | None, *, aliases: bool = False
) -> tuple[str, ...]:
    """The stored names of the sources to answer from, given the rows of `ASKED`.

    Args:
        db: the database, for names that are similar to a missing one.
        found: the rows.
        asked: names of the sources; all that are ready, except those of aliases, when None.
        aliases: whether sources of aliases may be asked for: they can be read, but not answered from.

    Raises:
        BadInput: a source asked for is missing, not ready or of aliases, or nothing is loaded at all.
    """
    rows = sorted(found, key=lambda row: bool(row["state"] == SourceState.READY))  # of its versions, this one counts
    ready = {source_name(row["name"]): row["name"] for row in rows if row["state"] == SourceState.READY}
    states = {source_name(row["name"]): row["state"] for row in rows}
    kinds = {source_name(row["name"]): row["kind"] for row in rows}
    for name in asked or ():
        if name not in states:
            raise _no_source(db, name)
        if not aliases and not kind_named(kinds[name]).has_facts:
            raise BadInput(
                f"Source '{name}' holds aliases, which every question uses; it has no facts to answer from.",
                "Ask the sources that have the facts, or all of them.",
            )
        if name not in ready:
            raise BadInput(
                f"Source '{name}' is {states[name]}, and is not answered from before it is ready.",
                "`cgstore sources` shows its state; give its load command again to complete it.",
            )
    for row in rows:
        has_times = kind_named(row["kind"]).has_times
        if row["name"] in ready.values() and not is_readable(row["format"], has_times=has_times):
            is_old = has_times and row["format"] in FORMATS_OF_OLD_TIMES
            raise BadInput(
                f"Source '{source_name(row['name'])}' was loaded by another version of cgstore.",
                "Bring it up to date: cgstore upgrade"
                if is_old
                else f"Load it again, with {setting('replace', True)}.",
            )
    if not ready:
        check_layout(db)
        raise BadInput("Nothing is loaded.", LOAD_FIRST)
    return tuple(ready[name] for name in (dict.fromkeys(asked) if asked else sorted(ready)))


def _no_source(db: Database, name: str) -> NoSource:
    check_layout(db)
    rows = db.read("MATCH (s:CgSource) RETURN s.name AS name")
    names = sorted({source_name(row["name"]) for row in rows})
    there = f"There are: {', '.join(names[:20])}{' ...' * (len(names) > 20)}." if names else LOAD_FIRST
    hint = did_you_mean(name, names, there)
    return NoSource(f"There is no source '{name}'.", hint)
