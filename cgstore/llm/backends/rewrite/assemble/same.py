"""What two things have in common: `in the same building as`, `were both made by the same company`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends.rewrite.assemble.asked import OPEN_SIDE, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.chains import Chains
from cgstore.llm.backends.rewrite.assemble.kinds import confined
from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.sets import SIDES, Applied, Combined, Found, Named, together
from cgstore.llm.backends.rewrite.assemble.tokens import Question
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.text.thesaurus import lemma


def as_same(question: Question, chunks: Sequence[Chunk]) -> Question:
    """A question with `same` for `share`, where no relation is called so: `do A and B share a host`."""
    place = next((place for place, token in enumerate(question.tokens) if token.lemma == lemma("share")), -1)
    if place < 0 or "same" in question.words or any(chunk.mask >> place & 1 for chunk in chunks):
        return question
    tokens = [replace(token, text="as") if token.text == "with" else token for token in question.tokens]
    tokens[place] = replace(tokens[place], text="same", lemma="same")
    return replace(question, tokens=tuple(tokens))


def have_same(asked: Asked) -> Iterator[Reading]:
    """Whether a relation leads from two names to the same: `do the same people run A and B`."""
    (_, one), (_, other) = asked.names
    for chunk in _only(asked):
        for side, penalty in _sides(asked, chunk):
            both = together([Found(chunk.relation, side, Named(each.name)) for each in (one, other)])
            said = f"'no' means that '{one.name}' and '{other.name}' have no '{chunk.relation}' in common in the data."
            yield Reading(Applied("exists", both), penalty, (), said)


def with_same(asked: Asked) -> Iterator[Reading]:
    """What has the same as a name: `which wards are in the same building as Cedar Ward`."""
    words, (place, mention) = asked.words, asked.names[0]
    if "as" not in words[words.index("same") : place] or asked.bounds or asked.orders or asked.is_denied:
        return
    for chunk in _only(asked):
        if chunk.first > place:
            return  # what they share is said before the name: `the films that share actors with M are written by whom`
        for side, penalty in _sides(asked, chunk):
            shared = Found(chunk.relation, side, Named(mention.name))
            others = Found(chunk.relation, SIDES[side == "head"], shared)
            kinds = asked.head_kinds
            if things := confined(asked.slots, others, kinds[0]) if kinds else others:
                yield Reading(Combined("difference", (things, Named(mention.name))), penalty)


def _only(asked: Asked) -> list[Chunk]:
    """The one relation that the question speaks of."""
    words = asked.words
    is_by = words[asked.question.before(words.index("same"))] == "by"
    chunks = [*asked.linking, *([] if is_by else asked.numeric)]
    return chunks if len(chunks) == 1 and not is_mutual(chunks[0].relation) else []


def _sides(asked: Asked, chunk: Chunk) -> Iterator[tuple[str, float]]:
    """The sides of a relation on which all names stand; if both, those that the words say."""
    around = [asked.graph.relations_of(mention.key) for _, mention in asked.names]
    have = [side for side in SIDES if all(chunk.relation in getattr(each, side) for each in around)]
    if len(have) == 1:
        yield have[0], OPEN_SIDE
        return
    chains = Chains(asked)
    said = {side for place, mention in asked.names for side, _ in chains.sides(chunk, place, mention)}
    yield from ((side, OPEN_SIDE) for side in have if side in said)
