"""`export --format import`: a source as files for Neo4j's own importer, for a first load into any other server.

The source is read out of the graph into a temporary SQLite file, and from there written as CSV. The importer makes of
the files what a load would have made.

The importer takes every character of a quoted field as it is, with quotes doubled, and distinguishes `""` (an empty
text) from nothing (no property). The one exception is a list of one empty text, which it drops; `after.cypher` restores
it.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError, NoRoom
from cgstore.export.import_cells import cell, type_of
from cgstore.export.read import Chosen, check_unchanged, choose
from cgstore.loaders.graph import reading
from cgstore.loaders.staging import FULL, Stage, StagedNode
from cgstore.loaders.writer.write import node_row, relation_of
from cgstore.model import Role, SourceState, TimeKey
from cgstore.progress import Bar, bar
from cgstore.source_kinds import kind_named
from cgstore.text.names import SEPARATOR
from cgstore.text.periods import fork_of

if TYPE_CHECKING:
    from neo4j import Transaction

ARGUMENTS, AFTER, README = "import.args", "after.cypher", "README.txt"

_OWNED = """
MATCH (o:{role}) USING INDEX o:{role}(source) WHERE o.source = $source
RETURN o.name AS name, o.kind AS kind, o.iri AS iri, o.role AS role
"""

_HAS = """
MATCH (r:CgRelation)<-[has:CG_HAS]-(a) USING INDEX r:CgRelation(source) WHERE r.source = $source
RETURN a.name AS node1, a:CgLine AS is_line, r.name AS node2, has.iri AS iri
"""

_VALUE = """
MATCH (o:{role})-[v:CG_VALUE]->(b) USING INDEX o:{role}(source)
WHERE o.source = $source AND (size(v.condition) = 1) = $alone
RETURN o.name AS node1, v.condition AS condition, v.head AS head, b.name AS node2, b:CgEntity AS is_entity,
  b:CgValue AS is_value, v.num AS num, v.iri AS iri, v.literal AS literal, v.ends AS ends
"""

_PERIODS = """
MATCH (o:CgKey)-[p:CG_PERIOD]->(b) USING INDEX o:CgKey(source) WHERE o.source = $source
RETURN p.condition AS condition, p.head AS head, b.name AS node2, p.first AS first, p.last AS last
"""

_TABLES = (
    "CREATE TABLE triple (node1 INTEGER, condition TEXT, head TEXT, node2 INTEGER, num BLOB, iri TEXT, literal TEXT, "
    "ends TEXT)",
    "CREATE TABLE period (node1 INTEGER, condition TEXT, head TEXT, node2 INTEGER, first INTEGER, last INTEGER)",
)  # `num` as it is written, since SQLite makes 0.0 of -0.0

_NODES = "SELECT id, key, coalesce(name, key), owned, roles FROM node ORDER BY id"

_TRIPLES = """
SELECT t.node1, t.condition, t.head, t.node2, t.num, t.iri, t.literal, t.ends, a.key, b.key
FROM triple t CROSS JOIN node a ON a.id = t.node1 CROSS JOIN node b ON b.id = t.node2
ORDER BY t.node1, t.condition, t.node2
"""

_STRETCHES = """
SELECT p.node1, p.condition, p.head, p.node2, p.first, p.last, a.key
FROM period p CROSS JOIN node a ON a.id = p.node1
ORDER BY p.node1, p.condition, p.first
"""

_COLUMNS = {
    "nodes.csv": (
        ":ID", "key", "name", "normal", "num:double", "source", "step", "periods:boolean", "kind", "iri", "role",
        ":LABEL",
    ),
    "has.csv": (":START_ID", "source", "iri", ":END_ID"),
    "value.csv": (
        ":START_ID", "node1", "condition:string[]", "head", "relation", "source", ":END_ID", "node2", "num:double",
        "iri", "literal:string[]", "ends:string[]",
    ),
    "period.csv": (
        ":START_ID", "node1", "condition:string[]", "head", "relation", "source", ":END_ID", "first:long", "last:long",
        "fork:long",
    ),
}  # fmt: skip
_PROPERTIES = itemgetter("key", "name", "normal", "num", "source", "step", "periods", "kind", "iri", "role")

_OPTIONS = {
    "nodes.csv": "--nodes=",
    "sources.csv": "--nodes=",
    "has.csv": "--relationships=CG_HAS=",
    "value.csv": "--relationships=CG_VALUE=",
    "period.csv": "--relationships=CG_PERIOD=",
}

# These code points are reserved for internal use. One that no text holds separates the elements of lists.
_DELIMITERS = tuple(map(chr, range(0xFDD0, 0xFDF0)))
_SPECIAL = re.compile(f"[\n\r{_DELIMITERS[0]}-{_DELIMITERS[-1]}]")

_BUFFER = _READ_BUFFER = 4 * 1024 * 1024  # bytes; _READ_BUFFER is the importer's default
_REPORT_EVERY = 50_000  # rows between two updates of the bar

_REPAIR = """
:auto MATCH ()-[r:CG_VALUE]->() WHERE r.condition IS NULL
CALL (r) { SET r.condition = [''] } IN TRANSACTIONS OF 10000 ROWS
"""

_PAGE = f"""A condition graph as files for Neo4j's importer: for an empty database of Neo4j 5.26 or later, in UTF-8.

