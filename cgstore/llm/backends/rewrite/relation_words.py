"""How people speak of a graph's relations: by their names, by demonstrations of them, and by those of their like.

A relation `won` is spoken of with the words of demonstrations of `award received` (prize, medal, awarded), since `won`
is one of these words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cgstore.llm.backends.compose.words import name_stems, stem
from cgstore.llm.backends.rewrite.unknown import content_words
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.text.names import normal_form, relation_forms, spaced

_OFFICE = "office position post role job title hold held holding serve served serving term "
_REIGN = "reign reigned reigning rule ruled "
_PEOPLE = "person persons people individual individuals human year years date dates time times became become"
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
        self._own: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, frozenset[str]] = {}
        written: set[str] = set()
        for relation in relations:
            own, forms = name_stems(in_words(relation)), relation_forms(relation)
            known = [each for each in stems if relation_forms(each) & forms]
            alike = known or [each for each, words in stems.items() if own and words >= set(own)]
            self._own[relation] = own
            self._words[relation] = frozenset(own).union(*(stems[each] for each in alike))
            written.update(normal_form(in_words(relation)).split(), *(by_taught[each] for each in alike))
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

    def is_word(self, word: str) -> bool:
        """Whether a word says one of the relations."""
        return any(_has(words, stem(word)) for words in self._words.values())

    def speaks_of(self, word: str, relation: str) -> bool:
        """Whether a word is one of those by which people speak of a relation."""
        return _has(self._words.get(relation, ()), stem(word))

    def is_own(self, word: str) -> bool:
        """Whether a word is one of a relation's name."""
        return any(_has(words, stem(word)) for words in self._own.values())


def in_words(relation: str) -> str:
    """A relation's name as words in lower case: `designed by` for `designedBy` and `designed_by`."""
    return spaced(relation).replace("_", " ").lower()


def _has(stems: Iterable[str], word: str) -> bool:
    return any(_is(each, word) for each in stems)


def _is(one: str, other: str) -> bool:
    return one == other or same_stem(one, other)
