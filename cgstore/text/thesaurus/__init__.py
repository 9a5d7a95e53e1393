"""Other words by which people ask for a relation or a column: `who headed the school` for `headmaster of`.

The list is general English and knows no data. A line of `relations.txt` is a concept: how owners of data name it, other
words in the same direction, and names and words in the other direction (`employs` for `employer`). It only adds words
to a relation whose name it has. A line of `kinds.txt` has nouns for the same kind of thing (`vessel` for `ship`).
`abbreviations.txt` has what headers write short, `values.txt` other words for states that cells have, `units.txt` units
of numbers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from cgstore.text.names import normal_form, spaced

_PREPOSITIONS = "about after against among around at before behind by for from in into of on out over to under with"
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
_ARTICLES = frozenset(["a", "an", "the"])
_GRAMMAR = "is was are were be been has have had does do did its his her their as that"
_SMALL = _ARTICLES | frozenset(_GRAMMAR.split())
_IRREGULAR = """
    bear bore born borne, begin began begun, break broke broken, bring brought, build built, buy bought, catch caught,
    choose chose chosen, come came, deal dealt, die dying, do did done does, draw drew drawn, drive drove driven,
    eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, fly flew flown, get got gotten,
    give gave given, go went gone goes, grow grew grown, hang hung, have had has, hear heard, hold held, keep kept,
    know knew known, lay laid, lead led, leave left, lend lent, lie lay lain lying, lose lost, make made, mean meant,
    meet met, oversee oversaw overseen, pay paid, ride rode ridden, rise rose risen, run ran, say said, see saw seen,
    sell sold, send sent, shoot shot, show shown, sing sang sung, sink sank sunk, sit sat, slay slew slain,
    speak spoke spoken, spend spent, stand stood, steal stole stolen, strike struck, swim swam swum, take took taken,
    teach taught, tell told, think thought, throw threw thrown, use used uses using, wear wore worn, wed wedded,
    win won, write wrote written, child children, man men, woman women, wife wives, person people, foot feet
"""
_BASE = {form: entry.split()[0] for entry in _IRREGULAR.replace("\n", " ").split(",") for form in entry.split()[1:]}
IRREGULAR = frozenset(_BASE)
"""Forms of irregular verbs and nouns."""
_BASE["found"] = "found"  # a company, more often than what was lost
_WITH_E = (
    "bare base care code cube dine fine hate hope mate note pine plane premiere rate site tape tube tune wage wine"
)
_KEPT = {word[:-1]: word for word in _WITH_E.split()}
"""Words of which the `e` tells them from others, by these: `wine` is no form of `win`."""
_VOWELS = "aeiou"
_UNIT = re.compile(r"(?<=.)\s*[(\[][^()\[\]]*[)\]]\s*$")
"""A unit behind a name: `Salary (EUR)`."""
_SUFFIXES = frozenset(["nam", "date", "dat", "year", "id"])
"""Last words, by their lemmas, that say little of what a column has."""


@dataclass(frozen=True)
class Phrase:
    """Words that ask for a relation.

    `lemmas` are its words that carry meaning, all of which must be said; `joins` its prepositions. `inverse`: its
    subject is the tail, as of `employs` for the relation `employer`. `asked`: it is no name that data have, but how
    people ask, so that its subject may be what is asked for, as of `runs the school`.
    """

    text: str
    lemmas: tuple[str, ...]
    joins: frozenset[str]
    inverse: bool = False
    asked: bool = False


def base_of(word: str) -> str:
    """The base form of an irregular verb or noun: `write` for `wrote`; any other word as it is."""
    return _BASE.get(word, word)


@lru_cache(50_000)
def lemma(word: str) -> str:
    """A word in lower case without the endings of plurals and verbs, so that its forms are equal.

    Unlike a stem it keeps who does something (`employer`) and to whom (`employee`) apart.
    """
    if word.endswith("children"):
        return word.removesuffix("ren")
    if word in _BASE:
        return lemma(_BASE[word]) if _BASE[word] != word else word
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        left = word.removesuffix(ending)
        if left != word and len(left) > 2 and any(letter in "aeiouy" for letter in left):
            is_doubled = left[-1] == left[-2] and left[-1] not in "lsz" and left[-1] not in _VOWELS
            return left[:-1] if is_doubled else _KEPT.get(left, left)
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        is_long = word.endswith(("ches", "shes", "xes", "sses", "zes"))
        word = word[:-2] if is_long else word[:-1]
    return word.removesuffix("e") if len(word) > 3 and word[:-1] not in _KEPT else word


_PLACES = """
    location located place city town country region state residence headquarters venue address site seat port home
    district county parish area quarter borough village island building room
