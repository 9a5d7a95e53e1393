"""A question with its misspelt words and names put right: the nearest ones, if one alone is that near.

It is only tried where the question as written is not understood, and a note says what was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from rapidfuzz.distance import OSA

from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.mapping.unknown_mentions import phrases_of, same_stem, unknown_names
from cgstore.text.likeness import is_numeral
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import asks_for_relations

SHORTEST = 5
"""Letters of the shortest word that is put right: shorter ones are too near to others."""

LONG = 10
"""Letters from which a word or a name may have two mistakes."""

_ORDERING = "succeeded succeed replaced followed preceded successor predecessor earliest latest recent"
ASKING_WORDS = frozenset(SIGNAL_OF) | frozenset(_ORDERING.split())
"""Words that say what is asked of a relation."""

MAX_WORDS = 6
"""Words of a phrase in which a name is sought."""

MISSPELT = {
    **dict.fromkeys(("wich", "whitch", "whcih"), "which"),
    **dict.fromkeys(("hwo", "woh"), "who"),
    **dict.fromkeys(("wat", "waht", "whta", "wath"), "what"),
    **dict.fromkeys(("wehn", "whne"), "when"),
    **dict.fromkeys(("wher", "whre"), "where"),
    **dict.fromkeys(("wsa", "aws"), "was"),
}
"""Short words of questions in which people often mistake a letter."""

_AFTER_WHICH = re.compile(r"\b(?:which|what|many)\s+$", re.IGNORECASE)


class Repaired(NamedTuple):
    """A question that was put right, with what was read instead of what."""

    question: str
    notes: tuple[str, ...]


def repaired(
    question: str,
    mentions: Sequence[Mention],
    words: Iterable[str],
    vocabulary: Set[str],
    closest: Callable[[str], Sequence[str]],
) -> Repaired | None:
    """The question with its mistakes put right; None if none is found.

    Args:
        question: in plain words.
        mentions: its names and times.
        words: those that a misspelt word may be: of relations, and those that ask.
        vocabulary: words that are right.
        closest: the names of the graph that are spelt most like a text, the nearest first.
    """
    wrong: dict[str, str] = {}
    known = frozenset(word for word in words if len(word) >= SHORTEST)
    for word in words_of(question):
        text = word.text.lower()
        is_named = any(each.start < word.end and word.start < each.end for each in mentions if each.kind != "relation")
        if not is_named and text in MISSPELT:
            wrong[word.text] = MISSPELT[text]
        if (
            is_named
            or text in MISSPELT
            or text in vocabulary
            or text in GRAMMAR_WORDS
            or text in known
            or (is_common(text) and len(text) != SHORTEST - 1)
        ):
            continue
        if word.text[:1].isupper() or (len(text) < LONG - 4 and _AFTER_WHICH.search(question[: word.start])):
            continue  # a name, or the short noun of what is asked for, which may be any
        if near := _nearest(text, known):
            wrong[word.text] = near
        elif len(text) == SHORTEST - 1 and not asks_for_relations(text):
            turned = [each for each in words if sorted(each) == sorted(text) and OSA.distance(each, text) == 1]
            if len(turned) == 1 and turned[0][0] == text[0]:
                wrong[word.text] = turned[0]  # two letters of a short word: `wrok`
    left = _read_as(question, wrong)
    names = unknown_names(left, mentions, vocabulary) if not wrong else unknown_names(left, (), vocabulary)
    in_graph = {normal_form(each.text) for each in mentions if each.kind == "entity" and not each.weak}
    for name in dict.fromkeys([*names, *phrases_of(left, vocabulary | known)]):
        if normal_form(name) in in_graph:
            continue
        alike = closest(name)
        if part := next((part for part in _parts(name) if _nearest_name(part, alike)), ""):
            wrong[part] = _nearest_name(part, alike)
    if not wrong:
        return None
    notes = tuple(f"'{text}' is read as '{instead}'" for text, instead in wrong.items())
    return Repaired(_read_as(question, wrong), notes)


def _read_as(question: str, wrong: dict[str, str]) -> str:
    for text, instead in wrong.items():
        question = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", instead.replace("\\", r"\\"), question)
    return question


_ENDINGS = ("s", "es", "d", "ed", "r", "er", "ers", "ing", "ly")


def is_common(word: str) -> bool:
    """Whether a word, in lower case, is a common English one or too short: what it says is not put right."""
    words = _common_words()
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return len(word) < SHORTEST or word in words or any(len(stem) >= SHORTEST and stem in words for stem in stems)


@lru_cache(1)
def _common_words() -> frozenset[str]:
    """Common English words of five letters or more, without names and most inflected forms.

    They are frequent words that the lists of SCOWL have (copyright 2000 to 2019 by Kevin Atkinson, who permits use,
    copying and change for any purpose).
    """
    file = resources.files("cgstore.llm.backends.rewrite").joinpath("common_words.txt")
    return frozenset(file.read_text(encoding="utf-8").split())


def _nearest(word: str, known: Iterable[str]) -> str:
    """The one word with the fewest mistakes; empty if it has too many, or if there are several."""
    most = 1 + (len(word) >= LONG)
    alike = [each for each in known if each[0] == word[0] and not same_stem(word, each)]  # another form is no mistake
    near = {each: OSA.distance(word, each, score_cutoff=most) for each in alike if abs(len(each) - len(word)) <= most}
    best = min(near.values(), default=most + 1)
    found = [each for each, distance in near.items() if distance == best]
    if len(found) > 1 and all(same_stem(found[0], each) for each in found[1:]):  # forms of one word
        ends = {each: _shared_end(each, word) for each in found}
        found = [each for each in found if ends[each] == max(ends.values())]
    return found[0] if best <= most and len(found) == 1 else ""


def _shared_end(one: str, other: str) -> int:
    """How many letters the ends of two words have in common."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _nearest_name(text: str, names: Sequence[str]) -> str:
    """The one name with the fewest mistakes; neither a number nor a name of the graph is put right."""
    form = _bare(normal_form(text))
    forms = {_bare(normal_form(name)): name for name in names}
    if len(form) < SHORTEST or form in forms or any(each.isdigit() for each in form):
        return ""
    alike = [
        each
        for each, name in forms.items()
        if _numerals(name) == _numerals(text) and not _is_word_changed(form.split(), each.split())
    ]
    return forms.get(_nearest(form, alike), "")


def _is_word_changed(said: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the name has another word where a correct word stands: `john alden die` is not John Alden Dix."""
    return len(said) == len(name) > 1 and any(
        one != other and asks_for_relations(one) for one, other in zip(said, name, strict=True)
    )


def _parts(phrase: str) -> list[str]:
    """A phrase and the runs of its words, the longest first: a name may stand in it beside other words."""
    words = words_of(phrase)[:MAX_WORDS]
    runs = [(first, last) for first in range(len(words)) for last in range(first, len(words))]
    runs.sort(key=lambda run: run[0] - run[1])
    parts = [phrase[words[first].start : words[last].end] for first, last in runs]
    return [phrase, *(part for part in parts if part != phrase and not is_common(part.lower()))]


def _bare(form: str) -> str:
    """A name in normal form without the article before it."""
    return form.removeprefix("the ")


def _numerals(name: str) -> list[str]:
    """The numerals of a name: of Henry II and Henry III neither is the other one misspelt."""
    return [word.text for word in words_of(name)[1:] if is_numeral(word.text)]
