"""RDF files: how they are opened, which formats they have, and what to say when a parser fails."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO
from urllib.parse import quote

from cgstore.errors import BadFile, BadOption, CgstoreError, setting
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.encoding import opened_bytes
from cgstore.loaders.readers.text import TEXT_ENDINGS
from cgstore.loaders.staging import out_of_memory

HEAD = 65_536
"""Bytes at the beginning that tell the format, and hold the whole document type declaration of RDF/XML."""


_RDFXML_PLACE = re.compile(r"file:///\S*?:(\d+):(\d+): ")
"""How an error of rdflib in RDF/XML begins: the base, the line, the column from 0."""


@dataclass(frozen=True)
class Opened:
    """An open file. `data` begins at its first byte; `head` has its first `HEAD` bytes, which `data` gives too."""

    path: Path
    data: IO[bytes]
    head: bytes

    @property
    def base(self) -> str:
        """What relative IRIs are resolved against: `file:///NAME`, of a scheme that both libraries resolve them with.

        It has no folders, so that a graph neither tells of the machine nor changes when its file moves.
        """
        return f"file:///{quote(plain_path(self.path).name)}"


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Opens a file, decompressed if it begins as gzip does.

    Raises:
        BadFile: it cannot be read, or whatever the parser raises within.
    """
    with _as_bad_input(path), opened_bytes(path) as data:
        head = data.read(HEAD)
        data.seek(0)
        yield Opened(path, data, head)


@contextmanager
def _as_bad_input(path: Path) -> Iterator[None]:
    try:
        yield
    except (CgstoreError, sqlite3.Error):
        raise  # not a fault of the file
    except MemoryError as error:
        raise out_of_memory(path) from error
    except BaseException as error:
        # A panic of pyoxigraph, which is written in Rust, is not an Exception; nor is what ends a program.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise _bad_input(path, error) from error


def _bad_input(path: Path, error: BaseException) -> BadFile:
    if isinstance(error, RecursionError):
        return BadFile(f"{path} is nested too deeply.", "Convert it to N-Triples, which do not nest.")
    line, column = position_of(error)
    where = f", line {line}" + (f", column {column}" if column else "") if line else ""
    hint = f"Correct it. If the format was guessed wrong, give {setting('format')}."
    if plain_path(path).suffix.lower() in TEXT_ENDINGS:
        hint = f"{hint} If its lines are head, relation, tail, load it by: cgstore load kg FILE."
    return BadFile(f"{path}{where}: {problem_of(error)}", hint)


def position_of(error: BaseException) -> tuple[int, int]:
    """Line and column from 1 of a parser's error; 0 where it does not tell."""
    if isinstance(error, SyntaxError):  # pyoxigraph
        return error.lineno or 0, error.offset or 0
    if match := _RDFXML_PLACE.match(str(error)):
        return int(match[1]), int(match[2]) + 1
    line = getattr(error, "getLineNumber", lambda: getattr(error, "lineno", 0))()  # xml.sax, json
    column = getattr(error, "getColumnNumber", lambda: getattr(error, "colno", 1) - 1)()
    return (line or 0, column + 1 if line and column is not None else 0)


def problem_of(error: BaseException) -> str:
    """What a parser says, in one line, without the position."""
    text = str(getattr(error, "msg", "") or getattr(error, "getMessage", lambda: "")() or error)
    text = " ".join(text.split())
    if text.startswith("Parser error at "):
        text = text.partition(": ")[2]
    text = _RDFXML_PLACE.sub("", text)
    return f"{text[:300]}..." if len(text) > 300 else text or type(error).__name__


# Formats


class Format(StrEnum):
    """The formats that are read; the value is the name that `--format` and messages use."""

    TURTLE = "turtle"
    N_TRIPLES = "ntriples"
    N_QUADS = "nquads"
    TRIG = "trig"
    RDF_XML = "rdfxml"
    JSONLD = "jsonld"


