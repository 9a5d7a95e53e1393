"""Turtle, TriG, N-Triples and N-Quads, through pyoxigraph.

Unlike rdflib, pyoxigraph knows RDF 1.2 (`<< s p o >> q v`, `{| q v |}`), streams, tells the line and column of an
error, refuses what is not RDF (rdflib takes a literal as a subject, and an IRI with spaces), and keeps numbers as they
are written (rdflib makes 7 of 007).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from cgstore.errors import BadFile
from cgstore.loaders.rdf.files import Format, Opened, position_of, problem_of
from cgstore.loaders.rdf.stage import RawQuad, Term, blank_term, iri_term, literal_term
from cgstore.loaders.readers.encoding import MAX_LINE
from cgstore.loaders.readers.records import BadLine

MAX_NESTED = 1000
"""Deepest nesting of triple terms, or of XML elements, that pyoxigraph is given: its stack overflows at thousands."""

_TERMS = re.compile(rb"""<<\(|\)>>|["']"""), re.compile(rb"(?:<<?|\)>?)\Z")
_ELEMENTS = re.compile(rb"<(?=[A-Za-z_])|</|/>"), re.compile(rb"[</]\Z")
"""The marks that open, close or end a nesting; and what may be the beginning of such a mark at the end of a piece."""


def read_document(file: Opened, format: Format) -> Iterator[RawQuad]:
    """Streams the quads of a Turtle, TriG or RDF/XML file; raises whatever the parser raises."""
    import pyoxigraph

    convert = _converter()
    shallow: Any = _Shallow(_without_mark(file), format is Format.RDF_XML)
    for quad in pyoxigraph.parse(shallow, format=getattr(pyoxigraph.RdfFormat, format.name), base_iri=file.base):
        yield convert(quad, 0)


def read_lines(file: Opened, format: Format) -> Iterator[RawQuad | BadLine]:
    """Streams the quads of N-Triples or N-Quads. A line that is not a quad is a `BadLine` in its place.

    Older files hold `<< s p o >> q v .`, which RDF 1.2 has in Turtle only. It is read too.

    Raises:
        BadFile: a line is longer than `MAX_LINE`. A file without lines would fill the memory.
    """
    import pyoxigraph

    convert, library_format = _converter(), getattr(pyoxigraph.RdfFormat, format.name)
    data = _without_mark(file)
    number = 0
    while line := data.readline(MAX_LINE):
        number += 1
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            raise BadFile(f"{file.path}:{number}: a line longer than {MAX_LINE:,} bytes.", "Is this a fact a line?")
        if _Depth().take(line) > MAX_NESTED:
            yield BadLine(number, 0, "", "triple terms nested too deeply", line.decode("utf-8", "surrogateescape"))
            continue
        try:
            for quad in pyoxigraph.parse(line, format=library_format):
                yield convert(quad, number)
        except SyntaxError as error:
            text = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
            bad = BadLine(number, position_of(error)[1], "", problem_of(error), text)
            quads: list[RawQuad] = []
            if line.lstrip().startswith(b"<<"):
                with suppress(SyntaxError):
                    quads = [convert(q, number) for q in pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.TURTLE)]
            yield from quads
            if not quads:
                yield bad


class _Depth:
    """How deep triple terms, or with `xml` elements, are nested in a text, as far as it was taken.

    The terms around a term all open before it, with nothing but IRIs and blank nodes between. So a quote sets the depth
    to zero, and what literals hold does not add up.
    """

    def __init__(self, xml: bool = False) -> None:
        self._tokens, self._begun = _ELEMENTS if xml else _TERMS
        self._depth = 0
        self._carry = b""

    def take(self, piece: bytes) -> int:
        """Takes the next piece; returns the depth of its deepest place."""
        piece = self._carry + piece
        begun = self._begun.search(piece[-2:])
        self._carry = begun[0] if begun else b""
        deepest = self._depth
        for token in self._tokens.findall(piece):
            if token in (b"<<(", b"<"):
                self._depth += 1
                deepest = max(deepest, self._depth)
            else:
                self._depth = 0 if token in (b'"', b"'") else max(self._depth - 1, 0)
        return deepest


class _Shallow:
    """A stream that refuses what is nested deeper than `MAX_NESTED`."""

    def __init__(self, data: IO[bytes], xml: bool) -> None:
        self._data = data
        self._depth = _Depth(xml)

    def read(self, size: int = -1) -> bytes:
        piece = self._data.read(size)
        if self._depth.take(piece) > MAX_NESTED:
            raise RecursionError
        return piece


def _without_mark(file: Opened) -> IO[bytes]:
    """The data after a byte order mark."""
    if file.head.startswith(b"\xef\xbb\xbf"):
        file.data.read(3)
    return file.data


def _converter() -> Any:
    """A function from a quad of the library, and its line, to one of ours."""
    from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode

    def term(found: Any) -> Term:
        kind = type(found)
        if kind is NamedNode:
            return iri_term(found.value)
        if kind is BlankNode:
            return blank_term(found.value)
        if kind is Literal:
            language = found.language or ""
            if language and found.direction is not None:
                language = f"{language}--{str(found.direction).rpartition('.')[2].lower()}"
            return literal_term(found.value, found.datatype.value, language)
        return term(found.subject), term(found.predicate), term(found.object)

    def convert(quad: Any, line: int) -> RawQuad:
        graph = None if type(quad.graph_name) is DefaultGraph else term(quad.graph_name)
        return RawQuad(term(quad.subject), term(quad.predicate), term(quad.object), graph, line)

    return convert
