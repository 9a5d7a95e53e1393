"""The log-linear model that ranks readings: the weights of features, and the probability of each answer.

Weights and calibration are shipped in `weights.json`, with where they come from; `benchmarks/table_weights.py` learns
them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from cgstore.llm.backends.compose.condition_features import Features


@dataclass(frozen=True)
class Model:
    """Weights of the features of readings by their names, and `trust`, those of the doubts of the best reading."""

    weights: Mapping[str, float]
    trust: Mapping[str, float] = field(default_factory=dict)

    def score(self, features: Features) -> float:
        """The weighted sum of some features."""
        weights = self.weights
        return sum(weights.get(name, 0.0) * value for name, value in features.items())

    def confidence(self, doubts: Features) -> float:
        """The probability that an answer is right, from its doubts; see `confidence.doubts`."""
        return 1 / (1 + math.exp(-sum(self.trust.get(name, 0.0) * value for name, value in doubts.items())))

    def probabilities(self, scores: Sequence[float]) -> list[float]:
        """The probability of each of all readings of a question, by their scores."""
        if not scores:
            return []
        best = max(scores)
        parts = [math.exp(score - best) for score in scores]
        whole = sum(parts)
        return [part / whole for part in parts]


@cache
def shipped_model() -> Model:
    """The model that is shipped."""
    text = (files("cgstore.llm.backends.compose") / "weights.json").read_text("utf-8")
    stored = json.loads(text)
    return Model(stored["weights"], stored["trust"])
