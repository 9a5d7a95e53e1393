"""The figures of a run, by type and over all questions, how far the means may be off, and two runs compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.errors import BadInput
from cgstore.evaluate.calibration import calibration, calibration_lines
from cgstore.evaluate.outcome import CLASSES, Outcome, read_outcomes
from cgstore.evaluate.scoring import METRICS
from cgstore.llm.backends.write import DOUBTED
from cgstore.text.tables import table_lines

DIGITS = 6

RESAMPLES = 2_000
"""The number of samples drawn with replacement, each as large as the data."""

VERDICTS = ("right", "refused", "doubtful", "wrong")
"""What becomes of a question: `refused` is no answer where there is one; a note doubts a `doubtful` one."""

LEVEL = 0.95
"""The share of the resampled means within an interval; both ends cut off the same share."""

AT_A_TIME = 4_000_000
"""The number of draws held in memory at a time: 32 MB."""


@dataclass(frozen=True)
class Run:
    """A run that has ended.

    Args:
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
        None if no price is known. `calibration` is None if the backend gives no confidence. `verdicts` are those of
        each type, see `verdicts`.
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
            "verdicts": verdicts(self.outcomes),
            "reasons": reasons(self.outcomes),
            "tokens": tokens(self.outcomes),
            "cost": round(sum(costs), DIGITS) if costs else None,
            "calibration": calibration(self.outcomes),
            "questions_per_second": round(self.asked / self.seconds, 3) if self.seconds else None,
        }


class Interval(NamedTuple):
    """The lower and the upper end."""

    low: float
    high: float


def bootstrap(values: Sequence[Sequence[float]], seed: int = 0, resamples: int = RESAMPLES) -> list[Interval]:
    """Returns the percentile bootstrap interval of the mean of each column, of rows that are drawn whole."""
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
    return _intervals([[one.scores[name] for name in METRICS] for one in outcomes], seed) if outcomes else {}


def _intervals(rows: Sequence[Sequence[float]], seed: int) -> dict[str, list[float]]:
    found = zip(METRICS, bootstrap(rows, seed), strict=True)
    return {name: [round(end, DIGITS) for end in each] for name, each in found}


def by_type(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Returns the outcomes of each type, the most frequent type first."""
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.type, []).append(one)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def verdicts(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """Returns the number of outcomes of each of `VERDICTS` by type, those without a gold answer apart, `all` last."""
    counts: dict[str, Counter[str]] = {}
    for name, group in {**by_type(outcomes), "all": outcomes}.items():
        for one in group:
            counts.setdefault(name if one.gold else f"{name}, no answer", Counter())[_verdict(one)] += 1
    return {name: {verdict: found[verdict] for verdict in VERDICTS} for name, found in counts.items()}


def _verdict(outcome: Outcome) -> str:
    if outcome.correct:
        return "right"
    if not outcome.answer:
        return "refused"
    return "doubtful" if any(note.startswith(DOUBTED) for note in outcome.warnings) else "wrong"


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
    """Returns the metrics by type, `all` last, the verdicts, and the classes of reasons, as aligned text."""
    groups = {**headline["by_type"], "all": headline}
    rows = [[name, str(of["n"]), *(f"{mean:.3f}" for mean in of["metrics"].values())] for name, of in groups.items()]
    if headline["intervals"]:
        ends = (f"{low:.3f}-{high:.3f}" for low, high in headline["intervals"].values())
        rows.append([f"{LEVEL:.0%} interval", "", *ends])
    said = [[name, str(sum(of.values())), *map(str, of.values())] for name, of in headline["verdicts"].items()]
    why = [(name, str(count)) for name, count in headline["reasons"].items()]
    blocks = [
        table_lines(("type", "n", *METRICS), rows, right=("n", *METRICS)),
        table_lines(("verdict", "n", *VERDICTS), said, right=("n", *VERDICTS)),
        table_lines(("reason", "n"), why, right=("n",)),
        calibration_lines(headline["calibration"]) if headline.get("calibration") else [],
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


# Two runs ------------------------------------------------------------------------------------------------------------


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
        before, after = means(first), means(second)
        rows = [[b.scores[name] - a.scores[name] for name in METRICS] for a, b in self.pairs]
        return {
            "n": len(self.pairs),
            "only_in_first": self.only[0],
            "only_in_second": self.only[1],
            "first": before,
            "second": after,
            "difference": {name: round(after[name] - before[name], DIGITS) for name in METRICS},
            "intervals": _intervals(rows, seed),
            "level": LEVEL,
            "resamples": RESAMPLES,
            "right_to_wrong": len(self.lost),
            "wrong_to_right": len(self.gained),
            "tokens": {"first": tokens(first), "second": tokens(second)},
        }


def compare_files(first: Path, second: Path) -> Comparison:
    """Compares two files of outcomes, question by question; raises BadInput if they are not of the same questions."""
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
    rows = [
        (
            name,
            f"{figures['first'][name]:.3f}",
            f"{figures['second'][name]:.3f}",
            f"{figures['difference'][name]:+.3f}",
            "{:+.3f} to {:+.3f}".format(*figures["intervals"][name]),
        )
        for name in METRICS
    ]
    numbers = ("first", "second", "difference")
    return "\n".join(table_lines(("measure", *numbers, f"{LEVEL:.0%} interval"), rows, right=numbers))


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
