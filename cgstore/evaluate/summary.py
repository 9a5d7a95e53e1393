"""The figures of a run: over all questions, by type, and how far the means may be off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cgstore.errors import BadInput
from cgstore.evaluate.outcome import CLASSES, Outcome
from cgstore.evaluate.scoring import METRICS

DIGITS = 6

RESAMPLES = 2_000
"""The number of samples drawn with replacement, each as large as the data."""

LEVEL = 0.95
"""The share of the resampled means within an interval; both ends cut off the same share."""

AT_A_TIME = 4_000_000
"""The number of draws held in memory at a time: 32 MB."""


@dataclass(frozen=True)
class Run:
    """A run that has ended.

    Args:
        benchmark, set: the names of the benchmark and of the selection.
        outcomes: those of this run and of the runs that it resumes.
        drawn: the number of questions to ask.
        asked: the number of questions asked in this run, and `seconds` its wall time.
        waiting: the number of questions that wait for a reply of the LLM; `hint` says how they get one.
        unreachable: the number of drawn questions whose gold answers no program can give.
        without_gold: the number of questions left out because they have no gold answer.
        llm: what wrote the programs.
    """

    benchmark: str
    set: str
    outcomes: Sequence[Outcome]
    drawn: int
    asked: int = 0
    seconds: float = 0.0
    waiting: int = 0
    unreachable: int = 0
    without_gold: int = 0
    llm: str = ""
    hint: str | None = None

    def short_headline(self, command: str) -> dict[str, Any]:
        """Returns the last line of `eval oracle` and `eval replay`; every metric is 0 if there is no outcome."""
        return {
            "benchmark": command,
            "set": self.set,
            "n": len(self.outcomes),
            "metrics": means(self.outcomes, digits=None) or dict.fromkeys(METRICS, 0.0),
            "seconds": round(self.seconds, 3),
            "statements": sum(one.statements for one in self.outcomes),
        }

    def headline(self, seed: int = 0) -> dict[str, Any]:
        """Returns the last line of `eval BENCHMARK`.

        `metrics`, `intervals` and `ceiling`, the share of the drawn questions that can be right, are fractions.
        `seconds` and `questions_per_second` are those of this run, all other figures those of all outcomes. `cost` is
        None if no price is known.
        """
        costs = [one.cost for one in self.outcomes if one.cost is not None]
        return self.short_headline(self.benchmark) | {
            "metrics": means(self.outcomes),
            "llm": self.llm,
            "drawn": self.drawn,
            "waiting": self.waiting,
            "without_gold": self.without_gold,
            "gold_empty": sum(not one.gold for one in self.outcomes),
            "ceiling": round(1 - self.unreachable / self.drawn, DIGITS) if self.drawn else None,
            "intervals": intervals(self.outcomes, seed),
            "level": LEVEL,
            "resamples": RESAMPLES,
            "by_type": {
                name: {"n": len(group), "metrics": means(group), "intervals": intervals(group, seed)}
                for name, group in by_type(self.outcomes).items()
            },
            "reasons": reasons(self.outcomes),
            "tokens": tokens(self.outcomes),
            "cost": round(sum(costs), DIGITS) if costs else None,
            "questions_per_second": round(self.asked / self.seconds, 3) if self.seconds else None,
        }


class Interval(NamedTuple):
    """The lower and the upper end."""

    low: float
    high: float


def bootstrap(values: Sequence[Sequence[float]], seed: int = 0, resamples: int = RESAMPLES) -> list[Interval]:
    """Returns the percentile bootstrap interval of the mean of each column.

    Rows are drawn whole, so that columns stay paired.

    Args:
        values: shape (questions, metrics), at least one question; differences, if two runs are compared.
        seed: the seed of the draws.
        resamples: the number of samples.

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


def means(outcomes: Sequence[Outcome], digits: int | None = DIGITS) -> dict[str, float]:
    """Returns the mean of every metric, rounded unless `digits` is None; {} if there is no outcome."""
    if not outcomes:
        return {}
    exact = {name: sum(one.scores[name] for one in outcomes) / len(outcomes) for name in METRICS}
    return exact if digits is None else {name: round(mean, digits) for name, mean in exact.items()}


def intervals(outcomes: Sequence[Outcome], seed: int = 0) -> dict[str, list[float]]:
    """Returns the bootstrap interval of every metric; {} if there is no outcome."""
    if not outcomes:
        return {}
    found = bootstrap([[one.scores[name] for name in METRICS] for one in outcomes], seed)
    return {name: [round(end, DIGITS) for end in each] for name, each in zip(METRICS, found, strict=True)}


def by_type(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Returns the outcomes of each type, the most frequent type first."""
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.type, []).append(one)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def reasons(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Returns the number of outcomes of each class of reasons, in the order of `CLASSES`."""
    counts = Counter(one.reason_class for one in outcomes)
    return {name: counts[name] for name in (*CLASSES, *sorted(counts.keys() - set(CLASSES))) if counts[name]}


def tokens(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Returns the tokens that the LLM took for all outcomes."""
    total: Counter[str] = Counter()
    for one in outcomes:
        total.update(one.tokens)
    return dict(sorted(total.items()))


def table(headline: dict[str, Any]) -> str:
    """Returns the metrics by type, `all` last, and the classes of reasons, as aligned text."""
    groups = {**headline["by_type"], "all": headline}
    width = max(len("reason"), *(len(name) for name in (*groups, *headline["reasons"])))
    lines = [f"{'type':<{width}}  {'n':>6}" + "".join(f"  {name:>11}" for name in METRICS)]
    for name, group in groups.items():
        figures = "".join(f"  {mean:>11.3f}" for mean in group["metrics"].values())
        lines.append(f"{name:<{width}}  {group['n']:>6}{figures}")
    ends = "".join(f"  {f'{low:.3f}-{high:.3f}':>11}" for low, high in headline["intervals"].values())
    lines += [f"{f'{LEVEL:.0%} interval':<{width}}  {'':>6}{ends}", ""] if ends else [""]
    lines += [f"{name:<{width}}  {count:>6}" for name, count in headline["reasons"].items()]
    return "\n".join(lines)
