"""Words that ask for what columns call otherwise: `oldest` for an age or a date, `cheap` for a price."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.measures import asks_measure, measures_asked
from cgstore.llm.backends.compose.words import QuestionText, full_words, is_content, stem, stems_of, word_set
from cgstore.text.names import spaced
from cgstore.text.thesaurus import PREPOSITIONS, Phrase, lemma, phrases_of

_MEANS = {
    "high tall low lowest highest": "elevation altitude high",
    "long short shortest": "duration pages time distance runtime length nights days hours weeks months minutes",
    "old oldest older": "age birth year founded established built opened vintage",
    "young youngest younger": "age birth",
    "new newest late latest early earliest": "year date opened built",
    "cheap cheapest cheaper expensive cost price": "price cost fare fee",
    "earn paid income": "salary income wage pay prize earnings money",
    "heavy heaviest heavier weigh": "weight mass",
    "kilo kilos kilogram kg gram tonne ton pound": "weight mass kg kilo",
    "litre liter gallon pint": "volume litre liter capacity",
    "euro dollar money": "price cost amount",
    "large largest big biggest small smallest": "area size population capacity",
    "fast fastest faster quick quickest quicker slow slowest slower": "time speed",
    "far farthest": "distance",
    "people": "player name coach driver population visitor attendance attendee audience spectator guest crowd turnout",
    "children kid": "pupil",
    "make made makes": "producer manufacturer maker brewer brand",
    "boss": "director head chief leader principal president supervisor",
    "led lead": "director head chief principal president",
    "live inhabitants": "city residence address population",
    "position rank place": "position rank place location venue",
    "team club": "team club",
    "country nation": "country nation nationality",
    "attend crowd": "attendance crowd",
    "stadium": "venue arena ground",
    "author write": "author writer",
}
MEANT = {stem(word): set(map(stem, names.split())) for words, names in _MEANS.items() for word in words.split()}
"""Words that ask for what columns call otherwise: the stems of the columns' words, by the stem of the question's."""


class Wording(NamedTuple):
    """Other words for a column in a question: their bits, and the share of the column's name that they stand for.

    `inverse`: they say what the cell does to the row, as `manages` for `manager`. `joins` are the prepositions that
    belong to them.
    """

    mask: int
    share: float
    inverse: bool
    joins: frozenset[str]


_VAGUE = word_set("do go get mak tak hav giv put com b much how many work tim which number long")
"""Lemmas that name no column by themselves."""

_REACH = 3
"""Words of the question that may stand among those of a phrase."""

_NAMED = 4
"""Further words for a name, as in `how many desk lamps are left`."""

_MOVING = frozenset((lemma(verb),) for verb in ("come", "go", "get", "put", "take"))
_PARTICLES = [["in"], ["out"]]
"""With these words a small verb says which of two times is meant: `came in`, `went out`."""

_PLURALS = word_set("people children men women cattle sheep head")
"""Plurals without an `s`."""

_UNIT = re.compile(r"(?<=.)\s*[(\[][^()\[\]]*[)\]]\s*$")
_WITH = PREPOSITIONS | {"as"}


def means(form: str, column: Column) -> bool:
    """Whether a word names a column by a word of its name, by its meaning, or by what it measures."""
    name = column.meaning
    if column.measure and asks_measure(form, column.measure, column.words):
        return True
    own, stems = stem(form), stems_of(re.split(r"[ _]per[ _]|/", name)[0])
    if own in stems or not MEANT.get(own, set()).isdisjoint(stems):
        return True
    return any(phrase.lemmas == (lemma(form),) and not phrase.inverse for phrase, _ in _phrases(name))


def means_another(form: str, column: Column, columns: Sequence[Column]) -> bool:
    """Whether a word says what other columns measure: the cheapest ticket is not the least of `Tickets sold`."""
    asked = measures_asked(form) & {"money", "weight"}
    return bool(asked) and column.measure not in asked and any(each.measure in asked for each in columns)


def wordings(text: QuestionText, name: str) -> Iterator[Wording]:
    """Where the question has other words for a column of this name, by the thesaurus."""
    for phrase, share in _phrases(name):
        wanted = _wanted(phrase)
        if text.lemmas_present.issuperset(wanted):
            if _is_going(phrase) and "who" not in text.forms:
                continue
            for first in [place for place, each in enumerate(text.lemmas) if each == wanted[0]]:
                mask = mask_from(first, wanted, text.lemmas, _reach(phrase))
                if mask and (before := _preposition_before(phrase)):
                    mask = mask | 1 << first - 1 if first and text.forms[first - 1] == before else 0
                if mask and _has_joins(phrase, mask, text) and not _is_noun(phrase, mask, text):
                    yield Wording(mask, share, phrase.inverse, phrase.joins)


def _wanted(phrase: Phrase) -> tuple[str, ...]:
    """The lemmas that must be said: all words of a phrase with one that carries meaning, such as `has to be paid`."""
    words = phrase.text.split()
    return tuple(map(lemma, words)) if len(phrase.lemmas) == 1 and len(words) > 2 else phrase.lemmas


def _reach(phrase: Phrase) -> int:
    """How many words may stand among those of a phrase: one in `how many people`, whose noun is what is counted."""
    words = phrase.text.split()
    if words[0] != "how":
        return _REACH
    is_counted = words[1] == "many" and len(words) == 3 and (words[2].endswith("s") or words[2] in _PLURALS)
    return 1 if is_counted else _REACH + _NAMED


def mask_from(first: int, wanted: tuple[str, ...], lemmas: tuple[str, ...], reach: int = _REACH) -> int:
    """The words of a phrase, from the first of them on; 0 if they do not stand close together and in its order."""
    found = mask = 0
    for place in range(first, min(len(lemmas), first + len(wanted) + reach)):
        if lemmas[place] == "than":
            return 0  # "how many schools have more than 100 pupils"
        if lemmas[place] == wanted[found]:
            found += 1
            mask |= 1 << place
            if found == len(wanted):
                return mask
    return 0


def _preposition_before(phrase: Phrase) -> str:
    """The preposition with which a phrase of two words begins, without which it is another one: `in charge`."""
    words = phrase.text.split()
    return words[0] if len(words) == 2 and words[0] in _WITH and len(phrase.lemmas) == 1 else ""


def _has_joins(phrase: Phrase, mask: int, text: QuestionText) -> bool:
    """Whether the preposition of a verb follows it, or ends the question: `works under`, `which job she works as`."""
    words = phrase.text.split()
    if len(words) != 2 or words[1] not in _WITH or len(phrase.lemmas) > 1:
        return True
    last = mask.bit_length()
    fronted = tuple(one for one, other in pairwise(text.forms) if (one, other) == ("by", "whom"))
    return words[1] in text.forms[last : last + _REACH] + text.forms[-1:] + fronted


def _is_noun(phrase: Phrase, mask: int, text: QuestionText) -> bool:
    """Whether a question has a plural noun for the verb of a phrase of numbers: `how many orders`, `ordered`."""
    words = phrase.text.split()
    if words[0] not in _OF_NUMBERS:
        return False
    said = [form for n, form in enumerate(text.forms) if mask >> n & 1]
    return any(form.endswith("s") and verb.endswith("ed") for form, verb in zip(said, words, strict=False))


_OF_NUMBERS = ("how", "number", "amount", "quantity")
"""First words of phrases that ask how many or how much there is of something."""


@lru_cache(5_000)
def _phrases(name: str) -> tuple[tuple[Phrase, float], ...]:
    """The other words for a column, each with the share of its name that they stand for.

    Of a name that the list does not have, the noun at its end is looked up: `site manager` is a `manager`.
    """
    words = full_words(spaced(_UNIT.sub("", name)).replace("_", " "))
    for dropped in range(min(len(words), 3)):
        kept = words[dropped:]
        found = phrases_of(" ".join(kept), is_column=True)
        if found:
            share = 1.0 if not dropped else len(kept) / len(words)
            return tuple((each, share) for each in found if _says_enough(each) and not _counts_rows(each, kept))
    return ()


def _counts_rows(phrase: Phrase, name: Sequence[str]) -> bool:
    """Whether a phrase asks how many there are of what a name says of one row: `how many tickets` of `Ticket`."""
    words = phrase.text.split()
    return words[:2] == ["how", "many"] and len(name) == 1 and words[-1] == f"{name[0]}s"


def _is_going(phrase: Phrase) -> bool:
    """Whether a phrase says to whom something goes, which it does where a question asks who."""
    return phrase.lemmas == ("go",) and phrase.text.split()[1:] == ["to"]


def _says_enough(phrase: Phrase) -> bool:
    """Whether the words that carry the meaning of a phrase are more than small words: `came in` says enough."""
    is_phrasal = phrase.lemmas in _MOVING and phrase.text.split()[1:] in _PARTICLES
    is_owning = phrase.lemmas == ("own",) and phrase.text != "own"  # `owns`, and no adjective
    is_said = any(word not in _VAGUE and is_content(word) for word in phrase.lemmas)
    return _is_going(phrase) or is_phrasal or is_owning or is_said
