"""Whether two texts are forms of one name: initials, numerals, other order, and parts that people leave out.

`fit` compares a text with a name, and says how well it fits. It knows no graph: whether another name fits as well is
for its caller to see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import groupby, starmap

from cgstore.text.likeness import NAME_WORDS, with_digits
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import lemma, same_kind
from cgstore.text.word_forms import place_of, word_forms


class Fit(IntEnum):
    """How a text fits a name, the better the greater."""

    NONE = 0
    KIND = 1
    """`Herons`, `Heron class`: the name without the noun that says what it is."""
    SURNAME = 2
    """`Hubble`, `Edwin Hubble`."""
    PARTS = 3
    """`Richard Napier Luce`, `Richard Luce, Baron Luce`."""
    INITIALS = 4
    """`WW2`, `World War II`."""
    WORDS = 5
    """`Australian Governor-General`, `Governor-General of Australia`."""


MOST_INITIALS = 6
"""Most letters of initials that stand for a name."""

MOST_WITHIN = 4
"""Most letters of initials that are a part of a name: `FC`, `AFC`."""

_INITIALS = re.compile(r"(?=[A-Za-z]*[A-Z])[A-Z][A-Za-z]?[A-Z]+[0-9]*|[A-Za-z]{2,4}[0-9]+")
_NUMBERED = re.compile(r"(?<=^[A-Z]{2}) (?=(?:[IVX]+|\d)$)")
"""The space in `WW II`."""
_TAIL = re.compile(r"([a-z]{2,}?)(\d+|i{2,3}|iv|vi{0,3}|ix|x)")
_ROMAN = {"ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_POLITY = re.compile(r"\b(?:the )?(?:state|commonwealth) of (?=\w)")
_WORD = re.compile(r"[^\W_]+")
_MOVED = re.compile(r"\bof\b|,", re.IGNORECASE)
"""What shows that words may stand in another order: `John Thomas` is not Thomas John."""
_DIRECTIONS_TEXT = "against at between by from on over to versus vs"
_DIRECTIONS = frozenset(_DIRECTIONS_TEXT.split())
"""Words that no other word passes: the ambassador of one country to another is not that of the other to it."""

_MARKS_TEXT = "fc afc cf sc ac fk inc ltd llc plc corp gmbh"
_MARKS = frozenset(_MARKS_TEXT.split())
"""Abbreviations that names of clubs and companies have or lack."""

_CLUBS = {"calcio": "fc", "fotbal": "fc"}
"""Words of other languages for a football club."""

_TITLES_TEXT = "sir dame dr prof professor lord lady mr mrs ms captain rev hon"
_TITLES = frozenset(_TITLES_TEXT.split())
_AFTER_TEXT = "jr sr bt esq"
_AFTER = frozenset(_AFTER_TEXT.split())
_PARTICLES_TEXT = "de del della der den di da do dos du la le van von zu al el ibn bin y i"
_PARTICLES = frozenset(_PARTICLES_TEXT.split())

_IN_PEERAGES = frozenset(("of", "the", "and", "in"))

_NO_PERSON_TEXT = """
    academy agency airport album army assembly association award awards bank baron battle board book bridge bureau
    campaign central centre center championship championships church city club college commission committee company
    congress conference corporation council county court cup department district division duchy east eastern emperor
    empire federal festival film football foundation fund game games general governor great group high hospital house
    imperial institute international island islands king kingdom lake league library line medal member minister ministry
    mount mountain municipality museum national new north northern office olympic olympics open opera orchestra order
    organisation organization palace parliament park party peace port president prince princess prize province queen
    region republic revolution river road royal saint school secretary senate series society south southern square
    stadium state states station street theatre theater tour tournament town treaty tribunal trophy union united
    university village war west western world
    """
_NO_PERSON = frozenset(_NO_PERSON_TEXT.split())
"""Words of names of organisations, places, offices and works: what is left out of these makes them another."""

_SHORT = """
    abe abraham, al albert, al alan, alex alexander, andy andrew, ben benjamin, bert albert, bill william, bob
    robert, cathy catherine, charlie charles, chris christopher, dan daniel, dave david, dick richard, don
    donald, doug douglas, ed edward, fred frederick, gene eugene, geoff geoffrey, greg gregory, harry henry,
    hank henry, jack john, jeff jeffrey, jim james, jimmy james, joe joseph, johnny john, jon jonathan, ken
    kenneth, kate katherine, larry lawrence, len leonard, liz elizabeth, meg margaret, mike michael, nick
    nicholas, pat patrick, peggy margaret, pete peter, phil philip, ray raymond, rick richard, rob robert, ron
    ronald, sam samuel, stan stanley, steve stephen, steve steven, sue susan, ted edward, terry terence, tim
    timothy, tom thomas, tony anthony, vic victor, walt walter, will william
