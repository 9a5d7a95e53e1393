"""Questions and outcomes made by hand."""

from __future__ import annotations

from typing import Any

from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.evaluate.outcome import OTHER, RIGHT, Outcome
from cgstore.evaluate.scoring import METRICS


def question(identifier: str, *gold: str, **others: Any) -> Question:
    """A question of one source; its gold answer is `a` by default."""
    return Question(identifier, f"question {identifier}?", gold or ("a",), "one", ("eval/films",), **others)


def outcome(identifier: str, right: bool = True, **others: Any) -> Outcome:
    """An outcome, right or wrong by every measure."""
    fields: dict[str, Any] = {
        "id": identifier,
        "question": f"question {identifier}?",
        "type": "one",
        "gold": ["a"],
        "answer": ["a"] if right else ["b"],
        "correct": right,
        "scores": dict.fromkeys(METRICS, float(right)),
        "program": f"program {identifier}",
        "reason": RIGHT if right else f"{OTHER}: none of them gold",
        "reason_class": RIGHT if right else OTHER,
    }
    return Outcome(**fields | others)
