"""The benchmarks' files of JSON, read with the place of each record, so that what is wrong with one can be found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.text.json_text import read_json

Record = dict[str, Any]


def json_lines(path: Path) -> Iterator[tuple[str, Record]]:
    """The objects of a JSON Lines file, each with its place, `dev.jsonl, line 3`.

    Raises:
        BadInput: there is no such file, or a line is no JSON object.
    """
    _must_be(path)
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"{path.name}, line {number}"
                try:
                    record = read_json(line)
                except ValueError as error:
                    raise BadInput(f"{where}: this is no JSON: {error}.") from error
                yield where, _object(record, where)


def json_list(path: Path, key: str | None = None) -> Iterator[tuple[str, Record]]:
    """The objects of a JSON file that is one list, or has it under `key`; the place of each is `dev.json, question 3`.

    Raises:
        BadInput: there is no such file, or it has not this form.
    """
    _must_be(path)
    try:
        document = read_json(path.read_text(encoding="utf-8"))
    except ValueError as error:  # its text names the line
        raise BadInput(f"{path.name}: this is no JSON: {error}.") from error
    records = document.get(key) if key and isinstance(document, dict) else document
    if not isinstance(records, list):
        raise BadInput(f"{path.name}: there is no list of questions{f' under {key}' if key else ''}.")
    for number, record in enumerate(records, 1):
        where = f"{path.name}, question {number}"
        yield where, _object(record, where)


@contextmanager
def record_at(where: str, what: str) -> Iterator[None]:
    """Turns what goes wrong with a record into BadInput that names its place; `what` it should be: a question of X."""
    try:
        yield
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise BadInput(f"{where}: this is no {what}: {error!r}.") from error


def _must_be(path: Path) -> None:
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")


def _object(record: Any, where: str) -> Record:
    if not isinstance(record, dict):
        raise BadInput(f"{where}: this is no JSON object.")
    return record
