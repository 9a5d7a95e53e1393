"""The words of a question that no demonstration supports, so that it is not answered.

A program for other words would answer another question: "Who was the deputy of the Mayor of Halden?" is as similar to
"Who was Mayor of Halden?" as the best paraphrases are. Nor does
the similarity of single words tell synonyms apart (MiniLM places `mother` nearer to `wife` than `post` to `position`).
So every content word must be known from a demonstration of the relation, or from the relation's name. A user teaches a
word by a demonstration that uses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from cgstore.llm.demonstrations.masking import Template, unmasked
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.text.names import relation_forms, spaced

_LIGHT = """
    became become becoming bring called came come coming date dates duration get gets getting go goes going got
    happen happened human individual individuals life lifetime made make makes making mean moment named
    names one people period periods person persons point question reach reached say somebody someone take taken
    takes taking thing time times title titles took use used way year years
"""
LIGHT_WORDS = frozenset(_LIGHT.split())
"""Light verbs and general nouns, which say little about what is asked."""


class Lexicon:
    """The content words of templates by relation; None stands for templates without a relation."""

    def __init__(self, templates: Iterable[Template]) -> None:
        self._words: dict[str | None, set[str]] = {}
        for template in templates:
            for relation in template.relations or (None,):
                self._words.setdefault(relation, set()).update(content_words(template.masked))

    def unsupported(self, masked: str, relations: Mapping[str, str], known: Mapping[str, str]) -> set[str]:
        """The words of a masked question that nothing supports, for a template with these relations.

        Args:
            masked: the question.
            relations: each relation of the template, with the graph's relation that replaces it.
            known: each relation of the template, with the graph's name for the same relation.
        """
        support: set[str] = set()
        for own, relation in relations.items():
            support.update(word.text.lower() for word in words_of(spaced(relation)))
            if relation == known[own]:
                support |= self._words.get(own, set())
        if not relations:
            support = self._words.get(None, set())
        return _unsupported(masked, support)

    def unknown(self, masked: str, relations: Iterable[str]) -> set[str]:
        """The words of a masked question that no template supports in a graph with these relations."""
        support = set(self._words.get(None, ()))
        forms: set[str] = set()
        for name in relations:
            support.update(word.text.lower() for word in words_of(spaced(name)))
            forms |= relation_forms(name)
        for own, words in self._words.items():
            if own is not None and relation_forms(own) & forms:
                support |= words
        return _unsupported(masked, support)


def _unsupported(masked: str, support: Set[str]) -> set[str]:
    return {word for word in content_words(masked) if not any(same_stem(word, other) for other in support)}


def content_words(masked: str) -> Set[str]:
    """The words of a masked question without grammar (except `where`), light words and signals."""
    words = {word.text.lower() for word in words_of(unmasked(masked))}
    return words - (GRAMMAR_WORDS - {"where"}) - LIGHT_WORDS - SIGNAL_OF.keys()
