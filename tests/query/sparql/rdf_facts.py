"""Facts as an RDF graph of rdflib, and the answers of forms over them: the judge of cgstore's answers."""

from __future__ import annotations

from collections.abc import Iterable

from rdflib import XSD, Graph, Literal, URIRef

from cgstore.query.sexpr.forms import Form
from cgstore.query.sparql.to_sparql import to_sparql
from cgstore.query.sparql.vocabulary import Vocabulary

Fact = tuple[str, str, str]

VOCABULARY = Vocabulary()


def graph_of(facts: Iterable[Fact]) -> Graph:
    """Heads and relations are IRIs; tails that are numbers or times are literals, all others IRIs."""
    graph = Graph()
    for head, relation, tail in facts:
        datatype = VOCABULARY.datatype(tail)
        value = URIRef(VOCABULARY.iri(tail)) if datatype is None else Literal(tail, datatype=XSD[datatype])
        graph.add((URIRef(VOCABULARY.iri(head)), URIRef(VOCABULARY.iri(relation)), value))
    return graph


def answers(graph: Graph, form: Form) -> set[str]:
    """The answers of a form by its SPARQL query, as names."""
    return run(graph, to_sparql(form, VOCABULARY))


def run(graph: Graph, query: str) -> set[str]:
    """The answers of a SPARQL query, as names."""
    found: set[str] = set()
    for row in graph.query(query):
        (value,) = row  # type: ignore[misc]
        found.add(VOCABULARY.name(str(value)) if isinstance(value, URIRef) else str(value))
    return found