With the database stopped, in this folder, as the user that Neo4j runs as:

  neo4j-admin database import full DATABASE @{ARGUMENTS} --overwrite-destination

DATABASE is neo4j by default. The option says that a database of that name may be replaced: whatever it holds is lost.
Then start it, and create its constraints and indexes:

  cypher-shell -d DATABASE -f {AFTER}

Answers may be asked for when `SHOW INDEXES` calls all of them ONLINE:

  cgstore --uri bolt://HOST:7687 sources
"""


@dataclass(frozen=True)
class ImportReport:
    """What was written: nodes (without that of the source), relationships, bytes, and the folder."""

    source: str
    kind: str
    format: str
    facts: int
    nodes: int
    relationships: int
    size: int
    seconds: float
    path: str


def export_import_files(db: Database, source: str, folder: Path, *, progress: bool = False) -> ImportReport:
    """Writes a source as files for Neo4j's importer, with a README that says how to use them.

    Args:
        db: the database.
        source: its name.
        folder: where to; must be empty or new.
        progress: whether to show a bar on standard error.

    Raises:
        BadInput: there is no such source, it holds aliases or changed meanwhile, or the folder is not empty.
        CgstoreError: the source is not complete.
        NoDatabase: the connection was lost.
        NoRoom: the disk is full.
    """
    began = time.monotonic()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} is not an empty folder.", "Give --output a new one.")
    chosen = choose(db, source)
    if not kind_named(chosen.source.kind).has_facts:
        raise BadInput(f"Source '{source}' holds aliases, which the importer's files do not.", "Give --format tsv.")
    with _GraphStage(chosen) as stage, _room(folder):
        stage.read(db)
        folder.mkdir(parents=True, exist_ok=True)
        files = _ImportFiles(folder, stage)
        names = files.write(progress)
    found = chosen.source
    return ImportReport(
        source=found.name,
        kind=found.kind,
        format="import",
        facts=found.facts,
        nodes=stage.node_count,
        relationships=found.relationships,
        size=sum((folder / name).stat().st_size for name in names),
        seconds=round(time.monotonic() - began, 3),
        path=str(folder),
    )


@contextmanager
def _room(folder: Path) -> Iterator[None]:
    """Turns the errors of a full disk into `NoRoom`."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        free = f"{shutil.disk_usage(folder).free / 1e6:,.0f} MB free"
        raise NoRoom(
            f"The importer's files cannot be written: {folder} has {free}: {error.strerror}. Nothing was exported.",
            "Free some space there, or choose a folder on a disk with more room.",
        ) from error


