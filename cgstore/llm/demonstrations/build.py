"""Demonstrations built from training questions: a backend writes a program for each, and right ones are kept.

See TrustUQA, section 3.4. The questions are first put into the graph as untried. The outcome of each is written at
once, so that an interrupted build can continue and no question is tried twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import Encoder, SharedEncoder
from cgstore.errors import BadInput, CgstoreError, QueryFailed, RequestRefused, setting
from cgstore.llm.chat.batch import NotYet
from cgstore.llm.demonstrations import kinds_made
from cgstore.llm.demonstrations.stored import (
    State,
    StoredDemonstration,
    add_untried,
    all_stored,
    embed,
    mark,
)
from cgstore.llm.graph_view import GraphView
from cgstore.model import Answer
from cgstore.observe.progress import bar
from cgstore.options import Options, option
from cgstore.text.json_text import read_json_lines
from cgstore.text.names import is_unicode
from cgstore.text.numbers import denotation

FIELDS = " | "
"""The separator of the fields of a gold row, as in the text of an answer's row."""

MAX_FAILURES = 20
"""Failures that are reported one by one."""

_FORM = '{"question": "...", "answer": ["..."], "source": "..."}'

Ask = Callable[[str, Sequence[str] | None], Answer]
"""Answers a question, or runs a program, over the sources of these names; None: over all."""

Outcome = Answer | NotYet | BadInput | QueryFailed | RequestRefused
"""The result of asking a training question; other errors end the build."""


@dataclass(frozen=True)
class TrainingQuestion:
    """A question, its gold answer if known, and the names of its sources; none: the sources of the build.

    `program` is what the question means where its data say so, such as by SQL; it is run, and no backend is asked.
    """

    text: str
    gold: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    program: str = ""


def read_questions(path: Path) -> list[TrainingQuestion]:
    """The questions in a file of JSON Lines `{"question", "answer", "source", "program"}`.

    The answer is a value, a list of values, or a list of rows, which become texts with ` | ` between the fields. The
    source is a name or a list of names. Only the question is required.

    Raises:
        BadInput: the file cannot be read, or a line is not a training question.
    """
    return read_json_lines(path, "training question", _FORM, _question)


def is_right(gold: Sequence[str], answer: Answer) -> bool:
    """Whether an answer has the values of the gold answer, as a set: numbers by value, texts whatever their case.

    Gold rows are compared with the rows of the answer.
    """
    values = answer.lines if any(FIELDS in text for text in gold) else answer.answer
    return not answer.abstained and denotation(values) == denotation(gold)


def _question(fields: Any, line: int) -> TrainingQuestion:
    question, answer, program = fields["question"], fields.get("answer"), fields.get("program") or ""
    if isinstance(answer, list):
        answer = [FIELDS.join(map(str, row)) if isinstance(row, list) else row for row in answer]
    gold, sources = _texts(answer), _texts(fields.get("source"))
    texts = (question, program, *gold, *sources)
    if not all(isinstance(text, str) and is_unicode(text) for text in texts) or not question.strip():
        raise ValueError("the question and the program must be texts")
    return TrainingQuestion(question.strip(), gold, sources, program)


def _texts(given: Any) -> tuple[str, ...]:
    values = [] if given is None else given if isinstance(given, list) else [given]
    if not all(isinstance(value, str | int | float) for value in values):
        raise ValueError("an answer or source is a text, a number, or a list of these, and an answer a list of rows")
    return tuple(map(str, values))


@dataclass(frozen=True)
class BuildReport:
    """The results of one build.

    `questions` counts the training questions of the file; `left_out` have no gold answer or are repetitions, `there`
    were tried before. Of those tried now, `right` and `wrong` ones are stored, `waiting` ones have no reply of the LLM
    yet, and `failed` ones raised an error; `failures` describes the first of these.
    """

    questions: int
    left_out: int
    there: int
    right: int
    wrong: int
    waiting: int
    failed: int
    failures: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class BuildOptions(Options):
    """What of the training questions is tried, and how."""

    again: bool = option(False, "Try wrong ones again.")
    in_flight: int = option(8, "Questions asked at a time.", within=(1, 256))


