"""The outcome of one question: its answer, whether it is right and why, and what it cost. One line of `--out`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from cgstore.errors import CgstoreError, NoModel
from cgstore.evaluate.benchmarks.benchmark import Question, Reason
from cgstore.evaluate.scoring import METRICS, Judge, Value, covers, f1, settled
from cgstore.llm.backends import Attempt
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
"""Why an answer of an LLM is right or not, in the order of reports. `UNREACHABLE` takes precedence over all others."""

_LINE = ("id", "question", "gold", "answer", "correct", "program", "reason")
_TEXTS = ("id", "question", "type", "program", "reason", "reason_class")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one question; the fields are those of its line.

    Args:
        id, question, type, gold: see `Question`.
        answer: the values.
        correct: whether the answer is right.
        scores: every metric, from 0 to 1.
        program: the program whose answer stands.
        reason: why the answer is right or not; it begins with `reason_class`.
        reason_class: for an LLM one of `CLASSES`.
        tried: all programs that were run, each with its `answer` or `error`.
        mappings: the nodes that names were mapped to.
        warnings: the notes of the answer.
        because: why this program was chosen.
        browser: a link to the evidence, if the database has a Browser.
        seconds: wall time.
        statements: the number of Cypher statements.
        tokens: what the LLM took: requests, prompt_tokens, completion_tokens, kept.
        cost: the price of the tokens, if prices are known.
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
        """Returns the fields by name."""
        return asdict(self)

    def short_json(self, set_name: str) -> dict[str, Any]:
        """Returns the line that `eval oracle` and `eval replay` write."""
        return {name: getattr(self, name) for name in _LINE} | {"set": set_name}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Outcome:
        """Returns the outcome of a line.

        Raises:
            ValueError: the line is not an outcome.
        """
        if missing := [name for name in _TEXTS if not isinstance(record.get(name), str)]:
            raise ValueError(f"these fields must be texts: {', '.join(missing)}")
        try:
            outcome = cls(**{each.name: record[each.name] for each in fields(cls) if each.name in record})
        except TypeError as error:
            raise ValueError("a field is missing") from error
        if not isinstance(outcome.scores, dict) or not set(METRICS) <= outcome.scores.keys():
            raise ValueError("`scores` lacks a metric")
        return outcome


def outcome_of(question: Question, answer: Answer, scores: dict[str, float], right: bool, reason: Reason) -> Outcome:
    """Returns the outcome of a question that was answered, with or without values."""
    return Outcome(
        question.id,
        question.text,
        question.type,
        list(question.gold),
        list(answer.answer),
        correct=right,
        scores=scores,
        program=answer.program,
        reason=str(reason),
        reason_class=reason.kind,
        statements=len(answer.cypher),
    )


def without_answer(question: Question, reason: Reason) -> Outcome:
    """Returns the outcome of a question without an answer."""
    return outcome_of(question, Answer((), ""), dict.fromkeys(METRICS, 0.0), False, reason)


def answered(
    question: Question, answer: Answer, tried: Sequence[Attempt], judge: Judge, cost: float | None = None
) -> Outcome:
    """Judges an answer of an LLM. All metrics are 0 if no program ran: that denotes nothing, not the empty set."""
    scores = dict.fromkeys(METRICS, 0.0)
    if answer.answer or any(one.answer is not None for one in tried):
        scores = judge.scores(question.gold, settled(question.gold, answer.answer), question.canonical)
    right = judge.is_right(scores)
    reason = Reason(RIGHT) if right else _difference(question.gold, answer, tried)
    if not right and not question.reachable:
        reason = Reason(UNREACHABLE, ", ".join(filter(None, reason[:2])))
    return replace(
        outcome_of(question, answer, scores, right, reason),
        tried=[_program(one) for one in tried],
        mappings=[asdict(mapping) for mapping in answer.mappings],
        warnings=list(answer.warnings),
        because=answer.because,
        browser=answer.browser,
        tokens=dict(answer.usage),
        cost=cost,
    )


def failed(question: Question, error: Exception) -> Outcome:
    """Returns the outcome of a question that an error left without an answer."""
    said = error.message.splitlines()[0] if isinstance(error, CgstoreError) else f"{type(error).__name__}: {error}"
    return without_answer(question, Reason(NO_REPLY if isinstance(error, NoModel) else FAILED, said))


def beside_gold(gold: Sequence[str], answer: Sequence[Value], more: str, part: str, other: str) -> Reason:
    """Returns how an answer with values differs from gold.

    Args:
        gold: the gold answers.
        answer: the given values, at least one.
        more: the class of an answer with all gold answers and others.
        part: the class of an answer with some gold answers.
        other: the class of an answer without a gold answer.
    """
    if gold and covers(gold, answer):
        return Reason(more, f"{len(answer):,} answers, {len(set(gold)):,} of them gold")
    score = f1(gold, answer)
    return Reason(part, f"f1 {score:.2f}") if score else Reason(other, "none of them gold")


def _program(tried: Attempt) -> dict[str, Any]:
    if tried.answer is None:
        return {"program": tried.program, "error": tried.error}
    return {"program": tried.program, "answer": list(tried.answer.answer)}


def _difference(gold: Sequence[str], answer: Answer, tried: Sequence[Attempt]) -> Reason:
    if answer.answer:
        return beside_gold(gold, answer.answer, MORE, PART, OTHER)
    ran = any(one.answer is not None for one in tried)
    return Reason(NOTHING if ran else REFUSED if tried else NO_PROGRAM, "; ".join(answer.warnings))
