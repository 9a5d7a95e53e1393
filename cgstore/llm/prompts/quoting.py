"""Names and cells as quoted data, so that they stay visibly data in a prompt."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence

LONGEST_NAME, LONGEST_CELL = 120, 100
"""Characters shown of a name, and of a cell."""

_JOINERS = "\u200c\u200d"
"""Invisible characters that are part of words in some scripts."""


def quoted(text: str, longest: int = LONGEST_NAME) -> str:
    """The text as a JSON string on one line; invisible characters are escaped, other spaces are plain ones."""
    shown = text if len(text) <= longest else f"{text[: longest - 1]}…"
    written = json.dumps(shown, ensure_ascii=False)
    return written if written.isprintable() else "".join(map(_visible, written))


def quoted_row(cells: Sequence[str]) -> str:
    """Cells as a JSON list."""
    return f"[{', '.join(quoted(cell, LONGEST_CELL) for cell in cells)}]"


def _visible(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return json.dumps(character)[1:-1]
