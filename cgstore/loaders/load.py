"""What all loads share: options, files, staging with a progress bar, bad lines, and the report."""

from __future__ import annotations

import csv
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

from cgstore.catalog.kinds import SourceKind
from cgstore.catalog.registry import LoadRecord, check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadFile, BadInput, BadOption, setting
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.inputs import REJECTED_HEADER, plain_path
from cgstore.loaders.readers.encoding import encoding_hint
from cgstore.loaders.readers.records import NOT_UTF8, BadLine, Statement
from cgstore.loaders.staging import Stage
from cgstore.loaders.writer.target import Target, Write, target_of
from cgstore.loaders.writer.write import write
from cgstore.model import MOST_COLUMNS, ColumnReport, LoadReport
from cgstore.observe.progress import bar, waiting
from cgstore.options import LoadOptions
from cgstore.text.columns import FormatHints
from cgstore.text.names import many, source_name

T = TypeVar("T")


def source_name_for(options: LoadOptions, paths: Sequence[Path]) -> str:
    """The source's name: the one given, or that of the one file or folder without .gz, .tsv and the like.

    Raises:
        BadInput: there are several inputs and no name is given, or it cannot be a name.
    """
    name = options.name
    if name is None:
        if len(paths) > 1:
            raise BadInput(f"{len(paths)} inputs are to become one source.", f"Name it with {setting('name')}.")
        path = paths[0].resolve() if paths[0].name in ("", ".", "..") else paths[0]
        folder = os.path.isdir(path)  # noqa: PTH112  (Path.is_dir raises for a name that is too long)
        name = path.name if folder else plain_path(path).stem
    check_source_name(name)
    return name


def as_paths(path: Path | str | Sequence[Path | str]) -> list[Path]:
    """One path or several, as a list."""
    return [Path(path)] if isinstance(path, str | Path) else [Path(each) for each in path]


PERHAPS_A_TABLE = "No line is a fact. If each column says something of its own, load it by: cgstore load table FILE."


def usable(items: Iterable[T | BadLine], rejects: Rejects, progress: bool, if_none: str = "") -> Iterator[T]:
    """The items that are not bad lines, with a bar that counts them; bad lines go to `rejects`.

    Raises:
        BadInput: at the end, for bad lines that are not to be skipped. `if_none` is its hint where all of several are
            bad.
    """
    with bar("read", "facts", show=progress) as shown:
        for item in items:
            if isinstance(item, BadLine):
                rejects.add(item)
            else:
                yield item
                if_none = ""
                shown.update()
    if rejects.count > 1:
        rejects.note = rejects.note or if_none
    rejects.finish()


def in_files(files: Sequence[Path], read: Callable[[Path], Iterable[T | BadLine]]) -> Iterator[T | BadLine]:
    """The items of several files. If there are more than one, a bad line names its file."""
    for path in files:
        for item in read(path):
            if isinstance(item, BadLine) and len(files) > 1:
                yield replace(item, problem=f"{path}: {item.problem}")
            else:
                yield item


