"""Self-consistency: of several programs for one question, the answer that most of them give (TrustUQA, section 3.4).

What is counted are denotations, not texts: two programs that give the same values agree, however they are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.llm.backend import Tried
from cgstore.text.numbers import denotation


@dataclass(frozen=True)
class Vote:
    """The program whose answer most agree on, and how many of how many do; programs without an answer do not vote."""

    chosen: Tried
    votes: int
    of: int


def vote(tried: Sequence[Tried], of: int | None = None) -> Vote | None:
    """Counts the answers; of equals the one that was given first. None where no program answered.

    Args:
        tried: the programs that may vote, equal ones as often as they were written.
        of: how many were written; None: these.
    """
    votes: dict[frozenset[str | float], list[Tried]] = {}
    for one in tried:
        if one.answer and one.answered:
            votes.setdefault(denotation(one.answer.answer), []).append(one)
    if not votes:
        return None
    most = max(votes.values(), key=len)
    return Vote(most[0], len(most), len(tried) if of is None else of)
