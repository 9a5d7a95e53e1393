"""The ways by which a question over graphs comes to programs, in the order in which they are tried.

What is sure comes first, and what needs no encoder comes before it is loaded. Each way gives proposals, none, or says
why it cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite.abstention import is_plainer, refuse_times
from cgstore.llm.backends.rewrite.assemble.proposals import assembled
from cgstore.llm.backends.rewrite.clause_proposals import Reader
from cgstore.llm.backends.rewrite.clauses import clause_names, not_of_relations
from cgstore.llm.backends.rewrite.events import events_in
from cgstore.llm.backends.rewrite.fact_asked import not_counted
from cgstore.llm.backends.rewrite.graph_words import in_plainer_words, in_words_of_graph
from cgstore.llm.backends.rewrite.likeness import Likeness, Teaching
from cgstore.llm.backends.rewrite.proposals import of_facts
from cgstore.llm.backends.rewrite.quantity_programs import Quantities, instead, measures_in
from cgstore.llm.backends.rewrite.reduction import Reduction, decides_first
from cgstore.llm.backends.rewrite.rewording import Reworded
from cgstore.llm.backends.rewrite.timed.proposals import in_any_order
from cgstore.llm.fact_view import MAX_LINKED
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.mapping.unknown_mentions import unknown_names
from cgstore.source_kinds import kind_named
from cgstore.text.names import name_of_key


class Asked:
    """One question, on its way to proposals.

    Args:
        question: in plain words.
        mentions: its names and times.
        graph: where it is asked.
        teaching: the demonstrations, which are compared with it only if no other way answers.
    """

    def __init__(self, question: str, mentions: Sequence[Mention], graph: GraphView, teaching: Teaching) -> None:
        self._question, self._graph = question, graph
        self._mentions = not_of_relations(mentions, graph)
        self._teaching, self._repertoire = teaching, teaching.repertoire
        self._has_times = graph.has_times
        self._has_rows = any(kind_named(kind).has_rows for kind in graph.kinds)
        self._likeness = Likeness(question, self._mentions, graph, teaching)
        self._reading = self._likeness.readings[0]

    def in_any_words(self) -> list[Proposal]:
        """The programs; over times also of the question in the graph's words, where it is not understood as written.

        Raises:
            CannotPropose: there is none.
        """
        try:
            return self._in_plainer_words()
        except CannotPropose:
            if not self._has_times or not (found := self._in_words_of_graph()):
                raise
            return found

    def _in_words_of_graph(self) -> list[Proposal]:
        """The programs of the question as the graph calls what it names, of which one way alone must be understood.

        Raises:
            CannotPropose: several are.
        """
        words, unknown = self._repertoire.relation_words, self._unknown
        found: list[tuple[Reworded, list[Proposal]]] = []
        for meant in in_words_of_graph(self._question, self._names, unknown, self._graph, words):
            with suppress(CannotPropose):
                found.append((meant, self._asked(meant.question)._in_plainer_words()))
        if len(found) > 1:
            ways = " or ".join(f"'{meant.question}'" for meant, _ in found[:2])
            raise CannotPropose(f"a name that is said in part may be one of several: ask {ways}")
        return [replace(each, notes=(*meant.notes, *each.notes)) for meant, way in found for each in way]

    def _in_plainer_words(self) -> list[Proposal]:
        """The programs; over times also of the question in plainer words."""
        try:
            return self.proposals()
        except CannotPropose:
            if not self._has_times:
                raise
            if self._is_of_parts and (held := [*self._reader.of_holders(self._question, self._names, self._names_in)]):
                return held
            for meant in self._meanings():
                with suppress(CannotPropose):
                    found = self._asked(meant.question).proposals()
                    return [replace(each, notes=(*meant.notes, *each.notes)) for each in found]
            if not self._is_of_parts or refuse_times(self._question, self._reading, self._graph):
                raise
            if found := in_any_order(self._reader, self._question, self._names, self._meanings(), self._names_in):
                return found
            raise

    def _meanings(self) -> Iterator[Reworded]:
        return in_plainer_words(self._question, self._names, self._graph, self._names_in)

    def _asked(self, question: str) -> Asked:
        """Another question of the same graph."""
        mentions = self._graph.mentions(question)
        return Asked(question, mentions, self._graph, self._teaching)

    def proposals(self) -> list[Proposal]:
        """The programs, the best first; what needs no encoder comes before it is loaded.

        Raises:
            CannotPropose: there is none.
        """
        if refusal := refuse_times(self._question, self._reading, self._graph):
            raise refusal
        if found := self._of_what_it_was() or self._likeness.in_the_same_words():
            return found
        try:
            found = self._assembled()
        except CannotPropose as refusal:
            return self._of_others_than(refusal)
        return found or self._of_others_than(None)

    def _of_what_it_was(self) -> list[Proposal]:
        """The programs of `what was Ann in 1960`; raises if several of her relations may be meant."""
        return self._reader.of_what_it_was(self._question, self._names) if self._has_times and self._is_of_parts else []

    def _of_others_than(self, refused: CannotPropose | None) -> list[Proposal]:
        """The programs of other ways than assembling; without any, the reason why it was not assembled is given."""
        try:
            return self._of_quantities() or self._of_others()
        except CannotPropose as refusal:
            if refused and not is_plainer(refusal, refused):
                raise CannotPropose(refused.reason, (), (*refused.then, *refusal.then)) from None
            if self._has_times or self._has_rows:
                raise
            raise instead(refusal, self._question, self._names, self._graph.relations_of_numbers) from None

    def _of_others(self) -> list[Proposal]:
        """The programs of questions about no number."""
        if decides_first(self._question, self._mentions, self._has_times):
            return self._reduced() or self._in_other_words()
        try:
            numbers = self._graph.relations_of_numbers
            found = self._in_other_words()
            times = (
                frozenset()
                if self._has_times
                else frozenset(each.relation for each in measures_in(self._graph) if each.is_time)
            )
            plain = [replace(each, program=not_counted(each.program, self._question, numbers, times)) for each in found]
            if fitting := [each for each in plain if each.program]:
                return fitting
            raise CannotPropose("the relation that it may mean has numbers, and these are not asked for")
        except CannotPropose as refusal:
            with suppress(CannotPropose):
                if found := self._reduced():
                    return found
            raise refusal from None

    def _reduced(self) -> list[Proposal]:
        """The programs that an easier question leads to; none if the question is of no kind that is reduced."""
        return (
            [] if self._has_rows else Reduction(self._question, self._graph, self._easier, self._names_in).proposals()
        )

    def _easier(self, question: str) -> list[Proposal]:
        """The programs for an easier question, which is not reduced again."""
        asked = self._asked(question)
        return asked._likeness.in_the_same_words() or asked._in_other_words()

    def _in_other_words(self) -> list[Proposal]:
        """The programs of questions that are like this one, or in the words of the graph."""
        found = self._of_events() or self._of_clauses() or self._of_facts()
        return found or self._likeness.by_likeness()

    def _assembled(self) -> list[Proposal]:
        """The programs of a question whose parts are all recognised, over graphs without times."""
        if self._has_times or self._has_rows:
            return []
        return assembled(self._question, self._names, self._graph)

    def _of_quantities(self) -> list[Proposal]:
        """The programs of a question by a number, over graphs without times."""
        if self._has_times or self._has_rows:
            return []
        asked = Quantities(self._question, self._names, self._graph, self._repertoire.relation_words, self._in_words)
        return asked.proposals()

    def _in_words(self, question: str) -> list[Proposal]:
        """The programs for an easier question, in the words of the graph alone."""
        return (asked := self._asked(question))._of_clauses() or asked._of_facts()

    def _of_facts(self) -> list[Proposal]:
        """The programs of a question in the words of the relations, over sources without times."""
        if self._has_times or not self._is_of_parts:
            return []
        return of_facts(self._question, self._names, self._graph, is_what=self._reading.word == "what")

    def _of_events(self) -> list[Proposal]:
        """The programs of a question about an event that is understood by its parts."""
        if not self._has_times:
            return []
        found = events_in(self._question, self._mentions, self._graph.relations, self._repertoire.of_one_relation)
        said = "'{0.words}' is taken for the relation '{0.relation}'"
        return [Proposal(each.program, each.fit, said.format(each), way="event") for each in found]

    @cached_property
    def _names(self) -> list[Mention]:
        """The names and times of the question."""
        return self._names_in(self._question)

    def _names_in(self, question: str) -> list[Mention]:
        """The names and times of a question, those among them that are names because they can be nothing else."""
        mentions = self._mentions if question == self._question else self._graph.mentions(question)
        possible, is_word = self._graph.possible_mentions(question), self._repertoire.relation_words.is_word
        return clause_names(question, mentions, possible, is_word)

    @cached_property
    def _is_of_parts(self) -> bool:
        """Whether a question may be read by its parts: over graphs alone, which have all the names in it."""
        return not (self._has_rows or self._unknown)

    @cached_property
    def _unknown(self) -> list[str]:
        """What the question names and the graph lacks."""
        return unknown_names(self._question, self._names, self._teaching.knowledge.vocabulary)

    def _of_clauses(self) -> list[Proposal]:
        """The programs of a question that is understood by its parts, over graphs."""
        if not self._is_of_parts or "present" in self._reading.signals:
            return []
        return self._reader.proposals(self._question, self._names)

    @property
    def _reader(self) -> Reader:
        return Reader(self._graph, self._repertoire.relation_words, self._links)

    def _links(self, relation: str) -> list[tuple[str, str]]:
        """The names of head and tail that a relation links; empty where these are too many to be read."""
        found = self._graph.linked_by([relation])[relation]
        return [(name_of_key(head), name_of_key(tail)) for head, tail in found] if len(found) < MAX_LINKED else []