def load_files(
    to: Database | Target, kind: SourceKind, path: Path | str | Sequence[Path | str], options: LoadOptions
) -> LoadReport:
    """Loads files of facts as one source.

    Args:
        to: the database, or a target.
        kind: of the source, which has the reader.
        path: files, globs or folders.
        options: of the load.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    paths, warnings = as_paths(path), list[str]()
    items = kind.facts()(paths, options, warnings)
    return load_facts(to, kind, source_name_for(options, paths), paths[0], items, options, warnings)


def load_facts(
    to: Database | Target,
    kind: SourceKind,
    name: str,
    origin: Path,
    items: Iterable[Statement | BadLine],
    options: LoadOptions,
    warnings: Iterable[str] = (),
) -> LoadReport:
    """Loads statements as one source; raises as `load_files`.

    `origin` names the file of rejected lines; `warnings` is what the reader found odd, known at the end of `items`.
    """
    load = Load(kind, to, options)
    with FactStage(load.target.stored_name(name), formats=FormatHints(options.decimal, options.day_first)) as stage:
        load.take(stage, origin, items, warnings, if_none=PERHAPS_A_TABLE)
    return load.report()


class Load:
    """The skeleton of every load: read and stage each source, hand it to the target, report.

    A kind of source differs in its stage and in what it reads.
    """

    def __init__(self, kind: SourceKind, to: Database | Target, options: LoadOptions) -> None:
        self._kind, self._options, self._began = kind, options, time.monotonic()
        self.target = target_of(to, options)
        self.records: list[LoadRecord] = []
        self.notes: list[str] = []
        self.columns: list[ColumnReport] = []
        self.header = ""
        self._rejected, self._rejected_file = 0, ""
        self._nothing: BadInput | None = None

    def take(
        self,
        stage: Stage,
        origin: Path,
        items: Iterable[T | BadLine],
        warnings: Iterable[str] = (),
        *,
        if_none: str = "",
        settle: Callable[[], object] | None = None,
        columns: tuple[str, ...] | None = None,
        small: bool = False,
        write: Write = write,
    ) -> bool:
        """Stages a source and hands it to the target; returns False if it has no facts.

        Args:
            stage: a new stage, which stays open.
            origin: the input, which names the file of rejected lines.
            items: what the stage takes, and bad lines.
            warnings: what the reader found odd, known at the end of `items`.
            if_none: see `usable`.
            settle: ends the adding; it may refuse the source. None: the stage's own.
            columns: of a table.
            small: see `Target.take`; no bar counts the items of such a source.
            write: see `Target.take`.
        """
        with Rejects(origin, self._options) as rejects:
            for item in usable(items, rejects, self._options.progress and not small, if_none):
                stage.add(item)
                rejects.note = stage.hint
            with waiting(f"the {stage.noun} to be sorted and counted"):
                (settle or stage.settle)()
            if not stage.fact_count:
                self._nothing = self._nothing or nothing_in(origin, rejects)
                return False
            record = stage.record(self._kind.name, columns)
            self.target.take(record, stage, small=small, write=write)
        self.records.append(record)
        self.notes += [*warnings, *stage.notes()]
        own = self._kind.own_relations
        self.columns += (each for each in stage.column_reports(texts=self._kind.has_rows) if each.name not in own)
        if rejects.count:
            self._rejected, self._rejected_file = self._rejected + rejects.count, str(rejects.path)
        return True

    def report(self) -> LoadReport:
        """Finishes the load. The counts are sums over its sources.

        Raises:
            BadInput: no source has facts.
        """
        if not self.records:
            raise self._nothing or BadInput("There is no table.", "Is it the right input?")
        self.target.finish()
        first, alone = self.records[0], len(self.records) == 1
        columns = [column for column in self.columns if alone or column.unread or column.doubt]
        return LoadReport(
            source=source_name(first.name) if alone else self._options.name or "",
            kind=first.kind,
            facts=self._sum("facts"),
            nodes=self._sum("nodes"),
            triples=self._sum("triples"),
            has=self._sum("has"),
            value=self._sum("value"),
            rejected=self._rejected,
            seconds=round(time.monotonic() - self._began, 3),
            unchanged=not self.target.dry_run and self.target.written.isdisjoint(each.name for each in self.records),
            rejected_file=self._rejected_file or None,
            step=first.step,
            warnings=tuple(dict.fromkeys(self.notes)),
            sources=len(self.records),
            dry_run=self.target.dry_run,
            sample=self.target.sample,
            columns=tuple(columns[:MOST_COLUMNS]),
            header=self.header if alone else "",
            stored=first.stored,
            now=first.now,
        )

    def _sum(self, count: str) -> int:
        return sum(getattr(record, count) for record in self.records)


def nothing_in(origin: Path, rejects: Rejects) -> BadInput:
    """The error of an input without facts."""
    why = "there is a header and nothing below, or nothing at all"
    if rejects.count:
        which = "its only line was" if rejects.count == 1 else f"all of its {rejects.count:,} lines were"
        why = f"{which} rejected, see {rejects.path}"
    return BadFile(f"{origin} has no facts: {why}.", "See `cgstore load --help` for what each kind of input holds.")


# Lines that cannot be used


SHOWN = 10
"""Bad lines that an error shows."""


class Rejects:
    r"""Collects bad lines. The file for them is begun under another name, and `finish` puts it in its place.

    The file is tab-separated with the columns line, column, problem, text. Its texts are in quotes with `"` doubled, so
    that `csv.reader(file, delimiter="\t")` reads back the tabs and line ends of a rejected line as they were. It is
    `NAME.rejected.tsv` beside the input (`NAME.rejected-2.tsv` if another kind of file is there), if `options` names
    none. The hint of the error begins with `note`, which tells what else is odd about the input.

    Raises:
        BadInput: the file for bad lines is the input, or a file that no load wrote.
    """

    def __init__(self, source: Path, options: LoadOptions) -> None:
        self._source, self._skip = source, options.on_error == "skip"
        self._given = None if options.rejected is None else Path(options.rejected)
        self.path = self._target() if self._skip else None
        self.count = 0
        self.note = ""
        self._shown: list[BadLine] = []
        self._file: IO[str] | None = None
        self._writer: Any = None
        self._begun: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        if self._begun is not None:
            self._begun.unlink(missing_ok=True)

    def add(self, bad: BadLine) -> None:
        """Takes one bad line.

        Raises:
            BadInput: the file for it cannot be written.
        """
        self.count += 1
        if len(self._shown) < SHOWN:
            self._shown.append(bad)
        if self.path is None:
            return
        with _writing(self.path):
            if self._file is None:
                # The temporary name does not contain the file's own name, which may be at the limit of the file system.
                self._begun = Path(os.path.realpath(self.path)).with_name(f".cgstore-{uuid.uuid4().hex}.tmp")
                # Bytes that are not UTF-8 are written back unchanged.
                self._file = self._begun.open("x", encoding="utf-8", errors="surrogateescape", newline="")
                self._file.write(REJECTED_HEADER)
                self._writer = csv.writer(self._file, delimiter="\t", quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            self._writer.writerow([bad.line, bad.column or "", bad.problem, bad.text])

    def finish(self) -> None:
        """Ends the input: puts the file in its place, or refuses bad lines that are not to be skipped.

        Raises:
            BadInput: with the first bad lines; or the file cannot be put there.
        """
        if not self.count:
            return
        if not self._skip:
            raise self._refusal()
        assert self._file is not None and self._begun is not None
        self.path = self._target()  # another file may be there by now
        with _writing(self.path):
            self._file.close()
            self._begun.replace(os.path.realpath(self.path))
        self._begun = None

    def _refusal(self) -> BadInput:
        listed = "\n".join(f"{self._source}:{bad}" for bad in self._shown)
        more = f"\n... and {self.count - SHOWN:,} more" if self.count > SHOWN else ""
        return BadFile(
            f"{many(self.count, 'line', 'lines')} cannot be used; nothing was loaded.\n{listed}{more}",
            f"{self.note} {self._what_to_do()}".lstrip(),
        )

    def _what_to_do(self) -> str:
        if any(NOT_UTF8 in bad.problem for bad in self._shown):
            return f"{encoding_hint()} Or save the file as UTF-8."
        return f"Correct them, or load the others with {setting('on-error', 'skip')}."

    def _target(self) -> Path:
        if (path := self._given) is not None:
            if _is_same(path, self._source):
                raise BadOption(f"{path} is the input itself.", f"Give {setting('rejected')} another file.")
            if not _may_write(path):
                raise BadOption(
                    f"{path} is there already, and no load wrote it.", f"Give {setting('rejected')} a new file."
                )
            return path
        path, number = plain_path(self._source).with_suffix(".rejected.tsv"), 1
        while _is_same(path, self._source) or not _may_write(path):
            number += 1
            path = plain_path(self._source).with_suffix(f".rejected-{number}.tsv")
        return path


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written: {error.strerror or error}", f"Give another file with {setting('rejected')}."
        ) from error


def _is_same(path: Path, other: Path) -> bool:
    """Whether both are one file, under whatever names."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def _may_write(path: Path) -> bool:
    """Whether no file is there, or one that a load wrote."""
    if not os.path.lexists(os.path.realpath(path)):
        return True
    try:
        if not path.is_file():  # opening a pipe would wait
            return False
        with path.open("rb") as file:
            return file.readline(len(REJECTED_HEADER)) == REJECTED_HEADER.encode()
    except OSError:
        return False
