"""A question with all that was read of its words, and what it may ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from cgstore.llm.backends.rewrite.assemble.covers import Cover
from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.sets import Things
from cgstore.llm.backends.rewrite.assemble.signals import Bound, KindChunk, Order, is_head_noun
from cgstore.llm.backends.rewrite.assemble.slots import Slots
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, BE, NEGATIONS, Question
from cgstore.llm.backends.rewrite.dimensions import Measure
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention

CLOSE = 0.06
"""Readings that cost so little more than the best one must have the same answer."""

FAR = 0.02
"""Penalty for each word between a name and its relation."""

OPEN_SIDE = 0.1
"""Penalty for a side that the graph alone decides."""

OTHER_JOIN = 0.12
"""Penalty for a preposition that is not the relation's."""

TAKEN = 0.15
"""Penalty for a relation that the words do not name."""

HAVING = frozenset(["has", "have", "had", "having", "with", "get", "gets", "got", "of", "from", "in", "at", "on"])
"""Words that say that something has something, by whatever relation."""


RELATIVE = frozenset(["who", "whom", "that", "which"])
"""Words that open a relative clause."""


@dataclass(frozen=True)
class Reading:
    """What a question may ask: a set, what it costs, and notes; `if_no` goes with the answer `no`."""

    things: Things
    penalty: float
    notes: tuple[str, ...] = ()
    if_no: str = ""


@dataclass(frozen=True)
class Asked:
    """A question with all that was read of its words, which are accounted for in one way (`cover`)."""

    question: Question
    slots: Slots
    cover: Cover
    bounds: tuple[Bound, ...]
    orders: tuple[Order, ...]
    measures: tuple[Measure, ...]

    @property
    def graph(self) -> GraphView:
        """What is asked."""
        return self.slots.graph

    @property
    def words(self) -> tuple[str, ...]:
        return self.question.words

    @cached_property
    def names(self) -> list[tuple[int, Mention]]:
        """The names with their places."""
        return [(place, self.question.slots[self.words[place]]) for place in self.question.name_places]

    @cached_property
    def numeric(self) -> list[Chunk]:
        """The relations of numbers that it speaks of."""
        numbers = self.graph.relations_of_numbers
        return [chunk for chunk in self.cover.relations if chunk.relation in numbers]

    @cached_property
    def linking(self) -> list[Chunk]:
        """The other relations that it speaks of.

        A noun of what is asked for that says the same one as a verb is left out: `which properties belonged to ...`;
        but not the noun of a name: `the director of M also directed ...`.
        """
        numbers = self.graph.relations_of_numbers
        chunks = [chunk for chunk in self.cover.relations if chunk.relation not in numbers]
        nouns = [chunk for chunk in chunks if is_head_noun(self.question, chunk.first)]
        verbs = [chunk for chunk in chunks if chunk not in nouns]
        return [
            chunk
            for chunk in chunks
            if chunk not in nouns or self._has_name(chunk) or not any(chunk.relation == verb.relation for verb in verbs)
        ]

    def _has_name(self, chunk: Chunk) -> bool:
        """Whether a noun stands before `of` and a name."""
        behind = self.question.tokens[chunk.last + 1 : chunk.last + 3]
        return len(behind) == 2 and behind[0].text == "of" and behind[1].is_name

    @cached_property
    def head_kinds(self) -> list[KindChunk]:
        """The kinds of things that are asked for."""
        return [kind for kind in self.cover.kinds if is_head_noun(self.question, kind.first)]

    @cached_property
    def other_kinds(self) -> list[KindChunk]:
        """The kinds of things on the way; not those that say what a name is: `the ship Otter Bay`."""
        return [kind for kind in self.cover.kinds if kind not in self.head_kinds and not self._is_apposition(kind)]

    def _is_apposition(self, kind: KindChunk) -> bool:
        return any(
            (place == kind.last + 1 and self.slots.is_of(mention.key, kind))
            or (place == kind.first - 1 and not self.is_with(place, kind))
            for place, mention in self.names
        )

    @cached_property
    def modified(self) -> tuple[int, KindChunk] | None:
        """A name before the noun for what is asked for, by its place, and this noun: `which Parallax Radio shows`."""
        for place, _ in self.names:
            for kind in self.cover.kinds:
                is_before = place == kind.first - 1 and not self.question.tokens[place].is_owner
                if is_before and is_head_noun(self.question, place):
                    return place, kind
        return None

    def is_time(self, relation: str) -> bool:
        """Whether a relation has times."""
        return any(each.is_time for each in self.measures if each.relation == relation)

    def is_with(self, place: int, kind: KindChunk) -> bool:
        """Whether a kind behind a name is not what that is, but what has it: `Ann's ferry`, `the cardiology ward`."""
        is_of_kind = self.slots.is_of(self.question.slots[self.words[place]].key, kind)
        ordering = sum(order.mask for order in self.orders)  # `Ann's first ferry`
        is_before = place < kind.first and all(ordering >> each & 1 for each in range(place + 1, kind.first))
        return is_before and (self.question.tokens[place].is_owner or not is_of_kind)

    def has_clause(self, kind: KindChunk) -> bool:
        """Whether a relative clause of small words links a kind with the name: `the book that got the prize`."""
        behind = self.question.tokens[kind.last + 1 :]
        said = [token.text for token in behind if not token.is_name]
        is_small = len(said) < len(behind) and all(word in RELATIVE | HAVING | BE | ARTICLES for word in said)
        return is_small and behind[0].text in RELATIVE

    @property
    def is_denied(self) -> bool:
        """Whether something is not so."""
        return not NEGATIONS.isdisjoint(self.words)

    @cached_property
    def value(self) -> Chunk | None:
        """The relation of numbers whose value is asked for: one that no bound and no superlative needs."""
        free = list(self.numeric)
        for bound in self.bounds:
            if free:
                free.remove(_nearest(free, bound.place))
        asks_number = not {"when", "how"}.isdisjoint(self.words[:1])
        for order in self.orders:
            if (
                free
                and not asks_number
                and (order.is_generic or any(chunk.relation in order.measures for chunk in free))
            ):
                free.remove(_nearest(free, order.place))
        return free[0] if len({chunk.relation for chunk in free}) == 1 else None


def _nearest(chunks: Sequence[Chunk], place: int) -> Chunk:
    return min(chunks, key=lambda chunk: abs(chunk.first - place))
