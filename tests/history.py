"""A history for the sources of a graph: what they have stays what they had after a certain change.

Every relationship becomes one of now, or one that a later change removed, and relationships that the sources never had
at that time are added beside it. So a program of that time must answer as it did before there was a history.
"""

from __future__ import annotations

import random
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.cypher.indexes import ensure_indexes

THEN = 2
"""The change after which the sources have what they had before they got a history."""

LAST = 3
"""The number of the last change."""

_READ = """
MATCH (a)-[r:CG_HAS|CG_VALUE|CG_PERIOD]->(b)
RETURN elementId(r) AS id, type(r) AS type, a.key AS start, b.key AS end, properties(r) AS has
ORDER BY type, start, end, r.head, r.condition, r.first"""

_CREATE = """
UNWIND $rows AS row
MATCH (a:CgNode {key: row.start}), (b:CgNode {key: row.end})
CALL (a, b, row) {
  CREATE (a)-[r:$(row.type)]->(b)
  SET r = row.has
}"""

_DELETE = "UNWIND $ids AS id MATCH ()-[r]->() WHERE elementId(r) = id DELETE r"

_CHANGES = """
MATCH (s:CgSource {state: 'ready'}) WHERE s.kind <> 'aliases'
SET s.change = $last
WITH collect(s) AS sources, max(s.loaded) AS loaded
UNWIND sources AS s
UNWIND range(1, $last) AS number
WITH s, number, loaded + duration({milliseconds: number}) AS at
CREATE (:CgChange {source: s.name, number: number, at: at, command: 'test'})
WITH number, at WHERE number = $then
RETURN DISTINCT toString(at) AS at"""

Row = dict[str, Any]


def add_history(db: Database, seed: int) -> str:
    """Gives all sources of a graph a drawn history, in which they had after change `THEN` what they have now.

    Returns the time of that change.
    """
    ensure_indexes(db)
    rng = random.Random(seed)
    rows = db.read(_READ)
    known = {_identity(row) for row in rows}
    others = [other for row in rows for other in _other(row, rng.choice(rows)) if rng.random() < 0.5]
    never = {_identity(row): row for row in others if _identity(row) not in known}
    created = [_in_history(row, *rng.choice(_THERE)) for row in rows]
    created += [_in_history(row, *rng.choice(_NOT_THERE)) for row in never.values()]
    db.write(_DELETE, {"ids": [row["id"] for row in rows]})
    db.write(_CREATE, {"rows": created})
    found = db.write(_CHANGES, {"last": LAST, "then": THEN})
    at: str = found[0]["at"]
    return at


_THERE = [(None, None), (1, None), (2, None), (None, 3), (1, 3), (2, 3)]
"""The changes that added and removed what a source had at that time."""

_NOT_THERE = [(3, None), (None, 1), (None, 2), (1, 2)]


def _in_history(row: Row, added: int | None, removed: int | None) -> Row:
    numbers = {"added": added, "removed": removed}
    has = row["has"] | {name: number for name, number in numbers.items() if number is not None}
    type_ = row["type"] if removed is None else row["type"].replace("CG_", "CG_WAS_")
    return {**row, "type": type_, "has": has}


def _other(row: Row, beside: Row) -> list[Row]:
    """A relationship with the beginning of one and the end of another of its kind; none where they are not alike."""
    has, other = row["has"], beside["has"]
    alike = row["type"], has["source"], has.get("node1"), len(has.get("condition", ()))
    if alike != (beside["type"], other["source"], other.get("node1"), len(other.get("condition", ()))):
        return []
    ends = ("node2", "num", "first", "last", "level", "iri", "literal")
    mixed = {name: value for name, value in has.items() if name not in ends}
    return [{**row, "end": beside["end"], "has": mixed | {name: other[name] for name in ends if name in other}}]


def _identity(row: Row) -> tuple[Any, ...]:
    """What makes a relationship another one: a triple, or a period."""
    has = row["has"]
    return row["type"], row["start"], row["end"], tuple(has.get("condition", ())), has.get("head"), has.get("first")
