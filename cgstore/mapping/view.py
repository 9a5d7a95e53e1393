"""What a backend may know of the graph: names in a question, relations, and who has which (read-only)."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import Mention, find_mentions
from cgstore.names import normal_form

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

_CLOSE = """
MATCH (n:Node) WHERE n.normal STARTS WITH $prefix AND n.source IS NULL
WITH n LIMIT 5000
WHERE EXISTS { (n)-[h:HAS]->() WHERE h.source IN $sources } OR EXISTS { (n)<-[v:VALUE]-() WHERE v.source IN $sources }
RETURN n.name AS name
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
        """Names of the sources' entities that begin like an unknown name, those spelt most alike first, at most 5."""
        form = normal_form(text)
        first_word = form.split(" ")[0]
        for prefix in dict.fromkeys((first_word, first_word[:4], first_word[:3])):
            names = self._names(_CLOSE, prefix=prefix)
            by_form = {normal_form(name): name for name in names}
            if near := difflib.get_close_matches(form, by_form, n=MAX_CLOSEST, cutoff=0.5):
                return [by_form[n] for n in near]
        return []

    def _names(self, statement: str, column: str = "name", **parameters: str) -> list[str]:
        rows = self._db.read(statement, {"sources": list(self.sources), **parameters})
        return [row[column] for row in rows]
