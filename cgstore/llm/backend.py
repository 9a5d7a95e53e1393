"""What a backend is: it writes programs for a question and decides which one's answer stands; it never answers itself.

It sees the graph through `Graph`, and what a program gives through `Run`: all that is known comes from the graph, but
for the values of functions that nobody defined, which an LLM may give (`cgstore.query.external_functions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from cgstore.llm.chat import Usage
from cgstore.llm.graph_view import Alike, Cells, Link, Neighbourhood, Outline
from cgstore.mapping.mentions import Mention
from cgstore.model import Answer
from cgstore.query.external_functions import Evaluator


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


class CannotPropose(Exception):
    """A backend has no program that it would trust; the caller reports it as "no answer".

    `reason` says why, `closest` has the closest things that were found: names, or questions; `then` what would work.
    """

    def __init__(self, reason: str, closest: Sequence[str] = (), then: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason, self.closest, self.then = reason, tuple(closest), tuple(then)


class Graph(Protocol):
    """What a backend may know of the graph; `cgstore.llm.graph_view.GraphView` is it over a database."""

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

    def outlines(self) -> list[Outline]:
        """What each source looks like: its relations and keys, of a table its columns and how many rows it has."""
        ...

    def samples(self, tables: Sequence[str]) -> dict[str, tuple[Cells, ...]]:
        """The first rows of tables, by their names: a text for each column."""
        ...

    def closest(self, text: str) -> list[str]:
        """The names in the graph that are spelt most like an unknown one."""
        ...

    def names_like(self, text: str) -> Alike:
        """The entities, and the relations, that a text may mean."""
        ...

    def links_of(self, name: str) -> list[Link]:
        """How the entity of that exact name is linked, with examples; empty where there is none."""
        ...


@dataclass(frozen=True)
class Attempt:
    """A program that was run, and its answer, or why it could not be run."""

    program: str
    answer: Answer | None = None
    error: str = ""

    @property
    def answered(self) -> bool:
        """Whether it gave a value."""
        return self.answer is not None and not self.answer.abstained


class Run(Protocol):
    """Runs a program over the sources asked; what is wrong with it is told, and not raised."""

    def __call__(self, program: str, evaluate: Evaluator | None = None) -> Attempt: ...


@dataclass(frozen=True)
class Decision:
    """What came of a question: the program whose answer stands, None where there is none, and why it is this one.

    `attempts` has all programs that were run, in order; `warnings` say why there is no answer, or what makes it
    doubtful.
    """

    chosen: Attempt | None
    because: str = ""
    attempts: tuple[Attempt, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Backend(Protocol):
    """A source of programs."""

    @property
    def name(self) -> str: ...

    def decide(self, question: str, graph: Graph, run: Run) -> Decision:
        """Writes programs for a question, has them run, and decides whose answer stands.

        Raises:
            NoModel: the LLM or the encoder that it needs cannot be had.
        """
        ...


MAX_RUN = 20
"""Most programs that are run for one question."""


def first_that_answers(proposals: Iterable[Proposal], run: Run) -> Decision:
    """Runs the proposals as they come; the first one that gives a value decides."""
    attempts: list[Attempt] = []
    try:
        for proposal in islice(proposals, MAX_RUN):
            attempts.append(run(proposal.program))
            if attempts[-1].answered:
                return Decision(attempts[-1], proposal.because, tuple(attempts))
    except CannotPropose as error:
        return Decision(None, attempts=tuple(attempts), warnings=_said(error))
    return Decision(None, attempts=tuple(attempts))


def _said(error: CannotPropose) -> tuple[str, ...]:
    return (error.reason, *([f"Closest: {', '.join(error.closest)}."] if error.closest else []), *error.then)
