"""The fact that all words of a clause say together, in any order: `headed York as its mayor`.

Each word must be of the relation's name or of a phrase that the thesaurus has for it, unless it says no more than that
somebody held an office, or is the noun of what is asked for. The graph and the words say on which side a name stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.abstention import why_ambiguous
from cgstore.llm.backends.rewrite.clauses import Clause, QuestionParts
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked, facts_with
from cgstore.llm.backends.rewrite.other_words import OtherWords, other_words, side_of_slot
from cgstore.llm.backends.rewrite.relation_words import OFFICE, RelationWords, is_mutual, without_narrower
from cgstore.llm.backends.rewrite.sides import is_directed, said_side, says_otherwise
from cgstore.query.build import quote
from cgstore.text.names import in_words
from cgstore.text.thesaurus import PREPOSITIONS, lemma

_HAVING = "act acted acting work worked working stay stayed remain remained its his her their official officially"
_LIGHT = frozenset(map(lemma, (*OFFICE, *_HAVING.split())))
"""Words that say no more than that somebody had something."""
_OFFICES = frozenset(
    ["position", "office", "post", "role", "job", "occupation", "profession", "title", "rank", "served"]
)
"""Words of relations that say what somebody is."""
_WITH = re.compile(r"\bwork(?:s|ed|ing)? (?:with|against|under|alongside)\b")
"""Here `work` says more: with whom."""
_BELONGING = frozenset(map(lemma, ["belong", "part", "keep", "kept", "involved", "live"]))
"""The same, of what is asked for: `which subsidiaries belong to it`."""


_BEHIND_KIND = re.compile(r"\bqq (?P<noun>[a-z]{3,}s) (?!e\d)[a-z]+")
"""A noun behind what was taken for one: `which young keepers looked after it`."""
_GETTING = frozenset(map(lemma, ["get", "receive", "take", "accept"]))
"""Verbs that link somebody to what he or she has then."""


@dataclass(frozen=True)
class _Said:
    """A relation with the phrases that say it; `own`: words of its name are among them."""

    relation: str
    phrases: tuple[OtherWords, ...]
    own: bool


def floating_facts(
    clause: Clause, parts: QuestionParts | None, relations: RelationWords, around: Around
) -> list[Asked]:
    """The fact of which a clause speaks.

    Args:
        clause: with its names.
        parts: those of the question, if the clause is its main one.
        relations: how people speak of them.
        around: the relations of a name.

    Raises:
        CannotPropose: several relations are said equally well.
    """
    own = {lemma(word) for word in clause.words}
    if (
        len(clause.names) > 1
        and own <= _LIGHT | _BELONGING | _GETTING
        and not own.isdisjoint({"belong", "part"} | _GETTING)
    ):
        return of_the_names(clause, parts, around, is_linked=True)
    near = around(clause.names[0].key)
    words = [_holder(word) for word in clause.words if word not in PREPOSITIONS]
    kind = parts.kind if parts else ""
    if kind and (relations.is_own(kind) or has_noun_behind(clause, relations)):
        words, kind = [*words, kind], ""
    asked = parts.kind if parts else ""
    said = [
        each
        for relation in dict.fromkeys((*near.head, *near.tail))
        for each in _said(relation, words, kind, clause, asked)
    ]
    said = [each for each in said if each.own] or said
    meant = {each.relation: found for each in said if (found := _placed(each, clause, around))}
    meant = {each: meant[each] for each in without_narrower(list(meant), clause.words)}
    if len(meant) > 1:
        raise CannotPropose(why_ambiguous(words, list(meant)))
    text = " ".join(words)
    return [replace(each, note=taken_for(text, each.relation)) for found in meant.values() for each in found]


def has_noun_behind(clause: Clause, relations: RelationWords) -> bool:
    """Whether what was taken for the noun that is asked for stands before another one: `which young keepers`."""
    behind = _BEHIND_KIND.search(clause.text)
    return behind is not None and relations.is_own(behind["noun"])


def taken_for(text: str, relation: str) -> str:
    """The note on a relation that is said in these words; none if they are its own."""
    return "" if text == in_words(relation) else f"'{text}' is taken for the relation '{relation}'."


def _holder(word: str) -> str:
    """Who has an office: the captain for `captaincy`, the chairman for `chairmanship`."""
    for ending, instead in (("ship", ""), ("ncy", "nt"), ("cy", ""), ("alty", "")):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word


def _said(relation: str, words: Sequence[str], kind: str, clause: Clause, asked: str) -> Iterator[_Said]:
    """The relation, if words say it, with the phrases in them; `kind` is a noun that says none."""
    own = {lemma(word) for word in in_words(relation).replace("-", " ").split() if word not in PREPOSITIONS}
    left = {lemma(word) for word in words}
    is_own = not own.isdisjoint(left)
    left -= own
    joins = frozenset(clause.text.split()) & PREPOSITIONS
    phrases = []
    for phrase in sorted(other_words(relation), key=lambda each: -len(each.lemmas)):
        if phrase.lemmas and phrase.lemmas <= left and phrase.joins <= joins:
            phrases.append(phrase)
            left -= phrase.lemmas
    light = _LIGHT - {lemma("work")} if _WITH.search(clause.text) else _LIGHT
    left -= light | {lemma(kind)} | (_BELONGING if lemma(asked) in own else frozenset())
    if not left and (is_own or phrases) and not says_otherwise(clause, relation):
        yield _Said(relation, tuple(phrases), is_own)


def _placed(said: _Said, clause: Clause, around: Around) -> list[Asked]:
    """The fact with the names on the sides that all phrases leave, if it is one."""
    sides = [""] * len(clause.places)
    for place, slot in enumerate(clause.places) if not is_mutual(said.relation) else ():
        own = {side_of_slot(each, clause.text, slot, clause.verb.startswith("bec")) for each in said.phrases} - {""}
        if said.own and is_directed(said.relation):
            own |= {said_side(clause, slot, said.relation)} - {""}
        if None in own or len(own) > 1:
            return []
        sides[place] = own.pop() or "" if own else ""
    found = facts_with(said.relation, clause.names, sides, around)
    return found if len(found) == 1 else found[:1] if is_mutual(said.relation) else []


def of_the_names(clause: Clause, parts: QuestionParts | None, around: Around, is_linked: bool = False) -> list[Asked]:
    """The fact where no word but `join` or `leave` says the relation, if one alone fits: `when Ann left York`."""
    one, *others = clause.names
    near = around(one.key)
    is_edge = is_linked or clause.edge != "time" or (parts is not None and parts.unit in ("start_time", "end_time"))
    is_held = (parts is None or parts.unit == "time") and P.HELD.fullmatch(clause.text)
    is_being = (parts is None or parts.unit in ("time", "span")) and P.TOGETHER.search(clause.text)
    if others and (is_edge or is_being or is_held):
        two = around(others[0].key)
        meant = [Asked(one.name, each, others[0].name) for each in near.head if each in two.tail]
        if is_edge and not meant:
            meant = [Asked(others[0].name, each, one.name) for each in two.head if each in near.tail]
        if parts and not (is_edge or is_held):  # who stayed at York was not its mayor
            meant = [each for each in meant if in_words(each.relation).split()[-1] in ("at", "for", "in", "with")]
        if len(meant) > 1:
            meant = [each for each in meant if _is_said(clause.verb, each.relation)]
    elif not others and parts and (parts.person or parts.kind) and (clause.edge != "time" or _is_in_time(parts)):
        does = re.search(r"\b(?:did|does|has|had) (?:the )?e\d", clause.text)
        meant = [
            Asked(one.name, each) if does else Asked("", each, one.name) for each in (near.head if does else near.tail)
        ]
        said = [each for each in meant if _is_said(clause.verb, each.relation)]
        meant = said or (meant if not (does or near.head) else [])
    elif not others and parts and parts.person and not _is_bounded(parts) and P.WHO_WAS.fullmatch(clause.text):
        meant = [Asked("", each, one.name) for each in near.tail] if not near.head else []
        if len(meant) == 1 and not _OFFICES.isdisjoint(in_words(meant[0].relation).split()):
            return meant
    elif not others and parts and parts.beside:
        beside = around(parts.beside[1].key)
        meant = [Asked(relation=each, tail=one.name) for each in near.tail if each in beside.head]
        meant += [Asked(one.name, each) for each in near.head if each in beside.tail]
    else:
        return []
    if len(meant) != 1:
        return []
    return [_only(meant[0])]


def _is_bounded(parts: QuestionParts) -> bool:
    """Whether a time, another fact or somebody else bounds what is asked."""
    return bool(parts.at or parts.during or parts.relative or parts.beside or parts.same or parts.order)


def _is_in_time(parts: QuestionParts) -> bool:
    """Whether somebody is asked for by an order in time, or by another fact."""
    other = parts.during or (parts.relative[1] if parts.relative else None)
    is_twice = other is not None and not {each.key for each in other.names}.isdisjoint(n.key for n in parts.core.names)
    return parts.person and bool(parts.order or other) and not is_twice


def what_it_was(parts: QuestionParts, around: Around) -> list[Asked]:
    """The fact of `what was Ann in 1960`, or `who was Ann then`, whose words leave open which relation is meant.

    Raises:
        CannotPropose: she has several, or none.
    """
    is_beside = parts.beside or parts.same or parts.relative
    if parts.unit != "entity" or parts.kind or is_beside or not P.WHAT_WAS.fullmatch(parts.core.text):
        return []
    name = parts.core.names[0]
    has = around(name.key).head
    if parts.person and (around(name.key).tail or not (has and parts.at)):
        return []  # who was Mayor of York
    if not has:
        raise CannotPropose(f"'{name.name}' is the head of no fact in the graph: ask for what it is the tail of")
    if len(has) > 1:
        offices = [each for each in has if not _OFFICES.isdisjoint(in_words(each).split())]
        if len(offices) == 1:
            return [
                replace(Asked(name.name, offices[0]), note=f"'{offices[0]}' is meant, which says what somebody was.")
            ]
        raise CannotPropose(f"what or who '{name.name}' was may mean {' or '.join(map(quote, has))}: ask for one")
    return [_only(Asked(name.name, has[0]))]


def _only(fact: Asked) -> Asked:
    return replace(fact, note=f"'{fact.relation}' is meant, the only relation that fits.")


def _is_said(verb: str, relation: str) -> bool:
    """Whether a verb like `join` says a relation, whose beginning it is."""
    return any(each.lemmas == {lemma(verb)} and not each.inverse for each in other_words(relation))
