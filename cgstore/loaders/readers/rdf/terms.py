"""RDF terms as short strings, and what a parser hands to the stage: the same whichever library read the file.

`<IRI`, `_LABEL`, and `"TEXT"` followed by nothing, `@LANGUAGE` or `^DATATYPE`; nothing is escaped, since neither a
language nor an IRI holds a quote, so that the last one ends the text. A triple term is a tuple of three terms.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

Term: TypeAlias = "str | tuple[Term, Term, Term]"

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

_NO_DATATYPE = {"", XSD_STRING, f"{RDF}langString", f"{RDF}dirLangString"}
_BAD = re.compile("[\x00\ud800-\udfff]")


class BadTerm(ValueError):
    """A term that no graph can hold; the message says why."""


class RawQuad(NamedTuple):
    """One quad of a file: `graph` is None for the default graph, `line` 0 where the parser does not tell."""

    subject: Term
    predicate: Term
    object: Term
    graph: Term | None = None
    line: int = 0


def iri_term(iri: str) -> str:
    """An IRI."""
    return f"<{iri}"


def blank_term(label: str) -> str:
    """A blank node by its label, which holds within its file."""
    return f"_{label}"


def literal_term(text: str, datatype: str = "", language: str = "") -> str:
    """A literal; the language in lower case, and no datatype where there is a language or it is a plain string."""
    if language:
        return f'"{text}"@{language.lower()}'
    return f'"{text}"' if datatype in _NO_DATATYPE else f'"{text}"^{datatype}'


def literal_parts(term: str) -> tuple[str, str, str]:
    """Text, datatype and language of a literal."""
    end = term.rindex('"')
    suffix = term[end + 1 :]
    return term[1:end], suffix[1:] if suffix[:1] == "^" else "", suffix[1:] if suffix[:1] == "@" else ""


def shown(term: Term) -> str:
    """The term as N-Triples would write it, for messages."""
    if isinstance(term, tuple):
        return f"<<( {' '.join(map(shown, term))} )>>"
    if term[0] == "<":
        return f"{term}>"
    if term[0] == "_":
        return f"_:{term[1:]}"
    text, datatype, language = literal_parts(term)
    escaped = (
        text.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\x00", "\\u0000")
    )
    return f'"{escaped}"' + (f"@{language}" if language else f"^^<{datatype}>" if datatype else "")


def shown_quad(quad: RawQuad) -> str:
    """The quad as a line of N-Quads."""
    terms = [quad.subject, quad.predicate, quad.object, *([quad.graph] if quad.graph is not None else [])]
    return " ".join([*map(shown, terms), "."])


def check_characters(term: str) -> None:
    """Raises BadTerm for what neither UTF-8 nor a database's strings can hold."""
    if match := _BAD.search(term):
        what = "a NUL character" if match[0] == "\x00" else f"half a surrogate pair (U+{ord(match[0]):04X})"
        raise BadTerm(f"{what} in {shown(term)[:60]!r}")
