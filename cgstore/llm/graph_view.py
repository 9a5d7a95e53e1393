"""What a backend sees of the graph: names in a question, relations, and how entities are linked (read-only)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from cgstore.catalog.kinds import TKG, kind_named
from cgstore.cypher.connection import Database
from cgstore.llm.fact_view import NameLink, RelationFacts, read_facts, read_links, read_spans
from cgstore.llm.joins import MAX_COLUMNS, MAX_SOURCES, Join, Joinable, is_joinable, read_joins
from cgstore.llm.look_ups import LookUps
from cgstore.llm.table_view import StoredTable, TableRows, read_tables
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
from cgstore.text.names import owned_key, source_name

MAX_OUTLINES = 500
"""Sources whose relations a backend sees source by source."""

FOUR_DIGITS = 1000
"""The first year of four digits."""

_SOURCES = """
UNWIND $sources AS source
MATCH (s:CgSource {name: source})
RETURN s.name AS name, s.kind AS kind, s.step AS step, coalesce(s.columns, []) AS columns,
  s.parallel IS NOT NULL AS is_parallel
"""

_OWNED = """
MATCH (n:CgRelation) WHERE n.source IN $sources
RETURN n.key AS key, n.name AS name, n.source AS source, n.kind AS kind, n.role AS role, n.step AS step,
  false AS is_key ORDER BY name, source
UNION ALL
MATCH (n:CgKey) WHERE n.source IN $sources
RETURN n.key AS key, n.name AS name, n.source AS source, n.kind AS kind, n.role AS role, n.step AS step,
  true AS is_key ORDER BY name, source
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


Neighbourhood = tuple[Sequence[str], Sequence[str]]
"""The names of the relations that have an entity as head, and as tail."""


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


class GraphView:
    """The part of the graph that some sources make, as a backend sees it; remembers what it has read."""

    def __init__(self, db: Database, sources: Sequence[str]) -> None:
        self.db = db
        self.sources = tuple(sources)
        self._tables: dict[tuple[str, tuple[str, ...]], TableRows] = {}
        self._facts: dict[str, RelationFacts] = {}
        self._links: dict[str, tuple[NameLink, ...]] = {}
        self._looked_up: tuple[str, LookedUp] | None = None

    @cached_property
    def look_ups(self) -> LookUps:
        """What the tools of an LLM that explores look up."""
        return LookUps(self.db, self.sources, self._owned)

    @cached_property
    def _about(self) -> dict[str, dict[str, Any]]:
        """The sources by their stored names."""
        return {row["name"]: row for row in self.db.read(_SOURCES, {"sources": list(self.sources)})}

    @cached_property
    def _owned(self) -> list[dict[str, Any]]:
        """The relations and then the qualifiers of the sources, by name."""
        return self.db.read(_OWNED, {"sources": list(self.sources)})

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the sources (`tkg`, `kg`, ...), each once."""
        return tuple(sorted({row["kind"] for row in self._about.values()}))

    @property
    def has_times(self) -> bool:
        """Whether a source has times of facts."""
        return any(kind_named(kind).has_times for kind in self.kinds)

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The names of the sources' relations, sorted, each once."""
        return tuple(dict.fromkeys(row["name"] for row in self._owned if not row["is_key"]))

    @cached_property
    def outlines(self) -> list[Outline]:
        """The first `MAX_OUTLINES` sources, in the order asked."""
        about = {each: self._about[each] for each in self.sources[:MAX_OUTLINES] if each in self._about}
        owned: dict[str, list[dict[str, Any]]] = {source: [] for source in self._about}
        for row in self._owned:
            owned[row["source"]].append(row)
        numbers = {owned_key(each, ROW_NUMBER): each for each in about if kind_named(about[each]["kind"]).has_rows}
        counts = self.db.read(_ROWS, {"keys": list(numbers)}) if numbers else []
        rows = {numbers[row["key"]]: (row["count"], row["last"] * (row["last"] != row["count"])) for row in counts}
        return [_outline(source, owned[name], *rows.get(name, (0, 0))) for name, source in about.items()]

    def mentions(self, question: str) -> list[Mention]:
        """The names and times in a question; see `cgstore.mapping.mentions.choose_mentions`."""
        return choose_mentions(question, *self._words_of(question), self._has_short_years(question))

    def possible_mentions(self, question: str) -> list[Mention]:
        """Finds all possible names and times in a question; see `cgstore.mapping.mentions.possible_mentions`."""
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
            self._looked_up = (question, look_up_words(self.db, question, self.sources))
        return self._looked_up[1]

    def table_rows(self, tables: Sequence[str], keys: Sequence[str] = ()) -> dict[str, TableRows]:
        """The rows of tables, by their names in `outlines`; see `cgstore.llm.table_view.read_tables`.

        Of a table that is too large to be read whole, rows with the names of these keys are read too.
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
            self._tables |= {asked[name]: rows for name, rows in read_tables(self.db, missing, keys).items()}
        return {table: self._tables[asked[table]] for table in tables}

    def relation_facts(self, relations: Iterable[tuple[str, str]]) -> dict[tuple[str, str], RelationFacts]:
        """How many facts relations have, with one of them; a relation is the name of its source and its own."""
        stored = self._stored
        keys = {each: owned_key(stored[each[0]], each[1]) for each in relations}
        missing = [key for key in keys.values() if key not in self._facts]
        if missing:
            self._facts |= read_facts(self.db, missing)
        return {each: self._facts[key] for each, key in keys.items() if key in self._facts}

    def links(self, keys: Sequence[str]) -> dict[str, tuple[NameLink, ...]]:
        """How the nodes with these keys are linked, with examples; see `cgstore.llm.fact_view.NameLink`."""
        missing = [key for key in keys if key not in self._links]
        if missing:
            self._links |= read_links(self.db, self.sources, missing)
        return {key: self._links[key] for key in keys}

    def around(self, keys: Iterable[str]) -> dict[str, Neighbourhood]:
        """The relations of several entities, in one trip."""
        rows = self.db.read(_AROUND, {"keys": list(keys), "sources": list(self.sources)})
        return {row["key"]: (row["head"], row["tail"]) for row in rows}

    def spans(self, relations: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
        """The first and the last value of relations whose values are numbers or times; see `read_spans`."""
        stored = self._stored
        keys = {owned_key(stored[source], name): (source, name) for source, name in relations}
        return {keys[key]: span for key, span in read_spans(self.db, list(keys)).items()}

    @cached_property
    def times(self) -> dict[str, tuple[str, str]]:
        """The first and the last time of the temporal sources, by their names in `outlines`."""
        temporal = [(outline.name, TimeKey.TIME.value) for outline in self.outlines if outline.step]
        return {source: times for (source, _), times in self.spans(temporal).items()}

    def near_mentions(self, question: str, mentions: Sequence[Mention], names: Names | None = None) -> NearMentions:
        """What the question may mean beside these mentions, by `names` or the graph's; see `mapping.near_mentions`."""
        looked_up = names or StoredNames(self.db, self.sources)
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
        return read_joins(self.db, columns, tails, graphs)

    @cached_property
    def _stored(self) -> dict[str, str]:
        """The stored names of the sources, by their names in `outlines`."""
        return {source_name(source): source for source in self.sources}


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
