"""How likely an answer is right: a logistic model of the model's own probabilities and of the account, calibrated.

Learnt on schemas that neither the adapter nor anybody who tuned it saw (`finetune.calibration`), so that the answers
above the threshold of a risk are wrong for no more of all questions than that.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cgstore.llm.small.weights import CONFIDENCE, beside

RISK = 0.02
"""Share of all questions asked that may be answered wrongly, unless another is asked for."""

FEATURES = ("bias", "logprob", "least", "mass", "nothing", "unused", "unsaid", "empty", "calls")
"""What the confidence rests on; `backend.features` has their values."""


@dataclass(frozen=True)
class Confidence:
    """A logistic model with its calibration.

    Attributes:
        weights: of each of `FEATURES`.
        edges: values of the logistic model in ascending order, where the share of right answers steps up (isotonic).
        shares: the share of right answers from each edge on.
        thresholds: the least value of the logistic model for each accepted risk, in ascending order of the risk.
    """

    weights: tuple[float, ...]
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    thresholds: tuple[tuple[float, float], ...]

    def score(self, features: Sequence[float]) -> float:
        """The value of the logistic model, which orders answers."""
        return sum(weight * value for weight, value in zip(self.weights, features, strict=True))

    def probability(self, features: Sequence[float]) -> float:
        """The probability that an answer with these features is right."""
        place = bisect_right(self.edges, self.score(features)) - 1
        return self.shares[max(0, place)]

    def is_enough(self, features: Sequence[float], risk: float) -> bool:
        """Whether an answer with these features may stand, for a risk."""
        allowed = [least for of, least in self.thresholds if of <= risk]
        return bool(allowed) and self.score(features) >= allowed[-1]


@cache
def confidence_of(adapter: Path | None) -> Confidence:
    """The confidence that was learnt for an adapter (`cgstore finetune calibrate`), or for the shipped one."""
    return from_json(beside(adapter, CONFIDENCE))


def from_json(record: Mapping[str, Any]) -> Confidence:
    """The model of a JSON object (`finetune.calibration` writes it)."""
    thresholds = tuple((float(risk), float(least)) for risk, least in record["thresholds"])
    return Confidence(tuple(record["weights"]), tuple(record["edges"]), tuple(record["shares"]), thresholds)
