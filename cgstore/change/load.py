"""`load ... --append` and `--upsert`: the facts of files become changes of a source that is there."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from cgstore.catalog.changes import TIMEOUT
from cgstore.catalog.kinds import TABLE, SourceKind
from cgstore.catalog.registry import as_source, gone
from cgstore.catalog.sources import ready_sources
from cgstore.change.commit import commit
from cgstore.change.incoming import Incoming
from cgstore.change.operations import KEYS, AnyOperation, Append, Upsert, fact_key
from cgstore.change.report import ChangeReport, report_of
from cgstore.change.rows import change_by_rows, rejected
from cgstore.change.stated import AnyFact
from cgstore.cypher.connection import Database, patiently
from cgstore.errors import BadInput, setting
from cgstore.loaders.load import Rejects, as_paths, nothing_in, source_name_for, usable
from cgstore.loaders.readers.records import Table
from cgstore.loaders.table import TableOptions, read_tables
from cgstore.loaders.tkg import TkgOptions, temporal_facts
from cgstore.loaders.tkg_notes import TimeNotes
from cgstore.loaders.tkg_stage import TkgStage
from cgstore.model import Source
from cgstore.observe.progress import bar
from cgstore.options import LoadOptions
from cgstore.text.dates import Step

_SOURCE = "MATCH (s:CgSource {name: $source}) RETURN properties(s) AS source"


Paths = Path | str | Sequence[Path | str]
"""Files, folders or patterns."""


def change_by_files(
    db: Database, kind: SourceKind, origin: Paths, options: LoadOptions, command: str, key: Sequence[str] | None = None
) -> ChangeReport:
    """Appends the facts of files to a source, or replaces those that have their keys.

    The input is read to its end and checked before anything is changed. A command that was cut short may be given
    again: facts that are there change nothing, and rows go on after those that are there.

    Args:
        command: what the history calls it.
        key: what the facts share that are replaced: some of `KEYS`, by default head and relation; columns of a table.
            None: nothing is replaced.
    """
    began = time.monotonic()
    if isinstance(options, TableOptions):
        if options.columns:
            raise BadInput(
                "What a column is can be said when its table is loaded.", f"Load it with {setting('replace', True)}."
            )
        return change_by_table(db, _one_table(origin, options), options, command, key)
    if not kind.can_change:
        raise BadInput(
            f"{kind.phrase.capitalize()} cannot be appended to; it can only be replaced as a whole.",
            f"Give {setting('replace', True)} instead.",
        )
    paths = as_paths(origin)
    stored, source = find_source(db, source_name_for(options, paths), kind)
    by = () if key is None else fact_key(key)
    with Incoming() as incoming, Rejects(paths[0], options) as rejects:
        warnings: list[str] = []
        for fact in _stated(source, kind, paths, options, rejects, warnings):
            incoming.add(fact)
        if not incoming.count:
            raise nothing_in(paths[0], rejects)
        made = _committed(db, stored, incoming, by, options, command)
        return report_of(source.name, made, began, warnings, dry_run=options.dry_run, **rejected(rejects))


def change_by_table(
    db: Database, table: Table, options: TableOptions, command: str, key: Sequence[str] | None = None
) -> ChangeReport:
    """Like `change_by_files`, for one table."""
    stored, source = find_source(db, options.name or table.name, TABLE)
    return change_by_rows(db, stored, source, table, options, command, key)


def _one_table(origin: Paths, options: TableOptions) -> Table:
    paths = [origin] if isinstance(origin, str | Path) else list(origin)
    tables = list(islice(read_tables([str(path) for path in paths], options), 2))
    if len(tables) != 1:
        raise BadInput(
            "Several tables are given, and one source is changed at a time.", f"Give one file, or {setting('sheet')}."
        )
    return tables[0]


def find_source(db: Database, name: str, kind: SourceKind | None = None) -> tuple[str, Source]:
    """The stored name and the record of a source that is ready, and of a kind; waits for a database that is away."""
    try:
        (stored,) = patiently(db, lambda: ready_sources(db, [name], aliases=True))
    except BadInput as error:
        if kind is not None and "no source" in error.message:
            error.hint = f"{error.hint or ''} Load it first: `cgstore load`.".lstrip()
        raise
    rows = patiently(db, lambda: db.read(_SOURCE, {"source": stored}, TIMEOUT))
    if not rows:
        raise gone(name)
    source = as_source(rows[0]["source"])
    if kind is not None and source.kind != kind.name:
        raise BadInput(
            f"Source '{name}' was loaded by `cgstore load {source.kind}`, not `{kind.name}`.",
            f"Load the input by `cgstore load {source.kind}`, or give another {setting('name')}.",
        )
    return stored, source


def _committed(
    db: Database, stored: str, incoming: Incoming, by: tuple[str, ...], options: LoadOptions, command: str
) -> Iterator[ChangeReport | None]:
    with bar("change", "facts", incoming.count, show=options.progress) as shown:
        for part in incoming.parts(len(by) or len(KEYS)):
            operation: AnyOperation = Upsert(part, by) if by else Append(part)
            yield commit(db, stored, [operation], command, dry_run=options.dry_run)
            shown.update(len(part))


def _stated(
    source: Source, kind: SourceKind, paths: list[Path], options: LoadOptions, rejects: Rejects, warnings: list[str]
) -> Iterator[AnyFact]:
    """The facts of files, with sentences about them among the warnings."""
    if isinstance(options, TkgOptions):
        yield from _temporal(source, paths, options, rejects, warnings)
    else:
        yield from usable(kind.facts()(paths, options, warnings), rejects, options.progress)


def _temporal(
    source: Source, paths: list[Path], options: TkgOptions, rejects: Rejects, warnings: list[str]
) -> Iterator[AnyFact]:
    times = TimeNotes()
    with TkgStage(source.name, has_ends=bool(source.ends)) as stage:
        facts = temporal_facts(paths, options, warnings, times, stage.next_file)
        for fact in usable(facts, rejects, options.progress):
            stage.add(fact)
        stage.end_files()
        step = _step(source, options)
        for fact in stage.facts():
            yield fact if step is None else fact._replace(start=fact.start.cut(step), end=fact.end.cut(step))
    warnings += times.sentences()


def _step(source: Source, options: TkgOptions) -> Step | None:
    """The step to which the user wants times to be cut; None where nothing may be lost."""
    step = Step(source.step or Step.YEAR)
    if options.step is not None and options.step != step:
        raise BadInput(
            f"Source '{source.name}' counts {step}s, not {options.step}s.",
            f"Leave {setting('step')} out, or use {setting('replace', True)}.",
        )
    return step if options.step else None
