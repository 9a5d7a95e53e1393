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
from typing import TYPE_CHECKING

from cgstore.embedding.encoder import Encoder, SharedEncoder
from cgstore.errors import NoModel
from cgstore.llm.backends import CannotPropose, Decision, Proposal, Run
from cgstore.llm.backends.compose import ComposeBackend
from cgstore.llm.backends.rewrite.abstention import refuse_sources, with_other_sources
from cgstore.llm.backends.rewrite.asking import Asked
from cgstore.llm.backends.rewrite.confidence import Basis, shipped_trust, with_confidence
from cgstore.llm.backends.rewrite.deciding import decided
from cgstore.llm.backends.rewrite.likeness import Teaching
from cgstore.llm.backends.rewrite.limits_of_time import with_decades_as_years
from cgstore.llm.backends.rewrite.repertoire import Knowledge
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.graph_view import GraphView
from cgstore.source_kinds import TABLE

if TYPE_CHECKING:
    from cgstore.llm.demonstrations.stored import GraphDemonstrations


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
        asked = Asked(question, mentions, graph, Teaching(knowledge, repertoire, self._encoder))
        try:
            for proposal in asked.in_any_words():
                yield replace(proposal, notes=(*notes, *proposal.notes))
        except CannotPropose as refusal:
            raise with_other_sources(refusal, mentions, graph) from None
