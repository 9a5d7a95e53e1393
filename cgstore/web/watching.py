"""Events of a backend while it answers: names found, programs, results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cgstore.llm.backends import Around, Attempt, Backend, Decision, Run
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.model import Answer
from cgstore.query.external_functions import Evaluator

Tell = Callable[[dict[str, Any]], None]
"""Takes an event: a dictionary with its name as `event`."""

SHOWN = 5
"""Values of a program's result that an event has."""


class WatchedView(GraphView):
    """A graph view that reports the names it finds in a question."""

    def __init__(self, graph: GraphView, tell: Tell) -> None:
        super().__init__(graph.db, graph.sources)
        self._tell = tell
        self.found: list[Mention] = []

    def mentions(self, question: str) -> list[Mention]:
        self._tell({"event": "looking", "what": "the names in the question"})
        found = super().mentions(question)
        self.found = self.found or found
        names = list(dict.fromkeys(mention.name for mention in found if mention.kind != "relation"))
        self._tell({"event": "names", "names": names[:20]})
        return found

    def possible_mentions(self, question: str) -> list[Mention]:
        self.mentions(question)
        return super().possible_mentions(question)


class WatchedBackend(Around):
    """A backend that reports its work; it decides as the backend does.

    Args:
        backend: the backend.
        tell: takes the events.

    Attributes:
        found: the names that were found in the question; those of one place are several meanings.
    """

    def __init__(self, backend: Backend, tell: Tell) -> None:
        super().__init__(backend)
        self._tell, self.follows_up = tell, backend.follows_up
        self.found: list[Mention] = []

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """Decides as the backend does; see `cgstore.llm.backends.Backend`."""
        return self._watched(lambda view: self._backend.decide(question, view, self._told(run)), graph)

    def decide_after(self, earlier: Sequence[Answer], question: str, graph: GraphView, run: Run) -> Decision:
        """Decides as the backend does."""
        return self._watched(lambda view: self._backend.decide_after(earlier, question, view, self._told(run)), graph)

    def _watched(self, decide: Callable[[GraphView], Decision], graph: GraphView) -> Decision:
        view = WatchedView(graph, self._tell)
        self._tell({"event": "looking", "what": "how to ask this of the data"})
        try:
            return decide(view)
        finally:
            self.found = view.found

    def _told(self, run: Run) -> Run:
        count = 0

        def running(program: str, evaluate: Evaluator | None = None) -> Attempt:
            nonlocal count
            count += 1
            self._tell({"event": "program", "number": count, "program": program})
            attempt = run(program, evaluate)
            lines = attempt.answer.lines if attempt.answer else ()
            gave = {"values": list(lines[:SHOWN]), "total": len(lines), "error": attempt.error}
            self._tell({"event": "result", "number": count, **gave})
            return attempt

        return running