"""
PLACE_WORDS = frozenset(_PLACES.split())
"""Words of relations whose tails are places."""

PLACE_LEMMAS = frozenset(map(lemma, PLACE_WORDS))
"""Their lemmas: nouns that ask for places."""


def is_kept(word: str) -> bool:
    """Whether its `e` tells a word from the forms of another one: `wines` are no form of `win`."""
    return lemma(word) in _KEPT.values()


def phrases_of(name: str, is_column: bool = False) -> tuple[Phrase, ...]:
    """Other words for a relation of this name, each once; empty if the list has no such name.

    Args:
        name: of a relation or a column.
        is_column: of a table, whose names all go from the row to the cell.
    """
    return _phrases_of(" ".join(_words(_UNIT.sub("", spaced(name)).replace("_", " "))), is_column)


@lru_cache(10_000)
def _phrases_of(name: str, is_column: bool) -> tuple[Phrase, ...]:
    own = _key(name.split())
    if not own:
        return ()  # the column `#` has no words
    found: dict[Phrase, None] = {}
    for key, turned, is_whole in _keys(own, _is_past(name.split()[-2:][0])):
        entries = _concepts().get(key, ())
        of_graphs = [entry for entry in entries if not entry.of_columns]
        for concept, inverse, _ in entries if is_column else of_graphs or entries:
            if inverse and (is_column or not is_whole):
                continue  # `founded in` is not what somebody does who founds
            if not (inverse or turned or is_column) and _is_done(name, concept):
                inverse = True  # who `coached` a team is not the team that has a coach
            for text, said_inverse, asked in concept:
                found[_phrase(text, said_inverse != (inverse != turned), asked)] = None
        if found:
            break
    if not found and len(own) > 1:
        found = dict.fromkeys(
            _phrase(*each) for entry in _in_any_order().get(frozenset(own), ()) for each in entry.concept
        )
    if not found and own[0] in _BEING and own[1:]:
        return _phrases_of(" ".join(name.split()[1:]), is_column)
    if not found and not is_column and (head := _head_of(name.split())):
        return _phrases_of(head, False)
    if not found:
        found = dict.fromkeys(_phrase(*each) for entry in _asked().get(own, ())[:2] for each in entry.concept)
    if not found and len(own) == 1 and len(verbs := _verbs().get(own[0], ())) == 1:
        found = dict.fromkeys(_phrase(*each) for each in verbs[0])
    return tuple(phrase for phrase in found if _key(phrase.text.split()) != own)


def _head_of(words: Sequence[str]) -> str:
    """What a name of several words is: a price for `price of a copy` and `ticket price`.

    It is `engineer of` for `chief engineer of`, `ripening` for `weeks of ripening`, and empty for other names.
    """
    if "of" in words[1:-1]:
        of = words.index("of", 1)
        return " ".join(words[of + 1 :] if lemma(words[0]) in units() else words[:of])
    if words[0] in ("main", "primary", "principal") and len(words) > 1:
        return " ".join(words[1:])
    if words[0] in ("year", "date") and len(words) == 2 and _is_past(words[1]):
        return f"{words[1]} in"
    if len(words) == 2 and words[0] == "in":
        return words[1]  # `language` for `in language`
    if len(words) == 2 and _is_past(words[0]) and words[1].endswith("s"):
        return lemma(words[1])  # `actor` for `starred actors`
    if len(words) == 3 and words[0].endswith("s") and words[2] in PREPOSITIONS:
        return words[0]  # `supplies` for `supplies milk to`
    last = words[:-1] if words[-1] in ("of", "at", "for", "to") else words
    return " ".join(words[1:]) if len(last) > 1 and lemma(last[-1]) in _HEADS else ""


_HEAD_NOUNS = """
    price cost fee fare rent salary wage director manager engineer keeper editor secretary minister coach conductor
    gardener cook captain officer sponsor owner curator teacher trainer
