"""What a fact leaves open of those who are asked for: a noun that it does not say, a verb that says too little."""

from __future__ import annotations

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite.abstention import why_ambiguous
from cgstore.llm.backends.rewrite.asked_kinds import PEOPLE, may_be_people
from cgstore.llm.backends.rewrite.assemble.relations import own_lemmas
from cgstore.llm.backends.rewrite.clauses import Clause, QuestionParts
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.text.names import in_words
from cgstore.text.thesaurus import lemma

_LIGHT_VERBS = frozenset(["hold", "have", "get", "take", "keep", "put", "make", "do", "give", "find", "set"])


def unchecked_kind(kind: str, fact: Asked, relation_words: RelationWords) -> str:
    """A note that the noun for those who are asked for says what the data do not; empty if there is no such noun.

    Raises:
        CannotPropose: another relation says it: `which mayor owned the mint`.
    """
    if kind in PEOPLE or not may_be_people(kind) or relation_words.speaks_of(kind, fact.relation):
        return ""
    if lemma(kind) in own_lemmas(relation_words.relations):
        raise CannotPropose(f"whether they are '{kind}' is said by another relation than '{fact.relation}'")
    return f"Whether all of these are '{kind}' is not in the data: they are what '{fact.relation}' gives."


def refuse_light(clause: Clause, parts: QuestionParts | None, fact: Asked, around: Around) -> None:
    """Refuses a verb that says little, where its name has other relations: which exhibitions were `held` there.

    Raises:
        CannotPropose: the things asked for may be those of another relation.
    """
    said = set(map(lemma, clause.words))
    if not (said and said <= _LIGHT_VERBS and fact.note and fact.is_set and parts and parts.kind):
        return
    if lemma(parts.kind) in map(lemma, in_words(fact.relation).split()):
        return
    near = around(clause.names[0].key)
    others = near.head if fact.free_side == "tail" else near.tail
    if len(others) > 1:
        raise CannotPropose(why_ambiguous(clause.words, others))
