"""`load rdf`: RDF files as a source.

Turtle, TriG, N-Triples and N-Quads go through pyoxigraph, RDF/XML and JSON-LD through rdflib (`oxigraph` and
`with_rdflib` say why). RDF/XML that says it is RDF 1.2 goes through pyoxigraph too, since rdflib does not know RDF 1.2.
All quads are staged (`stage`), then reifications are settled (`stage`), then names (`statements`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from cgstore.catalog.kinds import RDF
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import as_paths, load_facts, source_name_for
from cgstore.loaders.rdf.files import Format, Opened, format_of, opened
from cgstore.loaders.rdf.oxigraph import read_document, read_lines
from cgstore.loaders.rdf.stage import BadTerm, RdfStage, settle_reifications, shown_quad
from cgstore.loaders.rdf.statements import collect_labels, settle_names, statements_of
from cgstore.loaders.rdf.with_rdflib import read_jsonld, read_rdfxml
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport
from cgstore.observe.progress import waiting
from cgstore.options import LoadOptions, option

_VERSION_12 = re.compile(rb"""\bversion\s*=\s*["']1\.2""")


def read_rdf(
    paths: Sequence[Path],
    *,
    source: str,
    format: str | None = None,
    language: str | None = "en",
    labels: bool = True,
) -> Iterator[Statement | BadLine]:
    """The statements of RDF files (plain or .gz), each once, the same in the same order on every run.

    All files are read to their end before the first statement comes; bad lines come before it. An annotation of a
    triple that is not asserted is a bad line too (line 0 where it is unknown). Blank nodes belong to their file.
    Statements about a reifier become qualifiers (see `stage`); a named graph becomes the qualifier `graph`. Names are
    labels or parts of the IRIs (see `statements`).

    Args:
        paths: the files.
        source: name of the source, which the names of blank nodes begin with.
        format: see `Format`; None goes by each file's name or contents.
        language: of the labels that name nodes, where there is a choice.
        labels: whether labels name nodes at all.

    Raises:
        BadInput: a file cannot be read, is not of that format, or is hostile; or there is no triple at all.
    """
    _check_libraries()
    with RdfStage() as stage:
        empty = True
        for path, line in _all_read(paths, stage, format, language if labels else None, labels):
            empty = False
            yield line if len(paths) == 1 else replace(line, problem=f"{path}: {line.problem}")
        with waiting("the names to be settled"):
            settle_names(stage, source)
        for statement in statements_of(stage):
            empty = False
            yield statement
        if empty:
            raise BadInput(f"{', '.join(map(str, paths)) or 'The input'} has no triples.", _why_empty(paths))


def _check_libraries() -> None:
    for name in ("rdflib", "pyoxigraph"):
        if find_spec(name) is None:
            raise BadInput(f"Reading RDF needs {name}.", "pip install 'cgstore[rdf]'")


def _why_empty(paths: Sequence[Path]) -> str:
    if any(".json" in path.name for path in paths):
        return "In JSON-LD, a key that no @context maps to an IRI says nothing."
    return "Is it the right file, and complete?"


def _all_read(
    paths: Sequence[Path], stage: RdfStage, format: str | None, language: str | None, labels: bool
) -> Iterator[tuple[Path, BadLine]]:
    """Stages all files and settles reifications; yields the bad lines with their files."""
    for number, path in enumerate(paths):
        stage.begin_file(number)
        for line in _staged(path, stage, format):
            yield path, line
    stage.flush()
    if labels:
        collect_labels(stage, language)
    for quad in settle_reifications(stage):
        yield paths[quad.file], BadLine(quad.line, 0, "", quad.problem, quad.text)


def _staged(path: Path, stage: RdfStage, given: str | None) -> Iterator[BadLine]:
    """Stages the quads of one file; yields its bad lines."""
    with opened(path) as file:
        format = format_of(path, file.head, given)
        if format in (Format.N_TRIPLES, Format.N_QUADS):
            yield from _staged_lines(file, stage, format)
        elif format is Format.JSONLD:
            read_jsonld(file, stage.add)
        elif format is Format.RDF_XML and not _VERSION_12.search(file.head):
            read_rdfxml(file, stage.add)
        else:
            for quad in read_document(file, format):
                stage.add(quad)


def _staged_lines(file: Opened, stage: RdfStage, format: Format) -> Iterator[BadLine]:
    for item in read_lines(file, format):
        if isinstance(item, BadLine):
            yield item
            continue
        try:
            stage.add(item)
        except BadTerm as error:
            yield BadLine(item.line, 0, "", str(error), shown_quad(item))


# The load


ENDINGS = (".ttl", ".nt", ".rdf", ".xml", ".owl", ".jsonld", ".nq", ".trig", ".n3")
"""Files that are taken from a folder."""


@dataclass(frozen=True)
class RdfOptions(LoadOptions):
    """The options of `load rdf`."""

    format: str | None = option(
        None, "turtle, nt, xml, json-ld, nquads or trig.", unset="by each file's ending", metavar="FORMAT"
    )
    language: str = option("en", "Language of the labels that name the nodes.")
    labels: bool = option(True, "Do labels name the nodes, or the last part of the IRI?")


_DEFAULTS = RdfOptions()


def load_rdf(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: RdfOptions = _DEFAULTS
) -> LoadReport:
    """Loads RDF files (also .gz) as one source; arguments and errors as in `load_files`."""
    paths = as_paths(path)
    name = source_name_for(options, paths)
    items = read_rdf(
        input_files(paths, ENDINGS),
        source=name,
        format=options.format,
        language=options.language,
        labels=options.labels,
    )
    return load_facts(to, RDF, name, paths[0], items, options)
