"""`load aliases`: other names of nodes as a source, which is never asked, and serves every question."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher.connection import Database
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import TextLoadOptions, as_paths, in_files, nothing_in, report, source_name_for, usable
from cgstore.loaders.readers.columns import Columns, read_columns
from cgstore.loaders.readers.rows import BadLine
from cgstore.loaders.rejects import Rejects
from cgstore.loaders.statement import Alias
from cgstore.loaders.writer.aliases import AliasStage
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.progress import waiting
from cgstore.source_kinds import ALIASES

ENDINGS = (".tsv", ".tab", ".csv", ".txt")
"""Files that are taken from a folder."""

COLUMNS = Columns(
    names=("alias", "name"),
    titles={
        "alias": "alias, aliases, also known as, alt label, altlabel, alternative name, mention, surface form",
        "name": "name, label, entity, entity name, canonical name, title, preferred label",
    },
    fact="a pair",
    form="A line holds an alias and a name, separated by a tab (.tsv), a comma (.csv), a semicolon or '|'.",
)


_DEFAULTS = TextLoadOptions()


def read_aliases(
    path: Path, options: TextLoadOptions = _DEFAULTS, warnings: list[str] | None = None
) -> Iterator[Alias | BadLine]:
    """Streams the pairs of a text file in its order, repeats included; see `read_columns`.

    A line is an alias and a name; one of a third column that no header names is a `BadLine`.

    Raises:
        BadInput: the file cannot be read, is empty or lacks a column.
    """
    for line in read_columns(path, COLUMNS, options.text, [] if warnings is None else warnings):
        yield line if isinstance(line, BadLine) else Alias(*line.fields)


def load_aliases(
    to: Database | Target,
    path: Path | str | Sequence[Path | str],
    options: TextLoadOptions = _DEFAULTS,
) -> LoadReport:
    """Loads text files of pairs alias, name as one source.

    The report counts distinct pairs as `facts`, and as `nodes`, since each is a node of its own; there are no triples.

    Args:
        to: where to.
        path: files, globs or folders.
        options: of the load.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    began = time.monotonic()
    paths = as_paths(path)
    name = source_name_for(options, paths)
    warnings: list[str] = []
    pairs = in_files(input_files(paths, ENDINGS), lambda file: read_aliases(file, options, warnings))
    with (
        target_of(to, options) as target,
        AliasStage(target.stored_name(name)) as stage,
        Rejects(paths[0], options) as rejects,
    ):
        for pair in usable(pairs, rejects, options.progress):
            stage.add(pair)
        with waiting("the aliases to be sorted and counted"):
            stage.settle()
        if not stage.count:
            raise nothing_in(paths[0], rejects)
        record = LoadRecord(
            name=stage.source,
            kind=ALIASES.name,
            fingerprint=stage.fingerprint,
            step=None,
            facts=stage.count,
            nodes=stage.count,
            has=0,
            value=0,
        )
        target.take_aliases(record, stage)
        target.finish()
    return report(target, record, rejects, began, tuple(dict.fromkeys(warnings)))
