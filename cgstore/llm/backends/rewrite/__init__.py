"""The backend `demos`, without an LLM: it rewrites the nearest demonstration's program with the names of the question.

Questions and demonstrations are compared with their names masked, so that the form of a question counts and not who
it is about. A demonstration in the same words decides; only where there is none are sentence embeddings compared, as in
TrustUQA (section 3.4). The backend abstains rather than guesses: every name in the question must be in the graph and in
the program, and temporal signals must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from cgstore.embedding.encoder import Encoder, SharedEncoder
from cgstore.errors import NoModel
from cgstore.llm.backends import CannotPropose, Decision, Proposal, Run
from cgstore.llm.backends.compose import ComposeBackend
from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.abstention import (
    is_plainer,
    refuse_sources,
    refuse_times,
    refuse_unknown_names,
    why_no_program,
    with_other_sources,
)
from cgstore.llm.backends.rewrite.assemble.proposals import assembled
from cgstore.llm.backends.rewrite.clause_proposals import Reader
from cgstore.llm.backends.rewrite.clauses import clause_names, not_of_relations
from cgstore.llm.backends.rewrite.confidence import Basis, shipped_trust, with_confidence
from cgstore.llm.backends.rewrite.deciding import decided
from cgstore.llm.backends.rewrite.events import events_in
from cgstore.llm.backends.rewrite.fact_asked import not_counted
from cgstore.llm.backends.rewrite.filling import Relations, fillings
from cgstore.llm.backends.rewrite.graph_words import in_plainer_words, in_words_of_graph
from cgstore.llm.backends.rewrite.limits_of_time import with_decades_as_years
from cgstore.llm.backends.rewrite.proposals import (
    Near,
    best,
    closest,
    lacked,
    of_facts,
    proposal_of,
    unknown_form,
)
from cgstore.llm.backends.rewrite.quantity_programs import Quantities, instead
from cgstore.llm.backends.rewrite.reduction import Reduction, decides_first
from cgstore.llm.backends.rewrite.repertoire import Knowledge, Repertoire, fits
from cgstore.llm.backends.rewrite.rewording import Reworded, asks_years_of_days
from cgstore.llm.backends.rewrite.same_words import same_words
from cgstore.llm.backends.rewrite.similarity import relations_like, similarities
from cgstore.llm.backends.rewrite.timed.proposals import in_any_order
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.forms import Form
from cgstore.llm.demonstrations.masking import Reading, readable, readings_of, unmasked
from cgstore.llm.fact_view import MAX_LINKED
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.mapping.unknown_mentions import unknown_names
from cgstore.source_kinds import TABLE, kind_named
from cgstore.text.names import name_of_key

if TYPE_CHECKING:
    from cgstore.llm.demonstrations.stored import GraphDemonstrations

NEAREST = 50
"""Demonstrations rewritten for one reading: many, since the nearest ones may use none of the question's words."""

MIN_SIMILARITY = 0.5
"""Least cosine similarity of a masked question and a masked demonstration."""

MIN_ALIKE = 0.2
"""The same by words, where no encoder is available: what a word asks for is looked at anyway (see `Lexicon`)."""

IGNORED_IF_TIMELESS = frozenset({"present"})
"""Signals that say nothing about sources without times, whose facts always hold."""

NOT_A_NAME = 0.02
"""Penalty for each name of a reading that is one only by the words around it."""


