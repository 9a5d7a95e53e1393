"""`export`: the facts of a source as a file that a load reads back.

All facts are read from the graph into a temporary file, which sorts them. Then they are written to another one, which
gets its name, or goes to the stream, when it is whole.
"""

from __future__ import annotations

import gzip
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from cgstore.catalog.kinds import EXPORT_FORMATS, kind_named
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, NoRoom, setting
from cgstore.export.read import ExportStage, choose, read_source
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.staging import FULL, scratch_errors
from cgstore.model import Source
from cgstore.observe.progress import counted

Writer = Callable[[Source, ExportStage], Iterator[str]]

RDF_FORMATS = ("nt", "nq")


@dataclass(frozen=True)
class ExportReport:
    """What an export wrote.

    `facts` is the number that the load of the source counted. For a temporal source it is the number that was written:
    if periods overlap, it may be smaller. `lines` counts records, a header among them. `path` is None for a stream.
    `step` is the step of a temporal source: a load of the file may need it as --step.
    """

    source: str
    kind: str
    format: str
    facts: int
    lines: int
    seconds: float
    path: str | None
    step: str | None = None


def export_source(
    db: Database,
    source: str,
    to: Path | str | BinaryIO,
    *,
    format: str | None = None,
    progress: bool = False,
) -> ExportReport:
    """Writes the facts of a source, so that loading the file gives the same condition triples.

    Args:
        to: a file, gzipped if its name ends with .gz, which replaces one of that name; or a binary stream.
        format: one of `EXPORT_FORMATS`. None: by the ending of the file, else `nt` for RDF and `tsv` for other sources.

    Raises:
        BadInput: there is no such source, it changed meanwhile, or the format cannot hold it. No file was written.
        NoDatabase: the connection was lost.
    """
    began = time.monotonic()
    chosen = choose(db, source)
    path = Path(to) if isinstance(to, str | Path) else None
    found = chosen.source
    format = format or _format_of(found, path)
    writer = _writer(found, format)
    with ExportStage() as stage:
        read_source(db, chosen, stage, iris=format in RDF_FORMATS, progress=progress)
        lines = counted(writer(found, stage), "write", "lines", show=progress)
        count = _write(to, lines, stage.folder / "lines")
    temporal = kind_named(found.kind).has_times
    return ExportReport(
        source=found.name,
        kind=found.kind,
        format=format,
        facts=count - (format in ("tsv", "csv")) if temporal else stage.fact_count,
        lines=count,
        seconds=round(time.monotonic() - began, 3),
        path=str(path) if path else None,
        step=found.step,
    )


def _format_of(source: Source, path: Path | None) -> str:
    """The format by the ending of a file; refuses the endings of formats that are not written."""
    ending = plain_path(path).suffix.lower().removeprefix(".") if path else ""
    if ending and ending not in EXPORT_FORMATS:
        hint = f"{setting('format')} writes to a file of any name."
        raise BadInput(
            f"An export does not write .{ending} files.", f"Name the file .{', .'.join(EXPORT_FORMATS)}. {hint}"
        )
    return ending or next(iter(kind_named(source.kind).writers))


def _writer(source: Source, format: str) -> Writer:
    kind = kind_named(source.kind)
    if format in kind.writers:
        return kind.writer(format)
    if format in EXPORT_FORMATS:
        problem = f"Source '{source.name}' is {kind.phrase}, which is not written as {format}."
    else:
        problem = f"'{format}' is not a format of an export."
    *others, last = (known for known in EXPORT_FORMATS if known in kind.writers)
    raise BadInput(problem, f"Give {setting('format')} {', '.join(others)} or {last}.")


def _write(to: Path | str | BinaryIO, lines: Iterable[str], waiting: Path) -> int:
    return _to_path(Path(to), lines) if isinstance(to, str | Path) else _to_stream(to, lines, waiting)


def _to_stream(stream: BinaryIO, lines: Iterable[str], waiting: Path) -> int:
    """Writes lines to a stream, once all of them are known to be good."""
    with scratch_errors(waiting.parent), waiting.open("wb") as file:
        count = _written(file, lines)
    with waiting.open("rb") as file:
        shutil.copyfileobj(file, stream)
    stream.flush()
    return count


def _to_path(path: Path, lines: Iterable[str]) -> int:
    with whole_file(path) as raw:
        if path.suffix.lower() != ".gz":
            return _written(raw, lines)
        # Without the time and the temporary name, the same source makes the same file.
        with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
            return _written(file, lines)


def _written(file: IO[bytes] | gzip.GzipFile, lines: Iterable[str]) -> int:
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007
        file.write(line.encode("utf-8"))
    return count


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name when it is whole. A pipe or a device is written to directly."""
    target = Path(os.path.realpath(path))
    special = target.exists() and not target.is_file()
    waiting = target if special else target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        try:
            with waiting.open("wb") as file:
                yield file
            if not special:
                waiting.replace(target)
        except BaseException:
            if not special:
                waiting.unlink(missing_ok=True)
            raise
    except OSError as error:
        why = f"{path} cannot be written: {error.strerror or error}."
        if error.errno in FULL:
            raise NoRoom(
                f"{why} Nothing was exported.", f"Free some space there, or give another {setting('out')}."
            ) from error
        raise BadInput(why, "Check the path.") from error
