"""How right an answer is: pure functions over lists of answers.

Every function takes the gold answers and the given ones as sequences of texts or numbers, and is a set measure: order
counts only where "first" is said, repeats never. Except in `accepted`, two values are the same when their texts are,
after stripping blanks and ignoring case, or when both read as the same number: `1,000` is 1000 and 5.0 is `5`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.text.numbers import denotation, denoted

Value = str | int | float
"""One answer: a text as in the source, or a number where it was computed."""


def accuracy(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Denotation accuracy: both denote the same set of values. Two empty lists do."""
    return denotation(gold) == denotation(answer)


def exact_match(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Whether the two sets of texts are equal letter by letter; only a whole float drops its `.0`."""
    return {_text(value) for value in gold} == {_text(value) for value in answer}


def hits_at_1(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Whether the first answer is one of the gold answers; no answer is no hit."""
    return bool(answer) and denoted(answer[0]) in denotation(gold)


def f1(gold: Sequence[Value], answer: Sequence[Value]) -> float:
    """The harmonic mean of precision and recall of the two sets, from 0 to 1; two empty sets give 1."""
    wanted, given = denotation(gold), denotation(answer)
    if not wanted and not given:
        return 1.0
    return 2 * len(wanted & given) / (len(wanted) + len(given))


def covers(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """Whether every gold answer is among the answers; there may be others."""
    return denotation(gold) <= denotation(answer)


def accepted(gold: Sequence[Value], answer: Sequence[Value]) -> bool:
    """The reference's own score for CronQuestions: the first answer, without a final `.0`, is in the gold.

    It compares letter by letter (TrustUQA's scorer; language page, section 10), and does not look at the other answers.
    """
    return bool(answer) and str(answer[0]).removesuffix(".0") in {_text(value) for value in gold}


def _text(value: Value) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
