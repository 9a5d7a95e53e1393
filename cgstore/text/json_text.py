"""Reading JSON that people write, with one rule everywhere: a repeated key in an object is an error.

Python's json would keep the last value without a word.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cgstore.errors import BadInput

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")


def read_json(text: str, parse_constant: Callable[[str], object] | None = None) -> Any:
    """The value of a JSON text; `parse_constant` is that of `json.loads`.

    Raises:
        ValueError: it is not JSON, or an object has a key twice.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=as_object, parse_constant=parse_constant)


def reason(error: Exception) -> str:
    """The fault in a JSON text, in brackets; empty if the text is JSON and something else is wrong."""
    return f" ({error})" if isinstance(error, ValueError) else ""


def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs.

    Raises:
        ValueError: a key stands twice.
    """
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        shown = twice[:60].encode("utf-8", "replace").decode()
        raise ValueError(f"the key '{shown}' stands twice in an object; several values of one key are a list")
    return value


def read_json_lines(file: Path | Traversable, what: str, form: str, record_of: Callable[[Any, int], T]) -> list[T]:
    """The records of a JSON Lines file that a user gives; empty lines are skipped.

    `record_of` makes a record of a line's value and its number; a ValueError of its own says what is wrong. Errors call
    a record `what`, and show the `form` of a line.

    Raises:
        BadInput: the file cannot be read, or a line is not such a record; names the line.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The file {file} cannot be read: {error}") from error
    records = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                records.append(record_of(read_json(line), number))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                problem = f"{file}, line {number}: not a {what}{reason(error)}."
                raise BadInput(problem, f"A line looks like {form}") from error
    return records
