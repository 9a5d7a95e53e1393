"""Recorded replies of an LLM through the ordinary path: load, map, compile, run, and compare with the gold answers.

No LLM is asked: what is measured is all that comes after it. A name that no node has is taken for the nearest.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.damage import damaged_program
from cgstore.evaluate.replay_reasons import ORDER, Kind, Reason, reason_of_answer, reason_of_error, table
from cgstore.evaluate.replay_sets import SETS, Alternatives, Benchmark, Question
from cgstore.evaluate.report import Outcome, Report, scores_of
from cgstore.evaluate.sample import sample
from cgstore.llm.chat.replay import read_recorded
from cgstore.model import Answer
from cgstore.options import MAX_COMBINATIONS
from cgstore.store import Store

T = TypeVar("T")
R = TypeVar("R")

IN_FLIGHT = 4
"""Programs under way at a time."""


@dataclass(frozen=True)
class Replayed(Outcome):
    """An outcome with the class of its reason."""

    why: Reason = Reason(Kind.RIGHT)  # noqa: RUF009 - it is frozen


@dataclass(frozen=True)
class Task:
    """A set and the file of its recorded replies, which need not be there."""

    name: str
    path: Path


def tasks_of(data: Path, sets: Sequence[str] = (), files: Sequence[Path] = ()) -> list[Task]:
    """What is to be run: the files given, else the sets given, else every set whose replies the data have.

    Of several sets given, some may have no file.

    Args:
        data: the folder with `recorded`, and with the benchmarks' own folders.
        sets: names of `SETS`; with files, the one that all of them are of.
        files: recorded replies; without a set, each is of the one that its name says.

    Raises:
        BadInput: no set fits a file, or there is nothing to run.
    """
    if files:
        if len(sets) > 1:
            raise BadInput("--questions takes one --set, which all the files are of.", "Give one, or none.")
        return [Task(sets[0] if sets else _set_of(path), path) for path in files]
    tasks = [Task(name, data / "recorded" / f"{name}.jsonl") for name in dict.fromkeys(sets or SETS)]
    there = [task for task in tasks if task.path.is_file()]
    if not there:
        asked = f" of {', '.join(sets)}" if sets else ""
        raise BadInput(f"{data} has no recorded replies{asked}.", "They are looked for as recorded/SET.jsonl.")
    return tasks if sets else there


def _set_of(path: Path) -> str:
    if path.stem not in SETS:
        raise BadInput(f"The name of {path.name} says no set.", f"Give --set with one of {', '.join(SETS)}.")
    return path.stem


def run(
    store: Store,
    data: Path,
    task: Task,
    *,
    limit: int | None = None,
    seed: int = 0,
    damage: str | None = None,
    combinations: int = MAX_COMBINATIONS,
    on_start: Callable[[int, int], None] | None = None,
    on_outcome: Callable[[Replayed], None] | None = None,
) -> Report:
    """Runs the replies of one set, several at a time, and reports on them in the file's order.

    Args:
        store: where the data are loaded, as sources named `eval/...`.
        data: the folder with the benchmarks' own folders.
        task: what to run.
        limit: so many of them, drawn at random by `seed`.
        seed: for the limit, and the damage.
        damage: the kind of `DAMAGES` done to every name of every program, and names are then sought as a user's are;
            None: none, and a name that no node has is taken for the nearest, however far.
        combinations: as in `Store.compile`.
        on_start: called when all is loaded, with the number of questions, and of replies left out without gold.
        on_outcome: called for each question, in order.

    Raises:
        BadInput: a file is missing or malformed.
        NoDatabase: nothing answers.
    """
    benchmark = SETS[task.name]
    recorded = sample(read_recorded(task.path), limit, seed)
    questions = list(benchmark.questions(data, recorded))
    benchmark.load(store, data, questions)
    if on_start:
        on_start(len(questions), len(recorded) - len(questions))
    options: dict[str, Any] = {"threshold": 0.0, "by_column": 0.0} if damage is None else {}

    def ask(alternatives: Alternatives) -> Replayed:
        if damage is not None:
            alternatives = tuple(replace(q, reply=damaged_program(q.reply, damage, seed)) for q in alternatives)
        return _outcome(store, benchmark, alternatives, {**options, "combinations": combinations})

    started = time.perf_counter()
    outcomes = []
    for outcome in _in_order(ask, questions):
        outcomes.append(outcome)
        if on_outcome:
            on_outcome(outcome)
    return Report(tuple(outcomes), time.perf_counter() - started, ORDER)


def reasons_table(report: Report) -> str:
    """The classes of reasons of a replay with their counts, as aligned text."""
    return table(outcome.why for outcome in report.outcomes if isinstance(outcome, Replayed))


def _in_order(work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """The results of `work` in the order of the items; a few are under way at a time."""
    waiting: deque[Future[R]] = deque()
    with ThreadPoolExecutor(IN_FLIGHT, "cgstore") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) >= 4 * IN_FLIGHT:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _outcome(store: Store, benchmark: Benchmark, alternatives: Alternatives, options: dict[str, Any]) -> Replayed:
    """Of the first alternative whose program runs and answers; where none does, of the first."""
    outcomes = []
    for question in alternatives:
        outcome = _replayed(store, benchmark, question, options)
        if not outcome.answer.abstained:
            return outcome
        outcomes.append(outcome)
    return outcomes[0]


def _replayed(store: Store, benchmark: Benchmark, question: Question, options: dict[str, Any]) -> Replayed:
    answer, error = Answer((), question.reply), None
    try:
        answer = _light(store.query(question.reply, [question.source], evidence=False, **options))
    except (BadInput, QueryFailed) as failure:
        error = failure
    scores = scores_of(question.gold, answer, benchmark.accepted)
    right = any(scores[measure] for measure in benchmark.judged_by)
    why = reason_of_error(error, question.reply) if error else reason_of_answer(question.gold, answer, right)
    return Replayed(question, answer, scores, str(why), str(why.kind), benchmark.judged_by, why)


def _light(answer: Answer) -> Answer:
    """Only what a report needs, since thousands are kept."""
    texts = tuple(sys.intern(text) for text in answer.cypher)
    return Answer(answer.answer, answer.program, texts, warnings=answer.warnings)
