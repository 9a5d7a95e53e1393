"""What a run came to: the figures of its last line, over all questions and by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cgstore.evaluate.asked import CLASSES, Asked
from cgstore.evaluate.intervals import LEVEL, RESAMPLES, bootstrap
from cgstore.evaluate.report import METRICS

DIGITS = 6


@dataclass(frozen=True)
class Run:
    """A run to be summed up: what was asked, what came, and what is still to come.

    `outcomes` are those of this run and of the runs that it goes on from; `asked` counts this run's, and `seconds` is
    its wall time. `drawn` counts the questions that were to be asked, `waiting` those without a reply of the LLM yet,
    `unreachable` those drawn whose gold answers no program can give, `without_gold` those of the file that were left
    out.
    """

    benchmark: str
    set: str
    outcomes: Sequence[Asked]
    drawn: int
    asked: int = 0
    seconds: float = 0.0
    waiting: int = 0
    unreachable: int = 0
    without_gold: int = 0
    llm: str = ""

    def headline(self, seed: int = 0) -> dict[str, Any]:
        """The last line of the command.

        `metrics` and `intervals` are fractions; `ceiling` is the share of the drawn questions that can be right.
        `seconds` and `questions_per_second` are this run's, the other figures those of all outcomes. `cost` is None
        where no price is known.
        """
        costs = [one.cost for one in self.outcomes if one.cost is not None]
        return {
            "benchmark": self.benchmark,
            "set": self.set,
            "n": len(self.outcomes),
            "metrics": means(self.outcomes),
            "seconds": round(self.seconds, 3),
            "statements": sum(one.statements for one in self.outcomes),
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


def means(outcomes: Sequence[Asked]) -> dict[str, float]:
    """The mean of every measure; none where there is no outcome."""
    count = len(outcomes)
    return {name: round(sum(one.scores[name] for one in outcomes) / count, DIGITS) for name in METRICS} if count else {}


def intervals(outcomes: Sequence[Asked], seed: int = 0) -> dict[str, list[float]]:
    """The bootstrap interval of the mean of every measure; none where there is no outcome."""
    if not outcomes:
        return {}
    rows = [[one.scores[name] for name in METRICS] for one in outcomes]
    found = bootstrap(rows, seed)
    return {name: [round(end, DIGITS) for end in each] for name, each in zip(METRICS, found, strict=True)}


def by_type(outcomes: Sequence[Asked]) -> dict[str, list[Asked]]:
    """The outcomes of each type, the most frequent type first."""
    counts = Counter(one.type for one in outcomes)
    groups: dict[str, list[Asked]] = {name: [] for name, _ in sorted(counts.items(), key=lambda e: (-e[1], e[0]))}
    for one in outcomes:
        groups[one.type].append(one)
    return groups


def reasons(outcomes: Sequence[Asked]) -> dict[str, int]:
    """How many outcomes each class of reasons has, in the order of `CLASSES`."""
    counts = Counter(one.reason_class for one in outcomes)
    order = [*CLASSES, *sorted(counts.keys() - set(CLASSES))]
    return {name: counts[name] for name in order if counts[name]}


def tokens(outcomes: Sequence[Asked]) -> dict[str, int]:
    """What the LLM took for all of them."""
    total: Counter[str] = Counter()
    for one in outcomes:
        total.update(one.tokens)
    return dict(sorted(total.items()))


def table(headline: dict[str, Any]) -> str:
    """The measures by type, `all` last, and the classes of reasons, as aligned text."""
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
