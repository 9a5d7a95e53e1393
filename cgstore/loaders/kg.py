"""`load kg`: triples head, relation, tail in text files as a source."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from cgstore.catalog.kinds import KG
from cgstore.cypher.connection import Database
from cgstore.errors import BadOption, setting
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import in_files, load_files
from cgstore.loaders.readers.columns import Columns, Line, read_columns
from cgstore.loaders.readers.records import BadLine, Statement, field_problem, printable
from cgstore.loaders.readers.text import TextLoadOptions
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport, Role
from cgstore.options import option

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
    surplus_hint=lambda: f" ({setting('columns', [1, 2, 3])} passes over the others)",
)


def _places(text: str) -> tuple[int, ...]:
    return tuple(int(part) if part.strip().isdigit() else 0 for part in text.split(","))


@dataclass(frozen=True)
class KgOptions(TextLoadOptions):
    """The options of `load kg`."""

    columns: Sequence[int] | None = option(
        None,
        "Places of head, relation and tail, from 1.",
        unset="those that a header names, or 1,2,3",
        metavar="H,R,T",
        read=_places,
    )
    clean: bool = option(False, "Take brackets, quotes and prefixes off names in N-Triples style.")

    def __post_init__(self) -> None:
        super().__post_init__()
        places = self.columns
        if places is not None and (len(places) != 3 or len(set(places)) != 3 or min(places) < 1):
            raise BadOption(
                f"'{','.join(map(str, places))}' does not say which columns are head, relation and tail.",
                f"Give three different numbers from 1, such as {setting('columns', [1, 2, 3])}.",
            )


_DEFAULTS = KgOptions()

_LABEL = re.compile(
    r"<?(?:\w+:(?:label|prefLabel|altLabel|name)|https?://\S+[/#](?:label|prefLabel|altLabel|name))>?", re.IGNORECASE
)
"""Relations of RDF whose tails are names: `rdfs:label`, `skos:prefLabel`, `schema:name`."""


def read_kg(
    path: Path,
    options: KgOptions = _DEFAULTS,
    warnings: list[str] | None = None,
    cleaner: Cleaner | None = None,
) -> Iterator[Statement | BadLine]:
    """Streams the triples of a text file in its order, repeats included; see `read_columns`.

    `warnings` gets sentences about what was passed over. The files of one load share a `cleaner`.

    Raises:
        BadInput: the file cannot be read, is empty or lacks a column.
    """
    cleaner = cleaner or (Cleaner() if options.clean else None)
    warnings, named = [] if warnings is None else warnings, None
    places = None if options.columns is None else [number - 1 for number in options.columns]
    for line in read_columns(path, COLUMNS, options, warnings, places=places):
        named = named or _names_its_head(line)
        if isinstance(line, BadLine):
            yield line
        elif cleaner is None:
            head, relation, tail = line.fields
            yield Statement(head, relation, tail, line=line.number)
        else:
            yield _cleaned(line, cleaner)
    if named:
        warnings.append(_note_of_names(path, named))


def _names_its_head(line: Line | BadLine) -> Line | None:
    """The line, if it gives a node that has a code the name that people use."""
    if isinstance(line, BadLine) or ":" not in line.fields[1] or not _LABEL.fullmatch(line.fields[1]):
        return None
    return line


def _note_of_names(path: Path, line: Line) -> str:
    head, relation, tail = (printable(field)[:60] for field in line.fields)
    return (
        f"{path}: names stand under '{relation}', such as '{tail}' of '{head}'. They are values here: a question finds "
        f"the node as '{head}'. To find it by that name, load the pairs too (cgstore load aliases FILE, with columns "
        "alias and name), or load RDF files by cgstore load rdf FILE, which takes labels as names."
    )


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
    """Loads text files of triples as one source; arguments and errors as in `load_files`."""
    return load_files(to, KG, path, options)


def read_files(paths: Sequence[Path], options: KgOptions, warnings: list[str]) -> Iterator[Statement | BadLine]:
    """Streams the triples of files and of those in folders; see `read_kg`."""
    cleaner = Cleaner() if options.clean else None
    return in_files(input_files(paths, ENDINGS), lambda file: read_kg(file, options, warnings, cleaner))


# Names in the notation of N-Triples and YAGO


CACHED = 200_000
"""Names kept in memory. Others are looked up in a temporary file."""

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^(\S+))?', re.DOTALL)
_FULL_STOP = re.compile(r'([<"].*\S)\s+\.|(<[^<>]*>)\.')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


class CleanName(NamedTuple):
    """A name, and what its notation says: `iri` for an IRI; `literal`, `datatype` and `language` for a literal.

    `full` is the text between angle brackets, which tells apart what has the same name. It is empty for anything else.
    """

    name: str
    full: str = ""
    iri: str = ""
    literal: bool = False
    datatype: str = ""
    language: str = ""


def clean_name(text: str) -> CleanName:
    """The name that a text in the notation of N-Triples or YAGO stands for.

    - `<http://ex.org/a#Born_In>`: what follows the last `#`, else the last `/`, else (of a URN) the last `:`, with its
      underscores, as `load rdf` names it.
    - `<Athletic_Park_(Vancouver)>`, which is not an IRI: underscores become spaces.
    - Of both, percent-encoding is undone.
    - `"text"@en`, `"5"^^<type>`, `"text"`: the text, with N-Triples' escapes undone.
    - Anything else stays as it is.

    The name is empty only where nothing is between the brackets.
    """
    if len(text) > 1 and text[0] == "<" and text[-1] == ">":
        full = text[1:-1].strip()
        is_iri = "://" in full or full.lower().startswith("urn:")
        name = _decoded(_local(full)) if is_iri else _decoded(full).replace("_", " ")
        return CleanName(name.strip() or full, full, full if is_iri else "")
    if match := _LITERAL.fullmatch(text):
        kind = (match[3] or "").removeprefix("<").removesuffix(">")
        return CleanName(_ESCAPE.sub(_unescaped, match[1]).strip(), "", "", True, kind, match[2] or "")
    return CleanName(text)


def without_full_stop(text: str) -> str:
    """A triple's last name without the full stop that ends it in N-Triples: `<b> .` is `<b>`."""
    match = _FULL_STOP.fullmatch(text)
    return (match[1] or match[2]) if match else text


