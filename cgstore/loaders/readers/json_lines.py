"""JSON Lines: a value a line; and tables in them.

A table is an object a line. The columns are the keys of all lines in the order of their first appearance, so that the
file is read twice. A key that a line lacks, null and NaN become the empty text. A line that is not an object, or has an
infinite number, is a `BadLine`. In a file of WikiSQL, whose first line is an object with the lists `header` and `rows`,
each line is a whole table, named by its `id`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from cgstore.errors import BadFile
from cgstore.loaders.readers.encoding import MAX_LINE, CutLine, Decoding, find_decoding
from cgstore.loaders.readers.frame import NoText, text_of
from cgstore.loaders.readers.records import MAX_COLUMNS, BadLine, Row, Table, as_row, bad_character, column_names
from cgstore.text.json_text import as_object

JSON_ENDINGS = (".jsonl", ".ndjson")

_TABLE_HINT = "Each line is an object with the keys id, header and rows."


class JsonLine(NamedTuple):
    """A line, its number from 1, and the value that it states."""

    number: int
    value: Any
    text: str


def json_lines(decoding: Decoding, decoder: json.JSONDecoder) -> Iterator[JsonLine | BadLine]:
    """Streams the values of a file, one a line. A line that is not JSON is a `BadLine`; blank lines are ignored."""
    for number, line in enumerate(decoding.lines(), 1):
        if isinstance(line, CutLine):
            yield BadLine(number, 0, "", f"longer than {MAX_LINE:,} characters", line)
        elif not line.isspace():
            yield _decoded(number, line.rstrip("\r\n"), decoder)


def _decoded(number: int, text: str, decoder: json.JSONDecoder) -> JsonLine | BadLine:
    problem = bad_character(text)
    if problem is None:
        try:
            return JsonLine(number, decoder.decode(text.strip()), text)
        except json.JSONDecodeError as error:
            problem = f"not JSON: {error.msg} at character {error.colno}"
        except ValueError as error:
            problem = f"JSON that cannot be used: {error}"
        except RecursionError:
            problem = "JSON that cannot be used: it is nested too deeply"
    return BadLine(number, 0, "", problem, text)


def no_constant(name: str) -> NoReturn:
    """Refuses NaN and Infinity, for a decoder."""
    raise ValueError(f"{name} is not a number of JSON")


def _finite(text: str) -> float:
    """A number with a fraction, or NaN, which is read as null. Refuses 1e999, which json would read as infinite."""
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:60]} is beyond all numbers")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=as_object, parse_float=_finite, parse_constant=_finite)


def _objects(decoding: Decoding) -> Iterator[JsonLine | BadLine]:
    for line in json_lines(decoding, _DECODER):
        if isinstance(line, JsonLine) and not isinstance(line.value, dict):
            kind = _KINDS.get(type(line.value), "value")
            yield BadLine(line.number, 0, "", f"a JSON {kind}, where an object is expected", line.text)
        else:
            yield line


_KINDS = {list: "array", str: "string", int: "number", float: "number"}


def read_json_tables(path: Path, name: str, encoding: str | None = None) -> Iterator[Table]:
    """The tables of a JSON Lines file: one, or those of a file of WikiSQL.

    Raises:
        BadFile: the file cannot be read or decoded, is empty or not JSON Lines; or a line of WikiSQL is not a table.
    """
    decoding = find_decoding(path, encoding)
    opening = next(_objects(decoding), None)
    if opening is None:
        raise BadFile(f"{path} is empty.", "Each line is a JSON object.")
    if isinstance(opening, JsonLine) and _is_table(opening.value):
        yield from _wikisql_tables(decoding, name)
        return
    columns: dict[str, None] = {}
    for line in _objects(decoding):
        if isinstance(line, JsonLine):
            columns.update(dict.fromkeys(line.value))
            if len(columns) > MAX_COLUMNS:
                raise BadFile(f"{path}:{line.number}: from here on, the file has more than {MAX_COLUMNS:,} columns.")
    if not columns:
        first = f": {opening}" if isinstance(opening, BadLine) else ""
        raise BadFile(f"{path} has no line that is a JSON object with a key{first}.", "JSON Lines has one a line.")
    keys = tuple(columns)
    notes = (decoding.note,) if decoding.note else ()
    yield Table(name, column_names(keys, str(path)), _object_rows(decoding, keys), path, notes)


def _object_rows(decoding: Decoding, keys: tuple[str, ...]) -> Iterator[Row | BadLine]:
    for line in _objects(decoding):
        yield line if isinstance(line, BadLine) else _row(line, keys)


def _row(line: JsonLine, keys: tuple[str, ...]) -> Row | BadLine:
    cells = []
    for place, key in enumerate(keys, 1):
        try:
            cells.append(text_of(line.value.get(key)))
        except NoText as error:
            return BadLine(line.number, place, key, str(error), line.text)
    return as_row(line.number, cells, keys, line.text)


def _is_table(value: dict[str, Any]) -> bool:
    return isinstance(value.get("header"), list) and isinstance(value.get("rows"), list)


def _wikisql_tables(decoding: Decoding, name: str) -> Iterator[Table]:
    for line in _objects(decoding):
        if isinstance(line, BadLine):
            raise BadFile(f"{decoding.path}:{line}", _TABLE_HINT)
        where = f"{decoding.path}:{line.number}"
        if not _is_table(line.value):
            raise BadFile(f"{where} is not a table, as the first line is.", _TABLE_HINT)
        try:
            columns = column_names([text_of(heading) for heading in line.value["header"]], where)
            title = text_of(line.value.get("id")).strip() or f"{name}/{line.number}"
        except NoText as error:
            raise BadFile(f"{where} has a name that cannot be used: {error}.") from error
        yield Table(title, columns, _list_rows(line.value["rows"], columns), decoding.path)


def _list_rows(rows: list[Any], columns: tuple[str, ...]) -> Iterator[Row | BadLine]:
    for number, values in enumerate(rows, 1):
        text = json.dumps(values, ensure_ascii=False)
        if not isinstance(values, list):
            yield BadLine(number, 0, "", "not a list of cells", text)
            continue
        try:
            cells = [text_of(value) for value in values]
        except NoText as error:
            yield BadLine(number, 0, "", str(error), text)
            continue
        yield as_row(number, cells, columns, text)
