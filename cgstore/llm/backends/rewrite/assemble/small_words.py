"""Relations that small words of a question say: `how tall`, `whose`, `where`, `in`, `money`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends.rewrite.asked_kinds import PEOPLE, kind_relations, may_be_people
from cgstore.llm.backends.rewrite.assemble.relations import (
    LYING,
    OTHER,
    PART,
    PLACED,
    RELATED,
    Chunk,
    Spoken,
    chunk_of,
    says_place,
    spoken_of,
)
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, is_head_noun
from cgstore.llm.backends.rewrite.assemble.tokens import Question
from cgstore.llm.backends.rewrite.assemble.units import UNITS, is_unit_of
from cgstore.llm.backends.rewrite.dimensions import Measure
from cgstore.llm.graph_view import GraphView
from cgstore.text.names import in_words, normal_form
from cgstore.text.thesaurus import PLACE_LEMMAS, PLACE_WORDS, PREPOSITIONS, lemma, phrases_of

_AMOUNTS = """
    amount price cost salary budget fee value eur usd gbp revenue funding income wage sum worth purse prize_money fund
    stipend donation turnover profit
"""
_MONEY = frozenset(map(lemma, _AMOUNTS.split()))
MOST_MEANT = 3
"""Relations that one preposition may say."""


def measures_asked(question: Question, measures: Sequence[Measure]) -> Iterator[Chunk]:
    """The relations of numbers that `how` with an adjective asks for: `how tall`, `how big` of the only amount.

    `money` and `worth` ask for the only amount of money.
    """
    words = question.words
    amounts = [each.relation for each in measures if not _MONEY.isdisjoint(map(lemma, each.own)) and not each.is_time]
    for place, word in enumerate(words):
        if word in ("money", "worth") and len(amounts) == 1:
            yield chunk_of(Spoken(amounts[0], (), frozenset(), False, OTHER), (place,), OTHER)
        if words[place - 1 : place] == ("many",) and question.tokens[place].lemma in UNITS:
            for measure in (each for each in measures if is_unit_of(word, each.relation)):
                spoken = Spoken(measure.relation, (), frozenset(), False, RELATED)
                yield chunk_of(spoken, (place,), RELATED)  # `how many kilometres`
    if "how" not in words[:-1]:
        return
    place = words.index("how") + 1
    sizes = [each for each in measures if not each.is_time]
    found = [each for each in measures if words[place] in each.bases]
    if not found and words[place] in ("big", "large") and len(sizes) == 1:
        found = sizes
    for measure in found:
        yield chunk_of(Spoken(measure.relation, (), frozenset(), False, OTHER), (place,), OTHER)


def owners_in(question: Question, relations: Sequence[str]) -> Iterator[Chunk]:
    """The relations that say who owns something, at the word `whose`."""
    place = question.words.index("whose")
    for spoken in spoken_of(tuple(relations)):
        if spoken.lemmas in (("owner",), ("own",)):
            yield chunk_of(replace(spoken, inverse=None), (place,), OTHER)


def where_in(question: Question, relations: Sequence[str], graph: GraphView) -> Iterator[Chunk]:
    """The one relation of the name that says where something is, at the word `where`."""
    if len(question.name_places) != 1 or "where" not in question.words:
        return
    heads = graph.relations_of(question.slots[question.words[question.name_places[0]]].key).head
    told = [each for each in relations if each in heads and each not in graph.relations_of_numbers]
    found = [each for each in told if says_place(each)] or [each for each in told if has_places(each)]
    if len(found) == 1:
        place = question.words.index("where")
        yield Chunk(Spoken(found[0], (), frozenset(["in"]), None, OTHER), place, place, 1 << place, OTHER)


def places_asked(question: Question, relations: Sequence[str], known: Sequence[Chunk | KindChunk]) -> Iterator[Chunk]:
    """The relations that say where something is, at a noun for a place that is asked for: `in which town`.

    Args:
        question: its words.
        relations: those of the graph.
        known: what the words say otherwise.
    """
    for place, token in enumerate(question.tokens):
        is_known = any(each.mask >> place & 1 or _is_where(question, each) for each in known)
        if token.lemma in PLACE_LEMMAS and is_head_noun(question, place) and not is_known:
            for relation in relations:
                if says_place(relation):
                    spoken = Spoken(relation, (), frozenset(), False, PLACED)
                    yield chunk_of(spoken, (place,), PLACED)


_LIVING = frozenset(["live", "lives", "lived", "living", "reside", "resides", "resided"])
_DWELLINGS = frozenset(["city", "town", "village", "country", "county", "address", "region", "district", "island"])


def lives_in(question: Question, relations: Sequence[str], graph: GraphView, known: Sequence[Chunk]) -> Iterator[Chunk]:
    """The relations such as `city`, where people are asked for that live somewhere; a firm lives nowhere."""
    places = [place for place, word in enumerate(question.words) if word in _LIVING]
    if len(places) != 1 or any(chunk.mask >> places[0] & 1 for chunk in known) or not _has_people(question, graph):
        return
    for relation in relations:
        if in_words(relation) in _DWELLINGS:
            spoken = Spoken(relation, (), frozenset(["in"]), False, OTHER)
            yield chunk_of(spoken, places, OTHER)


def _has_people(question: Question, graph: GraphView) -> bool:
    """Whether a question speaks of people, by a noun or by the kind of a name."""
    if any(word in PEOPLE or may_be_people(word) for word in question.words):
        return True
    typed = kind_relations(graph)
    keys = [question.slots[question.words[place]].key for place in question.name_places]
    links = [link for every in graph.links(keys).values() for link in every]
    kinds = {end for link in links if link.as_head and link.relation in typed for end in link.ends}
    return any(may_be_people(normal_form(kind)) for kind in kinds)


def _is_where(question: Question, said: Chunk | KindChunk) -> bool:
    """Whether a verb with `in` or `at` says of which place is asked: `in which town does she live`."""
    ends = {question.words[0], question.words[-1]} & {"in", "at", "on"}
    return isinstance(said, Chunk) and not (said.spoken.joins.isdisjoint(ends) or says_place(said.relation))


def has_places(relation: str) -> bool:
    """Whether the tails of a relation are places, by its name."""
    words = in_words(relation).split()
    return words[-1] in PLACE_WORDS or words[-1] == "at"


def joins_in(question: Question, relations: Sequence[str], graph: GraphView) -> Iterator[Chunk]:
    """The relations that a preposition before a name says: `in` for `located in` or `town`, `by` for `made by`."""
    if len(question.name_places) == 1 and question.words[0] in PREPOSITIONS:
        name = question.slots[question.words[question.name_places[0]]]
        heads = graph.relations_of(name.key).head
        found = [each for each in relations if each in heads and _has_join(each, question.words[0])]
        if len(found) == 1:  # `by which band was it made`
            yield Chunk(Spoken(found[0], (), frozenset(), None, PART), 0, 0, 0, PART)
    for place in question.name_places:
        before = question.before(place)
        if before < 0 or (join := question.words[before]) not in PREPOSITIONS:
            continue
        tails = graph.relations_of(question.slots[question.words[place]].key).tail
        found = [each for each in relations if each in tails and _has_join(each, join)]
        for relation in found[:MOST_MEANT]:
            yield Chunk(Spoken(relation, (), frozenset([join]), False, PART), before, before, 0, PART)


def _has_join(relation: str, join: str) -> bool:
    """Whether a preposition alone may say a relation: where something is, or who did it, but not where it was born."""
    words = in_words(relation).split()
    if join == "by":
        return words[-1] == "by" or any(p.text.endswith(" by") and not p.inverse for p in phrases_of(relation))
    is_place = join in ("in", "at", "on") and not (PLACE_WORDS | LYING).isdisjoint(words)
    return join == words[0] or is_place
