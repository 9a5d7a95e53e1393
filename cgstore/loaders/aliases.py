"""`load aliases`: other names of nodes as a source, which is never asked, and serves every question."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher.connection import Database
from cgstore.loaders.alias_stage import AliasStage
from cgstore.loaders.aliases_file import read_aliases
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import Options, as_paths, in_files, nothing_in, report, usable
from cgstore.loaders.rejects import Rejects
from cgstore.loaders.writer.aliases import LAYOUT
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.progress import waiting
from cgstore.source_kinds import ALIASES

ENDINGS = (".tsv", ".tab", ".csv", ".txt")
"""Files that are taken from a folder."""


def load_aliases(
    to: Database | Target,
    path: Path | str | Sequence[Path | str],
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    **options: Any,
) -> LoadReport:
    """Loads text files (also .gz) of pairs alias, name as one source.

    The report counts distinct pairs as `facts`, and as `nodes`, since each is a node of its own; there are no triples.

    Args:
        to: where to.
        path: files, globs or folders; `read_aliases` tells their format.
        header: whether the first line names the columns; None finds out.
        delimiter: between the columns; None finds out.
        options: see `cgstore.loaders.load.Options`.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    began = time.monotonic()
    said = Options(**options)
    paths = as_paths(path)
    name = said.name_for(paths)
    files = input_files(paths, ENDINGS)
    warnings: list[str] = []
    read = ((p, i) for p in files for i in read_aliases(p, header=header, delimiter=delimiter, warnings=warnings))
    with (
        target_of(to) as target,
        AliasStage(target.stored_name(name)) as stage,
        Rejects(paths[0], said.skip, said.rejected) as rejects,
    ):
        for pair in usable(in_files(files, read), rejects, said.progress):
            stage.add(pair)
        with waiting("the aliases to be sorted and counted"):
            stage.settle()
        if not stage.count:
            raise nothing_in(paths[0], rejects)
        record = _record(stage)
        target.take_aliases(record, stage)
        target.finish()
    return report(target, record, rejects, began, tuple(dict.fromkeys(warnings)))


def _record(stage: AliasStage) -> LoadRecord:
    count = stage.count
    return LoadRecord(
        stage.source, ALIASES.name, stage.fingerprint, LAYOUT, step=None, facts=count, nodes=count, has=0, value=0
    )
