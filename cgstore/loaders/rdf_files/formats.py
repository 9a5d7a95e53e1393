"""Which format an RDF file has: as the user says, else by the name's ending, else by how its contents begin."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.loaders.inputs import plain_path


class Format(StrEnum):
    """The formats that are read; the value is the name that `--format` and messages use."""

    TURTLE = "turtle"
    NTRIPLES = "ntriples"
    NQUADS = "nquads"
    TRIG = "trig"
    RDFXML = "rdfxml"
    JSONLD = "jsonld"


_ENDINGS = {
    ".ttl": Format.TURTLE,
    ".turtle": Format.TURTLE,
    ".n3": Format.TURTLE,
    ".nt": Format.NTRIPLES,
    ".ntriples": Format.NTRIPLES,
    ".nq": Format.NQUADS,
    ".nquads": Format.NQUADS,
    ".trig": Format.TRIG,
    ".rdf": Format.RDFXML,
    ".rdfs": Format.RDFXML,
    ".owl": Format.RDFXML,
    ".rdfxml": Format.RDFXML,
    ".jsonld": Format.JSONLD,
    ".json": Format.JSONLD,
}

_SYNONYMS = {
    "ttl": Format.TURTLE,
    "nt": Format.NTRIPLES,
    "nq": Format.NQUADS,
    "xml": Format.RDFXML,
    "rdf": Format.RDFXML,
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
    """The format of a file.

    Args:
        path: the file; an ending like `.ttl` or `.ttl.gz` tells, except that an `.owl` or `.rdf` that does not begin
            as XML is looked into, since both endings are used for Turtle too.
        head: the beginning of its contents.
        given: what the user says; it overrides both.

    Raises:
        BadInput: no format has the given name, or the file is in UTF-16 (which only RDF/XML may be).
    """
    chosen = _named(given) if given is not None else _found(path, head)
    if chosen is not Format.RDFXML and head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadInput(f"{path} looks like UTF-16.", f"Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 {path}")
    return chosen


def _found(path: Path, head: bytes) -> Format:
    by_name = _ENDINGS.get(plain_path(path).suffix.lower())
    if by_name is None or (by_name is Format.RDFXML and not _begins_as_xml(head)):
        return _sniffed(head)
    return by_name


def _named(name: str) -> Format:
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    if plain in _SYNONYMS:
        return _SYNONYMS[plain]
    if plain in list(Format):
        return Format(plain)
    raise BadInput(f"'{name}' is no RDF format.", f"Give --format {', '.join(list(Format)[:-1])} or {Format.JSONLD}.")


def _begins_as_xml(head: bytes) -> bool:
    # UTF-16 has a NUL beside each of these characters.
    start = head.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    return bool(re.match(rb"\s*<(?:\?xml|!DOCTYPE|!--|[\w.-]+:RDF[\s>]|RDF[\s>])", start.replace(b"\x00", b"")))


def _sniffed(head: bytes) -> Format:
    """By the contents; what nothing else claims is read as TriG, which Turtle is a part of."""
    if _begins_as_xml(head):
        return Format.RDFXML
    text = head.removeprefix(b"\xef\xbb\xbf")
    opening = _COMMENTS.match(text)
    text = text[opening.end() :] if opening else text
    if _JSON.match(text):
        return Format.JSONLD
    lines = [line.rstrip(b"\r") for line in text.split(b"\n")[:50]]
    whole = [line for line in lines[: max(1, len(lines) - 1)] if line.strip() and not line.lstrip().startswith(b"#")]
    matches = [_LINE.match(line) for line in whole]
    if whole and all(matches):
        return Format.NQUADS if any(match and match["graph"] for match in matches) else Format.NTRIPLES
    return Format.TRIG
