"""What an export has read of a source, in a temporary SQLite file: out of order as it comes, in order as it is written.

So the client's memory does not grow with the source, nothing is written before all of it was read, and the same source
makes the same file.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import Any, NamedTuple, Self

from cgstore.errors import CgstoreError
from cgstore.loaders.scratch import failed, scratch_errors, scratch_folder

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
CREATE TABLE fact (head TEXT, relation TEXT, tail TEXT, iri TEXT, literal TEXT);
CREATE TABLE qualifier (head TEXT, relation TEXT, tail TEXT, key TEXT, value TEXT, iri TEXT, literal TEXT);
CREATE TABLE head (name TEXT PRIMARY KEY, iri TEXT) WITHOUT ROWID;
"""

# A line is called by its number: the shorter name is the smaller one.
_ORDERS = {False: "head, relation, tail", True: "length(head), head, relation, tail"}

_QUALIFIERS = "SELECT head, relation, tail, key, value, iri, literal FROM qualifier ORDER BY {}, key, value"


class Qualifier(NamedTuple):
    """A key and a value of a fact; `iri` and `literal` as in `StoredFact`, of the value."""

    key: str
    value: str
    iri: str | None = None
    literal: tuple[str, ...] = ()


class StoredFact(NamedTuple):
    """A fact as the graph has it.

    `iri` is the tail's; `literal` what may follow its text in N-Triples, nothing where it is none (see
    `cgstore.loaders.staging.ValueAnnotation`).
    """

    head: str
    relation: str
    tail: str
    iri: str | None = None
    literal: tuple[str, ...] = ()
    qualifiers: tuple[Qualifier, ...] = ()


class ExportStage:
    """The facts of one source: first add all of them, then read them in order.

    `folder` is removed in the end with all that is in it; `iris` holds those of relations and keys, which are few.
    """

    def __init__(self) -> None:
        self.folder = scratch_folder("cgstore-export-")
        with scratch_errors(self.folder):
            self.sql = sqlite3.connect(self.folder / "facts.sqlite", isolation_level=None, check_same_thread=False)
            self.sql.executescript(_TABLES)
            self.sql.execute("BEGIN")
        self.iris: dict[str, str] = {}
        self.fact_count = self.qualifier_count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as last:
            last.callback(shutil.rmtree, self.folder, ignore_errors=True)
            last.callback(self.sql.close)
            if isinstance(error, sqlite3.Error):
                raise failed(error, self.folder) from error

    def add_facts(self, rows: list[list[Any]]) -> None:
        """Takes rows of relation, head, tail, IRI of the tail, literal suffixes."""
        self.sql.executemany("INSERT INTO fact VALUES (?2, ?1, ?3, ?4, ?5)", map(_flat, rows))
        self.fact_count += len(rows)

    def add_qualifiers(self, rows: list[list[Any]]) -> None:
        """Takes rows of key, condition, value, IRI of the value, literal suffixes."""
        flat = ((*row[1], row[0], *_flat(row)[2:]) for row in rows)
        self.sql.executemany("INSERT INTO qualifier VALUES (?, ?, ?, ?, ?, ?, ?)", flat)
        self.qualifier_count += len(rows)

    def add_heads(self, rows: list[list[Any]]) -> None:
        """Takes rows of head, IRI."""
        self.sql.executemany("INSERT OR IGNORE INTO head VALUES (?, ?)", rows)

    def facts(self, *, lines: bool = False) -> Iterator[StoredFact]:
        """All facts by head, relation and tail, in the order of code points; `lines` has heads by their numbers.

        Raises:
            CgstoreError: a qualifier is one of no fact.
        """
        order = _ORDERS[lines]
        qualified = groupby(self.sql.execute(_QUALIFIERS.format(order)), itemgetter(0, 1, 2))
        place, rows = next(qualified, (None, iter(())))
        for head, relation, tail, iri, literal in self.sql.execute(f"SELECT * FROM fact ORDER BY {order}"):
            qualifiers: tuple[Qualifier, ...] = ()
            if place == (head, relation, tail):
                qualifiers = tuple(Qualifier(key, value, i, _split(text)) for *_, key, value, i, text in rows)
                place, rows = next(qualified, (None, iter(())))
            yield StoredFact(head, relation, tail, iri, _split(literal), qualifiers)
        if place is not None:
            raise CgstoreError(f"The graph has a qualifier of {place}, and not that fact.", "Load the source again.")

    def head_iri(self, name: str) -> str | None:
        """The IRI of a head."""
        row = self.sql.execute("SELECT iri FROM head WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def exists(self, table: str, condition: str, parameters: Iterable[Any] = ()) -> bool:
        """Whether a row of a table fulfils a condition."""
        found = self.sql.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {condition})", tuple(parameters))
        return bool(found.fetchone()[0])


def _flat(row: list[Any]) -> list[Any]:
    """A row whose list of literal suffixes is a text: none of them holds a line's end."""
    return [*row[:4], None if row[4] is None else "\n".join(row[4])]


def _split(literal: str | None) -> tuple[str, ...]:
    return () if literal is None else tuple(literal.split("\n"))
