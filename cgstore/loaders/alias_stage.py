"""Aliases, staged: the distinct pairs of a source, in an order that depends on them alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import starmap

from cgstore.loaders.staging import Stage
from cgstore.loaders.statement import Alias

CHUNK = 10_000
"""Rows handed to SQLite at a time."""

_TABLE = "CREATE TABLE alias (alias TEXT, name TEXT, PRIMARY KEY (alias, name)) WITHOUT ROWID"


class AliasStage(Stage):
    """The pairs of one source: first `add` all of them, then `settle`, then read.

    `count` distinct pairs, and the `fingerprint` of all of them in whatever order, are known after `settle`.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.sql.execute(_TABLE)
        self._waiting: list[Alias] = []
        self.count = 0
        self.fingerprint = ""

    def add(self, pair: Alias) -> None:
        """Stages one pair; a repeat vanishes."""
        self._waiting.append(pair)
        if len(self._waiting) >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        self.sql.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?)", self._waiting)
        self._waiting.clear()

    def settle(self) -> None:
        """Ends the adding."""
        self._flush()
        told = hashlib.sha256()
        for pair in self.pairs():
            told.update(repr(tuple(pair)).encode("utf-8"))
            self.count += 1
        self.fingerprint = told.hexdigest()

    def pairs(self) -> Iterator[Alias]:
        """The distinct pairs, by alias and name."""
        return starmap(Alias, self.sql.execute("SELECT alias, name FROM alias ORDER BY alias, name"))
