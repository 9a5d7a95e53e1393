"""Staging: temporary SQLite files, and the distinct nodes of a source in one of them.

Staging has four effects. Nothing reaches the graph before the whole input is known to be good. The client's memory does
not grow with the input. Repeats vanish. Every node has a number that is the same each time the same file is staged, so
that a load that was cut short can go on.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import dropwhile, islice, takewhile
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from cgstore.catalog.registry import LoadRecord
from cgstore.errors import NoRoom
from cgstore.model import ColumnReport, Evidence, Role
from cgstore.text.dates import Step
from cgstore.text.names import owned_key, shared_key

CHUNK = 10_000
"""Rows handed to SQLite at a time."""

SAMPLE = 10
"""Triples that a dry run shows."""

CACHED_NODES = 200_000
"""Nodes whose numbers are kept in memory. Others are looked up in the file, in some 5 µs."""

_BIT = {role: 1 << place for place, role in enumerate(Role)}
_OWNED = {role: role.owned for role in Role}  # asked for every name of the input

_PRAGMAS = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
"""

_TABLES = """
CREATE TABLE node (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT, roles INTEGER NOT NULL, owned INTEGER);
"""


class StagedNode(NamedTuple):
    """A node to be merged. `id` is its number in the stage, from 0.

    A relation has the `kind` that its values are read as, and their `role` (see `cgstore.text.roles`). Relations and
    keys may have an `iri`.
    """

    id: int
    key: str
    name: str
    source: str | None
    kind: str | None = None
    iri: str | None = None
    role: str | None = None


class ValueAnnotation(NamedTuple):
    """The properties of one CG_VALUE relationship that belong to its node2 in this place.

    `num` is the number that node2 reads as here (`50%` in a column of percentages), `iri` its IRI in this source.
    `literal` lists what may follow its text in RDF: `@en`, `^^http://...#gYear`, or `""` for nothing, also for a value
    that is not from RDF; and `<>` where an IRI or a blank node is named like the literal in the same place.
    `ends` are those of the periods that begin at node2, where the start and end times alone do not say this;
    `present` for a period that is open.
    """

    num: float | None = None
    iri: str | None = None
    literal: list[str] | None = None
    ends: list[str] | None = None


class Group(NamedTuple):
    """Condition triples that share node1 and the condition; one row of a batch writes them.

    `node1` and `node2` are numbers of the stage. `condition` has the names of its nodes, `head` the key of the first
    one. An empty condition is written as CG_HAS: `head` is empty then, and `iri` is that of node1. `about` is parallel
    to `node2`; it is None where the number of each relationship is that of its node. `periods`, where there are any,
    are parallel to `node2`, their first times: each stands for the triples of its times, and is written as CG_PERIOD.
    """

    node1: int
    condition: tuple[str, ...]
    head: str
    node2: list[int]
    about: list[ValueAnnotation] | None = None
    iri: str | None = None
    periods: list[tuple[int, int]] | None = None


class TemporaryDatabase:
    """A SQLite file in a folder of its own, which is removed when the block ends. Its failures become `NoRoom`.

    Args:
        tables: the script that makes its tables.
        in_memory: whether it is small and needs no file.
    """

    outcome = ""
    """The sentence that ends the message of a failure: the outcome of the command."""

    def __init__(self, tables: str, *, in_memory: bool = False) -> None:
        try:
            self.folder = None if in_memory else Path(tempfile.mkdtemp(prefix="cgstore-"))
        except OSError as error:
            raise NoRoom(f"There is no folder for temporary files: {error.strerror or error}.", _hint(None)) from error
        file = self.folder / "stage.sqlite" if self.folder else ":memory:"
        with scratch_errors(self.folder):
            self.sql = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self.sql.executescript(_PRAGMAS + tables)
            self.sql.execute("BEGIN")
        self._unwritten: dict[str, list[tuple[int | str | None, ...]]] = defaultdict(list)

    def insert(self, table: str, *values: int | str | None) -> None:
        """Adds a row to a table, at the latest when `flush` is called; one that breaks a key of the table vanishes."""
        rows = self._unwritten[table]
        rows.append(values)
        if len(rows) >= CHUNK:
            self._write(table, rows)

    def flush(self) -> None:
        """Writes the rows that are still in memory."""
        for table, rows in self._unwritten.items():
            if rows:
                self._write(table, rows)

    def _write(self, table: str, rows: list[tuple[int | str | None, ...]]) -> None:
        places = ", ".join("?" * len(rows[0]))
        self.sql.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({places})", rows)
        rows.clear()

    def close(self) -> None:
        """Removes the file."""
        self.sql.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as last:
            last.callback(self.close)
            if isinstance(error, sqlite3.Error):
                raise failed(error, self.folder, self.outcome) from error

    def single(self, statement: str, parameters: Iterable[Any] = ()) -> Any:
        """The first column of the first row that a statement gives."""
        return self.sql.execute(statement, tuple(parameters)).fetchone()[0]


