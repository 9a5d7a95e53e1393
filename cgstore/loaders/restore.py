"""Reads a dump (`cgstore.export.dump`) and writes its sources with the loaders' writer.

A dump may come from anywhere. No member is unpacked to a file, lines are read one at a time and are bounded, and each
source is checked whole against its record before any of it is written.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from cgstore.catalog.kinds import SOURCE_KINDS, kind_named
from cgstore.catalog.registry import LoadRecord, check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.aliases import Alias, AliasStage, write_aliases
from cgstore.loaders.staging import Group, StagedNode, ValueAnnotation
from cgstore.loaders.writer.target import Online
from cgstore.loaders.writer.upgrade import upgrade_times
from cgstore.model import FORMAT, FORMAT_OF_TIMES, Role
from cgstore.observe.progress import waiting
from cgstore.text.dates import Step
from cgstore.text.json_text import read_json
from cgstore.text.names import FACT_PARTS, STATEMENT_NUMBER, is_unicode, owned_key, shared_key
from cgstore.text.roles import Role as ColumnRole

VERSION = 1
"""The version of the format of dumps."""

GRAPH_FORMATS = range(FORMAT, FORMAT_OF_TIMES + 1)
"""The formats of sources, those of older versions too."""

MANIFEST, DEMONSTRATIONS = "manifest.json", "demonstrations.jsonl"
NODES, TRIPLES, ALIASES_FILE = "nodes.jsonl", "triples.jsonl", "aliases.jsonl"

LONGEST_LINE = 64_000_000
"""Bytes of a line, which holds the triples of one node1 and condition."""

LARGEST_MANIFEST = 64_000_000
MOST_SOURCES = 100_000
DENSEST = 300
"""Times that a member may be larger than its compressed bytes, beyond `ALWAYS`."""

ALWAYS = 50_000_000
_ROLES = list(Role)
_FARTHEST = 10**15  # days and more to or from any time of a source
_FIELDS = {"name": str, "kind": str, "fingerprint": str, "facts": int, "nodes": int, "has": int, "value": int}


def member(number: int, file: str) -> str:
    """The name of a file of a source in a dump."""
    return f"sources/{number}/{file}"


class Dump:
    """A dump that is open for reading. A context manager.

    Raises:
        BadInput: the file is not a dump, is of another version, or is damaged.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._zip = ZipFile(file)
        except (OSError, BadZipFile, ValueError) as error:
            raise BadInput(f"{file} cannot be read as a dump: {error}", "`cgstore dump FILE` writes one.") from error
        try:
            self._sizes = self._checked_sizes()
            self.records = self._read_manifest()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Dump:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def _checked_sizes(self) -> dict[str, int]:
        sizes = {}
        for info in self._zip.infolist():
            if info.file_size > ALWAYS + DENSEST * info.compress_size:
                raise self.damaged(f"{info.filename[:100]} would unpack to {info.file_size:,} bytes")
            if info.filename in sizes:
                raise self.damaged(f"{info.filename[:100]} stands in it twice")
            sizes[info.filename] = info.file_size
        return sizes

    def _read_manifest(self) -> list[dict[str, Any]]:
        if self._sizes.get(MANIFEST, LARGEST_MANIFEST) >= LARGEST_MANIFEST:
            raise self.damaged("it has no manifest")
        with self._errors(), self._zip.open(MANIFEST) as stream:
            manifest = read_json(stream.read(LARGEST_MANIFEST).decode("utf-8"))
        if not isinstance(manifest, dict) or manifest.get("format") != "cgstore dump":
            raise self.damaged("its manifest is not that of a dump")
        if manifest.get("version") != VERSION or manifest.get("graph_format") not in GRAPH_FORMATS:
            hint = "Restore it with the version of cgstore that wrote it, and export its sources (`cgstore export`)."
            raise BadInput(f"{self.file} was written by another version of cgstore.", hint)
        records = manifest.get("sources")
        if not isinstance(records, list) or len(records) > MOST_SOURCES:
            raise self.damaged("its manifest lists no sources")
        for record in records:
            self._check_record(record)
        if len({record["name"] for record in records}) < len(records):
            raise self.damaged("its manifest names a source twice")
        wanted = {MANIFEST, DEMONSTRATIONS}
        for number, record in enumerate(records):
            files = (NODES, TRIPLES) if kind_named(record["kind"]).has_facts else (ALIASES_FILE,)
            wanted |= {member(number, file) for file in files}
        if wanted != set(self._sizes):
            raise self.damaged(f"it holds other files than it lists: {min(wanted ^ set(self._sizes))[:100]}")
        return records

    def _check_record(self, record: Any) -> None:
        """Refuses a record of a source that no load could have made."""
        if not isinstance(record, dict) or record.get("kind") not in SOURCE_KINDS:
            raise self.damaged("its manifest has a source of no known kind")
        for name, kind in _FIELDS.items():
            value = record.get(name)
            if type(value) is not kind or (isinstance(value, int) and value < 0):
                raise self.damaged(f"the {name} of a source is not one")
        columns, step = record.get("columns"), record.get("step")
        stored, parallel = record.get("stored"), record.get("parallel")
        flags = record.get("ends"), record.get("coarse")
        if not _is_text_or_none(record.get("now")) or any(flag not in (None, True, False) for flag in flags):
            raise self.damaged("the times of a source are not described")
        if columns is not None and not _are_texts(columns):
            raise self.damaged("the columns of a source are not texts")
        if not _are_roles(record.get("roles", {})):
            raise self.damaged("the roles of the relations of a source are not roles")
        if step not in (None, "", *Step):
            raise self.damaged("the step of a source is not one")
        if stored is not None and not (type(stored) is int and kind_named(record["kind"]).has_times and step):
            raise self.damaged("the periods of a source are not those of times")
        if parallel is not None and not (type(parallel) is int and 0 < parallel <= record["facts"]):
            raise self.damaged("the parallel facts of a source are not a number of its facts")
        check_source_name(record["name"])

    def lines(self, name: str) -> Iterator[Any]:
        """The values of the lines of a member.

        Raises:
            BadInput: a line is too long or not JSON.
        """
        with self._errors(), self._zip.open(name) as stream:
            while line := stream.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise self.damaged(f"a line of {name} is longer than {LONGEST_LINE:,} bytes")
                yield read_json(line.decode("utf-8", "surrogatepass"))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, BadZipFile, EOFError, zlib.error, ValueError, RecursionError, RuntimeError, KeyError) as error:
            raise self.damaged(str(error)[:200]) from error

    def damaged(self, why: str) -> BadInput:
        """The error of a dump that cannot be used."""
        return BadInput(f"{self.file} is not a whole dump: {why}.", "Write it again with `cgstore dump`.")


