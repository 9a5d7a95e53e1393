"""Files of facts with qualifiers: delimited text as WD50K has it, or JSON Lines.

- Delimited: `subject,relation,object,key,value,key,value,...`, any number of pairs.
- JSON Lines: an object a line, `{"subject": .., "relation": .., "object": .., "qualifiers": ..}`. The qualifiers are
  an object of values or lists of values by key, or a list of `[key, value]` or `{"key": .., "value": ..}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.loaders.delimited import Record, first_line, read_lines, read_records
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.kg_file import COLUMNS, column_of
from cgstore.loaders.readers.rows import BadLine, field_problem, printable
from cgstore.loaders.statement import Statement
from cgstore.model import Role
from cgstore.text.json_text import as_object
from cgstore.text.numbers import NumberText

FIELDS = ("subject", "relation", "object")

NAMES = {
    "head": ("subject", "head", "subj", "s", "h"),
    "relation": ("relation", "predicate", "property", "rel", "pred", "r", "p"),
    "tail": ("object", "tail", "obj", "o", "t"),
    "qualifiers": ("qualifiers", "qualifier"),
}
"""What an object's keys may be called, compared without case; fewer than a header's, as objects hold more else."""

KEY_NAMES = ("key", "relation", "qualifier", "property", "predicate", "name")
VALUE_NAMES = ("value", "object", "tail", "entity")

_PARTS = {name: part for part, names in NAMES.items() for name in names}

_FORM = "A line holds subject, relation, object, and then a key and a value for each qualifier."
_JSON_FORM = 'A line is an object: {"subject": "Q1", "relation": "P1", "object": "Q2", "qualifiers": {"P2": "Q3"}}'

_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_DELIMITED_ENDINGS = (".csv", ".tsv", ".tab")
_PAIR_TITLE = re.compile(r"(qualifier[ _-]?)?(key|relation|property|qualifier|value|object|entity)?[ _-]?[0-9]*", re.I)


def read_statements(
    path: Path, *, header: bool | None = None, warnings: list[str] | None = None
) -> Iterator[Statement | BadLine]:
    """Streams the statements of a file (plain or .gz) in the file's order, repeats included.

    White space around a text is dropped. What is no statement comes as a `BadLine` in its place. Qualifiers keep their
    order. The name's ending says the format (.jsonl, .ndjson, .json; .tsv and .tab: tabs; .csv: commas); for others a
    first line that begins with `{` says JSON Lines, one with two tabs tabs, any other commas. Delimited text may begin
    with a header that names subject, relation, object in this order; empty fields at a line's end are passed over. In
    JSON, numbers and booleans become the text that the file has for them; an object with a key twice is no statement;
    keys of the object that are none of the four are passed over, which `warnings` tells.

    Args:
        path: the file.
        header: whether delimited text begins with a header; None finds out.
        warnings: gets sentences about what was read but looks odd.

    Raises:
        BadInput: the file cannot be read, is empty, or is in another format.
    """
    opening = first_line(path).lstrip()
    if not opening:
        raise BadInput(f"{path} is empty.", _FORM)
    ending = plain_path(path).suffix.lower()
    if ending in _JSON_ENDINGS or (ending not in _DELIMITED_ENDINGS and opening.startswith("{")):
        if opening.startswith("["):
            raise BadInput(f"{path} is one JSON list.", f"Write an object a line: jq -c '.[]' {path}")
        yield from _read_json(path, [] if warnings is None else warnings)
    else:
        yield from _read_delimited(path, header)


# Delimited text


def _read_delimited(path: Path, header: bool | None) -> Iterator[Statement | BadLine]:
    records = read_records(path, separators=2)
    opening = next(records, None)
    if opening is None:
        raise BadInput(f"{path} is empty.", _FORM)
    if header is None:
        header = isinstance(opening, Record) and _is_header(path, opening)
    if not header:
        yield _of_record(opening)
    for record in records:
        yield _of_record(record)


def _is_header(path: Path, record: Record) -> bool:
    titles = [column_of(field) for field in record.fields[:3]]
    if len(set(titles) - {None}) < 2:
        return False
    others = record.fields[3:]
    if titles != list(COLUMNS) or not all(_PAIR_TITLE.fullmatch(title) for title in others):
        raise BadInput(
            printable(f"{path} has the columns {', '.join(record.fields)[:300]}."),
            f"{_FORM} Others can be had from JSON Lines; --no-header says that the first line is a fact.",
        )
    return True


def _of_record(record: Record | BadLine) -> Statement | BadLine:
    """The statement of a record, or what is wrong with it, with the column where it is wrong."""
    if isinstance(record, BadLine):
        return record
    fields = list(record.fields)
    while fields and not fields[-1]:
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
    """A JSON object as its pairs, which tells it from a list."""


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    as_object(pairs)
    return _Object(pairs)


class _Literal(str):
    """A JSON number or boolean as the text that stands for it."""

    __slots__ = ()


class _Wrong(Exception):
    """What is wrong with an object."""


def _no_json(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_Literal, parse_float=_Literal, parse_constant=_no_json
)


def _read_json(path: Path, warnings: list[str]) -> Iterator[Statement | BadLine]:
    unknown: dict[str, None] = {}
    for line, text in read_lines(path):
        problem = None if len(text) > 1_000_000 else field_problem(text)
        if problem is None:
            try:
                yield _of_json(text, line, unknown)
                continue
            except _Wrong as wrong:
                problem = str(wrong)
            except json.JSONDecodeError as error:
                problem = f"no JSON: {error.msg} at position {error.colno}"
            except ValueError as error:
                problem = str(error)
            except RecursionError:
                problem = "nested too deeply"
        yield BadLine(line, 0, "", problem, text)
    if unknown:
        keys = ", ".join(f"'{key}'" for key in list(unknown)[:10])
        warnings.append(f"{path}: keys that are no part of a statement were passed over: {keys}.")


def _of_json(text: str, line: int, unknown: dict[str, None]) -> Statement:
    """The statement of a line; puts the keys that are no part of it among the unknown ones."""
    found = _DECODER.decode(text.strip())
    if not isinstance(found, _Object):
        raise _Wrong(f"no object. {_JSON_FORM}")
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
    head, relation, tail = (_text(parts.get(column), field) for column, field in zip(COLUMNS, FIELDS, strict=True))
    role = Role.VALUE if isinstance(parts["tail"], _Literal | bool) else Role.ENTITY
    return Statement(head, relation, tail, tuple(_qualifiers(parts.get("qualifiers"))), tail_role=role, line=line)


def _shown(name: str) -> str:
    return dict(zip(COLUMNS, FIELDS, strict=True)).get(name, name)


def _text(value: Any, field: str) -> str:
    """The text of a scalar."""
    if value is None:
        raise _Wrong(f"'{field}' is missing or null")
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        raise _Wrong(f"'{field}' is {'an object' if isinstance(value, _Object) else 'a list'}, and no text or number")
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
        raise _Wrong("'qualifiers' is no object and no list")
    for pair in value if isinstance(value, _Object) else map(_pair, value):
        key = _text(pair[0], "a qualifier's key")
        field = f"the value of qualifier {key[:60]}"
        values = pair[1] if isinstance(pair[1], list) and not isinstance(pair[1], _Object) else [pair[1]]
        for one in values:
            yield key, _text(one, field)


def _pair(value: Any) -> tuple[Any, Any]:
    """The key and value of an element of a list of qualifiers."""
    if isinstance(value, _Object):
        keys = [content for key, content in value if key.lower() in KEY_NAMES]
        values = [content for key, content in value if key.lower() in VALUE_NAMES]
        if len(keys) == len(values) == 1 and len(value) == 2:
            return keys[0], values[0]
        raise _Wrong("a qualifier is no object of a 'key' and a 'value'")
    if isinstance(value, list) and len(value) == 2:
        return value[0], value[1]
    raise _Wrong("a qualifier is no [key, value]")