_ENDINGS = {
    ".ttl": Format.TURTLE,
    ".turtle": Format.TURTLE,
    ".n3": Format.TURTLE,
    ".nt": Format.N_TRIPLES,
    ".ntriples": Format.N_TRIPLES,
    ".nq": Format.N_QUADS,
    ".nquads": Format.N_QUADS,
    ".trig": Format.TRIG,
    ".rdf": Format.RDF_XML,
    ".rdfs": Format.RDF_XML,
    ".owl": Format.RDF_XML,
    ".rdfxml": Format.RDF_XML,
    ".jsonld": Format.JSONLD,
    ".json": Format.JSONLD,
}

_SYNONYMS = {
    "ttl": Format.TURTLE,
    "nt": Format.N_TRIPLES,
    "nq": Format.N_QUADS,
    "xml": Format.RDF_XML,
    "rdf": Format.RDF_XML,
}

_COMMENTS = re.compile(rb"(?:\s+|#[^\r\n]*)*")
_JSON = re.compile(rb'\{\s*["}]|\[\s*[\[{"\]]')
_TERM = rb'(?:<[^<>"\s]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^<[^>\s]*>)?|<<\(.*\)>>)'
_LINE = re.compile(
    rb"[ \t]*"
    + _TERM
    + rb"[ \t]*<[^<>\"\s]*>[ \t]*"
    + _TERM
    + rb"[ \t]*(?P<graph><[^>\s]*>|_:\S+)?[ \t]*\.[ \t]*(?:#.*)?$"
)


def format_of(path: Path, head: bytes, given: str | None) -> Format:
    """The format of a file: the one that the user names, else by its ending, such as `.ttl.gz`, else by its contents.

    `.owl` and `.rdf` are used for Turtle too, so that `head`, the beginning of the contents, tells unless it is XML.

    Raises:
        BadFile: no format has the given name, or the file is in UTF-16, which only RDF/XML may be.
    """
    chosen = _named(given) if given is not None else _found(path, head)
    if chosen is not Format.RDF_XML and head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadFile(f"{path} looks like UTF-16.", f"Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 {path}")
    return chosen


def _found(path: Path, head: bytes) -> Format:
    by_name = _ENDINGS.get(plain_path(path).suffix.lower())
    if by_name is None or (by_name is Format.RDF_XML and not _begins_as_xml(head)):
        return _sniffed(head)
    return by_name


def _named(name: str) -> Format:
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    if plain in _SYNONYMS:
        return _SYNONYMS[plain]
    if plain in list(Format):
        return Format(plain)
    raise BadOption(
        f"'{name}' is not an RDF format.",
        f"Give {setting('format')} {', '.join(list(Format)[:-1])} or {Format.JSONLD}.",
    )


def _begins_as_xml(head: bytes) -> bool:
    # UTF-16 has a NUL beside each of these characters.
    start = head.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    return bool(re.match(rb"\s*<(?:\?xml|!DOCTYPE|!--|[\w.-]+:RDF[\s>]|RDF[\s>])", start.replace(b"\x00", b"")))


def _sniffed(head: bytes) -> Format:
    """The format by the contents. The last resort is TriG, of which Turtle is a part."""
    if _begins_as_xml(head):
        return Format.RDF_XML
    text = head.removeprefix(b"\xef\xbb\xbf")
    opening = _COMMENTS.match(text)
    text = text[opening.end() :] if opening else text
    if _JSON.match(text):
        return Format.JSONLD
    lines = [line.rstrip(b"\r") for line in text.split(b"\n")[:50]]
    whole = [line for line in lines[: max(1, len(lines) - 1)] if line.strip() and not line.lstrip().startswith(b"#")]
    matches = [_LINE.match(line) for line in whole]
    if whole and all(matches):
        return Format.N_QUADS if any(match and match["graph"] for match in matches) else Format.N_TRIPLES
    return Format.TRIG
