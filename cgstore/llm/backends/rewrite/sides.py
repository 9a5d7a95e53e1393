"""On which side of a relation the words of a question have a name, by the words of the relation's own name."""

from __future__ import annotations

import re

from cgstore.llm.backends.compose.words import stem
from cgstore.llm.backends.rewrite.clauses import Clause
from cgstore.llm.backends.rewrite.faults import PREPOSITIONS
from cgstore.text.names import in_words
from cgstore.text.thesaurus import lemma


def says_otherwise(clause: Clause, relation: str) -> bool:
    """Whether the words say another relation by `by`: what is made by somebody is not made of it."""
    *verb, last = in_words(relation).split()
    if not verb or last not in PREPOSITIONS:
        return False
    said = re.search(rf"\b{re.escape(' '.join(verb))} (\w+)\b", clause.text)
    if not said or said[1] == last:
        return False
    return said[1] in ("with", "against") or (said[1] in PREPOSITIONS and "by" in (said[1], last))


def is_passive(relation: str) -> bool:
    return in_words(relation).split()[-1:] == ["by"]


def said_side(clause: Clause, slot: str, relation: str) -> str:
    """The side on which the words have a name; empty if they leave it open.

    Who does something is the head of `coached`, and the tail of `coached by`.
    """
    name, own = rf"(?:the )?{slot}(?:'s)?", {stem(word) for word in clause.words}
    if re.search(rf"\b{re.escape(in_words(relation))} {name}(?= |$)", clause.text):
        return "tail"
    last = in_words(relation).split()[-1]
    if last in PREPOSITIONS - {"by"} and re.search(rf"\bqq {last}\b|\b{last} qq\b", clause.text):
        return "head"
    of = re.search(
        rf"(\w+) of {name}(?= |$)|\b{slot}'s (\w+)|\bqq (\w+) (?:did|does|do|has|have|had) {name}(?: have| had|$)",
        clause.text,
    )
    if of and stem(noun := of[1] or of[2] or of[3]) in own:
        return _side_of_noun(noun, relation)
    does = re.search(rf"\b(?:did|does|do) {name} (?!have\b|has\b)(?:\w+ (\w+))?|\bby {name}(?= |$)", clause.text)
    if does and does[1] in PREPOSITIONS and does[1] not in in_words(relation).split():
        return ""  # who starred in a film is what it starred
    object_ = re.search(rf"\bqq (?:has |have |had |was |were )?(\w+) {name}(?= |$)", clause.text)
    passive = re.search(rf"\b{name} (?:\w+ly )?(\w+) by\b|\bqq by (?:was|were|is|are) {name} (\w+)", clause.text)
    suffers = any(stem(match[match.lastindex or 1]) in own for match in (object_, passive) if match)
    if bool(does) == suffers:
        return ""
    return "head" if bool(does) != is_passive(relation) else "tail"


def _side_of_noun(noun: str, relation: str) -> str:
    """The side of Ann in "the mayor of Ann", "Ann's mayor".

    She is the tail of `mayor of` and of `coached`, and the head of `coached by` and of what she has, as of `parent`.
    """
    words = in_words(relation).split()
    if words[-1] == "of":
        return "tail"
    has = any(each in (noun, noun.removesuffix("s")) for each in words)
    return "head" if has or is_passive(relation) else "tail"


def is_directed(relation: str) -> bool:
    """Whether a relation's name has a direction; a noun (`chief executive`) may go either way in data."""
    last = in_words(relation).split()[-1]
    return last in PREPOSITIONS or lemma(last) != last.removesuffix("s").removesuffix("e")
