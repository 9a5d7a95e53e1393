"""The evidence of an answer as a graph of networkx; needs `cgstore[networkx]`."""

from __future__ import annotations

from collections.abc import Iterable

import networkx

from cgstore.show.evidence import Evidence, Fact, facts_of


def evidence_graph(evidence: Iterable[Evidence]) -> networkx.MultiDiGraph:
    """The facts of some evidence as a directed graph, from heads to tails.

    A node is a name. A row of a table, `[line_3]`, is the node `cities [line_3]`, as it belongs to its source. An edge
    has the relation as its key, from the second statement about a fact on with its number (`rated #2`), and the
    attributes `relation`, `source` and `qualifiers`, which has a list of values for each key. A fact of which only head
    and relation are known has no edge.

    Args:
        evidence: condition triples, such as `answer.evidence`.
    """
    graph = networkx.MultiDiGraph()
    for fact in facts_of(evidence):
        head = _head(fact)
        graph.add_node(head, name=fact.head)
        if fact.tail is None:
            continue
        graph.add_node(fact.tail, name=fact.tail)
        qualifiers: dict[str, list[str]] = {}
        for key, value in fact.qualifiers:
            qualifiers.setdefault(key, []).append(value)
        about = {"relation": fact.relation, "source": fact.source, "qualifiers": qualifiers}
        key = fact.relation if fact.number == 1 else f"{fact.relation} #{fact.number}"
        key = f"{key} in {fact.source}" if graph.has_edge(head, fact.tail, key) else key
        graph.add_edge(head, fact.tail, key, **about)
    return graph


def _head(fact: Fact) -> str:
    return fact.head if fact.row is None else f"{fact.source} {fact.head}"
