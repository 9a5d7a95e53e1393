"""Checks of what Python callers pass: an error names the argument, before any work begins."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from cgstore.errors import BadOption

T = TypeVar("T")


def text(name: str, value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise _wrong(name, value, "a string")
    return value


def texts(name: str, value: Any) -> list[str]:
    """Several strings, not one alone."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise _wrong(name, value, "a list of strings")
    return [text(f"{name}[{at}]", each) for at, each in enumerate(value)]


def source_names(value: Any) -> list[str] | None:
    """The argument `sources`: one name, several, or None for all that are ready."""
    if value is None or isinstance(value, str):
        return None if value is None else [value]
    names = texts("sources", value)
    if not names:
        raise BadOption("`sources` is empty.", "Leave it out to ask all sources that are ready.")
    return names


def paths(name: str, value: Any) -> Any:
    """A path, or several."""
    several = [value] if isinstance(value, str | Path) or not isinstance(value, Iterable) else list(value)
    if not all(isinstance(each, str | Path) for each in several):
        raise _wrong(name, value, "a path, or a list of paths")
    return value if isinstance(value, str | Path) else several


def flag(name: str, value: Any) -> bool:
    """True or False; not a text such as "no", which Python takes for true."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):  # numpy's have these names
        raise _wrong(name, value, "True or False")
    return bool(value)


def count(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """A whole number, not less than `least`, nor more than `most`."""
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_whole or not least <= int(value) <= (most or int(value)):
        raise _wrong(name, value, f"a whole number from {least} {f'to {most}' if most else 'on'}")
    return int(value)


def positive(name: str, value: Any) -> float:
    """A number above 0."""
    if not _is_number(value) or not 0 < float(value) < math.inf:
        raise _wrong(name, value, "a number above 0")
    return float(value)


def between(name: str, value: Any, least: float, most: float) -> float:
    """A number from `least` to `most`."""
    if not _is_number(value) or not least <= float(value) <= most:
        raise _wrong(name, value, f"a number from {least:g} to {most:g}")
    return float(value)


def choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """One of several texts."""
    if value not in choices:
        raise _wrong(name, value, f"one of: {', '.join(choices)}")
    return str(value)


def options(kind: type[T], method: str, keywords: Mapping[str, Any], *own: str) -> T:
    """The options of these keywords.

    Args:
        kind: their dataclass.
        method: the method that the user called.
        keywords: what the user gave.
        own: the method's other parameters, which a wrong name may have meant.

    Raises:
        TypeError: one of them is not an option; it names the method, and the nearest option.
        BadOption: a value has no meaning.
    """
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    wrong = next((name for name in keywords if name not in names), None)
    if wrong is None:
        return kind(**keywords)
    from cgstore.text.likeness import did_you_mean

    hint = did_you_mean(wrong, [*names, *own], f"It takes: {', '.join(sorted(names))}.")
    raise TypeError(f"{method}() has no keyword argument '{wrong}'. {hint}")


def having(name: str, value: Any, method: str, hint: str) -> Any:
    """An object with a method of that name."""
    if not callable(getattr(value, method, None)):
        raise BadOption(f"`{name}` is {_shown(value)}.", hint)
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _wrong(name: str, value: Any, wanted: str) -> BadOption:
    return BadOption(f"`{name}` is {_shown(value)}; it must be {wanted}.")


def _shown(value: Any) -> str:
    """The value where it is short and of a plain type, else its type."""
    is_plain = value is None or isinstance(value, bool | int | float | str)
    shown = ascii(value) if is_plain else ""
    return shown if 0 < len(shown) <= 60 else f"of the type {type(value).__name__}"