def _local(iri: str) -> str:
    if "://" not in iri:
        return iri.rstrip(":").rpartition(":")[2]
    path = iri.partition("://")[2]
    base, hash_, fragment = path.rpartition("#")
    if fragment and hash_:
        return fragment
    rest = (base if hash_ else path).rstrip("/")
    return rest.rpartition("/")[2] if "/" in rest else ""


def _decoded(text: str) -> str:
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:  # a name with a percent sign of its own, or in another encoding
        decoded = text
    return text if "\x00" in decoded else decoded


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        return _ESCAPED.get(match[3], match[3])
    return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else match[0]


class Cleaner:
    """Cleans the names of one load, and keeps apart names that become equal.

    The first IRI of a name keeps it; another one stands behind the name: `Paris (http://b.org/Paris)`. This depends on
    the order of the input, so the files of one load share a cleaner. An entity and a relation may share a name.
    """

    def __init__(self) -> None:
        self._sql = sqlite3.connect("", isolation_level=None)  # a temporary file, which SQLite removes
        self._sql.execute("PRAGMA journal_mode = OFF")
        self._sql.execute("CREATE TABLE taken (name TEXT PRIMARY KEY, full TEXT NOT NULL) WITHOUT ROWID")
        self._owner = lru_cache(CACHED)(self._owner_of)

    def clean(self, text: str, relation: bool = False) -> CleanName:
        """The name of an entity, a literal or a relation."""
        found = clean_name(text)
        if not found.full:
            return found
        space = "r" if relation else "e"
        name = found.name
        while self._owner(space + name, found.full) != found.full:
            name = f"{name} ({found.full})"
        return found._replace(name=name)

    def _owner_of(self, key: str, full: str) -> str:
        """The full name that a short name belongs to; `full` takes a short name that is still free."""
        self._sql.execute("INSERT OR IGNORE INTO taken VALUES (?, ?)", (key, full))
        return str(self._sql.execute("SELECT full FROM taken WHERE name = ?", (key,)).fetchone()[0])
