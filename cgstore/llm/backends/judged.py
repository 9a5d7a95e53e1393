"""What users said of the answer to this very question comes before what the small model makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.llm.backends import Around, Attempt, Backend, Decision, Run
from cgstore.llm.demonstrations import source_kinds
from cgstore.llm.demonstrations.stored import State
from cgstore.llm.graph_view import GraphView
from cgstore.text.names import normal_form, some_of, source_name
from cgstore.text.numbers import denotation

_SAID = """
MATCH (d:CgDemonstration {normal: $normal}) WHERE d.source_kind IN $kinds AND d.state IN $states
RETURN d.state AS state, d.program AS program, d.gold AS gold, coalesce(d.gave, []) AS gave, d.sources AS sources
ORDER BY d.source_kind
"""


class JudgedBackend(Around):
    """Runs the program that is known to be right for a question, and refuses an answer that is known to be wrong.

    Both hold for the same question (case, accents and punctuation aside) over the sources that it was asked of; without
    `corrections`, wrong answers are not looked up. Another backend decides about all other questions. An LLM sees
    corrections in its prompt instead (`prompts.context`).
    """

    def __init__(self, backend: Backend, db: Database, *, corrections: bool = True) -> None:
        super().__init__(backend)
        self._db = db
        self._states = [State.RIGHT, State.WRONG] if corrections else [State.RIGHT]

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        about = self._said(question, graph)
        for right in (each for each in about if each["state"] == State.RIGHT):
            attempt = run(right["program"])
            if attempt.answered:
                return Decision(attempt, "the program that is kept as right for this question", (attempt,))
        decision = self._backend.decide(question, graph, run)
        wrong = next((each for each in about if each["state"] == State.WRONG), None)
        return decision if wrong is None else _corrected(decision, wrong["gold"], wrong["gave"])

    def _said(self, question: str, graph: GraphView) -> list[dict[str, Any]]:
        """What is stored of this question about the sources that are asked, or about any."""
        kinds = ["", *source_kinds(graph.kinds)]
        rows = self._db.read(_SAID, {"normal": normal_form(question), "kinds": kinds, "states": self._states})
        asked = {source_name(source) for source in graph.sources}
        return [row for row in rows if asked.issuperset(row["sources"])]


def _corrected(decision: Decision, right: list[str], wrong: list[str]) -> Decision:
    """The decision without an answer that a user called wrong, and with what the user called right."""
    if _gives(decision.chosen, right):
        return decision
    said = f"What a user called right: {some_of(right)}."
    if not _gives(decision.chosen, wrong):
        return replace(decision, warnings=(*decision.warnings, said))
    reason = f"the answer found, {some_of(wrong)}, was called wrong (`cgstore wrong`)"
    return Decision(None, warnings=(reason, said), usage=decision.usage)


def _gives(attempt: Attempt | None, values: list[str]) -> bool:
    return attempt is not None and attempt.answer is not None and denotation(attempt.answer.lines) == denotation(values)
