"""Facts in columns: which column of a text file is which, by a header or by position, and what is wrong with a line.

A format is one `Columns` and a function that makes a fact of a `Line`. Triples, temporal facts and aliases are such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cgstore.errors import BadFile, setting
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.records import BadLine, field_problem, printable
from cgstore.loaders.readers.text import Record, TextFile, TextLoadOptions, hint_of_delimiter, open_text

_AS_RDF = "Load it by: cgstore load rdf FILE."

COMMENT, NO_COMMENTS = "#", "a line that begins with # is no comment here"


_RDF = re.compile(r"\s*(?:@(?:prefix|base)\s|prefix\s+[\w.-]*:\s*<|base\s+<|<\?xml|<rdf:RDF)", re.IGNORECASE)
"""How a file of Turtle or RDF/XML begins."""

_RDF_ENDINGS = (".ttl", ".turtle", ".n3", ".trig", ".nt", ".nq", ".rdf", ".owl", ".xml", ".jsonld")


@dataclass(frozen=True)
class Columns:
    """The columns of a format.

    Attributes:
        names: of the columns, in the order that they have without a header.
        titles: the titles that a header may give each column, with commas between; case does not count, `_` and `-`
            are spaces.
        fact: what a line states, with its article.
        form: what a line holds, a sentence for messages.
        optional: how many of the last columns a line may lack or leave empty.
        fewest_titles: known titles that make the first line a header.
        by_place: whether a title of the header that is not known stands for the column of its place.
        is_value: whether a field of the first line shows that it is not a header.
        mark: matches the fields of one more column between tabs, which is ignored if the first line has such a field.
        surplus_hint: what to do about lines with more columns.
    """

    names: tuple[str, ...]
    titles: Mapping[str, str]
    fact: str
    form: str
    optional: int = 0
    fewest_titles: int = 2
    by_place: bool = False
    is_value: Callable[[str], object] = lambda field: False
    mark: re.Pattern[str] | None = None
    surplus_hint: Callable[[], str] = str

    @property
    def required(self) -> int:
        """How many columns each line has at least."""
        return len(self.names) - self.optional

    def column_of(self, title: str) -> str | None:
        """The column that a title means."""
        return self._by_title.get(" ".join(title.casefold().replace("_", " ").replace("-", " ").split()))

    @cached_property
    def _by_title(self) -> dict[str, str]:
        return {title: column for column, titles in self.titles.items() for title in titles.split(", ")}


class Line(NamedTuple):
    """A line of facts: a field for each column, empty if an optional one is missing, and the place of each."""

    number: int
    fields: list[str]
    text: str
    places: Sequence[int]
    names: tuple[str, ...]

    def bad(self, column: int, problem: str) -> BadLine:
        """The line with a problem in one of its columns (from 0)."""
        problem += f"; {NO_COMMENTS}" if self.text.startswith(COMMENT) else ""
        return BadLine(self.number, self.places[column] + 1, self.names[column], problem, self.text)


@dataclass(frozen=True)
class _Layout:
    """The place of each column (from 0; -1: none), and how many columns a line may have (None: any number)."""

    places: tuple[int, ...]
    width: int | None
    header: bool = False
    mark: re.Pattern[str] | None = None

    @cached_property
    def in_order(self) -> bool:
        """Whether the columns are the first ones of a line, in their order."""
        return self.places == tuple(range(len(self.places)))


def read_columns(
    path: Path,
    columns: Columns,
    options: TextLoadOptions,
    warnings: list[str],
    *,
    places: Sequence[int] | None = None,
) -> Iterator[Line | BadLine]:
    """Streams the lines of a text file in its order. A line that cannot be used is a `BadLine` in its place.

    White space around a field is dropped, and a line of empty fields is ignored. Columns may stand in any order under a
    header that names them, else they go by position, or by `places` (from 0). `warnings` gets sentences about columns
    that are ignored.

    Raises:
        BadFile: the file cannot be read, is empty or lacks a column.
    """
    file = open_text(path, options, fewest=columns.required)
    if file.decoding.note:
        warnings.append(file.decoding.note)
    opening = next(stripped(file), None)
    if opening is None:
        raise BadFile(f"{path} is empty.", columns.form)
    if _RDF.match(opening.text):
        raise BadFile(f"{path} is RDF, not columns: it begins with '{printable(opening.text)[:60]}'.", _AS_RDF)
    layout = _layout(file, opening, columns, options.header, places, warnings)
    for record in file:
        if isinstance(record, BadLine):
            yield record
        elif not (layout.header and record.line == opening.line):
            line = _line(record.line, [cell.strip() for cell in record.cells], record.text, columns, layout)
            if line is not None:
                yield line


def stripped(file: TextFile) -> Iterator[Record | BadLine]:
    """The records without white space around their cells. Records whose cells are all empty are left out."""
    for record in file:
        if isinstance(record, BadLine):
            yield record
            continue
        fields = [cell.strip() for cell in record.cells]
        if any(fields):
            yield Record(record.line, fields, record.text)


def _layout(
    file: TextFile,
    opening: Record | BadLine,
    columns: Columns,
    header: bool | None,
    places: Sequence[int] | None,
    warnings: list[str],
) -> _Layout:
    by_position = tuple(places or range(len(columns.names)))
    if isinstance(opening, BadLine):
        return _Layout(by_position, None if places else len(columns.names))
    fields = opening.cells
    titles = [columns.column_of(field) for field in fields]
    if header is None:
        known = len(set(titles) - {None})
        header = known >= columns.fewest_titles and not any(map(columns.is_value, fields))
    if places is None and header and any(titles):
        return _named_layout(file.path, fields, titles, columns, warnings)
    last = max(places) if places else columns.required - 1
    if len(fields) <= last:
        what = "" if places else f" ({columns.names[last]})"
        comment = f"; {NO_COMMENTS}" if opening.text.startswith(COMMENT) else ""
        hint = None if places else hint_of_delimiter(opening.text, columns.required, file.delimiter)
        if plain_path(file.path).suffix.lower() in _RDF_ENDINGS:
            hint = f"If it is RDF: {_AS_RDF}"
        raise BadFile(
            f"{file.path} has no column {last + 1}{what}: line {opening.line} has {len(fields)}{comment}.",
            hint or columns.form,
        )
    if places:
        return _Layout(by_position, None, header)
    width, mark = len(columns.names), columns.mark
    if mark and not header and file.delimiter == "\t" and len(fields) == width + 1 and mark.fullmatch(fields[-1]):
        if fields[-1]:
            warnings.append(f"{file.path}: column {width + 1} was passed over; it holds marks such as '{fields[-1]}'.")
        return _Layout(by_position, width, header, mark)
    return _Layout(by_position, width, header)


def _named_layout(
    path: Path, fields: list[str], titles: list[str | None], columns: Columns, warnings: list[str]
) -> _Layout:
    """The layout that a header gives by the names of its columns."""
    if columns.by_place:
        titles = _by_place(path, fields, titles, columns, warnings)
    for column in columns.names[: columns.required]:
        if column not in titles:
            raise BadFile(
                printable(f"{path} has no column '{column}'; its columns are {', '.join(fields)[:300]}."),
                f"{columns.form} In a header, {column} may be called {columns.titles[column]}. "
                f"{setting('header', False)} says that the first line is {columns.fact}.",
            )
    places = tuple(titles.index(column) if column in titles else -1 for column in columns.names)
    others = [field for place, field in enumerate(fields) if field and place not in places]
    if others:
        shown = printable(", ".join(others)[:300])
        warnings.append(f"{path}: columns that are not part of {columns.fact} were passed over: {shown}.")
    return _Layout(places, len(fields), header=True)


def _by_place(
    path: Path, fields: list[str], titles: list[str | None], columns: Columns, warnings: list[str]
) -> list[str | None]:
    """The columns that titles mean, where one that is not known means the column of its place, if no other does."""
    required = columns.names[: columns.required]
    taken = {
        place: column
        for place, (field, title, column) in enumerate(zip(fields, titles, required, strict=False))
        if field and title is None and column not in titles
    }
    if taken:
        shown = printable(", ".join(fields[place] for place in taken)[:300])
        warnings.append(f"{path}: columns taken by their place as {', '.join(taken.values())}: {shown}.")
    return [taken.get(place, title) for place, title in enumerate(titles)]


def _line(number: int, fields: list[str], text: str, columns: Columns, layout: _Layout) -> Line | BadLine | None:
    """The line of a record, or what is wrong with it, with the column where it is wrong; None for an empty one."""
    places = layout.places
    if len(fields) == len(places) and layout.in_order:
        found = fields
    else:
        found = [fields[place] if 0 <= place < len(fields) else "" for place in places]
    line = Line(number, found, text, places, columns.names)
    fits = layout.width is None or len(fields) <= layout.width
    if (all(found) or all(found[: columns.required])) and fits and not field_problem(text):
        return line
    return (_bad_line(line, fields, columns, layout) or line) if any(fields) else None


def _bad_line(line: Line, fields: list[str], columns: Columns, layout: _Layout) -> BadLine | None:
    places, names, width = layout.places, columns.names, layout.width
    for column, field in enumerate(line.fields[: columns.required]):
        if not field:
            return line.bad(column, "missing" if places[column] >= len(fields) else "empty")
    for place, field in enumerate(fields):
        if problem := field_problem(field):
            name = names[places.index(place)] if place in places else ""
            return BadLine(line.number, place + 1, name, problem, line.text)
    if width is None or not any(fields[width:]):
        return None
    if layout.mark is not None and len(fields) == width + 1 and layout.mark.fullmatch(fields[width]):
        return None
    hint = columns.surplus_hint() if layout.in_order else ""
    problem = f"{len(fields)} columns where {width} are expected{hint}"
    return BadLine(line.number, width + 1, "", problem, line.text)


def line_of_object(
    number: int, found: Mapping[str, object], text: str, columns: Columns, unknown: dict[str, None]
) -> Line | BadLine:
    """The line that a JSON object states. Its keys are the titles that a header may have; others go to `unknown`."""
    fields: dict[str, str] = {}
    for key, value in found.items():
        column = columns.column_of(key)
        if column is None:
            unknown[key] = None
        if column is None or column in fields or value is None:
            continue
        if not isinstance(value, str):
            return BadLine(number, 0, column, "neither a text nor a number", text)
        fields[column] = value.strip()
    for column in columns.names[: columns.required]:
        if column not in fields:
            return BadLine(number, 0, column, "missing", text)
    places = tuple(range(len(columns.names)))
    cells = [fields.get(column, "") for column in columns.names]
    line = Line(number, cells, text, places, columns.names)
    return _bad_line(line, cells, columns, _Layout(places, len(places))) or line
