"""The condition graph of sources as members of a dump: their nodes and triples, exactly as the graph has them.

A dump is a zip file. Its manifest lists the sources with their records; each source has a file of nodes and one of
triples, a JSON array a line (`cgstore.loaders.restore` reads them). Vectors are not dumped: `cgstore embed` makes them.

Stretches of times are dumped as such. The `graph_format` of such a dump is the one of their sources, so that an older
version of cgstore refuses it; any other dump stays as older versions read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from cgstore.catalog.kinds import kind_named
from cgstore.cypher.connection import Database
from cgstore.errors import CgstoreError
from cgstore.export.export import whole_file
from cgstore.export.read import Chosen, check_unchanged, choose, take
from cgstore.loaders.graph import reading
from cgstore.loaders.restore import ALIASES_FILE, DEMONSTRATIONS, MANIFEST, NODES, TRIPLES, VERSION, member
from cgstore.loaders.staging import Stage
from cgstore.model import FORMAT, Role, TimeKey, format_of
from cgstore.observe.progress import bar
from cgstore.text.names import SEPARATOR

_TABLES = """
CREATE TABLE has (node1 INTEGER, node2 INTEGER, iri TEXT);
CREATE TABLE value (node1 INTEGER, condition TEXT, node2 INTEGER, num REAL, iri TEXT, literal TEXT, ends TEXT);
CREATE TABLE period (node1 INTEGER, condition TEXT, node2 INTEGER, first INTEGER, last INTEGER);
CREATE TABLE about (id INTEGER PRIMARY KEY, kind TEXT, iri TEXT);
"""

_ALIASES = "MATCH (a:CgAlias) WHERE a.key STARTS WITH $prefix RETURN a.alias, a.name"

_OWNED = """
MATCH (o:CgRelation) USING INDEX o:CgRelation(source) WHERE o.source = $source
RETURN o.name, labels(o), o.kind, o.iri, o.role
UNION
MATCH (o:CgKey) USING INDEX o:CgKey(source) WHERE o.source = $source
RETURN o.name, labels(o), o.kind, o.iri, o.role
"""

_HAS = """
MATCH (o:CgRelation)<-[r:CG_HAS]-(x) USING INDEX o:CgRelation(source) WHERE o.source = $source
RETURN x.name, labels(x), o.name, r.iri
"""

# A relation that is a key too is read as a relation.
_VALUE = {
    Role.RELATION: """
MATCH (o:CgRelation)-[r:CG_VALUE]->(x) USING INDEX o:CgRelation(source) WHERE o.source = $source
RETURN o.name, r.condition, x.name, labels(x), r.num, r.iri, r.literal, r.ends
""",
    Role.KEY: """
