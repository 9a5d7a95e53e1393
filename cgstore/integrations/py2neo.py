"""The evidence of an answer as objects of py2neo; needs `cgstore[py2neo]`.

py2neo is at its end of life: its last version is of 2021, and nobody maintains it. This is for programs that have it
already; new ones take `cgstore.integrations.networkx`, or the official driver.
"""

from __future__ import annotations

from collections.abc import Iterable

from py2neo import Node, Relationship, Subgraph

from cgstore.show.evidence import Evidence, facts_of


def evidence_subgraph(evidence: Iterable[Evidence]) -> Subgraph:
    """The facts of some evidence as a subgraph, which is bound to no database.

    A node has the label `Entity`, or `Row` with its `source` for a row of a table, and its `name`. The type of a
    relationship is the relation; its properties are `source` and the qualifiers, each a list of values. A property of a
    fact's own has a name of its own: a key `source` becomes `source_`.

    Args:
        evidence: condition triples, such as `answer.evidence`.
    """
    nodes: dict[tuple[str, str], Node] = {}
    relationships = []

    def node(name: str, source: str = "") -> Node:
        label = {"source": source} if source else {}
        return nodes.setdefault((source, name), Node("Row" if source else "Entity", name=name, **label))

    for fact in facts_of(evidence):
        head = node(fact.head, fact.source if fact.row is not None else "")
        if fact.tail is None:
            continue
        about: dict[str, list[str]] = {}
        for key, value in fact.qualifiers:
            about.setdefault("source_" if key == "source" else key, []).append(value)
        kind = Relationship.type(fact.relation)
        relationships.append(kind(head, node(fact.tail), source=fact.source, **about))
    return Subgraph(nodes.values(), relationships)
