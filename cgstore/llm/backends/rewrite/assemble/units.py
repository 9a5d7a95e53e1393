"""Units of numbers, in the names of relations and in questions: `length_km`, `how many kilometres`."""

from __future__ import annotations

from cgstore.text.names import in_words
from cgstore.text.thesaurus import lemma, units

UNITS = frozenset(units())
"""Words for units, by their lemmas."""

_RATES = """
    speed velocity kmh kph mph knot age temperature rating rank score percent pct rate density height altitude
    elevation depth latitude longitude degree floor
"""
_NOT_ADDED = frozenset(map(lemma, _RATES.split()))


def units_of(relation: str) -> frozenset[str]:
    """The units in a relation's name, each by its shortest form."""
    return frozenset(unit for word in in_words(relation).split() for unit in units().get(lemma(word), ()))


def is_unit_of(word: str, relation: str) -> bool:
    """Whether a word is the unit of a relation, in any form: `kilometres` of `length_km`."""
    return not units().get(lemma(word), frozenset()).isdisjoint(units_of(relation))


def is_added(relation: str) -> bool:
    """Whether the numbers of several things add up: lengths and prices do, speeds and ages do not."""
    return _NOT_ADDED.isdisjoint(map(lemma, in_words(relation).split()))
