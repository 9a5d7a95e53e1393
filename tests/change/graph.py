"""What is in the graph of a source: compared between a source that was changed and one that was loaded."""

from __future__ import annotations

from typing import Any

from cgstore.cypher.connection import Database

_TRIPLES = """
CALL () {
  MATCH (a)-[r:CG_HAS|CG_VALUE|CG_PERIOD {source: $source}]->(b)
  WHERE $number IS NULL OR coalesce(r.added, 0) <= $number
  RETURN a, r, b
  UNION
  MATCH (a)-[r:CG_WAS_HAS|CG_WAS_VALUE|CG_WAS_PERIOD {source: $source}]->(b)
  WHERE coalesce(r.added, 0) <= $number < r.removed
  RETURN a, r, b
}
RETURN replace(type(r), 'WAS_', '') AS type, a.name AS node1, b.name AS node2, r.condition AS condition, r.num AS num,
  r.relation AS relation, r.first AS first, r.last AS last, r.level AS level, r.ends AS ends, r.literal AS literal
"""

_SOURCE = "MATCH (s:CgSource {name: $source}) RETURN s {.facts, .parallel, .has, .value, .triples, .stored} AS about"


def triples(db: Database, source: str, number: int | None = None) -> set[tuple[Any, ...]]:
    """The triples of a source, as they are now or as they were after a change."""
    rows = db.read(_TRIPLES, {"source": source, "number": number})
    found = [tuple(tuple(v) if isinstance(v, list) else v for v in row.values()) for row in rows]
    assert len(found) == len(set(found)), "a triple is there twice"
    return set(found)


def triples_as_of(db: Database, source: str, number: int) -> set[tuple[Any, ...]]:
    """The triples of a source as they were after a change."""
    return triples(db, source, number)


def counts(db: Database, source: str) -> dict[str, Any]:
    """What the record of a source counts."""
    about: dict[str, Any] = db.read(_SOURCE, {"source": source})[0]["about"]
    return about