class DumpedSource:
    """The nodes and triples of the `number`th source in a dump, as the writer takes them, under its `stored` name."""

    def __init__(self, dump: Dump, number: int, stored: str) -> None:
        self._dump, self._number, self._stored = dump, number, stored
        self._record = dump.records[number]
        self._has_rows = kind_named(self._record["kind"]).has_rows

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """See `Staged.nodes`."""
        place = _ROLES.index(role)
        for number, (name, roles, kind, iri) in enumerate(self._dump.lines(member(self._number, NODES))):
            if place in roles:
                source = self._stored if role.owned else None
                key = owned_key(self._stored, name) if role.owned else shared_key(name)
                said = self._record.get("roles", {}).get(name) if role is Role.RELATION else None
                yield StagedNode(number, key, name, source, kind, iri, said)

    def groups(self) -> Iterator[Group]:
        """See `Staged.groups`."""
        for node1, condition, node2, about, *iri in self._dump.lines(member(self._number, TRIPLES)):
            if not condition:
                yield Group(node1, (), "", node2, None, *iri)
                continue
            head = owned_key(self._stored, condition[0]) if self._has_rows else shared_key(condition[0])
            group = Group(node1, tuple(condition), head, node2)
            if iri:
                yield group._replace(about=[ValueAnnotation(*each) for each in about])
            else:
                yield group._replace(periods=[(first, last) for first, last in about])

    def check(self) -> None:
        """Refuses nodes and triples that no load could have made, and other counts than those of the record."""
        owned: list[bool] = []
        for line in self._dump.lines(member(self._number, NODES)):
            if len(owned) >= self._record["nodes"] or not _is_node(line):
                raise self._damaged("nodes")
            owned.append(_ROLES[line[1][0]].owned)
        has_statements = self._record.get("parallel") is not None
        has = value = stored = 0
        for line in self._dump.lines(member(self._number, TRIPLES)):
            if self._record.get("stored") is not None and _are_periods(line, owned):
                value += sum(last - first + 1 for first, last in line[3])
            elif _is_group(line, owned) and (has_statements or len(line[1]) <= FACT_PARTS):
                has, value = (has, value + len(line[2])) if line[1] else (has + len(line[2]), value)
            else:
                raise self._damaged("triples")
            stored += len(line[2])
            if has > self._record["has"] or value > self._record["value"]:
                raise self._damaged("triples")
        if (len(owned), has, value) != tuple(self._record[name] for name in ("nodes", "has", "value")):
            raise self._damaged("nodes or triples")
        if self._record.get("stored") not in (None, stored):
            raise self._damaged("periods")

    def _damaged(self, what: str) -> BadInput:
        return self._dump.damaged(f"the {what} of source '{self._record['name'][:100]}' are not those of its record")


def restore_sources(
    db: Database, dump: Dump, names: Sequence[str] | None, *, replace: bool = False, progress: bool = False
) -> list[tuple[LoadRecord, bool]]:
    """Writes the sources of a dump, each as a load does: a restore that was cut short goes on where it stopped.

    Returns the records of the sources (all if `names` is None), and whether each is new; a source with the same content
    is left as it is. `replace` replaces a source of the same name with other content.

    Raises:
        BadInput: a source is damaged, or there is another one of its name. Sources before it were restored.
    """
    there = [record["name"] for record in dump.records]
    if missing := set(names or ()) - set(there):
        raise BadInput(f"{dump.file} has no source '{min(missing)}'.", f"It has: {', '.join(there[:20])}.")
    restored = []
    for number, record in enumerate(dump.records):
        if names is None or record["name"] in names:
            target = Online(db, replace=replace, progress=progress)
            written = _restore(target, dump, number, record)
            target.finish()
            upgrade_times(db, [written.name])
            restored.append((written, written.name in target.written))
    return restored


