"""The fact of a question without a name, by its relation: `who was concertmaster in 1972`.

The name that it leaves out is one of another clause of the question, or the only one that the relation has in the data.
Where the relation has several, all of them are asked, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from cgstore.llm.backends.rewrite.assemble.nearness import says_no_more
from cgstore.llm.backends.rewrite.assemble.sets import SIDES
from cgstore.llm.backends.rewrite.assembled_facts import assembled_relations
from cgstore.llm.backends.rewrite.clauses import QuestionParts
from cgstore.llm.backends.rewrite.fact_asked import EVERY, Around, Asked
from cgstore.llm.backends.rewrite.other_words import is_lead, is_leader, says_lead, side_of_slot
from cgstore.llm.backends.rewrite.relation_words import RelationWords, is_mutual
from cgstore.llm.backends.rewrite.sides import is_directed
from cgstore.text.names import in_words, some_of
from cgstore.text.thesaurus import PREPOSITIONS

Links = Callable[[str], list[tuple[str, str]]]
"""The names of head and tail that a relation links; empty where these are too many to be read."""

_THE = re.compile(r"\bthe ([a-z]+)(?= |$)(?! of\b)")
_PASSIVE = re.compile(r"\bqq (?:[a-z]+ )*?(?:was|were|is|are|be|been|being)\b(?= [a-z]+)")
_DOES = re.compile(r"\bqq (?:[a-z]+ )?(?:did|does|do)\b")
_AGENT = re.compile(r"\bqq by\b|\bby qq\b")
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|fewest|(?:big|small|larg|great|high|low|tall|short|long|old|young|new)[a-z]?est)\b"
)
_OTHER = {"head": "tail", "tail": "head"}


@dataclass(frozen=True)
class _Meant:
    """A relation, with the side that is asked for; empty if the words leave that open."""

    relation: str
    side: str


def facts_without_name(
    parts: QuestionParts, relation_words: RelationWords, around: Around, links: Links
) -> Iterator[Asked]:
    """The fact that a question without a name asks for.

    Args:
        parts: those of the question.
        relation_words: how people speak of the relations.
        around: the relations of a name.
        links: what a relation links.
    """
    clause = parts.core
    if not (parts.person or parts.kind or "qq" in clause.text):
        return
    ways = list(_ways(parts, relation_words))
    known = ((words, standing, _meant(parts, words, relation_words, around)) for words, standing in ways)
    near = ((words, standing, _meant_floating(parts, standing, relation_words)) for words, standing in ways if words)
    for words, standing, meant in chain(known, near):
        if len(meant) == 1:
            (one,) = meant
            found = _of_relation(parts, words, standing, one, links(one.relation))
            yield from (each for each in found if not _stands_for_another(standing, each, relation_words, links))
            return


def of_the_same(asked: Asked, others: Sequence[Asked], links: Links) -> Asked:
    """The search of all names as that of the one of which another clause speaks: the keeper of where a ship sank."""
    if EVERY not in (asked.head, asked.tail):
        return asked
    side = "head" if asked.head == EVERY else "tail"
    known = {pair[SIDES.index(side)] for pair in links(asked.relation)}
    for other in others:
        if not other.is_set or EVERY in (other.head, other.tail):
            continue
        place, given = SIDES.index(other.free_side), other.head or other.tail
        found = known & {pair[place] for pair in links(other.relation) if pair[1 - place] == given}
        if len(found) == 1:
            (name,) = found
            note = f"'{asked.relation}' of '{name}' is meant, of which another clause speaks."
            return replace(asked, note=note, **{side: name})
    return asked


def _ways(parts: QuestionParts, relation_words: RelationWords) -> Iterator[tuple[tuple[str, ...], str]]:
    """The words that may say the relation, with the noun that may stand for the name: `the club` for the only one."""
    words, kind = parts.core.words, (parts.kind,) if parts.kind else ()
    nouns = [
        noun for noun in _THE.findall(parts.core.text) if noun in words and not relation_words.names_relation(noun)
    ]
    for standing in ("", *nouns):
        left = tuple(word for word in words if word != standing)
        yield (*kind, *left), standing
        if kind and left and not relation_words.is_own(parts.kind):
            yield left, standing


def _of_relation(
    parts: QuestionParts, words: tuple[str, ...], standing: str, meant: _Meant, linked: list[tuple[str, str]]
) -> Iterator[Asked]:
    """The fact of a relation, with the only name that may be left out, or all of them."""
    side = meant.side or _said_side(parts.core.text, meant.relation) or _side(meant.relation, linked)
    if not side:
        return
    others = list(dict.fromkeys(pair[SIDES.index(_OTHER[side])] for pair in _linked_to_said(parts, side, linked)))
    taken = f"'{' '.join(words)}' is taken for '{meant.relation}'" if words else f"'{meant.relation}' is meant"
    if named := _said_in((*words, standing), others, meant.relation):
        if len(named) == 1:
            note = f"{taken} of '{named[0]}', the only one with such a name."
            yield Asked(relation=meant.relation, note=note, **{_OTHER[side]: named[0]})
        return
    if len(others) == 1:
        of = f"of '{parts.beside[1].name}'" if parts.beside else "in the data"
        whose = f"'the {standing}'" if standing else f"the only one {of}"
        note = f"{taken} of '{others[0]}', {whose}."
        yield Asked(relation=meant.relation, note=note, **{_OTHER[side]: others[0]})
    elif others and not standing and _is_of_time_alone(parts, meant.relation) and says_no_more(words, meant.relation):
        note = f"{taken} of all that the data have: {some_of(others)}."
        yield Asked(relation=meant.relation, note=note, **{_OTHER[side]: EVERY})


def _said_in(words: Sequence[str], names: Sequence[str], relation: str) -> list[str]:
    """The names that have a word beside those of the relation in them: the curator of `paintings`."""
    said = set(words) - set(in_words(relation).split())
    return [name for name in names if not said.isdisjoint(name.lower().split())]


def _stands_for_another(noun: str, asked: Asked, relation_words: RelationWords, links: Links) -> bool:
    """Whether a noun that stands for the only name of a relation is that of another: `the museum` for its town."""
    if not noun or _ends_in(asked.head or asked.tail, noun):
        return False
    return any(_ends_in(name, noun) for each in relation_words.relations for pair in links(each) for name in pair)


def _meant(parts: QuestionParts, words: tuple[str, ...], relation_words: RelationWords, around: Around) -> set[_Meant]:
    """The relations that the words say, all of whose own words they have; or the only one of the name beside."""
    clause, beside = parts.core, parts.beside
    if not words:
        near = around(beside[1].key) if beside else None
        sides = (("head", near.head), ("tail", near.tail)) if near else ()
        found = ({_Meant(each, side) for each in relations if not is_mutual(each)} for side, relations in sides)
        return next(filter(None, found), set())
    said = [each.relation for each in relation_words.said_by(words) if not each.others]
    if meant := {_Meant(each, _side_of_office(each)) for each in said if not is_mutual(each)}:
        return meant
    text = clause.text.replace("qq", f"qq {parts.kind}", 1) if parts.kind else clause.text
    phrases = relation_words.meant_by(words, text, free=False)
    if any(says_lead(others) for _, others in phrases) and _has_leaders(relation_words):
        return set()  # who leads the team may be its captain, or its manager
    return {
        _Meant(relation, _side_of_office(relation) or side_of_slot(others, text, "qq", clause.verb[:3] == "bec") or "")
        for relation, others in phrases
        if not (others.named or is_mutual(relation))
    }


def _meant_floating(parts: QuestionParts, standing: str, relation_words: RelationWords) -> set[_Meant]:
    """The only relation that all words of the question say, as in questions over graphs without times."""
    if _SUPERLATIVE.search(parts.core.text):
        return set()  # no word near to a relation says of which things there is most
    if parts.core.words and is_lead(parts.core.words[0]) and _has_leaders(relation_words):
        return set()
    text = parts.core.text.replace(f"the {standing}", " ") if standing else parts.core.text
    core = replace(parts.core, text=" ".join(text.split()))
    found = assembled_relations(core, parts, relation_words)
    return {_Meant(each, _side_of_office(each)) for each in found if not is_mutual(each)}


def _has_leaders(relation_words: RelationWords) -> bool:
    return len([*filter(is_leader, relation_words.relations)]) > 1


def _ends_in(name: str, noun: str) -> bool:
    return name.lower().split()[-1:] == [noun]


def _side_of_office(relation: str) -> str:
    """The side of who has an office, where the name of a relation says it."""
    return "head" if relation.endswith(" of") else ""


def _said_side(text: str, relation: str) -> str:
    """The side that is asked for of a verb, by its voice: what was won is the tail of `won`; empty if that is open."""
    last = in_words(relation).split()[-1]
    if not is_directed(relation) or last in PREPOSITIONS - {"by"}:
        return ""
    is_done = _PASSIVE.search(text) is not None or _DOES.search(text) is not None
    is_agent = _AGENT.search(text) is not None or not is_done
    return "head" if is_agent != (last == "by") else "tail"


def _side(relation: str, linked: list[tuple[str, str]]) -> str:
    """The side that is asked for where words leave it open: the one that has several names, or what a noun says."""
    heads, tails = ({pair[place] for pair in linked} for place in (0, 1))
    is_noun = not is_directed(relation)
    if len(heads) == 1:
        return "tail" if is_noun or len(tails) > 1 else ""
    if len(tails) == 1:
        return "head"
    if is_noun:
        return "tail" if len(heads) < len(tails) else ""
    return "head" if in_words(relation).split()[-1] in PREPOSITIONS else ""  # which players were signed: from anywhere


def _linked_to_said(parts: QuestionParts, side: str, linked: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What a relation links, as far as the names of other clauses tell: `while Ann was editor of the Courier`."""
    asked, other = SIDES.index(side), SIDES.index(_OTHER[side])
    if beside := parts.beside[1] if parts.beside else parts.same:
        return [pair for pair in linked if pair[asked] == beside.name]
    clauses = [clause for clause in (parts.during, parts.relative and parts.relative[1]) if clause]
    said = {name.name for clause in clauses for name in clause.names}
    return [pair for pair in linked if pair[other] in said] or linked


def _is_of_time_alone(parts: QuestionParts, relation: str) -> bool:
    """Whether all names may be asked at once: what was done last is clear; who was last in all offices is not."""
    is_nearest = any(at.sign in ("<", ">", "until") for at in parts.at) and not parts.several
    is_office = not is_directed(relation) or relation.endswith(" of")
    return not (parts.beside or parts.same or parts.relative or (parts.order and is_office) or is_nearest)
