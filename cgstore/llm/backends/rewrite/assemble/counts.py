"""How many things a relation links with each: `which yard built the most ships`, `who borrowed more than one book`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.llm.backends.rewrite.asked_kinds import ANYBODY
from cgstore.llm.backends.rewrite.assemble.asked import HAVING, OPEN_SIDE, TAKEN, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.kinds import confined, is_of_kind, kind_set, stands
from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.sets import SIDES, Combined, Counted, Having, MostOf, Things
from cgstore.llm.backends.rewrite.assemble.sides import side_of_place
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, is_head_noun
from cgstore.llm.backends.rewrite.assemble.slots import slot_said


def side_of_kind(asked: Asked, chunk: Chunk, kind: KindChunk) -> str:
    """The side of a relation on which things of a kind stand; if they stand on both, the one that the words say."""
    sides = [side for side in SIDES if stands(asked.slots, chunk.relation, side, kind)]
    if len(sides) == 2:
        return side_of_place(asked.question, chunk, kind.last)
    return sides[0] if sides else ""


def most_of(asked: Asked) -> Iterator[Reading]:
    """Who or what most, or fewest, things have a relation with: `which yard built the most ships`."""
    orders = [order for order in asked.orders if order.is_generic and not order.is_comparative]
    counted = [kind for kind in asked.cover.kinds if kind not in asked.head_kinds]
    heads = [kind for kind in asked.head_kinds if not any(kind.every and kind.every == each.every for each in counted)]
    if len(orders) != 1 or len(heads) > 1 or len(counted) > 1:
        return
    if asked.names or asked.numeric or asked.bounds or asked.is_denied:
        return
    for relation, side, taken in _counted_by(asked, heads, counted):
        every = kind_set(heads[0]) if heads else Having(relation, side)
        most = MostOf(every, relation, side, orders[0].way, kind_set(counted[0]) if counted else None)
        yield Reading(Combined("intersection", (every, most)), taken)


def _counted_by(
    asked: Asked, heads: Sequence[KindChunk], counted: Sequence[KindChunk]
) -> Iterator[tuple[str, str, float]]:
    """The relation by which things are counted, the side of those that have them, and what it costs to take it.

    Where the noun for these is no kind, they are on the other side than what is counted: `which company owns the most
    mills`. Where no relation is said, it is the only one between both kinds: `which host has the most shows`.
    """
    if len(asked.linking) == 1 and heads:
        if side := side_of_kind(asked, asked.linking[0], heads[0]):
            yield asked.linking[0].relation, side, 0.0
    elif len(asked.linking) == 1 and counted:
        sides = [side for side in SIDES if stands(asked.slots, asked.linking[0].relation, side, counted[0])]
        if len(sides) == 1:
            yield asked.linking[0].relation, SIDES[sides[0] == "head"], OPEN_SIDE
    elif heads and counted and not (asked.linking or HAVING.isdisjoint(asked.words)):
        found = linking(asked, heads[0], counted[0])
        if len(found) == 1:
            yield *found[0], TAKEN


def linking(asked: Asked, kind: KindChunk, other: KindChunk) -> list[tuple[str, str]]:
    """The relations that link things of two kinds, each with the side of the first."""
    left_out = asked.graph.relations_of_numbers | {relation for relation, _ in (*kind.nodes, *other.nodes)}
    return [
        (relation, side)
        for relation in asked.graph.relations
        for side, far in (SIDES, SIDES[::-1])
        if relation not in left_out
        and stands(asked.slots, relation, side, kind)
        and stands(asked.slots, relation, far, other)
    ]


def with_number_of(asked: Asked) -> Iterator[Reading]:
    """What a relation links with more, or fewer, things than a number: `who borrowed more than one book`."""
    if asked.names or asked.numeric or asked.orders or asked.is_denied or len(asked.linking) != 1:
        return
    place = counted_place(asked)
    counted = [kind for kind in asked.cover.kinds if kind not in asked.head_kinds]
    if place < 0 or len(counted) > 1 or len(asked.head_kinds) > 1:
        return
    chunk = asked.linking[0]
    if asked.words[place] in asked.cover.inner and is_head_noun(asked.question, chunk.first):
        return  # `which airlines have fewer than ten planes` counts no flights
    side = _side_asked(asked, chunk, place, counted)
    if not side:
        return
    things: Things | None = Having(chunk.relation, side)
    for kind in asked.head_kinds:
        things = confined(asked.slots, Having(chunk.relation, side), kind)
    if things is None:
        return
    is_whole = not counted or is_of_kind(asked.slots, chunk.relation, SIDES[side == "head"], counted[0])
    having = Counted(things, chunk.relation, side, asked.bounds[0].signs, None if is_whole else kind_set(counted[0]))
    yield Reading(Combined("intersection", (things, having)), OPEN_SIDE)


def counted_place(asked: Asked) -> int:
    """The place of a noun of which a number is given; -1 if there is none."""
    if len(asked.bounds) != 1 or asked.bounds[0].is_time:
        return -1
    place = asked.bounds[0].mask.bit_length()
    if any(chunk.mask >> place & 1 for chunk in asked.numeric):
        return -1
    masks = [*(chunk.mask for chunk in asked.cover.relations), *(kind.mask for kind in asked.cover.kinds)]
    is_said = any(mask >> place & 1 for mask in masks) or asked.words[place : place + 1] in [
        (each,) for each in ANYBODY
    ]
    if place < len(asked.words) and (is_said or asked.words[place] in asked.cover.inner):
        return place
    return -1


def _side_asked(asked: Asked, chunk: Chunk, place: int, counted: list[KindChunk]) -> str:
    """The side of a relation on which that stands of which the number is given."""
    named = slot_said(asked.question, chunk)
    if named and chunk.mask >> place & 1:
        return SIDES[named[1] == "head"]
    if named and is_head_noun(asked.question, chunk.first):
        return named[1]
    if asked.head_kinds:
        return side_of_kind(asked, chunk, asked.head_kinds[0])
    if counted and (far := side_of_kind(asked, chunk, counted[0])):
        return SIDES[far == "head"]
    return side_of_place(
        asked.question, chunk, asked.words.index(asked.cover.unchecked) if asked.cover.unchecked else 0
    )
