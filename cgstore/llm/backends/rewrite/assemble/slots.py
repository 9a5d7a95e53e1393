"""What kinds of things stand on the sides of relations, for nouns that no relation such as `type` has.

A slot is a side of a relation. `museum` names the heads of `museumCity` and the tails of `held by museum`, `suppliers`
the heads of `supplies`, and `wards` what is called so (`Maple Ward`). Slots with mostly the same things are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

from cgstore.llm.backends.rewrite.asked_kinds import kind_relations
from cgstore.llm.backends.rewrite.assemble.relations import OWN, PART, Chunk
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, Slot, is_head_noun, may_be_noun
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, Question, is_participle
from cgstore.llm.fact_view import MAX_LINKED
from cgstore.llm.graph_view import GraphView
from cgstore.text.english import is_english
from cgstore.text.meaning import likeness_to
from cgstore.text.names import in_words, name_of_key, normal_form
from cgstore.text.thesaurus import PLACE_LEMMAS, PLACE_WORDS, PREPOSITIONS, lemma, narrower_kinds, same_kind
from cgstore.text.word_vectors import vector_of

MAX_RELATIONS = 100
"""Relations of a graph whose slots are looked at."""

CALLED = 0.05
"""What it costs to take a noun for what is called so, or for what a slot has."""

COMPOUND = 0.25
"""What it costs to take two nouns for what the second one says."""

_PEOPLE = frozenset(map(lemma, {"person", "people", *narrower_kinds("person")}))
_SHORT = {"dr": "doctor", "prof": "professor", "mt": "mountain", "capt": "captain", "sgt": "sergeant", "st": "saint"}

_OWNED_WORDS = "year date name number price cost id time type colour color size height length weight age code status"
_OWNED = frozenset(_OWNED_WORDS.split())

_MOST, _CALLED_SO, _CALLED_SOMETIMES = 0.5, 0.6, 0.4
"""Shares: of a slot's things that another kind has; of those that have a noun in their names, at best or at all."""

_OF_OTHERS = 0.9
"""From what likeness to a relation on a noun is taken for no noun for what a source is about."""

_MAIN = 0.65
"""The share of relations that what a source is about has."""