class _GraphStage(Stage):
    """A source as the graph has it, read into a stage.

    The keys of its owned nodes are those under the source's own name, without the version. `special` has the characters
    of its texts that need care in the files.
    """

    def __init__(self, chosen: Chosen) -> None:
        super().__init__(chosen.source.name)
        for table in _TABLES:
            self.sql.execute(table)
        self.chosen = chosen
        self.owned: dict[tuple[Role, str], dict[str, Any]] = {}
        self.special: set[str] = set()

    def read(self, db: Database) -> None:
        """Reads all nodes and triples of the source.

        Raises:
            BadInput: the source was dropped or replaced meanwhile.
            CgstoreError: the source is not complete.
        """
        stored, found = self.chosen.stored, self.chosen.source
        with reading(db) as tx:
            for role in (Role.RELATION, Role.KEY):
                for record in tx.run(_OWNED.format(role=role.value), source=stored):
                    self.owned[role, record["name"]] = dict(record)
                    self._look_at(record["iri"])
            count = self._read_has(tx) + self._read_values(tx, Role.RELATION) + self._read_values(tx, Role.KEY)
            count += self._read_periods(tx)
        check_unchanged(db, self.chosen)
        if count != found.relationships:
            raise CgstoreError(
                f"Source '{self.source}' is not complete: {count:,} of its {found.relationships:,} relationships were "
                "found.",
                f"Something else deleted them; drop it and load it again: `cgstore drop {self.source}`.",
            )
        for text in (*found.columns, *(row[2] for row in self.sql.execute(_NODES))):
            self._look_at(text)

    def _look_at(self, text: str | None) -> None:
        if text and _SPECIAL.search(text):
            self.special.update(_SPECIAL.findall(text))

    def _read_has(self, tx: Transaction) -> int:
        count = 0
        for count, record in enumerate(tx.run(_HAS, source=self.chosen.stored), 1):  # noqa: B007
            head = self.node(record["node1"], Role.LINE if record["is_line"] else Role.ENTITY)
            self._add(head, [], "", self.node(record["node2"], Role.RELATION), iri=record["iri"])
        return count

    def _read_values(self, tx: Transaction, role: Role) -> int:
        count, stored = 0, self.chosen.stored + SEPARATOR
        records = tx.run(_VALUE.format(role=role.value), source=self.chosen.stored, alone=role is Role.RELATION)
        for count, record in enumerate(records, 1):  # noqa: B007
            roles = [r for r, has in ((Role.ENTITY, record["is_entity"]), (Role.VALUE, record["is_value"])) if has]
            node2 = [self.node(record["node2"], r) for r in roles][-1]
            head = record["head"]
            if head.startswith(stored):
                head = self.source + SEPARATOR + head.removeprefix(stored)
            about = {name: record[name] for name in ("num", "iri", "literal", "ends")}
            self._add(self.node(record["node1"], role), record["condition"], head, node2, **about)
        return count

    def _read_periods(self, tx: Transaction) -> int:
        count = 0
        for count, record in enumerate(tx.run(_PERIODS, source=self.chosen.stored), 1):  # noqa: B007
            condition, head, name, first, last = record.values()
            key, node2 = self.node(TimeKey.TIME.value, Role.KEY), self.node(name, Role.VALUE)
            row = (key, _packed(condition), head, node2, first, last)
            self.sql.execute("INSERT INTO period VALUES (?, ?, ?, ?, ?, ?)", row)
        return count

    def _add(
        self,
        node1: int,
        condition: list[str],
        head: str,
        node2: int,
        num: float | None = None,
        iri: str | None = None,
        literal: list[str] | None = None,
        ends: list[str] | None = None,
    ) -> None:
        for text in (iri, *(literal or ())):
            self._look_at(text)
        values = (
            node1,
            _packed(condition),
            head,
            node2,
            cell(num),
            iri,
            None if literal is None else _packed(literal),
            None if ends is None else _packed(ends),
        )
        self.sql.execute("INSERT INTO triple VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)


def _packed(texts: Sequence[str]) -> str:
    return json.dumps(texts, ensure_ascii=False)


class _ImportFiles:
    """The files of one source: its nodes, its relationships, itself, and how to import them."""

    def __init__(self, folder: Path, stage: _GraphStage) -> None:
        self._folder, self._stage = folder, stage
        self._delimiter = next((character for character in _DELIMITERS if character not in stage.special), "")
        if not self._delimiter:
            raise BadInput(
                f"The texts in '{stage.source}' hold all characters that Unicode reserves (U+FDD0 to U+FDEF), and the "
                "importer's files need one of them.",
                "Give --format jsonl.",
            )
        self._longest = 0
        self._has_empty_condition = False

    def write(self, progress: bool) -> list[str]:
        """Writes all files; returns the names of the CSV files."""
        source = self._stage.chosen.source
        with bar(f"{source.name}, files", "triples", source.relationships, show=progress) as shown:
            self._write_nodes()
            self._write_triples(shown)
            if source.stored is not None:
                self._write_periods(shown)
        row = self._write_source()
        names = [name for name in _OPTIONS if (self._folder / name).exists()]
        for name, lines in ((ARGUMENTS, self._arguments(names)), (AFTER, self._after(row)), (README, [_PAGE])):
            (self._folder / name).write_text("".join(lines), encoding="utf-8")
        return names

    def _file(self, name: str, columns: Iterable[str]) -> IO[bytes]:
        file = (self._folder / name).open("wb", buffering=_BUFFER)
        file.write((",".join(columns) + "\n").encode())
        return file

    def _write_nodes(self) -> None:
        roles, stage = list(Role), self._stage
        with self._file("nodes.csv", _COLUMNS["nodes.csv"]) as file:
            for number, key, name, owned, bits in stage.sql.execute(_NODES):
                of_node = [role for place, role in enumerate(roles) if bits >> place & 1]
                node = StagedNode(number, key, name, stage.source if owned else None)
                if about := stage.owned.get((of_node[0], name)):
                    node = node._replace(kind=about["kind"], iri=about["iri"], role=about["role"])
                role = Role.KEY if Role.KEY in of_node else of_node[0]
                has_periods = role is Role.KEY and stage.chosen.source.stored is not None
                row = node_row(node, role, stage.chosen.source.step, has_periods)
                labels = self._delimiter.join(("CgNode", *(role.value for role in of_node)))
                file.write(b"%d,%b,%b\n" % (number, b",".join(map(cell, _PROPERTIES(row))), labels.encode()))

    def _write_triples(self, shown: Bar) -> None:
        source, rows, reported = cell(self._stage.source), 0, 0
        packed, condition = "", b""
        with self._file("has.csv", _COLUMNS["has.csv"]) as has, self._file("value.csv", _COLUMNS["value.csv"]) as value:
            for row in self._stage.sql.execute(_TRIPLES):
                node1, texts, head, node2, num, iri, literal, ends, key1, key2 = row
                rows += 1
                if texts == "[]":
                    has.write(b"%d,%b,%b,%d\n" % (node1, source, cell(iri), node2))
                    continue
                if texts != packed:  # a fact's triples often follow each other
                    packed, condition = texts, self._condition(texts, head)
                cells = (cell(key2), num, cell(iri), self._list(literal), self._list(ends))
                value.write(b"%d,%b,%b,%b,%d,%b\n" % (node1, cell(key1), condition, source, node2, b",".join(cells)))
                if rows - reported >= _REPORT_EVERY:
                    shown.update(rows - reported)
                    reported = rows
        shown.update(rows - reported)

    def _write_periods(self, shown: Bar) -> None:
        source, rows = cell(self._stage.source), 0
        with self._file("period.csv", _COLUMNS["period.csv"]) as file:
            for rows, row in enumerate(self._stage.sql.execute(_STRETCHES), 1):  # noqa: B007
                node1, texts, head, node2, first, last, key = row
                about = b",".join((cell(key), self._condition(texts, head), source))
                file.write(b"%d,%b,%d,%d,%d,%d\n" % (node1, about, node2, first, last, fork_of(first, last)))
        shown.update(rows)

    def _condition(self, packed: str, head: str) -> bytes:
        """The columns condition, head and relation."""
        condition = tuple(json.loads(packed))
        self._has_empty_condition |= condition == ("",)
        text = cell(self._delimiter.join(condition))
        self._longest = max(self._longest, len(text))
        return b"%b,%b,%b" % (text, cell(head), cell(relation_of(condition)))

    def _list(self, packed: str | None) -> bytes:
        return b"" if packed is None else cell(self._delimiter.join(json.loads(packed)))

    def _write_source(self) -> dict[str, Any]:
        found, now = self._stage.chosen.source, datetime.now(UTC).isoformat()
        names = ("name", "kind", "step", "facts", "has", "value", "stored", "parallel", "now", "ends")
        about = {name: getattr(found, name) for name in names}
        record = LoadRecord(
            **about,
            fingerprint=found.fingerprint or "",
            nodes=self._stage.node_count,
            columns=found.columns or None,
            layout="import",
        )
        row = {
            **record.properties(),
            "name": found.name,
            "state": SourceState.READY.value,
            "started": now,
            "loaded": now,
        }
        row = {name: value for name, value in row.items() if value is not None}
        header = (":ID", *(name + type_of(name, value) for name, value in row.items()), ":LABEL")
        with self._file("sources.csv", header) as file:
            cells = (cell(self._delimiter.join(v) if isinstance(v, tuple) else v) for v in row.values())
            file.write(b"%d,%b,CgSource\n" % (self._stage.node_count, b",".join(cells)))
        return row

    def _arguments(self, names: Iterable[str]) -> Iterator[str]:
        """The arguments of the importer, which is to be run in this folder."""
        yield f"--id-type=integer\n--array-delimiter=U+{ord(self._delimiter):04X}\n"
        if not self._stage.special.isdisjoint("\n\r"):
            yield "--multiline-fields=true\n"
        if 2 * self._longest > _READ_BUFFER:
            yield f"--read-buffer-size={2 * self._longest}\n"
        yield from (f"{_OPTIONS[name]}./{name}\n" for name in names)

    def _after(self, source: dict[str, Any]) -> Iterator[str]:
        """What is to be run in the imported database."""
        statements = [*schema.CONSTRAINTS.values()]
        if self._has_empty_condition:
            statements.append(_REPAIR.strip())
        if source.get("columns") == ("",):
            statements.append(f"MATCH (s:CgSource {{name: {json.dumps(source['name'])}}}) SET s.columns = ['']")
        yield from (
            f"{each};\n" for each in (*statements, *schema.VALUE_INDEXES.values(), *schema.NODE_INDEXES.values())
        )
