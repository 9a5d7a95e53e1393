"""A graph as one file, and back: its sources, with the demonstrations and the feedback of its users."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from cgstore.catalog.sources import list_sources
from cgstore.cypher.connection import Database
from cgstore.errors import LOAD_FIRST, BadInput
from cgstore.export.dump import dump_sources
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, all_stored, put
from cgstore.loaders.restore import DEMONSTRATIONS, Dump, restore_sources
from cgstore.model import SourceState
from cgstore.text.names import is_unicode, source_name

MOST_DEMONSTRATIONS = 1_000_000
_FIELDS = {field.name for field in fields(StoredDemonstration)}
_LISTS = {"gold", "sources", "gave"}


@dataclass(frozen=True)
class DumpReport:
    """What was dumped; `bytes` is the size of the file."""

    file: str
    sources: tuple[str, ...]
    triples: int
    demonstrations: int
    bytes: int
    seconds: float


@dataclass(frozen=True)
class RestoreReport:
    """What was restored. `unchanged` are sources that were there with the same content.

    `kept` counts demonstrations of the graph that stayed, since they are for questions of the dump's.
    """

    file: str
    sources: tuple[str, ...]
    unchanged: tuple[str, ...]
    triples: int
    demonstrations: int
    kept: int
    seconds: float


def dump(db: Database, file: Path, sources: Sequence[str] | None = None, *, progress: bool = False) -> DumpReport:
    """Writes a graph to a file; see `Store.dump`."""
    began = time.monotonic()
    names = sources or [source.name for source in list_sources(db) if source.state == SourceState.READY]
    names = list(dict.fromkeys(names))
    stored = [one for one in all_stored(db) if sources is None or set(one.sources) & set(names)]
    if not names and not stored:
        raise BadInput("Nothing is loaded.", LOAD_FIRST)
    chosen = dump_sources(db, names, map(asdict, stored), file, progress=progress)
    return DumpReport(
        file=str(file),
        sources=tuple(names),
        triples=sum(each.source.triples for each in chosen),
        demonstrations=len(stored),
        bytes=file.stat().st_size,
        seconds=round(time.monotonic() - began, 3),
    )


def restore(
    db: Database,
    file: Path,
    sources: Sequence[str] | None = None,
    *,
    replace: bool = False,
    progress: bool = False,
) -> RestoreReport:
    """Brings the sources of a dump back; see `Store.restore`."""
    began = time.monotonic()
    with Dump(file) as archive:
        demonstrations = _read_demonstrations(archive)
        restored = restore_sources(db, archive, sources, replace=replace, progress=progress)
    if sources is not None:
        demonstrations = [one for one in demonstrations if set(one.sources) & set(sources)]
    there = set() if replace else {one.key for one in all_stored(db)}
    new = [one for one in demonstrations if one.key not in there]
    put(db, *new)
    return RestoreReport(
        file=str(file),
        sources=tuple(source_name(record.name) for record, is_new in restored if is_new),
        unchanged=tuple(source_name(record.name) for record, is_new in restored if not is_new),
        triples=sum(record.triples for record, is_new in restored if is_new),
        demonstrations=len(new),
        kept=len(demonstrations) - len(new),
        seconds=round(time.monotonic() - began, 3),
    )


def _read_demonstrations(archive: Dump) -> list[StoredDemonstration]:
    found: list[StoredDemonstration] = []
    for line in archive.lines(DEMONSTRATIONS):
        if len(found) >= MOST_DEMONSTRATIONS or not _is_demonstration(line):
            raise archive.damaged("a demonstration is not one")
        lists = {name: tuple(line[name]) for name in _LISTS}
        found.append(StoredDemonstration(**{**line, **lists, "state": State(line["state"])}))
    return found


def _is_demonstration(line: Any) -> bool:
    if not isinstance(line, dict) or set(line) != _FIELDS or line["state"] not in set(State):
        return False
    texts = [value for name, value in line.items() if name not in _LISTS]
    lists = [line[name] for name in _LISTS]
    if not all(isinstance(each, list) for each in lists):
        return False
    return all(isinstance(text, str) and is_unicode(text) for text in [*texts, *(t for each in lists for t in each)])
