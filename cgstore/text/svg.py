"""Texts in SVG: without what XML forbids, escaped, and cut to a width."""

from __future__ import annotations

import re
import unicodedata
from html import escape

LONGEST_TITLE = 1000
"""Most characters of a title or a line of the description."""

_NARROW, _BROAD = frozenset("fijlrtI.,;:'|!()[] -/"), frozenset("mwMW@%—…<>=+~")
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")


def _on_one_line(text: str) -> str:
    """A text on one line, without characters that XML forbids or that turn the direction of the text after them."""
    return _UNREADABLE.sub("\ufffd", _DIRECTION.sub("", " ".join(text.split())))


def safe(text: str) -> str:
    """A text as it may stand in XML, also in an attribute."""
    return escape(_on_one_line(text[: 100 * LONGEST_TITLE]))


def _width(character: str) -> float:
    """About how wide a character is, in pixels at 13 px: which fonts there are is not known."""
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 13.5
    if character in _NARROW:
        return 4.6
    return 12 if character in _BROAD else 9 if character.isupper() else 8


def cut(text: str, widest: float) -> tuple[str, float]:
    """The beginning of a text that is not wider than `widest` pixels, and its width."""
    shown, width = _on_one_line(text[:LONGEST_TITLE]) or "(empty)", 0.0
    for at, character in enumerate(shown):
        width += _width(character)
        if width > widest:
            return shown[: max(at - 1, 1)].rstrip() + "…", widest
    return shown, width