"""
_HEADS = frozenset(map(lemma, _HEAD_NOUNS.split()))
"""Nouns that say the same behind another one, which only says of which kind: `entrance fee`."""


_BEING = frozenset(map(lemma, ["is", "was", "are", "were", "has", "been"]))
"""First words of names that say no more: `is made by`."""


def _keys(own: tuple[str, ...], is_past: bool) -> Iterable[tuple[tuple[str, ...], bool, bool]]:
    """The forms in which the list may have a name.

    Each comes with whether its direction is the other one, and whether it is whole.
    `mayor of` is the other direction of `mayor`; `headquarters in` is `headquarters`.
    """
    yield own, False, True
    if len(own) < 2:
        return
    if own[0] == "hav":
        yield own[1:], False, True
    if own[-1] == "of":
        yield own[:-1], True, False
    elif own[-1] == "by" and is_past:
        yield own[:-1], True, True  # `headed by` is the other direction of `heads`
    elif own[-1] in PREPOSITIONS - {"by"} or own[-1] in _SUFFIXES:
        yield own[:-1], False, False
    elif own[-1] in units() and (left := tuple(word for word in own if word not in units())):
        left = left[: len(left) - (left[-1] in PREPOSITIONS)]
        yield from ((left[place:], False, False) for place in range(len(left)))  # `top speed kmh`, `speed kmh`


Concept = tuple[tuple[str, bool, bool], ...]
"""Texts, each with whether it is in the other direction, and whether people only ask with it."""


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in _BASE


def _is_done(name: str, concept: Concept) -> bool:
    """Whether a name is the past of a verb that the concept has in the other direction."""
    is_past = " " not in name and _is_past(name)
    return is_past and any(inverse and _key(_words(text)) == _key([name]) for text, inverse, _ in concept)


class _Entry(NamedTuple):
    """A concept that has a name; `inverse`: in the other direction. `of_columns`: it is one of tables."""

    concept: Concept
    inverse: bool
    of_columns: bool


@lru_cache(1)
def _concepts() -> Mapping[tuple[str, ...], Sequence[_Entry]]:
    """The concepts by the names that data have for them."""
    found: dict[tuple[str, ...], list[_Entry]] = defaultdict(list)
    of_columns = False
    for line in _lines("relations.txt"):
        if line.startswith("#"):
            of_columns = line.startswith("# Columns")
            continue
        names, asked, inverse = ([each.strip() for each in part.split(",") if each.strip()] for part in line.split("|"))
        concept: Concept = (
            *((text, False, False) for text in names),
            *((text, False, True) for text in asked),
            *((text, True, False) for text in inverse),
        )
        keys = [_key(_words(text)) for text in names]
        for key in keys:
            found[key].append(_Entry(concept, False, of_columns))
        for key in (_key(_words(text)) for text in inverse):
            if key not in keys:
                found[key].append(_Entry(concept, True, of_columns))
    return found


@lru_cache(1)
def _in_any_order() -> Mapping[frozenset[str], Sequence[_Entry]]:
    """The concepts by the words of their names: `won award` for `award won`."""
    found: dict[frozenset[str], list[_Entry]] = defaultdict(list)
    for key, entries in _concepts().items():
        if len(key) > 1 and PREPOSITIONS.isdisjoint(key):
            found[frozenset(key)] += [entry for entry in entries if not entry.inverse]
    return found


@lru_cache(1)
def _asked() -> Mapping[tuple[str, ...], Sequence[_Entry]]:
    """The concepts by their other words in the direction of the name: some data are called so too."""
    found: dict[tuple[str, ...], list[_Entry]] = defaultdict(list)
    known = _concepts()
    every = {id(entry.concept): entry for entries in known.values() for entry in entries if not entry.inverse}
    for entry in every.values():
        for text, inverse, _ in entry.concept:
            key = _key(_words(text))
            if not inverse and key not in known and entry not in found[key]:
                found[key].append(entry)
    return found


@lru_cache(1)
def _verbs() -> Mapping[str, Sequence[Concept]]:
    """The concepts by verbs that have them with one preposition: `married` for `married to`."""
    found: dict[str, list[Concept]] = defaultdict(list)
    for key, concepts in _concepts().items():
        if len(key) == 2 and key[1] in PREPOSITIONS - {"by", "of"}:
            found[key[0]] += [
                each.concept for each in concepts if not each.inverse and each.concept not in found[key[0]]
            ]
    return found


def names_said(lemmas: Collection[str]) -> dict[frozenset[str], frozenset[str]]:
    """The names that data have for what a question says in other words.

    Args:
        lemmas: of all words of the question.

    Returns:
        By the lemmas of a name, those of the question that say it.
    """
    found: dict[frozenset[str], frozenset[str]] = {}
    for word in lemmas:
        for said, names in _by_words().get(word, ()):
            if said.issubset(lemmas):
                for name in names:
                    found[name] = found.get(name, frozenset()) | said
    return found


def asks_for_relations(word: str) -> bool:
    """Whether a word, in lower case, is one by which people ask for relations: `die`, `mayor`."""
    return lemma(word) in _words_of_phrases()


@lru_cache(1)
def _words_of_phrases() -> frozenset[str]:
    return frozenset(word for phrases in _by_words().values() for said, _ in phrases for word in said)


@lru_cache(1)
def _by_words() -> Mapping[str, Sequence[tuple[frozenset[str], Sequence[frozenset[str]]]]]:
    """The phrases of each concept with the lemmas of its names, by one of their words."""
    found: dict[str, list[tuple[frozenset[str], Sequence[frozenset[str]]]]] = defaultdict(list)
    every = {id(each.concept): each.concept for entries in _concepts().values() for each in entries}
    for concept in every.values():
        phrases = [_phrase(*each) for each in concept]
        names = [frozenset(phrase.lemmas) for phrase in phrases if not (phrase.asked or phrase.inverse)]
        for said in dict.fromkeys(frozenset(phrase.lemmas) for phrase in phrases):
            found[max(said, key=len)].append((said, names))
    return found


def _phrase(text: str, inverse: bool, asked: bool) -> Phrase:
    words = _words(text)
    content = [lemma(word) for word in words if word not in PREPOSITIONS and word not in _SMALL]
    joins = frozenset(word for word in words if word in PREPOSITIONS)
    return Phrase(text, tuple(content or map(lemma, words)), joins, inverse, asked)


@lru_cache(1)
def _kinds() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """The nouns of the same kind, and those of narrower kinds, by the lemmas of each noun."""
    same: dict[str, set[str]] = defaultdict(set)
    narrower: dict[str, set[str]] = defaultdict(set)
    for line in _lines("kinds.txt"):
        nouns, _, below = (
            [each.strip() for each in part.split(",") if each.strip()] for part in (line + "|").partition("|")
        )
        for noun in nouns:
            same[_noun(noun)].update(nouns)
            narrower[_noun(noun)].update(each.rstrip("|") for each in below)
    return (
        {key: frozenset(nouns) for key, nouns in same.items()},
        {key: frozenset(nouns) for key, nouns in narrower.items()},
    )


def same_kind(noun: str) -> frozenset[str]:
    """Other nouns for the same kind of thing as a noun of one or more words, in any number."""
    return _kinds()[0].get(_noun(noun), frozenset())


def narrower_kinds(noun: str) -> frozenset[str]:
    """Nouns for kinds of things that are all of this kind."""
    return _kinds()[1].get(_noun(noun), frozenset())


def wider_kinds(noun: str) -> frozenset[str]:
    """The lemmas of nouns of which a noun is a kind: of things such as `building` for `house`."""
    return _wider().get(_noun(noun), frozenset())


@lru_cache(1)
def _wider() -> Mapping[str, frozenset[str]]:
    """The lemmas of nouns that have a narrower one, by its lemma."""
    wider: dict[str, set[str]] = defaultdict(set)
    for key, nouns in _kinds()[1].items():
        for noun in nouns:
            wider[_noun(noun)].add(key)
    return {key: frozenset(nouns) for key, nouns in wider.items()}


@lru_cache(1)
def units() -> Mapping[str, frozenset[str]]:
    """The lemmas of units, each with the first forms of the units that it may be: `pound` is `lb` or `gbp`."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in _lines("units.txt"):
        forms = [] if line.startswith("#") else [_noun(each) for each in line.split(",")]
        for form in forms:
            found[form].add(forms[0])
    return {form: frozenset(names) for form, names in found.items()}


