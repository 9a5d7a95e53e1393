"""The facts that a change brings in, sorted and in parts that one transaction can take."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from cgstore.change.stated import AnyFact
from cgstore.loaders.staging import CHUNK, TemporaryDatabase

PART = 5_000
"""Facts that one transaction takes: a bigger change is made of several, each of which is whole."""

_TABLE = "CREATE TABLE fact (head TEXT, relation TEXT, tail TEXT, fact BLOB);"

_SORTED = "SELECT head, relation, tail, fact FROM fact ORDER BY head, relation, tail, rowid"


class Incoming(TemporaryDatabase):
    """The facts of an input in a temporary file: first `add` all of them, then take the `parts`."""

    outcome = "Nothing was changed."

    def __init__(self) -> None:
        super().__init__(_TABLE)
        self.count = 0
        self._waiting: list[tuple[str, str, str, bytes]] = []

    def add(self, fact: AnyFact) -> None:
        """Takes a fact."""
        self.put((fact.head, fact.relation, fact.tail), fact)

    def put(self, place: tuple[str, str, str], fact: object) -> None:
        """Takes anything, by its place in the order."""
        self.count += 1
        self._waiting.append((*place, pickle.dumps(fact)))
        if len(self._waiting) >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        self.sql.executemany("INSERT INTO fact VALUES (?, ?, ?, ?)", self._waiting)
        self._waiting.clear()

    def parts(self, together: int, most: int = PART) -> Iterator[list[Any]]:
        """The facts in parts of about `most`; those that share `together` names (1: the head) stay in one part."""
        self._flush()
        part: list[Any] = []

        def shared(row: tuple[Any, ...]) -> tuple[str, ...]:
            return tuple(row[:together])

        for _, rows in groupby(self.sql.execute(_SORTED), shared):
            facts = [pickle.loads(row[3]) for row in rows]
            if part and len(part) + len(facts) > most:
                yield part
                part = []
            part += facts
        if part:
            yield part
