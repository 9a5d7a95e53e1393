"""Asking many questions, and what came of it: a line a question, a table by type, one JSON line at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate import metrics
from cgstore.evaluate.cronquestions import TYPES, Question
from cgstore.model import Answer

Scorer = Callable[[Sequence[str], Sequence[metrics.Value]], float]
"""A measure: gold, answer -> 0 to 1."""

METRICS: dict[str, Scorer] = {
    "accepted": metrics.accepted,
    "accuracy": metrics.accuracy,
    "hits_at_1": metrics.hits_at_1,
    "f1": metrics.f1,
    "exact_match": metrics.exact_match,
}
"""The measures of a report, by the names that its JSON has."""


INCOMPLETE = " (incomplete)"
"""What the group of an incomplete question is marked with."""

GROUPS = tuple(kind + mark for kind in TYPES for mark in ("", INCOMPLETE))
"""The groups of CronQuestions, in their order."""


class Scored(Protocol):
    """What a report needs of a question of any benchmark."""

    @property
    def id(self) -> str:
        """What tells it from the others."""

    @property
    def text(self) -> str:
        """What a reader sees."""

    @property
    def gold(self) -> tuple[str, ...]:
        """The answers that are right."""


@dataclass(frozen=True)
class Outcome:
    """One question asked: its answer, every measure of `METRICS` for it (0 to 1), and why it is right or wrong.

    `group` is what a report counts it under. It is right if any measure of `judged_by` says so.
    """

    question: Scored
    answer: Answer
    scores: dict[str, float]
    reason: str
    group: str = ""
    judged_by: tuple[str, ...] = ("accuracy",)

    @property
    def correct(self) -> bool:
        """Whether the answer is right: by default, whether it denotes exactly the gold set."""
        return any(self.scores[measure] for measure in self.judged_by)

    def to_json(self) -> dict[str, Any]:
        """The line of `--out`."""
        return {
            "id": self.question.id,
            "question": self.question.text,
            "gold": list(self.question.gold),
            "answer": list(self.answer.answer),
            "correct": self.correct,
            "program": self.answer.program,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Report:
    """All outcomes, in the order asked; `seconds` is wall time, `statements` the number of Cypher statements run.

    `order` is that of the groups in tables; groups that it lacks come last, by name.
    """

    outcomes: tuple[Outcome, ...]
    seconds: float = 0.0
    order: tuple[str, ...] = GROUPS

    @property
    def groups(self) -> dict[str, list[Outcome]]:
        """The outcomes by group, in the order of `order`."""
        groups: dict[str, list[Outcome]] = {}
        for outcome in sorted(self.outcomes, key=self._rank):
            groups.setdefault(outcome.group, []).append(outcome)
        return groups

    def _rank(self, outcome: Outcome) -> tuple[int, str]:
        group = outcome.group
        return (self.order.index(group) if group in self.order else len(self.order), group)

    @property
    def statements(self) -> int:
        """How many Cypher statements were run in all."""
        return sum(len(outcome.answer.cypher) for outcome in self.outcomes)

    def metrics(self) -> dict[str, float]:
        """The mean of every measure over all the questions, as fractions; 0 where there is none."""
        return _means(self.outcomes)

    def headline(self, benchmark: str, set_name: str) -> dict[str, Any]:
        """The fields that the last line of every `cgstore eval` has."""
        return {
            "benchmark": benchmark,
            "set": set_name,
            "n": len(self.outcomes),
            "metrics": self.metrics(),
            "seconds": round(self.seconds, 3),
            "statements": self.statements,
        }

    def to_json(self, benchmark: str, set_name: str) -> dict[str, Any]:
        """The headline; `types` has the same figures for each group of questions."""
        types = {name: {"n": len(group), **_means(group)} for name, group in self.groups.items()}
        return self.headline(benchmark, set_name) | {"types": types}

    def table(self) -> str:
        """The measures by type as aligned text, `all` last; incomplete questions are in rows of their own."""
        rows: list[tuple[str, Sequence[Outcome]]] = [*self.groups.items(), ("all", self.outcomes)]
        width = max(len(name) for name, _ in rows)
        head = f"{'type':<{width}}  {'n':>6}" + "".join(f"  {name:>11}" for name in METRICS)
        return "\n".join([head, *(_row(name, group, width) for name, group in rows)])


def scores_of(gold: tuple[str, ...], answer: Answer, accepted: Scorer = metrics.accepted) -> dict[str, float]:
    """Every measure of `METRICS` for one answer; `accepted` is the benchmark's own."""
    measures = METRICS | {"accepted": accepted}
    return {name: float(measure(gold, answer.answer)) for name, measure in measures.items()}


def evaluate(
    ask: Callable[[str], Answer],
    questions: Iterable[Question],
    *,
    text_of: Callable[[Question], str] = lambda question: question.text,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Report:
    """Asks every question by its text; see `evaluate_each`.

    Args:
        ask: text -> answer.
        questions: what to ask, in this order.
        text_of: the text to ask for a question, such as its `canonical_text`.
        on_outcome: called after each question, to write its line or to show progress.

    Raises:
        CgstoreError: as `evaluate_each`.
    """
    return evaluate_each(lambda question: ask(text_of(question)), questions, on_outcome=on_outcome)


def evaluate_each(
    ask: Callable[[Question], Answer],
    questions: Iterable[Question],
    *,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Report:
    """Asks every question, for an `ask` that needs more of it than its text: its id, to hold out demonstrations.

    A question whose program cannot be understood (`BadInput`) or run (`QueryFailed`) counts as not answered, and the
    error is its reason.

    Raises:
        CgstoreError: no database or no model answers, so that no question can be asked.
    """
    started = time.perf_counter()
    outcomes = []
    for question in questions:
        outcome = _outcome(ask, question)
        outcomes.append(outcome)
        if on_outcome:
            on_outcome(outcome)
    return Report(tuple(outcomes), time.perf_counter() - started)


def _outcome(ask: Callable[[Question], Answer], question: Question) -> Outcome:
    try:
        answer, error = ask(question), ""
    except (BadInput, QueryFailed) as failure:
        answer, error = Answer(answer=(), program=""), str(failure)
    scores = scores_of(question.gold, answer)
    group = question.type + (INCOMPLETE if question.incomplete else "")
    return Outcome(question, answer, scores, error or _reason(question, answer, scores), group)


def _reason(question: Question, answer: Answer, scores: dict[str, float]) -> str:
    note = "; the question is incomplete as asked" if question.incomplete else ""
    if scores["accuracy"]:
        return "right" + note
    if answer.abstained:
        return ": ".join(["no answer", *answer.warnings[:1]]) + note
    if not scores["f1"]:
        return "wrong: no gold answer is among the answers" + note
    return f"in part: f1 {scores['f1']:.2f}" + note


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    count = len(outcomes) or 1
    return {name: sum(outcome.scores[name] for outcome in outcomes) / count for name in METRICS}


def _row(name: str, outcomes: Sequence[Outcome], width: int) -> str:
    figures = "".join(f"  {mean:>11.3f}" for mean in _means(outcomes).values())
    return f"{name:<{width}}  {len(outcomes):>6}{figures}"
