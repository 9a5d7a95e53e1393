"""The texts of property values in a property graph."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from cgstore.text.numbers import NumberText

MAX_FLOATS = 100
"""A longer list of floats is an embedding: its elements mean nothing one by one."""

_WGS84 = (4326, 4979)
_EXACT = 2.0**53


def value_texts(value: Any) -> Iterator[str]:
    """The texts of a value, one for each element of a list; may be empty texts.

    A whole float has no `.0`, a boolean is `true` or `false`, bytes are hexadecimal, a point is `POINT(12.5 55.6)` or
    `POINT Z(1 2 3)`, with `SRID=7203;` before it where it is no longitude and latitude. Times come as texts already
    (see `cgstore.loaders.graphs.reader`).
    """
    if isinstance(value, list | tuple) and not _is_point(value):
        for element in value:
            yield from value_texts(element)
    elif isinstance(value, float):
        yield NumberText(_float_text(value))
    elif value is not None:
        yield _text(value).strip()


def is_embedding(value: Any) -> bool:
    """Whether a value is a vector or a long list of floats."""
    if type(value).__name__ == "Vector":
        return True
    return isinstance(value, list) and len(value) > MAX_FLOATS and isinstance(value[0], float)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if _is_point(value):
        srid = "" if value.srid in _WGS84 else f"SRID={value.srid};"
        return f"{srid}POINT{' Z' if len(value) == 3 else ''}({' '.join(map(_float_text, value))})"
    return str(value)


def _float_text(number: float) -> str:
    if math.isfinite(number) and number.is_integer() and abs(number) <= _EXACT:
        return str(int(number))
    return repr(number)


def _is_point(value: Any) -> bool:
    return hasattr(value, "srid")
