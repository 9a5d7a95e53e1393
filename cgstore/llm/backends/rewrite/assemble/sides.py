"""The side of a relation on which a question has a name, and prepositions that speak against a relation."""

from __future__ import annotations

from cgstore.llm.backends.rewrite.assemble.relations import Chunk
from cgstore.llm.backends.rewrite.assemble.tokens import BE, DO, NEGATIONS, Question
from cgstore.text.thesaurus import PREPOSITIONS


def side_of_place(question: Question, chunk: Chunk, place: int) -> str:
    """The side of the relation, `head` or `tail`, on which the words have what stands at a place; empty if open."""
    inverse = chunk.spoken.inverse
    if question.words[0] == "whose" and chunk.first == 1 and inverse is not None:
        return "head" if inverse and not chunk.spoken.is_verb else "tail"  # `whose pupil is Ann`: Ann is the pupil
    if inverse is None:
        return _side_if_open(question, chunk, place)
    role = _role(question, chunk, place)
    if role == "of" and not inverse and _names_place(question, chunk, place):
        return ""
    if role == "of" and chunk.spoken.is_verb:
        return "tail" if not inverse else "head"
    if role in ("of", "subject"):
        return "head" if not inverse else "tail"
    if role == "object":
        return "tail" if not inverse else "head"
    return ""


_REGIONS = frozenset(
    [
        "parish",
        "county",
        "district",
        "village",
        "town",
        "city",
        "island",
        "province",
        "state",
        "region",
        "country",
        "continent",
        "area",
        "valley",
        "port",
        "school",
    ]
)


def _names_place(question: Question, chunk: Chunk, place: int) -> bool:
    """Whether a noun may only say what a name is: `the parish of Askerdale`."""
    return question.words[chunk.last] in _REGIONS and not question.tokens[place].is_owner


def _side_if_open(question: Question, chunk: Chunk, place: int) -> str:
    """By `by`, what is done under somebody is done by somebody: the tail of `trained under`."""
    return "tail" if question.words[question.before(place)] == "by" and question.before(place) >= 0 else ""


def _role(question: Question, chunk: Chunk, place: int) -> str:
    """What something is to the verb or noun of a chunk: its subject, its object, or what it is `of`."""
    words, before = question.words, question.before(place)
    verb = chunk.last
    if question.tokens[place].is_owner and place < chunk.first <= place + 3:
        return "of"
    if place > verb:
        return _role_behind(question, chunk, place, before)
    if chunk.spoken.joins:
        return "subject"
    is_passive = question.tokens[verb - (words[verb] in _PARTICLES)].is_participle and (
        _is_behind_be(question, chunk.first) or (before >= 0 and words[before] in BE)
    )
    if is_passive:
        return "object"
    if any(word in DO for word in words[:place]) or chunk.first == place + 1:
        return "subject"
    return ""


_PARTICLES = frozenset(["up", "off", "down", "out", "away"])
"""What belongs to the verb before it: `swallowed up`."""


def _is_behind_be(question: Question, place: int) -> bool:
    """Whether a form of `to be` stands before a place, with `not` or without."""
    before = question.before(place)
    if before > 0 and question.words[before] in NEGATIONS:
        before = question.before(before)
    return before >= 0 and question.words[before] in BE


def _role_behind(question: Question, chunk: Chunk, place: int, before: int) -> str:
    """The role of what stands behind a verb or noun."""
    words, verb = question.words, chunk.last
    said = words[before] if before >= 0 else ""
    if said in chunk.spoken.joins:
        return "object"
    if said == "by":
        return "subject"
    if said == "of":
        is_state = chunk.spoken.inverse and words[question.before(chunk.first)] == "in"
        return "object" if is_state else "of"  # `in command of` it, who commands it
    if before == verb:
        is_active = not (question.tokens[verb].is_participle and _is_behind_be(question, chunk.first))
        return "object" if is_active and not chunk.spoken.joins else ""
    return ""


def has_other_join(question: Question, chunk: Chunk) -> bool:
    """Whether a preposition that is not the relation's stands behind its words: `made of` does not say `makes`."""
    words = question.words
    behind = words[chunk.last + 1] if chunk.last + 1 < len(words) else ""
    is_of_number = chunk.last + 2 < len(words) and question.tokens[chunk.last + 2].is_number
    return (behind in PREPOSITIONS - {"by", "of"} - chunk.spoken.joins and not is_of_number) or (
        behind == "of" and "of" not in chunk.spoken.joins and question.tokens[chunk.last].is_participle
    )
