"""The confidence of the small model, learnt from answers over schemas that its adapter has not seen.

A logistic model of `llm.small.confidence.FEATURES`, fitted by Newton's method with a ridge, then isotonic regression
by pooling adjacent violators (Zadrozny and Elkan 2002), then the least value for each accepted risk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from cgstore.errors import BadInput, optional
from cgstore.evaluate.benchmarks.benchmark import Question, Selection
from cgstore.evaluate.benchmarks.files import json_lines
from cgstore.evaluate.benchmarks.words import BENCHMARK
from cgstore.evaluate.outcome import Outcome, answered
from cgstore.evaluate.run import Asking
from cgstore.llm.backends import Decision
from cgstore.llm.small.backend import Reading, SmallBackend, features
from cgstore.llm.small.candidates import Writer
from cgstore.llm.small.confidence import Confidence, confidence_of
from cgstore.llm.small.prompt import Prompt
from cgstore.observe.progress import bar
from cgstore.store import Store

RISKS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3)
"""Accepted shares of questions that are answered wrongly, for which thresholds are kept."""

RIDGE = 1.0
"""Penalty of the squared weights: a few hundred answers must not decide a weight alone."""

STEPS = 30
"""Steps of Newton's method."""

PART = "tune"
"""The part of the written questions that it is learnt from."""

AT_A_TIME = 2
"""Questions under way: the graph runs the programs of one while the model writes those of the other."""


class _Rating(SmallBackend):
    """Answers the likeliest reading, however sure, if its account allows it; `rests_on` are then its features."""

    rests_on: tuple[float, ...] = ()

    def decided(self, prompt: Prompt, readings: Sequence[Reading]) -> Decision:
        best = next((each for each in readings if each.account), None)
        if best and best.account and not best.account.ignored:
            self.rests_on = features(best, readings)
        return super().decided(prompt, readings)


def calibrate(store: Store, written: Path, adapter: Path, out: Path, *, writer: Writer | None = None) -> Confidence:
    """Learns the confidence of an adapter from its answers to the written questions of `tune`, and writes it to `out`.

    The answers are kept beside it in a file with the adapter's hash in its name, from which the same call resumes.
    Sources that the graph lacks are loaded and dropped again. `written` is the folder of `benchmarks/words`.

    Raises:
        BadInput: the questions cannot be read, or no answer is right, or none wrong.
        KeyboardInterrupt: after Ctrl-C; what was answered is kept.
    """
    selection = Selection(written, part=PART)
    questions = BENCHMARK.read(selection).questions
    digest = hashlib.sha256(adapter.read_bytes()).hexdigest()[:8]
    answers = out.with_name(f"{out.stem}-{digest}.jsonl")
    known = {record["id"] for _, record in json_lines(answers)} if answers.is_file() else set()
    todo = [each for each in questions if each.id not in known]
    shared = writer or SmallBackend(adapter=adapter).writer
    rests_on: dict[str, tuple[float, ...]] = {}

    def ask(question: Question) -> Outcome:
        backend = _Rating(shared, adapter=adapter, risk=1.0, confidence=confidence_of(None))
        answer = store.ask(question.text, backend, list(question.sources))
        rests_on[question.id] = backend.rests_on
        return answered(question, answer, (), BENCHMARK.judge)

    there = {source.name for source in store.sources()}
    shown = bar("Calibration", "questions", len(questions), initial=len(known))
    with answers.open("a", encoding="utf-8") as lines, shown:

        def note(outcome: Outcome) -> None:
            record = {"id": outcome.id, "right": outcome.correct, "rests_on": rests_on.get(outcome.id, ())}
            lines.write(json.dumps(record) + "\n")
            lines.flush()
            shown.update()

        try:
            BENCHMARK.load(store, selection, todo)
            Asking(ask, AT_A_TIME, on_outcome=note).ask_all(todo)
        finally:
            loaded = {source for each in todo for source in each.sources} - there
            for source in store.sources():
                if source.name in loaded:
                    store.drop(source.name)
    rated = [record for _, record in json_lines(answers) if record["rests_on"]]
    right = [bool(record["right"]) for record in rated]
    if len(set(right)) < 2:
        raise BadInput("The confidence cannot be learnt: no answer is right, or none is wrong.")
    fitted = fit_confidence([record["rests_on"] for record in rated], right, len(questions))
    out.write_text(json.dumps(asdict(fitted)) + "\n", encoding="utf-8")
    return fitted


def fit_confidence(features: Sequence[Sequence[float]], right: Sequence[bool], asked: int) -> Confidence:
    """The confidence for answers with these features, each right or wrong, to some of the questions `asked`."""
    numpy = optional("numpy", "finetune")
    x, y = numpy.array(features, dtype=float), numpy.array(right, dtype=float)
    weights = numpy.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + numpy.exp(-x @ weights))
        gradient = x.T @ (y - p) - RIDGE * weights
        hessian = (x.T * (p * (1 - p))) @ x + RIDGE * numpy.eye(x.shape[1])
        weights = weights + numpy.linalg.solve(hessian, gradient)
    scores = (x @ weights).tolist()
    edges, shares = _isotonic(scores, [float(each) for each in right])
    fitted = Confidence(tuple(weights.round(4).tolist()), tuple(edges), tuple(shares), ())
    thresholds = thresholds_of([fitted.score(each) for each in features], right, asked)
    return Confidence(fitted.weights, fitted.edges, fitted.shares, thresholds)


def _isotonic(scores: Sequence[float], right: Sequence[float]) -> tuple[list[float], list[float]]:
    """The edges and heights of the rising steps that fit best, by least squares."""
    blocks: list[list[float]] = []  # of each: its first score, sum and count
    for score, value in sorted(zip(scores, right, strict=True)):
        blocks.append([score, value, 1])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            _, total, count = blocks.pop()
            blocks[-1][1] += total
            blocks[-1][2] += count
    # One right answer more and one wrong: no step is certain.
    return [round(b[0], 4) for b in blocks], [round((b[1] + 1) / (b[2] + 2), 4) for b in blocks]


def thresholds_of(scores: Sequence[float], right: Sequence[bool], asked: int) -> tuple[tuple[float, float], ...]:
    """The least score from which on no more than a share of the questions asked is answered wrongly, for `RISKS`.

    With 1 every answer is given; a risk that no score meets is left out.
    """
    ordered = sorted(zip(scores, right, strict=True), key=lambda each: -each[0])
    found = []
    for risk in RISKS:
        wrong, least = 0, None
        for place, (score, is_right) in enumerate(ordered, 1):
            wrong += not is_right
            is_last = place == len(ordered) or ordered[place][0] < score
            if wrong > risk * asked:
                break
            least = score if is_last else least
        if least is not None:
            found.append((risk, round(least - 5e-5, 4)))
    return (*found, (1.0, -1e9))
