"""Reading a string as a number, and comparing the values of answers: as numbers where they are, else as words.

Numbers follow section 2 of the query language page (signs are kept).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
_NUMBER_LIKE = re.compile(r"[\d.,\s-]+")


class NumberText(str):
    """The text of what is a number in the input, and not a text: a point stands before its decimals."""

    __slots__ = ()


def read_number(text: str) -> float | None:
    """The number that a text means, or None: `5`, `1e3`, `1,000`, `-1,234`, `1.234,5`, `0,125`, U+2212 as minus.

    `5th`, `50%`, `$5`, `1-2` and texts without digits are no numbers here; neither are `nan` and `inf`.
    """
    plain = text.replace("−", "-")
    try:
        number = float(plain)
    except ValueError:
        number = _read_grouped(plain)
    return number if math.isfinite(number) else None


def _read_grouped(text: str) -> float:
    """A number with thousands separators (either convention), or nan."""
    stripped = text.strip()
    if not _NUMBER_LIKE.fullmatch(stripped):
        return math.nan
    sign, digits = (-1.0, stripped[1:]) if stripped.startswith("-") else (1.0, stripped)
    comma, point = digits.find(","), digits.find(".")
    if 0 <= point < comma:
        digits = digits.translate(str.maketrans(".,", ",."))
    elif point < 0 <= comma and digits.count(",") == 1 and not _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", ".")
    whole, _, decimals = digits.partition(".")
    first, *groups = whole.split(",")
    if not (
        first.isdigit() and all(g.isdigit() and len(g) == 3 for g in groups) and (not decimals or decimals.isdigit())
    ):
        return math.nan
    return sign * float(f"{first}{''.join(groups)}.{decimals or 0}")


def denoted(value: str | float) -> str | float:
    """What a value of an answer is compared by: its number, else its text without outer blanks, whatever its case."""
    text = str(value).strip()
    number = read_number(text)
    return text.casefold() if number is None else number


def denotation(values: Iterable[str | float]) -> frozenset[str | float]:
    """What an answer denotes: the set of its values, each as `denoted`."""
    return frozenset(map(denoted, values))
