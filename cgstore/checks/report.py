"""The findings of a check: what contradicts itself, why it is taken for a contradiction, and what would mend it."""

from __future__ import annotations

import heapq
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

LIMIT = 20
"""Findings of a kind that are listed by default."""

SHOWN = 6
"""Facts that are listed of one finding."""


class FindingKind(StrEnum):
    """What a finding is about."""

    SEVERAL = "several at a time"
    INVERTED = "ends before it starts"
    GAP = "gap"
    NAMES = "names that are alike"
    ROWS = "equal rows"
    KEY = "repeated key"
    VALUES = "values of another kind"


@dataclass(frozen=True)
class Finding:
    """One contradiction, or what looks like one.

    Args:
        relation: the relation or column; empty where it is about several.
        text: what is wrong, in a sentence.
        facts: the facts that contradict each other, as people read them: the first ones of many.
        more: how many further facts there are.
        because: why it is taken for a contradiction; empty where that goes without saying.
        next: commands of which one would mend it, or what else to do.
    """

    kind: FindingKind
    relation: str
    text: str
    facts: tuple[str, ...] = ()
    more: int = 0
    because: str = ""
    next: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckReport:
    """What a check found.

    Args:
        facts: how many facts were read; of temporal ones, each period is one.
        findings: the findings of each kind, most serious first, and no more than were asked for.
        counts: how many findings of each kind there are, for those of which there are any.
        rules: which relations are taken to have one tail, or one head, at a time, and why.
        notes: what is common and no contradiction.
    """

    source: str
    kind: str
    facts: int
    findings: tuple[Finding, ...]
    counts: dict[str, int]
    rules: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<CheckReport: '{self.source}', {self.count:,} findings>"

    def __str__(self) -> str:
        found = ", ".join(f"{kind}: {number:,}" for kind, number in self.counts.items())
        return f"'{self.source}': {found or 'nothing found'}"

    @property
    def count(self) -> int:
        """The number of findings, with those that are not listed."""
        return sum(self.counts.values())


class Findings:
    """Collects findings of one kind: counts all, and keeps the most serious."""

    def __init__(self, limit: int) -> None:
        self.count = 0
        self._limit = limit
        self._kept: list[tuple[float, int, Finding]] = []
        self._places = count(0, -1)  # of equally grave ones, the first ones stay

    def add(self, weight: float, make: Callable[[], Finding]) -> None:
        """Counts a finding, which is made if it is kept."""
        self.count += 1
        place = next(self._places)
        if len(self._kept) < self._limit:
            heapq.heappush(self._kept, (weight, place, make()))
        elif self._kept and (weight, place) > self._kept[0][:2]:
            heapq.heapreplace(self._kept, (weight, place, make()))

    def listed(self) -> list[Finding]:
        """Returns the findings that were kept, most serious first."""
        return [finding for *_, finding in sorted(self._kept, key=lambda kept: kept[:2], reverse=True)]


def command(what: str, names: Iterable[str], **options: str) -> str:
    """A command of `cgstore facts` as one types it: `cgstore facts remove world 'Marie Curie' spouse 'Pierre Curie'`"""
    new = "new-" if what == "correct" else ""
    words, given = list(names), [word for name, value in options.items() for word in (f"--{new}{name}", value)]
    # A name that begins with a dash would be taken for an option.
    tail = [*given, "--", *words] if any(word.startswith("-") for word in words) else [*words, *given]
    return shlex.join(["cgstore", "facts", what, *tail])