class RewriteBackend:
    """Rewrites demonstrations without an LLM.

    The encoder is loaded at the first question that no demonstration asks in the same words. Where none is available,
    questions are compared by the words that they have in common, and a note of the answer says so.

    Args:
        demonstrations: shipped ones and the user's files.
        encoder: makes the vectors; loaded when needed if None.
        stored: those in the graph.
    """

    name = "demos"
    asks_each_source = True

    def __init__(
        self,
        demonstrations: Sequence[Demonstration],
        encoder: Encoder | None = None,
        stored: GraphDemonstrations | None = None,
    ) -> None:
        self._own = [(demonstration, False) for demonstration in demonstrations]
        self._encoder = SharedEncoder(encoder)
        self._stored = stored
        self._known: tuple[object, Knowledge] | None = None

    @property
    def knowledge(self) -> Knowledge:
        """What all demonstrations of now teach."""
        found = self._stored.right if self._stored else None
        known = self._known
        if known is None or known[0] is not found:
            every = [*self._own, *((each, True) for each in found or ())]
            known = self._known = (found, Knowledge(every, self._encoder))
        return known[1]

    def warm(self) -> None:
        """Loads the encoder, if there is one, and encodes the demonstrations: the first question would wait for it."""
        knowledge = self.knowledge
        with suppress(NoModel):
            self._encoder.encode([knowledge.forms[0].masked])
            assert knowledge.vectors is not None

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`: the proposals are run in order until one answers."""
        if set(graph.kinds) == {TABLE.name} and all(form.stored for form in self.knowledge.repertoire(graph).forms):
            return self._decide_over_tables(question, graph, run)
        decision = with_confidence(*self.decide_with_basis(question, graph, run), shipped_trust())
        if (failure := self._encoder.failure) is None or not decision.attempts:
            return decision
        note = f"Demonstrations were compared by their words only: {failure.message} {failure.hint or ''}".strip()
        return replace(decision, warnings=(*decision.warnings, note))

    def decide_with_basis(self, question: str, graph: GraphView, run: Run) -> tuple[Decision, Basis]:
        """The decision about a question over graphs, with what its answer rests on."""
        return decided(question, graph, run, self.propose, self.knowledge)

    def _decide_over_tables(self, question: str, graph: GraphView, run: Run) -> Decision:
        """The decision of `compose`; with what would help where it has none."""
        decision = ComposeBackend().decide(question, graph, run)
        if decision.attempts:
            return decision
        then = refuse_sources(graph.mentions(question), graph).then
        return replace(decision, warnings=(*decision.warnings, *then))

    def propose(self, question: str, graph: GraphView) -> Iterator[Proposal]:
        """Programs for a question, the best first, at most `MAX_PROPOSALS`.

        Raises:
            CannotPropose: there is no trustworthy program (raised by the first `next`).
        """
        question, notes = with_decades_as_years(question)
        mentions = graph.mentions(question)
        knowledge = self.knowledge
        repertoire = knowledge.repertoire(graph)
        if not repertoire.forms:
            raise refuse_sources(mentions, graph)
        asked = _Asked(question, mentions, graph, knowledge, repertoire, self._encoder)
        try:
            for proposal in asked.in_any_words():
                yield replace(proposal, notes=(*notes, *proposal.notes))
        except CannotPropose as refusal:
            raise with_other_sources(refusal, mentions, graph) from None


class _Asked:
    """One question, on its way to proposals."""

    def __init__(
        self,
        question: str,
        mentions: Sequence[Mention],
        graph: GraphView,
        knowledge: Knowledge,
        repertoire: Repertoire,
        encoder: SharedEncoder,
    ) -> None:
        self._question, self._graph = question, graph
        self._mentions = not_of_relations(mentions, graph)
        self._knowledge, self._repertoire, self._encoder = knowledge, repertoire, encoder
        self._has_times = graph.has_times
        self._has_rows = any(kind_named(kind).has_rows for kind in graph.kinds)
        self._ignored = frozenset() if self._has_times else IGNORED_IF_TIMELESS
        self._readings = [
            replace(reading, signals=reading.signals - self._ignored)
            for reading in readings_of(question, self._mentions, knowledge.vocabulary)
        ]

    def in_any_words(self) -> list[Proposal]:
        """The programs; over times also of the question in the graph's words, where it is not understood as written.

        Raises:
            CannotPropose: there is none.
        """
        try:
            return self._in_plainer_words()
        except CannotPropose:
            words = self._repertoire.relation_words
            if not self._has_times or not (meant := in_words_of_graph(self._question, self._names, self._graph, words)):
                raise
            found = self._asked(meant.question)._in_plainer_words()
            return [replace(each, notes=(*meant.notes, *each.notes)) for each in found]

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
            if not self._is_of_parts or refuse_times(self._question, self._readings[0], self._graph):
                raise
            if found := in_any_order(self._reader, self._question, self._names, self._meanings(), self._names_in):
                return found
            raise

    def _meanings(self) -> Iterator[Reworded]:
        return in_plainer_words(self._question, self._names, self._graph, self._names_in)

    def _asked(self, question: str) -> _Asked:
        """Another question of the same graph."""
        mentions = self._graph.mentions(question)
        return _Asked(question, mentions, self._graph, self._knowledge, self._repertoire, self._encoder)

    def proposals(self) -> list[Proposal]:
        """The programs, the best first; what needs no encoder comes before it is loaded.

        Raises:
            CannotPropose: there is none.
        """
        if refusal := refuse_times(self._question, self._readings[0], self._graph):
            raise refusal
        if found := self._of_what_it_was() or self._in_the_same_words():
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
            plain = [replace(each, program=not_counted(each.program, self._question, numbers)) for each in found]
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
        return asked._in_the_same_words() or asked._in_other_words()

    def _in_other_words(self) -> list[Proposal]:
        """The programs of questions that are like this one, or in the words of the graph."""
        found = self._of_events() or self._of_clauses() or self._of_facts()
        return found or self._by_likeness()

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
        return of_facts(self._question, self._names, self._graph, is_what=self._readings[0].word == "what")

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
        return not (self._has_rows or unknown_names(self._question, self._names, self._knowledge.vocabulary))

    def _of_clauses(self) -> list[Proposal]:
        """The programs of a question that is understood by its parts, over graphs."""
        if not self._is_of_parts or "present" in self._readings[0].signals:
            return []
        return self._reader.proposals(self._question, self._names)

    @property
    def _reader(self) -> Reader:
        return Reader(self._graph, self._repertoire.relation_words, self._links)

    def _links(self, relation: str) -> list[tuple[str, str]]:
        """The names of head and tail that a relation links; empty where these are too many to be read."""
        found = self._graph.linked_by([relation])[relation]
        return [(name_of_key(head), name_of_key(tail)) for head, tail in found] if len(found) < MAX_LINKED else []

    def _in_the_same_words(self) -> list[Proposal]:
        """The programs of demonstrations that differ from the question in names alone."""
        possible = self._graph.possible_mentions(self._question)
        found = same_words(self._question, possible, self._mentions, self._repertoire.trie)
        if not found or asks_years_of_days(self._question, self._graph):
            return []
        near = [
            Near(form, each, 1.0 - NOT_A_NAME * doubtful)
            for reading, forms, doubtful in found
            for form in forms
            if fits(form, each := replace(reading, signals=reading.signals - self._ignored), self._ignored)
        ]
        keys = [mention.key for each in near for place in each.reading.entities for mention in place]
        self._graph.read_around(keys)
        relations = Relations(dict.fromkeys(self._graph.relations, 0.0), self._named)
        proposals, _, _ = self._filled(near, relations, in_same_words=True)
        return [replace(each, way="same words") for each in best(proposals)]

    def _by_likeness(self) -> list[Proposal]:
        """The programs of the demonstrations that are most like the question."""
        if P.OWNING.search(self._question):
            raise CannotPropose(why_no_program([{"own"}]))
        if asks_years_of_days(self._question, self._graph):
            raise CannotPropose("the times of the sources are days, and years are asked for")
        refuse_unknown_names(self._question, self._mentions, self._graph, self._knowledge.vocabulary)
        self._graph.read_around([m.key for m in self._mentions if m.kind == "entity"])
        forms, readings, lexicon = self._repertoire.forms, self._readings, self._knowledge.lexicon
        fitting = [(form, reading) for reading in readings for form in forms if fits(form, reading, self._ignored)]
        if not fitting:
            raise unknown_form(readings[0], forms)
        masked = dict.fromkeys(reading.masked for _, reading in fitting)
        if all(unknown := [lexicon.unknown(text, self._graph.relations) for text in masked]):
            raise CannotPropose(why_no_program(unknown), [closest(readings[0], [form for form, _ in fitting])])
        near = self._near(fitting)
        least = MIN_ALIKE if self._encoder.failure else MIN_SIMILARITY
        if near[0].similarity < least:
            reason = "the question is not understood without an LLM: it is too unlike those that are known"
            if failure := self._encoder.failure:
                reason += f" by its words. {failure.message} {failure.hint or ''}".rstrip()
            raise CannotPropose(reason, [readable(near[0].form.masked)])
        return self._ranked([n for n in near if n.similarity >= least], self._relations())

    def _ranked(self, near: Sequence[Near], relations: Relations) -> list[Proposal]:
        """The programs that can be made from the forms and that account for all words, the best first."""
        proposals, unknown_words, faults = self._filled(near, relations)
        if not proposals:
            if not faults and (lacking := next(lacked(near, relations, self._knowledge.lexicon, self._graph), "")):
                raise CannotPropose(lacking)
            reason = faults[0] if faults else why_no_program(unknown_words)
            raise CannotPropose(reason, [readable(near[0].form.masked)])
        return best(proposals)

    def _filled(
        self, near: Sequence[Near], relations: Relations, in_same_words: bool = False
    ) -> tuple[dict[str, list[tuple[Proposal, int]]], list[set[str]], list[str]]:
        """The programs made from the forms, each by its text with the votes of its forms; and why others are not."""
        proposals: dict[str, list[tuple[Proposal, int]]] = {}
        unknown_words: list[set[str]] = []
        faults: list[str] = []
        numbers = frozenset() if in_same_words else self._graph.relations_of_numbers
        for found in near:
            if (template := found.form.template) is None:
                continue
            for filled in fillings(template, found.reading, self._graph, relations, in_same_words):
                known = {own: relations.known_as(own) for own in filled.relations}
                if found.form.stored and known != filled.relations:
                    continue  # it was made for this graph, and means its own relations
                if found.reading.word != "what" and not numbers.isdisjoint(filled.relations.values()):
                    continue  # neither a person nor a place is a number
                words = self._knowledge.lexicon.unsupported(found.reading.masked, filled.relations, known)
                if words:
                    unknown_words.append(words)
                elif filled.fault:
                    faults.append(filled.fault)
                else:
                    proposal = proposal_of(found, filled)
                    proposals.setdefault(proposal.program, []).append((proposal, found.form.votes))
        return proposals, unknown_words, faults

    def _near(self, fitting: Sequence[tuple[Form, Reading]]) -> list[Near]:
        """The nearest forms that fit each reading, the most similar first."""
        readings = list({id(reading): reading for _, reading in fitting}.values())
        rows = similarities([reading.masked for reading in readings], self._knowledge, self._encoder)
        near: list[Near] = []
        for reading, row in zip(readings, rows, strict=True):
            found = [Near(form, r, row[self._knowledge.place_of(form)]) for form, r in fitting if r is reading]
            near += sorted(found, key=lambda n: -n.similarity)[:NEAREST]
        return sorted(near, key=lambda n: -n.similarity)

    def _relations(self) -> Relations:
        like = relations_like(unmasked(self._readings[0].masked), self._graph.relations, self._encoder)
        return Relations(like, self._named)

    @property
    def _named(self) -> frozenset[str]:
        """The relations that the question names."""
        return frozenset(m.name for m in self._mentions if m.kind == "relation")
