"""The file of a temporal knowledge graph: columns head, relation, tail, start, end, a fact a line.

In JSON Lines a line is an object whose keys are called as a header's columns may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.errors import BadInput
from cgstore.loaders.delimited import Record, read_lines, read_records
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.rows import BadLine, field_problem
from cgstore.text.dates import Moment, read_moment
from cgstore.text.json_text import read_json

COLUMNS = ("head", "relation", "tail", "start", "end")
REQUIRED = COLUMNS[:4]

JSON_ENDINGS = (".jsonl", ".ndjson")

SYNONYMS = {
    "head": ("head", "subject", "subj", "s", "h", "source", "from entity"),
    "relation": ("relation", "predicate", "pred", "property", "p", "r", "rel"),
    "tail": ("tail", "object", "obj", "o", "t", "target", "to entity"),
    "start": ("start", "start time", "start date", "start year", "from", "since", "begin", "time", "date", "year"),
    "end": ("end", "end time", "end date", "end year", "to", "until"),
}
"""What a header may call each column, compared without case, with `_` and `-` as spaces."""

_OTHERS = {
    "\t": "tabs: call the file .tsv.",
    ";": "';': cgstore reads those of a .csv file whose first line has no comma.",
    ",": "commas: call the file .csv.",
    "|": "'|': cgstore reads tabs (.tsv), commas and semicolons (.csv).",
}
"""How the columns may be separated in a file that has too few by its own delimiter, and what to do then."""

_BY_NAME = {name: column for column, names in SYNONYMS.items() for name in names}


class Fact(NamedTuple):
    """A temporal fact as its line states it; `end` is `start` where the file leaves it out, and `has_end` is false."""

    head: str
    relation: str
    tail: str
    start: Moment
    end: Moment
    line: int = 0
    has_end: bool = True


def read_tkg(path: Path, *, header: bool | None = None) -> Iterator[Fact | BadLine]:
    """Streams the facts of a TSV, CSV or JSON Lines file (plain or .gz) in the file's order, repeats included.

    White space around a field is dropped, everything else in a name is kept. `end` may be missing or empty: the same
    as start. A line that is no fact comes as a `BadLine` in its place.

    Args:
        path: the file; see `cgstore.loaders.delimited.read_records` for the delimiter and the encoding.
        header: whether the first line names the columns; None finds out: it does when it holds no time and names of
            `SYNONYMS` for two columns or more. Named columns may stand in any order, beside others; without a header,
            or where it has none of the names, they go by position.

    Raises:
        BadInput: the file cannot be read, is empty, or lacks a column.
    """
    if plain_path(path).suffix.lower() in JSON_ENDINGS:
        yield from _read_json(path)
        return
    records = read_records(path)
    opening = next(records, None)
    if opening is None:
        raise BadInput(f"{path} is empty.", "A line holds head, relation, tail, start, end.")
    if isinstance(opening, Record) and (header or (header is None and _is_header(opening))):
        columns = _named_columns(path, opening)
    else:
        columns = _plain_columns(path, opening)
        yield _fact(opening, columns) if isinstance(opening, Record) else opening
    for record in records:
        yield _fact(record, columns) if isinstance(record, Record) else record


class _Columns(NamedTuple):
    """Where each column stands (from 0; end may be -1), and how many fields a line may have."""

    head: int
    relation: int
    tail: int
    start: int
    end: int
    width: int


def _column_of(title: str) -> str | None:
    return _BY_NAME.get(" ".join(title.casefold().replace("_", " ").replace("-", " ").split()))


def _is_header(record: Record) -> bool:
    known = {_column_of(field) for field in record.fields} - {None}
    return len(known) >= 2 and not any(read_moment(field) for field in record.fields)


def _named_columns(path: Path, record: Record) -> _Columns:
    places: dict[str, int] = {}
    for place, title in enumerate(record.fields):
        column = _column_of(title)
        if column and column not in places:
            places[column] = place
    if not places:
        return _plain_columns(path, record)
    for column in REQUIRED:
        if column not in places:
            raise BadInput(
                f"{path} has no column '{column}'; its columns are {', '.join(record.fields)[:300]}.",
                "A line holds head, relation, tail, start, end; --no-header says that the first line is a fact.",
            )
    return _Columns._make([*(places.get(column, -1) for column in COLUMNS), len(record.fields)])


def _plain_columns(path: Path, record: Record | BadLine) -> _Columns:
    if isinstance(record, Record) and len(record.fields) < len(REQUIRED):
        raise BadInput(
            f"{path} has no column '{REQUIRED[len(record.fields)]}': line {record.line} has {len(record.fields)} of "
            f"{len(REQUIRED)}.",
            _seen_delimiter(path, record.text)
            or "A line holds head, relation, tail, start, end, separated by tabs (.tsv) or commas (.csv).",
        )
    return _Columns(0, 1, 2, 3, 4, width=len(COLUMNS))


def _seen_delimiter(path: Path, text: str) -> str | None:
    """A hint for a line of too few columns that another delimiter would give enough."""
    for delimiter, hint in _OTHERS.items():
        if text.count(delimiter) >= len(REQUIRED) - 1 and not hint.endswith(f"{plain_path(path).suffix.lower()}."):
            return f"The columns look separated by {hint}"
    return None


def _fact(record: Record, columns: _Columns) -> Fact | BadLine:
    """The fact of a record, or what is wrong with it, with the column where it is wrong."""
    fields = record.fields
    for place, column in zip(columns, REQUIRED, strict=False):
        if place >= len(fields):
            return BadLine(record.line, place + 1, column, "missing", record.text)
        if not fields[place]:
            return BadLine(record.line, place + 1, column, "empty", record.text)
    for place, field in enumerate(fields if field_problem(record.text) else ()):
        if problem := field_problem(field):
            return BadLine(record.line, place + 1, _name_at(columns, place), problem, record.text)
    if len(fields) > columns.width and any(fields[columns.width :]):
        problem = f"{len(fields)} columns where {columns.width} are expected"
        return BadLine(record.line, columns.width + 1, "", problem, record.text)
    return _with_times(record, columns)


def _with_times(record: Record, columns: _Columns) -> Fact | BadLine:
    fields = record.fields
    start = read_moment(fields[columns.start])
    if start is None:
        return _no_time(record, columns.start, "start")
    end: Moment | None = start
    has_end = 0 <= columns.end < len(fields) and bool(fields[columns.end])
    if has_end:
        end = read_moment(fields[columns.end])
        if end is None:
            return _no_time(record, columns.end, "end")
    names = (fields[columns.head], fields[columns.relation], fields[columns.tail])
    return Fact(*names, start=start, end=end or start, line=record.line, has_end=has_end)


def _no_time(record: Record, place: int, column: str) -> BadLine:
    shown = record.fields[place]
    quoted = " with the quotes around it" if read_moment(shown.strip('"')) else ""
    problem = f"'{shown[:60]}{'...' if len(shown) > 60 else ''}' is no year or ISO date{quoted}"
    return BadLine(record.line, place + 1, column, problem, record.text)


def _name_at(columns: _Columns, place: int) -> str:
    places = columns[: len(COLUMNS)]
    return COLUMNS[places.index(place)] if place in places else ""


# JSON Lines


def _read_json(path: Path) -> Iterator[Fact | BadLine]:
    empty = True
    for line, text in read_lines(path):
        empty = False
        try:
            found = read_json(text, parse_int=str, parse_float=str)
        except (ValueError, RecursionError) as error:
            yield BadLine(line, 0, "", field_problem(text) or f"no JSON: {error}", text)
            continue
        yield _of_object(found, line, text) if isinstance(found, dict) else BadLine(line, 0, "", "no object", text)
    if empty:
        raise BadInput(
            f"{path} is empty.", 'A line is an object: {"head": .., "relation": .., "tail": .., "start": ..}'
        )


def _of_object(found: dict[str, Any], line: int, text: str) -> Fact | BadLine:
    fields: dict[str, str] = {}
    for key, value in found.items():
        column = _column_of(key)
        if column is None or column in fields or value is None:
            continue
        if not isinstance(value, str):
            return BadLine(line, 0, column, "no text or number", text)
        fields[column] = value.strip()
    missing = next((column for column in REQUIRED if column not in fields), None)
    if missing:
        return BadLine(line, 0, missing, "missing", text)
    return _fact(Record(line, [fields.get(column, "") for column in COLUMNS], text), _Columns(0, 1, 2, 3, 4, 5))
