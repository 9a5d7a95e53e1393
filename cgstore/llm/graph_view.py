"""What a backend sees of the graph: names in a question, relations, and how entities are linked (read-only)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from cgstore.catalog.kinds import TKG, kind_named
from cgstore.catalog.snapshot import FIND_ALIASES
from cgstore.cypher.connection import Database
from cgstore.llm.fact_view import (
    NameLink,
    RelationFacts,
    read_facts,
    read_links,
    read_spans,
)
from cgstore.llm.joins import MAX_COLUMNS, MAX_SOURCES, Join, Joinable, is_joinable, read_joins
from cgstore.llm.look_ups import LookUps
from cgstore.llm.table_view import StoredTable, TableRows, read_tables
from cgstore.mapping.candidates import entity_candidates, relation_candidates
from cgstore.mapping.mentions import (
    LookedUp,
    Mention,
    Names,
    NearMentions,
    StoredNames,
    choose_mentions,
    find_near_mentions,
    look_up_words,
    possible_mentions,
)
from cgstore.model import ROW_NUMBER, TimeKey
from cgstore.text.asked_times import short_years
from cgstore.text.dates import read_time
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form, owned_key, shared_key, source_name

MAX_OUTLINES = 500
"""Sources whose relations a backend sees source by source."""

MAX_ALIKE = 8
"""Entities, and relations, that are offered for one text."""

MAX_LINKED_RELATIONS = 500
"""Relations read of one entity as head, and as tail."""

FOUR_DIGITS = 1000
"""The first year of four digits."""

EXAMPLES = 3
"""Other ends shown of one relation."""

_SCHEMA = """
MATCH (s:CgSource) WHERE s.name IN $sources
WITH DISTINCT s.kind AS kind ORDER BY kind
WITH collect(kind) AS kinds
CALL () {
  MATCH (r:CgRelation) WHERE r.source IN $sources
  WITH DISTINCT r.name AS name ORDER BY name
  RETURN collect(name) AS relations
}
RETURN kinds, relations
"""

_ALIASED = f"""{FIND_ALIASES}
UNWIND aliases AS alias
RETURN DISTINCT alias.name AS name ORDER BY name LIMIT $most
"""

_SOURCES = """
UNWIND $sources AS source
MATCH (s:CgSource {name: source})
RETURN s.name AS name, s.kind AS kind, s.step AS step, coalesce(s.columns, []) AS columns,
  s.parallel IS NOT NULL AS is_parallel
"""

_OWNED = """
UNWIND $sources AS source
MATCH (n:CgRelation {source: source})
RETURN source, n.name AS name, n.kind AS kind, n.role AS role, false AS is_key ORDER BY source, name
UNION ALL
UNWIND $sources AS source
MATCH (n:CgKey {source: source})
RETURN source, n.name AS name, null AS kind, null AS role, true AS is_key ORDER BY source, name
"""

# Neo4j knows the degree of a node. The last entry of the index is the last row; rows that were removed leave gaps.
_ROWS = """
UNWIND $keys AS key
MATCH (r:CgNode {key: key}) USING INDEX SEEK r:CgNode(key)
CALL (key) {
  MATCH ()-[v:CG_VALUE]->() USING INDEX SEEK v:CG_VALUE(node1, num)
  WHERE v.node1 = key AND v.num >= 0
  RETURN v.num AS number ORDER BY v.node1 DESC, v.num DESC LIMIT 1
}
RETURN key, COUNT { (r)-[:CG_VALUE]->() } AS count, toInteger(number) AS last
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

# One index seek per relation: a year or a country may have 100,000 relationships.
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

# One index seek per relation, as in `fact_view`: a year or a country may have 100,000 relationships.
_AROUND = """
UNWIND $keys AS key
CALL (key) {
  MATCH (n:CgNode {key: key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
  WITH DISTINCT r.name AS name ORDER BY name
  RETURN collect(name) AS head
}
CALL (key) {
  MATCH (r:CgRelation) WHERE r.source IN $sources
  CALL (key, r) {
    MATCH ()-[v:CG_VALUE {node1: r.key, node2: key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
    RETURN v LIMIT 1
  }
  WITH DISTINCT r.name AS name ORDER BY name
  RETURN collect(name) AS tail
}
RETURN key, head, tail
"""


class Neighbourhood(NamedTuple):
    """The names of the relations that have an entity as head, and as tail."""

    head: tuple[str, ...]
    tail: tuple[str, ...]


class Relation(NamedTuple):
    """A relation's name, and what its values are read as and are for: `cgstore.text.kinds` and `cgstore.text.roles`.

    An empty `kind` is text. The `role` is empty where none was kept, as in sources loaded by older versions.
    """

    name: str
    kind: str = ""
    role: str = ""


