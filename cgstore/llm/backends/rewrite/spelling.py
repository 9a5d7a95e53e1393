"""A question with its misspelt words and names put right: the nearest ones, if one alone is that near.

It is only tried where the question as written is not understood, and a note says what was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from rapidfuzz.distance import OSA

from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.mapping.unknown_mentions import phrases_of, same_stem, unknown_names
from cgstore.text.names import normal_form

SHORTEST = 5
"""Letters of the shortest word that is put right: shorter ones are too near to others."""

LONG = 10
"""Letters from which a word or a name may have two mistakes."""

_ORDERING = "succeeded succeed replaced followed preceded successor predecessor earliest latest recent"
ASKING_WORDS = frozenset(SIGNAL_OF) | frozenset(_ORDERING.split())
"""Words that say what is asked of a relation."""

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
        if is_named or text in vocabulary or text in GRAMMAR_WORDS or text in known or len(text) < SHORTEST:
            continue
        if word.text[:1].isupper() or _AFTER_WHICH.search(question[: word.start]):
            continue  # a name, or the noun of what is asked for, which may be any
        if near := _nearest(text, known):
            wrong[word.text] = near
    left = _read_as(question, wrong)
    names = unknown_names(left, mentions, vocabulary) if not wrong else unknown_names(left, (), vocabulary)
    for name in dict.fromkeys([*names, *phrases_of(left, vocabulary | known)]):
        if near := _nearest_name(name, closest(name)):
            wrong[name] = near
    if not wrong:
        return None
    notes = tuple(f"'{text}' is read as '{instead}'" for text, instead in wrong.items())
    return Repaired(_read_as(question, wrong), notes)


def _read_as(question: str, wrong: dict[str, str]) -> str:
    for text, instead in wrong.items():
        question = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", instead.replace("\\", r"\\"), question)
    return question


def _nearest(word: str, known: Iterable[str]) -> str:
    """The one word with the fewest mistakes; empty if it has too many, or if there are several."""
    most = 1 + (len(word) >= LONG)
    alike = [each for each in known if each[0] == word[0] and not same_stem(word, each)]  # another form is no mistake
    near = {each: OSA.distance(word, each, score_cutoff=most) for each in alike if abs(len(each) - len(word)) <= most}
    best = min(near.values(), default=most + 1)
    found = [each for each, distance in near.items() if distance == best]
    return found[0] if best <= most and len(found) == 1 else ""


def _nearest_name(text: str, names: Sequence[str]) -> str:
    """The one name with the fewest mistakes that is no other name; a number is never put right."""
    form = normal_form(text)
    if len(form) < SHORTEST or any(each.isdigit() for each in form):
        return ""
    forms = {normal_form(name): name for name in names}
    return forms.get(_nearest(form, [each for each in forms if each != form]), "")
