"""What all loads have in common: their options, staging with a progress bar, rejects, and the report."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cgstore.catalog.registry import LoadRecord, check_source_name
from cgstore.errors import BadInput
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.rows import BadLine
from cgstore.loaders.readers.text import TextOptions
from cgstore.loaders.rejects import Rejects
from cgstore.model import MOST_COLUMNS, LoadReport
from cgstore.options import LoadOptions
from cgstore.progress import bar, waiting
from cgstore.text.columns import FormatHints
from cgstore.text.names import source_name

if TYPE_CHECKING:
    from cgstore.loaders.fact_stage import FactStage
    from cgstore.loaders.statement import Statement
    from cgstore.loaders.writer.target import Target

T = TypeVar("T")


@dataclass(frozen=True)
class TextLoadOptions(LoadOptions):
    """The options of loads from text files, each None where the file itself is to tell.

    Attributes:
        header: whether the first line names the columns.
        delimiter: between the columns: `tab`, `comma`, `semicolon`, `pipe` or one character.
        encoding: of the text, such as `cp1252`.
    """

    header: bool | None = None
    delimiter: str | None = None
    encoding: str | None = None

    @property
    def text(self) -> TextOptions:
        """The options for the reader of text."""
        return TextOptions(self.header, self.delimiter, self.encoding, escapes=False)


def source_name_for(options: LoadOptions, paths: Sequence[Path]) -> str:
    """The source's name: the one given, or that of the one file or folder without .gz, .tsv and the like.

    Raises:
        BadInput: there are several inputs and no name is given, or it cannot be a name.
    """
    name = options.name
    if name is None:
        if len(paths) > 1:
            raise BadInput(f"{len(paths)} inputs are to become one source.", "Say its name with --name.")
        path = paths[0].resolve() if paths[0].name in ("", ".", "..") else paths[0]
        folder = os.path.isdir(path)  # noqa: PTH112  (Path.is_dir raises for a name that is too long)
        name = path.name if folder else plain_path(path).stem
    check_source_name(name)
    return name


def as_paths(path: Path | str | Sequence[Path | str]) -> list[Path]:
    """One path or several, as a list."""
    return [Path(path)] if isinstance(path, str | Path) else [Path(each) for each in path]


def usable(items: Iterable[T | BadLine], rejects: Rejects, progress: bool) -> Iterator[T]:
    """The items that are not bad lines, with a bar that counts them; bad lines go to `rejects`.

    Raises:
        BadInput: at the end, if there were bad lines and they are not to be skipped.
    """
    with bar("read", "facts", show=progress) as shown:
        for item in items:
            if isinstance(item, BadLine):
                rejects.add(item)
            else:
                yield item
                shown.update()
    rejects.finish()


def in_files(files: Sequence[Path], read: Callable[[Path], Iterable[T | BadLine]]) -> Iterator[T | BadLine]:
    """The items of several files; where there are more than one, a bad line says which file it is of."""
    for path in files:
        for item in read(path):
            if isinstance(item, BadLine) and len(files) > 1:
                yield replace(item, problem=f"{path}: {item.problem}")
            else:
                yield item


def load_facts(
    target: Target,
    kind: str,
    name: str,
    origin: Path,
    items: Iterable[Statement | BadLine],
    options: LoadOptions,
    warnings: Iterable[str] = (),
) -> LoadReport:
    """Loads statements as one source.

    Args:
        target: where to.
        kind: of the source: kg, statements, rdf, graph.
        name: of the source.
        origin: the input, which names the file of rejected lines.
        items: the statements, and what could not be read as one.
        options: of the load.
        warnings: what the reader found odd, known at the end of `items`.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    from cgstore.loaders.fact_stage import FactStage

    began = time.monotonic()
    name, formats = target.stored_name(name), FormatHints(options.decimal, options.day_first)
    with (
        FactStage(name, formats=formats) as stage,
        Rejects(origin, options) as rejects,
    ):
        for statement in usable(items, rejects, options.progress):
            stage.add(statement)
        with waiting("the facts to be sorted and counted"):
            stage.settle()
        if not stage.fact_count:
            raise nothing_in(origin, rejects)
        record, merged = fact_record(stage, kind), stage.merged()
        target.take(record, stage)
        target.finish()
        columns = tuple(stage.column_reports(texts=False))[:MOST_COLUMNS]
    notes = [*warnings, *([merged] if merged else [])]
    return replace(report(target, record, rejects, began, tuple(dict.fromkeys(notes))), columns=columns)


def fact_record(stage: FactStage, kind: str, columns: tuple[str, ...] | None = None) -> LoadRecord:
    """The record of staged statements."""
    return LoadRecord(
        name=stage.source,
        kind=kind,
        fingerprint=stage.fingerprint,
        step=None,
        facts=stage.fact_count,
        nodes=stage.node_count,
        has=stage.has,
        value=stage.value,
        columns=columns,
    )


def nothing_in(origin: Path, rejects: Rejects) -> BadInput:
    """The error of an input without facts."""
    why = "there is a header and nothing below, or nothing at all"
    if rejects.count:
        which = "its only line was" if rejects.count == 1 else f"all of its {rejects.count:,} lines were"
        why = f"{which} rejected, see {rejects.path}"
    return BadInput(f"{origin} has no facts: {why}.", "See `cgstore load --help` for what each kind of input holds.")


def report(
    target: Target, record: LoadRecord, rejects: Rejects, began: float, warnings: tuple[str, ...] = ()
) -> LoadReport:
    """The report of a source that a target has taken; `began` is when the load did, on the monotonic clock."""
    return LoadReport(
        source=source_name(record.name),
        kind=record.kind,
        facts=record.facts,
        nodes=record.nodes,
        triples=record.triples,
        has=record.has,
        value=record.value,
        rejected=rejects.count,
        seconds=round(time.monotonic() - began, 3),
        unchanged=not target.dry_run and record.name not in target.written,
        rejected_file=str(rejects.path) if rejects.count else None,
        step=record.step,
        warnings=warnings,
        dry_run=target.dry_run,
        sample=target.sample,
    )
