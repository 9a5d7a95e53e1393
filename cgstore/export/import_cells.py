"""Fields of the files that Neo4j's importer reads."""

from __future__ import annotations

from typing import Any


def cell(value: str | float | None) -> bytes:
    """A field: a text in quotes, a number as Python and Java both write it, nothing for None, `true` and `false`."""
    if value is None or isinstance(value, bool):
        return b"" if value is None else str(value).lower().encode()
    return b'"%b"' % value.replace('"', '""').encode() if isinstance(value, str) else repr(value).encode()


def type_of(name: str, value: Any) -> str:
    """The type of a column of the source's record, as a header says it."""
    if name in ("started", "loaded"):
        return ":datetime"
    if isinstance(value, bool):
        return ":boolean"
    return ":string[]" if isinstance(value, tuple) else ":long" if isinstance(value, int) else ""
