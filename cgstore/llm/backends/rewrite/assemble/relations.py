"""Where a question speaks of a relation: by its own words, by words of the same verb, or by those of the thesaurus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from cgstore.llm.backends.compose.words import stem
from cgstore.llm.backends.rewrite.assemble.signals import is_head_noun
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, DROPPED, Question, is_participle
from cgstore.llm.backends.rewrite.assemble.units import UNITS
from cgstore.text.names import in_words
from cgstore.text.thesaurus import IRREGULAR, PLACE_WORDS, PREPOSITIONS, Phrase, is_kept, lemma, phrases_of

OWN, RELATED, PART, OTHER = 1.0, 0.85, 0.75, 0.7
"""How well words say a relation: its own name; another form of it; a part of it; other words of the thesaurus."""

PLACED = 0.8
"""How well a noun for a place that the graph does not know says that something is in one."""

_SAYING_LITTLE = "year date name number time amount has have is was total id eur usd"
_GENERIC = frozenset(map(lemma, _SAYING_LITTLE.split()))
"""Words of a relation's name that may be left out: `built` says `year built`."""

_FINITE = re.compile(r"[^\W_]+(?<![sui])s|[^\W_]+ed by")
"""A phrase of the list that is one verb, as `services` or `serviced by`; its nouns are singular."""

_AGENTS = ("er", "ers", "or", "ors", "ress", "resses")
_VERB_ENDINGS = ("e", "es", "ed", "s", "ing")
_WHERE = frozenset(["in", "at"])
_OF_PLACES = frozenset(["in", "at", "on", "from"])
_AROUND_FOR = frozenset(["in", "at", "on", "from"])
_LYING_WORDS = "located location lies situated based hosted stands grows housed kept stored"
LYING = frozenset(_LYING_WORDS.split())
"""Words of relations that say where something is."""

MOST_BETWEEN = 3
"""Words that may stand between those of one phrase."""


@dataclass(frozen=True)
class Spoken:
    """Words by which a relation may be spoken of.

    `inverse`: their subject is the tail; None: it is not known. `is_verb`: made of a verb with `by`, so that the same
    word as a noun (`captain of`) says who does it. `is_finite`: a verb, so that the same word as a noun is another one.
    """

    relation: str
    lemmas: tuple[str, ...]
    joins: frozenset[str]
    inverse: bool | None
    quality: float
    is_verb: bool = False
    is_finite: bool = False


@dataclass(frozen=True)
class Chunk:
    """A place where a question speaks of a relation; `first` and `last` are its outermost words, `mask` all of them."""

    spoken: Spoken
    first: int
    last: int
    mask: int
    quality: float

    @property
    def relation(self) -> str:
        """The relation."""
        return self.spoken.relation


def said_by(chunks: Sequence[Chunk]) -> int:
    """The words, as bits, that say relations."""
    said = 0
    for chunk in chunks:
        said |= chunk.mask
    return said


@lru_cache(64)
def spoken_of(relations: tuple[str, ...]) -> tuple[Spoken, ...]:
    """All words by which relations may be spoken of."""
    return tuple(each for relation in relations for each in _spoken(relation))


def _spoken(relation: str) -> Iterator[Spoken]:
    words = in_words(relation).split()
    yield from _of_phrase(relation, words, OWN, None)
    for phrase in phrases_of(relation):
        is_finite = _FINITE.fullmatch(phrase.text) is not None
        words = [word for word in phrase.text.lower().replace("-", " ").split() if word not in ("which", "what")]
        for spoken in _of_phrase(relation, words, OTHER, phrase):
            yield replace(spoken, is_finite=is_finite)


def _of_phrase(relation: str, words: Sequence[str], quality: float, phrase: Phrase | None) -> Iterator[Spoken]:
    """One phrase in its forms: with `by` or `of`, the verb and the noun in it have the other direction."""
    inverse = phrase.inverse if phrase else False
    content = tuple(lemma(word) for word in words if word not in PREPOSITIONS and lemma(word) not in _SMALL)
    joins = frozenset(word for word in words if word in PREPOSITIONS)
    if not content:
        return
    if words[-1] == "by":
        yield Spoken(relation, content, frozenset(), not inverse, quality, is_verb=True)
    elif words[-1] == "of" and len(joins) == 1 and not is_participle(words[-2]):
        yield Spoken(relation, content, frozenset(), not inverse, quality)
    else:
        yield Spoken(relation, content, joins, inverse, quality)
        if phrase is None and joins:
            yield Spoken(relation, content, frozenset(), None, PART)
    if phrase is None and "in" in words[1:-1]:
        before = tuple(lemma(word) for word in words[: words.index("in")] if lemma(word) not in _SMALL)
        yield Spoken(relation, before, frozenset(), inverse, OWN - 0.05)  # `land in acres`
    bare = tuple(each for each in content if each not in _GENERIC | UNITS)
    unitless = tuple(each for each in content if each not in UNITS)
    for said in dict.fromkeys((bare, unitless)) if phrase is None else ():
        if said and said != content:
            yield Spoken(relation, said, frozenset(), inverse, OWN - 0.05)
    if phrase is None and "of" in words[1:-1]:
        owned = tuple(lemma(word) for word in words[: words.index("of")])
        if not _GENERIC.issuperset(owned):
            yield Spoken(relation, owned, frozenset(), inverse, PART)  # `head of ward` says who is the head
    elif phrase is None and len(bare) > 1:
        is_between = words[-1] in PREPOSITIONS and len(words) == 3 and words[0].endswith(("s", "ed"))
        # `milk` of `supplies milk to` is on neither side
        yield Spoken(relation, bare[-1:], frozenset(), None if is_between else inverse, PART)
        if words[0].endswith(("s", "ed")) or words[0] in IRREGULAR:
            yield Spoken(relation, bare[:1], frozenset(), inverse, PART)  # `uses` of `uses database`


