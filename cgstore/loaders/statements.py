"""`load statements`: hyper-relational statements (facts with qualifiers) as a source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import Options, as_paths, in_files, load_facts
from cgstore.loaders.statements_file import read_statements
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.source_kinds import STATEMENTS

ENDINGS = (".txt", ".csv", ".tsv", ".tab", ".jsonl", ".ndjson")
"""Files that are taken from a folder."""


def load_statements(
    to: Database | Target, path: Path | str | Sequence[Path | str], *, header: bool | None = None, **options: Any
) -> LoadReport:
    """Loads files (also .gz) of statements as one source.

    Args:
        to: where to.
        path: files, globs or folders; `read_statements` tells their format.
        header: whether the first line names the columns; None finds out.
        options: see `cgstore.loaders.load.Options`.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    said = Options(**options)
    paths = as_paths(path)
    name = said.name_for(paths)
    files = input_files(paths, ENDINGS)
    warnings: list[str] = []
    read = ((p, item) for p in files for item in read_statements(p, header=header, warnings=warnings))
    with target_of(to) as target:
        return load_facts(target, STATEMENTS.name, name, paths[0], in_files(files, read), said, warnings)
