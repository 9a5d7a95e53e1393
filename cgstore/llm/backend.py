"""What a backend is: it proposes programs for a question, best first; it never answers itself.

The caller runs the proposals in order until one gives an answer (generate, then retrieve: ChatKBQA, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from cgstore.mapping.mentions import Mention
from cgstore.mapping.view import Neighbourhood


@dataclass(frozen=True)
class Proposal:
    """A program in the LLM query language, one query a line.

    `score` orders the proposals of one question, higher is better; `because` says in words where it comes from;
    `demonstration` is the question of the demonstration that it was rewritten from, if any.
    """

    program: str
    score: float
    because: str
    demonstration: str | None = None


@dataclass(frozen=True)
class Unanswerable:
    """Why no program can be proposed, and the closest things that were found: names, or questions."""

    reason: str
    closest: list[str]


class CannotPropose(Exception):
    """A backend has no program that it would trust; the caller reports it as "no answer"."""

    def __init__(self, reason: str, closest: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.unanswerable = Unanswerable(reason, list(closest))


class Graph(Protocol):
    """What a backend may know of the graph; `cgstore.mapping.view.GraphView` is it over a database."""

    @property
    def sources(self) -> Sequence[str]:
        """The names of the sources asked."""
        ...

    @property
    def kinds(self) -> Sequence[str]:
        """Their kinds: `tkg`, `kg`, ..."""
        ...

    def mentions(self, question: str) -> list[Mention]:
        """The names and times in the question, in its order."""
        ...

    def relations(self) -> list[str]:
        """The names of all relations."""
        ...

    def relations_of(self, entity_key: str) -> Neighbourhood:
        """The relations of which an entity is a head, and a tail."""
        ...

    def closest(self, text: str) -> list[str]:
        """The names in the graph that are spelt most like an unknown one."""
        ...


class Backend(Protocol):
    """A source of programs."""

    @property
    def name(self) -> str: ...

    def propose(self, question: str, graph: Graph) -> Iterator[Proposal]:
        """The programs for a question, best first.

        Raises:
            CannotPropose: it has none that it would trust (at the first `next`).
            NoModel: the LLM or the encoder that it needs cannot be had.
        """
        ...