def _restore(target: Online, dump: Dump, number: int, record: dict[str, Any]) -> LoadRecord:
    stored = target.stored_name(record["name"])
    about = {field: record[field] for field in _FIELDS if field != "name"}
    columns = None if record.get("columns") is None else tuple(record["columns"])
    about |= {field: record.get(field) for field in ("step", "stored", "parallel", "now", "ends", "coarse")}
    written = LoadRecord(name=stored, columns=columns, **about)
    if kind_named(record["kind"]).has_facts:
        source = DumpedSource(dump, number, stored)
        with waiting(f"source '{record['name']}' to be checked"):
            source.check()
        target.take(written, source)
        return written
    with AliasStage(stored) as stage:
        for line in dump.lines(member(number, ALIASES_FILE)):
            if not _are_texts(line) or len(line) != 2:
                raise dump.damaged("an alias is not one")
            stage.add(Alias(*line))
        stage.settle()
        if (stage.fingerprint, stage.fact_count) != (record["fingerprint"], record["facts"]):
            raise dump.damaged(f"the aliases of source '{record['name'][:100]}' are not those of its record")
        target.take(written, stage, write=write_aliases)
    return written


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and is_unicode(each) for each in value)


def _is_text_or_none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and is_unicode(value))


def _are_roles(value: Any) -> bool:
    return isinstance(value, dict) and all(role in set(ColumnRole) for role in value.values())


def _is_node(line: Any) -> bool:
    """Whether a line is a node: name, places of its roles, which are all owned or all shared, kind, IRI."""
    if not isinstance(line, list) or len(line) != 4 or not _are_texts([line[0]]):
        return False
    name, roles, kind, iri = line
    if not (isinstance(roles, list) and roles and all(type(role) is int and 0 <= role < len(_ROLES) for role in roles)):
        return False
    if len({_ROLES[role].owned for role in roles}) > 1 or not (_is_text_or_none(kind) and _is_text_or_none(iri)):
        return False
    return Role.LINE not in {_ROLES[role] for role in roles} or (
        name.startswith("[line_") and name.endswith("]") and name[6:-1].isdecimal() and len(name) < 30
    )


def _is_group(line: Any, owned: Sequence[bool]) -> bool:
    """Whether a line is triples of one node1 and condition; triples with a condition belong to a relation or key."""
    if not isinstance(line, list) or len(line) != 5:
        return False
    node1, condition, node2, about, iri = line
    if not isinstance(node2, list) or not node2 or not _are_texts(condition) or not _is_text_or_none(iri):
        return False
    if not all(type(node) is int and 0 <= node < len(owned) for node in (node1, *node2)):
        return False
    if not condition:
        return about is None and all(owned[node] for node in node2)
    if not (len(condition) == 1 or _is_of_statement(condition)) or not owned[node1]:
        return False
    return isinstance(about, list) and len(about) == len(node2) and all(map(_is_annotation, about))


def _is_of_statement(condition: Sequence[str]) -> bool:
    """Whether a condition is a whole fact, or a further statement about it."""
    fact, number = condition[:FACT_PARTS], condition[FACT_PARTS:]
    is_number = len(number) == 1 and STATEMENT_NUMBER.fullmatch(number[0])
    return len(fact) == FACT_PARTS and bool(is_number or not number)


def _are_periods(line: Any, owned: Sequence[bool]) -> bool:
    """Whether a line is periods of one fact: a key, the fact, their first times, first and last of each, in order."""
    if not isinstance(line, list) or len(line) != 4:
        return False
    key, condition, nodes, periods = line
    if not (isinstance(nodes, list) and isinstance(periods, list) and 0 < len(nodes) == len(periods)):
        return False
    if not all(type(node) is int and 0 <= node < len(owned) for node in (key, *nodes)) or not owned[key]:
        return False
    if not (_are_texts(condition) and len(condition) == FACT_PARTS):
        return False
    if not all(isinstance(each, list) and len(each) == 2 and all(type(n) is int for n in each) for each in periods):
        return False
    bounds = [-_FARTHEST, *(n for each in periods for n in each), _FARTHEST]
    return all(one <= other for one, other in pairwise(bounds)) and all(
        before[1] < after[0] for before, after in pairwise(periods)
    )


def _is_annotation(each: Any) -> bool:
    if not isinstance(each, list) or len(each) not in (3, 4):
        return False
    number, iri, literal, *ends = each
    if not all(map(_are_texts, ends)):
        return False
    is_number = number is None or (type(number) in (int, float) and number == number)
    return is_number and _is_text_or_none(iri) and (literal is None or _are_texts(literal))
