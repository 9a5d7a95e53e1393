"""Reading JSON that people write, with one rule everywhere: a key that stands twice in an object is an error.

Python's json keeps the last value and says nothing.
"""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str, **options: Any) -> Any:
    """What a JSON text says.

    Args:
        text: the JSON.
        options: those of `json.loads`, without `object_pairs_hook`.

    Raises:
        ValueError: it is not JSON, or an object has a key twice.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=as_object, **options)


def reason(error: Exception) -> str:
    """What is wrong with a JSON text, in brackets; nothing where it is JSON and something else is wrong."""
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
