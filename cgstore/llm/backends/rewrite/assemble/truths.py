"""Questions for yes or no, and those that compare two names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from cgstore.llm.backends.rewrite.assemble.asked import HAVING, TAKEN, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.chains import Chains
from cgstore.llm.backends.rewrite.assemble.kinds import kind_set
from cgstore.llm.backends.rewrite.assemble.numbers import By, Numbers, by_word
from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.same import have_same
from cgstore.llm.backends.rewrite.assemble.sets import (
    SIDES,
    Applied,
    Compared,
    Found,
    Named,
    Stated,
    Subtracted,
    Things,
    Within,
    together,
)
from cgstore.llm.backends.rewrite.assemble.sides import side_of_place
from cgstore.llm.backends.rewrite.assemble.tokens import BE, is_participle
from cgstore.llm.backends.rewrite.fact_between import is_of_parts
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.mapping.mentions import Mention
from cgstore.text.kinds import ValueKind
from cgstore.text.names import in_words

_HAVE = frozenset(["has", "have", "had"])


def compared(asked: Asked, is_truth: bool = False) -> Iterator[Reading]:
    """Which of two names has more, or whether the first one has; or how much more, where that is asked."""
    order = asked.orders[0]
    if "how" in asked.words[: order.place]:
        yield from _how_much_more(asked)
        return
    heads = [asked.graph.relations_of(mention.key).head for _, mention in asked.names]
    for by in _comparing(asked, heads):
        one, other = (Found(by.relation, "head", Named(mention.name)) for _, mention in asked.names)
        if is_truth and "or" not in asked.words:
            function, sign = "greater_than" if order.way == "max" else "less_than", ""
        else:
            function, sign = "compare", ">" if order.way == "max" else "<"
        yield Reading(Compared(function, one, other, sign), by.penalty, by.notes)


def _how_much_more(asked: Asked) -> Iterator[Reading]:
    """How much more the first of two names has: `how many more pages has A than B`, `how much older is A`."""
    order, (_, one), (_, other) = asked.orders[0], *asked.names
    if not order.is_comparative or "than" not in asked.words[order.place :]:
        return
    heads = [asked.graph.relations_of(mention.key).head for _, mention in asked.names]
    for by in _comparing(asked, heads):
        measure = next(each for each in asked.measures if each.relation == by.relation)
        if measure.kind == ValueKind.NUMBER:
            first, second = (one, other) if order.way == "max" else (other, one)
            values = [Found(by.relation, "head", Named(each.name)) for each in (first, second)]
            yield Reading(Subtracted(*values), by.penalty, by.notes)


def _comparing(asked: Asked, heads: list[tuple[str, ...]]) -> Iterator[By]:
    """The relation of numbers by which two names are compared, which both must have."""
    order = asked.orders[0]
    if asked.numeric:
        if all(asked.numeric[0].relation in each for each in heads):
            yield By(asked.numeric[0].relation)
        return
    shared = [relation for relation in order.measures if all(relation in each for each in heads)]
    if len(shared) == 1:
        yield by_word(asked.words[order.place], shared[0])


class Truths:
    """The readings of a question for yes or no."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._chains = asked, Chains(asked)

    def all(self) -> Iterator[Reading]:
        """The readings, each a set with `yes` or `no`."""
        asked = self._asked
        if "same" in asked.words:
            yield from have_same(asked) if len(asked.names) == 2 and not (asked.bounds or asked.orders) else ()
        elif asked.orders and not asked.bounds:
            if len(asked.names) == 2 and not asked.linking:
                yield from compared(asked, is_truth=True)
        elif len(asked.names) == 2 and asked.linking and not (asked.numeric or asked.bounds or asked.cover.unchecked):
            yield from self._facts()
        elif len(asked.names) == 2 and not (asked.cover.relations or asked.bounds or asked.cover.unchecked):
            yield from self._unsaid()
        elif len(asked.names) == 1:
            yield from self._of_one(*asked.names[0])

    def _facts(self) -> Iterator[Reading]:
        """Whether two names are linked by one relation, or by two with something between them."""
        one, other = self._asked.names
        by = [chunk for chunk in self._asked.linking if not chunk.mask and self._is_of_things_by(chunk)]
        small = [chunk for chunk in self._asked.linking if not chunk.mask and chunk not in by]
        if small or any(is_of_parts(chunk.relation) for chunk in self._asked.linking):
            return  # `is it in Norway` also asks what its places are in, see `reduction`
        if len(self._asked.linking) == 1 and (stated := self._turned(self._asked.linking[0])):
            yield stated
            return
        for start, end in ((one, other), (other, one)):
            for *inner, last in permutations(self._asked.linking):
                for chain in self._chains.chain(*start, inner) if inner else [Reading(Named(start[1].name), 0.0)]:
                    for side, penalty in self._chains.sides(last, *end):
                        if not inner and not self._may_stand(last, *start, side):
                            continue
                        things = Applied("exists", _linked(chain.things, last.relation, side, end[1].name))
                        said = _closed_world(one[1], last.relation, other[1])
                        yield Reading(things, chain.penalty + penalty, chain.notes, said)

    def _is_of_things_by(self, chunk: Chunk) -> bool:
        """Whether `by` says whose the things are that something is said of: `has Ann edited anything by Bo`."""
        words = self._asked.words
        return words[chunk.first] == "by" and words[chunk.first - 1] in ("anything", "something")

    def _turned(self, chunk: Chunk) -> Reading | None:
        """The fact in the direction that the words say, where the graph has the names only the other way round.

        It has no such fact, so that the answer is `no`; None if the graph may have it, or the words leave it open.
        """
        (one, first), (other, second) = self._asked.names
        if is_mutual(chunk.relation):
            return None
        said = [side_of_place(self._asked.question, chunk, place) for place in (one, other)]
        if sorted(said) != sorted(SIDES):
            return None  # a side is not said, or both names are on the same
        head, tail = (first, second) if said[0] == "head" else (second, first)
        around = [self._asked.graph.relations_of(each.key) for each in (head, tail)]
        if chunk.relation in around[0].head and chunk.relation in around[1].tail:
            return None
        if not all(chunk.relation in (*each.head, *each.tail) for each in around):
            return None
        stated = Applied("exists", Stated(head.name, chunk.relation, tail.name))
        return Reading(stated, 0.0, (), _closed_world(head, chunk.relation, tail))

    def _unsaid(self) -> Iterator[Reading]:
        """Whether the one relation that leads to the second name has the first: `is the skull from the Jurassic`."""
        (_, one), (end, other) = self._asked.names
        said = self._asked.words[self._asked.question.before(end)]
        around, numbers = self._asked.graph.relations_of, self._asked.graph.relations_of_numbers
        tails = [each for each in around(other.key).tail if each not in numbers]
        if self._asked.words[0] not in BE or said not in HAVING:
            return
        is_done = bool(tails) and is_participle(in_words(tails[0]).split()[0])  # who was born in York may have left it
        if len(tails) == 1 and tails[0] in around(one.key).head and not (is_of_parts(tails[0]) or is_done):
            note = f"'{said}' is taken for the relation '{tails[0]}'."
            stated = Applied("exists", Stated(one.name, tails[0], other.name))
            yield Reading(stated, TAKEN, (note,), _closed_world(one, tails[0], other))

    def _may_stand(self, chunk: Chunk, place: int, mention: Mention, other_side: str) -> bool:
        """Whether a name may stand on the side that the other name leaves."""
        around = self._asked.graph.relations_of(mention.key)
        if other_side == "both":
            return chunk.relation in (*around.head, *around.tail)
        own = SIDES[other_side == "head"]
        said = side_of_place(self._asked.question, chunk, place)
        return said in ("", own) and chunk.relation in getattr(around, own)

    def _of_one(self, place: int, mention: Mention) -> Iterator[Reading]:
        """Whether one name is of a kind, has a relation, or a number within bounds."""
        asked, name = self._asked, Named(mention.name)
        heads, kinds = asked.graph.relations_of(mention.key).head, asked.other_kinds + asked.head_kinds
        if len(asked.bounds) == 1 and not (asked.linking or kinds):
            numbers = Numbers(asked)
            for by in numbers.measure_of(asked.bounds[0]):
                if by.relation in heads:
                    things = together([name, Within(by.relation, numbers.signs_of(asked.bounds[0]))])
                    yield Reading(Applied("exists", things), by.penalty, by.notes)
        elif asked.bounds:
            return
        elif not (asked.linking or asked.numeric) and len(kinds) == 1:
            if any(relation in heads for relation, _ in kinds[0].nodes):
                yield Reading(Applied("exists", together([name, kind_set(kinds[0])])), 0.0)
        elif len(asked.linking) == 1 and not kinds and not _HAVE.isdisjoint(asked.words):
            for side, penalty in self._chains.sides(asked.linking[0], place, mention):
                yield Reading(Applied("exists", Found(asked.linking[0].relation, side, name)), penalty)


def _linked(things: Things, relation: str, side: str, name: str) -> Things:
    """Those things that a relation links with a name, which stands on a side of it."""
    if isinstance(things, Named) and side != "both":
        head, tail = (name, things.name) if side == "head" else (things.name, name)
        return Stated(head, relation, tail)
    return together([Found(relation, side, Named(name)), things])


def _closed_world(one: Mention, relation: str, other: Mention) -> str:
    what = f"'{one.name} | {relation} | {other.name}'"
    return f"'no' means that nothing in the data says so; what was looked for: {what}."
