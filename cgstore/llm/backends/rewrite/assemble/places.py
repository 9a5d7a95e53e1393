"""What is where a name is, or in a place that lies in another one: `which rides are at the park`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cgstore.llm.backends.rewrite.asked_kinds import kind_relations, may_be_people
from cgstore.llm.backends.rewrite.assemble.asked import TAKEN, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.kinds import confined, is_of_kind, slot_of
from cgstore.llm.backends.rewrite.assemble.relations import Chunk, lies_in, says_place
from cgstore.llm.backends.rewrite.assemble.sets import SIDES, Found, Named
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk
from cgstore.mapping.mentions import Mention
from cgstore.text.names import in_words, normal_form

_AT = frozenset(["in", "at", "on", "where", "has", "have", "had", "with"])
"""Words that say where something is, or what a place has."""


class Places:
    """The sets that are reached through the places of a graph."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._graph, self._slots = asked, asked.graph, asked.slots

    def around(self, chunk: Chunk, mention: Mention) -> Iterator[Reading]:
        """What the place of a name has that the name has not: `in which province is the bridge`, as its town is."""
        around = self._graph.relations_of(mention.key)
        if chunk.relation in (*around.head, *around.tail) or not self._is_of_place(chunk.relation):
            return
        where = [each for each in around.head if says_place(each)] or [each for each in around.head if lies_in(each)]
        if len(where) == 1 and self._slots.may_meet((where[0], "tail"), (chunk.relation, "head")):
            place = Found(where[0], "head", Named(mention.name))
            note = f"'{chunk.relation}' is taken from the place where '{mention.name}' is, by '{where[0]}'."
            yield Reading(Found(chunk.relation, "head", place), TAKEN, (note,))

    def of_kind(self, reading: Reading, kind: KindChunk) -> Iterator[Reading]:
        """What is of a kind where the places are that were found: `which mills lie on the river`, as their towns do."""
        slot = slot_of(reading.things)
        where = [
            relation
            for relation in self._graph.relations
            if says_place(relation) and is_of_kind(self._slots, relation, "head", kind)
        ]
        if slot is None or not lies_in(slot[0]) or len(where) != 1 or slot == (where[0], "head"):
            return
        if self._slots.may_meet((where[0], "tail"), slot):
            things = confined(self._slots, Found(where[0], "tail", reading.things), kind)
            note = f"What is there is taken by the relation '{where[0]}'."
            if things:
                yield replace(reading, things=things, penalty=reading.penalty + TAKEN, notes=(*reading.notes, note))

    def of_places_in(self, mention: Mention, kind: KindChunk) -> Iterator[Reading]:
        """What is of a kind in the places that a name has, or has the place of a name in it: `which rides are at X`.

        There must be one way only, along two relations that say where something is.
        """
        if _AT.isdisjoint(self._asked.words):
            return
        ways = [way for side in SIDES for way in self._ways(mention, kind, side)]
        if len(ways) == 1:
            (first, second), side = ways[0]
            found = Found(second, side, Found(first, side, Named(mention.name)))
            if things := confined(self._slots, found, kind):
                note = f"'{mention.name}' and these are taken to belong together by '{first}' and then '{second}'."
                yield Reading(things, TAKEN, (note,))

    def _ways(self, mention: Mention, kind: KindChunk, side: str) -> Iterator[tuple[tuple[str, str], str]]:
        """The two relations, in the same direction, that lead from a name on a side to things of a kind."""
        far = SIDES[side == "head"]
        for first in getattr(self._graph.relations_of(mention.key), side):
            for second in self._graph.relations:
                near, wide = (first, second) if side == "head" else (second, first)
                if lies_in(near) and near != wide and self._is_of_place(wide):
                    meets = self._slots.things.get((first, far), frozenset()) & self._slots.things.get(
                        (second, side), frozenset()
                    )
                    if meets and is_of_kind(self._slots, second, far, kind):
                        yield (first, second), side

    def _is_of_place(self, relation: str) -> bool:
        """Whether a relation says where a place is: by its name, or as the graph has things of that kind (`park`)."""
        if relation in self._graph.relations_of_numbers:
            return False
        return lies_in(relation) or (relation in self._kinds and not may_be_people(in_words(relation)))

    @property
    def _kinds(self) -> frozenset[str]:
        """The relations that are called as a kind of things in the graph is."""
        linked = self._graph.linked_by(kind_relations(self._graph))
        kinds = {normal_form(tail) for facts in linked.values() for _, tail in facts}
        return frozenset(each for each in self._graph.relations if normal_form(in_words(each)) in kinds)
