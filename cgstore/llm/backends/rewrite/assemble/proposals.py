"""Questions over graphs without times, assembled from the parts that are recognised in them, without a demonstration.

Every word that carries meaning must be a name, a number, a word of a relation (of its own name, or of the thesaurus), a
noun for a kind of things in the graph, or one that compares, orders or counts (`signals`). `covers` finds the ways to
account for all words, `readings` what the parts may ask together, and `sets` makes programs. The reading that costs
least counts; if others cost about as little, their answers must be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite.abstention import MAX_AROUND, OPEN, why_no_program
from cgstore.llm.backends.rewrite.asked_kinds import ANYBODY, is_kind, kind_relations, may_be_people
from cgstore.llm.backends.rewrite.assemble.asked import CLOSE, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.asked_for import gives_asked
from cgstore.llm.backends.rewrite.assemble.covers import Cover, covers, to_explain, unexplained
from cgstore.llm.backends.rewrite.assemble.exceptions import apart_from_itself, excepting, without_exception
from cgstore.llm.backends.rewrite.assemble.kinds import slot_of, stands
from cgstore.llm.backends.rewrite.assemble.making import agents_in, made_in
from cgstore.llm.backends.rewrite.assemble.nearness import near_alone, near_relations
from cgstore.llm.backends.rewrite.assemble.orders import of_their_nouns
from cgstore.llm.backends.rewrite.assemble.readings import readings
from cgstore.llm.backends.rewrite.assemble.relations import (
    OTHER,
    OWN,
    PART,
    PLACED,
    Chunk,
    chunks_in,
    lies_in,
    own_nouns,
    said_by,
    says_place,
)
from cgstore.llm.backends.rewrite.assemble.same import as_same
from cgstore.llm.backends.rewrite.assemble.sets import Found, program_of
from cgstore.llm.backends.rewrite.assemble.signals import (
    BROADER,
    OF_WHICH,
    VALUE,
    KindChunk,
    Order,
    bounds_in,
    is_head_noun,
    kinds_in,
    orders_in,
)
from cgstore.llm.backends.rewrite.assemble.slots import Slots, kinds_of_slots, slot_said
from cgstore.llm.backends.rewrite.assemble.small_words import (
    joins_in,
    lives_in,
    measures_asked,
    owners_in,
    places_asked,
    where_in,
)
from cgstore.llm.backends.rewrite.assemble.tokens import Question, question_of, spelt_numbers
from cgstore.llm.backends.rewrite.quantity_programs import entities_in, measures_in, numbers_in
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.query.build import quote
from cgstore.text.meaning import nearest
from cgstore.text.names import in_words, some_of

_SENTENCES = re.compile(r"(?:\w{4,}[.!]|\?)\s+\w+\W+\w+")

MAX_PROPOSALS = 6
"""Programs of one question."""

WAY = "assembled"
"""How these proposals say that they were found."""


def assembled(question: str, names: Sequence[Mention], graph: GraphView) -> list[Proposal]:
    """The programs for a question, the best first; those of one score must have the same answer.

    Args:
        question: in plain words.
        names: its names and times.
        graph: what is asked.

    Raises:
        CannotPropose: a word belongs to nothing, or the parts do not go together.
    """
    if _SENTENCES.search(question):
        return []  # one sentence may say what the other leaves out
    entities = [each for each in entities_in(names) if not is_kind(each, question, graph)]
    numbers = [*numbers_in(question, entities), *spelt_numbers(question, entities)]
    slots = sorted([*entities, *numbers], key=lambda each: each.start)
    text, left_out = without_exception(question_of(question, slots))
    if len(text.name_places) > 2 or not text.tokens:
        return []
    graph.read_around([each.key for each in entities])
    measures = measures_in(graph)
    of_kinds = frozenset(kind_relations(graph))
    relations = [each for each in graph.relations if each not in of_kinds]
    chunks = [*chunks_in(text, relations, graph.relations_of_numbers), *measures_asked(text, measures)]
    text = as_same(text, chunks)
    sides, kinds = Slots(graph), [each for each in kinds_in(text, graph) if not _is_relation(each, chunks)]
    kinds += [each for each in kinds_of_slots(text, sides, chunks) if not any(each.mask & kind.mask for kind in kinds)]
    chunks = [each for each in chunks if not _names_other_kind(text, each, kinds, sides)]
    chunks += lives_in(text, relations, graph, chunks)
    chunks += places_asked(text, relations, [*chunks, *kinds])
    bounds = bounds_in(text)
    ordering = [each for each in orders_in(text, measures) if not any(each.mask & bound.mask for bound in bounds)]
    orders = [each for each in ordering if not _is_named(text, each, chunks)]
    orders = of_their_nouns(text, orders, chunks, measures)
    read = 0
    for mask in (*(bound.mask for bound in bounds), *(order.mask for order in orders)):
        read |= mask

    def read_with(chunks: Sequence[Chunk], read: int = read) -> list[tuple[Reading, Cover]]:
        found = []
        ways = covers(text, chunks, kinds, read, own_nouns(relations))
        for cover in _with_more(text, graph, relations, chunks, ways):
            asked = Asked(text, sides, cover, tuple(bounds), tuple(orders), tuple(measures))
            read_of = apart_from_itself(excepting(readings(asked), left_out, sides), text)
            used = (each for each in read_of if _uses_all(each, cover) and gives_asked(text, each, chunks))
            found += [(each, cover) for each in used if not _is_other_kind(cover, each, sides, relations)]
        return found

    found = read_with(chunks)
    told = [each for each in chunks if each.relation not in graph.relations_of_numbers or each.quality > OTHER]
    made = agents_in(text, chunks, sides) | (made_in(text) & ~said_by(told))
    if not found and made:
        found = read_with(chunks, read | made)
    if not found:
        near = near_alone(text, near_relations(text, _in_reach(text, graph, relations), chunks, kinds, read))
        found = read_with([*chunks, *near]) if near else []
    if not found:
        raise _why_not(text, graph, unexplained(text, chunks, kinds, read))
    return _proposals(text, found)


def _why_not(text: Question, graph: GraphView, unknown: Sequence[str]) -> CannotPropose:
    """Which words are not understood, or that they do not go together; and in which words to ask instead."""
    names = [text.slots[text.words[place]] for place in text.name_places]
    around = {each.name: graph.relations_of(each.key) for each in names}
    then = [
        f"'{name}' has {some_of(own, MAX_AROUND)}: ask in these words."
        for name, found in around.items()
        if (own := list(dict.fromkeys((*found.head, *found.tail))))
    ]
    if unknown:
        return CannotPropose(why_no_program([set(unknown)]), then=then)
    small = range(len(text.words))
    said = [*around, *(text.words[place] for place in small if to_explain(text, 0) >> place & 1)]
    return CannotPropose(f"{OPEN} {some_of(said)} belong together", then=then)


def _is_relation(kind: KindChunk, chunks: Sequence[Chunk]) -> bool:
    """Whether a noun that some thing has as a value, such as a tag `actors`, is what another relation is called."""
    is_value = kind.quality in (VALUE, VALUE - 0.2)
    said = (each for each in chunks if each.mask == kind.mask and each.quality >= OTHER)
    return is_value and any(each.relation != relation for each in said for relation, _ in kind.nodes)


def _uses_all(reading: Reading, cover: Cover) -> bool:
    """Whether a reading speaks of all relations of which the question does, and gives what is asked for first."""
    program, slot = program_of(reading.things), slot_of(reading.things)
    if not all(quote(chunk.relation) in program for chunk in cover.relations):
        return False
    asked = min(cover.kinds, key=lambda each: each.first, default=None)
    if asked is None or not asked.slots or slot is None or not isinstance(reading.things, Found):
        return True
    if any(each.first < asked.first for each in cover.relations):
        return True
    return slot in asked.slots  # `who are the actors in the films` are no films


def _names_other_kind(text: Question, chunk: Chunk, kinds: Sequence[KindChunk], sides: Slots) -> bool:
    """Whether other words for what a relation has are a noun for things that it has not: a publisher is no imprint.

    Nor do words for a relation take in the noun of what is asked for: `which animals does she look after`.
    """
    asked = [each for each in kinds if each.quality >= VALUE and each.nodes and is_head_noun(text, each.first)]
    if chunk.quality <= OTHER and any(each.mask & chunk.mask == each.mask != chunk.mask for each in asked):
        return True
    same = [kind for kind in kinds if kind.nodes and kind.mask == chunk.mask]
    if chunk.quality > OTHER or not same or (slot := slot_said(text, chunk)) is None:
        return False
    return is_head_noun(text, chunk.first) and not stands(sides, *slot, same[0])


def _is_other_kind(cover: Cover, reading: Reading, sides: Slots, relations: Sequence[str]) -> bool:
    """Whether the noun that nothing accounts for names what another relation has: `engineers` for what is built."""
    slot = slot_of(reading.things)
    if not may_be_people(cover.unchecked) or slot is None or slot not in sides.things:
        return False
    named = nearest([cover.unchecked], [each for each in relations if (each, "tail") in sides.things])
    return bool(named) and (named, "tail") not in sides.alike([slot], is_role=False)


def _in_reach(text: Question, graph: GraphView, relations: Sequence[str]) -> list[str]:
    """The relations that the names of a question have; all if it has none."""
    around = [graph.relations_of(text.slots[text.words[place]].key) for place in text.name_places]
    near = {relation for each in around for relation in (*each.head, *each.tail)}
    if any(lies_in(relation) for each in around for relation in each.tail):
        near.update(filter(says_place, relations))  # what is in a place of it
    return [each for each in relations if each in near] if around else list(relations)


def _is_named(text: Question, order: Order, chunks: Sequence[Chunk]) -> bool:
    """Whether a word that orders belongs to a relation: `first performed in`, `looked after`."""
    word = text.words[order.place]
    own = [chunk for chunk in chunks if chunk.quality >= OWN - CLOSE]
    return any(chunk.mask & order.mask and chunk.first == order.place < chunk.last for chunk in own) or any(
        chunk.last == order.place - 1 and word in in_words(chunk.relation).split() for chunk in own
    )


def _with_more(
    text: Question, graph: GraphView, relations: Sequence[str], chunks: Sequence[Chunk], found: Sequence[Cover]
) -> Iterator[Cover]:
    """The covers; those without a relation for a name also with one that small words say: `made of`, `in`, `whose`."""
    numbers = graph.relations_of_numbers
    around = [graph.relations_of(text.slots[text.words[place]].key) for place in text.name_places]
    for cover in found:
        linking = {chunk.relation: chunk for chunk in cover.relations if chunk.relation not in numbers}
        is_linked = all(linking.keys() & {*each.head, *each.tail} for each in around)
        is_asked = any(is_head_noun(text, chunk.first) for chunk in linking.values())
        if not text.name_places or (linking and (is_linked or is_asked)):
            yield cover
            continue
        read = 0
        for each in cover.relations:
            read |= each.mask
        small = [chunk for chunk in chunks if chunk.quality == OWN and not chunk.mask & (to_explain(text, 0) | read)]
        owners = owners_in(text, relations) if "whose" in text.words else ()
        more = [*small, *owners] or [*where_in(text, relations, graph)] or [*joins_in(text, relations, graph)]
        yield cover
        for chunk in more:
            if chunk.relation not in numbers and not chunk.mask & read:
                relations_read = (*cover.relations, chunk)
                yield replace(cover, relations=relations_read, penalty=cover.penalty + 1 - chunk.quality)


def _proposals(text: Question, found: Sequence[tuple[Reading, Cover]]) -> list[Proposal]:
    """The proposals of readings, each program once; equal scores where the costs are about equal."""
    ranked = sorted(found, key=lambda each: each[0].penalty)
    said = [(reading.penalty, cover) for reading, cover in ranked]
    ranked = [each for each in ranked if not _says_less(*each, said)]
    best = ranked[0][0].penalty
    proposals: dict[str, Proposal] = {}
    for reading, cover in ranked:
        program = program_of(reading.things)
        if program in proposals or len(proposals) == MAX_PROPOSALS:
            continue
        cost = 0.0 if reading.penalty <= best + CLOSE else reading.penalty - best
        proposals[program] = Proposal(
            program,
            1.0 - min(cost, 0.5),
            _because(cover),
            (*reading.notes, *_notes(text, cover)),
            if_no=reading.if_no,
            way=WAY,
            explains=frozenset(text.words) - {unchecked}
            if (unchecked := cover.unchecked or _place_in(text, cover) or _people_in(text))
            else None,
        )
    return list(proposals.values())


def _relations_of(cover: Cover) -> frozenset[str]:
    return frozenset(chunk.relation for chunk in cover.relations)


def _says_less(reading: Reading, cover: Cover, said: Sequence[tuple[float, Cover]]) -> bool:
    """Whether a reading that is no worse speaks of all relations of which this one does, and of more.

    A noun for a kind of things is no less than the same noun for a relation: `which enclosures have Ann as vet`.
    """
    own = _relations_of(cover)
    nouns = {kind.mask for kind in cover.kinds}
    return any(
        penalty <= reading.penalty and own < _relations_of(more) and not _are_nouns(more, own, nouns)
        for penalty, more in said
    )


def _are_nouns(cover: Cover, own: Set[str], nouns: Set[int]) -> bool:
    """Whether words that are read as nouns otherwise say all relations of a cover but some."""
    return all(chunk.mask in nouns for chunk in cover.relations if chunk.relation not in own)


def _place_in(text: Question, cover: Cover) -> str:
    """The noun for a place that was taken for where something is."""
    return next((text.words[chunk.first] for chunk in cover.relations if chunk.quality == PLACED), "")


def _people_in(text: Question) -> str:
    """The noun for people that says what is asked for: `which people`."""
    places = (place for place, word in enumerate(text.words) if word in ANYBODY and is_head_noun(text, place))
    return next((text.words[place] for place in places), "")


def _because(cover: Cover) -> str:
    relations = list(dict.fromkeys(chunk.relation for chunk in cover.relations))
    return f"by the words of {some_of(relations)}" if relations else "by the kind of things that is asked for"


def _notes(text: Question, cover: Cover) -> list[str]:
    """What other words were taken for."""
    return (
        [
            f"'{_said(text, chunk)}' is taken for the relation '{chunk.relation}'."
            for chunk in cover.relations
            if chunk.quality <= OTHER
        ]
        + [f"Not checked: that '{noun}' is what it speaks of." for noun in cover.inner]
        + [
            f"'{text.words[kind.last]}' is taken for what is {kind.every[0][1]} of '{kind.every[0][0]}'."
            for kind in cover.kinds
            if kind.slots and kind.quality < PART
        ]
        + [
            f"'{text.words[kind.last]}' is taken for what has '{kind.nodes[0][0]}' '{kind.nodes[0][1]}'."
            for kind in cover.kinds
            if kind.nodes and kind.quality in (VALUE, VALUE - 0.2)
        ]
        + [
            f"'{text.words[kind.last]}' is taken for what is {some_of([name for _, name in kind.nodes])}."
            for kind in cover.kinds
            if kind.quality in (OF_WHICH, BROADER)
        ]
    )


def _said(text: Question, chunk: Chunk) -> str:
    return " ".join(word for place, word in enumerate(text.words) if chunk.mask >> place & 1)
