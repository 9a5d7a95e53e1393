"""The fact of which the rest of a question, or a clause of it, speaks, wherever the words of its relation stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.assemble.relations import own_lemmas
from cgstore.llm.backends.rewrite.assemble.small_words import has_places
from cgstore.llm.backends.rewrite.clause_programs import facts_of
from cgstore.llm.backends.rewrite.clauses import (
    Clause,
    NotUnderstood,
    QuestionParts,
    Text,
    clause_of,
    own_nouns,
    read_edge,
)
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked
from cgstore.llm.backends.rewrite.nameless import Links, facts_without_name
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.demonstrations.signals import HARMLESS, SIGNAL_OF
from cgstore.mapping.mentions import Mention
from cgstore.text.names import in_words
from cgstore.text.thesaurus import PREPOSITIONS, lemma

_DOING = r"(?:carr(?:y|ied)|took|take|taken|put) (?:out(?! of)|place|on) ?"
_DONE = r"conducted|performed|undertook|undertaken|underwent|undergone|suffered|endured|(?:go|went|gone) through"
_DOES = re.compile(rf"\b{_DOING}(?:the |an? )?|\b(?:{_DONE})\b(?: the| an?)?")
"""Verbs that say no more than the noun of what is done: `carried out the inspection`."""

_WORKED = r"(?:worked|working|work|acted)\b(?! (?:with|against|alongside)\b)"
_HELD = r"held|hold|holds|serve[ds]?|had|spent|spend|in use|in office|in post|used|use"
_BASED = re.compile(r"qq in (?:was|were) (?:the )?(?P<of>e\d+)(?: (?:based|located|situated|housed|found))?")
_LIGHT = re.compile(rf"\b(?:{_HELD}|{_WORKED})\b ?")
"""Words that may add nothing to those of a relation, or to two names that have only one."""

_ROLE = re.compile(
    r"\bas (?:the |its |his |her |their |an? )?(?P<role>[a-z]+(?: [a-z]+){0,2})(?= (?:of|for|at|in)\b|$)"
)
_OF_ROLE = re.compile(r"(?: (?:of|for|at|in)(?: the)? e\d+)?")
_CHANGING = frozenset(["else", *SIGNAL_OF]) - HARMLESS
_BECOMING = re.compile(r"\bbec[ao]m")
"""A verb that says who has what is said behind it."""
_SUBJECT = re.compile(r"^(?:the|their|its) [a-z]+ (?=[a-z])")
_OBJECT = re.compile(r" (?:an?|any) [a-z]+$")
_MAKERS = ("maker", "supplier", "manufacturer", "producer", "provider", "builder")
_MADE = re.compile(
    r"qq (?:[a-z]+ )?(?:made|built|supplied|produced|provided|manufactured|delivered)"
    r" (?:the )?(?P<of>e\d+)(?:'s)? (?P<noun>[a-z]+(?: [a-z]+)?)"
)
"""Who made what somebody has, for which a relation may have a noun: `which firms built its engines`."""
_BEING = (" of", " in", " at")
"""The last words of relations that say what or where something is."""
_SLOT = re.compile(r"\be\d+\b")


def _being(role: str, slots: list[str], text: str) -> Iterator[str]:
    """What somebody was in a role, as a text: who was it to a name, or whose a name was."""
    if len(slots) == 2:
        yield f"{slots[0]} was {role} of {slots[1]}"
    elif re.search(rf"\bqq (?:[a-z]+ )?(?:the )?{slots[0]} ", text):
        yield f"qq's {role} was {slots[0]}"
    else:
        yield f"qq was {role} of {slots[0]}"


@dataclass(frozen=True)
class Fact:
    """A fact with whether its beginning or its end is meant, or that it held.

    `is_outer`: of several beginnings the first is meant, and of several ends the last: when something opened.
    """

    asked: Asked
    edge: str
    is_outer: bool = False


@dataclass(frozen=True)
class Facts:
    """What finds facts in texts with slots for names.

    Args:
        words: how people speak of the relations of the graph.
        around: the relations of a name.
        links: what a relation links.
        relations: those of the graph.
    """

    words: RelationWords
    around: Around
    links: Links
    relations: tuple[str, ...]

    def of(self, text: str, names: Mapping[str, Mention], parts: QuestionParts | None = None) -> list[Fact]:
        """The facts of which a text speaks; empty if a word of it is not understood."""
        if (match := _MADE.fullmatch(text)) and (found := self.of_agent(match["noun"], names[match["of"]], _MAKERS)):
            return found
        for way, said in self._ways(text, names, parts):
            for whole in (False,) if _BECOMING.search(way) or self._opens(way) else (False, True):
                if found := self._read(way, names, said, whole):
                    return found
        if parts and parts.where and (match := _BASED.fullmatch(text)):
            return self._of_place(names[match["of"]])
        return []

    def _opens(self, text: str) -> bool:
        """Whether something opened or closed, which no relation says."""
        match = P.OPENS.search(text)
        return match is not None and lemma(match["verb"]) not in own_nouns(self.relations)

    def _of_place(self, name: Mention) -> list[Fact]:
        """The only relation of a name that says where it is."""
        found = [each for each in self.around(name.key).head if has_places(each)]
        note = "'{}' is meant, the only relation that says where it is."
        return [Fact(Asked(name.name, each, note=note.format(each)), "time") for each in found if len(found) == 1]

    def _ways(
        self, text: str, names: Mapping[str, Mention], parts: QuestionParts | None
    ) -> Iterator[tuple[str, QuestionParts | None]]:
        """The text as it stands, and without what may add nothing; in a role, the noun of the question adds nothing."""
        yield text, parts
        slots = _SLOT.findall(text)
        if role := self._in_role(text, [names[slot] for slot in slots]):
            yield from ((way, parts and replace(parts, kind="")) for way in _being(role, slots, text))
        plain = " ".join(_DOES.sub(" ", text).split())
        light = " ".join(_LIGHT.sub(" ", plain).split())
        yield from ((each, parts) for each in dict.fromkeys((plain, light)) if each != text)
        if parts is None and _SUBJECT.search(text):
            yield _SUBJECT.sub("", text), None  # `when the club moved to e0`, of which there is one
        if not slots and _OBJECT.search(text):
            yield _OBJECT.sub("", text), parts  # `never won a race`

    def _in_role(self, text: str, names: list[Mention]) -> str:
        """What `as` says beside any verb: `worked for it as steward`; nothing beside a word of a relation."""
        match = _ROLE.search(text)
        if match is None or not 1 <= len(names) <= 2 or not _OF_ROLE.fullmatch(text, match.end()):
            return ""
        rest = set(re.findall(r"[a-z]+", text[: match.start()]))
        is_any_verb = {lemma(word) for word in rest}.isdisjoint(own_lemmas(self.relations) - PREPOSITIONS)
        return match["role"] if is_any_verb and rest.isdisjoint(_CHANGING) else ""

    def of_agent(self, noun: str, name: Mention, agents: tuple[str, ...] = ("er", "or")) -> list[Fact]:
        """The fact of who made or supplied what somebody used: the supplier of `whose engines did the team use`."""
        said = [lemma(word) for word in noun.split()]
        heads = self.around(name.key).head
        found = [each for each in heads if list(map(lemma, in_words(each).split()[:-1])) == said]
        found = [each for each in found if in_words(each).endswith(agents)]
        note = "'{}' is meant, the only relation of these things."
        return [Fact(Asked(name.name, each, note=note.format(each)), "time") for each in found if len(found) == 1]

    def between(self, text: str, names: Mapping[str, Mention], other: Mention) -> list[Fact]:
        """The facts of a text that says no more than that somebody had something, as another name has it too."""
        slots = _SLOT.findall(text)
        left = Text(" ".join(_LIGHT.sub(" ", text).split()), dict(names), {}, own_nouns(self.relations))
        edge, verb = read_edge(left)
        try:
            words = clause_of(left, edge, verb).words
        except NotUnderstood:
            return []
        if words or len(slots) != 1:
            return []
        one, near = self.around(names[slots[0]].key), self.around(other.key)
        name = names[slots[0]].name
        found = [Asked(name, each) for each in one.head if each in near.tail]
        found += [Asked("", each, name) for each in one.tail if each in near.head]
        note = "'{}' is meant, the only relation of both names."
        return [Fact(replace(found[0], note=note.format(found[0].relation)), edge)] if len(found) == 1 else []

    def _read(self, text: str, names: Mapping[str, Mention], parts: QuestionParts | None, whole: bool) -> list[Fact]:
        left = Text(text, dict(names), {}, own_nouns(self.relations))
        edge, verb = ("time", "") if whole else read_edge(left)
        try:
            core = clause_of(left, edge, verb, least=0)
        except NotUnderstood:
            return []
        if core.names:
            found = list(facts_of(core, parts and replace(parts, core=core), self.words, self.around))
        else:
            found = self._without_name(core, parts)
        is_time = parts is None or parts.unit != "entity"
        if is_time and not (found or core.words) and verb in P.OPENED and len(core.names) == 1:
            return self._of_all_it_was(core.names[0], edge, verb)
        if not (found or parts or core.words) and edge != "time" and len(core.names) == 1:
            name, near = core.names[0].name, self.around(core.names[0].key)
            found = [Asked("", each, name) for each in near.tail]  # `when it moved to York`, which has one relation
            found += [Asked(name, each) for each in near.head]  # `when the fire broke out`
            found = found if len(found) == 1 else []
        return [Fact(each, edge) for each in found]

    def _of_all_it_was(self, name: Mention, edge: str, verb: str) -> list[Fact]:
        """The fact that says what something is, at whose first beginning it opened, and at whose last end it closed."""
        found = [Asked(name.name, each) for each in self.around(name.key).head if each.endswith(_BEING)]
        end = "first start" if edge == "start_time" else "last end"
        note = "'{}' is taken for the {} of '{}' in the data."
        return [
            Fact(replace(each, note=note.format(verb, end, each.text)), edge, True) for each in found if len(found) == 1
        ]

    def _without_name(self, core: Clause, parts: QuestionParts | None) -> list[Asked]:
        if parts is None:
            return []
        return list(facts_without_name(replace(parts, core=core), self.words, self.around, self.links))
