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
    """The verbs, as bits, that say what those do who are asked for: `who designed the bottle`, a designer's."""
    typed = slots.graph.linked_by(kind_relations(slots.graph)) if "who" in question.words[:1] else {}
    kinds = sorted({(relation, name_of_key(tail)) for relation, facts in typed.items() for _, tail in facts})
    found = 0
    for place, token in enumerate(question.tokens[:2]):
        for kind in kinds:
            if place and lemma(_AGENT.sub("", normal_form(kind[1]))) == token.lemma:
                doing = slots.of_nodes(KindChunk(place, place, 0, (kind,), 1.0)) or frozenset()
                tails = [slots.things.get((chunk.relation, "tail"), frozenset()) for chunk in chunks]
                found |= (any(each and each <= doing for each in tails)) << place
    return found


def is_made(asked: Asked) -> bool:
    """Whether what a name made is asked for: by a verb of making, or by no word but `by`."""
    before = [asked.question.before(place) for place, _ in asked.names]
    return bool(made_in(asked.question)) or any(place >= 0 and asked.words[place] == "by" for place in before)


def makes(asked: Asked, relation: str, maker: Mention, kind: KindChunk) -> bool:
    """Whether a relation that links a name with things of a kind says that it made them."""
    own = _kinds_of(maker, asked.graph)
    if people := [each for each in own if may_be_people(each)]:
        return any(_is_called_after(each, normal_form(node)) for each in people for _, node in kind.nodes)
    return normal_form(in_words(relation)) in own - _KEEPING


def maker_of(asked: Asked, made: Mention) -> KindChunk | None:
    """The kind of people that is called after the kind of a name: the perfumers, of a perfume."""
    own, facts = _kinds_of(made, asked.graph), asked.graph.linked_by(kind_relations(asked.graph))
    kinds = sorted({(relation, name_of_key(tail)) for relation, each in facts.items() for _, tail in each})
    makers = tuple(kind for kind in kinds if any(_is_called_after(normal_form(kind[1]), each) for each in own))
    return KindChunk(0, 0, 0, makers, 1.0) if makers else None


def _kinds_of(name: Mention, graph: GraphView) -> frozenset[str]:
    """The nouns for what a name is, as the graph says."""
    typed, links = kind_relations(graph), graph.links([name.key])[name.key]
    return frozenset(normal_form(end) for link in links if link.as_head and link.relation in typed for end in link.ends)


def _is_called_after(agent: str, thing: str) -> bool:
    """Whether a noun for people is made of one for things: a `sculptor`, of a `sculpture`."""
    stem = _AGENT.sub("", agent)
    return stem != agent and thing.startswith(stem) and not thing.endswith(_NO_PRODUCT) and thing != agent


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
