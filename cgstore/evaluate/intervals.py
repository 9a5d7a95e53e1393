"""How far a mean may be off: bootstrap intervals, for one run and for the difference of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cgstore.errors import BadInput

RESAMPLES = 2_000
"""Samples drawn with replacement, each as large as the data."""

LEVEL = 0.95
"""Share of the resampled means that an interval holds, the same share being cut off at both ends."""

AT_A_TIME = 4_000_000
"""Draws held in memory at a time, 32 MB."""


class Interval(NamedTuple):
    """The lower and the upper end."""

    low: float
    high: float


def bootstrap(values: Sequence[Sequence[float]], seed: int = 0, resamples: int = RESAMPLES) -> list[Interval]:
    """The percentile bootstrap interval of the mean of each column.

    The rows are drawn whole, so that columns stay paired.

    Args:
        values: shape (questions, measures), at least one question; differences, where two runs are compared.
        seed: of the draws.
        resamples: how many.

    Returns:
        An interval a measure.

    Raises:
        BadInput: numpy is not installed.
    """
    try:
        import numpy
    except ImportError as error:
        raise BadInput("Bootstrap intervals need numpy.", "Install it: pip install 'cgstore[embed]'") from error
    rows = numpy.asarray(values, dtype=float)
    random = numpy.random.default_rng(seed)
    count = len(rows)
    step = max(1, AT_A_TIME // (count * rows.shape[1]))
    means = [
        rows[random.integers(0, count, (min(step, resamples - start), count))].mean(axis=1)
        for start in range(0, resamples, step)
    ]
    tail = 100 * (1 - LEVEL) / 2
    low, high = numpy.percentile(numpy.concatenate(means), [tail, 100 - tail], axis=0)
    return [Interval(float(a), float(b)) for a, b in zip(low, high, strict=True)]
