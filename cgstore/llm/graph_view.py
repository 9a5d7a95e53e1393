"""What a backend sees of the graph: names in a question, relations, and how entities are linked (read-only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from cgstore.cypher.connection import Database
from cgstore.llm.look_ups import LookUps
from cgstore.mapping.candidates import closest_names, entity_candidates, relation_candidates
from cgstore.mapping.mentions import Mention, find_mentions
from cgstore.model import ROW_NUMBER
from cgstore.source_kinds import TKG, kind_named
from cgstore.text.kinds import ValueKind
from cgstore.text.names import owned_key, shared_key, source_name

MAX_CLOSEST = 5
"""Names offered for one that is unknown."""

MAX_OUTLINES = 500
"""Sources whose relations a backend sees source by source."""

SAMPLE = 3
"""Rows of a table that a backend sees."""

LONGEST_CELL = 200
"""Characters of a cell that a backend sees."""

MAX_ALIKE = 8
"""Entities, and relations, that are offered for one text."""

MAX_LINKED_RELATIONS = 60
"""Relations shown of one entity as head, and as tail."""

EXAMPLES = 3
"""Other ends shown of one relation."""

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

# Rows are numbered: the last entry of the index is their count.
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

# One index seek per relation, here and in _LINKS_AS_TAIL: a year or a country may have 100,000 relationships.
_RELATIONS_AS_TAIL = """
MATCH (r:CgRelation) WHERE r.source IN $sources
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: $key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  RETURN v LIMIT 1
}
RETURN DISTINCT r.name AS name ORDER BY name
"""

_RELATION_NODES = "MATCH (r:CgRelation) WHERE r.source IN $sources RETURN r.key AS key, r.name AS name ORDER BY name"

_LINKS_AS_HEAD = """
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

_LINKS_AS_TAIL = """
MATCH (r:CgRelation) WHERE r.source IN $sources
CALL (r) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: $key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  WITH v ORDER BY v.head LIMIT $more
  MATCH (h:CgNode {key: v.head}) USING INDEX SEEK h:CgNode(key)
  RETURN collect(DISTINCT h.name) AS names
}
WITH r, names WHERE size(names) > 0
RETURN r.name AS relation, names ORDER BY relation LIMIT $relations
"""


class Neighbourhood(NamedTuple):
    """The names of the relations that have an entity as head, and as tail."""

    head: tuple[str, ...]
    tail: tuple[str, ...]


class Relation(NamedTuple):
    """A relation's name, and the kind that its values are read as (see `cgstore.text.kinds`); empty: text."""

    name: str
    kind: str = ""


@dataclass(frozen=True)
class Outline:
    """A source without its facts.

    `relations` are sorted; those of a table are its columns in their order, without row numbers. `keys` are qualifiers
    of facts, without the built-in times. `step` is year, month or day for temporal sources; `rows` counts a table's.
    """

    name: str
    kind: str
    relations: tuple[Relation, ...] = ()
    keys: tuple[str, ...] = ()
    step: str = ""
    rows: int = 0


