"""Where relations lead to from the names of a question, one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from cgstore.llm.backends.rewrite.asked_kinds import kind_relations
from cgstore.llm.backends.rewrite.assemble.asked import FAR, HAVING, OPEN_SIDE, RELATIVE, TAKEN, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.kinds import confined, is_of_kind, slot_of
from cgstore.llm.backends.rewrite.assemble.making import (
    clause_of_somebody,
    is_made,
    is_only,
    kind_of_name,
    made_in,
    makers_of,
    makes,
    says_deed,
)
from cgstore.llm.backends.rewrite.assemble.nearness import NEAR
from cgstore.llm.backends.rewrite.assemble.places import Places
from cgstore.llm.backends.rewrite.assemble.relations import OTHER, Chunk, is_own_noun
from cgstore.llm.backends.rewrite.assemble.sets import SIDES, Combined, Found, Named
from cgstore.llm.backends.rewrite.assemble.sides import side_of_place
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, is_counted, is_head_noun
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, BE, is_participle
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.mapping.mentions import Mention
from cgstore.text.names import in_words

_ASKS_WHO = re.compile(r"who(?! did| does| do)|by whom")
_AUXILIARIES = frozenset(["has", "have", "had", "also"])


class Chains:
    """The sets that the relations of a question lead to from its names."""

    def __init__(self, asked: Asked) -> None:
        self._asked, self._graph, self._slots = asked, asked.graph, asked.slots

    def all(self) -> Iterator[Reading]:
        """The sets that all names and relations of the question speak of."""
        names = self._asked.names
        if len(names) == 1:
            own = list(self._of_kind_alone(names[0][1]))
            yield from own or self._from_one(*names[0], self._asked.linking)
        elif len(names) == 2:
            yield from self._from_two(names[0], names[1], self._asked.linking)

    def _from_one(self, place: int, mention: Mention, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        if len(chunks) == 2 and self._are_joined(*chunks):
            for first in self.chain(place, mention, chunks[:1]):
                for second in self.chain(place, mention, chunks[1:]):
                    yield from self._both("union", first, second)
            return
        yield from self._of_owned(place, mention, chunks) if chunks else ()
        for order in permutations(chunks):
            if any(_is_between(each, order[0], place) for each in order[1:]):
                continue  # `who directed the films starred by Ann` does not ask for films that she directed
            if len(order) > 1 and self._is_subject(order[-1], order[-2]):
                continue  # `which beer was founded by Ann` does not ask for the beers of what she founded
            found = self.chain(place, mention, order)
            yield from self._of_head_kind(found) if order else found

    def _is_subject(self, noun: Chunk, verb: Chunk) -> bool:
        """Whether a noun of what is asked for is the subject of the verb of another relation."""
        between = self._asked.words[noun.last + 1 : verb.first]
        return (
            noun.relation != verb.relation
            and noun.last < verb.first
            and is_head_noun(self._asked.question, noun.first)
            and all(word in BE or word in _AUXILIARIES for word in between)
        )

    def _are_joined(self, one: Chunk, other: Chunk) -> bool:
        """Whether `and` or `or` joins two relations: `brothers and sisters`."""
        first, last = sorted((one, other), key=lambda chunk: chunk.first)
        return self._asked.words[first.last + 1 : last.first] in (("and",), ("or",))

    def _from_two(
        self, one: tuple[int, Mention], other: tuple[int, Mention], chunks: Sequence[Chunk]
    ) -> Iterator[Reading]:
        """What two names have in common, or what either has: by one relation, or each by its own."""
        if self._asked.modified:
            yield from self._of_modified(*self._asked.modified, chunks)
            return
        joint = set(self._asked.words[one[0] + 1 : other[0]])
        if len(chunks) == 1 and joint & {"and", "or"}:
            for first in self.chain(*one, chunks):
                for second in self.chain(*other, chunks):
                    if _side(first) == _side(second):
                        yield from self._both("union" if "or" in joint else "intersection", first, second)
        elif len(chunks) == 2 and "or" not in joint:
            for near, far in permutations(chunks):
                for first in self.chain(*one, [near]):
                    for second in self.chain(*other, [far]):
                        yield from self._both("intersection", first, second)

    def _of_modified(self, place: int, kind: KindChunk, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        """What one name has of a kind that another name tells: `which Parallax Radio shows won the prize`."""
        (_, own), (other, mention) = sorted(self._asked.names, key=lambda each: each[0] != place)
        if chunks or not HAVING.isdisjoint(self._asked.words):
            for one in self.linked_with(own, kind):
                for far in self.chain(other, mention, chunks) if chunks else self.linked_with(mention, kind):
                    if self._slots.may_meet(slot_of(one.things), slot_of(far.things)):
                        both = Combined("intersection", (far.things, one.things))
                        yield Reading(both, one.penalty + far.penalty, (*one.notes, *far.notes))

    def of_modified_kind(self) -> Iterator[tuple[Reading, KindChunk]]:
        """All things of a kind that the only name tells: `Parallax Radio shows`."""
        if self._asked.modified and len(self._asked.names) == 1:
            kind = self._asked.modified[1]
            yield from ((each, kind) for each in self.linked_with(self._asked.names[0][1], kind))

    def _both(self, how: str, one: Reading, other: Reading) -> Iterator[Reading]:
        """The union or intersection of two sets, of the kind that is asked for."""
        if how == "union" or self._slots.may_meet(slot_of(one.things), slot_of(other.things)):
            both = Combined(how, (one.things, other.things))
            yield from self._of_head_kind([Reading(both, one.penalty + other.penalty, (*one.notes, *other.notes))])

    def _of_kind_alone(self, mention: Mention) -> Iterator[Reading]:
        """What a name has of a kind, where one relation alone links them: `how many ships does Kinch have`."""
        asked, kinds = self._asked, self._asked.head_kinds + self._asked.other_kinds
        if not (asked.cover.kinds or asked.linking or asked.numeric) and _ASKS_WHO.match(" ".join(asked.words)):
            own = kind_of_name(mention, self._graph)
            if made_in(asked.question) and (makers := makers_of(self._graph, own)).nodes:
                yield from self.linked_with(mention, makers, lambda each: is_only(asked, each, makers, own))
            return
        if len(asked.cover.kinds) == 1 and not asked.linking and _asks_kind(asked.words):
            around = self._graph.relations_of(mention.key).head
            said = dict.fromkeys(relation for relation, _ in asked.cover.kinds[0].nodes if relation in around)
            yield from (Reading(Found(each, "head", Named(mention.name)), 0.0) for each in said)
            return
        if asked.linking or len(kinds) != 1 or len(asked.cover.kinds) != 1:
            return
        if asked.cover.unchecked and not asked.head_kinds:
            return  # `the boss of the park where it is` is not this park
        if is_made(asked):
            yield from self.made_by(mention, kinds[0])
        elif (
            not HAVING.isdisjoint(asked.words) or asked.is_with(asked.names[0][0], kinds[0]) or self._is_state(mention)
        ):
            yield from self.linked_with(mention, kinds[0])

    def _is_state(self, mention: Mention) -> bool:
        """Whether a value in lower case is what things are said to be: `which pigments are blue`."""
        before = self._asked.question.before(self._asked.names[0][0])
        return mention.text.islower() and before >= 0 and self._asked.words[before] in BE

    def made_by(self, mention: Mention, kind: KindChunk) -> Iterator[Reading]:
        """What a name made of a kind, by the one relation that links them, if it says so."""
        return self.linked_with(mention, kind, lambda each: makes(self._asked, each, mention, kind))

    def linked_with(
        self, mention: Mention, kind: KindChunk, fits: Callable[[str], bool] | None = None
    ) -> Iterator[Reading]:
        """What the one relation that links a name with things of a kind leads to, if it `fits`."""
        around, numbers = self._graph.relations_of(mention.key), self._graph.relations_of_numbers
        found = [
            Found(relation, side, Named(mention.name))
            for side, other in (SIDES, SIDES[::-1])
            for relation in getattr(around, side)
            if relation not in numbers and is_of_kind(self._slots, relation, other, kind)
        ]
        if fits and not (len(found) == 1 and fits(found[0].relation)):
            return
        if len(found) == 1 and (things := confined(self._slots, found[0], kind)):
            note = f"What '{mention.name}' has of these is taken by the relation '{found[0].relation}'."
            yield Reading(things, TAKEN, (note,))
        elif not found:
            yield from Places(self._asked).of_places_in(mention, kind)

    def _of_owned(self, place: int, mention: Mention, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        """What relations lead to from what a name has of a kind: `where is Ann's shop`, `the cardiology ward`."""
        asked = self._asked
        owned = [kind for kind in asked.other_kinds if asked.is_with(place, kind) or asked.has_clause(kind)]
        around = self._graph.relations_of(mention.key)
        if not owned or any(chunk.relation in (*around.head, *around.tail) for chunk in chunks):
            return
        for start in self.linked_with(mention, owned[0]):
            for order in permutations(chunks):
                yield from self.onward(start, owned[0].last, order)

    def chain(self, place: int, mention: Mention, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        """What relations lead to from a name, one after the other; without any, the name if its number is asked for."""
        if not chunks:
            if self._asked.numeric:
                yield from self._having_number(mention)
            return
        first, *others = chunks
        for side, penalty in self.sides(first, place, mention):
            found = Found(first.relation, side, Named(mention.name))
            start = Reading(found, penalty + FAR * self._distance(first, place))
            yield from self.onward(start, self._antecedent(first), others)
        for start in Places(self._asked).around(first, mention):
            yield from self.onward(start, self._antecedent(first), others)

    def _antecedent(self, chunk: Chunk) -> int:
        """The place of the noun that a relative clause belongs to: `the person who trained ...`; else the verb's."""
        words, place = self._asked.words, chunk.first - 1
        while place > 0 and (
            words[place] in BE or words[place] in _AUXILIARIES or self._asked.question.tokens[place].is_name
        ):
            place -= 1
        return place - 1 if place > 1 and words[place] in RELATIVE else chunk.first

    def _having_number(self, mention: Mention) -> Iterator[Reading]:
        """The name whose number is asked for; where only what belongs to it has one, that: `the beds of a wing`."""
        asked, around, numbers = self._asked, self._graph.relations_of(mention.key), self._graph.relations_of_numbers
        if asked.value is None or asked.value.relation in around.head or not is_counted(asked.question):
            yield Reading(Named(mention.name), 0.0)
            return
        having = self._slots.things.get((asked.value.relation, "head"), frozenset())
        found = [
            Found(relation, side, Named(mention.name))
            for side, other in (SIDES, SIDES[::-1])
            for relation in getattr(around, side)
            if relation not in numbers and not having.isdisjoint(self._slots.things.get((relation, other), ()))
        ]
        if len(found) == 1:
            note = f"What belongs to '{mention.name}' is taken by the relation '{found[0].relation}'."
            yield Reading(found[0], TAKEN, (note,))

    def onward(self, reading: Reading, behind: int, chunks: Sequence[Chunk]) -> Iterator[Reading]:
        """What relations lead to from a set, which the question speaks of at a place."""
        if not chunks:
            yield reading
            return
        first, *others = chunks
        for inner, place in self._of_inner_kind(reading, behind):
            said, slot = side_of_place(self._asked.question, first, place), slot_of(inner.things)
            if not said and first.spoken.inverse is not None and is_head_noun(self._asked.question, first.first):
                is_agent = first.spoken.is_verb and is_participle(in_words(first.relation).split()[0])
                said = "tail" if first.spoken.inverse and not is_agent else "head"  # it names what is asked for
            for side in SIDES:
                is_asked = side == "head" or not self._names_asked(first)
                if not (is_asked and self._slots.may_meet(slot, (first.relation, side))):
                    continue
                penalty = 0.0 if side == said else OPEN_SIDE if not said else 3 * OPEN_SIDE
                found = Found(first.relation, side, inner.things)
                yield from self.onward(
                    replace(inner, things=found, penalty=inner.penalty + penalty), first.first, others
                )

    def _distance(self, chunk: Chunk, place: int) -> int:
        """The words between a name and a relation, but those of grammar; `of` binds more than what stands behind."""
        low, high = (chunk.last, place) if chunk.last < place else (place, chunk.first)
        between = self._asked.words[low + 1 : high]
        words = sum(word not in ARTICLES and word != "of" for word in between)
        is_of = chunk.last < place and "of" in between
        return max(0, words - is_of) + (chunk.first > place)

    def sides(self, chunk: Chunk, place: int, mention: Mention) -> Iterator[tuple[str, float]]:
        """The sides on which the graph has a name and the words may have it, each with its penalty."""
        around = self._graph.relations_of(mention.key)
        may_have = SIDES[:1] if self._names_asked(chunk) and not is_mutual(chunk.relation) else SIDES
        has = [side for side in may_have if chunk.relation in getattr(around, side)]
        if is_mutual(chunk.relation):
            yield from ((side, 0.0) for side in (has if len(has) < 2 else ["both"]))
        elif said := side_of_place(self._asked.question, chunk, place):
            yield from ((side, 0.0) for side in has if side == said)
            if len(has) == 1 and said not in has and self._has_one_direction(chunk):
                yield has[0], 3 * OPEN_SIDE
        elif len(has) == 1 and (has[0] == "head" or not self._is_of(chunk, place)):
            yield has[0], OPEN_SIDE

    def _is_of(self, chunk: Chunk, place: int) -> bool:
        """Whether words near to a relation are said to be a name's: nobody's `email address` has him as `contact`.

        What is done by somebody may be: the ships `captained by` her are under her command.
        """
        words = self._asked.words
        if in_words(chunk.relation).endswith(" by"):
            return False
        is_owner = self._asked.question.tokens[place].is_owner and place < chunk.first
        return chunk.quality <= NEAR and (is_owner or (chunk.last < place and "of" in words[chunk.last : place]))

    def _names_asked(self, chunk: Chunk) -> bool:
        """Whether a relation's own noun is what is asked for: `which enclosure` asks for its tails, for no animal."""
        asked = self._asked
        is_asked = is_head_noun(asked.question, chunk.first) and asked.words[0] != "whose"
        return is_asked and is_own_noun(chunk) and chunk.spoken.inverse is not None

    def _has_one_direction(self, chunk: Chunk) -> bool:
        """Whether other words for a relation have the direction of the graph: nothing stands on both of its sides."""
        sides = [(chunk.relation, side) for side in SIDES]
        return chunk.quality <= OTHER and not self._slots.may_meet(*sides)

    # Kinds of things

    def _of_head_kind(self, readings: Iterable[Reading]) -> Iterator[Reading]:
        """The sets with only what is of the kind that is asked for; none where nothing of it can be."""
        asked = self._asked
        kinds = asked.head_kinds or asked.other_kinds
        if (
            asked.words[:1] == ("whose",)  # `whose boat is the Otter Bay` asks who has this boat
            or not kinds
            or (asked.value is not None and is_head_noun(asked.question, kinds[0].first))
            or (kinds[0] in asked.other_kinds and len(asked.linking) > 1)  # it belongs to a set on the way
        ):
            yield from readings
            return
        for reading in readings:
            if things := confined(self._slots, reading.things, kinds[0]):
                yield replace(reading, things=things)
            else:
                yield from Places(self._asked).of_kind(reading, kinds[0])
                yield from self._of_somebody(reading, kinds[0])

    def _of_somebody(self, reading: Reading, kind: KindChunk) -> Iterator[Reading]:
        """What is of a kind by those that were found: `the books by someone who was taught by Ann`."""
        slot, typed = slot_of(reading.things), kind_relations(self._graph)
        if slot is None or not clause_of_somebody(self._asked, kind):
            return
        found = [
            Found(relation, side, reading.things)
            for side, other in (SIDES, SIDES[::-1])
            for relation in self._graph.relations
            if relation not in typed and is_of_kind(self._slots, relation, other, kind)
            if self._slots.may_meet(slot, (relation, side))
        ]
        if len(found) == 1 and not says_deed(found[0].relation) and (things := confined(self._slots, found[0], kind)):
            note = f"What is by them is taken by the relation '{found[0].relation}'."
            yield Reading(things, reading.penalty + TAKEN, (*reading.notes, note))

    def _of_inner_kind(self, reading: Reading, place: int) -> Iterator[tuple[Reading, int]]:
        """A set on the way, confined to a kind that is not what is asked for; and where the question speaks of it."""
        kinds = self._asked.other_kinds
        if len(kinds) != 1 or not self._asked.names:
            yield reading, place
        elif things := confined(self._slots, reading.things, kinds[0]):
            yield replace(reading, things=things), kinds[0].last


def _asks_kind(words: Sequence[str]) -> bool:
    """Whether the kind of a thing is asked for: `what kind of cheese is Grey Widow`."""
    return words[0] in ("what", "which") and words[1:2] in _KINDS and words[2:3] == ("of",)


_KINDS = [("kind",), ("type",), ("sort",)]


def _is_between(chunk: Chunk, other: Chunk, place: int) -> bool:
    """Whether a relation stands between another one and a name."""
    low, high = sorted((other.first, place))
    return low < chunk.first < high


def _side(reading: Reading) -> str:
    """The side of its relation that a name has."""
    return reading.things.side if isinstance(reading.things, Found) else ""
