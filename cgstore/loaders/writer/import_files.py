"""Files for Neo4j's own importer: the graph that the online writer would make, as CSV, for a first load into nothing.

What a node and a relationship hold comes from `cgstore.loaders.writer.rows`; here it only gets its form. The importer
reads every character of a quoted field as it stands, quotes doubled, and tells `""` (an empty text) from nothing (no
property), with one exception: a list of one empty text comes out as no list. `after.cypher` puts that right.

Rows share their beginning (node1 and the condition) with their group and their end (node2) with each other: both are
bytes made once, and a row is no more than the two of them joined.
"""

from __future__ import annotations

import mmap
import re
import shutil
import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from cgstore.catalog.registry import LoadRecord
from cgstore.errors import BadInput, NoRoom
from cgstore.loaders.scratch import FULL
from cgstore.loaders.staging import Group, ValueAnnotation
from cgstore.loaders.writer.import_guide import Guide
from cgstore.loaders.writer.rows import node_row, relation_of
from cgstore.loaders.writer.write import Staged
from cgstore.model import Role, SourceState
from cgstore.progress import Bar, bar
from cgstore.text.names import source_name

_VALUE = (":START_ID", "node1", "condition:string[]", "head", "relation", "source", ":END_ID", "node2", "num:double")
_FILES = {
    "nodes.csv": (":ID", "key", "name", "normal", "num:double", "source", "step", "kind", "iri", ":LABEL"),
    "has.csv": (":START_ID", "source", "iri", ":END_ID"),
    "value.csv": _VALUE,
    "value_about.csv": (*_VALUE, "iri", "literal:string[]"),
}
_PROPERTIES = itemgetter("key", "name", "normal", "num", "source", "step", "kind", "iri")
_BITS = {role: 1 << place for place, role in enumerate(Role)}

# No text holds the delimiter of lists: these code points are reserved for a program's own use.
_DELIMITERS = tuple(map(chr, range(0xFDD0, 0xFDF0)))
_TELLING = re.compile(f"[\n\r{_DELIMITERS[0]}-{_DELIMITERS[-1]}]")

_BUFFER = 4 * 1024 * 1024
_CACHED = 500_000
_REPORT_EVERY = 50_000  # rows between two looks at the bar

