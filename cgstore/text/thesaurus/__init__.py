"""Other words by which people ask for a relation or a column: `who headed the school` for `headmaster of`.

The list is general English and knows no data. A line of `relations.txt` is a concept: how owners of data name it, other
words in the same direction, and names and words in the other direction (`employs` for `employer`).
`abbreviations.txt` has what headers write short.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources

from cgstore.text.names import normal_form

_PREPOSITIONS = "about after against among around at before behind by for from in into of on out over to under with"
_GRAMMAR = "a an the is was are were be been has have had does do did its his her their as that"
_SMALL = frozenset(f"{_PREPOSITIONS} {_GRAMMAR}".split())
"""Words that carry no meaning."""
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
_BASE["found"] = "found"  # a company, more often than what was lost
_WITH_E = (
    "bare base care code cube dine fine hate hope mate note pine plane premiere rate site tape tube tune wage wine"
)
_KEPT = {word[:-1]: word for word in _WITH_E.split()}
"""Words of which the `e` tells them from others, by these: `wine` is no form of `win`."""
_VOWELS = "aeiou"


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


@lru_cache(1)
def _by_words() -> Mapping[str, Sequence[tuple[frozenset[str], Sequence[frozenset[str]]]]]:
    """The phrases of each concept with the lemmas of its names, by one of their words."""
    found: dict[str, list[tuple[frozenset[str], Sequence[frozenset[str]]]]] = defaultdict(list)
    for line in _lines("relations.txt"):
        parts = ([_lemmas(each) for each in part.split(",") if each.strip()] for part in line.split("|"))
        names, asked, inverse = parts
        for said in dict.fromkeys([*names, *asked, *inverse]):
            found[max(said, key=len)].append((said, names))
    return found


def _lemmas(phrase: str) -> frozenset[str]:
    """The lemmas of its words that carry meaning, or of all if none does."""
    words = re.findall(r"[^\W_]+", normal_form(phrase))
    return frozenset(lemma(word) for word in words if word not in _SMALL) or frozenset(map(lemma, words))


def written_out(word: str) -> str:
    """What a word of a header is short for; empty if nothing is known."""
    return _abbreviations().get(word, "")


@lru_cache(1)
def _abbreviations() -> Mapping[str, str]:
    """Whole words by what headers have for them."""
    found: dict[str, str] = {}
    for line in _lines("abbreviations.txt"):
        whole, _, short = line.partition(":")
        for each in short.split(","):
            found.setdefault(each.strip(), whole.strip())
    return found


def _lines(name: str) -> Iterator[str]:
    text = resources.files("cgstore.text.thesaurus").joinpath(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