"""
_SHORT_FORMS = frozenset(tuple(entry.split()) for entry in _SHORT.replace("\n", " ").split(","))


def fit(text: str, name: str) -> Fit:
    """How well a text fits a name that is spelt otherwise."""
    text = _NUMBERED.sub("", text)
    if is_initials(text):
        return Fit.INITIALS if _initials_of(name) & _readings(text) else Fit.NONE
    one, other = _words(text), _words(name)
    if len(one) > 1 and (_are_aligned(one, other) or (_MOVED.search(f"{text} {name}") and _are_same(one, other))):
        return Fit.WORDS
    if _without(one) == _without(other) != () and not (set(one) & _MARKS and set(other) & _MARKS):
        return Fit.PARTS
    return _fit_of_people(text, name) or (Fit.KIND if _is_without_kind(one, other) else Fit.NONE)


def _is_without_kind(said: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a text is a name without its noun for a kind of things at the end, or at the beginning: `Lake Orta`."""
    if not said or len(name) != len(said) + 1:
        return False
    ends = [rest for noun, rest in ((name[-1], name[:-1]), (name[0], name[1:])) if same_kind(noun)]
    return any((*said[:-1], lemma(said[-1])) == (*rest[:-1], lemma(rest[-1])) for rest in ends)


def is_initials(text: str) -> bool:
    """Whether a text may be the initials of a name: `CCFC`, `WW2`."""
    text = _NUMBERED.sub("", text)
    return len(text) <= MOST_INITIALS and bool(_INITIALS.fullmatch(text))


def _readings(text: str) -> set[str]:
    """The initials in lower case, and with a Roman numeral behind them as a number."""
    form = text.lower()
    tail = _TAIL.fullmatch(form)
    return {form} | ({f"{tail[1]}{_ROMAN[tail[2]]}"} if tail and tail[2] in _ROMAN else set())


def _initials_of(name: str) -> set[str]:
    """The initials of all words of a name, and of those that are not small; a number stands whole."""
    words = (with_digits(name) or normal_form(name)).split()
    several = [words, [word for word in words if word not in NAME_WORDS or len(word) == 1]]
    return {"".join(w if w.isdigit() else w[0] for w in each) for each in several if len(each) > 1}


def first_letters(text: str) -> list[str]:
    """The letters that the words of a name begin with which these initials stand for; a number is left out."""
    shortest = min(_readings(_NUMBERED.sub("", text)), key=lambda form: sum(map(str.isalpha, form)))
    return [letter for letter in shortest if letter.isalpha()]


@lru_cache(10_000)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text, with numbers in digits, letters that stand side by side as one, and without small words."""
    form = _POLITY.sub("", with_digits(text) or normal_form(text))
    words: list[str] = []
    for is_letter, run in groupby(form.split(), key=lambda word: len(word) == 1 and word.isalpha()):
        letters = list(run)
        if is_letter and len(letters) > 1:
            words.append("".join(letters))
        else:
            words += [_CLUBS.get(word, word) for word in letters if word not in NAME_WORDS]
    return tuple(words)


def _without(words: Sequence[str]) -> tuple[str, ...]:
    """The words without abbreviations of clubs and companies, if others are left."""
    return tuple(word for word in words if word not in _MARKS)


def _are_aligned(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether words are equal in order, where initials stand for words: `Torino FC`, `Torino Football Club`."""
    if not one or not other:
        return not one and not other
    if one[0] == other[0] and _are_aligned(one[1:], other[1:]):
        return True
    for short, full in ((one, other), (other, one)):
        count = len(short[0])
        initials = "".join(word[0] for word in full[:count])
        if 1 < count <= min(len(full), MOST_WITHIN) and short[0] == initials:
            return _are_aligned(short[1:], full[count:])
    return False