_SHARED = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
CREATE TABLE shared (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, roles INTEGER NOT NULL, line BLOB NOT NULL);
BEGIN;
"""

_ADD_SHARED = (
    "INSERT INTO shared VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET roles = roles | excluded.roles RETURNING id"
)


class Written(NamedTuple):
    """What stands in the files: nodes (sources not counted), relationships, and the size of all files in bytes."""

    nodes: int
    relationships: int
    size: int


class ImportFiles:
    """Writes the files of any number of sources; a node that several share is written once.

    Args:
        folder: where to; created if need be.
        state: of the sources in the files: `ready`, or `loading` for a load that is going to finish them.
        layout: what the sources say of how they were written, instead of what their plans say.
        progress: whether to show bars on standard error.
    """

    def __init__(
        self,
        folder: Path,
        *,
        state: SourceState = SourceState.READY,
        layout: str | None = None,
        progress: bool = False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._state, self._layout, self._progress = state, layout, progress
        self._open = ExitStack()
        self._nodes, self._has, self._value, self._value_about = (self._file(*item) for item in _FILES.items())
        self._sql = sqlite3.connect(self._scratch("shared.sqlite"), isolation_level=None)
        self._open.callback(self._sql.close)
        self._sql.executescript(_SHARED)
        self._sources: list[dict[str, Any]] = []
        self._count = 0
        self._relationships = 0
        self._longest = 0
        self._delimiter = ""
        self._multiline = self._repair = False

    def _scratch(self, name: str) -> Path:
        """A file that is removed in the end."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        self._open.callback(path.unlink, missing_ok=True)
        return path

    def _file(self, name: str, columns: Iterable[str]) -> IO[bytes]:
        file = self._open.enter_context((self.folder / name).open("wb", buffering=_BUFFER))
        file.write(_header(columns))
        return file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files and removes what only their writing needs."""
        self._open.close()

    def add(self, plan: LoadRecord, staged: Staged) -> None:
        """Writes the nodes and relationships of one source; its stage is not needed afterwards.

        Raises:
            BadInput: a text holds the character that the files keep the elements of their lists apart with.
        """
        roles = self._look_over(plan, staged)
        with (
            self._room(),
            ExitStack() as scratch,
            bar(f"{source_name(plan.name)}, files", "triples", plan.triples, show=self._progress) as shown,
        ):
            texts = _Texts(self.folder / "texts", plan.nodes)
            scratch.callback(texts.close)
            self._write_nodes(plan, staged, roles, texts)
            texts.settle()
            self._write_groups(plan, staged, texts, shown)
        about = plan.properties() | {"name": plan.name}
        if self._layout is not None:
            about["layout"] = self._layout
        self._sources.append(about)

    def _look_over(self, plan: LoadRecord, staged: Staged) -> array[int]:
        """The roles of each node as bits, by stage number; on the way, finds the characters that need care."""
        roles = array("B", bytes(plan.nodes))
        found = set(_TELLING.findall("".join(plan.columns or ())))
        search = _TELLING.search
        for role, bit in _BITS.items():
            for node in staged.nodes(role):
                roles[node.id] |= bit
                for text in (node.name, node.iri):
                    if text and search(text):
                        found.update(_TELLING.findall(text))
        self._take_care(found, plan)
        return roles

    def _take_care(self, found: set[str], plan: LoadRecord) -> None:
        self._multiline |= not found.isdisjoint("\n\r")
        if not self._delimiter:
            self._delimiter = next((character for character in _DELIMITERS if character not in found), "")
        if not self._delimiter or self._delimiter in found:
            raise BadInput(
                f"A text in '{source_name(plan.name)}' holds a character that Unicode reserves (U+FDD0 to U+FDEF).",
                "Export it in another format.",
            )

    def _write_nodes(self, plan: LoadRecord, staged: Staged, roles: array[int], texts: _Texts) -> None:
        """Writes the owned nodes, keeps the shared ones, and gives each node's number in the files to `texts`."""
        for role, bit in _BITS.items():
            for node in staged.nodes(role):
                if roles[node.id] & (bit - 1):
                    continue  # it came with an earlier role, which made it what it is, as in the graph
                row = node_row(node, role, plan.step)
                cells = list(map(_cell, _PROPERTIES(row)))
                line = b",".join(cells)
                number = self._count
                if node.source is None:
                    number = self._shared(number, node.key, roles[node.id], line)
                else:
                    self._nodes.write(b"%d,%b,%b\n" % (number, line, self._labels(roles[node.id])))
                self._count += number == self._count
                texts.put(node.id, b"%d,%b,%b\n" % (number, cells[0], cells[3]))

    def _shared(self, number: int, key: str, roles: int, line: bytes) -> int:
        """The number in the files of a node that several sources may have."""
        try:
            return int(self._sql.execute(_ADD_SHARED, (number, key, roles, line)).fetchone()[0])
        except sqlite3.Error as error:  # here, since the stage has errors of SQLite too
            raise self._no_room(error) from error

    def _no_room(self, error: Exception) -> NoRoom:
        why = getattr(error, "strerror", None) or error
        free = f"{shutil.disk_usage(self.folder).free / 1e6:,.0f} MB free"
        return NoRoom(
            f"The importer's files cannot be written: {self.folder} has {free}: {why}. Nothing was loaded.",
            "Free some space there, or choose a folder on a disk with more room.",
        )

    @contextmanager
    def _room(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno not in FULL:
                raise
            raise self._no_room(error) from error

    def _labels(self, roles: int) -> bytes:
        names = ["CgNode", *(role.value for role, bit in _BITS.items() if roles & bit)]
        return self._delimiter.join(names).encode()

    def _write_groups(self, plan: LoadRecord, staged: Staged, texts: _Texts, shown: Bar) -> None:
        write, text_of, start_of = self._value.write, texts.__getitem__, _Starts(texts).__getitem__
        source = _quoted(plan.name)
        names: tuple[str, ...] | None = None
        condition = b""
        rows = told = 0
        for group in staged.groups():
            node2 = group.node2
            rows += len(node2)
            if not group.condition:
                self._write_has(group, source, texts)
                continue
            if names is not group.condition:  # a fact's groups follow each other
                names = group.condition
                condition = self._condition(group, source)
            row = start_of(group.node1) + condition
            if group.about is not None:
                self._write_about(row, group, texts, plan)
            else:
                write(row + row.join(map(text_of, node2)))
            if rows - told >= _REPORT_EVERY:
                shown.update(rows - told)
                told = rows
        shown.update(rows - told)
        self._relationships += rows

    def _condition(self, group: Group, source: bytes) -> bytes:
        """The columns condition, head, relation and source, with a comma behind them."""
        self._repair |= group.condition == ("",)
        text = _quoted(self._delimiter.join(group.condition))
        self._longest = max(self._longest, len(text))
        return b"%b,%b,%b,%b," % (text, _quoted(group.head), _cell(relation_of(group.condition)), source)

    def _write_has(self, group: Group, source: bytes, texts: _Texts) -> None:
        row = b"%b,%b,%b," % (texts.number(group.node1), source, _cell(group.iri))
        self._has.write(b"".join(b"%b%b\n" % (row, texts.number(node)) for node in group.node2))

    def _write_about(self, row: bytes, group: Group, texts: _Texts, plan: LoadRecord) -> None:
        assert group.about is not None
        for node, about in zip(group.node2, group.about, strict=True):
            if found := _TELLING.findall("".join((about.iri or "", *(about.literal or ())))):
                self._take_care(set(found), plan)
            self._value_about.write(b"%b%b%b\n" % (row, texts.start(node), self._about(about)))

    def _about(self, about: ValueAnnotation) -> bytes:
        """The columns num, iri and literal."""
        literal = None if about.literal is None else self._delimiter.join(about.literal)
        return b"%b,%b,%b" % (_cell(about.num), _cell(about.iri), _cell(literal))

    def finish(self) -> Written:
        """Writes what all sources share, the sources, and how to import it all."""
        with self._room():
            for number, roles, line in self._sql.execute("SELECT id, roles, line FROM shared ORDER BY id"):
                self._nodes.write(b"%d,%b,%b\n" % (number, line, self._labels(roles)))
            self._write_sources()
            self._open.close()
        files = self._drop_empty()
        guide = Guide(self._delimiter, self._multiline, self._longest, self._repair, self._sources)
        guide.write(self.folder, files)
        size = sum((self.folder / name).stat().st_size for name in files)
        return Written(self._count, self._relationships, size)

    def _write_sources(self) -> None:
        now = datetime.now(UTC).isoformat()
        times = {"started": now} | ({"loaded": now} if self._state is SourceState.READY else {})
        rows = [{**about, "state": self._state.value, **times} for about in self._sources]
        columns = {name: value for row in rows for name, value in row.items() if value is not None}
        header = (":ID", *(name + _type(name, value) for name, value in columns.items()), ":LABEL")
        file = self._file("sources.csv", header)
        for number, row in enumerate(rows, self._count):
            cells = (self._cells(row.get(name)) for name in columns)
            file.write(b"%d,%b,CgSource\n" % (number, b",".join(cells)))

    def _cells(self, value: Any) -> bytes:
        return _cell(self._delimiter.join(value) if isinstance(value, tuple) else value)

    def _drop_empty(self) -> list[str]:
        """Removes the files without rows; returns the names of the others."""
        for name, columns in _FILES.items():
            if (self.folder / name).stat().st_size == len(_header(columns)):
                (self.folder / name).unlink()
        return [name for name in (*_FILES, "sources.csv") if (self.folder / name).exists()]


def _quoted(text: str) -> bytes:
    return b'"%b"' % text.replace('"', '""').encode()


def _cell(value: str | float | None) -> bytes:
    """A field: a text in quotes, a number as Python and Java both write it, nothing for None."""
    if value is None:
        return b""
    return _quoted(value) if isinstance(value, str) else repr(value).encode()


def _type(name: str, value: Any) -> str:
    if name in ("started", "loaded"):
        return ":datetime"
    return ":string[]" if isinstance(value, tuple) else ":long" if isinstance(value, int) else ""


def _header(columns: Iterable[str]) -> bytes:
    return (",".join(columns) + "\n").encode()


class _Texts(dict[int, bytes]):
    """The ends of rows by stage number: a node's number in the files, its key and its `num`, with a line's end.

    All are in a file that is mapped into memory, those used lately in this dictionary.
    """

    def __init__(self, path: Path, nodes: int) -> None:
        super().__init__()
        self._path = path
        self._file = path.open("w+b", buffering=_BUFFER)
        self._starts, self._lengths = array("Q", bytes(8 * nodes)), array("L", bytes(array("L").itemsize * nodes))
        self._end = 0
        self._map: mmap.mmap | bytes = b""

    def put(self, node: int, text: bytes) -> None:
        self._starts[node], self._lengths[node] = self._end, len(text)
        self._end += self._file.write(text)

    def settle(self) -> None:
        """Ends the putting."""
        self._file.flush()
        if self._end:
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)

    def close(self) -> None:
        """Removes the file."""
        if isinstance(self._map, mmap.mmap):
            self._map.close()
        self._file.close()
        self._path.unlink(missing_ok=True)

    def __missing__(self, node: int) -> bytes:
        if len(self) >= _CACHED:
            self.clear()
        start = self._starts[node]
        text = self[node] = self._map[start : start + self._lengths[node]]
        return text

    def start(self, node: int) -> bytes:
        """All but `num`: what a row begins with, where the node is its node1."""
        text = self[node]
        return text[: text.rindex(b",") + 1]

    def number(self, node: int) -> bytes:
        """The node's number in the files."""
        text = self[node]
        return text[: text.index(b",")]


class _Starts(dict[int, bytes]):
    """The beginnings of rows by stage number."""

    def __init__(self, texts: _Texts) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, node: int) -> bytes:
        if len(self) >= _CACHED:
            self.clear()
        text = self[node] = self._texts.start(node)
        return text
