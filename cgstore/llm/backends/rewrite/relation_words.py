"""How people speak of a graph's relations: by their names, by demonstrations of them, by those of their like, and by
the other words of the thesaurus (see `other_words`).

A relation `won` is spoken of with the words of demonstrations of `award received` (prize, medal, awarded), since `won`
is one of these words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cgstore.llm.backends.compose.words import name_stems, stem
from cgstore.llm.backends.rewrite.other_words import OtherWords, other_words, says
from cgstore.llm.backends.rewrite.unknown import content_words
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.text.names import in_words, normal_form, relation_forms
from cgstore.text.thesaurus import PREPOSITIONS, lemma

_BOTH_WAYS = (
    "spouse married sibling partner border borders relative cousin colleague twinned war treaty dispute conflict feud"
    " coalition allied alliance ally collaborated collaborator collaborates rival rivalry friend friends neighbour"
    " neighbor twin roommate flatmate teammate"
)
_MUTUAL = frozenset(_BOTH_WAYS.split())
_OFFICE = "office position post role job title hold held holding serve served serving term "
_REIGN = "reign reigned reigning rule ruled "
_PEOPLE = "person persons people individual individuals human year years date dates time times became become"
_UNDER = tuple((lemma(one), lemma(other)) for one, other in (("prior", "abbot"), ("prioress", "abbess")))
"""Offices that are at the head of something only where the other one is not there."""
OFFICE = frozenset((_OFFICE + _REIGN + _PEOPLE).split())
"""Words that say that somebody has something, beside the noun that says what."""


@dataclass(frozen=True)
class Said:
    """A relation that words say, with how many words of its own name are among them, and how many are not."""

    relation: str
    own: int
    others: int


class RelationWords:
    """The words by which relations are spoken of.

    Args:
        relations: those of the graph.
        taught: masked questions of demonstrations with one relation, and the relation.
    """

    def __init__(self, relations: Iterable[str], taught: Iterable[tuple[str, str]]) -> None:
        by_taught: Mapping[str, set[str]] = defaultdict(set)
        for masked, relation in taught:
            by_taught[relation].update(content_words(masked))
        stems = {relation: frozenset(map(stem, words)) for relation, words in by_taught.items()}
        lemmas = {relation: frozenset(map(lemma, words)) for relation, words in by_taught.items()}
        self._own: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, frozenset[str]] = {}
        written: set[str] = set()
        for relation in relations:
            own, forms = name_stems(in_words(relation)), relation_forms(relation)
            known = [each for each in stems if relation_forms(each) & forms]
            said = {lemma(word) for word in content_words(in_words(relation))}  # a `governor` is no `government`
            alike = known or [each for each, words in lemmas.items() if said and words >= said]
            self._own[relation] = own
            self._words[relation] = frozenset(own).union(*(stems[each] for each in alike))
            written.update(normal_form(in_words(relation)).split(), *(by_taught[each] for each in alike))
            written.update(word for words in other_words(relation) for word in words.text.split())
        self.written = frozenset(written)
        """The words as they are written, in lower case."""

    def said_by(self, words: Sequence[str]) -> list[Said]:
        """The relations that all of the words may say, the likeliest ones; none if a word belongs to none of them."""
        found = []
        for relation, own in self._own.items():
            wanted = [stem(word) for word in words if word not in OFFICE or _has(own, stem(word))]
            wanted = wanted or [stem(word) for word in words]
            if wanted and all(_has(self._words[relation], word) for word in wanted):
                said = sum(any(_is(each, word) for word in wanted) for each in own)
                found.append(Said(relation, said, len(own) - said))
        best = min(((-each.own, each.others) for each in found), default=None)
        return [each for each in found if (-each.own, each.others) == best]

    def meant_by(self, words: Sequence[str], text: str, free: bool) -> list[tuple[str, OtherWords]]:
        """The relations that all of the words say as the thesaurus has it, each with its phrase.

        Args:
            words: those of a question that say what is asked.
            text: the question, for its prepositions.
            free: whether what is asked for may stand in the place of a preposition.
        """
        said = frozenset(text.split()) & PREPOSITIONS
        words = [word for word in words if word not in PREPOSITIONS]
        for content in dict.fromkeys([tuple(words), tuple(word for word in words if word not in OFFICE)]):
            found = [(r, o) for r in self._own for o in other_words(r) if content and says(o, content, said, free)]
            if found:
                return found
        return []

    @property
    def relations(self) -> tuple[str, ...]:
        """Those of the graph."""
        return tuple(self._own)

    def is_word(self, word: str) -> bool:
        """Whether a word says one of the relations."""
        return any(_has(words, stem(word)) for words in self._words.values()) or lemma(word) in self._lemmas

    @cached_property
    def _lemmas(self) -> frozenset[str]:
        """The words of the phrases that the thesaurus has for the relations."""
        return frozenset(each for relation in self._own for said in other_words(relation) for each in said.lemmas)

    def speaks_of(self, word: str, relation: str) -> bool:
        """Whether a word is one of those by which people speak of a relation."""
        return _has(self._words.get(relation, ()), stem(word))

    def names_relation(self, noun: str) -> bool:
        """Whether a noun is a word of a relation's name, or another one for a relation: `stadium` for `home ground`."""
        others = (said.text for relation in self._own for said in other_words(relation))
        return self.is_own(noun) or noun in others

    def is_own(self, word: str) -> bool:
        """Whether a word is one of a relation's name."""
        return any(_has(words, stem(word)) for words in self._own.values())


def without_narrower(relations: Sequence[str], words: Iterable[str]) -> list[str]:
    """The relations without those that say more than another one does, if no word says it: an assistant keeper."""
    said = set(map(lemma, words))
    own = {relation: set(map(lemma, in_words(relation).split())) for relation in relations}

    def is_under(one: str, other: str) -> bool:
        is_part = own[other] < own[one] and said.isdisjoint(own[one] - own[other])
        return is_part or any(under in own[one] - said and over in own[other] for under, over in _UNDER)

    return [one for one in relations if not any(is_under(one, other) for other in relations)]


def is_mutual(relation: str) -> bool:
    """Whether a relation holds in both directions: a spouse is a spouse's spouse."""
    return not _MUTUAL.isdisjoint(in_words(relation).split())


def _has(stems: Iterable[str], word: str) -> bool:
    return any(_is(each, word) for each in stems)


def _is(one: str, other: str) -> bool:
    return one == other or same_stem(one, other)