SMALL_WORDS = frozenset(["a", "an", "the", "is", "was", "been", "be", "its", "his", "her"])
"""Words of a relation's name that are only grammar."""

_SMALL = frozenset(map(lemma, SMALL_WORDS))


def chunks_in(question: Question, relations: Sequence[str], numeric: Set[str] = frozenset()) -> list[Chunk]:
    """The places where a question speaks of relations, each as well as it can be said.

    Args:
        question: its words.
        relations: those of the graph.
        numeric: relations of numbers, whose prepositions belong to the number.
    """
    places: dict[str, list[int]] = {}
    stems: dict[str, list[int]] = {}
    for place, token in enumerate(question.tokens):
        if not (token.is_name or token.is_number):
            places.setdefault(token.lemma, []).append(place)
            stems.setdefault(stem(token.text), []).append(place)
    found: dict[tuple[str, int], Chunk] = {}
    for spoken in spoken_of(tuple(relations)):
        if spoken.relation in numeric and spoken.joins:
            spoken = replace(spoken, joins=frozenset())
        for chunk in _chunks(question, spoken, places, stems):
            if spoken.relation in numeric and _is_agent(question.words[chunk.last], spoken):
                continue  # a builder is not how many were built
            if spoken.relation in numeric and _is_of_counted(question, chunk):
                continue
            key = (chunk.relation, chunk.mask)
            if key not in found or found[key].quality < chunk.quality:
                found[key] = chunk
            elif found[key].quality == chunk.quality or _is_noun(chunk.relation):
                found[key] = _both_ways(found[key], chunk)
    return list(found.values())


def _is_of_counted(question: Question, chunk: Chunk) -> bool:
    """Whether it is asked which things there are, of which a relation says how many: `which animal`."""
    name = in_words(chunk.relation)
    counted = name.startswith("number of ") or name.endswith((" size", " count"))
    if not counted or any(word in question.words for word in ("number", "size", "count")):
        return False
    return is_head_noun(question, chunk.first) and "many" not in question.words


def _is_agent(word: str, spoken: Spoken) -> bool:
    """Whether a word says who does what a relation says only in another form."""
    return word.endswith(_AGENTS) and lemma(word) not in spoken.lemmas


def own_lemmas(relations: Sequence[str]) -> frozenset[str]:
    """The words of the names of relations."""
    return frozenset(lemma(word) for relation in relations for word in in_words(relation).split()) - _GENERIC


def own_nouns(relations: Sequence[str]) -> frozenset[str]:
    """The words of own names that are no first part of a compound: `engineer` of `race engineer`."""
    names = [in_words(relation).split() for relation in relations]
    compounds = [
        name for name in names if len(name) > 1 and PREPOSITIONS.isdisjoint(name) and not is_participle(name[0])
    ]
    firsts = {lemma(word) for name in compounds for word in name[:-1]}
    others = {lemma(word) for name in names for word in (name[-1:] if name in compounds else name)}
    return own_lemmas(relations) - (firsts - others)


def _is_noun(relation: str) -> bool:
    """Whether a relation is called by one noun, such as `mentor`, which may be a verb with the other direction."""
    name = in_words(relation)
    return " " not in name and not name.endswith(("s", "ed")) and name not in IRREGULAR


def is_own_noun(chunk: Chunk) -> bool:
    """Whether words are a noun that a relation is called by, which names its tails: `head cheesemaker`."""
    words = in_words(chunk.relation).split()
    is_verb = words[0].endswith(("s", "ed")) or words[-1].endswith("s") or not IRREGULAR.isdisjoint(words)
    return chunk.quality == OWN and not (is_verb or chunk.spoken.is_verb) and PREPOSITIONS.isdisjoint(words)


def _both_ways(one: Chunk, other: Chunk) -> Chunk:
    """A word with both directions: as a verb the inverse one (`skippers`), as a noun the other (`skipper of`)."""
    if (
        one.spoken.lemmas != other.spoken.lemmas
        or one.spoken.inverse == other.spoken.inverse
        or None in (one.spoken.inverse, other.spoken.inverse)
    ):
        return one
    if one.spoken.joins or other.spoken.joins:
        return replace(one, spoken=replace(one.spoken, inverse=None))
    return replace(one, spoken=replace(one.spoken, inverse=True, is_verb=True))


