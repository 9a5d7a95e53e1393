"""How like words are in meaning to what a relation is called, and to other words for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from cgstore.text.contrasts import contrary
from cgstore.text.names import in_words
from cgstore.text.thesaurus import PREPOSITIONS, Phrase, lemma, phrases_of, units
from cgstore.text.word_vectors import Vector, likeness, vector_of

LEAST = 0.55
"""How like words must be to a name, or to other words for it, to be taken for it."""

LEAST_COUNTED = 0.75
"""The same of what is counted, which must be what is said: planes do fly, but are not where they fly to."""

LEAST_ASKED = 0.65
"""The same of a noun that says what is asked for: a fleet has captains, but is none."""

AHEAD = 0.15
"""How much less like any other name must be."""

_LITTLE = """
    a an the its his her their is was are were be been has have had do does did that which who what where when how
    size number total name count amount value id no
"""
_SAYING_LITTLE = PREPOSITIONS | frozenset(_LITTLE.split())


def nearest(words: Iterable[str], names: Iterable[str], least: float = LEAST) -> str:
    """The one of some names that words in lower case are near to in meaning; empty if none is, or several are.

    Args:
        words: that may ask for a relation together.
        names: of relations.
        least: how like the words must be to it, from 0 to 1.
    """
    words = list(words)
    asked = vector_of(words)
    if asked is None:
        return ""
    text = " ".join(words)
    like = {
        name: likeness_to(asked, name)
        for name in names
        if not (_is_compound_of(name, words) or contrary(text, in_words(name)))
    }
    return _ahead(like, least)


def _ahead(like: Mapping[str, float], least: float) -> str:
    ranked = sorted(like, key=lambda name: -like[name])
    if not ranked or like[ranked[0]] < least:
        return ""
    return ranked[0] if len(ranked) == 1 or like[ranked[0]] > like[ranked[1]] + AHEAD else ""


def likeness_to(asked: Vector, name: str) -> float:
    """How like words are in meaning to a name, or to the other words for it that are most like them."""
    return max((likeness(asked, each) for each in _vectors(name)), default=0.0)


@lru_cache(4_000)
def _vectors(name: str) -> tuple[Vector, ...]:
    """What a name means, and each of the other words for it."""
    others = (phrase.text.lower() for phrase in phrases_of(name) if not _names_head(phrase))
    found = [vector_of(_content(text)) for text in (in_words(name), *others)]
    return tuple(dict.fromkeys(each for each in found if each))


def _names_head(phrase: Phrase) -> bool:
    """Whether a phrase is a noun for what has a relation, as `airline` for `flies to`."""
    return phrase.inverse and len(phrase.text.split()) == 1 and not phrase.text.endswith(("s", "ed"))


def _content(text: str) -> list[str]:
    """The words that tell what is meant, or all if none does: `fleet` of `fleet_size`."""
    words = text.split()
    return [word for word in words if word not in _SAYING_LITTLE and lemma(word) not in units()] or words


def _is_compound_of(name: str, words: Iterable[str]) -> bool:
    """Whether one of some words is another one that ends with a word of a name: a `grandmother` is no `mother`."""
    own = [each for each in in_words(name).split() if len(each) > 3]
    return any(word != each and word.removesuffix("s").endswith(each) for word in words for each in own)
