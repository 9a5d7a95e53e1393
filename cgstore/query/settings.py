"""Arguments that say how a function works, as LLMs write them: places, orders, units, separators."""

from __future__ import annotations

import re
import unicodedata

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACE = re.compile(r"([+-]?\d{1,9})(?:st|nd|rd|th)?(?:\.0)?")

_FROM_A = ("alphabetical", "alphabetic", "alphabetically", "by name", "name", "a-z")
_FROM_Z = ("reverse alphabetical", "z-a")

ORDERS: dict[str, dict[str, bool]] = {
    "order": {
        **dict.fromkeys(("ascending", "asc", "increasing"), False),
        **dict.fromkeys(("descending", "desc", "decreasing"), True),
        **dict.fromkeys(_FROM_A, False),
        **dict.fromkeys(_FROM_Z, True),
    },
    "ascending": {"true": False, "false": True},
    "reverse": {"true": True, "false": False},
}
"""What the arguments of `sort` may say, and whether the greatest, or the last by name, then comes first."""

BY_NAME = frozenset((*_FROM_A, *_FROM_Z))
"""Orders that go by name."""

_UNITS = {
    **dict.fromkeys(("year", "years"), "year"),
    **dict.fromkeys(("month", "months"), "month"),
    **dict.fromkeys(("day", "days"), "day"),
}

MOST_STEPS = 10
"""Most steps of `reach` along its relation."""

BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
"""The characters that are blanks."""

ACCENTS = tuple(map(chr, range(0x300, 0x370)))
"""The marks that letters carry, once they are taken apart."""

SEPARATORS = ("\r\n", "\n", "\r", ";", *("," + blank for blank in BLANKS))
"""The separator of the items of a text, unless the program gives one."""


def without_accents(text: str) -> str:
    """A text without case and accents, as texts are compared with it."""
    letters = (sign for sign in unicodedata.normalize("NFD", text.lower()) if sign not in ACCENTS)
    return unicodedata.normalize("NFC", "".join(letters))


def place_of(text: str) -> int | None:
    """The place that a text means: 1 for `1`, `1st` and `first`, -1 for `last`; None if it is not a place."""
    plain = text.strip().lower()
    if plain in _PLACES:
        return _PLACES.index(plain) + 1
    if plain == "last":
        return -1
    match = _PLACE.fullmatch(plain)
    return (int(match[1]) or None) if match else None


def unit_of(text: str) -> str | None:
    """`year`, `month` or `day`; None if the text is not one of these units."""
    return _UNITS.get(text.strip().lower())


def separator_of(text: str) -> str:
    r"""A separator as it is written, or the sign that `\n`, `\r` or `\t` stands for."""
    return text.replace(r"\n", "\n").replace(r"\r", "\r").replace(r"\t", "\t")