def _are_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether both have the same words in any order, a people standing for its place."""
    if any(word in _DIRECTIONS for word in (*one, *other)):
        parts, others = _parts(one), _parts(other)
        return len(parts) == len(others) and all(starmap(_are_same, zip(parts, others, strict=True)))
    left = [word for each in other for word in (place_of(each).split() or [each])]
    for word in (word for each in one for word in (place_of(each).split() or [each])):
        found = next((each for each in left if each == word), None) or next(
            (each for each in left if _is_of_place(word, each) or _is_of_place(each, word)), None
        )
        if found is None:
            return False
        left.remove(found)
    return not left


def _parts(words: Sequence[str]) -> list[list[str]]:
    """The words between those that no other word passes, each of which begins a part of its own, by another name."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _DIRECTIONS:
            parts += [[f"{word} "], []]
        else:
            parts[-1].append(word)
    return parts


def _is_of_place(people: str, place: str) -> bool:
    """Whether a word such as `australian` is made from `australia`."""
    return people.endswith(("n", "ese", "ish")) and people != place and place in word_forms(people)


# People


def _fit_of_people(text: str, name: str) -> Fit:
    """Names of people, of which given names, titles and peerages are left out."""
    (own, rank), (others, other_rank) = _person(text), _person(name)
    if not own or not others or own[-1] != others[-1] or len(others) == 1:
        return Fit.NONE
    if not _are_one_peerage(rank, other_rank):
        return Fit.NONE
    given, other_given = own[:-1], others[:-1]
    if not given:
        return Fit.SURNAME if not rank and others[-2] not in _PARTICLES else Fit.NONE
    if bool(rank) != bool(other_rank) and not _are_one_given_name(given[0], other_given[0]):
        return Fit.NONE
    fewer, more = sorted((given, other_given), key=len)
    return Fit.PARTS if _are_in_order(fewer, more) else Fit.NONE


def _are_one_peerage(rank: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one lacks what the other says of a peerage; `Baron Carson` may be the 1st one."""
    if not (_numbers(rank) and _numbers(other)):
        rank, other = ([word for word in each if not word[0].isdigit()] for each in (rank, other))
    short, full = sorted((list(rank), list(other)), key=len)
    return full[: len(short)] == short


def _numbers(words: Sequence[str]) -> bool:
    return any(word[0].isdigit() for word in words)


@lru_cache(10_000)
def _person(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a person's name and those of the peerage behind it; nothing if it is not a person's."""
    head, _, rank = text.partition(", ")
    if not all(w[0].isupper() or w[0].isdigit() or w in _IN_PEERAGES for w in _WORD.findall(rank)):
        return (), ()
    words = [word for word in _WORD.findall(head) if normal_form(word) not in _TITLES | _AFTER]
    forms = tuple(normal_form(word) for word in words)
    is_person = (
        0 < len(words) <= MOST_INITIALS
        and all(w.isalpha() and (w[0].isupper() or f in _PARTICLES) for w, f in zip(words, forms, strict=True))
        and not _NO_PERSON.intersection(forms)
        and len(forms[-1]) > 1
        and forms[-1] not in _ROMAN
        and words[-1][0].isupper()
    )
    peerage = tuple("baronet" if word == "bt" else word for word in normal_form(rank).split())
    return (forms, peerage) if is_person else ((), ())


def _are_in_order(fewer: Sequence[str], more: Sequence[str]) -> bool:
    """Whether all given names of the one stand in the other, in order; initials stand for names at their own place."""
    rest = iter(enumerate(more))
    return all(
        any(name == other or (place == at and _are_one_given_name(name, other)) for at, other in rest)
        for place, name in enumerate(fewer)
    )


def _are_one_given_name(one: str, other: str) -> bool:
    """Whether a given name is the other one, its initial or its short form."""
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return one == other or (one, other) in _SHORT_FORMS or (other, one) in _SHORT_FORMS
