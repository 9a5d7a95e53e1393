"""Relations that words of a question are near to in meaning, where neither their names nor the thesaurus has the words.

`what kind of ground do the vines stand on` asks for `soil`: all words that are not understood together, or all words of
the question, must be much nearer to what says one relation than to what says any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cgstore.llm.backends.rewrite.asked_kinds import may_be_people
from cgstore.llm.backends.rewrite.assemble.covers import to_explain
from cgstore.llm.backends.rewrite.assemble.relations import OWN, PART, Chunk, Spoken, chunk_of, own_lemmas, said_by
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, is_counted, is_head_noun
from cgstore.llm.backends.rewrite.assemble.slots import CALLED
from cgstore.llm.backends.rewrite.assemble.tokens import Question, is_participle
from cgstore.llm.backends.rewrite.assemble.units import UNITS
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.text.likeness import CARDINALS
from cgstore.text.meaning import LEAST, LEAST_ASKED, LEAST_COUNTED, likeness_to, nearest
from cgstore.text.thesaurus import lemma, phrases_of
from cgstore.text.word_vectors import vector_of

_OTHERS = (
    "half decade century later earlier else other another instead only alone except rest together same whole belong"
)
_LIMITING = CARDINALS.keys() | set(map(lemma, _OTHERS.split()))
"""Words that change of which things or when something is asked, or that link any things: `who else`, `belong`."""

NEAR = 0.6
"""How well words near to a relation say it: a bit less than those of the thesaurus."""


_TWICE = 0.95
"""From what likeness to a relation a word says it by itself."""


def near_relations(
    question: Question, relations: Sequence[str], chunks: Sequence[Chunk], kinds: Sequence[KindChunk], read: int
) -> list[Chunk]:
    """The places where a question speaks of relations in words near to them; empty if all its words are known.

    Args:
        question: its words.
        relations: those that may be asked for.
        chunks: where it speaks of relations in known words.
        kinds: where it names kinds of things.
        read: the words that are read otherwise, as bits.
    """
    known, nouns = said_by(chunks), 0
    for kind in kinds:
        known |= kind.mask if kind.quality > PART else 0
        is_asked = bool(kind.nodes) and is_head_noun(question, kind.first)
        nouns |= kind.mask if is_asked or kind.quality >= OWN - CALLED else 0
    content = to_explain(question, read) & ~nouns
    found: dict[tuple[str, int], Chunk] = {}
    for places in _groups(question, content, content & ~known):
        for chunk in _near(question, places, relations):
            others = [each for each in chunks if each.mask & ~nouns]
            twice = any(each.relation == chunk.relation and not each.mask & chunk.mask for each in others)
            if not twice and not any(_is_of_another(each, chunk) for each in chunks):
                found[chunk.relation, chunk.mask] = chunk  # what is said elsewhere too may be asked twice
    return list(found.values())


def near_alone(question: Question, chunks: Iterable[Chunk]) -> list[Chunk]:
    """The places where words near to a relation say nothing beside it."""
    return [each for each in chunks if says_no_more(words_at(question, each), each.relation)]


def words_at(question: Question, chunk: Chunk) -> list[str]:
    """The words of a question that say a relation."""
    return [word for place, word in enumerate(question.words) if chunk.mask >> place & 1]


def says_no_more(words: Sequence[str], relation: str) -> bool:
    """Whether words say nothing beside what a relation's own word among them says: `supplies titanium` does.

    The verb beside a noun says little more: an `honorary degree` is given. What says the relation once more asks for it
    twice: what was `directed` by a `director`.
    """
    own = own_lemmas([relation])
    others = [word for word in words if lemma(word) not in own]
    rest = [word for word in others if not is_participle(word)]
    vectors = [vector for word in rest if (vector := vector_of([word]))]
    if len(others) < len(words) and any(likeness_to(each, relation) > _TWICE for each in vectors):
        return False
    asked = vector_of(rest) if rest else None
    return len(others) == len(words) or not rest or (asked is not None and likeness_to(asked, relation) >= LEAST)


def _is_of_another(said: Chunk, near: Chunk) -> bool:
    """Whether words that are near to one relation are in part the name of another: `films starred written`."""
    return said.quality >= PART and said.relation != near.relation and not said.mask & ~near.mask


def _groups(question: Question, content: int, unknown: int) -> Iterator[tuple[int, ...]]:
    """Words that may say a relation together: neighbours that are not known, all of them, all words."""
    if not unknown:
        return
    run: list[int] = []
    for place, token in enumerate(question.tokens):
        if unknown >> place & 1:
            run.append(place)
        elif run and (token.is_name or token.is_number or content >> place & 1):
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)
    left = [place for place in range(len(question.tokens)) if unknown >> place & 1]
    yield tuple(left)
    if not any(_may_say_more(question, place) for place in left):
        yield tuple(place for place in range(len(question.tokens)) if content >> place & 1)


def _may_say_more(question: Question, place: int) -> bool:
    """Whether a word may say something else than a relation that is known beside it: another one, or a longer name."""
    token, around = question.tokens[place], question.tokens[max(0, place - 1) : place + 2]
    is_owner = question.words[place + 1 : place + 2] == ("of",)
    return is_owner or token.is_participle or any(each.is_name for each in around) or bool(phrases_of(token.text))


def _near(question: Question, places: Sequence[int], relations: Sequence[str]) -> Iterator[Chunk]:
    words = [question.words[place] for place in places]
    if not all(map(_may_say_relation, words)) or (is_counted(question) and not UNITS.isdisjoint(map(lemma, words))):
        return  # no millilitres are counted by what is no number
    if is_head_noun(question, places[0]) and any(each.is_number for each in question.tokens[places[0] : places[-1]]):
        return  # `airlines with fewer than 10 planes` do not say it together
    if len(places) > 1 and is_head_noun(question, places[0]) and may_be_people(question.words[places[0]]):
        return  # the engineers of `which engineers have built in steel` are no part of what they did
    own = own_lemmas(relations) & set(map(lemma, words))
    having = [each for each in relations if own <= own_lemmas([each])]  # no word is of another relation's name
    is_asked = len(places) == 1 and is_head_noun(question, places[0])
    least = LEAST_COUNTED if is_counted(question) else LEAST_ASKED if is_asked else LEAST
    if relation := nearest(words, having, least):
        yield chunk_of(Spoken(relation, (), frozenset(), None, NEAR), places, NEAR)


def _may_say_relation(word: str) -> bool:
    """Whether a word has a meaning, and none that changes what is asked: an order in time, a number."""
    return vector_of([word]) is not None and word not in SIGNAL_OF and lemma(word) not in _LIMITING
