"""The fact that a yes-or-no question states of two names, read by the words of a graph's relations.

`Did Ann direct Glass Hill?` has a word of `directed by`, and `Is York in Yorkshire?` none: then the sides on which the
names stand in the graph, and the preposition, must leave few relations. Every word must be one of a relation.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked, facts_with
from cgstore.llm.backends.rewrite.facts import REFUSED, own_words, said_by, without
from cgstore.llm.backends.rewrite.faults import side_of
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.llm.backends.rewrite.unknown import LIGHT_WORDS
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.text.names import some_of, spaced

_PREPOSITION = "about at by for from in into on to under with within"
_PLACE = "located situated within contained part country county state province region district continent"
_PREPOSITIONS, _OF_PLACE = (frozenset(words.split()) for words in (_PREPOSITION, _PLACE))
CLOSED = GRAMMAR_WORDS | LIGHT_WORDS | _PREPOSITIONS
"""Words that say nothing of a relation by themselves."""

MAX_MEANT = 3
"""Relations that a question without a word for one may mean."""


def facts_between(
    question: str,
    names: Sequence[Mention],
    relations: Sequence[str],
    around: Around,
) -> list[Asked]:
    """The facts of which one must hold for a yes; none if a word is not understood.

    Args:
        question: in plain words, without its limits of time.
        names: the two names in it, in order.
        relations: those of the graph.
        around: the relations that have a node as head, and as tail.

    Raises:
        CannotPropose: the relation is understood, and one of the names never stands on a side of it.
    """
    words = {word.text.lower() for word in words_of(without(question, names))}
    if words & REFUSED:
        return []
    content = [word for word in words if word not in CLOSED]
    own = own_words(relations)
    if not content:
        return _without_a_word(words, names, own, around)
    said = said_by(content, own)
    found = [fact for relation in said for fact in _directed(question, names, relation, around)]
    if said and not found:
        raise CannotPropose(_why_not(said, names, around))
    return found


def words_unsaid(question: str, names: Sequence[Mention], relations: Sequence[str]) -> set[str]:
    """The words of a question that no relation has."""
    own = own_words(relations)
    said = " ".join(name.text.lower() for name in names)
    words = {word.text.lower() for word in words_of(question)} - {word.text for word in words_of(said)}
    return {word for word in words - CLOSED if not said_by([word], own)}


def is_of_parts(relation: str) -> bool:
    """Whether what the relation says of a part it says of the parts of that: York is in England by Yorkshire."""
    words = [word.text.lower() for word in words_of(spaced(relation))]
    return bool(_OF_PLACE & set(words)) or words in (["in"], ["is", "in"])


def _directed(question: str, names: Sequence[Mention], relation: str, around: Around) -> list[Asked]:
    """The fact with the names on the sides that they have in the graph and in the question."""
    found = facts_with(relation, names, [side_of(relation, question, name) for name in names], around)
    return found if len(found) == 1 or is_mutual(relation) else []


def _without_a_word(
    words: set[str],
    names: Sequence[Mention],
    own: dict[str, tuple[str, ...]],
    around: Around,
) -> list[Asked]:
    """The facts of the few relations that a form of `to be`, and a preposition, may mean."""
    if not words & {"is", "are", "was", "were", "be", "been"}:
        return []
    said = words & _PREPOSITIONS
    one, other = (around(name.key) for name in names)
    meant = [relation for relation in one.head if relation in other.tail and _means(said, relation, own)]
    return [Asked(names[0].name, relation, names[1].name) for relation in meant] if len(meant) <= MAX_MEANT else []


def _means(said: set[str], relation: str, own: dict[str, tuple[str, ...]]) -> bool:
    """Whether a relation has every preposition that is said; `in` alone is a place, or the relation's first word."""
    words = own.get(relation, ())
    if said <= {"in", "within"} and said:
        return is_of_parts(relation) or words[:1] == ("in",)
    return all(word in words for word in said)


def _why_not(said: Sequence[str], names: Sequence[Mention], around: Around) -> str:
    """The reason: a name that has none of the relations, or stands on the other side of them only."""
    for name in names:
        near = around(name.key)
        if not {*said} & {*near.head, *near.tail}:
            has = some_of(list(dict.fromkeys((*near.head, *near.tail))))
            return f"'{name.name}' has no '{said[0]}' in the graph, which has {has} of it: 'no' would be a guess"
    return f"the graph has no fact '{said[0]}' in the direction that the question asks"
