"""What a backend may know of the graph: names in a question, relations, and who has which (read-only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import closest_names, entity_candidates, relation_candidates
from cgstore.mapping.mentions import Mention, find_mentions
from cgstore.model import ROW_NUMBER
from cgstore.source_kinds import TKG, kind_named
from cgstore.text.kinds import ValueKind
from cgstore.text.names import owned_key, shared_key, source_name

MAX_CLOSEST = 5
"""Most names offered for one that is unknown."""

MAX_OUTLINES = 500
"""Most sources of which a backend sees the relations by source."""

SAMPLE = 3
"""Rows of a table that a backend may see."""

LONGEST_CELL = 200
"""Characters of a cell that a backend sees."""

_RELATIONS = """
MATCH (r:CgRelation) WHERE r.source IN $sources RETURN DISTINCT r.name AS name ORDER BY name
"""

_KINDS = "MATCH (s:CgSource) WHERE s.name IN $sources RETURN DISTINCT s.kind AS kind ORDER BY kind"

_SOURCES = """
UNWIND $sources AS source
MATCH (s:CgSource {name: source})
RETURN s.name AS name, s.kind AS kind, s.step AS step, coalesce(s.columns, []) AS columns
"""

_OWNED = """
UNWIND $sources AS source
MATCH (n:CgRelation {source: source})
RETURN source, n.name AS name, n.kind AS kind, false AS is_key ORDER BY source, name
UNION ALL
UNWIND $sources AS source
MATCH (n:CgKey {source: source})
RETURN source, n.name AS name, null AS kind, true AS is_key ORDER BY source, name
"""

# The rows are numbered: the last entry of the index says how many there are.
_ROWS = """
UNWIND $keys AS key
CALL (key) {
  MATCH ()-[v:CG_VALUE]->() USING INDEX SEEK v:CG_VALUE(node1, num)
  WHERE v.node1 = key AND v.num >= 0
  RETURN v.num AS number ORDER BY v.node1 DESC, v.num DESC LIMIT 1
}
RETURN key, number
"""

_CELLS = """
UNWIND $tables AS table
UNWIND table.columns AS column
UNWIND table.lines AS line
MATCH ()-[v:CG_VALUE {node1: column, head: line}]->(cell) USING INDEX SEEK v:CG_VALUE(node1, head)
RETURN column, line, collect(left(cell.name, $longest)) AS cells
"""

_RELATIONS_AS_HEAD = """
MATCH (n:CgNode {key: $key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
RETURN DISTINCT r.name AS name ORDER BY name
"""

# One index seek a relation instead of expanding the node: a year or a country may have a hundred thousand.
_RELATIONS_AS_TAIL = """
MATCH (r:CgRelation) WHERE r.source IN $sources
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: $key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  RETURN v LIMIT 1
}
RETURN DISTINCT r.name AS name ORDER BY name
"""


class Neighbourhood(NamedTuple):
    """The names of the relations of which an entity is a head, and of which it is a tail."""

    head: tuple[str, ...]
    tail: tuple[str, ...]


class Relation(NamedTuple):
    """A relation's name, and what its values are read as (see `cgstore.text.kinds`); empty: texts."""

    name: str
    kind: str = ""


@dataclass(frozen=True)
class Outline:
    """What a source looks like, without its facts.

    `relations` are sorted, of a table its columns in their order, row numbers left out; `keys` are qualifiers of facts,
    the built-in times left out; `step` is that of times (year, month or day), of temporal sources; `rows` counts those
    of a table.
    """

    name: str
    kind: str
    relations: tuple[Relation, ...] = ()
    keys: tuple[str, ...] = ()
    step: str = ""
    rows: int = 0


Cells = tuple[str, ...]
"""A table's row, a text for each of its columns."""


class GraphView:
    """The part of the graph that the given sources make, seen by a backend; remembers what it looked up."""

    def __init__(self, db: Database, sources: Sequence[str]) -> None:
        self._db = db
        self.sources = tuple(sources)
        self._relations: list[str] | None = None
        self._kinds: tuple[str, ...] | None = None
        self._neighbourhoods: dict[str, Neighbourhood] = {}
        self._outlines: list[Outline] | None = None
        self._samples: dict[str, tuple[Cells, ...]] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the sources (`tkg`, `kg`, ...), each once."""
        if self._kinds is None:
            self._kinds = tuple(self._names(_KINDS, "kind"))
        return self._kinds

    def mentions(self, question: str) -> list[Mention]:
        """See `cgstore.mapping.mentions.find_mentions`."""
        return find_mentions(self._db, question, self.sources)

    def relations(self) -> list[str]:
        """The names of the sources' relations, sorted, each once."""
        if self._relations is None:
            self._relations = self._names(_RELATIONS)
        return self._relations

    def relations_of(self, entity_key: str) -> Neighbourhood:
        """The relations of which the entity with that key is a head, and a tail."""
        if entity_key not in self._neighbourhoods:
            head = self._names(_RELATIONS_AS_HEAD, key=entity_key)
            tail = self._names(_RELATIONS_AS_TAIL, key=entity_key)
            self._neighbourhoods[entity_key] = Neighbourhood(tuple(head), tuple(tail))
        return self._neighbourhoods[entity_key]

    def outlines(self) -> list[Outline]:
        """The sources in the order asked, the first `MAX_OUTLINES` of them."""
        if self._outlines is None:
            self._outlines = self._read_outlines(self.sources[:MAX_OUTLINES])
        return self._outlines

    def samples(self, tables: Sequence[str]) -> dict[str, tuple[Cells, ...]]:
        """The first `SAMPLE` rows of each table, by its name in `outlines`: a text a column, cut to `LONGEST_CELL`.

        Cells of columns with one name stand together, with ` / ` between.
        """
        missing = [table for table in tables if table not in self._samples]
        if missing:
            self._samples |= self._read_samples(missing)
        return {table: self._samples[table] for table in tables}

    def _read_outlines(self, sources: Sequence[str]) -> list[Outline]:
        about = {row["name"]: row for row in self._db.read(_SOURCES, {"sources": list(sources)})}
        owned: dict[str, list[dict[str, Any]]] = {source: [] for source in about}
        for row in self._db.read(_OWNED, {"sources": list(about)}):
            owned[row["source"]].append(row)
        numbers = {
            owned_key(source, ROW_NUMBER): source for source in about if kind_named(about[source]["kind"]).has_rows
        }
        counted = self._db.read(_ROWS, {"keys": list(numbers)}) if numbers else []
        rows = {numbers[row["key"]]: int(row["number"] or 0) for row in counted}
        return [_outline(about[source], owned[source], rows.get(source, 0)) for source in sources if source in about]

    def _read_samples(self, names: Sequence[str]) -> dict[str, tuple[Cells, ...]]:
        stored = {source_name(source): source for source in self.sources}
        tables = {
            outline.name: {
                "columns": [owned_key(stored[outline.name], relation.name) for relation in outline.relations],
                "lines": [owned_key(stored[outline.name], f"[line_{n + 1}]") for n in range(min(SAMPLE, outline.rows))],
            }
            for outline in self.outlines()
            if outline.name in names
        }
        rows = self._db.read(_CELLS, {"tables": list(tables.values()), "longest": LONGEST_CELL})
        cells = {(row["column"], row["line"]): " / ".join(sorted(row["cells"])) for row in rows}
        return {
            name: tuple(tuple(cells.get((column, line), "") for column in table["columns"]) for line in table["lines"])
            for name, table in tables.items()
        }

    def closest(self, text: str) -> list[str]:
        """Names of the sources' entities that are spelt like an unknown one, the most alike first, at most 5."""
        return list(closest_names(self._db, text, self.sources, MAX_CLOSEST))

    def names_like(self, text: str) -> Alike:
        """See `cgstore.llm.graph_view.names_like`."""
        return names_like(self._db, self.sources, text)

    def links_of(self, name: str) -> list[Link]:
        """See `cgstore.llm.graph_view.links_of`."""
        return links_of(self._db, self.sources, name)

    def _names(self, statement: str, column: str = "name", **parameters: str) -> list[str]:
        rows = self._db.read(statement, {"sources": list(self.sources), **parameters})
        return [row[column] for row in rows]


def _outline(source: dict[str, Any], owned: Sequence[dict[str, Any]], rows: int) -> Outline:
    """An outline from a row of `_SOURCES`, and those of `_OWNED` for it."""
    kinds = {row["name"]: row["kind"] for row in owned if not row["is_key"]}
    kind = kind_named(source["kind"])
    names = (
        [name for name in dict.fromkeys([*source["columns"], *kinds]) if name in kinds]
        if kind.has_rows
        else list(kinds)
    )
    relations = (Relation(name, _of_kind(kinds[name])) for name in names if name not in kind.own_relations)
    times = TKG.own_keys if source["step"] else frozenset()
    keys = (row["name"] for row in owned if row["is_key"] and row["name"] not in times)
    return Outline(
        source_name(source["name"]), source["kind"], tuple(relations), tuple(keys), source["step"] or "", rows
    )


def _of_kind(kind: str | None) -> str:
    return "" if kind in (None, ValueKind.TEXT) else str(kind)


TOP = 8
"""Names shown for one text, of entities and of relations each."""

MAX_RELATIONS = 60
"""Relations shown of one entity, as head and as tail each."""

EXAMPLES = 3
"""Other ends shown of one relation."""

_RELATION_NODES = "MATCH (r:CgRelation) WHERE r.source IN $sources RETURN r.key AS key, r.name AS name ORDER BY name"

_AS_HEAD = """
MATCH (n:CgNode {key: $key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
WITH DISTINCT r ORDER BY r.name LIMIT $relations
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, head: $key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
  WITH t ORDER BY t.key LIMIT $more
  RETURN collect(DISTINCT t.name) AS names
}
WITH r, names WHERE size(names) > 0
RETURN r.name AS relation, names
"""

# One index seek a relation instead of expanding the node: a year or a country may have a hundred thousand.
_AS_TAIL = """
MATCH (r:CgRelation) WHERE r.source IN $sources
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: $key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  WITH v LIMIT $more
  MATCH (h:CgNode {key: v.head}) USING INDEX SEEK h:CgNode(key)
  RETURN collect(DISTINCT h.name) AS names
}
WITH r, names WHERE size(names) > 0
RETURN r.name AS relation, names ORDER BY relation LIMIT $relations
"""


@dataclass(frozen=True)
class Link:
    """A relation of an entity, with some of the other ends; `more`: there are others.

    `as_head`: the entity is the head of these facts, and the names are tails; else it is the tail.
    """

    relation: str
    as_head: bool
    names: tuple[str, ...]
    more: bool


@dataclass(frozen=True)
class Alike:
    """Names in the graph that are like a text, the nearest first; `others` are entities with another number in them."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    others: tuple[str, ...] = ()


def names_like(db: Database, sources: Sequence[str], text: str) -> Alike:
    """The entities and values, and the relations, that a text may mean, by spelling."""
    entities = entity_candidates(db, [text], sources, top=TOP)[0]
    nodes = db.read(_RELATION_NODES, {"sources": list(sources)})
    relations = relation_candidates(text, nodes, top=TOP)
    return Alike(
        tuple(dict.fromkeys(candidate.name for candidate in entities if not candidate.another)),
        tuple(dict.fromkeys(candidate.name for candidate in relations if not candidate.another)),
        tuple(dict.fromkeys(candidate.name for candidate in entities if candidate.another)),
    )


def links_of(db: Database, sources: Sequence[str], name: str) -> list[Link]:
    """How the entity of that exact name is linked; empty where there is none."""
    given = {"key": shared_key(name), "sources": list(sources), "relations": MAX_RELATIONS, "more": EXAMPLES + 1}
    rows = [(row, as_head) for as_head in (True, False) for row in db.read(_AS_HEAD if as_head else _AS_TAIL, given)]
    return [
        Link(row["relation"], as_head, tuple(row["names"][:EXAMPLES]), len(row["names"]) > EXAMPLES)
        for row, as_head in rows
    ]
