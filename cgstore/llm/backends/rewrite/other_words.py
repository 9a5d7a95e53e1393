"""Relations said in other words: `who headed the Courier` asks for `edited`, as the thesaurus has it.

All words of a phrase must be said and no others, with its prepositions. The thesaurus says of each phrase which side
its subject is, and rules of English say whether a name is the subject or the object of it. `Runs the newspaper` is said
of a newspaper by its name too: `who ran the Courier`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from cgstore.text.names import spaced
from cgstore.text.thesaurus import PREPOSITIONS, Phrase, lemma, phrases_of

_LEADING = """
    runs, leads, heads, rules, governs, in charge of, head of, at the head of, at the helm of, leader of, boss of,
    takes charge of
"""
_LEADS = tuple(each.strip() for each in _LEADING.split(","))
_LEAD_VERBS = frozenset(lemma(each) for each in _LEADS if " " not in each)
_LEAD = re.compile(
    r"^(?P<lead>runs?|ran|leads?|led|heads?|in charge of|head of|leader of|boss of|chief of|manager of|in command of"
    r"|manages?|commands?|directs|trains|steers|looks after|takes charge of|at the head of|at the helm of"
    r"|governs|rules)"
    r" the (?P<noun>[a-z]+)$"
)
_HEADS = """
    director manager head president chief chairman chairwoman leader superintendent commander mayor governor abbot
    abbess prior bishop captain rector dean warden provost principal headmaster ruler king queen duke prince
    master keeper
