"""Learns the confidence in answers about graphs without an LLM (`cgstore/llm/backends/rewrite/confidence.py`).

    python -m benchmarks.graph_weights answers.jsonl --out cgstore/llm/backends/rewrite/confidence.json

The answers are those that `benchmarks.graph_answers` recorded. A logistic model with weights drawn to 0 is fitted to
all of them. What it is worth over a graph that it was not learnt from is measured by leaving out one origin of
questions after the other: the tables show these confidences, and not those of the model that is written.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from cgstore.llm.backends import Attempt, Decision, Proposal
from cgstore.llm.backends.rewrite.confidence import Basis, Properties, Trust, properties
from cgstore.model import Answer

DECAY = 20.0
"""How strongly weights are drawn to 0, but for `always`: with less, origins that were left out fared worse."""

STEPS = 50

BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01)

Array = np.ndarray


@dataclass(frozen=True)
class Judged:
    """An answer by its properties, and whether it is right."""

    found: Properties
    right: bool
    origin: str
    record: dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--doubtful", type=float, default=0.75)
    parser.add_argument("--decay", type=float, default=DECAY)
    parser.add_argument("--show", type=float, default=0.0, help="show wrong answers from this confidence on")
    given = parser.parse_args()
    records = [json.loads(line) for path in given.answers for line in path.read_text("utf-8").splitlines()]
    _counts(records)
    every = [judged(record) for record in records if "program" in record]
    held_out = list(left_out(every, given.decay))
    report(held_out, records)
    for one, sure in held_out:
        if given.show and not one.right and sure >= given.show:
            print(f"{sure:.2f} {one.record['set']}: {one.record['text']}\n    {one.record['program']!r}")
    weights = learn(every, given.decay)
    print("\n".join(f"  {name:<28}{weight:>8.3f}" for name, weight in sorted(weights.items())))
    if given.out:
        given.out.write_text(json.dumps(_shipped(weights, records, held_out, given), indent=1) + "\n", "utf-8")


def judged(record: dict[str, Any]) -> Judged:
    """The properties of a recorded answer."""
    values = ("no",) if record["no"] else tuple(map(str, range(record["answers"])))
    attempt = Attempt(record["program"], Answer(values, record["program"]))
    decision = Decision(attempt, attempts=(attempt,), warnings=tuple(record["warnings"]))
    proposals = [
        Proposal(program, score, "", way=way, guesses=frozenset(guesses))
        for program, score, way, guesses in record["proposals"]
    ]
    basis = Basis(record["question"], record["has_times"], proposals, record["put_right"])
    return Judged(properties(decision, basis), record["right"], record["origin"], record)


def learn(every: Sequence[Judged], decay: float) -> dict[str, float]:
    """The weights that make the outcomes likely, by Newton's method.

    Each origin counts as the root of its number of answers: the largest must not decide alone.
    """
    names = sorted({name for one in every for name in one.found})
    x = np.array([[one.found.get(name, 0.0) for name in names] for one in every])
    y = np.array([one.right for one in every], float)
    sizes = Counter(one.origin for one in every)
    share = np.array([sizes[one.origin] ** -0.5 for one in every])
    share *= len(every) / share.sum()
    penalty = np.array([0.01 if name == "always" else decay for name in names])
    weights = np.zeros(len(names))
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (share * (y - p)) - penalty * weights
        hessian = (x * (share * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        weights += np.linalg.solve(hessian, gradient)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def left_out(every: Sequence[Judged], decay: float) -> Iterator[tuple[Judged, float]]:
    """Each answer with its confidence by a model that was learnt from all other origins."""
    for origin in sorted({one.origin for one in every}):
        trust = Trust(learn([one for one in every if one.origin != origin], decay))
        yield from ((one, trust.confidence(one.found)) for one in every if one.origin == origin)


def report(held_out: Sequence[tuple[Judged, float]], records: Sequence[dict[str, Any]]) -> None:
    """Prints how good the confidences of origins that were left out are, and what a threshold would remove."""
    print(f"{'origin left out':<18}{'asked':>7}{'answers':>9}{'right':>8}{'sure':>8}{'Brier':>8}{'mean':>8}{'AUC':>8}")
    asked = Counter(record["origin"] for record in records)
    for origin in [*sorted({one.origin for one, _ in held_out}), ""]:
        part = [(one, sure) for one, sure in held_out if not origin or one.origin == origin]
        rest = [one.right for one, _ in held_out if one.origin != origin] if origin else [one.right for one, _ in part]
        right = np.array([one.right for one, _ in part], float)
        sure = np.array([each for _, each in part])
        constant = np.mean((np.mean(rest) - right) ** 2)
        print(
            f"{origin or 'all':<18}{asked[origin] if origin else len(records):>7}{len(part):>9}{right.mean():>8.3f}"
            f"{sure.mean():>8.3f}{np.mean((sure - right) ** 2):>8.4f}{constant:>8.4f}{auc(right, sure):>8.3f}"
        )
    print(f"{'confidence':<18}{'answers':>9}{'mean':>8}{'right':>8}")
    for low, high in pairwise(BINS):
        part = [(one, sure) for one, sure in held_out if low <= sure < high]
        if part:
            mean, right = (float(np.mean(each)) for each in zip(*((s, o.right) for o, s in part), strict=True))
            print(f"{low:<18.2f}{len(part):>9}{mean:>8.3f}{right:>8.3f}")
    print(f"{'threshold':<18}{'wrong removed':>15}{'right removed':>15}")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9):
        below = [one.right for one, sure in held_out if sure < least]
        print(f"{least:<18.2f}{len(below) - sum(below):>15}{sum(below):>15}")


def auc(right: Array, sure: Array) -> float:
    """The probability that a right answer is surer than a wrong one."""
    good, bad = sure[right > 0], sure[right == 0]
    if not len(good) or not len(bad):
        return float("nan")
    return float(np.mean((good[:, None] > bad) + 0.5 * (good[:, None] == bad)))


def _counts(records: Sequence[dict[str, Any]]) -> None:
    print(f"{'set':<28}{'asked':>7}{'answers':>9}{'right':>8}")
    for name in dict.fromkeys(record["set"] for record in records):
        own = [record for record in records if record["set"] == name]
        given = [record for record in own if "program" in record]
        print(f"{name:<28}{len(own):>7}{len(given):>9}{sum(record['right'] for record in given):>8}")


def _shipped(
    weights: dict[str, float],
    records: Sequence[dict[str, Any]],
    held_out: Sequence[tuple[Judged, float]],
    given: argparse.Namespace,
) -> dict[str, Any]:
    right = np.array([one.right for one, _ in held_out], float)
    sure = np.array([each for _, each in held_out])
    answers = Counter(one.origin for one, _ in held_out)
    return {
        "about": "Weights of the properties on which the confidence in an answer about a graph depends.",
        "made_by": "python -m benchmarks.graph_weights",
        "learnt_from": {origin: answers[origin] for origin in sorted(answers)},
        "questions": len(records),
        "origins_left_out": {
            "right": round(float(right.mean()), 3),
            "mean confidence": round(float(sure.mean()), 3),
            "Brier": round(float(np.mean((sure - right) ** 2)), 4),
        },
        "doubtful": given.doubtful,
        "weights": weights,
    }


if __name__ == "__main__":
    main()
