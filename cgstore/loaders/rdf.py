"""`load rdf`: RDF files as a source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from cgstore.cypher.connection import Database
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import Options, as_paths, load_facts
from cgstore.loaders.readers.rdf import read_rdf
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.options import LoadKeywords
from cgstore.source_kinds import RDF

ENDINGS = (".ttl", ".nt", ".rdf", ".xml", ".owl", ".jsonld", ".nq", ".trig", ".n3")
"""Files that are taken from a folder."""


def load_rdf(
    to: Database | Target,
    path: Path | str | Sequence[Path | str],
    *,
    format: str | None = None,
    language: str = "en",
    labels: bool = True,
    **options: Unpack[LoadKeywords],
) -> LoadReport:
    """Loads RDF files (also .gz) as one source.

    Args:
        to: where to.
        path: files, globs or folders.
        format: of all of them; None goes by each file's ending.
        language: of the labels that name the nodes, where there are several.
        labels: whether labels name the nodes, rather than the last part of the IRI.
        options: see `cgstore.loaders.load.Options`.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    said = Options(**options)
    paths = as_paths(path)
    name = said.name_for(paths)
    items = read_rdf(input_files(paths, ENDINGS), source=name, format=format, language=language, labels=labels)
    with target_of(to) as target:
        return load_facts(target, RDF.name, name, paths[0], items, said)
