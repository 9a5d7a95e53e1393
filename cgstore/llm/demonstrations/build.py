"""Demonstrations built from training questions: a backend writes a program for each, and right ones are kept.

See TrustUQA, section 3.4. The questions are first put into the graph as untried. The outcome of each is written at
once, so that an interrupted build can continue and no question is tried twice. A build tries all questions, or only
what given questions need: for each, the `m` nearest training questions in order, until `k` are right.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cgstore.catalog.kinds import KG, STATEMENTS
from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import Encoder, SharedEncoder
from cgstore.errors import BadInput, CgstoreError, QueryFailed, RequestRefused, setting
from cgstore.llm.chat.batch import NotYet
from cgstore.llm.demonstrations import SHOTS, source_kinds
from cgstore.llm.demonstrations.shot_selection import NEAREST
from cgstore.llm.demonstrations.stored import (
    State,
    StoredDemonstration,
    add_untried,
    all_stored,
    embed,
    mark,
    nearest_stored,
)
from cgstore.llm.graph_view import GraphView
from cgstore.llm.masking import masked_by_mentions
from cgstore.model import Answer
from cgstore.observe.progress import bar, counted
from cgstore.options import Options, option
from cgstore.text.json_text import read_json_lines
from cgstore.text.names import is_unicode, source_name
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
    yet, and `failed` ones raised an error; `failures` describes the first of these. `asked` counts the questions that
    the build was made for; `full` of them have `k` right ones.
    """

    questions: int
    left_out: int
    there: int
    right: int
    wrong: int
    waiting: int
    failed: int
    failures: tuple[str, ...]
    asked: int
    full: int
    seconds: float


@dataclass(frozen=True)
class BuildOptions(Options):
    """What of the training questions is tried, and how."""

    m: int = option(NEAREST, "For --for: nearest questions considered for each.", within=(1, None))
    k: int = option(SHOTS, "For --for: right ones needed for each.", within=(1, None))
    masked: bool = option(False, "The nearest are found by masked questions.")
    again: bool = option(False, "Try wrong ones again.")
    in_flight: int = option(8, "Questions asked at a time.", within=(1, 256))


