"""Staging: a source's distinct nodes in a temporary SQLite file, before anything is written to the graph.

So nothing reaches the graph before the whole input is known to be good, the client's memory does not grow with the
input, repeats vanish, and every node has a number that is the same each time the same file is staged: what was cut
short can go on.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import NamedTuple, Self

from cgstore.loaders.scratch import failed, scratch_errors, scratch_folder
from cgstore.model import Role
from cgstore.text.names import owned_key, shared_key

CHUNK = 10_000
"""Rows handed to SQLite at a time."""

CACHED_NODES = 200_000
"""Nodes whose numbers are kept in memory; others are looked up in the file (some 5 µs)."""

_BIT = {role: 1 << place for place, role in enumerate(Role)}
_OWNED = {role: role.owned for role in Role}  # asked for every name of the input

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -32768;
CREATE TABLE node (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT, roles INTEGER NOT NULL, owned INTEGER);
"""


class StagedNode(NamedTuple):
    """A node to be merged; `id` is its number in the stage, from 0.

    `kind` is what a relation's values are read as, `iri` that of a relation or key.
    """

    id: int
    key: str
    name: str
    source: str | None
    kind: str | None = None
    iri: str | None = None


class ValueAnnotation(NamedTuple):
    """What one CG_VALUE relationship says of its node2 beside the node itself.

    `num` is the number that it reads as in this place (a `50%` in a column of percentages), `iri` its IRI in this
    source, `literal` what follows the text of a literal in RDF: `@en`, `^^http://...#gYear`, or `""` for nothing, as
    of a value that is no RDF; among these is `<>` where an IRI or a blank node is called like the literal, in the same
    place.
    """

    num: float | None = None
    iri: str | None = None
    literal: list[str] | None = None


class Group(NamedTuple):
    """Condition triples that share node1 and the condition: what one row of a batch writes.

    `node1` and `node2` are stage numbers; `condition` the names of its nodes, `head` the key of the first one. An
    empty condition is written as CG_HAS, `head` is then empty, and `iri` that of node1. `about` is parallel to `node2`;
    None where each relationship has just its node's number.
    """

    node1: int
    condition: tuple[str, ...]
    head: str
    node2: list[int]
    about: list[ValueAnnotation] | None = None
    iri: str | None = None


class Stage:
    """The nodes of one source, numbered in the order in which they first came.

    Args:
        source: name of the source, which owns its relations, keys and lines.
        in_memory: for an input that is known to be small: without a file.
    """

    def __init__(self, source: str, *, in_memory: bool = False) -> None:
        self.source = source
        self._folder = None if in_memory else scratch_folder("cgstore-")
        file = self._folder / "stage.sqlite" if self._folder else ":memory:"
        with scratch_errors(self._folder):
            self.sql = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self.sql.executescript(_TABLES)
            self.sql.execute("BEGIN")
        self._known: dict[bool, dict[str, tuple[int, int]]] = {False: {}, True: {}}
        self._count = 0
        self._handed_over = False

    def close(self) -> None:
        """Removes the file."""
        self.sql.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as last:
            last.callback(self.close)
            if isinstance(error, sqlite3.Error):
                outcome = "The source is not complete." if self._handed_over else "Nothing was loaded."
                raise failed(error, self._folder, outcome) from error

    def node(self, name: str, role: Role) -> int:
        """The number of a node, which is added if it is new; a node may have several roles."""
        bit, among = _BIT[role], self._known[_OWNED[role]]
        known = among.get(name)
        if known is not None and known[1] & bit:
            return known[0]
        number, roles = known or self._look_up(name, role)
        if not roles & bit:
            roles |= bit
            self.sql.execute("UPDATE node SET roles = ? WHERE id = ?", (roles, number))
        among[name] = (number, roles)
        return number

    def _look_up(self, name: str, role: Role) -> tuple[int, int]:
        for among in self._known.values():
            if len(among) >= CACHED_NODES:
                among.clear()
        key = owned_key(self.source, name) if role.owned else shared_key(name)
        row = self.sql.execute("SELECT id, roles FROM node WHERE key = ?", (key,)).fetchone()
        if row is not None:
            return int(row[0]), int(row[1])
        number = self._count
        self._count += 1
        values = (number, key, None if key == name else name, _BIT[role], int(role.owned))
        self.sql.execute("INSERT INTO node VALUES (?, ?, ?, ?, ?)", values)
        return number, _BIT[role]

    def name_of(self, number: int) -> str:
        """The name of a node."""
        return str(self.sql.execute("SELECT coalesce(name, key) FROM node WHERE id = ?", (number,)).fetchone()[0])

    @property
    def node_count(self) -> int:
        """How many distinct nodes there are."""
        return self._count

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """The nodes that have a role, in the order of their numbers."""
        self._handed_over = True
        rows = self.sql.execute(
            "SELECT id, key, coalesce(name, key), owned FROM node WHERE roles & ? ORDER BY id", (_BIT[role],)
        )
        for number, key, name, owned in rows:
            yield StagedNode(number, key, name, self.source if owned else None)
