"""One question asked: its answer, how right it is, why, and what it took. A line of `cgstore eval BENCHMARK --out`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from cgstore.errors import CgstoreError, NoModel
from cgstore.evaluate.benchmarks.benchmark import Denotes, Question
from cgstore.evaluate.metrics import Value, covers
from cgstore.evaluate.report import METRICS, Scorer, scores_of
from cgstore.evaluate.scoring import settled
from cgstore.llm.backend import Attempt
from cgstore.model import Answer

RIGHT = "right"
MORE = "gold and more"
PART = "in part"
OTHER = "another answer"
NOTHING = "programs gave nothing"
REFUSED = "no program could be run"
NO_PROGRAM = "no program was written"
UNREACHABLE = "gold is not in the data"
NO_SOURCE = "no facts are published for it"
NO_REPLY = "the LLM gave no reply"
FAILED = "the question failed"

CLASSES = (RIGHT, MORE, PART, OTHER, NOTHING, REFUSED, NO_PROGRAM, UNREACHABLE, NO_SOURCE, NO_REPLY, FAILED)
"""Why an answer is right or not, in the order of reports. What no program can give is `UNREACHABLE` before all else."""


_NEEDED = ("id", "question", "type", "program", "reason", "reason_class")


@dataclass(frozen=True)
class TracedAnswer(Answer):
    """An answer with all programs that were run for it, in order."""

    tried: tuple[Attempt, ...] = ()


@dataclass(frozen=True)
class Judge:
    """How answers are judged: the benchmark's own scorers as `accepted` and `accuracy`, and what makes one right."""

    accepted: Scorer
    judged_by: tuple[str, ...] = ("accuracy",)
    accuracy: Denotes | None = None

    def scores(self, question: Question, answer: Answer, ran: bool) -> dict[str, float]:
        """Every measure of `METRICS`, 0 to 1; all 0 where no program ran, which denotes nothing, not the empty set."""
        if not ran:
            return dict.fromkeys(METRICS, 0.0)
        given = settled(question.gold, answer.answer)
        scores = scores_of(question.gold, replace(answer, answer=given), self.accepted)
        return scores | {"accuracy": float(self.accuracy(question, given))} if self.accuracy else scores

    def right(self, scores: dict[str, float]) -> bool:
        """Whether these scores are those of a right answer."""
        return any(scores[measure] for measure in self.judged_by)


@dataclass(frozen=True)
class Asked:
    """What came of one question; the fields are those of its line.

    `scores` has every measure of `METRICS`, 0 to 1. `tried` has all programs that were run, each with its `answer` or
    `error`. `reason_class` is one of `CLASSES`, `reason` begins with it. `seconds` is wall time, `statements` the
    number of Cypher statements. `tokens` has what an LLM took: requests, prompt_tokens, completion_tokens, kept; `cost`
    its price where prices were given. `browser` links to the evidence where the database has a Browser.
    """

    id: str
    question: str
    type: str
    gold: list[str]
    answer: list[Value]
    correct: bool
    scores: dict[str, float]
    program: str
    reason: str
    reason_class: str
    tried: list[dict[str, Any]] = field(default_factory=list)
    mappings: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    because: str | None = None
    browser: str | None = None
    seconds: float = 0.0
    statements: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    cost: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Asked:
        """The outcome of a line.

        Raises:
            ValueError: the line is none.
        """
        if missing := [name for name in _NEEDED if not isinstance(record.get(name), str)]:
            raise ValueError(f"{', '.join(missing)} must be there as texts")
        known = {each.name: record[each.name] for each in fields(cls) if each.name in record}
        try:
            asked = cls(**known)
        except TypeError as error:
            raise ValueError("a field is missing") from error
        if not isinstance(asked.scores, dict) or not set(METRICS) <= asked.scores.keys():
            raise ValueError("scores has not every measure")
        return asked


def answered(question: Question, answer: Answer, seconds: float, judge: Judge, cost: float | None = None) -> Asked:
    """The outcome of a question that was asked, whether it has an answer or none."""
    tried: Sequence[Attempt] = getattr(answer, "tried", ())
    ran = bool(answer.answer) or any(one.answer is not None for one in tried)
    scores = judge.scores(question, answer, ran)
    right = judge.right(scores)
    kind, detail = (RIGHT, "") if right else _why_not(question, answer, tried)
    return Asked(
        **_about(question),
        answer=list(answer.answer),
        correct=right,
        scores=scores,
        program=answer.program,
        reason=f"{kind}: {detail}" if detail else kind,
        reason_class=kind,
        tried=[_tried(one) for one in tried],
        mappings=[asdict(mapping) for mapping in answer.mappings],
        warnings=list(answer.warnings),
        because=answer.because,
        browser=answer.browser,
        seconds=round(seconds, 3),
        statements=len(answer.cypher),
        tokens=dict(answer.usage),
        cost=cost,
    )


def failed(question: Question, error: Exception, seconds: float) -> Asked:
    """The outcome of a question for which there is no answer because of an error; it is not right."""
    said = error.message.splitlines()[0] if isinstance(error, CgstoreError) else f"{type(error).__name__}: {error}"
    kind = NO_REPLY if isinstance(error, NoModel) else FAILED
    return _without_answer(question, kind, f"{kind}: {said}", seconds)


def without_source(question: Question) -> Asked:
    """The outcome of a question that cannot be asked, since nothing was published to ask it of; it is not right."""
    return _without_answer(question, NO_SOURCE, NO_SOURCE, 0.0)


def _without_answer(question: Question, kind: str, reason: str, seconds: float) -> Asked:
    return Asked(
        **_about(question),
        answer=[],
        correct=False,
        scores=dict.fromkeys(METRICS, 0.0),
        program="",
        reason=reason,
        reason_class=kind,
        seconds=round(seconds, 3),
    )


def _about(question: Question) -> dict[str, Any]:
    return {"id": question.id, "question": question.text, "type": question.type, "gold": list(question.gold)}


def _tried(one: Attempt) -> dict[str, Any]:
    if one.answer is None:
        return {"program": one.program, "error": one.error}
    return {"program": one.program, "answer": list(one.answer.answer)}


def _why_not(question: Question, answer: Answer, tried: Sequence[Attempt]) -> tuple[str, str]:
    kind, detail = _compared(question.gold, answer, tried)
    if not question.reachable:
        return UNREACHABLE, f"{kind}{f', {detail}' if detail else ''}"
    return kind, detail


def _compared(gold: tuple[str, ...], answer: Answer, tried: Sequence[Attempt]) -> tuple[str, str]:
    given = answer.answer
    if given:
        if gold and covers(gold, given):
            return MORE, f"{len(given):,} answers, {len(set(gold)):,} of them gold"
        score = METRICS["f1"](gold, given)
        return (PART, f"f1 {score:.2f}") if score else (OTHER, "none of them gold")
    notes = "; ".join(answer.warnings)
    if any(one.answer is not None for one in tried):
        return NOTHING, notes
    return (REFUSED if tried else NO_PROGRAM), notes
