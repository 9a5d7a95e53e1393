"""The fact that the rest of a question, or a clause of it, speaks of: by the words of one relation, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cgstore.llm.backends.rewrite.assemble.relations import OWN, chunks_in, own_lemmas
from cgstore.llm.backends.rewrite.clause_programs import facts_of
from cgstore.llm.backends.rewrite.clauses import Clause, NotUnderstood, QuestionParts, Text, clause_of, read_edge
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked
from cgstore.llm.backends.rewrite.nameless import Links, facts_without_name
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.mapping.mentions import Mention
from cgstore.text.names import in_words
from cgstore.text.thesaurus import lemma

_DOING = r"(?:carr(?:y|ied)|took|take|taken|put) (?:out|place|on) ?"
_DOES = re.compile(rf"\b{_DOING}(?:the |an? )?|\b(?:conducted|performed|undertook|undertaken) (?:the |an? )?")
"""Verbs that say no more than the noun of what is done: `carried out the inspection`."""

_LIGHT = re.compile(r"\b(?:held|hold|holds|serve[ds]?|had|spent|spend|in use|in office|in post|used|use)\b ?")
"""Words that may add nothing to those of a relation, or to two names that have only one."""

_ROLE = re.compile(r"\bas (?:the |its |his |her |their |an? )?(?P<role>[a-z]+(?: [a-z]+){0,2})(?= (?:of|for|at|in)\b|$)")
_SUBJECT = re.compile(r"^(?:the|their|its) [a-z]+ (?=[a-z])")
_OBJECT = re.compile(r" (?:an?|any) [a-z]+$")
_SLOT = re.compile(r"\be\d+\b")


@dataclass(frozen=True)
class Fact:
    """A fact with whether its beginning or its end is meant, or that it held."""

    asked: Asked
    edge: str


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
        for way in self._ways(text, names, parts):
            for whole in (False, True):
                if found := self._read(way, names, parts, whole):
                    return found
        return []

    def _ways(self, text: str, names: Mapping[str, Mention], parts: QuestionParts | None) -> Iterator[str]:
        """The text as it stands, and without what may add nothing."""
        yield text
        slots = _SLOT.findall(text)
        if role := self._in_role(text, [names[slot] for slot in slots]):
            yield f"qq was {role} of {slots[0]}" if len(slots) == 1 else f"{slots[0]} was {role} of {slots[-1]}"
        plain = " ".join(_DOES.sub(" ", text).split())
        light = " ".join(_LIGHT.sub(" ", plain).split())
        yield from (each for each in dict.fromkeys((plain, light)) if each != text)
        if parts is None and _SUBJECT.search(text):
            yield _SUBJECT.sub("", text)  # `when the club moved to e0`, of which there is one
        if not slots and _OBJECT.search(text):
            yield _OBJECT.sub("", text)  # `never won a race`

    def _in_role(self, text: str, names: list[Mention]) -> str:
        """The relation that `as` says beside any verb: `worked for it as steward`."""
        match = _ROLE.search(text)
        if match is None or not 1 <= len(names) <= 2:
            return ""
        near = self.around(names[0].key)
        has = dict.fromkeys((*near.head, *near.tail))
        said = set(map(lemma, match["role"].split()))
        meant = [each for each in has if said == set(map(lemma, in_words(each).removesuffix(" of").split()))]
        rest = set(map(lemma, re.findall(r"[a-z]+", text[: match.start()])))
        others = own_lemmas([each for each in self.relations if each not in meant])
        return in_words(meant[0]).removesuffix(" of") if len(meant) == 1 and rest.isdisjoint(others) else ""

    def _read(self, text: str, names: Mapping[str, Mention], parts: QuestionParts | None, whole: bool) -> list[Fact]:
        left = Text(text, dict(names), {})
        edge, verb = ("time", "") if whole else read_edge(left)
        try:
            core = clause_of(left, edge, verb, least=0)
        except NotUnderstood:
            return []
        if core.names:
            found = list(facts_of(core, parts and replace(parts, core=core), self.words, self.around))
        else:
            found = self._without_name(core, parts)
        return [Fact(each, edge) for each in found]

    def _without_name(self, core: Clause, parts: QuestionParts | None) -> list[Asked]:
        if parts is None:
            return []
        return list(facts_without_name(replace(parts, core=core), self.words, self.around, self.links))
