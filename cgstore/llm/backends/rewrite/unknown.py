"""The words of a question that no demonstration supports, so that it is not answered.

A program for other words would answer another question: "Who was the deputy of the Mayor of Halden?" is as similar to
"Who was Mayor of Halden?" as the best paraphrases are. Nor does
the similarity of single words tell synonyms apart (MiniLM places `mother` nearer to `wife` than `post` to `position`).
So every content word must be known from a demonstration of the relation, or from the relation's name. A user teaches a
word by a demonstration that uses it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from cgstore.llm.demonstrations.masking import unmasked
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.mapping.unknown_mentions import MIN_STEM, same_stem
from cgstore.text.names import relation_forms, spaced

_LIGHT = """
    became become becoming bring called came come coming date dates duration get gets getting go goes going got
    happen happened human individual individuals life lifetime made make makes making mean moment named
    names one people period periods person persons point question reach reached say somebody someone take taken
    takes taking thing time times title titles took use used way year years
"""
LIGHT_WORDS = frozenset(_LIGHT.split())
"""Light verbs and general nouns, which say little about what is asked."""

_DEEDS = """
    became become becoming bring called get gets getting go goes going got made make makes making reach reached take
    taken takes taking took use used
"""
_DEED_WORDS = frozenset(_DEEDS.split())
"""Light verbs by which a relation is asked for, if nothing else says it: `when did we get it` is not when it was."""


class Wording(Protocol):
    """What a lexicon reads of a demonstration: its masked question, and the relations of its program."""

    @property
    def masked(self) -> str: ...

    @property
    def relations(self) -> Collection[str]: ...


class Lexicon:
    """The content words of demonstrations by the relations of their programs; none for programs without a relation.

    A demonstration with two relations does not tell which of them a word belongs to, so its words support only programs
    that have both.
    """

    def __init__(self, demonstrations: Iterable[Wording]) -> None:
        self._words: dict[frozenset[str], set[str]] = {}
        for each in demonstrations:
            self._words.setdefault(frozenset(each.relations), set()).update(content_words(each.masked))
        self._supports: dict[frozenset[str], Support] = {}
        self._deeds = Support(word for each in demonstrations if not each.relations for word in _deeds(each.masked))

    def unsupported(self, masked: str, relations: Mapping[str, str], known: Mapping[str, str]) -> set[str]:
        """The words of a masked question that nothing supports, for a template with these relations.

        Args:
            masked: the question.
            relations: each relation of the template, with the graph's relation that replaces it.
            known: each relation of the template, with the graph's name for the same relation.
        """
        own = frozenset(each for each, relation in relations.items() if relation == known[each])
        support = self._support_of(own) if own or not relations else None
        names = Support(word for relation in relations.values() for word in _words_of_name(relation))
        deeds = set() if relations else {word for word in _deeds(masked) if not self._deeds.has(word)}
        return deeds | {
            word
            for word in content_words(masked)
            if not names.has(word) and not (support is not None and support.has(word))
        }

    def unknown(self, masked: str, relations: Iterable[str]) -> set[str]:
        """The words of a masked question that no template supports in a graph with these relations."""
        names = list(relations)
        forms = {form for name in names for form in relation_forms(name)}
        support = Support(word for name in names for word in _words_of_name(name))
        for own, words in self._words.items():
            if all(relation_forms(each) & forms for each in own):
                support.add(words)
        return {word for word in content_words(masked) if not support.has(word)}

    def _support_of(self, relations: frozenset[str]) -> Support:
        """The words of the demonstrations whose relations are among these."""
        if relations not in self._supports:
            sets = (words for own, words in self._words.items() if own <= relations and bool(own) == bool(relations))
            self._supports[relations] = Support(word for words in sets for word in words)
        return self._supports[relations]


class Support:
    """Words that are understood, and with them the words of the same stem."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._by_beginning: dict[str, set[str]] = {}
        self.add(words)

    def add(self, words: Iterable[str]) -> None:
        for word in words:
            self._by_beginning.setdefault(word[:MIN_STEM], set()).add(word)

    def has(self, word: str) -> bool:
        return any(same_stem(word, other) for other in self._by_beginning.get(word[:MIN_STEM], ()))


@lru_cache(10_000)
def _words_of_name(relation: str) -> tuple[str, ...]:
    return tuple(word.text.lower() for word in words_of(spaced(relation)))


def _deeds(masked: str) -> set[str]:
    return {word.text.lower() for word in words_of(unmasked(masked))} & _DEED_WORDS


@lru_cache(10_000)
def content_words(masked: str) -> frozenset[str]:
    """The words of a masked question without grammar (except `where`), light words and signals."""
    words = frozenset(word.text.lower() for word in words_of(unmasked(masked)))
    return words - (GRAMMAR_WORDS - {"where"}) - LIGHT_WORDS - SIGNAL_OF.keys()
