"""What a question may ask, put together from its names, relations, kinds of things, bounds and superlatives.

The order of the words hardly counts ("floating", as in Pasupat and Liang 2015): names go to the relations next to them,
relations that are left lead on from there, and the graph must have the names on these sides. What the words say of a
side counts where they say it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from cgstore.llm.backends.rewrite.assemble.covers import Cover
from cgstore.llm.backends.rewrite.assemble.relations import PLACE_WORDS, Chunk, has_other_join, side_of_place
from cgstore.llm.backends.rewrite.assemble.sets import (
    Applied,
    Combined,
    Compared,
    Extreme,
    Found,
    Having,
    MostOf,
    Named,
    Things,
    Within,
    together,
)
from cgstore.llm.backends.rewrite.assemble.signals import Bound, KindChunk, Order, is_counted, is_head_noun
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, NEGATIONS, Question
from cgstore.llm.backends.rewrite.dimensions import Measure
from cgstore.llm.backends.rewrite.relation_words import in_words, is_mutual
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention

FAR = 0.02
"""Penalty for each word between a name and its relation."""

OPEN_SIDE = 0.1
"""Penalty for a side that the graph alone decides."""

OTHER_JOIN = 0.12
"""Penalty for a preposition that is not the relation's."""

TAKEN = 0.15
"""Penalty for a relation of numbers that the words do not name."""

_AT = frozenset(["in", "at", "on", "from"])
_NO_NUMBERS = frozenset(["who", "whom", "whose", "where"])
"""Words that ask for people and places."""
_FUNCTIONS = {"total": "sum", "sum": "sum", "average": "mean", "mean": "mean"}
_HAVING = frozenset(["has", "have", "had", "having", "with", "got", "of", "from"])
_OF_LIVING = frozenset(["young", "younger", "youngest", "elder", "eldest"])


@dataclass(frozen=True)
class Reading:
    """What a question may ask: a set, what it costs, and notes; `if_no` goes with the answer `no`."""

    things: Things
    penalty: float
    notes: tuple[str, ...] = ()
    if_no: str = ""


@dataclass(frozen=True)
class Asked:
    """A question with all that was read of its words."""

    question: Question
    graph: GraphView
    cover: Cover
    bounds: tuple[Bound, ...]
    orders: tuple[Order, ...]
    measures: tuple[Measure, ...]

    @property
    def names(self) -> list[tuple[int, Mention]]:
        """The names with their places."""
        question = self.question
        return [(place, question.slots[question.words[place]]) for place in question.name_places]

    @property
    def numeric(self) -> list[Chunk]:
        """The relations of numbers that it speaks of."""
        numbers = self.graph.relations_of_numbers
        return [chunk for chunk in self.cover.relations if chunk.relation in numbers]

    @property
    def linking(self) -> list[Chunk]:
        """The other relations that it speaks of."""
        numbers = self.graph.relations_of_numbers
        return [chunk for chunk in self.cover.relations if chunk.relation not in numbers]

    @property
    def is_truth(self) -> bool:
        """Whether it asks for yes or no."""
        return self.question.is_truth

    @property
    def is_denied(self) -> bool:
        return any(word in NEGATIONS for word in self.question.words)


def readings(asked: Asked) -> Iterator[Reading]:
    """What a question may ask, with what each reading costs."""
    for reading in _Reader(asked).all():
        other = OTHER_JOIN * sum(has_other_join(asked.question, chunk) for chunk in asked.cover.relations)
        yield Reading(reading.things, reading.penalty + asked.cover.penalty + other, reading.notes, reading.if_no)


