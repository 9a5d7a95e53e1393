"""Writing a name into a program."""

from __future__ import annotations


def quote(name: str) -> str:
    """The name as a quoted literal of the LLM query language: within single quotes, `\\` and `'` escaped."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