def _chunks(
    question: Question, spoken: Spoken, places: dict[str, list[int]], stems: dict[str, list[int]]
) -> Iterator[Chunk]:
    if not all(join in question.words or _is_asked_for(join, question) for join in spoken.joins):
        return
    if all(each in places for each in spoken.lemmas):
        for taken in product(*(places[each] for each in spoken.lemmas)):
            if spoken.is_finite and (is_head_noun(question, taken[0]) or _is_behind_article(question, taken[0])):
                continue  # `which services depend on it` asks for services, not for who services something
            if _is_together(question, taken) and not _is_other_noun(question, spoken, taken):
                is_gerund = any(question.words[place].endswith("ing") for place in taken)
                yield chunk_of(spoken, taken, min(spoken.quality, RELATED) if is_gerund else spoken.quality)
    elif len(spoken.lemmas) == 1 and spoken.quality >= PART and spoken.quality != OTHER:
        for place in stems.get(stem(spoken.lemmas[0]), ()):
            if is_kept(question.words[place]):
                continue  # a wine is nothing that is won
            if spoken.lemmas[0].endswith("eer") and "eer" not in question.words[place]:
                continue  # engines are no engineer
            if (spoken.joins and question.words[place].endswith(_AGENTS)) or _is_other_noun(question, spoken, [place]):
                continue  # the maker of a lute is not what it is made of
            yield chunk_of(_in_other_form(spoken, question.words[place]), (place,), min(spoken.quality, RELATED))


def _is_behind_article(question: Question, place: int) -> bool:
    """Whether a word in the form of a noun stands behind an article: `a bottle of it` is not who bottles it."""
    return place > 0 and question.words[place - 1] in ARTICLES


def _in_other_form(spoken: Spoken, word: str) -> Spoken:
    """Words for a relation with the direction that another form of its one word has.

    Who `advises` somebody is the advisor, the tail; `directors` have the other direction of `directed`. Of other forms
    the direction is not known.
    """
    if spoken.inverse is None:
        return replace(spoken, is_verb=False)
    is_agent, is_of_agent = word.endswith(_AGENTS), spoken.lemmas[0].endswith(_AGENTS)
    if is_of_agent and not is_agent and (word.endswith(_VERB_ENDINGS) or word in IRREGULAR):
        return replace(spoken, inverse=not spoken.inverse, is_verb=True)
    return replace(spoken, inverse=not spoken.inverse if is_agent and not is_of_agent else None, is_verb=False)


def chunk_of(spoken: Spoken, taken: Sequence[int], quality: float) -> Chunk:
    mask = 0
    for place in taken:
        mask |= 1 << place
    return Chunk(spoken, min(taken), max(taken), mask, quality)


def _is_together(question: Question, taken: Sequence[int]) -> bool:
    """Whether only small words and names stand between the words of a phrase."""
    first, last = min(taken), max(taken)
    between = [question.tokens[place] for place in range(first, last) if place not in taken]
    return len(between) <= MOST_BETWEEN and all(token.is_name or token.text in DROPPED for token in between)


def _is_other_noun(question: Question, spoken: Spoken, taken: Sequence[int]) -> bool:
    """Whether a verb stands as a noun that says something else: `a living` for `lived at`, `which painting`."""
    first = min(taken)
    word = question.words[first].removesuffix("s")
    if not word.endswith("ing") or spoken.quality == OTHER or word in in_words(spoken.relation).split():
        return False
    return is_head_noun(question, first) or (spoken.inverse is None and question.words[first - 1] in ("a", "the"))


def _is_asked_for(join: str, question: Question) -> bool:
    """Whether `where` or `when` stands in the place of a preposition with what is asked for."""
    if join in _WHERE and not _WHERE.isdisjoint(question.words):
        return True
    is_fronted = question.words[0] in _AROUND_FOR and question.words[1:2] in (("which",), ("what",))
    return join in _AROUND_FOR and ("where" in question.words or "when" in question.words or is_fronted)


def is_of_place(question: Question, relation: str, said: Sequence[Chunk]) -> bool:
    """Whether a relation, by its name or by the words that say it, has places as its tails."""
    words = in_words(relation).split()
    nouns = {question.words[place] for chunk in said for place in range(chunk.first, chunk.last + 1)}
    has_join = any(chunk.spoken.joins & _OF_PLACES for chunk in said)
    return words[-1] in _OF_PLACES or has_join or not (PLACE_WORDS | LYING).isdisjoint({*words, *nouns})


def says_place(relation: str) -> bool:
    """Whether a relation says where something is, and not of what kind the place is: `lies on the river`."""
    words = in_words(relation).split()
    nouns = {*words} - LYING - PLACE_WORDS - PREPOSITIONS - SMALL_WORDS
    return not LYING.isdisjoint(words) and not nouns


def lies_in(relation: str) -> bool:
    """Whether a relation says where something is, or in what its place is: `lies on the river`, `country`."""
    words = in_words(relation).split()
    return not LYING.isdisjoint(words) or words[-1] in PLACE_WORDS
