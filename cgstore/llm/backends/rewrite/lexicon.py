"""The words by which demonstrations ask about a relation: a question with other words asks about something else.

"Who was the deputy of the Mayor of Halden?" is as similar to "Who was Mayor of Halden?" as its best paraphrases are,
and the similarity of single words does not tell synonyms from other words either (by MiniLM `mother` is nearer to
`wife` than `post` to `position`). So every word that carries meaning must be known: from a demonstration of the
relation, or from the relation's name. A user teaches a word by a demonstration that uses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from cgstore.llm.backends.rewrite.signals import SIGNAL_OF
from cgstore.llm.backends.rewrite.template import Template, unmasked
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.text.names import relation_forms

_LIGHT = """
    became become becoming bring called came come coming date dates duration get gets getting go goes going got
    happen happened human individual individuals life lifetime made make makes making mean moment named
    names one people period periods person persons point question reach reached say somebody someone take taken
    takes taking thing time times title titles took use used way year years
"""
LIGHT_WORDS = frozenset(_LIGHT.split())
"""Light verbs and general nouns: they say little about what is asked."""

MIN_STEM = 4
"""Letters that two forms of one word share at its beginning, at least."""

_ENDINGS = """
    al ance ances ant d e ed ee ees ence ent ents er ers es iage iages ied ier iers ies ing ion ions ment ments or ors s
    ship ships y ying
"""
ENDINGS = frozenset(_ENDINGS.split()) | {""}
"""Endings that two forms of one word may have: `employ`, `employment`; `recently` is no form of `received`."""


class Lexicon:
    """The words of a set of demonstrations, by relation; None is for templates that use no relation."""

    def __init__(self, templates: Iterable[Template]) -> None:
        self._words: dict[str | None, set[str]] = {}
        for template in templates:
            for relation in template.relations or (None,):
                self._words.setdefault(relation, set()).update(content_words(template.masked))

    def unsupported(self, masked: str, relations: Mapping[str, str], known: Mapping[str, str]) -> set[str]:
        """The words of a masked question that nothing supports, for a template with these relations.

        Args:
            masked: the question.
            relations: the template's own relations, each with the graph's that takes its place.
            known: each of the template's own with the graph's name for the same relation.
        """
        support: set[str] = set()
        for own, relation in relations.items():
            support.update(word.text.lower() for word in words_of(relation))
            if relation == known[own]:
                support |= self._words.get(own, set())
        if not relations:
            support = self._words.get(None, set())
        return {word for word in content_words(masked) if not any(same_stem(word, other) for other in support)}

    def unknown(self, masked: str, relations: Iterable[str]) -> set[str]:
        """The words of a masked question that no template supports in a graph of these relations."""
        support = set(self._words.get(None, ()))
        forms: set[str] = set()
        for name in relations:
            support.update(word.text.lower() for word in words_of(name))
            forms |= relation_forms(name)
        for own, words in self._words.items():
            if own is not None and relation_forms(own) & forms:
                support |= words
        return {word for word in content_words(masked) if not any(same_stem(word, other) for other in support)}


def content_words(masked: str) -> Set[str]:
    """The words of a masked question that say what it is about; `where` is one, other grammar and signals are not."""
    words = {word.text.lower() for word in words_of(unmasked(masked))}
    return words - (GRAMMAR_WORDS - {"where"}) - LIGHT_WORDS - SIGNAL_OF.keys()


def same_stem(one: str, other: str) -> bool:
    """Whether two words look like forms of one: `marry`, `married`; `director`, `directed`."""
    if one == other:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= MIN_STEM and any(
        one[cut:] in ENDINGS and other[cut:] in ENDINGS for cut in range(MIN_STEM, shared + 1)
    )