def build(
    db: Database,
    training: Sequence[TrainingQuestion],
    ask: Ask,
    encoder: Encoder | None = None,
    *,
    run: Ask | None = None,
    sources: Sequence[str] | None = None,
    options: BuildOptions | None = None,
    progress: bool = False,
) -> BuildReport:
    """Has programs written for training questions, and stores which are right.

    Args:
        ask: answers a question by the backend whose programs are stored; called by several threads.
        run: runs the program of a training question that has one; None: `ask` answers these too.
        sources: names of the sources of a question that names none; None: all that are ready.
        options: what is tried, and how.
        progress: whether to show bars on standard error.

    Raises:
        BadInput: a source is missing or not ready, or a training question is about sources of several kinds.
        NoModel: the LLM or the encoder is not available; what was tried is stored.
        NoDatabase: the connection was lost; what was tried is stored.
        KeyboardInterrupt: with a note that says the same.
    """
    began, how = time.monotonic(), options or BuildOptions()
    own = _as_stored(db, training, tuple(sources or ()))
    work = _Build(db, ask, run)
    try:
        add_untried(db, [one for one, _ in own.values()], again=how.again)
        embed(db, SharedEncoder(encoder), progress=progress)
        states = {one.key: one.state for one in all_stored(db)}
        untried = [each for key, each in own.items() if states[key] == State.UNTRIED]
        work.try_each(untried, how.in_flight, progress)
    except KeyboardInterrupt as error:
        error.add_note("What was tried is kept: give the command again, and it goes on where it stopped.")
        raise
    return BuildReport(
        questions=len(training),
        left_out=len(training) - len(own),
        there=len(own) - len(untried),
        right=work.results[State.RIGHT],
        wrong=work.results[State.WRONG],
        waiting=work.waiting,
        failed=len(work.failed),
        failures=tuple(work.failed[:MAX_FAILURES]),
        seconds=round(time.monotonic() - began, 3),
    )


Untried = tuple[StoredDemonstration, str]
"""A training question as it is stored, and its program, if it has one."""


def _as_stored(db: Database, training: Sequence[TrainingQuestion], sources: tuple[str, ...]) -> dict[str, Untried]:
    """The training questions with gold answers by their keys, the first of each."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    found: dict[str, Untried] = {}
    for question in training:
        names = question.sources or sources
        if question.gold and names not in kinds:
            kinds[names] = kinds_made(GraphView(db, ready_sources(db, list(names) or None)).kinds)
        if question.gold and len(kinds[names]) > 1:
            raise BadInput(
                f"'{question.text}' would be about sources of several kinds ({', '.join(kinds[names])}).",
                f"Name its source in the file, or those of all questions by {setting('source')}.",
            )
        if question.gold:
            kind, state = kinds[names][0], State.UNTRIED
            one = StoredDemonstration(question.text, source_kind=kind, state=state, gold=question.gold, sources=names)
            found.setdefault(one.key, (one, question.program))
    return found


@dataclass
class _Build:
    """A build in progress."""

    db: Database
    ask: Ask
    run: Ask | None
    results: Counter[State] = field(default_factory=Counter)
    waiting: int = 0
    failed: list[str] = field(default_factory=list)

    def try_each(self, untried: Sequence[Untried], in_flight: int, progress: bool) -> None:
        """Asks these questions, several at a time, and stores each outcome as it arrives.

        If an error ends the build, the questions in progress are awaited and stored too: they may have cost money.
        """
        with (
            ThreadPoolExecutor(in_flight, "demonstrations") as pool,
            bar("try", "questions", len(untried), show=progress) as shown,
        ):
            futures = {pool.submit(self._outcome, *each): each[0] for each in untried}
            try:
                for future in as_completed(futures):
                    self._store(futures.pop(future), future.result())
                    shown.update()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                for future, one in futures.items():
                    if not future.cancelled() and future.exception() is None:
                        self._store(one, future.result())
                raise

    def _outcome(self, one: StoredDemonstration, program: str) -> Outcome:
        sources = list(one.sources) or None
        try:
            return self.run(program, sources) if program and self.run else self.ask(one.question, sources)
        except (NotYet, BadInput, QueryFailed, RequestRefused) as error:
            return error

    def _store(self, one: StoredDemonstration, outcome: Outcome) -> None:
        if isinstance(outcome, NotYet):
            self.waiting += 1
        elif isinstance(outcome, CgstoreError):
            self.failed.append(f"{one.question}: {outcome.message}")
        else:
            state = State.RIGHT if is_right(one.gold, outcome) else State.WRONG
            mark(self.db, one.key, state, outcome.program)
            self.results[state] += 1
