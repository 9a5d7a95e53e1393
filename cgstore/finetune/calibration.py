"""The confidence of the small model, learnt from answers over schemas that its adapter has not seen.

A logistic model of `llm.small.confidence.FEATURES`, fitted by Newton's method with a ridge, then isotonic regression
by pooling adjacent violators (Zadrozny and Elkan 2002), then the least value for each accepted risk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cgstore.extras import optional
from cgstore.llm.small.confidence import Confidence

RISKS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3)
"""Accepted shares of questions that are answered wrongly, for which thresholds are kept."""

RIDGE = 1.0
"""Penalty of the squared weights: a few hundred answers must not decide a weight alone."""

STEPS = 30
"""Steps of Newton's method."""


def fit_confidence(features: Sequence[Sequence[float]], right: Sequence[bool], asked: int) -> Confidence:
    """The confidence for answers with these features, each right or wrong.

    Args:
        features: of each answer.
        right: whether it is; as many.
        asked: the number of questions, of which some have no answer.
    """
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


def confidence_record(fitted: Confidence) -> dict[str, Any]:
    """The JSON object that `confidence.from_json` reads."""
    return {
        "weights": list(fitted.weights),
        "edges": list(fitted.edges),
        "shares": list(fitted.shares),
        "thresholds": [list(each) for each in fitted.thresholds],
    }
