"""Statements out of a settled stage: its quads under the names of their terms, with graphs and qualifiers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cgstore.loaders.rdf_files.names import GRAPH, NODES, PREDICATES
from cgstore.loaders.rdf_files.stage import RdfStage
from cgstore.loaders.rdf_files.terms import literal_parts
from cgstore.loaders.statement import QualifierTerms, Statement, literal_suffix
from cgstore.model import Role

CACHED_NAMES = 50_000
"""Names kept in memory; others are looked up in the file."""

Qualifiers = tuple[tuple[tuple[str, str], QualifierTerms], ...]

# One row a triple, however many graphs it is in: where it came first.
_FACTS = """
SELECT s, p, o, g, line FROM quad f WHERE NOT EXISTS (
  SELECT 1 FROM quad e WHERE e.s = f.s AND e.p = f.p AND e.o = f.o AND e.seq < f.seq
) ORDER BY seq
"""

_FACTS_OF_ONE_GRAPH = "SELECT s, p, o, g, line FROM quad ORDER BY seq"

_GRAPHS = "SELECT g FROM quad WHERE s = ? AND p = ? AND o = ? AND g <> 0 ORDER BY seq"

_REIFIERS = "SELECT r FROM reifier WHERE s = ? AND p = ? AND o = ? ORDER BY seq"

_NAME = """
SELECT t.text, n.text FROM term t LEFT JOIN name n ON n.space = ? AND n.term = t.id WHERE t.id = ?
"""


def statements_of(stage: RdfStage) -> Iterator[Statement]:
    """The statements in the order of the input.

    A triple with several reifiers, each with its qualifiers (two terms of office), makes one statement for each. A
    triple in named graphs has a qualifier `graph` for each of them.
    """
    terms = _Terms(stage)
    has_graphs = _any(stage, "SELECT 1 FROM quad WHERE g <> 0")
    has_reifiers = _any(stage, "SELECT 1 FROM reifier")
    for s, p, o, _, line in stage.sql.execute(_FACTS if has_graphs else _FACTS_OF_ONE_GRAPH):
        graphs = _graphs(stage, terms, s, p, o) if has_graphs else ()
        fact = _statement(terms, s, p, o, line)
        if not has_reifiers:
            yield _qualified(fact, graphs) if graphs else fact
            continue
        for qualifiers in _annotations(stage, terms, s, p, o):
            yield _qualified(fact, graphs + qualifiers)


def _qualified(fact: Statement, qualifiers: Qualifiers) -> Statement:
    return fact._replace(qualifiers=tuple(texts for texts, _ in qualifiers), told=tuple(told for _, told in qualifiers))


def _any(stage: RdfStage, query: str) -> bool:
    return bool(stage.sql.execute(f"SELECT EXISTS ({query})").fetchone()[0])


class _Terms:
    """The names and texts of terms by their numbers."""

    def __init__(self, stage: RdfStage) -> None:
        self._stage = stage
        self.of = lru_cache(CACHED_NAMES)(self._of)

    def _of(self, space: int, number: int) -> tuple[str, str]:
        """The term's text as staged, and its name; empty for a literal."""
        text, name = self._stage.sql.execute(_NAME, (space, number)).fetchone()
        return text, name or ""

    def value(self, number: int) -> tuple[str, str, str | None]:
        """A qualifier's value: its text, its IRI, and what follows its text if it is a literal."""
        term, name = self.of(NODES, number)
        if term[0] != '"':
            return name, _iri(term), None
        text, datatype, language = literal_parts(term)
        return text, "", literal_suffix(datatype, language)

    def qualifier(self, q: int, v: int) -> tuple[tuple[str, str], QualifierTerms]:
        """A qualifier by the numbers of its key and its value."""
        key, name = self.of(PREDICATES, q)
        text, iri, suffix = self.value(v)
        return (name, text), QualifierTerms(_iri(key), iri, suffix)


def _statement(terms: _Terms, s: int, p: int, o: int, line: int) -> Statement:
    head, head_name = terms.of(NODES, s)
    relation, relation_name = terms.of(PREDICATES, p)
    tail, tail_name = terms.of(NODES, o)
    iris = (_iri(head), _iri(relation), _iri(tail))
    if tail[0] != '"':
        return Statement(head_name, relation_name, tail_name, iris=iris, line=line)
    text, datatype, language = literal_parts(tail)
    return Statement(
        head_name,
        relation_name,
        text,
        tail_role=Role.VALUE,
        datatype=datatype,
        language=language,
        iris=iris,
        line=line,
    )


def _iri(term: str) -> str:
    return term[1:] if term[0] == "<" else ""


def _graphs(stage: RdfStage, terms: _Terms, s: int, p: int, o: int) -> Qualifiers:
    values = (terms.value(g) for (g,) in stage.sql.execute(_GRAPHS, (s, p, o)))
    return tuple(((GRAPH, text), QualifierTerms("", iri, suffix)) for text, iri, suffix in values)


def _annotations(stage: RdfStage, terms: _Terms, s: int, p: int, o: int) -> list[Qualifiers]:
    """The distinct qualifiers that the reifiers of a triple give it; none at all where none gives any."""
    found: dict[Qualifiers, None] = {}
    for (r,) in stage.sql.execute(_REIFIERS, (s, p, o)).fetchall():
        rows = stage.sql.execute("SELECT q, v FROM qualifier WHERE r = ? ORDER BY seq", (r,))
        found[tuple(terms.qualifier(q, v) for q, v in rows)] = None
    found.pop((), None)
    return list(found) or [()]
