"""`load kg`: triples head, relation, tail in text files as a source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.clean_names import Cleaner, without_full_stop
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import TextLoadOptions, as_paths, in_files, load_facts, source_name_for
from cgstore.loaders.readers.columns import Columns, Line, read_columns
from cgstore.loaders.readers.rows import BadLine, field_problem
from cgstore.loaders.statement import Statement
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport, Role
from cgstore.source_kinds import KG

ENDINGS = (".tsv", ".tab", ".csv", ".txt")
"""Files that are taken from a folder."""

COLUMNS = Columns(
    names=("head", "relation", "tail"),
    titles={
        "head": "head, subject, subj, s, h, source, from, from entity, head entity, node1, :start id",
        "relation": "relation, predicate, pred, property, p, r, rel, edge, relationship, type, :type",
        "tail": "tail, object, obj, o, t, target, to, to entity, tail entity, node2, value, :end id",
    },
    fact="a triple",
    form="A line holds head, relation, tail, separated by tabs (.tsv), commas (.csv), semicolons or '|'.",
    mark=re.compile(r"[A-Z]{0,2}|\."),  # Freebase's `P`, `S`, `SP`; the full stop of N-Triples
    surplus_hint=" (--columns 1,2,3 passes over the others)",
)


@dataclass(frozen=True)
class KgOptions(TextLoadOptions):
    """The options of `load kg`.

    Attributes:
        columns: the places of head, relation and tail, from 1; None takes those that a header names, or the first
            three.
        clean: whether names in the style of N-Triples or YAGO lose their brackets, quotes, prefixes and percent signs
            (see `cgstore.loaders.clean_names`).

    Raises:
        BadInput: an option has no meaning.
    """

    columns: Sequence[int] | None = None
    clean: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        places = self.columns
        if places is not None and (len(places) != 3 or len(set(places)) != 3 or min(places) < 1):
            raise BadInput(
                f"'{','.join(map(str, places))}' does not say which columns are head, relation and tail.",
                "Give three different numbers from 1, such as --columns 1,2,3.",
            )


_DEFAULTS = KgOptions()


def read_kg(
    path: Path,
    options: KgOptions = _DEFAULTS,
    warnings: list[str] | None = None,
    cleaner: Cleaner | None = None,
) -> Iterator[Statement | BadLine]:
    """Streams the triples of a text file in its order, repeats included; see `read_columns`.

    Args:
        path: the file.
        options: of the load.
        warnings: gets sentences about what was passed over.
        cleaner: keeps apart names that are equal once they are cleaned. The files of one load share it.

    Raises:
        BadInput: the file cannot be read, is empty or lacks a column.
    """
    cleaner = cleaner or (Cleaner() if options.clean else None)
    places = None if options.columns is None else [number - 1 for number in options.columns]
    for line in read_columns(path, COLUMNS, options.text, [] if warnings is None else warnings, places=places):
        if isinstance(line, BadLine):
            yield line
        elif cleaner is None:
            head, relation, tail = line.fields
            yield Statement(head, relation, tail, line=line.number)
        else:
            yield _cleaned(line, cleaner)


def _cleaned(line: Line, cleaner: Cleaner) -> Statement | BadLine:
    head = cleaner.clean(line.fields[0])
    relation = cleaner.clean(line.fields[1], relation=True)
    tail = cleaner.clean(without_full_stop(line.fields[2]))
    for column, found in enumerate((head, relation, tail)):
        if problem := field_problem(found.name) if found.name else "empty":
            return line.bad(column, problem)
    return Statement(
        head.name,
        relation.name,
        tail.name,
        tail_role=Role.VALUE if tail.literal else Role.ENTITY,
        datatype=tail.datatype,
        language=tail.language,
        iris=(head.iri, relation.iri, tail.iri),
        line=line.number,
    )


def load_kg(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: KgOptions = _DEFAULTS
) -> LoadReport:
    """Loads text files of triples as one source.

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
    warnings: list[str] = []
    cleaner = Cleaner() if options.clean else None
    items = in_files(input_files(paths, ENDINGS), lambda file: read_kg(file, options, warnings, cleaner))
    with target_of(to, options) as target:
        return load_facts(target, KG.name, name, paths[0], items, options, warnings)
