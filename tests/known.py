"""Questions that are answered without a model, since their programs are known."""

from __future__ import annotations

from collections.abc import Mapping

from cgstore.cypher.connection import Database
from cgstore.llm.backends import Backend, Decision, Run
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.stored import add
from cgstore.llm.graph_view import GraphView
from cgstore.text.names import normal_form

CHANCELLOR = "Who was Chancellor of Germany in 1990?"
PRESIDENT = "Who was President of the United States in 1962?"


def held_in(office: str, year: int) -> str:
    """The program for who held an office in a year."""
    return f"get_information(relation='position held', tail_entity='{office}', key='time', value='{year}')"


WORLD = {
    CHANCELLOR: held_in("Chancellor of Germany", 1990),
    PRESIDENT: held_in("President of the United States", 1962),
}
"""Questions about examples/world.tsv."""


class Known(Backend):
    """A backend that runs the known program of a question, whatever its case and punctuation; it has no other.

    It has the name of the small model, whose place it takes.
    """

    name = "small"
    asks_each_source = True

    def __init__(self, programs: Mapping[str, str] = WORLD) -> None:
        self._programs = {normal_form(question): program for question, program in programs.items()}

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        graph.mentions(question)
        program = self._programs.get(normal_form(question))
        if program is None:
            return Decision(None, warnings=("No program is known for this question.",))
        attempt = run(program)
        return Decision(attempt if attempt.answered else None, "its program is known", (attempt,))


def teach(db: Database, programs: Mapping[str, str] = WORLD) -> None:
    """Keeps programs as right, so that the default backend runs them and loads no model for these questions."""
    add(db, [Demonstration(question, program) for question, program in programs.items()], None)
