"""What came of many questions: a line a question, groups, and the figures over all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cgstore.evaluate import metrics
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

    `order` is that of the groups; those that it lacks come last, by name.
    """

    outcomes: tuple[Outcome, ...]
    seconds: float = 0.0
    order: tuple[str, ...] = ()

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


def scores_of(gold: tuple[str, ...], answer: Answer, accepted: Scorer = metrics.accepted) -> dict[str, float]:
    """Every measure of `METRICS` for one answer; `accepted` is the benchmark's own."""
    measures = METRICS | {"accepted": accepted}
    return {name: float(measure(gold, answer.answer)) for name, measure in measures.items()}


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    count = len(outcomes) or 1
    return {name: sum(outcome.scores[name] for outcome in outcomes) / count for name in METRICS}
