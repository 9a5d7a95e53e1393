"""Who made something, where no relation says so in words: `which perfumes did Ann create`, `the cheapest by the house`.

A verb of making fits whoever has a part in a thing: its owner, its sitter. It is taken for one relation only where the
graph tells who makes such things: a kind of people that is called after them (a `perfumer`, of perfumes); or what
brings them out, by a relation that is called as its kind is (the `house` of a perfume, which is a house).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgstore.llm.backends.rewrite.asked_kinds import ANYBODY, kind_relations, may_be_people
from cgstore.llm.backends.rewrite.assemble.asked import RELATIVE, Asked
from cgstore.llm.backends.rewrite.assemble.counts import linking
from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk
from cgstore.llm.backends.rewrite.assemble.slots import Slots
from cgstore.llm.backends.rewrite.assemble.tokens import Question, is_participle
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.text.names import in_words, name_of_key, normal_form
from cgstore.text.thesaurus import PREPOSITIONS, lemma, narrower_kinds

_MAKING = frozenset(map(lemma, ["make", "create", "compose", "produce", "craft", "devise"]))
_BRINGING = frozenset(map(lemma, ["release", "issue", "put", "bring"]))
_SHOWING = ("shop", "store", "museum", "gallery", "library", "theatre", "park", "school", "venue", "place")
"""What has things that others made, as do the narrower kinds of it."""
_KEEPING = frozenset([*_SHOWING, *(each for noun in _SHOWING for each in narrower_kinds(noun))])
_AGENT = re.compile(r"(?<=.{4})(?:er|or|ist)$")
_NO_PRODUCT = ("ery", "ory")
"""Ends of nouns for where somebody works: a brewer makes no breweries."""

SOMEBODY = ANYBODY | {"someone", "somebody", "anyone", "anybody"}


def made_in(question: Question) -> int:
    """The words, as bits, that say that something was made, or brought out."""
    places = (n for n, token in enumerate(question.tokens) if token.lemma in _MAKING or _is_brought(question, n))
    return sum(1 << place for place in places)


def _is_brought(question: Question, place: int) -> bool:
    is_out = question.words[place + 1 : place + 2] == ("out",)
    return question.tokens[place].lemma in _BRINGING and (is_out or question.words[place].startswith(("rel", "iss")))


def agents_in(question: Question, chunks: Sequence[Chunk], slots: Slots) -> int:
    """The verb, as a bit, that says what those do who are asked for: `who designed the bottle`, a designer's."""
    if question.words[:1] != ("who",) or len(question.tokens) < 2:
        return 0
    tails = [slots.things.get((chunk.relation, "tail"), frozenset()) for chunk in chunks]
    for relation, name in _kinds(slots.graph):
        if lemma(_AGENT.sub("", normal_form(name))) == question.tokens[1].lemma:
            doing = slots.of_nodes(_kind([(relation, name)])) or frozenset()
            if any(each and each <= doing for each in tails):
                return 1 << 1
    return 0


def is_made(asked: Asked) -> bool:
    """Whether what a name made is asked for: by a verb of making, or by no word but `by`."""
    before = [asked.question.before(place) for place, _ in asked.names]
    return bool(made_in(asked.question)) or any(place >= 0 and asked.words[place] == "by" for place in before)


def makes(asked: Asked, relation: str, maker: Mention, kind: KindChunk) -> bool:
    """Whether a relation that links a name with things of a kind says that it made them."""
    own = kind_of_name(maker, asked.graph)
    names = {normal_form(name) for _, name in own.nodes}
    if not any(map(may_be_people, names)):
        return normal_form(in_words(relation)) in names - _KEEPING
    makers = makers_of(asked.graph, kind)
    return not set(makers.nodes).isdisjoint(own.nodes) and is_only(asked, relation, makers, kind)


def makers_of(graph: GraphView, kind: KindChunk) -> KindChunk:
    """The kinds of people that are called after a kind of things: the perfumers, of perfumes."""
    things = [normal_form(name) for _, name in kind.nodes]
    return _kind([each for each in _kinds(graph) if any(_is_called_after(normal_form(each[1]), of) for of in things)])


def is_only(asked: Asked, relation: str, makers: KindChunk, kind: KindChunk) -> bool:
    """Whether no other relation links things of two kinds."""
    return [each for each, _ in linking(asked, makers, kind)] == [relation]


def kind_of_name(name: Mention, graph: GraphView) -> KindChunk:
    """What a name is, as the graph says."""
    typed, links = kind_relations(graph), graph.links([name.key])[name.key]
    return _kind(
        [(each.relation, end) for each in links if each.as_head and each.relation in typed for end in each.ends]
    )


def _kinds(graph: GraphView) -> list[tuple[str, str]]:
    """All kinds of things of which the graph has some."""
    facts = graph.linked_by(kind_relations(graph))
    return sorted({(relation, name_of_key(tail)) for relation, each in facts.items() for _, tail in each})


def _kind(nodes: Sequence[tuple[str, str]]) -> KindChunk:
    return KindChunk(0, 0, 0, tuple(nodes), 1.0)


def _is_called_after(agent: str, thing: str) -> bool:
    """Whether a noun for people is made of one for things: a `sculptor`, of a `sculpture`."""
    stem = _AGENT.sub("", agent)
    return stem != agent != thing and thing.startswith(stem) and not thing.endswith(_NO_PRODUCT)


def says_deed(relation: str) -> bool:
    """Whether a relation says by its own name what somebody does or is to a thing: `owner`, `kept by`."""
    words = in_words(relation).split()
    return may_be_people(words[-1]) or words[-1] in PREPOSITIONS or any(map(is_participle, words))


def clause_of_somebody(asked: Asked, kind: KindChunk) -> bool:
    """Whether things of a kind are by somebody of whom a clause says more: `by someone who was taught by Ann`."""
    words = asked.words
    for place in range(kind.last + 3, len(words)):
        if words[place] in RELATIVE and asked.question.before(place - 1) >= 0:
            is_noun = words[place - 1] in SOMEBODY or may_be_people(words[place - 1])
            return is_noun and words[asked.question.before(place - 1)] == "by"
    return False
