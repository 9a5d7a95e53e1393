"""A benchmark from its files to the figures: read, load, ask, judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cgstore.evaluate.asked import Asked, Judge
from cgstore.evaluate.asking import IN_FLIGHT, Price, Progress, ask_all, asker
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Setting
from cgstore.evaluate.outcomes_file import OutcomesFile, settings_of
from cgstore.evaluate.summary import Run
from cgstore.llm.backend import Backend
from cgstore.store import Store

NOT_COMPARED = ("batch", "cache")
"""Options of an LLM that change no answer: where replies lie, and whether they are kept."""


@dataclass(frozen=True)
class Options:
    """How the questions of a benchmark are asked.

    Args:
        llm: what the backend was made from, as it is written beside the outcomes.
        mapping: the options of `Store.ask`.
        topics: whether the gold topic entities are told.
        in_flight: questions under way at a time.
        out: the file of outcomes; None: they are kept in memory only.
        resume: whether the outcomes in it stand.
        price: of tokens.
    """

    llm: Mapping[str, Any] = field(default_factory=dict)
    mapping: Mapping[str, Any] = field(default_factory=dict)
    topics: bool = False
    in_flight: int = IN_FLIGHT
    out: Path | None = None
    resume: bool = False
    price: Price | None = None


@dataclass(frozen=True)
class Watcher:
    """Who is told what: how many questions there are and how many of them are done already, and each that is done."""

    start: Callable[[int, int], object] = lambda questions, done: None
    outcome: Callable[[Asked], object] = lambda asked: None
    waiting: Callable[[Question], object] = lambda question: None


@dataclass(frozen=True)
class Came:
    """What came of a run: its figures, and what has to be done before the questions that wait can be answered."""

    run: Run
    hint: str | None = None


def run_benchmark(
    store: Store,
    benchmark: Benchmark,
    setting: Setting,
    backend_of: Callable[[Question], Backend],
    options: Options | None = None,
    watcher: Watcher | None = None,
) -> Came:
    """Asks the questions of a benchmark that are not answered already.

    Args:
        store: where the sources are, and where they are loaded if they are not.
        benchmark: one of `cgstore.evaluate.benchmarks.every.BENCHMARKS`.
        setting: which questions.
        backend_of: what writes the programs for a question.
        options: see there.
        watcher: see there.

    Raises:
        BadInput: a file is missing or malformed, or that of earlier outcomes has other settings.
        NoDatabase: nothing answers.
        NoModel: the LLM gives no reply at all.
        KeyboardInterrupt: on Ctrl-C; a note says what is in the file.
    """
    options, watcher = options or Options(), watcher or Watcher()
    drawn = benchmark.read(setting)
    with _outcomes(options, _settings(benchmark, setting, options, drawn)) as kept:
        earlier = {one.id for one in kept.outcomes}
        todo = [question for question in drawn.questions if question.id not in earlier]
        if todo:
            benchmark.load(store, setting, todo)
        watcher.start(len(drawn.questions), len(earlier))

        def note(asked: Asked) -> None:
            kept.write(asked)
            watcher.outcome(asked)

        try:
            progress = ask_all(
                asker(store, backend_of, topics=options.topics, **options.mapping),
                todo,
                Judge(benchmark.accepted, benchmark.judged_by, benchmark.accuracy),
                in_flight=options.in_flight,
                price=options.price,
                on_outcome=note,
                on_waiting=watcher.waiting,
            )
        except BaseException as error:
            if options.out:
                done = f"{len(kept.outcomes):,} of {len(drawn.questions):,} questions are in {options.out}"
                error.add_note(f"{done}; the same command with --resume goes on.")
            raise
    run = _summed_up(benchmark.name, benchmark.set_name(setting), drawn, kept.outcomes, progress, options)
    return Came(run, progress.waiting[0].hint if progress.waiting else None)


def _settings(benchmark: Benchmark, setting: Setting, options: Options, drawn: Drawn) -> dict[str, Any]:
    return settings_of(
        benchmark.name,
        benchmark.set_name(setting),
        drawn.questions,
        llm={name: value for name, value in options.llm.items() if name not in NOT_COMPARED},
        mapping=dict(options.mapping),
        topics=options.topics,
        limit=setting.limit,
        seed=setting.seed,
    )


def _summed_up(
    benchmark: str, set_name: str, drawn: Drawn, outcomes: Sequence[Asked], progress: Progress, options: Options
) -> Run:
    place = {question.id: number for number, question in enumerate(drawn.questions)}
    return Run(
        benchmark,
        set_name,
        sorted(outcomes, key=lambda one: place.get(one.id, len(place))),
        drawn=len(drawn.questions),
        asked=len(progress.outcomes),
        seconds=progress.seconds,
        waiting=len(progress.waiting),
        unreachable=sum(not question.reachable for question in drawn.questions),
        without_gold=drawn.without_gold,
        llm=" ".join(str(options.llm[name]) for name in ("name", "model") if options.llm.get(name)),
    )


class _InMemory:
    """Outcomes that no file keeps."""

    def __init__(self) -> None:
        self.outcomes: list[Asked] = []

    def __enter__(self) -> _InMemory:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def write(self, asked: Asked) -> None:
        self.outcomes.append(asked)


def _outcomes(options: Options, settings: dict[str, Any]) -> OutcomesFile | _InMemory:
    return OutcomesFile(options.out, settings, options.resume) if options.out else _InMemory()
