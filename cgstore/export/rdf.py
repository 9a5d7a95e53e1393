"""Facts as N-Triples or N-Quads, as `load rdf` reads them: a fact is a triple, each statement about it a reification.

A source that came as RDF is written with its IRIs, its blank nodes as `_:bN`, and literals with their datatypes and
languages. N-Quads have its named graphs too; in N-Triples a graph is a qualifier with the key `graph`.

A name without an IRI gets one, `urn:cgstore:SOURCE/NAME`, percent-encoded, for which `load rdf` gives the same name. In
a source that is not RDF, such an IRI also replaces one that `load rdf` would give another name, and every value of a
qualifier is a literal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from urllib.parse import quote

from cgstore.catalog.kinds import RDF as RDF_KIND
from cgstore.errors import BadInput, setting
from cgstore.export.read import ExportStage, Qualifier, StoredFact
from cgstore.loaders.fact_stage import NODE
from cgstore.loaders.rdf.stage import RDF
from cgstore.loaders.rdf.statements import GRAPH, local_name
from cgstore.loaders.readers.records import PLAIN, printable
from cgstore.model import Source
from cgstore.text.names import LABELS

CACHED = 50_000
"""IRIs and names kept in memory as they are written."""

_NO_IRI = re.compile(
    r"[\x00-\x20<>\"{}|^`\\\x7f-\x9f\ud800-\uf8ff\ufff0-\uffff]|%(?![0-9A-Fa-f]{2})|^(?![A-Za-z][A-Za-z0-9+.-]*:)"
)
_SPECIAL = re.compile(r'[\\"\n\r]')
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}

_TYPE = f"<{RDF}type> <{RDF}Statement>"
_PARTS = tuple(f"<{RDF}{part}>" for part in ("subject", "predicate", "object"))


def triple_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of N-Triples; raises BadInput if a name or an IRI cannot be written so that it is read again."""
    return _lines(source, stage, graphs=False)


def quad_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of N-Quads; raises as `triple_lines`."""
    return _lines(source, stage, graphs=True)


def _lines(source: Source, stage: ExportStage, *, graphs: bool) -> Iterator[str]:
    terms = _Terms(source, stage)
    count, written = 0, set[str]()
    for fact in stage.facts():
        if fact.number == 1:
            written.clear()
        subject, predicate, objects = terms.subject(fact.head), terms.predicate(fact.relation), terms.objects(fact)
        named = [pair for pair in fact.qualifiers if graphs and terms.is_graph(pair)]
        ends = [f" {terms.value(pair)[0]}" for pair in named] or [""]
        lines = [f"{subject} {predicate} {each}{end} .\n" for each in objects for end in ends]
        yield from (line for line in lines if line not in written)
        written.update(lines)
        if len(named) < len(fact.qualifiers):
            count += 1
            about = [pair for pair in fact.qualifiers if pair not in named]
            yield from _reified(f"_:q{count}", (subject, predicate, objects[0]), about, terms)


def _reified(node: str, triple: tuple[str, str, str], qualifiers: Iterable[Qualifier], terms: _Terms) -> Iterator[str]:
    yield f"{node} {_TYPE} .\n"
    yield from (f"{node} {part} {term} .\n" for part, term in zip(_PARTS, triple, strict=True))
    for pair in qualifiers:
        key = terms.predicate(pair.key)
        yield from (f"{node} {key} {value} .\n" for value in terms.value(pair))


def made_iri(source: str, name: str) -> str:
    """The IRI of a name without one."""
    return f"urn:cgstore:{quote(source, safe='')}/{quote(name, safe='')}"


class _Terms:
    """The names of a source as terms of N-Triples."""

    def __init__(self, source: Source, stage: ExportStage) -> None:
        self._is_rdf = source.kind == RDF_KIND.name
        self._source, self._iris = source, stage.iris
        self._blank = re.compile(rf"(?:.* \()?_:{re.escape(source.name)}/b([0-9]+)\)?", re.DOTALL)
        keep = lru_cache(CACHED)
        self._node: Callable[[str, str | None], str] = keep(self._node_of)
        self.subject: Callable[[str], str] = keep(lambda name: self._node_of(name, stage.head_iri(name)))
        self.predicate: Callable[[str], str] = keep(lambda name: self._named(name, self._iris.get(name)))

    def objects(self, fact: StoredFact) -> list[str]:
        """The terms of a tail: a node or a literal; in RDF there may be several of one name."""
        if not fact.literal:
            return [self._node(fact.tail, fact.iri)]
        return self._each(fact.tail, fact.iri, fact.literal)

    def value(self, pair: Qualifier) -> list[str]:
        """The terms of the value of a qualifier."""
        if not pair.literal:
            is_node = self._is_rdf and (pair.iri or self._blank.fullmatch(pair.value))
            return [self._node(pair.value, pair.iri) if is_node else _literal(pair.value)]
        return self._each(pair.value, pair.iri, pair.literal)

    def is_graph(self, pair: Qualifier) -> bool:
        """Whether a qualifier says which named graph a triple is in."""
        return self._is_rdf and pair.key == GRAPH and GRAPH not in self._iris

    def _each(self, name: str, iri: str | None, literal: Iterable[str]) -> list[str]:
        return [self._node(name, iri) if suffix == NODE else _literal(name, suffix) for suffix in literal]

    def _node_of(self, name: str, iri: str | None) -> str:
        if self._is_rdf and iri is None and (found := self._blank.fullmatch(name)):
            return f"_:b{found[1]}"
        return self._named(name, iri)

    def _named(self, name: str, iri: str | None) -> str:
        if iri and (self._is_rdf or (iri not in LABELS and local_name(iri) == name)):
            return _iri(iri)
        made = made_iri(self._source.name, name)
        if not name or local_name(made) != name:
            problem = f"An IRI cannot hold the name {printable(name[:60])!r}: `load rdf` would read another one."
            raise BadInput(problem, f"Give {setting('format')} jsonl.")
        return f"<{made}>"


def _iri(iri: str) -> str:
    if _NO_IRI.search(iri):
        raise BadInput(
            f"'{printable(iri[:200])}' is not an IRI that N-Triples can hold.", f"Give {setting('format')} jsonl."
        )
    return f"<{iri}>"


def _literal(text: str, suffix: str = PLAIN) -> str:
    escaped = _SPECIAL.sub(lambda found: _ESCAPED[found[0]], text)
    if suffix == PLAIN:
        return f'"{escaped}"'
    return f'"{escaped}"' + (f"^^{_iri(suffix[2:])}" if suffix.startswith("^^") else suffix)
