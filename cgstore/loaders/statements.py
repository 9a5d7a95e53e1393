"""`load statements`: facts with qualifiers as a source, from delimited text as WD50K has it, or JSON Lines.

- Delimited: `subject,relation,object,key,value,key,value,...`, any number of pairs.
- JSON Lines: an object a line, `{"subject": .., "relation": .., "object": .., "qualifiers": ..}`. The qualifiers are
  an object of values or lists of values by key, or a list of `[key, value]` or `{"key": .., "value": ..}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cgstore.catalog.kinds import STATEMENTS
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, setting
from cgstore.loaders.inputs import input_files, plain_path
from cgstore.loaders.kg import COLUMNS
from cgstore.loaders.load import in_files, load_files
from cgstore.loaders.readers.columns import stripped
from cgstore.loaders.readers.encoding import Decoding, find_decoding
from cgstore.loaders.readers.json_lines import JSON_ENDINGS, json_lines, no_constant
from cgstore.loaders.readers.records import BadLine, Statement, field_problem, printable
from cgstore.loaders.readers.text import TEXT_ENDINGS, Record, TextLoadOptions, open_text
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport, Role
from cgstore.text.json_text import as_object
from cgstore.text.numbers import NumberText

ENDINGS = (".txt", *TEXT_ENDINGS, *JSON_ENDINGS)
"""Files that are taken from a folder."""

FIELDS = ("subject", "relation", "object")

_NAMES = {
    "head": ("subject", "head", "subj", "s", "h"),
    "relation": ("relation", "predicate", "property", "rel", "pred", "r", "p"),
    "tail": ("object", "tail", "obj", "o", "t"),
    "qualifiers": ("qualifiers", "qualifier"),
}
"""Names of an object's keys, compared without case. They are fewer than the titles of a header: objects hold more."""

_PARTS = {name: part for part, names in _NAMES.items() for name in names}
_KEY_NAMES = ("key", "relation", "qualifier", "property", "predicate", "name")
_VALUE_NAMES = ("value", "object", "tail", "entity")

_FORM = "A line holds subject, relation, object, and then a key and a value for each qualifier."
_JSON_FORM = 'A line is an object: {"subject": "Q1", "relation": "P1", "object": "Q2", "qualifiers": {"P2": "Q3"}}'

_PAIR_TITLE = re.compile(r"(qualifier[ _-]?)?(key|relation|property|qualifier|value|object|entity)?[ _-]?[0-9]*", re.I)

_DEFAULTS = TextLoadOptions()


def read_statements(
    path: Path, options: TextLoadOptions = _DEFAULTS, warnings: list[str] | None = None
) -> Iterator[Statement | BadLine]:
    """Streams the statements of a file in its order, repeats included. Other lines come as a `BadLine`.

    The ending tells JSON Lines (.jsonl, .ndjson, .json) from delimited text; a file with an unknown ending is JSON if
    its
    first line begins with `{`. Delimited text may begin with a header that names subject, relation, object in this
    order.
    In JSON, numbers and booleans become their text in the file, and keys that are not part of a statement are ignored,
    with a note in `warnings`.

    Raises:
        BadInput: the file cannot be read, is empty, or is in another format.
    """
    notes = [] if warnings is None else warnings
    decoding = find_decoding(path, options.encoding, strict=False)
    opening = next((line.strip() for line in decoding.lines() if not line.isspace()), "")
    if not opening:
        raise BadInput(f"{path} is empty.", _FORM)
    notes += [decoding.note] if decoding.note else []
    ending = plain_path(path).suffix.lower()
    if ending in (*JSON_ENDINGS, ".json") or (ending not in TEXT_ENDINGS and opening.startswith("{")):
        if opening.startswith("["):
            raise BadInput(f"{path} is one JSON list.", f"Write an object a line: jq -c '.[]' {path}")
        yield from _read_json(decoding, notes)
    else:
        yield from _read_delimited(decoding, options)


# Delimited text


def _read_delimited(decoding: Decoding, options: TextLoadOptions) -> Iterator[Statement | BadLine]:
    records = stripped(open_text(decoding.path, options, fewest=3, decoding=decoding))
    for opening in records:
        header = options.header
        if header is None:
            header = isinstance(opening, Record) and _is_header(decoding.path, opening.cells)
        if not header:
            yield _of_record(opening)
        break
    yield from map(_of_record, records)


def _is_header(path: Path, fields: list[str]) -> bool:
    titles = [COLUMNS.column_of(field) for field in fields[:3]]
    if len(set(titles) - {None}) < 2:
        return False
    others = fields[3:]
    if titles != list(COLUMNS.names) or not all(_PAIR_TITLE.fullmatch(title) for title in others):
        raise BadInput(
            printable(f"{path} has the columns {', '.join(fields)[:300]}."),
            f"{_FORM} Others are read from JSON Lines; {setting('header', False)} says that the first line is a fact.",
        )
    return True


def _of_record(record: Record | BadLine) -> Statement | BadLine:
    """The statement of a record, or what is wrong with it, with the column where it is wrong."""
    if isinstance(record, BadLine):
        return record
    fields = record.cells
    while not fields[-1]:
        fields.pop()
    for place in range(max(3, len(fields))):
        problem = "missing" if place >= len(fields) else "empty" if not fields[place] else field_problem(fields[place])
        if problem:
            return BadLine(record.line, place + 1, _column_name(place), problem, record.text)
    if len(fields) % 2 == 0:
        problem = f"the qualifier '{fields[-1][:60]}' has no value"
        return BadLine(record.line, len(fields), "", problem, record.text)
    pairs = tuple(zip(fields[3::2], fields[4::2], strict=True))
    return Statement(fields[0], fields[1], fields[2], pairs, line=record.line)


