"""Words that make two names that are alike the names of different things: `start date` is not `end date`.

Spelling and vectors put such names close to each other: the words stand in the same places of the same sentences.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from cgstore.text.names import normal_form

_CONTRASTS = """
    start starts started starting begin begins began beginning first opening opened from : end ends ended ending finish
        finishes finished last final closing closed to
    birth born birthplace birthday : death died deaths burial buried
    father : mother
    son sons : daughter daughters
    brother brothers : sister sisters
    husband : wife
    uncle : aunt
    nephew : niece
    king : queen
    parent parents father mother : child children son daughter sons daughters
    male men mens man boys : female women womens woman girls
    senior : junior
    north northern : south southern
    east eastern : west western
    north northern south southern : east eastern west western
    northeast northeastern northwest northwestern : southeast southeastern southwest southwestern
    upper top highest high maximum max most largest greatest : lower bottom lowest low minimum min least smallest fewest
    left : right
    home : away
    before previous predecessor precedes preceded : after next successor follows followed
    win won wins winner winners : lose lost losses loser losers loss
    received awarded : nominated nominee nominations
    employer : employee employees
    trainer : trainee
    buyer purchaser bought : seller vendor sold
    import imports : export exports
    arrival arrivals arrives : departure departures departs
    origin source : destination target mouth
    income revenue revenues : expenses expense costs
    old : new
    public : private
    input : output
    gross : net
    mph mi miles : km kmh kilometres kilometers
"""
"""Groups of words of which one excludes the other, in normal form."""

_QUALIFIERS = frozenset(("vice", "deputy", "former", "acting", "assistant", "co", "ex", "non", "anti"))
"""Words that make another thing of what they stand before."""

_RELATED = frozenset(
    (
        *("father", "mother", "parent", "son", "daughter", "child", "brother", "sister"),
        *("husband", "wife", "spouse", "partner", "friend", "law"),
    )
)
"""Words that make a relation that of somebody else: `spouse birth date`, `father in law`."""

_SIGN = re.compile(r"(?<=\w)(?:[+#]+|[-−](?!\w))")
"""Signs after a word that normal forms lack: `C#`, `C++`, `BB+`, `A-`."""

_PREFIXES = ("grand", "step", "co", "vice", "ex", "non")
"""The same, joined to a word of at least five letters: `grandfather`, `codirector`."""

_ENDINGS = ("er", "or", "ed", "ee")
"""Endings of which each makes another word of a stem: `employer`, `employee`; `founder`, `founded`."""

_EMPTY = frozenset(("name", "names", "title", "value", "list", "type"))
"""Words before `of` that say nothing: `name of director` is `director`."""


def _sides() -> dict[str, set[tuple[int, int]]]:
    sides = defaultdict[str, set[tuple[int, int]]](set)
    joined = _CONTRASTS.replace("\n        ", " ")
    for number, line in enumerate(joined.strip().splitlines()):
        for side, words in enumerate(line.split(":")):
            for word in words.split():
                sides[word].add((number, side))
    return dict(sides)


_SIDES = _sides()


@lru_cache(50_000)
def _words(name: str) -> tuple[str, ...]:
    return tuple(normal_form(name.replace("'s", "s").replace("’s", "s")).split())


def signs(name: str) -> list[str]:
    """The signs after words that tell names of one normal form apart."""
    return _SIGN.findall(name)


def contrary(asked: str, name: str) -> bool:
    """Whether one name has a word where the other has its contrast, or a qualifier or sign that the other lacks."""
    if signs(asked) != signs(name):
        return True
    own, others = _words(asked), _words(name)
    mine, its = set(own) - set(others), set(others) - set(own)
    wanted = {(number, 1 - side) for word in mine for number, side in _SIDES.get(word, ())}
    if any(not wanted.isdisjoint(_SIDES.get(word, ())) for word in its):
        return True
    return bool((mine | its) & _QUALIFIERS) or _is_prefixed(mine, its) or _is_prefixed(its, mine)


def other_relation(asked: str, name: str) -> bool:
    """Whether two relations are different ones although they are alike.

    They are contrary, or the one asked for is that of another thing: `country of manufacturer` is not `manufacturer`,
    and `spouse birth date` is not `birth date`.
    """
    if contrary(asked, name):
        return True
    own, others = _words(asked), _words(name)
    if len(own) == len(others) and any(map(_has_other_ending, own, others)):
        return True
    if not (set(own) - set(others)).isdisjoint(_RELATED) and set(others) < set(own):
        return True
    if "of" not in own or not set(others) <= set(own):
        return False
    before = set(own[: own.index("of")]) - _EMPTY
    return bool(before) and before.isdisjoint(others)


def _is_prefixed(words: set[str], others: set[str]) -> bool:
    return any(prefix + other in words for other in others if len(other) >= 5 for prefix in _PREFIXES)


def _has_other_ending(word: str, other: str) -> bool:
    """Whether two words have one stem and another ending: the agent, the patient, or the participle."""
    return word != other and word[:-2] == other[:-2] and word[-2:] in _ENDINGS and other[-2:] in _ENDINGS