def build(
    db: Database,
    training: Sequence[TrainingQuestion],
    ask: Ask,
    encoder: Encoder | None = None,
    *,
    run: Ask | None = None,
    asked: Sequence[TrainingQuestion] | None = None,
    sources: Sequence[str] | None = None,
    options: BuildOptions | None = None,
    progress: bool = False,
) -> BuildReport:
    """Has programs written for training questions, and stores which are right.

    Args:
        db: where they are stored.
        training: questions with gold answers.
        ask: answers a question by the backend whose programs are stored; called by several threads.
        encoder: makes the vectors; loaded if None.
        run: runs the program of a training question that has one; None: `ask` answers these too.
        asked: the questions to be asked later, which decide what is tried. None: all training questions are tried.
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
    work = _Build(db, ask, run, SharedEncoder(encoder), tuple(sources or ()), how.in_flight, progress)
    near: list[list[str]] = []
    try:
        own, left_out = work.put(training, how.again)
        untried = [key for key in own if work.stored[key].state == State.UNTRIED]
        if asked is None:
            work.try_each(untried)
        else:
            near = work.nearest(asked, how.m, how.masked)
            while wanted := work.wanted(near, how.k):
                work.try_each(wanted)
    except KeyboardInterrupt as error:
        error.add_note("What was tried is kept: give the command again, and it goes on where it stopped.")
        raise
    right = sum(state == State.RIGHT for state in work.results.values())
    return BuildReport(
        questions=len(training),
        left_out=left_out,
        there=len(own) - len(untried),
        right=right,
        wrong=len(work.results) - right,
        waiting=len(work.waiting),
        failed=len(work.failed),
        failures=tuple(f"{work.stored[key].question}: {why}" for key, why in work.failed.items())[:MAX_FAILURES],
        asked=len(near),
        full=sum(sum(work.stored[key].state == State.RIGHT for key in keys) >= how.k for keys in near),
        seconds=round(time.monotonic() - began, 3),
    )


@dataclass
class _Build:
    """A build in progress; `stored` has every demonstration of the graph by its key, in its present state."""

    db: Database
    ask: Ask
    run: Ask | None
    encoder: SharedEncoder
    sources: tuple[str, ...]
    in_flight: int
    progress: bool
    stored: dict[str, StoredDemonstration] = field(default_factory=dict)
    results: dict[str, State] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    views: dict[tuple[str, ...], GraphView] = field(default_factory=dict)

    def put(self, training: Sequence[TrainingQuestion], again: bool) -> tuple[list[str], int]:
        """Puts the questions into the graph, with vectors; returns their keys, and how many were left out."""
        known = {one.key: one for one in all_stored(self.db)}
        own: dict[str, StoredDemonstration] = {}
        for question in training:
            if question.gold:
                one = self._untried(question)
                if own.setdefault(one.key, one) is one:
                    self.programs[one.key] = question.program
        add_untried(self.db, self._masked(own, known), again=again)
        embed(self.db, self.encoder, progress=self.progress)
        self.stored = {one.key: one for one in all_stored(self.db)}
        return list(own), len(training) - len(own)

    def nearest(self, asked: Sequence[TrainingQuestion], m: int, masked: bool) -> list[list[str]]:
        """For each question to be asked, the keys of the `m` nearest training questions, the nearest first."""
        near = []
        for question in counted(asked, "nearest", "questions", len(asked), show=self.progress):
            view = self._view(question.sources)
            text = masked_by_mentions(question.text, view.mentions(question.text)) if masked else None
            kinds, own = source_kinds(view.kinds), [source_name(source) for source in view.sources]
            found = nearest_stored(
                self.db, self.encoder, question.text, kinds, m, masked=text, states=[*State], sources=own
            )
            near.append([one.key for one in found if one.key in self.stored])
        return near

    def wanted(self, near: Sequence[Sequence[str]], k: int) -> list[str]:
        """The keys to be tried next: those that some question needs even if all others turn out right."""
        return list(dict.fromkeys(key for keys in near for key in self._needed(keys, k)))

    def _needed(self, keys: Sequence[str], k: int) -> Iterator[str]:
        """The keys that one question needs, if each of them and each waiting one turns out right."""
        for key in keys:
            untried = self.stored[key].state == State.UNTRIED and key not in self.failed
            if k > 0 and untried and key not in self.waiting:
                yield key
            k -= untried or self.stored[key].state == State.RIGHT

    def try_each(self, keys: Sequence[str]) -> None:
        """Asks these questions, several at a time, and stores each outcome as it arrives.

        If an error ends the build, the questions in progress are awaited and stored too: they may have cost money.
        """
        with (
            ThreadPoolExecutor(self.in_flight, "demonstrations") as pool,
            bar("try", "questions", len(keys), show=self.progress) as shown,
        ):
            futures = {pool.submit(self._outcome, self.stored[key]): key for key in keys}
            try:
                for future in as_completed(futures):
                    self._store(futures.pop(future), future.result())
                    shown.update()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                for future, key in futures.items():
                    if not future.cancelled() and future.exception() is None:
                        self._store(key, future.result())
                raise

    def _outcome(self, stored: StoredDemonstration) -> Outcome:
        program, sources = self.programs[stored.key], list(stored.sources) or None
        try:
            return self.run(program, sources) if program and self.run else self.ask(stored.question, sources)
        except (NotYet, BadInput, QueryFailed, RequestRefused) as error:
            return error

    def _store(self, key: str, outcome: Outcome) -> None:
        if isinstance(outcome, NotYet):
            self.waiting.add(key)
        elif isinstance(outcome, CgstoreError):
            self.failed[key] = outcome.message
        else:
            state = State.RIGHT if is_right(self.stored[key].gold, outcome) else State.WRONG
            mark(self.db, key, state, outcome.program)
            self.results[key] = state
            self.stored[key] = replace(self.stored[key], state=state, program=outcome.program)

    def _untried(self, question: TrainingQuestion) -> StoredDemonstration:
        """A training question as it is stored, without its masked form."""
        kinds = source_kinds(self._view(question.sources).kinds)
        own = [kind for kind in kinds if kind != KG.name or STATEMENTS.name not in kinds]
        if len(own) > 1:
            raise BadInput(
                f"'{question.text}' would be about sources of several kinds ({', '.join(own)}).",
                f"Name its source in the file, or those of all questions by {setting('source')}.",
            )
        sources = question.sources or self.sources
        return StoredDemonstration(
            question.text, source_kind=own[0], state=State.UNTRIED, gold=question.gold, sources=sources
        )

    def _masked(
        self, own: dict[str, StoredDemonstration], known: dict[str, StoredDemonstration]
    ) -> list[StoredDemonstration]:
        """The questions with their masked form: that of the graph if it has one, else by the names in their sources."""

        def masked(one: StoredDemonstration) -> StoredDemonstration:
            if one.key in known:
                return replace(one, masked=known[one.key].masked)
            mentions = self._view(one.sources).mentions(one.question)
            return replace(one, masked=masked_by_mentions(one.question, mentions))

        with ThreadPoolExecutor(self.in_flight, "demonstrations") as pool:
            done = pool.map(masked, own.values())
            return list(counted(done, "names", "questions", len(own), show=self.progress))

    def _view(self, sources: Sequence[str]) -> GraphView:
        names = tuple(sources) or self.sources
        if names not in self.views:
            self.views[names] = GraphView(self.db, ready_sources(self.db, list(names) or None))
        return self.views[names]
