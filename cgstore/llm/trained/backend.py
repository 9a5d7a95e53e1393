"""The backend `hf:FOLDER`: a model that was trained to write programs, without an LLM behind an endpoint.

Its candidates run in order until one answers (ChatKBQA, section 3.3). A model that was trained with masked questions
gets the question with placeholders for the names that the graph has; the names are put back into what it writes.
"""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.llm.backends import Backend, Decision, Proposal, Run, first_that_answers
from cgstore.llm.graph_view import GraphView
from cgstore.llm.masking import Masked, mask_mentions, put_back
from cgstore.llm.trained.generation import TrainedModel
from cgstore.query.build import text_of
from cgstore.query.name_uses import NameRole, name_uses
from cgstore.query.parse import parse
from cgstore.query.sexpr.repair import forms_in
from cgstore.query.sexpr.to_program import parse_sexpr
from cgstore.text.names import relation_forms

PREFIX = "hf:"

UNUSED_NAME = 10.0
"""Penalty, as a logarithm, for each name of the question that a program leaves out: it answers another question."""


class TrainedBackend(Backend):
    """Asks a trained model, in a folder of `cgstore finetune run`.

    Raises:
        BadInput: the folder has no trained model.
    """

    def __init__(self, folder: Path) -> None:
        self.name = f"{PREFIX}{folder}"
        self._model = TrainedModel(folder)
        self.lang = self._model.lang

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`: the candidates are run in order until one answers."""
        proposals = self.propose(question, graph)
        if not proposals:
            problem = f"The model in {self._model.folder} wrote no program for this question."
            return Decision(None, warnings=(problem,))
        return first_that_answers(proposals, run)

    def propose(self, question: str, graph: GraphView) -> list[Proposal]:
        """Programs for a question, the best first; those with a relation that the graph lacks come last.

        A model learnt the relations of other graphs too, and mapping would take the nearest one of this graph.

        Raises:
            NoModel: a package is not installed, or the model cannot be loaded.
        """
        masked = mask_mentions(question, graph.mentions(question)) if self._model.masked else Masked(question, {})
        best: dict[str, float] = {}
        for candidate in self._model.write(masked.question):
            program = self._program(candidate.text, masked)
            if program is not None:
                unused = sum(placeholder not in candidate.text for placeholder in masked.names)
                score = candidate.score - UNUSED_NAME * unused
                best[program] = max(score, best.get(program, score))
        known = {form for relation in graph.relations for form in relation_forms(relation)}
        ranked = sorted(best.items(), key=lambda item: (self._lacks_relation(item[0], known), -item[1]))
        return [
            Proposal(program, f"candidate {place} of {len(ranked)} of the model {self.name}")
            for place, (program, _) in enumerate(ranked, 1)
        ]

    def _program(self, text: str, masked: Masked) -> str | None:
        """The candidate with its names; None if it has a placeholder without a name, or cannot be read."""
        named = put_back(text, masked.names)
        if named is None:
            return None
        try:
            return forms_in(named)[0].text if self.lang == "sexpr" else text_of(parse(named, undefined=True))
        except BadInput:
            return None

    def _lacks_relation(self, program: str, known: Set[str]) -> bool:
        """Whether a program needs a relation none of whose forms is known; its placeholders are filled in."""
        try:
            parsed = parse_sexpr(program) if self.lang == "sexpr" else parse(program, undefined=True)
        except BadInput:
            return True
        needed = (use.literal.text for use in name_uses(parsed) if use.role is NameRole.RELATION and not use.optional)
        return any(known.isdisjoint(relation_forms(relation)) for relation in needed)
