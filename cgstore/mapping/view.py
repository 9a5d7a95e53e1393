"""What a backend may know of the graph: names in a question, relations, and who has which (read-only)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.mapping.closest import closest_names
from cgstore.mapping.mentions import Mention, find_mentions

MAX_CLOSEST = 5
"""Most names offered for one that is unknown."""

_RELATIONS = """
MATCH (r:Relation) WHERE r.source IN $sources RETURN DISTINCT r.name AS name ORDER BY name
"""

_KINDS = "MATCH (s:Source) WHERE s.name IN $sources RETURN DISTINCT s.kind AS kind ORDER BY kind"

_RELATIONS_AS_HEAD = """
MATCH (:Node {key: $key})-[h:HAS]->(r:Relation) WHERE h.source IN $sources RETURN DISTINCT r.name AS name ORDER BY name
"""

# One index seek a relation instead of expanding the node: a year or a country may have a hundred thousand.
_RELATIONS_AS_TAIL = """
MATCH (r:Relation) WHERE r.source IN $sources
CALL (r) {
  MATCH ()-[v:VALUE {node1: r.key, node2: $key}]->() USING INDEX SEEK v:VALUE(node1, node2)
  RETURN v LIMIT 1
}
RETURN DISTINCT r.name AS name ORDER BY name
"""


class Neighbourhood(NamedTuple):
    """The names of the relations of which an entity is a head, and of which it is a tail."""

    head: tuple[str, ...]
    tail: tuple[str, ...]


class GraphView:
    """The part of the graph that the given sources make, seen by a backend; remembers what it looked up."""

    def __init__(self, db: Database, sources: Sequence[str]) -> None:
        self._db = db
        self.sources = tuple(sources)
        self._relations: list[str] | None = None
        self._kinds: tuple[str, ...] | None = None
        self._neighbourhoods: dict[str, Neighbourhood] = {}

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

    def closest(self, text: str) -> list[str]:
        """Names of the sources' entities that are spelt like an unknown one, the most alike first, at most 5."""
        return list(closest_names(self._db, text, self.sources, MAX_CLOSEST))

    def _names(self, statement: str, column: str = "name", **parameters: str) -> list[str]:
        rows = self._db.read(statement, {"sources": list(self.sources), **parameters})
        return [row[column] for row in rows]
