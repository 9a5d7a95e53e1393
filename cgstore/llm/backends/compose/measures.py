"""What the values of a column measure, by their unit, and the words that ask for it: `weigh` for `Mass (kg)`.

A unit stands in brackets or at the end of a name (`Length (km)`, `weight_kg`), or in the cells (`118 min`, `€95`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cgstore.llm.backends.compose.words import word_list, word_set

_UNITS = """
    money: € 1, eur 1, euro 1, euros 1, $ 1, usd 1, dollar 1, dollars 1, £ 1, gbp 1, pound 1, pounds 1, chf 1, francs 1,
        ¥ 1, yen 1, k€ 1000, keur 1000, k$ 1000, kusd 1000, k£ 1000, kgbp 1000, m€ 1000000, meur 1000000, m$ 1000000,
        m£ 1000000, eur_m 1000000, usd_m 1000000
    weight: kg 1, kgs 1, kilo 1, kilos 1, kilogram 1, kilograms 1, g 0.001, gram 0.001, grams 0.001, t 1000,
        tonne 1000, tonnes 1000, ton 1000, tons 1000, lb 0.45359237, lbs 0.45359237, oz 0.028349523
    length: m 1, metre 1, metres 1, meter 1, meters 1, km 1000, kilometre 1000, kilometres 1000, kilometer 1000,
        kilometers 1000, cm 0.01, centimetres 0.01, centimeters 0.01, mm 0.001, mi 1609.344, mile 1609.344,
        miles 1609.344, nm 1852, nmi 1852, ft 0.3048, foot 0.3048, feet 0.3048, in 0.0254, inch 0.0254, inches 0.0254
    time: s 1, sec 1, secs 1, second 1, seconds 1, min 60, mins 60, minute 60, minutes 60, h 3600, hr 3600, hrs 3600,
        hour 3600, hours 3600
    area: ha 10000, hectare 10000, hectares 10000, acre 4046.856, acres 4046.856, m2 1, m² 1, sqm 1, km2 1000000,
        km² 1000000
    volume: l 1, litre 1, litres 1, liter 1, liters 1, ml 0.001, hl 100
"""
_ASKING = """
    money: cost costs costing cheap cheaper cheapest expensive pricey priciest costly costliest dear dearer
        dearest pay pays paid paying spend spends spent spending money earn earns earned bring brings brought
        fetch fetches fetched price charges charged bill billed worth
    weight: weigh weighs weighed weight mass heavy heavier heaviest light lighter lightest
    length: long longer longest length far farther farthest further furthest distance tall taller tallest high higher
        highest height deep deeper deepest wide wider widest
    time: long longer longest last lasts lasted lasting duration runtime
    area: area big bigger biggest large larger largest small smaller smallest size
    volume: volume
"""


_NAMED = """
    money: price cost costs fee fees fare revenue income salary wage pay spent budget turnover rent gross
    weight: weight mass
    length: length distance height altitude elevation depth width
    time: duration runtime
    area: area hectares acres
"""


class Unit(NamedTuple):
    """What a unit measures, and how many of the basic unit it is."""

    measure: str
    factor: float


def _units() -> dict[str, Unit]:
    found = {}
    for measure, names in _sections(_UNITS):
        for each in names.split(","):
            name, _, factor = each.strip().rpartition(" ")
            found[name.replace("_", " ")] = Unit(measure, float(factor))
    return found


def _sections(text: str) -> list[tuple[str, str]]:
    """The names and the lists of a text of sections."""
    found: list[tuple[str, str]] = []
    for line in text.strip().splitlines():
        name, colon, rest = line.strip().partition(": ")
        if colon:
            found.append((name, rest))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    return found


UNITS_OF = _units()
"""The units, in lower case."""

_MEASURES_OF: dict[str, set[str]] = {}
for _measure, _words in _sections(_ASKING):
    for _word in word_list(_words):
        _MEASURES_OF.setdefault(_word, set()).add(_measure)

MEASURES_NAMED = {word: measure for measure, words in _sections(_NAMED) for word in word_list(words)}
"""What columns measure by words of their names, where they have no unit."""

SPELT_UNITS = frozenset(name for name in UNITS_OF if len(name) > 1 and name.isalpha() and name != "in")
"""Units as questions have them."""


OF_ONE = frozenset(("each", "apiece"))
"""Words of columns of what one of several has."""


def is_price_of_one(words: Sequence[str]) -> bool:
    """Whether the name of a column of money says that it is for one of several things: `price each`, `unit price`."""
    return not OF_ONE.isdisjoint(words) or (words[0] == "unit" and len(words) > 1)


def unit_called(text: str) -> Unit | None:
    """The unit of a name in brackets or of a word."""
    return UNITS_OF.get(" ".join(text.lower().strip(" .()[]").split()))


def measures_asked(form: str) -> set[str]:
    """What a word asks to be measured: `heavier` the weight, `kilos` too."""
    found = _MEASURES_OF.get(form, set())
    return found | {UNITS_OF[form].measure} if form in SPELT_UNITS else found


def asks_measure(form: str, measure: str, name: Sequence[str]) -> bool:
    """Whether a word asks for the numbers of a column, by what they measure and the words of its name.

    What somebody earns is no cost, and what somebody spends is no salary.
    """
    if not (_COSTS if form in _EARNING else _PAY if form in _SPENDING else frozenset()).isdisjoint(name):
        return False
    return measure in measures_asked(form)


_EARNING = word_set("earn earns earned earning")
_SPENDING = word_set("spend spends spent spending bill bills billed")
_COSTS = word_set("cost costs price prices spent paid expense expenses charge charges")
_PAY = word_set("salary salaries wage wages income pay earnings revenue turnover bonus stipend")
