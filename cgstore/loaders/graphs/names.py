"""What the nodes of a property graph are called: each by a name of its own, the same in every reading.

A node has the name that the wanted property gives it; else the first of `NAME_KEYS` that it has as a text that is not
blank; else its label (the first one by the alphabet, `Node` without any) and its number in the database, `City 12`.
Where nodes share a name, each of them gets label and number behind it: `Paris (City 12)`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import islice
from types import TracebackType
from typing import Any, Self

from cgstore.loaders.graphs.values import value_texts
from cgstore.loaders.scratch import failed

NAME_KEYS = ("name", "title", "label", "fullname", "displayname", "rdfslabel", "skospreflabel", "id", "code", "uri")
"""The properties that name a node, first ones first, compared by `key_form`."""

CACHED = 200_000
"""Names kept in memory; others are looked up in a temporary file."""

_SETTLE = """
CREATE INDEX by_name ON node (name);
CREATE TABLE clash AS SELECT name FROM node GROUP BY name HAVING count(*) > 1;
CREATE TABLE renamed (id TEXT PRIMARY KEY, name TEXT, mark TEXT);
INSERT INTO renamed SELECT id, name || mark, mark FROM node WHERE name IN (SELECT name FROM clash);
"""

_TAKEN = "UPDATE renamed SET name = name || mark WHERE name IN (SELECT name FROM node)"

_RENAME = """
UPDATE node SET name = (SELECT name FROM renamed r WHERE r.id = node.id) WHERE id IN (SELECT id FROM renamed)
"""


def key_form(key: str) -> str:
    """A property key without case and underscores."""
    return key.lower().replace("_", "")


class NodeNames:
    """Collects the nodes of a graph, and then names them.

    The names are kept in a temporary file, which SQLite removes: memory does not grow with the graph.

    Args:
        wanted: the property that nodes are called by, where they have it.
    """

    def __init__(self, wanted: str | None = None) -> None:
        self._wanted = wanted
        self._sql = sqlite3.connect("", isolation_level=None)
        self._sql.execute("PRAGMA journal_mode = OFF")
        self._sql.execute("CREATE TABLE node (id TEXT PRIMARY KEY, name TEXT NOT NULL, mark TEXT NOT NULL)")
        self._sql.execute("BEGIN")
        self._known: dict[str, str] = {}
        self.count = 0
        self.with_wanted = 0
        self.shared = 0
        self.example = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sql.close()
        if isinstance(error, sqlite3.Error):
            raise failed(error, None, "Nothing was loaded.") from error

    def add(self, node: str, labels: Sequence[str], about: dict[str, Any]) -> None:
        """Takes one node: its element id, its labels, its properties or those that may name it."""
        self.count += 1
        plain = f"{min(labels, default='Node')} {node.rpartition(':')[2]}"
        name = self._given(about) or plain
        self._sql.execute("INSERT INTO node VALUES (?, ?, ?)", (node, name, f" ({plain})"))

    def _given(self, about: dict[str, Any]) -> str:
        """The name that the properties give a node, or an empty text."""
        if self._wanted is not None and self._wanted in about:
            text = next(islice(value_texts(about[self._wanted]), 1), "")
            self.with_wanted += 1
            if text:
                return text
        best: dict[str, str] = {}
        for key in sorted(about):
            value = about[key]
            if isinstance(value, str) and value.strip():
                best.setdefault(key_form(key), value.strip())
        return next((best[key] for key in NAME_KEYS if key in best), "")

    def settle(self) -> None:
        """Keeps apart who shares a name; `shared` counts them, `example` is the new name of one."""
        for statement in _SETTLE.split(";\n"):
            self._sql.execute(statement)
        while self._sql.execute(_TAKEN).rowcount > 0:
            pass
        self._sql.execute(_RENAME)
        self.shared = self._sql.execute("SELECT count(*) FROM renamed").fetchone()[0]
        if self.shared:
            self.example = self._sql.execute("SELECT min(name) FROM renamed").fetchone()[0]

    def __getitem__(self, node: str) -> str:
        """The name of a node by its element id.

        Raises:
            KeyError: it was not added.
        """
        name = self._known.get(node)
        if name is None:
            row = self._sql.execute("SELECT name FROM node WHERE id = ?", (node,)).fetchone()
            if row is None:
                raise KeyError(node)
            if len(self._known) >= CACHED:
                self._known.clear()
            name = self._known[node] = str(row[0])
        return name
