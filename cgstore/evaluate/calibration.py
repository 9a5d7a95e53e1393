"""Whether a backend knows how sure it may be: how often answers of a confidence are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cgstore.evaluate.outcome import Outcome
from cgstore.text.tables import table_lines

SHARE = 0.8
"""The share of the questions, the surest first, whose accuracy is given."""

BINS = 10

DIGITS = 4


def calibration(outcomes: Sequence[Outcome]) -> dict[str, Any] | None:
    """Returns the figures of a run whose backend gives confidences; None if it gives none.

    `coverage` is the share of the questions with an answer, and `accuracy` the share of right ones among these.
    `accuracy_at_80` is that of the surest four fifths of all questions, in which a question without an answer is wrong.
    `reliability` has for each tenth of the confidence how many answers have it, their mean confidence, and how many
    of them are right.
    """
    given = [one for one in outcomes if one.confidence is not None and one.program]
    if not given:
        return None
    surest = sorted(outcomes, key=lambda one: -_sureness(one))[: max(1, round(SHARE * len(outcomes)))]
    return {
        "coverage": round(len(given) / len(outcomes), DIGITS),
        "accuracy": _accuracy(given),
        "accuracy_at_80": _accuracy(surest),
        "reliability": [_bin(part) for n in range(BINS) if (part := [one for one in given if _number(one) == n])],
    }


def _sureness(one: Outcome) -> float:
    return one.confidence if one.confidence is not None and one.program else -1.0


def _number(one: Outcome) -> int:
    """The tenth of the confidence."""
    return min(int(_sureness(one) * BINS), BINS - 1)


def _bin(part: Sequence[Outcome]) -> dict[str, Any]:
    mean = sum(map(_sureness, part)) / len(part)
    low = _number(part[0]) / BINS
    return {"from": low, "answers": len(part), "confidence": round(mean, DIGITS), "accuracy": _accuracy(part)}


def _accuracy(part: Sequence[Outcome]) -> float:
    return round(sum(one.correct for one in part) / len(part), DIGITS)


def calibration_lines(figures: dict[str, Any]) -> list[str]:
    """Returns the figures as aligned text."""
    answered = (
        f"answered {figures['coverage']:.3f} of the questions, {figures['accuracy']:.3f} of these right; "
        f"the surest 80%: {figures['accuracy_at_80']:.3f} right"
    )
    rows = (
        (f"{part['from']:.1f}", str(part["answers"]), f"{part['confidence']:.3f}", f"{part['accuracy']:.3f}")
        for part in figures["reliability"]
    )
    right = ("answers", "mean", "right")
    return [answered, *table_lines(("confidence", *right), rows, right=right)]
