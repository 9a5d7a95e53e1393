"""The reference's own scorers, those of TrustUQA's published evaluation (language page, section 10).

They are looser than denotation accuracy in places and stricter in others; reports have them as `accepted`, so that
figures can be compared. That of CronQuestions is `cgstore.evaluate.metrics.accepted`. `settled` is not theirs: it takes
the rounding out of a computed answer before anything is compared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from cgstore.evaluate.metrics import Value
from cgstore.text.numbers import read_number

CLOSE = 1e-9
"""Two computed numbers are the same if they differ by this share of the greater at most: sums have no fixed order."""


def accepted_first(gold: Sequence[str], answer: Sequence[Value]) -> bool:
    """MetaQA: the first answer is in the gold, letter by letter; the others are not looked at."""
    return bool(answer) and str(answer[0]) in gold


def accepted_all(gold: Sequence[str], answer: Sequence[Value]) -> bool:
    """WebQSP: every gold answer is among the answers, letter by letter; a question without gold is accepted."""
    return set(gold) <= {str(value) for value in answer}


def accepted_table(gold: Sequence[str], answer: Sequence[Value]) -> bool:
    """Tables: the same normalised texts, each as often, numbers by value.

    Either side is split at commas: the gold value by value, the answer after its values were joined by commas. So
    several whole numbers as an answer become one (`3,4` is 34), and are not accepted.
    """
    if not answer:
        return False
    joined = _normalised(",".join(str(value) for value in answer))
    wanted = [part for value in dict.fromkeys(gold) for part in _split(value)]
    return _counted(joined.split(",")) == _counted(wanted)


def settled(gold: tuple[str, ...], answer: tuple[Value, ...]) -> tuple[Value, ...]:
    """The gold number for a computed one that is the same but for rounding; any other answer as it is."""
    if len(gold) == len(answer) == 1 and isinstance(answer[0], int | float):
        number = read_number(gold[0])
        if number is not None and math.isclose(number, answer[0], rel_tol=CLOSE):
            return gold
    return answer


def _split(gold: str) -> list[str]:
    return _without_commas(gold).split(",")


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
