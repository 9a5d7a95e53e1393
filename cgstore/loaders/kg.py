"""`load kg`: triples in text files as a source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.loaders.clean_names import Cleaner
from cgstore.loaders.inputs import input_files
from cgstore.loaders.kg_file import read_kg
from cgstore.loaders.load import Options, as_paths, in_files, load_facts
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.source_kinds import KG

ENDINGS = (".tsv", ".tab", ".csv", ".txt")
"""Files that are taken from a folder."""


def load_kg(
    to: Database | Target,
    path: Path | str | Sequence[Path | str],
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    columns: Sequence[int] | None = None,
    clean: bool = False,
    **options: Any,
) -> LoadReport:
    """Loads text files (also .gz) of triples head, relation, tail as one source.

    Args:
        to: where to.
        path: files, globs or folders; `read_kg` tells their format.
        header: whether the first line names the columns; None finds out.
        delimiter: between the columns; None finds out.
        columns: the places of head, relation and tail, from 1; None takes those named, or the first three.
        clean: whether names in N-Triples style are to lose their brackets, quotes, prefixes and percent signs.
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
    about: dict[str, Any] = {"header": header, "delimiter": delimiter, "columns": columns, "warnings": warnings}
    about["clean"] = Cleaner() if clean else False
    read = ((p, item) for p in files for item in read_kg(p, **about))
    with target_of(to) as target:
        return load_facts(target, KG.name, name, paths[0], in_files(files, read), said, warnings)
