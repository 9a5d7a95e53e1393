"""The evidence of an answer as a graph of rdflib; needs `cgstore[rdf]`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cgstore.export.rdf import made_iri
from cgstore.show.evidence import Evidence, facts_of

if TYPE_CHECKING:
    from rdflib import Graph, URIRef


def evidence_graph(evidence: Iterable[Evidence]) -> Graph:
    """The facts of some evidence as RDF, as `cgstore export` writes them: a triple each, its qualifiers a reification.

    Names become IRIs, `urn:cgstore:SOURCE/NAME`, whose `rdfs:label` is the name; cells of tables and values of
    qualifiers are literals. IRIs of a source that came as RDF are not in the evidence: `cgstore export` has them.

    Args:
        evidence: condition triples, such as `answer.evidence`.
    """
    from rdflib import RDF, BNode, Graph, Literal

    graph = Graph()
    for fact in facts_of(evidence):
        subject, predicate = _named(graph, fact.source, fact.head), _named(graph, fact.source, fact.relation)
        if fact.tail is None:
            continue
        value = Literal(fact.tail) if fact.row is not None else _named(graph, fact.source, fact.tail)
        graph.add((subject, predicate, value))
        if fact.qualifiers:
            statement = BNode()
            graph.add((statement, RDF.type, RDF.Statement))
            for part, term in ((RDF.subject, subject), (RDF.predicate, predicate), (RDF.object, value)):
                graph.add((statement, part, term))
            for key, text in fact.qualifiers:
                graph.add((statement, _named(graph, fact.source, key), Literal(text)))
    return graph


def _named(graph: Graph, source: str, name: str) -> URIRef:
    from rdflib import RDFS, Literal, URIRef

    iri = URIRef(made_iri(source, name))
    graph.add((iri, RDFS.label, Literal(name)))
    return iri
