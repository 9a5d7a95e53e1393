"""How likely the chosen answer is right, beyond its probability among the readings: what else speaks for doubt.

The probabilities of readings say which of them is the best, and not whether any is right. A logistic model over a few
properties of the best reading says this; it is fitted on questions that the weights were not learnt from.
"""

from __future__ import annotations

import math

from cgstore.llm.backends.compose.condition_features import Features
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading

_LEAST = 1e-4
"""Least distance of a probability from 0 and 1."""


def logit(probability: float) -> float:
    """The logarithm of the odds."""
    p = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(p / (1 - p))


def doubts(reading: Reading, context: Context, probability: float, second: float, answers: int) -> Features:
    """What the confidence in a reading depends on; `second` is the probability of the likeliest other answer.

    `answers` is the number of different answers.
    """
    text = context.text
    left = text.content & ~explained_words(reading, context)
    rows = reading.rows.bit_count()
    operation = reading.operation
    kind = operation if operation in _COMMON else "other"
    f: Features = {
        "always": 1.0,
        "odds": logit(probability),
        "odds to second": math.log((probability + _LEAST) / (second + _LEAST)),
        "answers": math.log(answers),
        "words left": min(left.bit_count(), 4),
        "any word left": float(left != 0),
        "skipped": min(len(reading.skipped), 3),
        f"operation {kind}": 1.0,
        "superlative": float(reading.superlative is not None),
        "no condition": float(not reading.conditions),
        "no row": float(not rows),
        "several conditions": float(len(reading.conditions) > 1),
        "rows": float(rows > 1),
        "words": min(len(text), 30) / 10,
    }
    for condition in reading.conditions:
        if condition.how in ("part", "stems"):
            f[f"condition {condition.how}"] = 1.0
    if reading.target is not None:
        run = context.best_run(reading.target, 0)
        f["target unnamed"] = float(run is None)
        f["target by meaning"] = float(run is not None and run.meant)
        f["target share"] = run.share if run else 0.0
    return f


_COMMON = frozenset(("list", "count", "max", "min", "sum", "mean"))
