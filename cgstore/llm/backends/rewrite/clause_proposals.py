"""The proposals for a question that is read by its parts; a phrase in it may stand for a name.

`The mayor of York in 1950` is whoever was mayor of York then: the program finds them first, and goes on from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite.clause_programs import ClauseProgram, programs_of, refuse_lacking
from cgstore.llm.backends.rewrite.clauses import QuestionParts, read_question
from cgstore.llm.backends.rewrite.fact_asked import Around, Program
from cgstore.llm.backends.rewrite.floating_facts import what_it_was
from cgstore.llm.backends.rewrite.nameless import Links
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.graph_view import GraphView, Neighbourhood
from cgstore.mapping.mentions import Mention
from cgstore.text.dates import Step

_BEFORE = re.compile(r"\b(?:the|its|their) (?P<noun>(?:[a-z-]+ ){1,3}(?:of|at|in|for) (?:the )?)$", re.IGNORECASE)
_BEHIND = re.compile(r"^ (?:in|on|of) (?:the year )?$", re.IGNORECASE)
_ORDERED = re.compile(r"\b(?:first|last|second|third|fourth|fifth)\b", re.IGNORECASE)
_HELD = "\0held"
"""The name, in an outer program, of what the inner one finds."""


@dataclass(frozen=True)
class Reader:
    """What reads the clauses of a graph's questions: how people speak of its relations, and what these link."""

    graph: GraphView
    words: RelationWords
    links: Links

    def programs(self, question: str, names: Sequence[Mention], around: Around | None = None) -> list[ClauseProgram]:
        """The programs of a question with these names.

        Raises:
            CannotPropose: it lacks what is asked, or may mean several relations.
        """
        asked = read_question(question, names, self.graph.relations)
        if asked is None:
            return []
        self.graph.read_around([name.key for name in names if name.kind == "entity" and name.key != _HELD])
        near = around or self.graph.relations_of
        asked = self._in_steps(asked)
        found = programs_of(asked, self.words, near, self.graph.relations_of_numbers, self.graph.has_times, self.links)
        if self.graph.has_times and not found:
            refuse_lacking(asked.core, asked.kind, self.words, near)
        return found

    def _in_steps(self, asked: QuestionParts) -> QuestionParts:
        """The parts with the time that is asked for in the step of the sources: of a period of days, both ends."""
        by_year = all(outline.step in ("", Step.YEAR) for outline in self.graph.outlines)
        if asked.unit == "period":
            return replace(asked, unit="time" if by_year else "span")
        return replace(asked, unit="time") if asked.unit == "years" and by_year else asked

    def proposals(self, question: str, names: Sequence[Mention]) -> list[Proposal]:
        """The same as proposals."""
        return [_proposal(each) for each in self.programs(question, names)]

    def of_what_it_was(self, question: str, names: Sequence[Mention]) -> list[Proposal]:
        """The proposals of a question that says no relation; see `what_it_was`."""
        asked = read_question(question, names) if len(names) in (1, 2) else None
        is_open = asked is not None and bool(what_it_was(asked, self.graph.relations_of))
        return self.proposals(question, names) if is_open else []

    def of_holders(
        self, question: str, names: Sequence[Mention], names_in: Callable[[str], list[Mention]]
    ) -> Iterator[Proposal]:
        """The proposals of a question in which a phrase with a name stands for another: `the mayor of York in 1950`."""
        for phrase, said in _phrases(question, names):
            inner = f"Who was {said}?"
            try:
                held = self.programs(inner, names_in(inner))
                if not held:
                    continue
                left = [each for each in names if each.end <= phrase.start or each.start >= phrase.end]
                around = self._around(held[0], phrase, names)
                outer = self.programs(question, sorted([*left, phrase], key=lambda each: each.start), around)
            except CannotPropose:
                continue
            for each in outer:
                notes = (f"'{phrase.text}' is taken for whoever was '{said}'.", *held[0].notes, *each.notes)
                yield _proposal(replace(each, program=_joined(held[0].program, each.program), notes=notes))

    def _around(self, held: ClauseProgram, phrase: Mention, names: Sequence[Mention]) -> Around:
        """The relations of names, of which a phrase has those of some that its relation has on that side."""
        if "tail_entity=" in held.program.splitlines()[-1]:
            keys = self.graph.heads_of(held.relation)
        else:
            inside = [each for each in names if phrase.start <= each.start < phrase.end and each.kind == "entity"]
            links = [link for each in inside for link in self.graph.links_of(each.name)]
            ends = [end for link in links if link.as_head and link.relation == held.relation for end in link.names]
            keys = [each.key for end in ends for each in self.graph.mentions(end) if each.name == end]
        self.graph.read_around(keys)
        near = [self.graph.relations_of(key) for key in keys]
        all_of = Neighbourhood(
            tuple(dict.fromkeys(each for around in near for each in around.head)),
            tuple(dict.fromkeys(each for around in near for each in around.tail)),
        )
        return lambda key: all_of if key == _HELD else self.graph.relations_of(key)


def _phrases(question: str, names: Sequence[Mention]) -> Iterator[tuple[Mention, str]]:
    """The phrases that may stand for a name, each with what it says; it says when, or which of all."""
    for place, name in enumerate(names):
        before = _BEFORE.search(question[: name.start])
        if name.kind != "entity" or before is None:
            continue
        behind = names[place + 1] if place + 1 < len(names) else None
        is_when = (
            behind is not None and behind.kind == "time" and bool(_BEHIND.match(question[name.end : behind.start]))
        )
        if not (is_when or _ORDERED.search(before["noun"])):
            continue
        end = behind.end if behind and is_when else name.end
        text = question[before.start() : end]
        for last in dict.fromkeys((name.end, end)):
            yield Mention(before.start(), last, question[before.start() : last], _HELD, _HELD, "entity", "words"), text


def _joined(inner: str, outer: str) -> str:
    """A program that goes on from another, whose last output its name of a phrase is."""
    program = Program(inner)
    held = program.last.strip("'")
    program.go_on(outer)
    return program.text.replace(_HELD, held)


def _proposal(found: ClauseProgram) -> Proposal:
    because = f"'{' '.join(found.words)}' is taken for the relation '{found.relation}'"
    return Proposal(found.program, 1.0, because, found.notes, way="clause")
