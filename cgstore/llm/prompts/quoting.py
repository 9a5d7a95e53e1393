"""Data in a prompt: names and cells, shown so that they stay visibly data, whatever is written in them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence

LONGEST_NAME, LONGEST_CELL = 120, 60
"""Characters shown of a name, and of a cell; of a longer one the beginning."""

_JOINERS = "\u200c\u200d"
"""Shape the letters of some scripts, and are part of words."""


def quoted(text: str, longest: int = LONGEST_NAME) -> str:
    """The text in double quotes on one line, as JSON writes it; what cannot be seen is escaped, or a blank."""
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


def quote(name: str) -> str:
    """The name as a quoted literal of the LLM query language: within single quotes, `\\` and `'` escaped."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