@dataclass(frozen=True)
class Link:
    """A relation of an entity with some of the other ends; `more`: there are others.

    `as_head`: the entity is the head of these facts and `names` are tails; otherwise the reverse.
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


Cells = tuple[str, ...]
"""A row of a table, one text per column."""


class GraphView:
    """The part of the graph that some sources make, as a backend sees it; remembers what it has read."""

    def __init__(self, db: Database, sources: Sequence[str]) -> None:
        self._db = db
        self.sources = tuple(sources)
        self._neighbourhoods: dict[str, Neighbourhood] = {}
        self._samples: dict[str, tuple[Cells, ...]] = {}

    @cached_property
    def look_ups(self) -> LookUps:
        """What the tools of an LLM that explores look up."""
        return LookUps(self._db, self.sources)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the sources (`tkg`, `kg`, ...), each once."""
        return self._column(_KINDS, "kind")

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The names of the sources' relations, sorted, each once."""
        return self._column(_RELATIONS)

    @cached_property
    def outlines(self) -> list[Outline]:
        """The first `MAX_OUTLINES` sources, in the order asked."""
        return self._read_outlines(self.sources[:MAX_OUTLINES])

    def mentions(self, question: str) -> list[Mention]:
        """The names and times in a question; see `cgstore.mapping.mentions.find_mentions`."""
        return find_mentions(self._db, question, self.sources)

    def relations_of(self, entity_key: str) -> Neighbourhood:
        """The relations that have the entity with this key as head, and as tail."""
        if entity_key not in self._neighbourhoods:
            head = self._column(_RELATIONS_AS_HEAD, key=entity_key)
            tail = self._column(_RELATIONS_AS_TAIL, key=entity_key)
            self._neighbourhoods[entity_key] = Neighbourhood(head, tail)
        return self._neighbourhoods[entity_key]

    def samples(self, tables: Sequence[str]) -> dict[str, tuple[Cells, ...]]:
        """The first `SAMPLE` rows of each table, by its name in `outlines`, with cells cut to `LONGEST_CELL`.

        The cells of columns of the same name are joined by ` / `.
        """
        missing = [table for table in tables if table not in self._samples]
        if missing:
            self._samples |= self._read_samples(missing)
        return {table: self._samples[table] for table in tables}

    def closest(self, text: str) -> list[str]:
        """The entities of the sources that are spelt most like an unknown name."""
        return list(closest_names(self._db, text, self.sources, MAX_CLOSEST))

    def names_like(self, text: str) -> Alike:
        """The entities and values, and the relations, that a text may mean, by spelling."""
        entities = entity_candidates(self._db, [text], self.sources, top=MAX_ALIKE)[0]
        nodes = self._db.read(_RELATION_NODES, {"sources": list(self.sources)})
        relations = relation_candidates(text, nodes, top=MAX_ALIKE)
        return Alike(
            tuple(dict.fromkeys(candidate.name for candidate in entities if not candidate.another)),
            tuple(dict.fromkeys(candidate.name for candidate in relations if not candidate.another)),
            tuple(dict.fromkeys(candidate.name for candidate in entities if candidate.another)),
        )

    def links_of(self, name: str) -> list[Link]:
        """How the entity of this exact name is linked, with examples; empty if there is none."""
        given = {
            "key": shared_key(name),
            "sources": list(self.sources),
            "relations": MAX_LINKED_RELATIONS,
            "more": EXAMPLES + 1,
        }
        return [
            Link(row["relation"], as_head, tuple(row["names"][:EXAMPLES]), len(row["names"]) > EXAMPLES)
            for as_head, statement in ((True, _LINKS_AS_HEAD), (False, _LINKS_AS_TAIL))
            for row in self._db.read(statement, given)
        ]

    def _read_outlines(self, sources: Sequence[str]) -> list[Outline]:
        about = {row["name"]: row for row in self._db.read(_SOURCES, {"sources": list(sources)})}
        owned: dict[str, list[dict[str, Any]]] = {source: [] for source in about}
        for row in self._db.read(_OWNED, {"sources": list(about)}):
            owned[row["source"]].append(row)
        tables = [source for source in about if kind_named(about[source]["kind"]).has_rows]
        numbers = {owned_key(source, ROW_NUMBER): source for source in tables}
        counts = self._db.read(_ROWS, {"keys": list(numbers)}) if numbers else []
        rows = {numbers[row["key"]]: int(row["number"] or 0) for row in counts}
        return [_outline(about[source], owned[source], rows.get(source, 0)) for source in sources if source in about]

    def _read_samples(self, names: Sequence[str]) -> dict[str, tuple[Cells, ...]]:
        stored = {source_name(source): source for source in self.sources}
        tables = {
            outline.name: {
                "columns": [owned_key(stored[outline.name], relation.name) for relation in outline.relations],
                "lines": [owned_key(stored[outline.name], f"[line_{n + 1}]") for n in range(min(SAMPLE, outline.rows))],
            }
            for outline in self.outlines
            if outline.name in names
        }
        rows = self._db.read(_CELLS, {"tables": list(tables.values()), "longest": LONGEST_CELL})
        cells = {(row["column"], row["line"]): " / ".join(sorted(row["cells"])) for row in rows}
        return {
            name: tuple(tuple(cells.get((column, line), "") for column in table["columns"]) for line in table["lines"])
            for name, table in tables.items()
        }

    def _column(self, statement: str, column: str = "name", **parameters: str) -> tuple[str, ...]:
        rows = self._db.read(statement, {"sources": list(self.sources), **parameters})
        return tuple(row[column] for row in rows)


def _outline(source: dict[str, Any], owned: Sequence[dict[str, Any]], rows: int) -> Outline:
    """The outline from a row of `_SOURCES` and its rows of `_OWNED`."""
    values = {row["name"]: row["kind"] for row in owned if not row["is_key"]}
    kind = kind_named(source["kind"])
    names = dict.fromkeys([*source["columns"], *values]) if kind.has_rows else values
    relations = tuple(
        Relation(name, "" if values[name] in (None, ValueKind.TEXT) else str(values[name]))
        for name in names
        if name in values and name not in kind.own_relations
    )
    times = TKG.own_keys if source["step"] else frozenset()
    keys = tuple(row["name"] for row in owned if row["is_key"] and row["name"] not in times)
    return Outline(source_name(source["name"]), source["kind"], relations, keys, source["step"] or "", rows)
