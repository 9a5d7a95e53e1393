"""`load rdf`: RDF files as a source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.cypher.connection import Database
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import as_paths, load_facts, source_name_for
from cgstore.loaders.readers.rdf import read_rdf
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.options import LoadOptions
from cgstore.source_kinds import RDF

ENDINGS = (".ttl", ".nt", ".rdf", ".xml", ".owl", ".jsonld", ".nq", ".trig", ".n3")
"""Files that are taken from a folder."""


@dataclass(frozen=True)
class RdfOptions(LoadOptions):
    """The options of `load rdf`.

    Attributes:
        format: of all files; None goes by each file's ending.
        language: of the labels that name the nodes, where there are several.
        labels: whether labels name the nodes, rather than the last part of the IRI.
    """

    format: str | None = None
    language: str = "en"
    labels: bool = True


_DEFAULTS = RdfOptions()


def load_rdf(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: RdfOptions = _DEFAULTS
) -> LoadReport:
    """Loads RDF files (also .gz) as one source.

    Args:
        to: where to.
        path: files, globs or folders.
        options: of the load.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    paths = as_paths(path)
    name = source_name_for(options, paths)
    items = read_rdf(
        input_files(paths, ENDINGS),
        source=name,
        format=options.format,
        language=options.language,
        labels=options.labels,
    )
    with target_of(to, options) as target:
        return load_facts(target, RDF.name, name, paths[0], items, options)
