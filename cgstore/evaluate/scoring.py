"""Scores an answer against the gold answers.

Every function takes the gold answers and the given ones as texts or numbers. The functions compare sets, so order
matters only where a docstring says "first". Two values are the same if their texts are, without case and outer blanks,
or if both read as the same number: `1,000` is 1000, and 5.0 is `5`.

The functions `accepted_...` are the scorers of TrustUQA's published evaluation. They compare letter by letter; in
places they are looser than denotation accuracy, and in places stricter. Reports have them as `accepted`, so that
figures can be compared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cgstore.text.numbers import comparable, denotation, read_number

Value = str | int | float
"""One answer: a text as in the source, or a computed number."""

Scorer = Callable[[Sequence[str], Sequence[Value]], float]
"""Gold answers, given answers -> 0 to 1."""

CLOSE = 1e-9
"""The share by which two equal computed numbers may differ, since sums have no fixed order."""


def accuracy(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Denotation accuracy: whether both lists denote the same set. Two empty lists do."""
    return denotation(gold) == denotation(answer)


def exact_match(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Whether the two sets of texts are equal letter by letter; a whole float is written without `.0`."""
    return {_text(value) for value in gold} == {_text(value) for value in answer}


def hits_at_1(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Whether the first answer is a gold answer."""
    return bool(answer) and comparable(answer[0]) in denotation(gold)


def f1(gold: Sequence[Value], answer: Sequence[Value]) -> float:
    """The harmonic mean of precision and recall, from 0 to 1. Two empty sets give 1."""
    wanted, given = denotation(gold), denotation(answer)
    return 2 * len(wanted & given) / (len(wanted) + len(given)) if wanted or given else 1.0


def covers(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Whether every gold answer is among the answers."""
    return denotation(gold) <= denotation(answer)


def accepted(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """CronQuestions: the first answer, without a final `.0`, is a gold answer."""
    return bool(answer) and str(answer[0]).removesuffix(".0") in {_text(value) for value in gold}


def accepted_first(gold: Sequence[str], answer: Sequence[Value]) -> bool:
    """MetaQA: the first answer is a gold answer."""
    return bool(answer) and str(answer[0]) in gold


def accepted_all(gold: Sequence[str], answer: Sequence[Value]) -> bool:
    """WebQSP: every gold answer is among the answers. A question without gold answers is accepted."""
    return set(gold) <= {str(value) for value in answer}


def accepted_table(gold: Sequence[str], answer: Sequence[Value]) -> bool:
    """Tables: both sides have the same normalised texts, each as often, and numbers by value.

    Each gold answer is split at its commas. The given answers are joined by commas and then split. Therefore several
    whole numbers become one (`3,4` is 34), which is not accepted.
    """
    if not answer:
        return False
    joined = _normalised(",".join(str(value) for value in answer))
    wanted = [part for value in dict.fromkeys(gold) for part in _without_commas(value).split(",")]
    return _counted(joined.split(",")) == _counted(wanted)


def settled(gold: Sequence[str], answer: Sequence[Value]) -> Sequence[Value]:
    """Returns the gold number in place of a computed one that differs only by rounding; any other answer as it is.

    A duration that says its unit is the gold number that says none.
    """
    if len(gold) == len(answer) == 1:
        said = _DURATION.fullmatch(str(answer[0]))
        given = float(said[1]) if said else answer[0]
        number = read_number(gold[0])
        if number is not None and not isinstance(given, str) and math.isclose(number, given, rel_tol=CLOSE):
            return gold
    return answer


_DURATION = re.compile(r"(\d+) (?:years?|months?|days?)")

METRICS: dict[str, Scorer] = {
    "accepted": accepted,
    "accuracy": accuracy,
    "hits_at_1": hits_at_1,
    "f1": f1,
    "exact_match": exact_match,
}
"""The metrics of every report, by their names in its JSON."""


@dataclass(frozen=True)
class Judge:
    """How a benchmark judges answers.

    Args:
        accepted: the benchmark's scorer in the reference.
        judged_by: the metrics of which any makes an answer right.
        accuracy: the benchmark's own denotation accuracy, which takes canonical forms of the gold answers too.
    """

    accepted: Scorer = accepted
    judged_by: tuple[str, ...] = ("accuracy",)
    accuracy: Callable[[Sequence[str], Sequence[Value], Sequence[str]], bool] | None = None

    def scores(self, gold: Sequence[str], answer: Sequence[Value], canonical: Sequence[str] = ()) -> dict[str, float]:
        """Returns every metric, from 0 to 1."""
        scores = {name: float(metric(gold, answer)) for name, metric in (METRICS | {"accepted": self.accepted}).items()}
        return scores | {"accuracy": float(self.accuracy(gold, answer, canonical))} if self.accuracy else scores

    def is_right(self, scores: dict[str, float]) -> bool:
        """Whether an answer with these scores is right."""
        return any(scores[name] for name in self.judged_by)


def _text(value: Value) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _counted(texts: Iterable[str]) -> Counter[str | float]:
    return Counter(_value(_normalised(text).replace(" ", "")) for text in texts)


def _normalised(text: str) -> str:
    plain = text.replace("\xa0", " ").lower().strip().strip(".").strip("'").strip('"').strip()
    return _without_commas(plain.removesuffix(".0"))


def _without_commas(text: str) -> str:
    digits = text.replace(",", "")
    return digits if digits.isnumeric() else text


def _value(text: str) -> str | float:
    try:
        number = float(text)
    except ValueError:
        return text
    return text if math.isnan(number) else number