MATCH (o:CgKey)-[r:CG_VALUE]->(x) USING INDEX o:CgKey(source) WHERE o.source = $source AND NOT o:CgRelation
RETURN o.name, r.condition, x.name, labels(x), r.num, r.iri, r.literal, r.ends
""",
}

_PERIODS = """
MATCH (o:CgKey)-[p:CG_PERIOD]->(x) USING INDEX o:CgKey(source) WHERE o.source = $source
RETURN p.condition, x.name, labels(x), p.first, p.last
"""

_COUNT = "SELECT (SELECT count(*) FROM has) + (SELECT count(*) FROM value) + (SELECT count(*) FROM period)"


def dump_sources(
    db: Database, names: Sequence[str], demonstrations: Iterable[dict[str, Any]], file: Path, *, progress: bool = False
) -> list[Chosen]:
    """Writes sources and demonstrations to a file, which gets its name when it is whole; returns the sources."""
    chosen = [choose(db, name) for name in names]
    with whole_file(file) as raw, ZipFile(raw, "w", ZIP_DEFLATED) as archive:
        listed = [_record(each) for each in chosen]
        sources = [each.source for each in chosen]
        graph_format = max((format_of(each.stored, each.parallel) for each in sources), default=FORMAT)
        for number, each in enumerate(chosen):
            if kind_named(each.source.kind).has_facts:
                listed[number] |= _dump_facts(db, each, archive, number, progress)
            else:
                with reading(db) as tx:
                    rows = tx.run(_ALIASES, {"prefix": each.stored + SEPARATOR}).values()
                _write(archive, member(number, ALIASES_FILE), sorted(rows))
            check_unchanged(db, each)
        _write(archive, DEMONSTRATIONS, demonstrations)
        manifest = {"format": "cgstore dump", "version": VERSION, "graph_format": graph_format, "sources": listed}
        archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
    return chosen


def _record(chosen: Chosen) -> dict[str, Any]:
    """What the manifest says of a source: what its load knew before it wrote."""
    source = chosen.source
    fields = ("name", "kind", "fingerprint", "step", "facts", "nodes", "has", "value")
    columns = list(source.columns) if kind_named(source.kind).has_rows else None
    fields_if_any = ("stored", "parallel", "now", "ends", "coarse")
    more = {field: value for field in fields_if_any if (value := getattr(source, field)) is not None}
    return {**{field: getattr(source, field) for field in fields}, "columns": columns, **more}


def _dump_facts(db: Database, chosen: Chosen, archive: ZipFile, number: int, progress: bool) -> dict[str, Any]:
    """Reads a source into a temporary file, and writes it in a fixed order.

    Returns:
        What the record has of it: how many nodes it has, and the roles of relations. (That of a source that was changed
        also counts the nodes that only its history has.)
    """
    source, about, total = chosen.source, {"source": chosen.stored}, chosen.source.relationships
    said: dict[str, str] = {}
    with Stage(source.name) as stage, bar(f"dump {source.name}", "triples", total, show=progress) as shown:
        stage.sql.executescript(_TABLES)
        with reading(db) as tx:
            for name, labels, kind, iri, role in tx.run(_OWNED, about).values():
                node = _node(stage, name, labels)
                said |= {name: role} if role else {}
                stage.sql.execute("INSERT OR REPLACE INTO about VALUES (?, ?, ?)", (node, kind, iri))
            take(stage, "INSERT INTO has VALUES (?, ?, ?)", _has_rows(stage, tx.run(_HAS, about)), shown)
            for role, statement in _VALUE.items():
                rows = _value_rows(stage, role, tx.run(statement, about))
                take(stage, "INSERT INTO value VALUES (?, ?, ?, ?, ?, ?, ?)", rows, shown)
            periods = _period_rows(stage, tx.run(_PERIODS, about))
            take(stage, "INSERT INTO period VALUES (?, ?, ?, ?, ?)", periods, shown)
        count = stage.single(_COUNT)
        if count != total or (stage.node_count != source.nodes and not source.change):
            raise CgstoreError(
                f"Source '{source.name}' is not complete: {count:,} of its {total:,} relationships were found, and "
                f"{stage.node_count:,} of its {source.nodes:,} nodes.",
                f"Something else deleted them; drop it and load it again: `cgstore drop {source.name}`.",
            )
        _write(archive, member(number, NODES), _node_lines(stage))
        _write(archive, member(number, TRIPLES), _triple_lines(stage))
        return {"nodes": stage.node_count, "roles": dict(sorted(said.items()))}


def _node(stage: Stage, name: str, labels: Sequence[str]) -> int:
    """The number of a node with all its roles."""
    (number,) = {stage.node(name, role) for role in Role if role.value in labels}
    return number


def _has_rows(stage: Stage, rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    for head, labels, relation, iri in rows:
        yield _node(stage, head, labels), stage.node(relation, Role.RELATION), iri


def _value_rows(stage: Stage, role: Role, rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    for name, condition, value, labels, num, iri, *lists in rows:
        written = [None if each is None else json.dumps(each, ensure_ascii=False) for each in lists]
        among = json.dumps(condition, ensure_ascii=False)
        yield stage.node(name, role), among, _node(stage, value, labels), num, iri, *written


def _period_rows(stage: Stage, rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    for condition, name, labels, first, last in rows:
        among = json.dumps(condition, ensure_ascii=False)
        yield stage.node(TimeKey.TIME.value, Role.KEY), among, _node(stage, name, labels), first, last


def _node_lines(stage: Stage) -> Iterator[list[Any]]:
    """A line for each node, by number: its name, its roles, the kind and the IRI of a relation or key."""
    kinds = {row[0]: row[1:] for row in stage.sql.execute("SELECT id, kind, iri FROM about")}
    roles = list(Role)
    for number, name, bits in stage.sql.execute("SELECT id, coalesce(name, key), roles FROM node ORDER BY id"):
        kind, iri = kinds.get(number, (None, None))
        yield [name, [place for place in range(len(roles)) if bits >> place & 1], kind, iri]


def _triple_lines(stage: Stage) -> Iterator[list[Any]]:
    """A line for each node1 and condition: these, the numbers of node2, and what belongs to each; last its IRI.

    A line of periods has their first and last times in the place of what belongs to the first ones, and no IRI.
    """
    for node1, iri, node2 in stage.sql.execute("SELECT node1, iri, node2 FROM has ORDER BY node1, node2"):
        yield [node1, [], [node2], None, iri]
    rows = stage.sql.execute("SELECT * FROM value ORDER BY node1, condition, node2, iri, literal")
    for (node1, condition), some in groupby(rows, key=itemgetter(0, 1)):
        each = list(some)
        yield [node1, json.loads(condition), [row[2] for row in each], [_annotation(*row[3:]) for row in each], None]
    rows = stage.sql.execute("SELECT * FROM period ORDER BY node1, condition, first")
    for (node1, condition), some in groupby(rows, key=itemgetter(0, 1)):
        each = list(some)
        yield [node1, json.loads(condition), [row[2] for row in each], [list(row[3:]) for row in each]]


def _annotation(num: float | None, iri: str | None, literal: str | None, ends: str | None) -> list[Any]:
    """What belongs to a node2; the ends of a start only where it has some."""
    said = [num, iri, None if literal is None else json.loads(literal)]
    return said if ends is None else [*said, json.loads(ends)]


def _write(archive: ZipFile, name: str, lines: Iterable[Any]) -> None:
    file: IO[bytes]
    with archive.open(name, "w", force_zip64=True) as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
