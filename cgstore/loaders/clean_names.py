"""Names out of the notation of N-Triples and YAGO: `<Athletic_Park_(Vancouver)>` is Athletic Park (Vancouver).

- `<http://ex.org/a#Born_In>`: what follows the last `#`, else the last `/`, else (of a URN) the last `:`, with its
  underscores, as `load rdf` names it;
- `<...>` of anything but an IRI: underscores become spaces; of both, percent-encoding is undone;
- `"text"@en`, `"5"^^<type>`, `"text"`: the text, with N-Triples' escapes undone;
- anything else stays as it is.
"""

from __future__ import annotations

import re
import sqlite3
from typing import NamedTuple
from urllib.parse import unquote

CACHED = 200_000
"""Names kept in memory; others are looked up in a temporary file."""

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^(\S+))?', re.DOTALL)
_FULL_STOP = re.compile(r'([<"].*\S)\s+\.|(<[^<>]*>)\.')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


class CleanName(NamedTuple):
    """A name, and what its notation said: `iri` of an IRI, `literal`, `datatype` and `language` of a literal.

    `full` is what stood between angle brackets, and tells apart what has the same name; empty for anything else.
    """

    name: str
    full: str = ""
    iri: str = ""
    literal: bool = False
    datatype: str = ""
    language: str = ""


def clean_name(text: str) -> CleanName:
    """The name that a text in N-Triples' notation stands for; empty only where nothing is between the brackets."""
    if len(text) > 1 and text[0] == "<" and text[-1] == ">":
        full = text[1:-1].strip()
        is_iri = "://" in full or full.lower().startswith("urn:")
        name = _decoded(_local(full)) if is_iri else _decoded(full).replace("_", " ")
        return CleanName(name.strip() or full, full, full if is_iri else "")
    if match := _LITERAL.fullmatch(text):
        kind = (match[3] or "").removeprefix("<").removesuffix(">")
        return CleanName(_ESCAPE.sub(_unescaped, match[1]).strip(), "", "", True, kind, match[2] or "")
    return CleanName(text)


def without_full_stop(text: str) -> str:
    """A triple's last name without the full stop that ends it in N-Triples: `<b> .` is `<b>`."""
    match = _FULL_STOP.fullmatch(text)
    return (match[1] or match[2]) if match else text


def _local(iri: str) -> str:
    if "://" not in iri:
        return iri.rstrip(":").rpartition(":")[2]
    path = iri.partition("://")[2]
    base, hash_, fragment = path.rpartition("#")
    if fragment and hash_:
        return fragment
    rest = (base if hash_ else path).rstrip("/")
    return rest.rpartition("/")[2] if "/" in rest else ""


def _decoded(text: str) -> str:
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:  # a name with a percent sign of its own, or in another encoding
        decoded = text
    return text if "\x00" in decoded else decoded


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        return _ESCAPED.get(match[3], match[3])
    return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else match[0]


class Cleaner:
    """Cleans the names of one load, and keeps apart what only looks the same then.

    Of the IRIs that have one name, the first one keeps it; another gets itself behind it: `Paris (http://b.org/Paris)`.
    That depends on the order in which they come, so the files of one load share a cleaner. Entities and relations
    are kept apart among themselves.
    """

    def __init__(self) -> None:
        self._sql = sqlite3.connect("", isolation_level=None)  # a temporary file, which SQLite removes
        self._sql.execute("PRAGMA journal_mode = OFF")
        self._sql.execute("CREATE TABLE taken (name TEXT PRIMARY KEY, full TEXT NOT NULL) WITHOUT ROWID")
        self._known: dict[str, str] = {}

    def clean(self, text: str, relation: bool = False) -> CleanName:
        """The name of an entity, a literal or a relation."""
        found = clean_name(text)
        if not found.full:
            return found
        space = "r" if relation else "e"
        name = found.name
        while self._owner(space + name, found.full) != found.full:
            name = f"{name} ({found.full})"
        return found._replace(name=name)

    def _owner(self, key: str, full: str) -> str:
        """The full name that a short name belongs to; `full` takes a short name that is still free."""
        known = self._known.get(key)
        if known is not None:
            return known
        row = self._sql.execute("SELECT full FROM taken WHERE name = ?", (key,)).fetchone()
        owner = full if row is None else str(row[0])
        if row is None:
            self._sql.execute("INSERT INTO taken VALUES (?, ?)", (key, full))
        if len(self._known) >= CACHED:
            self._known.clear()
        self._known[key] = owner
        return owner
