"""Reads the files of benchmarks; an error names the file and the line or the number of the record."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from cgstore.errors import BadInput
from cgstore.text.json_text import read_json

Record = dict[str, Any]
T = TypeVar("T")


def text_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yields the lines that are not blank, without their ends, each with its place: `kb.txt, line 3`.

    A file is unzipped if its name ends in `.gz`. Only a line feed ends a line.
    """
    _check_file(path)
    unzipped = gzip.open if path.suffix == ".gz" else open
    with unzipped(path, "rt", encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"{path.name}, line {number}", line.rstrip("\r\n")


def rows(path: Path, width: int, separator: str = "\t", columns: str = "") -> Iterator[list[str]]:
    """Yields the cells of each line, of which each must have `width`; `columns` names them in the message."""
    for place, line in text_lines(path):
        parts = line.split(separator)
        if len(parts) != width:
            raise BadInput(f"{place}: expected {width} columns{f' ({columns})' if columns else ''}, got {len(parts)}.")
        yield parts


def json_lines(path: Path) -> Iterator[tuple[str, Record]]:
    """Yields the objects of a JSON Lines file, each with its place: `dev.jsonl, line 3`."""
    for place, line in text_lines(path):
        yield place, json_object(line, place)


def json_object(line: str, place: str) -> Record:
    """Reads one JSON object."""
    return _object(_json(line, place), place)


def json_list(path: Path, key: str | None = None) -> Iterator[tuple[str, Record]]:
    """Yields the objects of a list in a JSON file, each with its place: `dev.json, question 3`.

    The list is the file, or what the file's object has under `key`.
    """
    _check_file(path)
    document = _json(path.read_text(encoding="utf-8"), path.name)
    records = document.get(key) if key and isinstance(document, dict) else None if key else document
    if not isinstance(records, list):
        raise BadInput(f"{path.name}: there is no list of questions{f' under {key}' if key else ''}.")
    for number, record in enumerate(records, 1):
        place = f"{path.name}, question {number}"
        yield place, _object(record, place)


def read_each(records: Iterable[tuple[str, Record]], what: str, read: Callable[[Record], T]) -> Iterator[T]:
    """Yields what a function makes of each record, given the records with their places; `what` is one in words."""
    for place, record in records:
        with record_at(place, what):
            made = read(record)
        yield made


@contextmanager
def record_at(place: str, what: str) -> Iterator[None]:
    """Reports an error in reading a record as BadInput: `dev.jsonl, line 3: not a question of WebQSP`."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{place}: {error.message}", error.hint) from error
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise BadInput(f"{place}: not a {what}: {error!r}.") from error


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")


def _json(text: str, place: str) -> Any:
    try:
        return read_json(text)
    except ValueError as error:  # for a whole file the error names the line
        raise BadInput(f"{place}: not JSON: {error}.") from error


def _object(record: Any, place: str) -> Record:
    if not isinstance(record, dict):
        raise BadInput(f"{place}: not a JSON object.")
    return record
