"""The names of the graph that are most like a text: what to offer where a name is unknown."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import entity_candidates

LIKE = 0.6
"""Least score of a name that is offered."""


def closest_names(db: Database, text: str, sources: Sequence[str] | None = None, count: int = 3) -> tuple[str, ...]:
    """The names of entities and values that are spelt most like a text, the most alike first; () if none is near.

    Args:
        db: the database.
        text: the unknown name.
        sources: only names that these sources use; of all when None.
        count: most names given.
    """
    (found,) = entity_candidates(db, [text], sources, top=count)
    return tuple(candidate.name for candidate in found if candidate.score >= LIKE)
