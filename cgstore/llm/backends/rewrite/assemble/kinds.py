"""All things of a kind, and the sides of relations on which they stand."""

from __future__ import annotations

from cgstore.llm.backends.rewrite.asked_kinds import kind_relations
from cgstore.llm.backends.rewrite.assemble.sets import Combined, Extreme, Found, Having, Named, Things, Within, together
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, Slot
from cgstore.llm.backends.rewrite.assemble.slots import Slots
from cgstore.llm.graph_view import GraphView

_EXAMPLES = 10
"""Tails of a relation that are looked at."""


def kind_set(kind: KindChunk) -> Things:
    """All things of a kind."""
    of_nodes = (Found(relation, "tail", Named(node)) for relation, node in kind.nodes)
    sets = (*of_nodes, *(Having(*slot) for slot in kind.every))
    return sets[0] if len(sets) == 1 else Combined("union", sets)


def confined(slots: Slots, things: Things, kind: KindChunk) -> Things | None:
    """Those of a set that are of a kind; None if none can be.

    Where a noun says what things are, and not what they do, some of which nothing is known may be of the kind too.
    """
    slot = slot_of(things)
    if not kind.slots:
        return None if slots.has_none_of(slot, kind) else together([things, kind_set(kind)])
    if slot in kind.slots:
        return things
    every = frozenset[str]().union(*(slots.things[each] for each in kind.every))
    is_known = not kind.is_role and all(map(slots.is_whole, kind.every))
    if is_known and (unlike := slots.unlike(slot, every)) is not None:
        return Combined("difference", (things, *(Having(*each) for each in unlike))) if unlike else things
    may_be = any(slots.may_meet(slot, each) for each in kind.every)
    return together([things, kind_set(kind)]) if may_be else None


def slot_of(things: Things) -> Slot | None:
    """The slot in which the things of a set stand; None if they stand in several."""
    match things:
        case Found(relation, "head" | "tail" as side, _):
            return relation, "tail" if side == "head" else "head"
        case Having(relation, side):
            return relation, side
        case Within(relation, _):
            return relation, "head"
        case Extreme(of, relation, _):
            return slot_of(of) if of else (relation, "head")
        case Combined("difference" | "intersection", (one, *_)):
            return slot_of(one)
        case Combined("union", sets):
            found = {slot_of(each) for each in sets}
            return found.pop() if len(found) == 1 else None
    return None


def stands(slots: Slots, relation: str, side: str, kind: KindChunk) -> bool:
    """Whether a thing of a kind stands on a side of a relation, as far as examples tell."""
    if kind.slots:
        things = slots.things.get((relation, side), frozenset())
        return any(not things.isdisjoint(slots.things[each]) for each in kind.every)
    return _stands(slots.graph, relation, side, kind)


def is_of_kind(slots: Slots, relation: str, side: str, kind: KindChunk) -> bool:
    """Whether what stands on a side of a relation is mostly of a kind, as far as the graph tells."""
    return (relation, side) in kind.slots if kind.slots else stands(slots, relation, side, kind)


def is_of_kinds(slots: Slots, relation: str) -> bool:
    """Whether the graph says that the things that have a relation are of several kinds."""
    things, typed = slots.things.get((relation, "head"), frozenset()), kind_relations(slots.graph)
    linked = slots.graph.linked_by(typed)
    return any(len({tail for head, tail in linked[each] if head in things}) > 1 for each in typed)


def _stands(graph: GraphView, relation: str, side: str, kind: KindChunk) -> bool:
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