"""
_LEADERS = frozenset(map(lemma, _HEADS.split()))
_OF_PARTS = "assistant deputy vice sub acting technical financial sporting race second first honorary former"
_PARTIAL = frozenset(_OF_PARTS.split())
"""What a leader is called who leads a part, or in place of another: the technical director of a team."""
_LED = frozenset(["ran", "led", "headed", "managed"])
"""Nouns and verbs of relations whose heads are at the head of their tails."""

_DOES = re.compile(
    r"^(?:sits?|sat|wears?|wore|holds?|held|wields|keeps|kept|on the throne)\b.*\bthe [a-z]+$"
    r"|^on the (?:throne|board|bench|case|examination board)\b"
)
_DO = frozenset(["did", "does", "do", "has", "have", "had"])
_BE = frozenset(["was", "were", "is", "are", "been", "being", "be"])
_OPEN = frozenset(["in", "at", "on", "over"])
"""Prepositions before a name that do not say which side it is."""
_SIDES = {True: "tail", False: "head"}


@dataclass(frozen=True)
class OtherWords:
    """Words that say a relation.

    `joins` are its prepositions, `ends_in` the one that its object follows, if any. `inverse`: its subject is the tail.
    `does`: the subject does something, and what it is done to follows any preposition (`head of the school`).
    `named`: the object is said by its name, and its noun is left out.
    """

    text: str
    lemmas: frozenset[str]
    joins: frozenset[str]
    ends_in: str = ""
    inverse: bool = False
    does: bool = False
    named: bool = False


def is_leader(relation: str) -> bool:
    """Whether a relation says who is at the head of something as a whole."""
    words = [lemma(word) for word in spaced(relation).replace("_", " ").lower().removesuffix(" of").split()]
    return bool(words) and words[-1] in _LEADERS and _PARTIAL.isdisjoint(words)


def is_lead(word: str) -> bool:
    """Whether a verb says no more than that somebody is at the head of something: `ran`."""
    return lemma(word) in _LEAD_VERBS


def says_lead(words: OtherWords) -> bool:
    """Whether words for a relation say no more than that somebody is at the head of something."""
    return any(words.text.startswith(f"{lead} the") for lead in _LEADS)


@lru_cache(2_000)
def other_words(relation: str) -> tuple[OtherWords, ...]:
    """The words of the thesaurus for a relation."""
    *_, last = own = spaced(relation).replace("_", " ").lower().split() or [""]
    said = phrases_of(relation) or (phrases_of("member of") if "member" in own[:-1] and last == "of" else ())
    found = dict.fromkeys(each for phrase in said for each in _words_of(phrase))
    if last in _LED or (last == "of" and own[-2:-1] and lemma(own[-2]) in _LEADERS):
        found |= dict.fromkeys(replace(each, lemmas=each.lemmas - {""}, named=True) for each in _leading("", False))
    elif lemma(last) in _LEADERS and _PARTIAL.isdisjoint(own):  # a team has its principal
        found |= dict.fromkeys(replace(each, lemmas=each.lemmas - {""}, named=True) for each in _leading("", True))
    return tuple(found)


def _words_of(phrase: Phrase) -> Iterator[OtherWords]:
    match = _LEAD.match(phrase.text)
    if match is None:
        does = phrase.asked and bool(_DOES.match(phrase.text))
        yield _made(phrase.text, phrase.lemmas, phrase.joins, phrase.inverse != does, does)
        return
    inverse = phrase.inverse != phrase.asked  # who `leads the team` is not the team
    noun = lemma(match["noun"])
    for whole in _leading(match["noun"], inverse, match["lead"]):
        yield whole
        yield replace(whole, lemmas=whole.lemmas - {noun}, named=True)


def _leading(noun: str, inverse: bool, *leads: str) -> Iterator[OtherWords]:
    """The ways to say who is at the head of something."""
    for lead in dict.fromkeys((*leads, *_LEADS)):
        words = lead.split()
        own = [lemma(word) for word in words if word not in PREPOSITIONS | {"the"}]
        joins = frozenset(word for word in words if word in PREPOSITIONS)
        yield _made(f"{lead} the {noun}", [*own, lemma(noun)], joins, inverse, True)


def _made(text: str, lemmas: Sequence[str], joins: frozenset[str], inverse: bool, does: bool) -> OtherWords:
    last = text.split()[-1]
    return OtherWords(text, frozenset(lemmas), joins, last if last in PREPOSITIONS else "", inverse, does)


def says(words: OtherWords, content: Sequence[str], said: frozenset[str], free: bool) -> bool:
    """Whether words of a question are these.

    Args:
        words: for a relation.
        content: the words of the question that say what is asked.
        said: its prepositions.
        free: whether what is asked for may stand in the place of a preposition, as `where`.
    """
    return words.lemmas == set(map(lemma, content)) and (free or words.joins <= said)


def side_of_slot(words: OtherWords, text: str, slot: str, is_edge: bool) -> str | None:
    """The side on which a question has a name, or what it asks for; empty if that is open, None if there is none.

    Args:
        words: those for the relation.
        text: the question, with `e0` and `qq`.
        slot: the name, as it stands there.
        is_edge: whether a word like `became` was taken out, so that a noun may follow `did` and a name.
    """
    role = _role(words, text.split(), slot, is_edge)
    return _SIDES[(role == "object") != words.inverse] if role else role


def _role(words: OtherWords, tokens: Sequence[str], slot: str, is_edge: bool) -> str | None:
    """Whether a name is the `subject` or the `object` of the words; empty if that is open, None if it is neither."""
    tokens = [token for token in tokens if token not in ("the", "a", "an")]
    own = [place for place, token in enumerate(tokens) if lemma(token) in words.lemmas]
    place = next((i for i, token in enumerate(tokens) if token in (slot, f"{slot}'s")), None)
    if not own or place is None:
        return ""
    before = tokens[place - 1] if place else ""
    behind = tokens[place + 1] if place + 1 < len(tokens) else ""
    if tokens[place].endswith("'s"):
        return "object" if words.does or words.ends_in == "of" else "subject"
    if f"{'qq' if slot != 'qq' else ''}'s" in tokens:
        return "object"
    if before in PREPOSITIONS:
        return _behind(before, words)
    if slot == "qq" and behind in PREPOSITIONS:
        return _behind(behind, words)
    if place > own[-1]:
        between = tokens[own[-1] + 1 : place]
        if _DO & set(between):
            return "subject"
        return "object" if not between or _BE & set(between) else ""
    if place > own[0]:
        return ""
    is_passive = "by" not in words.joins and any(
        {one, other} in ({"qq", "by"},) or (one == "by" and re.fullmatch(r"e\d+", other))
        for one, other in pairwise(tokens)
    )
    if is_passive:
        return "object"
    if before in _DO or (slot == "qq" and not {before, behind} & _BE):
        is_noun = is_edge and not words.joins and not words.does and not words.text.split()[0].endswith("s")
        return "object" if is_noun else "subject"  # who became governor is one, and has none
    if {before, behind} & _BE:
        is_doing = words.joins or words.does or (lemma(verb := tokens[own[0]]) != verb and verb.endswith("ing"))
        return "subject" if is_doing else "object"
    return "subject"


def _behind(preposition: str, words: OtherWords) -> str | None:
    """What a name is behind a preposition."""
    if preposition == "by":
        return "object" if "by" in words.joins else "subject"
    if words.does or preposition == words.ends_in:
        return "object"
    if preposition == "of":
        return "subject"
    return "" if preposition in _OPEN or preposition in words.joins else None
