"""What readers give: tables with rows of texts, statements, and bad lines; and the rules that hold for all of them.

Columns: white space around a name is dropped, and within it is one space. A column without a name is `column N`, where
N is its position from 1. A name may stand twice here; the load numbers the later ones. Every column is kept,
with values or without.

Rows: a row with fewer cells is filled with empty texts. A row with more is a `BadLine`, unless the surplus is blank. A
line without any cell is ignored; a row whose cells are all empty is a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from cgstore.errors import BadFile, setting
from cgstore.model import Role
from cgstore.text.names import many

MAX_FIELD = 1_000_000
"""Longest field in characters. A longer one is more likely a quote that was never closed."""

_BAD = re.compile("[\x00\ud800-\udfff]")

MAX_COLUMNS = 20_000
"""More than any sheet has (16,384). What has even more is a table that lies on its side, or not a table."""


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be used. `column` counts from 1; 0 means the whole line."""

    line: int
    column: int
    name: str
    problem: str
    text: str

    def __str__(self) -> str:
        where = (
            f"column {self.column} ({self.name}): " if self.name else f"column {self.column}: " if self.column else ""
        )
        return f"{self.line}: {where}{self.problem}"


class Row(NamedTuple):
    """One row: where it begins in the input (a line, or a row of a sheet or frame, from 1), and a text for each column.

    The last `missing` cells are not in the input.
    """

    line: int
    cells: list[str]
    missing: int = 0


@dataclass(frozen=True)
class Table:
    """A table that is read while its rows are iterated.

    `columns` is never empty and may hold a name twice. `rows` may be iterated only once, and may raise BadFile. `path`
    is the file it came from, None for a database or a frame. `notes` tells a user what the reader guessed or left out,
    a sentence each. `header` says which row was taken for the header, if the user did not say. `decimal` is the mark
    before decimals that the format suggests.
    """

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Row | BadLine]
    path: Path | None = None
    notes: tuple[str, ...] = ()
    header: str = ""
    decimal: str | None = None


def column_names(cells: Sequence[str], where: str) -> tuple[str, ...]:
    """The names of the columns, from the cells of the header; `where` is the input, for the error.

    Raises:
        BadFile: there is no column, there are more than `MAX_COLUMNS`, or a name has characters that are not text.
    """
    if not cells:
        raise BadFile(f"{where} has no columns.", "Is it the right input, and complete?")
    if len(cells) > MAX_COLUMNS:
        raise BadFile(
            f"{where} has {len(cells):,} columns; {MAX_COLUMNS:,} is the most.",
            f"Is the delimiter right? It can be given with {setting('delimiter')}.",
        )
    for place, cell in enumerate(cells, 1):
        if problem := field_problem(cell):
            raise BadFile(f"{where}: the name of column {place} cannot be used: {problem}.", "Give it another name.")
    return tuple(" ".join(cell.split()) or f"column {place}" for place, cell in enumerate(cells, 1))


def numbered_columns(width: int, where: str) -> tuple[str, ...]:
    """`column 1` to `column N`, for a table without a header.

    Raises:
        BadFile: as `column_names`.
    """
    return column_names([""] * width, where)


def as_row(line: int, cells: list[str], columns: Sequence[str], text: str | None = None) -> Row | BadLine:
    """The row of these cells, filled up to the number of columns, or what is wrong with them.

    `cells` is changed in place. `text` is what stands in the input; None if the input has no text.
    """
    width, missing = len(columns), max(0, len(columns) - len(cells))
    if len(cells) != width:
        if any(not cell.isspace() for cell in cells[width:] if cell):
            has = f"the table has {many(width, 'column', 'columns')}"
            surplus = f"{many(len(cells), 'cell', 'cells')} where {has}"
            return BadLine(line, width + 1, "", surplus, "\t".join(cells) if text is None else text)
        del cells[width:]
        cells += [""] * (width - len(cells))
    for place, cell in enumerate(cells):
        if (problem := field_problem(cell)) is not None:
            shown = "\t".join(cells) if text is None else text
            return BadLine(line, place + 1, columns[place], problem, shown)
    return Row(line, cells, missing)


def library(name: str, purpose: str) -> ModuleType:
    """A library of the extra `table`, imported where it is used because it takes long; `purpose` is for the error.

    Raises:
        BadFile: it is not installed.
    """
    from importlib import import_module

    package = name.partition(".")[0]
    try:
        import_module(package)  # a module of it may be imported already, although the package is not there
        return import_module(name)
    except ImportError as error:
        raise BadFile(
            f"{purpose} cannot be read: the library {package} is missing ({error}).",
            "pip install 'cgstore[table]'",
        ) from error


def printable(text: str) -> str:
    """A text that any terminal takes: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def field_problem(field: str) -> str | None:
    """What is wrong with a field, or None."""
    return f"longer than {MAX_FIELD:,} characters" if len(field) > MAX_FIELD else bad_character(field)


NOT_UTF8 = "is not UTF-8"
"""What the problem of a line says that is in another encoding."""


def bad_character(text: str) -> str | None:
    """The first character of a text that cannot be stored, or None."""
    if text.isascii() and "\x00" not in text:  # quicker than the search
        return None
    match = _BAD.search(text)
    if match is None:
        return None
    place = match.start() + 1
    if match[0] == "\x00":
        return f"a NUL character at position {place}: is this a text file in UTF-8?"
    if not 0xDC80 <= ord(match[0]) <= 0xDCFF:
        return f"a lone surrogate U+{ord(match[0]):04X} at position {place} is not a character"
    return f"byte 0x{ord(match[0]) - 0xDC00:02x} at position {place} {NOT_UTF8}"


# Statements


PLAIN = '""'
"""The suffix of a literal without one."""


class QualifierTerms(NamedTuple):
    """What RDF adds to the texts of a qualifier: the IRIs of its key and value, each empty if there is none.

    `suffix` follows the text of a literal in N-Triples (see `literal_suffix`); it is None for any other value.
    """

    key: str = ""
    value: str = ""
    suffix: str | None = None


class Statement(NamedTuple):
    """A fact (head, relation, tail) with its qualifiers, as the input states it.

    `head_role` is LINE for a row of a table, else ENTITY. `tail_role` is VALUE for a cell, a literal or a property.
    `datatype` and `language` are those of an RDF literal; `iris` are those of head, relation and tail, each empty if
    there is none. `terms` has the same for each qualifier, or is empty. `line` is the line in the input, from 1.
    """

    head: str
    relation: str
    tail: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    head_role: Role = Role.ENTITY
    tail_role: Role = Role.ENTITY
    datatype: str = ""
    language: str = ""
    iris: tuple[str, str, str] = ("", "", "")
    terms: tuple[QualifierTerms, ...] = ()
    line: int = 0


def literal_suffix(datatype: str, language: str) -> str:
    """The suffix of a literal in N-Triples, an IRI without its brackets; `PLAIN` for a plain literal."""
    if language:
        return f"@{language}"
    return f"^^{datatype}" if datatype else PLAIN