class _Reader:
    """The readings of a question whose words are accounted for in one way."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._question, self._graph = asked, asked.question, asked.graph
        self._names, self._numeric, self._linking = asked.names, asked.numeric, _once(asked)
        self._words = asked.question.words
        self._head_kinds = [kind for kind in asked.cover.kinds if is_head_noun(self._question, kind.first)]

    def all(self) -> Iterator[Reading]:
        if len(self._names) > 2 or len(self._linking) > 3 or len(self._asked.orders) > 1:
            return
        if self._words[:3] == ("by", "how", "many") or self._words[:3] == ("by", "how", "much"):
            return
        if self._asked.is_truth or self._is_comparison():
            if not _FUNCTIONS.keys().isdisjoint(self._words):
                return
        if self._asked.is_truth:
            if not self._asked.is_denied:
                yield from self._truths()
        elif self._is_comparison():
            yield from self._compared(is_truth=False)
        else:
            yield from self._sets()

    # Sets

    def _sets(self) -> Iterator[Reading]:
        """The readings of a question that asks what or who something is."""
        value = self._value_chunk()
        function = next((_FUNCTIONS[word] for word in self._words if word in _FUNCTIONS), "")
        if function and (value is None or self._asked.orders):
            return
        for found in self._filtered():
            things, notes = found.things, found.notes
            if value is not None:
                if not _NO_NUMBERS.isdisjoint(self._words) or (self._head_kinds and not is_counted(self._question)):
                    continue
                things = Found(value.relation, "head", things)
                if function:
                    yield Reading(Applied(function, things), found.penalty, notes)
                    continue
            elif not self._may_be_answer(things):
                continue
            if is_counted(self._question):
                if value is not None and not self._is_numeric_head(value):
                    continue
                if value is None:
                    things = Applied("count", things)
            yield Reading(things, found.penalty, notes)

    def _is_numeric_head(self, value: Chunk) -> bool:
        return is_head_noun(self._question, value.first)

    def _value_chunk(self) -> Chunk | None:
        """The relation of numbers whose value is asked for: one that no bound and no superlative needs."""
        free = list(self._numeric)
        for _ in self._asked.bounds:
            if free:
                free.remove(min(free, key=lambda chunk: abs(chunk.first - self._asked.bounds[0].place)))
        order = self._asked.orders[0] if self._asked.orders else None
        if order and free and self._is_ordered_by(order, free):
            free.remove(min(free, key=lambda chunk: abs(chunk.first - order.place)))
        return free[0] if len(free) == 1 else None

    def _is_ordered_by(self, order: Order, chunks: Sequence[Chunk]) -> bool:
        return order.is_generic or any(chunk.relation in order.measures for chunk in chunks)

    def _may_be_answer(self, things: Things) -> bool:
        """Whether the question word fits: a place for `where`, a number for `when`, else none of these."""
        last = list(things.relations())[-1:]
        if any(word in self._words for word in ("when", "year", "date")) and not self._asked.bounds:
            return False
        if "how" in self._words and not is_counted(self._question):
            return False
        if "where" in self._words:
            return isinstance(things, Found) and things.side == "head" and bool(last) and self._is_of_place(last[0])
        return True

    def _is_of_place(self, relation: str) -> bool:
        words = in_words(relation).split()
        said = next((chunk for chunk in self._linking if chunk.relation == relation), None)
        by_other = bool(said and said.spoken.joins & _AT) or any(
            self._words[place] in PLACE_WORDS for chunk in self._linking for place in range(chunk.first, chunk.last + 1)
        )
        return words[-1] in _AT or not PLACE_WORDS.isdisjoint(words) or by_other

    def _filtered(self) -> Iterator[Reading]:
        """The sets that the question speaks of, with its bounds and superlatives."""
        for base in self._bases():
            for bounded in self._bounded(base):
                yield from self._ordered(bounded)

    def _bases(self) -> Iterator[Reading]:
        if self._asked.is_denied:
            yield from self._denied()
        elif self._names:
            yield from self._around_names(self._linking)
            yield from self._of_kind_alone()
        else:
            yield from self._without_names()

    def _around_names(self, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        """The sets that relations lead to from the names."""
        if len(self._names) == 1:
            place, mention = self._names[0]
            if len(chunks) == 2 and self._are_joined(*chunks):
                yield from self._either(place, mention, chunks)
                return
            for order in permutations(chunks):
                yield from self._chain(Reading(Named(mention.name), 0.0), place, mention, order)
            return
        (place, one), (behind, other) = self._names
        joint = set(self._words[place + 1 : behind])
        how = "union" if "or" in joint else "intersection"
        if len(chunks) == 1 and joint & {"and", "or"}:
            for first in self._chain(Reading(Named(one.name), 0.0), place, one, chunks, with_kinds=False):
                for second in self._chain(Reading(Named(other.name), 0.0), behind, other, chunks, with_kinds=False):
                    if first.things.side == second.things.side:  # type: ignore[attr-defined]
                        both = Combined(how, (first.things, second.things))
                        yield self._of_head_kind(
                            Reading(both, first.penalty + second.penalty, (*first.notes, *second.notes))
                        )
        elif len(chunks) == 2 and "or" not in joint:
            for near, far in (chunks, tuple(reversed(chunks))):
                for first in self._chain(Reading(Named(one.name), 0.0), place, one, [near], with_kinds=False):
                    for second in self._chain(Reading(Named(other.name), 0.0), behind, other, [far], with_kinds=False):
                        both = Combined("intersection", (first.things, second.things))
                        yield self._of_head_kind(
                            Reading(both, first.penalty + second.penalty, (*first.notes, *second.notes))
                        )

    def _of_kind_alone(self) -> Iterator[Reading]:
        """What a name has of a kind, where one relation alone links them: `how many ships does Kinch have`."""
        kinds = self._head_kinds
        if (
            len(self._names) != 1
            or self._linking
            or self._numeric
            or len(kinds) != 1
            or len(self._asked.cover.kinds) != 1
        ):
            return
        if _HAVING.isdisjoint(self._words) and not self._question.tokens[self._names[0][0]].is_owner:
            return
        mention = self._names[0][1]
        found = []
        for side in ("head", "tail"):
            other = "tail" if side == "head" else "head"
            for relation in getattr(self._graph.relations_of(mention.key), side):
                if relation not in self._graph.relations_of_numbers and self._stands(relation, other, kinds[0]):
                    found.append(Found(relation, side, Named(mention.name)))
        if len(found) == 1:
            note = f"What '{mention.name}' has of these is taken by the relation '{found[0].relation}'."
            yield Reading(together([found[0], kind_set(kinds[0])]), TAKEN, (note,))

    def _are_joined(self, one: Chunk, other: Chunk) -> bool:
        """Whether `and` or `or` joins two relations: `brothers and sisters`."""
        first, last = sorted((one, other), key=lambda chunk: chunk.first)
        return self._words[first.last + 1 : last.first] in (("and",), ("or",))

    def _either(self, place: int, mention: Mention, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        """What one of two relations leads to from a name."""
        start, (one, other) = Reading(Named(mention.name), 0.0), chunks
        for first in self._chain(start, place, mention, [one], with_kinds=False):
            for second in self._chain(start, place, mention, [other], with_kinds=False):
                both = Combined("union", (first.things, second.things))
                yield self._of_head_kind(Reading(both, first.penalty + second.penalty))

    def _chain(
        self, start: Reading, place: int, mention: Mention, chunks: Sequence[Chunk], with_kinds: bool = True
    ) -> Iterator[Reading]:
        """What relations lead to from a name, one after the other."""
        if not chunks:
            if self._numeric:
                yield start
            return
        first, *others = chunks
        for side, penalty in self._sides(first, place, mention):
            distance = self._distance(first, place)
            reading = Reading(Found(first.relation, side, start.things), start.penalty + penalty + FAR * distance)
            yield from self._onward(reading, first, others, with_kinds)

    def _onward(self, reading: Reading, behind: Chunk, chunks: Sequence[Chunk], with_kinds: bool) -> Iterator[Reading]:
        if not chunks:
            yield self._of_head_kind(reading) if with_kinds else reading
            return
        first, *others = chunks
        inner, kind_place = self._of_inner_kind(reading)
        place = kind_place if kind_place is not None else behind.first
        said = side_of_place(self._question, first, place)
        if first.relation in self._graph.relations_of_numbers:
            return
        for side in ("head", "tail"):
            penalty = 0.0 if side == said else OPEN_SIDE if not said else 3 * OPEN_SIDE
            found = Found(first.relation, side, inner.things)
            yield from self._onward(Reading(found, inner.penalty + penalty, inner.notes), first, others, with_kinds)

    def _distance(self, chunk: Chunk, place: int) -> int:
        """The words between a name and a relation, but those of grammar next to the name."""
        low, high = (chunk.last, place) if chunk.last < place else (place, chunk.first)
        between = self._words[low + 1 : high]
        bonus = -1 if chunk.last < place and "of" in between else 0
        return max(0, sum(word not in ARTICLES and word != "of" for word in between) + bonus) * 1 + (
            chunk.first > place
        )

    def _sides(self, chunk: Chunk, place: int, mention: Mention) -> Iterator[tuple[str, float]]:
        """The sides on which the graph has a name and the words may have it, each with its penalty."""
        around = self._graph.relations_of(mention.key)
        has = [side for side in ("head", "tail") if chunk.relation in getattr(around, side)]
        if chunk.relation in self._graph.relations_of_numbers:
            has = [side for side in has if side == "head"]
            if has:
                yield "head", 0.0
            return
        said = "" if is_mutual(chunk.relation) else side_of_place(self._question, chunk, place)
        if said:
            if said in has:
                yield said, 0.0
        elif is_mutual(chunk.relation):
            yield from ((side, 0.0) for side in (has if len(has) < 2 else ["both"]))
        elif len(has) == 1:
            yield has[0], OPEN_SIDE

    # Kinds of things

    def _of_head_kind(self, reading: Reading) -> Reading:
        """The set with only what is of the kind that is asked for."""
        if self._words[:1] == ("whose",):
            return reading  # `whose boat is the Otter Bay` asks who has this boat
        kinds = self._head_kinds or [kind for kind in self._asked.cover.kinds if not self._is_apposition(kind)]
        if not kinds or (self._value_chunk() is not None and not self._is_before_value(kinds[0])):
            return reading
        if kinds[0] in self._used_inside(reading):
            return reading
        things = together([reading.things, kind_set(kinds[0])])
        return Reading(things, reading.penalty, reading.notes)

    def _is_before_value(self, kind: KindChunk) -> bool:
        value = self._value_chunk()
        return value is not None and not is_head_noun(self._question, kind.first)

    def _used_inside(self, reading: Reading) -> list[KindChunk]:
        """The kinds that a set inside has been confined to already."""
        return [kind for kind in self._asked.cover.kinds if kind not in self._head_kinds and len(self._linking) > 1]

    def _of_inner_kind(self, reading: Reading) -> tuple[Reading, int | None]:
        """A set on the way, confined to a kind that is not what is asked for; and the place of the noun."""
        kinds = [
            kind for kind in self._asked.cover.kinds if kind not in self._head_kinds and not self._is_apposition(kind)
        ]
        if len(kinds) != 1:
            return reading, None
        things = together([reading.things, kind_set(kinds[0])])
        return Reading(things, reading.penalty, reading.notes), kinds[0].last

    def _is_apposition(self, kind: KindChunk) -> bool:
        """Whether a noun only says what the name behind it is: `the ship Otter Bay`."""
        return any(self._question.before(place) == kind.last and place == kind.last + 1 for place, _ in self._names)

    # Without a name

    def _without_names(self) -> Iterator[Reading]:
        """All things of a kind; with a superlative also what they lead to."""
        kinds = self._asked.cover.kinds
        if not self._linking and len(kinds) == 1:
            yield Reading(kind_set(kinds[0]), 0.0)
        elif not self._linking and not kinds and self._numeric and (self._asked.bounds or self._asked.orders):
            yield Reading(Having(self._numeric[0].relation, "head"), OPEN_SIDE)
        elif len(self._linking) == 1 and not kinds and self._is_noun(self._linking[0]) and not self._numeric:
            chunk = self._linking[0]
            side = "head" if chunk.spoken.inverse and not chunk.spoken.is_verb else "tail"
            note = f"All that stand as {side} of '{chunk.relation}' are taken for '{self._words[chunk.last]}'."
            yield Reading(Having(chunk.relation, side), OPEN_SIDE, (note,))

    def _is_noun(self, chunk: Chunk) -> bool:
        return is_head_noun(self._question, chunk.first) and chunk.spoken.inverse is not None

    def _denied(self) -> Iterator[Reading]:
        """Things of a kind without what is denied of them."""
        kinds = self._head_kinds
        others = [kind for kind in self._asked.cover.kinds if kind not in kinds]
        if (
            len(kinds) == len(others) == 1
            and not (self._linking or self._names)
            and not _HAVING.isdisjoint(self._words)
        ):
            yield from self._without_any(kinds[0], others[0])
        if len(kinds) != 1 or len(others) > 1 or len(self._linking) != 1:
            return
        chunk, every = self._linking[0], kind_set(kinds[0])
        if not self._names:
            side = self._side_of_kind(chunk, kinds[0])
            if side:
                other = "tail" if side == "head" else "head"
                having = Found(chunk.relation, other, kind_set(others[0])) if others else Having(chunk.relation, side)
                yield Reading(Combined("difference", (every, having)), 0.0, (_denial(chunk),))
        elif len(self._names) == 1 and not others:
            place, mention = self._names[0]
            for side, penalty in self._sides(chunk, place, mention):
                having = Found(chunk.relation, side, Named(mention.name))
                yield Reading(Combined("difference", (every, having)), penalty, (_denial(chunk),))

    def _without_any(self, kind: KindChunk, other: KindChunk) -> Iterator[Reading]:
        """Things of a kind that none of another kind is linked with, by the one relation that links such things."""
        numbers = self._graph.relations_of_numbers
        found = []
        for relation in self._graph.relations:
            if relation in numbers or relation in {each for each, _ in (*kind.nodes, *other.nodes)}:
                continue
            for side, far in (("head", "tail"), ("tail", "head")):
                if self._stands(relation, side, kind) and self._stands(relation, far, other):
                    found.append((relation, far))
        if len(found) == 1:
            relation, far = found[0]
            every = kind_set(kind)
            note = f"What these have is taken by the relation '{relation}'; the data may not be complete."
            yield Reading(Combined("difference", (every, Found(relation, far, kind_set(other)))), TAKEN, (note,))

    def _side_of_kind(self, chunk: Chunk, kind: KindChunk) -> str:
        """The side of a relation on which things of a kind stand, as far as examples tell; empty if on both or none."""
        sides = [side for side in ("head", "tail") if self._stands(chunk.relation, side, kind)]
        return sides[0] if len(sides) == 1 else ""

    def _stands(self, relation: str, side: str, kind: KindChunk) -> bool:
        graph = self._graph
        heads = graph.heads_of(relation)
        ends = graph.links(heads)
        if side == "head":
            own = [link for links in ends.values() for link in links if link.as_head]
            return any(link.relation == r and node in link.ends for link in own for r, node in kind.nodes)
        tails = {
            end
            for links in ends.values()
            for link in links
            if link.as_head and link.relation == relation
            for end in link.ends
        }
        mentions = [m for m in graph.possible_mentions(", ".join(sorted(tails)[:10])) if m.name in tails]
        found = graph.links([mention.key for mention in mentions])
        return any(
            link.as_head and link.relation == r and node in link.ends
            for links in found.values()
            for link in links
            for r, node in kind.nodes
        )

    # Bounds and superlatives

    def _bounded(self, base: Reading) -> Iterator[Reading]:
        """A set within the bounds that the question gives."""
        if not self._asked.bounds:
            yield base
            return
        if len(self._asked.bounds) > 1 or isinstance(base.things, Named):
            return
        bound = self._asked.bounds[0]
        for relation, notes, penalty in self._measure_of(bound, base):
            within = Within(relation, self._compared_signs(bound))
            things = within if isinstance(base.things, Having) else together([base.things, within])
            yield Reading(things, base.penalty + penalty, (*base.notes, *notes))

    def _compared_signs(self, bound: Bound) -> tuple[tuple[str, str], ...]:
        """The signs of a bound; an adjective before it turns `=` into more or less: `longer than 90`."""
        before = self._words[bound.place - 1] if bound.place else ""
        comparing = [order for order in self._asked.orders if order.is_comparative]
        if before != "than" or not comparing or [sign for sign, _ in bound.signs] != ["="]:
            return bound.signs
        return ((">" if comparing[0].way == "max" else "<", bound.signs[0][1]),)

    def _measure_of(self, bound: Bound, base: Reading) -> Iterator[tuple[str, tuple[str, ...], float]]:
        """The relation of numbers that a bound is said of."""
        if self._numeric:
            near = min(self._numeric, key=lambda chunk: abs(chunk.first - bound.place))
            yield near.relation, (), 0.0
            return
        fitting = [m for m in self._asked.measures if bound.is_time is None or m.is_time == bound.is_time]
        comparing = [order for order in self._asked.orders if order.is_comparative]
        if comparing:
            fitting = [m for m in fitting if m.relation in comparing[0].measures]
        if len(fitting) == 1 and (comparing or bound.is_time):
            yield fitting[0].relation, (f"The number is taken by the relation '{fitting[0].relation}'.",), TAKEN

    def _ordered(self, base: Reading) -> Iterator[Reading]:
        """The first or last of a set by the superlative of the question, and what that leads to."""
        orders = [order for order in self._asked.orders if not (self._asked.bounds and order.is_comparative)]
        if not orders:
            yield base
            return
        order = orders[0]
        if order.is_comparative or isinstance(base.things, Named):
            return
        for relation, notes, penalty in self._ordering(order):
            of = None if isinstance(base.things, Having) else base.things
            yield Reading(Extreme(of, relation, order.way), base.penalty + penalty, (*base.notes, *notes))

    def _ordering(self, order: Order) -> Iterator[tuple[str, tuple[str, ...], float]]:
        """The relation of numbers by which a superlative orders."""
        named = [chunk for chunk in self._numeric if order.is_generic or chunk.relation in order.measures]
        named = named or [chunk for chunk in self._numeric if chunk is not self._value_chunk()]
        if named:
            yield min(named, key=lambda chunk: abs(chunk.first - order.place)).relation, (), 0.0
            return
        fitting = [relation for relation in order.measures if self._has_kind(relation)]
        word = self._words[order.place]
        if word in _OF_LIVING and len(fitting) > 1:
            living = {measure.relation for measure in self._asked.measures if measure.is_of_the_living}
            fitting = [relation for relation in fitting if relation in living]
        if len(fitting) == 1:
            yield fitting[0], (f"'{word}' is taken by the relation '{fitting[0]}'.",), TAKEN

    def _has_kind(self, relation: str) -> bool:
        kinds = self._asked.cover.kinds
        return not kinds or self._stands(relation, "head", kinds[0])

    # Comparisons and yes or no

    def _is_comparison(self) -> bool:
        return len(self._names) == 2 and len(self._asked.orders) == 1 and not self._linking

    def _compared(self, is_truth: bool) -> Iterator[Reading]:
        """Which of two names has more, or whether the first has."""
        order = self._asked.orders[0]
        for relation, notes, penalty in self._comparing(order):
            around = [self._graph.relations_of(mention.key).head for _, mention in self._names]
            if not all(relation in each for each in around):
                continue
            one, other = (Found(relation, "head", Named(mention.name)) for _, mention in self._names)
            if is_truth and "or" not in self._words:
                function = "greater_than" if order.way == "max" else "less_than"
                yield Reading(Compared(function, one, other), penalty, notes)
            else:
                yield Reading(Compared("compare", one, other, ">" if order.way == "max" else "<"), penalty, notes)

    def _comparing(self, order: Order) -> Iterator[tuple[str, tuple[str, ...], float]]:
        if self._numeric:
            yield self._numeric[0].relation, (), 0.0
            return
        shared = [
            relation
            for relation in order.measures
            if all(relation in self._graph.relations_of(mention.key).head for _, mention in self._names)
        ]
        if len(shared) == 1:
            yield shared[0], (f"'{self._words[order.place]}' is taken by the relation '{shared[0]}'.",), TAKEN

    def _truths(self) -> Iterator[Reading]:
        """The readings of a question for yes or no."""
        if self._asked.orders:
            if len(self._names) == 2 and not self._linking:
                yield from self._compared(is_truth=True)
            return
        if len(self._names) == 2 and not (self._numeric or self._asked.bounds or self._asked.cover.unchecked):
            yield from self._facts()
        elif len(self._names) == 1:
            yield from self._whether_of_one()

    def _facts(self) -> Iterator[Reading]:
        """Whether two names are linked by one relation, or by two with something between them."""
        (place, one), (behind, other) = self._names
        if not self._linking:
            return
        for start, end, at, until in ((one, other, place, behind), (other, one, behind, place)):
            for order in permutations(self._linking):
                *first, last = order
                for chain in (
                    self._chain(Reading(Named(start.name), 0.0), at, start, first, False)
                    if first
                    else [Reading(Named(start.name), 0.0)]
                ):
                    for side, penalty in self._sides(last, until, end):
                        if not first and not self._may_stand(last, at, start, side):
                            continue
                        found = Found(last.relation, side, Named(end.name))
                        things = Applied("exists", together([found, chain.things]))
                        yield Reading(things, chain.penalty + penalty, chain.notes, _closed_world(one, last, other))

    def _may_stand(self, chunk: Chunk, place: int, mention: Mention, other_side: str) -> bool:
        """Whether a name may stand on the side that the other name leaves."""
        own = "head" if other_side == "tail" else "tail"
        said = side_of_place(self._question, chunk, place)
        return said in ("", own) and chunk.relation in getattr(self._graph.relations_of(mention.key), own)

    def _whether_of_one(self) -> Iterator[Reading]:
        """Whether one name is of a kind, has a relation, or a number within bounds."""
        place, mention = self._names[0]
        kinds = self._asked.cover.kinds
        if self._asked.bounds and len(self._asked.bounds) == 1 and not self._linking and not kinds:
            bound = self._asked.bounds[0]
            for relation, notes, penalty in self._measure_of(bound, Reading(Named(mention.name), 0.0)):
                if relation in self._graph.relations_of(mention.key).head:
                    things = together([Named(mention.name), Within(relation, bound.signs)])
                    yield Reading(Applied("exists", things), penalty, notes)
        elif not self._linking and not self._numeric and len(kinds) == 1:
            things = together([Named(mention.name), kind_set(kinds[0])])
            if any(relation in self._graph.relations_of(mention.key).head for relation, _ in kinds[0].nodes):
                yield Reading(Applied("exists", things), 0.0)
        elif len(self._linking) == 1 and not kinds and any(word in self._words for word in ("has", "have", "had")):
            for side, penalty in self._sides(self._linking[0], place, mention):
                yield Reading(Applied("exists", Found(self._linking[0].relation, side, Named(mention.name))), penalty)


def _once(asked: Asked) -> list[Chunk]:
    """The relations, without a noun of what is asked for that says the same one as a verb: `properties belonged to`."""
    chunks = asked.linking
    verbs = {chunk.relation for chunk in chunks if not is_head_noun(asked.question, chunk.first)}
    return [c for c in chunks if not (is_head_noun(asked.question, c.first) and c.relation in verbs)]


def kind_set(kind: KindChunk) -> Things:
    """All things of a kind."""
    sets = tuple(Found(relation, "tail", Named(node)) for relation, node in kind.nodes)
    return sets[0] if len(sets) == 1 else Combined("union", sets)


def most_of(asked: Asked) -> Iterator[Reading]:
    """Who or what most, or fewest, things have a relation with: `which yard built the most ships`."""
    reader = _Reader(asked)
    yield from _most_of(reader, asked)


def _most_of(reader: _Reader, asked: Asked) -> Iterator[Reading]:
    orders = [order for order in asked.orders if order.is_generic and not order.is_comparative]
    if len(orders) != 1 or asked.names or asked.numeric or len(asked.linking) != 1 or asked.bounds or asked.is_denied:
        return
    heads = [kind for kind in asked.cover.kinds if is_head_noun(asked.question, kind.first)]
    counted = [kind for kind in asked.cover.kinds if kind not in heads]
    chunk = asked.linking[0]
    if len(heads) == 1 and len(counted) <= 1:
        side = reader._side_of_kind(chunk, heads[0])
        if side:
            what = kind_set(counted[0]) if counted else None
            every = kind_set(heads[0])
            things = MostOf(every, chunk.relation, side, orders[0].way, what)
            yield Reading(Combined("intersection", (every, things)), asked.cover.penalty)


def _denial(chunk: Chunk) -> str:
    return f"The data have no '{chunk.relation}' of these that says otherwise; they may not be complete."


def _closed_world(one: Mention, chunk: Chunk, other: Mention) -> str:
    what = f"'{one.name} | {chunk.relation} | {other.name}'"
    return f"'no' means that nothing in the data says so; what was looked for: {what}."
