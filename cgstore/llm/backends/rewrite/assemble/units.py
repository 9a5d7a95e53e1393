"""Units of numbers, in the names of relations and in questions: `length_km`, `how many kilometres`."""

from __future__ import annotations

from cgstore.llm.backends.rewrite.relation_words import in_words
from cgstore.text.thesaurus import lemma

_UNITS = """
    km kilometre kilometer, m metre meter, cm centimetre centimeter, mm millimetre millimeter, mi mile, ft foot feet,
    inch inches, yd yard, nm, kg kilo kilogram kilogramme, g gram gramme, t ton tonne, lb pound, stone,
    ha hectare, acre, sqm, sqkm, l litre liter, ml, gallon, kmh kph, mph, knot, minute min, second sec, hour hr,
    eur euro, usd dollar, gbp pound, chf franc, gb gigabyte, mb megabyte, tb terabyte, kw kilowatt, mw megawatt,
    percent pct, degree, volt, watt, bar
"""
_ENTRIES = [[lemma(word) for word in entry.split()] for entry in _UNITS.replace("\n", " ").split(",")]
_OF: dict[str, frozenset[str]] = {
    word: frozenset(entry[0] for entry in _ENTRIES if word in entry) for entry in _ENTRIES for word in entry
}
UNITS = frozenset(_OF) | {lemma("days")}
"""Words for units, by their lemmas."""

_RATES = """
    speed velocity kmh kph mph knot age temperature rating rank score percent pct rate density height altitude
    elevation depth latitude longitude degree floor
"""
_NOT_ADDED = frozenset(map(lemma, _RATES.split()))


def units_of(relation: str) -> frozenset[str]:
    """The units in a relation's name, each by its shortest form."""
    return frozenset(unit for word in in_words(relation).split() for unit in _OF.get(lemma(word), ()))


def is_unit_of(word: str, relation: str) -> bool:
    """Whether a word is the unit of a relation, in any form: `kilometres` of `length_km`."""
    return not _OF.get(lemma(word), frozenset()).isdisjoint(units_of(relation))


def is_added(relation: str) -> bool:
    """Whether the numbers of several things add up: lengths and prices do, speeds and ages do not."""
    return _NOT_ADDED.isdisjoint(map(lemma, in_words(relation).split()))
