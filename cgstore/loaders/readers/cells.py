"""Typed values, of a frame, a database or JSON, as the texts of cells.

A text stays as it is; a whole number is its digits, with a fraction of zero or without (5.0 is `5`), any other number
its shortest form; a truth is `true` or `false`; a moment is ISO, the day alone at midnight; a length of time is
`h:mm:ss`; a missing value (None, NaN, NaT, NA) is the empty text; a list or a mapping is JSON.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import struct
from decimal import Decimal
from typing import Any

from cgstore.text.numbers import NumberText

_WHOLE = 1e15
"""Below it every whole float is exactly the integer of its digits, and is written as that."""


class NoText(Exception):
    """A value that has no text; the message says why."""


def text_of(value: Any) -> str:
    """The text of one value.

    Raises:
        NoText: it is bytes, or an object that does not say how to write it.
    """
    if isinstance(value, str):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _digits(value)
    if isinstance(value, float):
        return _of_float(value)
    return _of_object(value)


def text_of_single(value: Any) -> str:
    """As `text_of`, for a float of single precision: the shortest decimal number that it is the nearest one to."""
    if not isinstance(value, float) or not math.isfinite(value) or value.is_integer():
        return text_of(value)
    try:
        packed = struct.pack("f", value)
    except OverflowError:
        return text_of(value)
    for digits in range(1, 10):
        shorter = float(f"{value:.{digits}g}")
        if struct.pack("f", shorter) == packed:
            return _of_float(shorter)
    return _of_float(value)


def _digits(value: int) -> str:
    try:
        return str(int(value))
    except ValueError as error:
        raise NoText("a number of thousands of digits") from error


def _of_float(value: float) -> str:
    if math.isnan(value):
        return ""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else NumberText(repr(value))


def _of_object(value: Any) -> str:
    if isinstance(value, Decimal):
        return _of_decimal(value)
    if isinstance(value, bytes | bytearray | memoryview):
        raise NoText("bytes, which are no text")
    if _is_missing(value):
        return ""
    if isinstance(value, dt.datetime):
        # Midnight in a time zone is a moment of another day elsewhere, so that its zone is kept.
        return value.date().isoformat() if value.time() == dt.time.min and value.tzinfo is None else value.isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return text_of_duration(value)
    if isinstance(value, list | tuple | dict | set | frozenset):
        return _json(value)
    return _of_foreign(value)


def _of_decimal(value: Decimal) -> str:
    if value.is_nan():
        return ""
    if value.is_infinite() or abs(value.adjusted()) > 1000:
        return str(value)
    return NumberText(f"{value:f}")


def _is_missing(value: Any) -> bool:
    """Whether this is pandas' NaT (which is a datetime too) or NA; told by name, so that pandas is not imported."""
    return type(value).__name__ in ("NaTType", "NAType")


def text_of_duration(value: dt.timedelta) -> str:
    """A length of time as `h:mm:ss`, with the fraction of a second if it has one."""
    micro = value // dt.timedelta(microseconds=1)
    sign, micro = ("-", -micro) if micro < 0 else ("", micro)
    seconds, fraction = divmod(micro, 1_000_000)
    text = f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:06}".rstrip("0") if fraction else text


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise NoText(f"a nested value that is no JSON ({error})") from error


def _plain(value: Any) -> Any:
    """What json cannot write, as what it can."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    if isinstance(value, Decimal):
        return float(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    return text_of(value)


def _of_foreign(value: Any) -> str:
    """A value of NumPy as Python's; any other object as it says itself."""
    kind: Any = type(value)
    if kind.__module__ == "numpy":
        if kind.__name__ == "float32":
            return text_of_single(float(value))
        if kind.__name__ in ("datetime64", "timedelta64"):
            return text_of(value.astype(f"{kind.__name__}[us]").item())
        plain = value.tolist()
        if type(plain) is not kind:
            return text_of(plain)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise NoText(f"a value of type {kind.__name__}, which has no text")
    try:
        return str(value)
    except MemoryError:
        raise
    except Exception as error:  # whatever a foreign object raises
        raise NoText(f"a value of type {kind.__name__}, which has no text ({error})") from error
