"""Runs the questions of a benchmark: load what they need, ask several at a time, judge, write each outcome, summarise.

A backend is a function from a question to its outcome: an LLM (`llm_backend`), gold annotations (`oracle`), or recorded
replies (`replay`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from cgstore.errors import NoDatabase, NoModel, RequestRefused
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Reason, Selection
from cgstore.evaluate.outcome import NO_SOURCE, Outcome, OutcomeList, answered, failed, without_answer
from cgstore.evaluate.scoring import Judge
from cgstore.evaluate.summary import Run
from cgstore.llm.backends import Around, Backend, Decision
from cgstore.llm.backends import Run as RunProgram
from cgstore.llm.chat.batch import NotYet
from cgstore.llm.graph_view import GraphView
from cgstore.observe.progress import bar
from cgstore.options import QueryKeywords
from cgstore.store import Store

IN_FLIGHT = 4
"""Programs under way at a time, if the programs are known."""

IN_A_ROW = 8
"""This many questions without a reply, one after another, mean that the LLM is gone. They end the run."""

Ask = Callable[[Question], Outcome]

_Landed = tuple[Question, Outcome, Exception | None]
"""What a thread returns for a question; the outcome tells of the error, if there is one."""


@dataclass(frozen=True)
class Price:
    """The price of a million tokens of prompts and of completions."""

    prompt: float
    completion: float

    def of(self, tokens: Mapping[str, int]) -> float:
        """Returns the price of these tokens; kept replies take none."""
        prompt, completion = tokens.get("prompt_tokens", 0), tokens.get("completion_tokens", 0)
        return (prompt * self.prompt + completion * self.completion) / 1e6


def run(
    store: Store,
    benchmark: Benchmark,
    selection: Selection,
    drawn: Drawn,
    ask: Ask,
    outcomes: OutcomeList | None = None,
    *,
    in_flight: int = IN_FLIGHT,
    in_order: bool = True,
    set_name: str | None = None,
    llm: str = "",
) -> Run:
    """Asks the drawn questions that have no outcome yet.

    Args:
        ask: the backend; several threads call it.
        outcomes: receives each outcome, and has those of an earlier run.
        in_order: see `Asking`.
        set_name: the name of the selection; None for the benchmark's own.
        llm: what writes the programs, for reports.

    Raises:
        NoDatabase, NoModel, KeyboardInterrupt: as `Asking`; a note says how many outcomes are in the file.
    """
    outcomes = outcomes if outcomes is not None else OutcomeList()
    set_name = set_name or benchmark.set_name(selection)
    with bar(set_name if in_order else benchmark.name, "questions") as shown, outcomes:
        earlier = {one.id for one in outcomes.outcomes}
        todo = [question for question in drawn.questions if question.id not in earlier]
        if todo:
            benchmark.load(store, selection, todo)
        shown.reset(len(drawn.questions))
        shown.update(len(earlier))

        def note(outcome: Outcome) -> None:
            outcomes.write(outcome)
            shown.update()

        asking = Asking(ask, in_flight, in_order, note, lambda _: shown.update())
        try:
            asking.ask_all(todo)
        except BaseException as error:
            if outcomes.path:
                done = f"{len(outcomes.outcomes):,} of {len(drawn.questions):,} questions are in {outcomes.path}"
                error.add_note(f"{done}; the same command with --resume goes on.")
            raise
    place = {question.id: number for number, question in enumerate(drawn.questions)}
    return Run(
        benchmark.name,
        set_name,
        asking.outcomes if in_order else sorted(outcomes.outcomes, key=lambda one: place.get(one.id, len(place))),
        drawn=len(drawn.questions),
        asked=len(asking.outcomes),
        seconds=asking.seconds,
        waiting=len(asking.waiting),
        unreachable=sum(not question.reachable for question in drawn.questions),
        without_gold=drawn.without_gold,
        llm=llm,
        hint=asking.waiting[0].hint if asking.waiting else None,
    )


class Asking:
    """Asks questions, several at a time, and reports each outcome. One thread does everything but the asking.

    Without `in_order`, outcomes are reported as they come, and none is lost, since replies of an LLM cost money. An
    error of one question is its outcome; this also applies when the endpoint rejects one request after accepting
    others. A question that waits for a reply of the LLM (`NotYet`) has no outcome. On Ctrl-C, and when the LLM is gone,
    the questions under way are completed and reported.

    With `in_order`, outcomes are in the order of the questions; the first error and Ctrl-C end the run at once.
    """

    def __init__(
        self,
        ask: Ask,
        in_flight: int = IN_FLIGHT,
        in_order: bool = False,
        on_outcome: Callable[[Outcome], object] = lambda outcome: None,
        on_waiting: Callable[[Question], object] = lambda question: None,
    ) -> None:
        self.outcomes: list[Outcome] = []
        self.waiting: list[NotYet] = []
        self.seconds = 0.0
        self.in_order = in_order
        self._ask_one, self._in_flight = ask, in_flight
        self._on_outcome, self._on_waiting = on_outcome, on_waiting
        self._flying: list[Future[_Landed]] = []
        self._without_reply: list[tuple[Outcome, NoModel]] = []
        self._has_replied = False

    def ask_all(self, questions: Sequence[Question]) -> None:
        """Asks the questions.

        Raises:
            NoDatabase: the database does not answer.
            NoModel: the LLM did not reply to `IN_A_ROW` questions one after another, or to none at all. These questions
                are not reported, so that they can be asked again.
        """
        started = time.perf_counter()
        pool = ThreadPoolExecutor(self._in_flight, "eval")
        window = self._in_flight * (4 if self.in_order else 1)  # a slow question must not stop those behind it
        try:
            for question in questions:
                if not question.sources:
                    self._report(without_answer(question, Reason(NO_SOURCE)))
                    continue
                if len(self._flying) >= window:
                    self._land()
                self._flying.append(pool.submit(self._ask, question))
            while self._flying:
                self._land()
            if self._without_reply and not self._has_replied:
                raise self._without_reply[-1][1]
            self._report_without_reply()
        except (KeyboardInterrupt, NoModel):
            if not self.in_order:
                self._without_reply.clear()
                for landed in [future.result() for future in self._flying]:
                    if not isinstance(landed[2], NoDatabase | NoModel):
                        self._take(*landed)
            raise
        finally:
            pool.shutdown(wait=self.in_order, cancel_futures=True)
            self.seconds = time.perf_counter() - started

    def _ask(self, question: Question) -> _Landed:
        """Asks one question, in a thread; whatever its error is, it must not cost the outcomes of hours."""
        started, error = time.perf_counter(), None
        try:
            outcome = self._ask_one(question)
        except Exception as failure:
            outcome, error = failed(question, failure), failure
        return question, replace(outcome, seconds=round(time.perf_counter() - started, 3)), error

    def _land(self) -> None:
        """Waits for the first question, or for any one if the order does not matter, and takes what is done."""
        done, _ = wait(self._flying[:1] if self.in_order else self._flying, return_when=FIRST_COMPLETED)
        for future in done:
            self._flying.remove(future)
            self._take(*future.result())

    def _take(self, question: Question, outcome: Outcome, error: Exception | None) -> None:
        if error and (self.in_order or isinstance(error, NoDatabase)):
            raise error
        rejected = self._has_replied and isinstance(error, RequestRefused)
        if isinstance(error, NoModel) and not rejected:
            self._without_reply.append((outcome, error))
            if len(self._without_reply) >= IN_A_ROW:
                raise error
            return
        self._has_replied = True
        self._report_without_reply()
        if isinstance(error, NotYet):
            self.waiting.append(error)
            self._on_waiting(question)
        else:
            self._report(outcome)

    def _report(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self._on_outcome(outcome)

    def _report_without_reply(self) -> None:
        for outcome, _ in self._without_reply:
            self._report(outcome)
        self._without_reply.clear()


class _Traced(Around):
    """A backend that remembers its last decision; each question has its own, so that threads do not mix."""

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend)
        self.decision: Decision | None = None

    def decide(self, question: str, graph: GraphView, run: RunProgram) -> Decision:
        self.decision = self._backend.decide(question, graph, run)
        return self.decision


def llm_backend(
    store: Store,
    backend: Backend,
    judge: Judge,
    *,
    topics: bool = False,
    price: Price | None = None,
    options: QueryKeywords | None = None,
) -> Ask:
    """Returns a function that asks a question of its sources by `Store.ask`; `topics` appends the gold topics."""

    def ask(question: Question) -> Outcome:
        traced = _Traced(backend)
        text = f"{question.text} [{'; '.join(question.topic)}]" if topics and question.topic else question.text
        answer = store.ask(text, traced, list(question.sources), **options or {})
        tried = traced.decision.attempts if traced.decision else ()
        outcome = answered(question, answer, tried, judge, price.of(answer.usage) if price else None)
        return replace(outcome, confidence=traced.decision.confidence) if traced.decision else outcome

    return ask