@dataclass(frozen=True)
class Outline:
    """A source without its facts.

    `relations` are sorted; those of a table are its columns in their order, without row numbers. `keys` are qualifiers
    of facts, without the built-in times. `step` is that of temporal sources. `rows` counts a table's;
    `last_row` is the number of the last one, if it is another number, since rows were removed.
    `is_parallel`: some of its facts have several statements.
    """

    name: str
    kind: str
    relations: tuple[Relation, ...] = ()
    keys: tuple[str, ...] = ()
    step: str = ""
    rows: int = 0
    is_parallel: bool = False
    last_row: int = 0


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
    """Names in the graph that are like a text, the nearest first; `others` are other things, for a number or a word.

    `aliased` are the names that it is an alias of.
    """

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    others: tuple[str, ...] = ()
    aliased: tuple[str, ...] = ()


class GraphView:
    """The part of the graph that some sources make, as a backend sees it; remembers what it has read."""

    def __init__(self, db: Database, sources: Sequence[str]) -> None:
        self._db = db
        self.sources = tuple(sources)
        self._tables: dict[tuple[str, tuple[str, ...]], TableRows] = {}
        self._facts: dict[str, RelationFacts] = {}
        self._links: dict[str, tuple[NameLink, ...]] = {}
        self._looked_up: tuple[str, LookedUp] | None = None

    @property
    def db(self) -> Database:
        """The connection to the graph."""
        return self._db

    @cached_property
    def look_ups(self) -> LookUps:
        """What the tools of an LLM that explores look up."""
        return LookUps(self._db, self.sources)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the sources (`tkg`, `kg`, ...), each once."""
        return self._schema[0]

    @property
    def has_times(self) -> bool:
        """Whether a source has times of facts."""
        return any(kind_named(kind).has_times for kind in self.kinds)

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The names of the sources' relations, sorted, each once."""
        return self._schema[1]

    @cached_property
    def _schema(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The kinds of the sources, and the names of their relations."""
        (row,) = self._db.read(_SCHEMA, {"sources": list(self.sources)})
        return tuple(row["kinds"]), tuple(row["relations"])

    @cached_property
    def outlines(self) -> list[Outline]:
        """The first `MAX_OUTLINES` sources, in the order asked."""
        return self._read_outlines(self.sources[:MAX_OUTLINES])

    def mentions(self, question: str) -> list[Mention]:
        """The names and times in a question; see `cgstore.mapping.mentions.choose_mentions`."""
        return choose_mentions(question, *self._words_of(question), self._has_short_years(question))

    def possible_mentions(self, question: str) -> list[Mention]:
        """All that may be a name or a time in it; see `cgstore.mapping.mentions.possible_mentions`."""
        return possible_mentions(question, *self._words_of(question), self._has_short_years(question))

    def _has_short_years(self, question: str) -> bool:
        """Whether the sources have years of fewer than four digits; only looked up if the question may have one."""
        if not short_years(question) or not self.has_times:
            return False
        spans = [read_time(first) for first, _ in self.times.values()]
        return any(first.start.year < FOUR_DIGITS for first in spans if first)

    def _words_of(self, question: str) -> LookedUp:
        """What the graph has for the words of a question; that of the last one is remembered."""
        if self._looked_up is None or self._looked_up[0] != question:
            self._looked_up = (question, look_up_words(self._db, question, self.sources))
        return self._looked_up[1]

    def table_rows(self, tables: Sequence[str], keys: Sequence[str] = ()) -> dict[str, TableRows]:
        """The rows of tables, by their names in `outlines`; see `cgstore.llm.table_view.read_tables`.

        Args:
            tables: names of tables.
            keys: keys of names in the question, whose rows are read of a table that is too large to be read whole.
        """
        asked = {table: (table, tuple(keys)) for table in tables}
        stored = self._stored
        missing = {
            outline.name: StoredTable(
                stored[outline.name], tuple(r.name for r in outline.relations), outline.rows, outline.last_row
            )
            for outline in self.outlines
            if outline.name in asked and asked[outline.name] not in self._tables
        }
        if missing:
            self._tables |= {asked[name]: rows for name, rows in read_tables(self._db, missing, keys).items()}
        return {table: self._tables[asked[table]] for table in tables}

    def relation_facts(self, relations: Iterable[tuple[str, str]]) -> dict[tuple[str, str], RelationFacts]:
        """How many facts relations have, with one of them; a relation is the name of its source and its own."""
        stored = self._stored
        keys = {each: owned_key(stored[each[0]], each[1]) for each in relations}
        missing = [key for key in keys.values() if key not in self._facts]
        if missing:
            self._facts |= read_facts(self._db, missing)
        return {each: self._facts[key] for each, key in keys.items() if key in self._facts}

    def links(self, keys: Sequence[str]) -> dict[str, tuple[NameLink, ...]]:
        """How the nodes with these keys are linked, with examples; see `cgstore.llm.fact_view.NameLink`."""
        missing = [key for key in keys if key not in self._links]
        if missing:
            self._links |= read_links(self._db, self.sources, missing)
        return {key: self._links[key] for key in keys}

    def around(self, keys: Iterable[str]) -> dict[str, Neighbourhood]:
        """The relations of several entities, in one trip."""
        rows = self._db.read(_AROUND, {"keys": list(keys), "sources": list(self.sources)})
        return {row["key"]: Neighbourhood(tuple(row["head"]), tuple(row["tail"])) for row in rows}

    def spans(self, relations: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
        """The first and the last value of relations whose values are numbers or times; see `read_spans`."""
        stored = self._stored
        keys = {owned_key(stored[source], name): (source, name) for source, name in relations}
        return {keys[key]: span for key, span in read_spans(self._db, list(keys)).items()}

    @cached_property
    def times(self) -> dict[str, tuple[str, str]]:
        """The first and the last time of the temporal sources, by their names in `outlines`."""
        temporal = [(outline.name, TimeKey.TIME.value) for outline in self.outlines if outline.step]
        return {source: times for (source, _), times in self.spans(temporal).items()}

    def near_mentions(self, question: str, mentions: Sequence[Mention], names: Names | None = None) -> NearMentions:
        """What the question may mean beside its mentions; see `cgstore.mapping.mentions`.

        Args:
            question: in plain words.
            mentions: those that were found.
            names: where the rest is looked up; None: in the graph.
        """
        looked_up = names or StoredNames(self._db, self.sources)
        return find_near_mentions(question, mentions, self.relations, looked_up)

    def joins(self) -> list[Join]:
        """The columns of tables whose values other sources have, the ones that share most first."""
        return self._joins

    @cached_property
    def _joins(self) -> list[Join]:
        if not 1 < len(self.sources) <= MAX_SOURCES:
            return []
        columns: list[Joinable] = []
        tails: list[Joinable] = []
        graphs: list[str] = []
        for outline in self.outlines:
            source, kind = self._stored[outline.name], kind_named(outline.kind)
            some = [each.name for each in outline.relations if is_joinable(each.kind, each.role)][:MAX_COLUMNS]
            found = columns if kind.has_rows else tails
            found += [Joinable(source, name, owned_key(source, name)) for name in some]
            graphs += [source] if kind.has_facts and not kind.has_rows else []
        return read_joins(self._db, columns, tails, graphs)

    @cached_property
    def _stored(self) -> dict[str, str]:
        """The stored names of the sources, by their names in `outlines`."""
        return {source_name(source): source for source in self.sources}

    def names_like(self, text: str) -> Alike:
        """The entities and values, and the relations, that a text may mean, by spelling."""
        entities = entity_candidates(self._db, [text], self.sources, top=MAX_ALIKE)[0]
        nodes = self._db.read(_RELATION_NODES, {"sources": list(self.sources)})
        relations = relation_candidates(text, nodes, top=MAX_ALIKE)
        aliased = self._db.read(_ALIASED, {"said": [normal_form(text)], "most": MAX_ALIKE})
        return Alike(
            tuple(dict.fromkeys(candidate.name for candidate in entities if not candidate.another)),
            tuple(dict.fromkeys(candidate.name for candidate in relations if not candidate.another)),
            tuple(dict.fromkeys(candidate.name for candidate in entities if candidate.another)),
            tuple(row["name"] for row in aliased),
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
        rows = {numbers[row["key"]]: (row["count"], row["last"] * (row["last"] != row["count"])) for row in counts}
        return [_outline(about[each], owned[each], *rows.get(each, (0, 0))) for each in sources if each in about]


def _outline(source: dict[str, Any], owned: Sequence[dict[str, Any]], rows: int, last_row: int) -> Outline:
    """The outline from a row of `_SOURCES` and its rows of `_OWNED`."""
    values = {
        row["name"]: Relation(
            row["name"], "" if row["kind"] in (None, ValueKind.TEXT) else row["kind"], row["role"] or ""
        )
        for row in owned
        if not row["is_key"]
    }
    kind = kind_named(source["kind"])
    names = dict.fromkeys([*source["columns"], *values]) if kind.has_rows else values
    relations = tuple(values[name] for name in names if name in values and name not in kind.own_relations)
    times = TKG.own_keys if source["step"] else frozenset()
    keys = tuple(row["name"] for row in owned if row["is_key"] and row["name"] not in times)
    step, is_parallel = source["step"] or "", source["is_parallel"]
    name = source_name(source["name"])
    return Outline(name, source["kind"], relations, keys, step, rows, is_parallel, last_row)
