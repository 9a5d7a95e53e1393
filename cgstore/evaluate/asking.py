"""Asking the questions of a benchmark, several at a time: what came is told as it comes, and nothing of it is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields
from typing import Any

from cgstore.errors import NoDatabase, NoModel, RequestRefused
from cgstore.evaluate.asked import Asked, Judge, TracedAnswer, answered, failed, without_source
from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.llm.backend import Backend, Decision, Graph, Run
from cgstore.llm.chat.batch import NotYet
from cgstore.model import Answer
from cgstore.store import Store

IN_FLIGHT = 8
"""Questions under way at a time: most of the time of each is spent waiting for the LLM."""

IN_A_ROW = 8
"""So many questions without a reply, one after another, mean that the LLM is not there, and end the run."""

Ask = Callable[[Question], Answer]


@dataclass(frozen=True)
class Price:
    """What a million tokens cost, of prompts and of completions."""

    prompt: float
    completion: float

    def of(self, tokens: dict[str, int]) -> float:
        """The cost of these tokens; replies that were kept took none."""
        return (
            tokens.get("prompt_tokens", 0) * self.prompt + tokens.get("completion_tokens", 0) * self.completion
        ) / 1e6


@dataclass
class Progress:
    """What came of a run so far: the outcomes as they came, and the questions that wait for a reply of the LLM."""

    outcomes: list[Asked] = field(default_factory=list)
    waiting: list[NotYet] = field(default_factory=list)
    seconds: float = 0.0


class _Traced:
    """A backend that remembers the last decision; of one question, so that threads do not mix theirs up."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.name = backend.name
        self.decision: Decision | None = None

    def decide(self, question: str, graph: Graph, run: Run) -> Decision:
        self.decision = self._backend.decide(question, graph, run)
        return self.decision


def asker(
    store: Store, backend_of: Callable[[Question], Backend], *, topics: bool = False, **options: Any
) -> Callable[[Question], TracedAnswer]:
    """What asks a question of its own sources by `Store.ask`, and gives the answer with all programs tried.

    Args:
        store: where the sources are.
        backend_of: the backend for a question; most give the same to all.
        topics: whether the names of the gold topic entities are put behind the question.
        options: those of `Store.ask`.
    """

    def ask(question: Question) -> TracedAnswer:
        traced = _Traced(backend_of(question))
        text = f"{question.text} [{'; '.join(question.topic)}]" if topics and question.topic else question.text
        answer = store.ask(text, traced, list(question.sources), **options)
        tried = traced.decision.attempts if traced.decision else ()
        return TracedAnswer(**{each.name: getattr(answer, each.name) for each in fields(Answer)}, tried=tried)

    return ask


def ask_all(
    ask: Ask,
    questions: Sequence[Question],
    judge: Judge,
    *,
    in_flight: int = IN_FLIGHT,
    price: Price | None = None,
    on_outcome: Callable[[Asked], object] | None = None,
    on_waiting: Callable[[Question], object] | None = None,
) -> Progress:
    """Asks the questions, `in_flight` at a time, and tells each outcome as it comes, in no order.

    An error of one question is its outcome, also where the LLM takes not its request, once it took another's. One that
    waits for a reply of the LLM (`NotYet`) has none. On Ctrl-C, and where the LLM is gone, those under way are waited
    for, and told.

    Args:
        ask: question -> answer; called by several threads.
        questions: what to ask.
        judge: see there.
        in_flight: questions under way at a time.
        price: of tokens; None: no cost is told.
        on_outcome: called with each outcome, by this thread.
        on_waiting: called with each question that waits.

    Raises:
        NoDatabase: nothing answers.
        NoModel: the LLM gave no reply to `IN_A_ROW` questions one after another, or to none at all; these questions are
            not told, so that they can be asked again.
    """
    run = _Asking(ask, judge, price, on_outcome, on_waiting)
    started = time.perf_counter()
    pool = ThreadPoolExecutor(in_flight, "eval")
    try:
        for question in questions:
            if not question.sources:
                run.tell(without_source(question))
                continue
            if len(run.flying) >= in_flight:
                run.land()
            run.start(pool, question)
        while run.flying:
            run.land()
        run.finish()
    except (KeyboardInterrupt, NoModel):
        run.land_all()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    run.progress.seconds = time.perf_counter() - started
    return run.progress


@dataclass(frozen=True)
class _Came:
    """What a thread brings: an answer, or an error."""

    seconds: float
    answer: Answer | None = None
    error: Exception | None = None


class _Asking:
    """A run under way; all but `_ask` is done by one thread."""

    def __init__(
        self,
        ask: Ask,
        judge: Judge,
        price: Price | None,
        on_outcome: Callable[[Asked], object] | None,
        on_waiting: Callable[[Question], object] | None,
    ) -> None:
        self.progress = Progress()
        self.flying: dict[Future[_Came], Question] = {}
        self._ask_one, self._judge, self._price = ask, judge, price
        self._on_outcome, self._on_waiting = on_outcome, on_waiting
        self._unheard: list[tuple[Question, _Came]] = []
        self._heard = False

    def start(self, pool: ThreadPoolExecutor, question: Question) -> None:
        self.flying[pool.submit(self._ask, question)] = question

    def land(self) -> None:
        """Waits for one question at least, and tells what came of all that are done."""
        done, _ = wait(self.flying, return_when=FIRST_COMPLETED)
        for future in done:
            self._take(self.flying.pop(future), future.result())

    def land_all(self) -> None:
        """Waits for all that are under way, when the run ends early; errors that would end it are passed over."""
        self._unheard.clear()
        for future, question in list(self.flying.items()):
            came = future.result()
            if not isinstance(came.error, NoDatabase | NoModel):
                self._take(question, came)

    def finish(self) -> None:
        """Tells the questions that the LLM gave no reply to, or that it gave none at all."""
        if self._unheard and not self._heard:
            raise self._no_model()
        self._tell_unheard()

    def tell(self, asked: Asked) -> None:
        self.progress.outcomes.append(asked)
        if self._on_outcome:
            self._on_outcome(asked)

    def _ask(self, question: Question) -> _Came:
        started = time.perf_counter()
        try:
            return _Came(answer=self._ask_one(question), seconds=time.perf_counter() - started)
        except Exception as error:  # whatever it is, it must not cost the outcomes of hours
            return _Came(error=error, seconds=time.perf_counter() - started)

    def _take(self, question: Question, came: _Came) -> None:
        if isinstance(came.error, NoDatabase):
            raise came.error
        refused = self._heard and isinstance(came.error, RequestRefused)
        if isinstance(came.error, NoModel) and not refused:
            self._unheard.append((question, came))
            if len(self._unheard) >= IN_A_ROW:
                raise self._no_model()
            return
        self._heard = True
        self._tell_unheard()
        if isinstance(came.error, NotYet):
            self.progress.waiting.append(came.error)
            if self._on_waiting:
                self._on_waiting(question)
        elif came.answer is None:
            self.tell(failed(question, came.error or RuntimeError("nothing came"), came.seconds))
        else:
            cost = self._price.of(came.answer.usage) if self._price else None
            self.tell(answered(question, came.answer, came.seconds, self._judge, cost))

    def _tell_unheard(self) -> None:
        for question, came in self._unheard:
            if came.error:
                self.tell(failed(question, came.error, came.seconds))
        self._unheard.clear()

    def _no_model(self) -> Exception:
        error = self._unheard[-1][1].error
        assert error is not None, "only questions with an error are kept here"
        return error
