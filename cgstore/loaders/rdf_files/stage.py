"""The quads of RDF files in a temporary SQLite file: distinct, in the order in which they first came.

So that memory does not grow with the input, and names and reifications, which need all of it, can be settled before
the first statement is made.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from cgstore.loaders.rdf_files.terms import BadTerm, RawQuad, Term, check_characters
from cgstore.loaders.scratch import failed, scratch_errors, scratch_folder

CACHED_TERMS = 200_000
"""Terms whose numbers are kept in memory; others are looked up in the file."""

LONG_TERM = 1_000
"""Characters from which on a term is not kept in memory."""

CHUNK = 10_000
"""Quads handed to SQLite at a time."""

MAX_DEPTH = 20
"""Triple terms within triple terms; what is deeper is made to overflow."""

NOTHING = 0
"""The number of the default graph, and of the qualifier `graph`: of no term."""

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
PRAGMA temp_store = FILE;
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, blank INTEGER);
CREATE TABLE quoted (id INTEGER PRIMARY KEY, s INTEGER, p INTEGER, o INTEGER);
CREATE TABLE quad (
    seq INTEGER PRIMARY KEY, s INTEGER, p INTEGER, o INTEGER, g INTEGER, file INTEGER, line INTEGER,
    UNIQUE (s, p, o, g)
);
CREATE TABLE reifier (r INTEGER, s INTEGER, p INTEGER, o INTEGER, seq INTEGER, classical INTEGER, g INTEGER);
CREATE TABLE qualifier (seq INTEGER PRIMARY KEY, r INTEGER, q INTEGER, v INTEGER, UNIQUE (r, q, v));
CREATE TABLE name (
    space INTEGER, term INTEGER, label TEXT, level INTEGER, text TEXT, PRIMARY KEY (space, term)
) WITHOUT ROWID;
"""

_QUAD = "INSERT OR IGNORE INTO quad (s, p, o, g, file, line) VALUES (?, ?, ?, ?, ?, ?)"


class RdfStage:
    """Quads by the numbers of their terms, from 1; the tables beside them belong to `rdf_reify` and `rdf_names`."""

    def __init__(self) -> None:
        self._folder = scratch_folder("cgstore-rdf-")
        with scratch_errors(self._folder):
            self.sql = sqlite3.connect(self._folder / "rdf.sqlite", isolation_level=None, check_same_thread=False)
            self.sql.executescript(_TABLES)
            self.sql.execute("BEGIN")
        self._known: dict[str, int] = {}
        self._waiting: list[tuple[int, int, int, int, int, int]] = []
        self._terms = self._blanks = self._file = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as last:
            last.callback(shutil.rmtree, self._folder, ignore_errors=True)
            last.callback(self.sql.close)
            if isinstance(error, sqlite3.Error):
                raise failed(error, self._folder) from error

    def begin_file(self, number: int) -> None:
        """Says that the quads to come are of another file, which has blank nodes of its own."""
        self._file = number

    def add(self, quad: RawQuad) -> None:
        """Takes a quad; one that is there already changes nothing.

        Raises:
            BadTerm: it has a character that no graph can hold.
        """
        s, p, o = self._term(quad.subject), self._term(quad.predicate), self._term(quad.object)
        g = NOTHING if quad.graph is None else self._term(quad.graph)
        self._waiting.append((s, p, o, g, self._file, quad.line))
        if len(self._waiting) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Writes what waits, so that the tables are complete."""
        self.sql.executemany(_QUAD, self._waiting)
        self._waiting.clear()

    def _term(self, term: Term, depth: int = 0) -> int:
        if isinstance(term, tuple):
            return self._quoted(term, depth + 1)
        text = f"_{self._file}:{term[1:]}" if term[0] == "_" else term
        known = self._known.get(text)
        return self._look_up(text) if known is None else known

    def _look_up(self, text: str) -> int:
        check_characters(text)
        row = self.sql.execute("SELECT id FROM term WHERE text = ?", (text,)).fetchone()
        number = int(row[0]) if row else self._insert(text)
        if len(self._known) >= CACHED_TERMS:
            self._known.clear()
        if len(text) < LONG_TERM:
            self._known[text] = number
        return number

    def _insert(self, text: str) -> int:
        self._terms += 1
        blank = None
        if text[0] == "_":
            self._blanks += 1
            blank = self._blanks
        self.sql.execute("INSERT INTO term VALUES (?, ?, ?)", (self._terms, text, blank))
        return self._terms

    def _quoted(self, term: tuple[Term, Term, Term], depth: int) -> int:
        if depth > MAX_DEPTH:
            raise BadTerm(f"triple terms within triple terms, more than {MAX_DEPTH} deep")
        s, p, o = (self._term(part, depth) for part in term)
        number = self._look_up(f"({s} {p} {o}")
        self.sql.execute("INSERT OR IGNORE INTO quoted VALUES (?, ?, ?, ?)", (number, s, p, o))
        return number

    def number_of(self, term: str) -> int:
        """The number of an IRI or literal; -1, which no term has, where the input does not name it."""
        row = self.sql.execute("SELECT id FROM term WHERE text = ?", (term,)).fetchone()
        return int(row[0]) if row else -1

    def term(self, number: int) -> Term:
        """The term of a number; a blank node by its number rather than its label, which a parser may make up."""
        text, blank = self.sql.execute("SELECT text, blank FROM term WHERE id = ?", (number,)).fetchone()
        if text[0] == "(":
            s, p, o = (self.term(int(part)) for part in text[1:].split())
            return s, p, o
        return f"_b{blank}" if blank else str(text)

    def quads(self) -> Iterator[RawQuad]:
        """The quads as they are now, in order (for tests and messages)."""
        for s, p, o, g, line in self.sql.execute("SELECT s, p, o, g, line FROM quad ORDER BY seq"):
            yield RawQuad(self.term(s), self.term(p), self.term(o), self.term(g) if g else None, line)
