"""How like words are in meaning to what a relation is called, and to other words for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cgstore.llm.backends.rewrite.assemble.tokens import DROPPED
from cgstore.llm.backends.rewrite.assemble.units import UNITS
from cgstore.llm.backends.rewrite.relation_words import in_words
from cgstore.text.thesaurus import Phrase, lemma, phrases_of
from cgstore.text.word_vectors import Vector, likeness, vector_of

_SAYING_LITTLE = frozenset(["size", "number", "total", "name", "count", "amount", "value"])


def likeness_to(asked: Vector, relation: str) -> float:
    """How like words are in meaning to a relation's name, or to the other words for it that are most like them."""
    return max((likeness(asked, each) for each in _vectors(relation)), default=0.0)


@lru_cache(2_000)
def _vectors(relation: str) -> tuple[Vector, ...]:
    """What a relation's name means, and each of the other words for it."""
    said = [in_words(relation), *(phrase.text.lower() for phrase in phrases_of(relation) if not _names_head(phrase))]
    found = [vector_of(_content(text.split())) for text in said]
    return tuple(dict.fromkeys(each for each in found if each))


def _names_head(phrase: Phrase) -> bool:
    """Whether a phrase is a noun for what has the relation, as `airline` for `flies to`."""
    return phrase.inverse and len(phrase.text.split()) == 1 and not phrase.text.endswith(("s", "ed"))


def _content(words: Sequence[str]) -> Sequence[str]:
    """The words that tell what is meant, or all if none does: `fleet` of `fleet_size`."""
    left = [word for word in words if word not in DROPPED]
    return [word for word in left if word not in _SAYING_LITTLE and lemma(word) not in UNITS] or left or words