@lru_cache(1)
def _abbreviations() -> Mapping[str, Mapping[str, str]]:
    """Whole words by what headers have for them, and by the form of the values (empty: any)."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for line in _lines("abbreviations.txt"):
        if not line.startswith("#"):
            words, _, short = line.partition(":")
            whole, _, form = words.partition(" (")
            for each in short.split(","):
                found[each.strip()].setdefault(form.rstrip(") "), whole.strip())
    return found


def written_out(word: str, form: str = "") -> str:
    """What a word of a header is short for, where the values of the column have a form; empty if nothing is known."""
    meanings = _abbreviations().get(word, {})
    return meanings.get(form) or meanings.get("", "")


@lru_cache(1)
def _values() -> Mapping[tuple[str, ...], Sequence[str]]:
    """Other words for cells, by the lemmas of these."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for line in _lines("values.txt"):
        names, _, others = line.partition("|")
        same = [each.strip() for part in (names, others) for each in part.split(",") if each.strip()]
        for name in names.split(",") if not line.startswith("#") else ():
            found[_key(_words(name))] += [each for each in same if each != name.strip()]
    return found


def other_values(cell: str) -> Sequence[str]:
    """Other words for what a cell says, such as `worked out` for `Success`."""
    return _values().get(_key(_words(cell)), ())


@lru_cache(1)
def words_of_columns() -> frozenset[str]:
    """All words by which columns are named, as their owners write them."""
    names: set[str] = set()
    of_columns = False
    for line in _lines("relations.txt"):
        if line.startswith("#"):
            of_columns = line.startswith("# Columns")
        elif of_columns:
            names.update(_words(line.partition("|")[0]))
    return frozenset(names)


@lru_cache(1)
def known_words() -> frozenset[str]:
    """All words of the lists: a header that has one of them is not written short."""
    lists = ("relations.txt", "kinds.txt")
    return frozenset(word for name in lists for line in _lines(name) for word in _words(line))


def _noun(text: str) -> str:
    return " ".join(map(lemma, _words(text)))


def _key(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(lemma(word) for word in words if word not in _ARTICLES)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", normal_form(text))


def _lines(name: str) -> list[str]:
    text = resources.files("cgstore.text.thesaurus").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]