class Slots:
    """The things on the sides of a graph's relations, as far as their first facts tell."""

    def __init__(self, graph: GraphView) -> None:
        self.graph = graph

    @cached_property
    def _linked(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        typed = kind_relations(self.graph)
        relations = [each for each in self.graph.relations if each not in typed]
        return self.graph.linked_by(relations) if len(relations) <= MAX_RELATIONS else {}

    @cached_property
    def things(self) -> dict[Slot, frozenset[str]]:
        """The keys of the things on each side of a relation; those of a side with numbers are left out."""
        numbers = self.graph.relations_of_numbers
        found = {(each, "head"): frozenset(head for head, _ in facts) for each, facts in self._linked.items()}
        tails = {each: facts for each, facts in self._linked.items() if each not in numbers}
        return found | {(each, "tail"): frozenset(tail for _, tail in facts) for each, facts in tails.items()}

    def is_whole(self, slot: Slot) -> bool:
        """Whether all things of a slot were looked at."""
        return 0 < len(self._linked.get(slot[0], ())) < MAX_LINKED

    def may_meet(self, one: Slot | None, other: Slot | None) -> bool:
        """Whether one thing may stand in both slots: one does, or both have things in common with a third one."""
        if one is None or other is None or one not in self.things or other not in self.things:
            return not {each[0] for each in (one, other) if each} <= self._linked.keys()
        is_known = self.is_whole(one) and self.is_whole(other)
        return not is_known or not self._near[one].isdisjoint(self._near[other])

    @cached_property
    def _near(self) -> dict[Slot, frozenset[Slot]]:
        """The slots that have something in common with each slot, itself among them."""
        return {
            slot: frozenset(other for other, others in self.things.items() if not things.isdisjoint(others))
            for slot, things in self.things.items()
        }

    def alike(self, anchors: Sequence[Slot], is_role: bool = True) -> tuple[Slot, ...]:
        """Slots, and others with mostly the same things as they.

        A noun that says no role of things also names the slots with some of them in which nothing is of another kind.
        """
        found = dict.fromkeys(each for each in anchors if each in self.things)
        every = frozenset[str]().union(*(self.things[each] for each in found))
        size = -1
        while size != len(found):
            size = len(found)
            for slot, things in self.things.items():
                if slot in found:
                    continue
                if len(things & every) > _MOST * len(things) or (not is_role and self.unlike(slot, every) == ()):
                    found[slot] = None
                    every |= things
        return tuple(found)

    def covering(self, slots: Sequence[Slot], things: Set[str] | None = None) -> tuple[Slot, ...]:
        """As few of some slots as have all things of them, or as many of some things as they have."""
        found: list[Slot] = []
        left = frozenset[str]().union(*(self.things[each] for each in slots))
        left = left if things is None else left & things
        for slot in sorted(slots, key=lambda each: -len(self.things[each])):
            if left & self.things[slot]:
                found.append(slot)
                left -= self.things[slot]
        return tuple(found)

    def unlike(self, slot: Slot | None, kind: Set[str]) -> tuple[Slot, ...] | None:
        """The slots that tell things of a slot from those of a kind, which some of the others are.

        None if not all things are known, or none of the slot is of the kind. What stands only where things of the kind
        do may be one of them: the graph need not say so of each.
        """
        things = self.things.get(slot, frozenset()) if slot else frozenset()
        if slot is None or not self.is_whole(slot) or kind.isdisjoint(things):
            return None
        others = things - kind
        apart = [each for each, near in self.things.items() if kind.isdisjoint(near) and not others.isdisjoint(near)]
        return self.covering(apart, others)

    def is_of(self, key: str, kind: KindChunk) -> bool:
        """Whether a thing is of a kind."""
        if not kind.nodes:
            return any(key in self.things[each] for each in kind.every)
        if (known := self.of_nodes(kind)) is None:
            return any(relation in self.graph.relations_of(key).head for relation, _ in kind.nodes)
        return key in known

    def of_nodes(self, kind: KindChunk) -> frozenset[str] | None:
        """The keys of all that has one of the nodes that say a kind; None if not all were looked at."""
        found: set[str] = set()
        for relation, facts in self.graph.linked_by([each for each, _ in kind.nodes]).items():
            if len(facts) >= MAX_LINKED:
                return None
            found |= {head for head, tail in facts if (relation, name_of_key(tail)) in kind.nodes}
        return frozenset(found)

    def has_none_of(self, slot: Slot | None, kind: KindChunk) -> bool:
        """Whether nothing in a slot is of a kind that nodes say: no perfume is taught by anybody."""
        if slot is None or slot not in self.things or not self.is_whole(slot):
            return False
        known = self.of_nodes(kind)
        return known is not None and known.isdisjoint(self.things[slot])

    def called(self, noun: str) -> list[Slot]:
        """The slots most of whose things have a noun at the beginning or the end of their names."""
        shares = {
            slot: sum(noun in self._ends[key] for key in things) / len(things)
            for slot, things in self.things.items()
            if len(things) > 1
        }
        least = min(_CALLED_SO, max(shares.values(), default=0.0))
        found = [slot for slot, share in shares.items() if share >= max(least, _CALLED_SOMETIMES)]
        alone = [slot for slot in found if shares[slot] == 1.0]
        return alone if self.are_called(noun, alone) else found

    def are_called(self, noun: str, slots: Sequence[Slot]) -> bool:
        """Whether the things of some slots are all that are called so, and no others: all `huts`."""
        things = frozenset[str]().union(*(self.things.get(each, ()) for each in slots))
        return bool(things) and things == {key for key, ends in self._ends.items() if noun in ends}

    @cached_property
    def _ends(self) -> dict[str, frozenset[str]]:
        """The first and the last word of each name of several words."""
        words = {key: normal_form(name_of_key(key)).split() for things in self.things.values() for key in things}
        ends = {key: each[:: len(each) - 1] if len(each) > 1 else [] for key, each in words.items()}
        return {key: frozenset(lemma(_SHORT.get(word, word)) for word in each) for key, each in ends.items()}

    def of_source(self, noun: str) -> tuple[list[Slot], float]:
        """The slot of what a source is about, with most of its relations, and how well a noun says it.

        It is the noun of its name (`fossils`), or else any that is none for people.
        """
        named = {lemma(normal_form(each.name.replace("_", " ")).split()[-1]) for each in self.graph.outlines}
        heads = [slot for slot in self.things if slot[1] == "head"]
        if not heads or ({noun} != named and (noun in _PEOPLE or self._is_of_others(noun))):
            return [], 0.0
        alike = {each: len([slot for slot in self.alike([each]) if slot[1] == "head"]) for each in heads}
        most = max(heads, key=lambda each: (alike[each], len(self.things[each])))
        quality = OWN if {noun} == named else PART
        return ([most], quality) if alike[most] > _MAIN * len(heads) else ([], 0.0)

    def _is_of_others(self, noun: str) -> bool:
        """Whether a noun means what some relation has, and not what has relations: a `case`, of detectives."""
        own = vector_of([noun])
        return noun in PLACE_LEMMAS or (
            own is not None and any(likeness_to(own, each) > _OF_OTHERS for each, _ in self.things)
        )


def kinds_of_slots(question: Question, slots: Slots, chunks: Sequence[Chunk]) -> list[KindChunk]:
    """The nouns of a question that say what stands in slots; what stands before a better one is none: `electric mills`.

    Args:
        question: its words.
        slots: those of the graph.
        chunks: where it speaks of relations.
    """
    found = list(_kinds_of_slots(question, slots, chunks))
    verbs = {chunk.mask for chunk in chunks}
    nouns = {each.first: each.quality for each in found if each.mask not in verbs}
    return [each for each in found if each.quality >= nouns.get(each.last + 1, 0.0) or each.quality > PART]


def _kinds_of_slots(question: Question, slots: Slots, chunks: Sequence[Chunk]) -> Iterator[KindChunk]:
    for place in range(len(question.tokens)):
        for last in (place, place + 1):
            if (
                last < len(question.tokens)
                and may_be_noun(question, place, last)
                and not _is_before_noun(question, last)
            ):
                anchors, quality, is_role = _anchors(question, slots, chunks, place, last)
                if not anchors and last > place and _is_compound(question, place):
                    anchors, quality, is_role = _anchors(question, slots, chunks, last, last)
                    quality -= COMPOUND  # the class names are those of `engine classes`
                is_whole = slots.are_called(question.tokens[last].lemma, anchors)
                if found := tuple(anchors) if is_whole else slots.alike(anchors, is_role):
                    mask = (1 << (last + 1)) - (1 << place)
                    yield KindChunk(place, last, mask, (), quality - CALLED, found, slots.covering(found), is_role)


def _is_compound(question: Question, place: int) -> bool:
    """Whether two words that are asked for are nouns, and not a noun and its verb: `which company owns the mills`."""
    behind = question.tokens[place + 2 : place + 3]
    is_verb = any(each.is_name or each.is_number or each.text in PREPOSITIONS | ARTICLES for each in behind)
    return is_head_noun(question, place) and bool(same_kind(question.words[place])) and not is_verb


def _anchors(
    question: Question, slots: Slots, chunks: Sequence[Chunk], first: int, last: int
) -> tuple[list[Slot], float, bool]:
    """The slots that a noun names best, how well, and whether it says what things are in them: `captains`."""
    mask = (1 << (last + 1)) - (1 << first)
    said = [(slot, chunk.quality) for chunk in chunks if chunk.mask == mask and (slot := slot_said(question, chunk))]
    best = max((quality for _, quality in said), default=0.0)
    noun = " ".join(token.lemma for token in question.tokens[first : last + 1])
    is_noun = any(chunk.quality == best == OWN and not chunk.spoken.is_verb for chunk in chunks if chunk.mask == mask)
    if not is_noun and first == last and (found := slots.called(noun)):
        return found, OWN, False
    if best < OWN and (found := [(each, "head") for each in slots.graph.relations if noun == _owner_in(each)]):
        return found, OWN, False
    if best < OWN and (
        found := [(each, "head") for each in slots.graph.relations if _is_product(question.words[last], each)]
    ):
        return found, OWN, False
    before = question.words[first - 1] if first else ""
    is_noun = is_head_noun(question, first) or before in ARTICLES | {"most", "fewest"} or before.endswith("est")
    is_plural = question.words[last].endswith("s") and not question.words[last].endswith(("ss", "us"))
    is_noun = is_noun or (is_plural and (before in PREPOSITIONS or (first > 0 and question.tokens[first - 1].is_name)))
    is_noun = (
        is_noun
        and len(noun) > 2
        and (  # the `co` of `a co-star` is none
            (is_english(question.words[last]) and not question.words[last].endswith("est")) or bool(same_kind(noun))
        )
    )
    if not said and first == last and not kind_relations(slots.graph):
        found, quality = slots.of_source(noun)
        return (found, quality, False) if is_noun or quality == OWN else ([], 0.0, False)
    return [slot for slot, quality in said if quality == best], best, best != PART


def _is_before_noun(question: Question, place: int) -> bool:
    """Whether a noun stands right behind a word, which then is none itself: a plural, or what is said of things."""
    behind = question.tokens[place + 1 : place + 2]
    if any(each.lemma in _SAID_OF for each in behind):
        return True
    return any(each.text.endswith("s") and each.text != each.lemma and bool(same_kind(each.lemma)) for each in behind)


_SAID_OF = frozenset(["date", "year", "time", "name", "number", "address", "code"])
"""Nouns behind another one for what is said of things, which that one is not: `release dates`, `phone number`."""


def _owner_in(relation: str) -> str:
    """The noun in a relation's name that says whose its value is: `museum` in `museumCity`, `book` in `book_year`."""
    words = in_words(relation).split()
    is_owned = len(words) > 1 and words[-1] in PLACE_WORDS | _OWNED and not is_participle(words[0])
    return " ".join(map(lemma, words[:-1])) if is_owned and PREPOSITIONS.isdisjoint(words) else ""


def _is_product(noun: str, relation: str) -> bool:
    """Whether a noun says what something is by what was done to it: a `painting` is `painted_by` somebody."""
    noun = noun.removesuffix("s")
    done = (word for word in in_words(relation).split() if is_participle(word))
    return noun.endswith("ing") and any(lemma(noun) == lemma(word) for word in done)


def slot_said(question: Question, chunk: Chunk) -> Slot | None:
    """The slot that the words of a chunk name if they are a noun; None if they are none."""
    spoken = chunk.spoken
    if spoken.inverse is None or spoken.joins or question.tokens[chunk.last].is_participle:
        return None
    return chunk.relation, "head" if spoken.inverse and not spoken.is_verb else "tail"