def _column_name(place: int) -> str:
    if place < 3:
        return FIELDS[place]
    return f"{'value' if place % 2 == 0 else 'key'} of qualifier {(place - 1) // 2}"


# JSON Lines


class _Object(list[tuple[str, Any]]):
    """A JSON object as a list of pairs, of a type of its own so that it is not taken for a JSON list."""


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    as_object(pairs)
    return _Object(pairs)


class _Literal(str):
    """A JSON number as it is written."""

    __slots__ = ()


class _Wrong(Exception):
    """What is wrong with an object."""


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_Literal, parse_float=_Literal, parse_constant=no_constant
)


def _read_json(decoding: Decoding, warnings: list[str]) -> Iterator[Statement | BadLine]:
    unknown: dict[str, None] = {}
    for line in json_lines(decoding, _DECODER):
        if isinstance(line, BadLine):
            yield line
            continue
        try:
            yield _of_json(line.value, line.number, unknown)
        except _Wrong as wrong:
            yield BadLine(line.number, 0, "", str(wrong), line.text)
    if unknown:
        keys = ", ".join(f"'{key}'" for key in unknown)
        warnings.append(f"{decoding.path}: keys that are not part of a statement were passed over: {keys}.")


def statement_of_json(number: int, text: str) -> Statement | BadLine:
    """The statement that a line of JSON states, and nothing else; see `read_statements`."""
    unknown: dict[str, None] = {}
    try:
        statement = _of_json(_DECODER.decode(text), number, unknown)
        if unknown:
            raise _Wrong(f"'{next(iter(unknown))}' is not a part of a fact. {_JSON_FORM}")
        return statement
    except (_Wrong, ValueError) as error:
        return BadLine(number, 0, "", str(error), text)


def _of_json(found: Any, line: int, unknown: dict[str, None]) -> Statement:
    """The statement of a line; its other keys are added to `unknown`."""
    if not isinstance(found, _Object):
        raise _Wrong(f"not an object. {_JSON_FORM}")
    parts: dict[str, Any] = {}
    for key, value in found:
        name = _PARTS.get(key.strip().lower())
        if name is None:
            if len(unknown) < 10:
                unknown[printable(key[:60])] = None
        elif name in parts:
            raise _Wrong(f"'{_shown(name)}' is given twice")
        else:
            parts[name] = value
    head, relation, tail = (
        _text(parts.get(column), field) for column, field in zip(COLUMNS.names, FIELDS, strict=True)
    )
    role = Role.VALUE if isinstance(parts["tail"], _Literal | bool) else Role.ENTITY
    return Statement(head, relation, tail, tuple(_qualifiers(parts.get("qualifiers"))), tail_role=role, line=line)


def _shown(name: str) -> str:
    return dict(zip(COLUMNS.names, FIELDS, strict=True)).get(name, name)


def _text(value: Any, field: str) -> str:
    """The text of a scalar."""
    if value is None:
        raise _Wrong(f"'{field}' is missing or null")
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        kind = "an object" if isinstance(value, _Object) else "a list"
        raise _Wrong(f"'{field}' is {kind}, neither a text nor a number")
    text = NumberText(value) if isinstance(value, _Literal) else value.strip()
    if not text:
        raise _Wrong(f"'{field}' is empty")
    if problem := field_problem(text):
        raise _Wrong(f"'{field}': {problem}")
    return text


def _qualifiers(value: Any) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    if not isinstance(value, list):
        raise _Wrong("'qualifiers' is neither an object nor a list")
    for pair in value if isinstance(value, _Object) else map(_pair, value):
        key = _text(pair[0], "a qualifier's key")
        field = f"the value of qualifier {key[:60]}"
        values = pair[1] if isinstance(pair[1], list) and not isinstance(pair[1], _Object) else [pair[1]]
        for one in values:
            yield key, _text(one, field)


def _pair(value: Any) -> tuple[Any, Any]:
    """The key and value of an element of a list of qualifiers."""
    if isinstance(value, _Object):
        keys = [content for key, content in value if key.lower() in _KEY_NAMES]
        values = [content for key, content in value if key.lower() in _VALUE_NAMES]
        if len(keys) == len(values) == 1 and len(value) == 2:
            return keys[0], values[0]
        raise _Wrong("a qualifier is not an object of a 'key' and a 'value'")
    if isinstance(value, list) and len(value) == 2:
        return value[0], value[1]
    raise _Wrong("a qualifier is not a [key, value]")


# The load


def load_statements(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: TextLoadOptions = _DEFAULTS
) -> LoadReport:
    """Loads files of statements as one source; arguments and errors as in `load_files`."""
    return load_files(to, STATEMENTS, path, options)


def read_files(paths: Sequence[Path], options: TextLoadOptions, warnings: list[str]) -> Iterator[Statement | BadLine]:
    """Streams the statements of files and of those in folders; see `read_statements`."""
    return in_files(input_files(paths, ENDINGS), lambda file: read_statements(file, options, warnings))