class Stage(TemporaryDatabase):
    """One source: `add` what its input states, then `settle`, then read. Nodes are numbered as they first come.

    A settled stage has the counts and the fingerprint of `LoadRecord`. `stored` counts the relationships of a temporal
    source, in which each period stands for many triples. `parallel` counts the facts that have several statements,
    numbered from 1, of which the second has the condition [head, relation, tail, #2]. `hint` is what else is odd about
    the input, for the error that refuses bad lines.

    Args:
        source: the name of the source, which owns its relations, keys and lines.
        in_memory: see `TemporaryDatabase`.
    """

    outcome = "Nothing was loaded."
    noun = "facts"
    step: Step | None = None

    def __init__(self, source: str, *, in_memory: bool = False) -> None:
        super().__init__(_TABLES, in_memory=in_memory)
        self.source = source
        self._known: dict[bool, dict[str, tuple[int, int]]] = {False: {}, True: {}}
        self.node_count = self.fact_count = self.has = self.value = 0
        self.stored: int | None = None
        self.parallel: int | None = None
        self.fingerprint = self.hint = ""

    def add(self, item: Any) -> None:
        """Stages one item; a repeat vanishes."""
        raise NotImplementedError

    def settle(self) -> object:
        """Ends the adding, and counts the triples."""
        raise NotImplementedError

    def groups(self) -> Iterator[Group]:
        """All condition triples of the source, each once, in an order that depends only on what was added."""
        return iter(())

    def record(self, kind: str, columns: tuple[str, ...] | None = None) -> LoadRecord:
        """What is known of the source before it is written; `columns` are those of a table."""
        return LoadRecord(
            name=self.source,
            kind=kind,
            fingerprint=self.fingerprint,
            step=self.step.value if self.step else None,
            facts=self.fact_count,
            nodes=self.node_count,
            has=self.has,
            value=self.value,
            columns=columns,
            stored=self.stored,
            parallel=self.parallel,
        )

    def notes(self) -> Iterator[str]:
        """Sentences about facts that look odd, or are read in a way that the input does not state."""
        return iter(())

    def column_reports(self, *, texts: bool) -> Iterator[ColumnReport]:
        """How the values of each relation were read, in the order of the input. `texts`: also relations of texts."""
        return iter(())

    def sample(self) -> Iterator[Evidence]:
        """Some condition triples by names: one for each of the first pairs of node1 and condition."""
        empty = takewhile(lambda group: not group.condition, self.groups())
        others = dropwhile(lambda group: not group.condition, self.groups())
        for group in (*islice(empty, SAMPLE // 3), *islice(others, SAMPLE - SAMPLE // 3)):
            names = self.name_of(group.node1), self.name_of(group.node2[0])
            yield Evidence(*names, group.condition, self.source)

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
        number = self.node_count
        self.node_count += 1
        values = (number, key, None if key == name else name, _BIT[role], int(role.owned))
        self.sql.execute("INSERT INTO node VALUES (?, ?, ?, ?, ?)", values)
        return number, _BIT[role]

    def name_of(self, number: int) -> str:
        """The name of a node."""
        return str(self.single("SELECT coalesce(name, key) FROM node WHERE id = ?", (number,)))

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """The nodes that have a role, in the order of their numbers."""
        self.outcome = "The source is not complete."  # from now on the graph may have a part of it
        rows = self.sql.execute(
            "SELECT id, key, coalesce(name, key), owned FROM node WHERE roles & ? ORDER BY id", (_BIT[role],)
        )
        for number, key, name, owned in rows:
            yield StagedNode(number, key, name, self.source if owned else None)


# Where there is no room


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a disk, a quota or a file that is full."""

PER_FACT = 100
"""Bytes that a fact takes in a temporary file, roughly, if names are not long."""


@contextmanager
def scratch_errors(folder: Path | None = None) -> Iterator[None]:
    """Turns errors of a temporary file in the folder into `NoRoom`: the disk is full, or SQLite cannot use the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise failed(error, folder) from error
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise failed(error, folder) from error


def failed(error: Exception, folder: Path | None, outcome: str = "") -> NoRoom:
    """The error of a temporary file that failed, in a folder that still exists; None if the file is in memory."""
    where = folder or Path(tempfile.gettempdir())
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder else 0
    held = f" holds {_bytes(size)}" if size >= 1e6 else ""
    try:
        free = f"{' and' if held else ''} has {_bytes(shutil.disk_usage(where).free)} free"
    except OSError:
        free = ""
    place = f" ({where}{held}{free})" if held or free else f" ({where})"
    why = getattr(error, "strerror", None) or error
    return NoRoom(f"A temporary file cannot be written{place}: {why}. {outcome}".rstrip(), _hint(where))


def out_of_memory(what: object) -> NoRoom:
    """The error of a reader that needed more memory than there is."""
    return NoRoom(
        f"The memory of this machine ran out while {what} was read. Nothing was loaded.",
        "Close other programs, give this one more, or cut the input into smaller files.",
    )


def _hint(where: Path | None) -> str:
    freed = f"Free some space in {where.parent if where and where.name.startswith('cgstore-') else where}, or set"
    return (
        f"{freed if where else 'Set'} TMPDIR to a folder on a disk with more room: a million facts take some "
        f"{_bytes(PER_FACT * 1_000_000)} there. Then give the command again."
    )


def _bytes(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"
