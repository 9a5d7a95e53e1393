"""All things of a kind, and the sides of relations on which they stand."""

from __future__ import annotations

from cgstore.llm.backends.rewrite.assemble.sets import Combined, Found, Named, Things
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk
from cgstore.llm.graph_view import GraphView

_EXAMPLES = 10
"""Tails of a relation that are looked at."""


def kind_set(kind: KindChunk) -> Things:
    """All things of a kind."""
    sets = tuple(Found(relation, "tail", Named(node)) for relation, node in kind.nodes)
    return sets[0] if len(sets) == 1 else Combined("union", sets)


def side_of_kind(graph: GraphView, relation: str, kind: KindChunk) -> str:
    """The side of a relation on which things of a kind stand, as far as examples tell; empty if on both or none."""
    sides = [side for side in ("head", "tail") if stands(graph, relation, side, kind)]
    return sides[0] if len(sides) == 1 else ""


def stands(graph: GraphView, relation: str, side: str, kind: KindChunk) -> bool:
    """Whether a thing of a kind stands on a side of a relation, as far as examples tell."""
    ends = graph.links(graph.heads_of(relation))
    if side == "tail":
        tails = {
            end
            for links in ends.values()
            for link in links
            if link.as_head and link.relation == relation
            for end in link.ends
        }
        shown = graph.possible_mentions(", ".join(sorted(tails)[:_EXAMPLES]))
        ends = graph.links([mention.key for mention in shown if mention.name in tails])
    own = (link for links in ends.values() for link in links if link.as_head)
    return any((link.relation, node) in kind.nodes for link in own for node in link.ends)
