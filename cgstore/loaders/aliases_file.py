"""The file of aliases: two columns, alias and name, a pair a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cgstore.errors import BadInput
from cgstore.loaders.delimited import Record, read_records
from cgstore.loaders.kg_file import DELIMITERS, delimiter_of
from cgstore.loaders.readers.rows import BadLine, field_problem, printable

COLUMNS = ("alias", "name")

SYNONYMS = {
    "alias": (
        "alias",
        "aliases",
        "also known as",
        "alt label",
        "altlabel",
        "alternative name",
        "mention",
        "surface form",
    ),
    "name": ("name", "label", "entity", "entity name", "canonical name", "title", "preferred label"),
}
"""What a header may call each column, compared without case, with `_` and `-` as spaces."""

_BY_NAME = {name: column for column, names in SYNONYMS.items() for name in names}

_FORM = "A line holds an alias and a name, separated by a tab (.tsv), a comma (.csv), a semicolon or '|'."


class Alias(NamedTuple):
    """Another name of a node, and the node's own."""

    alias: str
    name: str


class _Layout(NamedTuple):
    """Where alias and name stand (from 0), how many columns a line has, and whether the first one is no pair."""

    places: tuple[int, int] = (0, 1)
    width: int = 2
    header: bool = False


def read_aliases(
    path: Path, *, header: bool | None = None, delimiter: str | None = None, warnings: list[str] | None = None
) -> Iterator[Alias | BadLine]:
    """Streams the pairs of a text file (plain or .gz) in the file's order, repeats included.

    White space around a name is dropped, everything else in it is kept. A line that is no pair, of three columns too,
    comes as a `BadLine` in its place. Columns that a header names otherwise are passed over, which `warnings` tells.

    Args:
        path: the file.
        header: whether the first line names the columns; None finds out: it does when it holds names of `SYNONYMS` for
            both. Named columns may stand in any order; without a header, or where it has none of the names, the alias
            comes first.
        delimiter: `tab`, `comma`, `semicolon`, `pipe` or the character itself. By default the name's ending says it
            (.tsv, .tab, .csv), for others the first line: the first of tab, pipe, comma, semicolon that it has. Tabs
            and pipes know no quotes.
        warnings: gets sentences about what was read but looks odd.

    Raises:
        BadInput: the file cannot be read, is empty, or lacks a column, or the delimiter is none.
    """
    said = None if delimiter is None else delimiter_of(delimiter)
    records = read_records(path, delimiter=said, separators=1, pipes=True)
    opening = next(records, None)
    if opening is None:
        raise BadInput(f"{path} is empty.", _FORM)
    layout = _layout(path, opening, header, [] if warnings is None else warnings)
    if not layout.header:
        yield _pair(opening, layout)
    for record in records:
        yield _pair(record, layout)


def _layout(path: Path, opening: Record | BadLine, header: bool | None, warnings: list[str]) -> _Layout:
    if isinstance(opening, BadLine):
        return _Layout()
    titles = [_column_of(field) for field in opening.fields]
    is_header = {*COLUMNS} <= {*titles} if header is None else header
    if is_header and any(titles):
        return _named(path, opening.fields, titles, warnings)
    if len(opening.fields) < 2:
        raise BadInput(f"{path} has no column 2 (name): line {opening.line} has 1.", _seen_delimiter(opening.text))
    return _Layout(header=is_header)


def _column_of(title: str) -> str | None:
    return _BY_NAME.get(" ".join(title.casefold().replace("_", " ").replace("-", " ").split()))


def _named(path: Path, fields: list[str], titles: list[str | None], warnings: list[str]) -> _Layout:
    """The layout that a header gives by the names of its columns."""
    for column in COLUMNS:
        if column not in titles:
            raise BadInput(
                printable(f"{path} has no column '{column}'; its columns are {', '.join(fields)[:300]}."),
                f"{_FORM} --no-header says that the first line is a pair.",
            )
    places = (titles.index("alias"), titles.index("name"))
    others = [field for place, field in enumerate(fields) if field and place not in places]
    if others:
        warnings.append(f"{path}: columns that are no part of a pair were passed over: {printable(', '.join(others))}.")
    return _Layout(places, len(fields), header=True)


def _seen_delimiter(text: str) -> str:
    """A hint for a line of one column: that another delimiter would give two."""
    for name, delimiter in DELIMITERS.items():
        if delimiter in text:
            shown = "tabs" if name == "tab" else f"'{delimiter}'"
            return f"The columns look separated by {shown}: --delimiter {name}."
    return _FORM


def _pair(record: Record | BadLine, layout: _Layout) -> Alias | BadLine:
    """The pair of a record, or what is wrong with it, with the column where it is wrong."""
    if isinstance(record, BadLine):
        return record
    fields = record.fields
    for place, column in zip(layout.places, COLUMNS, strict=True):
        problem = "missing" if place >= len(fields) else "empty" if not fields[place] else field_problem(fields[place])
        if problem:
            return BadLine(record.line, place + 1, column, problem, record.text)
    if any(fields[layout.width :]):
        problem = f"{len(fields)} columns where {layout.width} are expected"
        return BadLine(record.line, layout.width + 1, "", problem, record.text)
    return Alias(fields[layout.places[0]], fields[layout.places[1]])
