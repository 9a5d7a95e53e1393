"""What a backend is: it writes programs for a question and decides which answer stands. The database answers.

A backend sees the graph through `GraphView` and runs programs through `Run`. Everything in an answer comes from the
graph, except the values of functions that the language lacks, which an LLM may give (`query.external_functions`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from cgstore.cypher.connection import OUT_OF_TIME
from cgstore.llm.chat import Chat, Usage
from cgstore.llm.graph_view import GraphView
from cgstore.model import Answer, Reading
from cgstore.query.external_functions import Evaluator

MAX_RUN = 20
"""Most proposals that are run for one question."""


@dataclass(frozen=True)
class Proposal:
    """A program, one query a line; `because` says in words where it comes from."""

    program: str
    because: str


@dataclass(frozen=True)
class Attempt:
    """A program that was run, with its answer or the error that kept it from running.

    `declined`: the LLM wrote no program, and says in these words what the data lack.
    """

    program: str
    answer: Answer | None = None
    error: str = ""
    declined: str = ""

    @property
    def answered(self) -> bool:
        """Whether the program gave a value."""
        return self.answer is not None and not self.answer.abstained

    @property
    def ran_out(self) -> bool:
        """Whether the program was stopped before it ended, so that nothing is known of its answer."""
        return self.error.startswith(OUT_OF_TIME)


class Run(Protocol):
    """Runs a program over the sources asked; reports an error of the program in the attempt and does not raise it."""

    def __call__(self, program: str, evaluate: Evaluator | None = None) -> Attempt: ...


@dataclass(frozen=True)
class Decision:
    """The attempt whose answer stands, or None, and why it was chosen.

    `attempts` has all programs that were run, in order; `warnings` say why there is no answer, or why it is doubtful.
    `confidence` is the probability that the answer is right, from 0 to 1, where a backend knows one.
    `declined`: the LLM's words for what the data lack, if it ended without an answer; then nothing is chosen.
    `unused`: words of the question that carry meaning and do not count for the answer. `readings` are offered to choose
    from where none was sure enough.
    """

    chosen: Attempt | None
    because: str = ""
    attempts: tuple[Attempt, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    declined: str = ""
    confidence: float | None = None
    unused: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether its attempt gave a value."""
        return self.chosen is not None and self.chosen.answered


LONGEST_REASON = 300
"""Characters of an LLM's reason for which there is no answer."""


def abstention(who: str, reason: str, attempts: Sequence[Attempt] = (), usage: Usage | None = None) -> Decision:
    """The decision that there is no answer, since an LLM (`who`) says in its words that the data do not have it."""
    text = " ".join(reason.split())
    text = text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}..."
    note = f"{who} says that the data do not have the answer: {json.dumps(text, ensure_ascii=False)}"
    return Decision(None, attempts=tuple(attempts), warnings=(note,), usage=usage or Usage(), declined=text)


class Backend:
    """A source of programs: a subclass writes `decide`, and declares what else it can.

    Attributes:
        name: in messages.
        chat: reaches the LLM that it asks; None: there is none.
        lang: what its programs are written in, one of `cgstore.options.LANGUAGES`.
        asks_each_source: whether it is asked of each source by itself where it has no answer from all together.
        follows_up: whether it has `decide_after`, for questions that leave out what earlier ones say.
    """

    name: str = "this backend"
    chat: Chat | None = None
    lang: str = "llm"
    asks_each_source: bool = False
    follows_up: bool = False

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """Writes programs for a question, has them run, and decides whose answer stands.

        Raises:
            NoModel: the LLM or the encoder is not available.
        """
        raise NotImplementedError

    def decide_after(self, earlier: Sequence[Answer], question: str, graph: GraphView, run: Run) -> Decision:
        """Like `decide`, for a question that follows others; `earlier` are their answers, the last one last."""
        raise NotImplementedError

    def warm(self) -> None:
        """Loads what the first question would wait for."""


class Around(Backend):
    """A backend around another one, which is asked as that one is."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.name, self.lang, self.asks_each_source = backend.name, backend.lang, backend.asks_each_source

    def warm(self) -> None:
        """Loads what the other one needs."""
        self._backend.warm()


def first_that_answers(proposals: Iterable[Proposal], run: Run) -> Decision:
    """Runs proposals in order until one gives a value (ChatKBQA's generate-then-retrieve, section 3).

    A proposal that ran out of time is never replaced by a later one.
    """
    attempts: list[Attempt] = []
    for proposal in islice(proposals, MAX_RUN):
        attempts.append(run(proposal.program))
        if attempts[-1].ran_out:
            break
        if attempts[-1].declined:
            return abstention("The reply", attempts[-1].declined, attempts[:-1])
        if attempts[-1].answered:
            return Decision(attempts[-1], proposal.because, tuple(attempts))
    return Decision(None, attempts=tuple(attempts))
