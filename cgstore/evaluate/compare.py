"""Compares two runs over the same questions: the metrics side by side, and the questions that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.evaluate.outcome import Outcome
from cgstore.evaluate.outcomes_file import read_outcomes
from cgstore.evaluate.scoring import METRICS
from cgstore.evaluate.summary import DIGITS, LEVEL, RESAMPLES, bootstrap, means, tokens

Pair = tuple[Outcome, Outcome]


@dataclass(frozen=True)
class Comparison:
    """Two runs: `pairs` has the questions of both, in the order of the first; `only` counts those of one run alone."""

    pairs: Sequence[Pair]
    only: tuple[int, int]

    @property
    def lost(self) -> list[Pair]:
        """The questions that were right and now are wrong."""
        return [(a, b) for a, b in self.pairs if a.correct and not b.correct]

    @property
    def gained(self) -> list[Pair]:
        """The questions that were wrong and now are right."""
        return [(a, b) for a, b in self.pairs if b.correct and not a.correct]

    def to_json(self, seed: int = 0) -> dict[str, Any]:
        """Returns the figures of the questions of both runs; `intervals` are those of the differences."""
        first, second = [a for a, _ in self.pairs], [b for _, b in self.pairs]
        rows = [[b.scores[name] - a.scores[name] for name in METRICS] for a, b in self.pairs]
        before, after = means(first), means(second)
        found = dict(zip(METRICS, bootstrap(rows, seed), strict=True))
        return {
            "n": len(self.pairs),
            "only_in_first": self.only[0],
            "only_in_second": self.only[1],
            "first": before,
            "second": after,
            "difference": {name: round(after[name] - before[name], DIGITS) for name in METRICS},
            "intervals": {name: [round(end, DIGITS) for end in each] for name, each in found.items()},
            "level": LEVEL,
            "resamples": RESAMPLES,
            "right_to_wrong": len(self.lost),
            "wrong_to_right": len(self.gained),
            "tokens": {"first": tokens(first), "second": tokens(second)},
        }


def compare(first: Path, second: Path) -> Comparison:
    """Compares two files of outcomes, question by question.

    Raises:
        BadInput: a file cannot be read, the files have no question in common, or a question differs.
    """
    before, after = ({one.id: one for one in read_outcomes(path)} for path in (first, second))
    pairs = [(one, after[one.id]) for one in before.values() if one.id in after]
    if not pairs:
        raise BadInput(f"{first.name} and {second.name} have no question in common.", "Are they of one benchmark?")
    for a, b in pairs:
        if (a.question, set(a.gold)) != (b.question, set(b.gold)):
            raise BadInput(
                f"Question {a.id} differs between {first.name} and {second.name}.", "Are they of one benchmark?"
            )
    return Comparison(pairs, (len(before) - len(pairs), len(after) - len(pairs)))


def comparison_table(figures: dict[str, Any]) -> str:
    """Returns the metrics side by side, with the difference and its interval, as aligned text."""
    lines = [f"{'measure':<12}  {'first':>7}  {'second':>7}  {'difference':>10}  {LEVEL:.0%} interval"]
    for name in METRICS:
        low, high = figures["intervals"][name]
        lines.append(
            f"{name:<12}  {figures['first'][name]:>7.3f}  {figures['second'][name]:>7.3f}  "
            f"{figures['difference'][name]:>+10.3f}  {low:+.3f} to {high:+.3f}"
        )
    return "\n".join(lines)


def changes_text(title: str, pairs: Sequence[Pair]) -> str:
    """Returns the questions that changed, each with both answers and programs."""
    parts = [f"{title}: {len(pairs):,}"]
    for a, b in pairs:
        parts.append(f"  {a.id}: {a.question}\n    gold: {_shown(a.gold)}")
        parts += [f"    {name}: {_shown(one.answer)}\n{_indented(one)}" for name, one in (("first", a), ("second", b))]
    return "\n".join(parts)


def _indented(one: Outcome) -> str:
    return "\n".join(f"      {line}" for line in (one.program or one.reason).strip().splitlines())


def _shown(values: Sequence[object], most: int = 5) -> str:
    more = f" and {len(values) - most:,} more" if len(values) > most else ""
    return (", ".join(map(str, values[:most])) or "nothing") + more
