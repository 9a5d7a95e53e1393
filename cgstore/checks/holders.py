"""Who holds what at a time: the facts of one head, or of one tail, under a relation, in the order of their times.

The holder is the head of tails, or the tail of heads: a person has offices, and an office has persons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import TypeVar

from cgstore.checks.report import SHOWN
from cgstore.checks.stage import CheckStage, Period

LISTED = 20
"""Overlaps, and gaps, that are kept of one holder."""

T = TypeVar("T")


class Side(StrEnum):
    """Which side has one at a time: the tails of a head, or the heads of a tail."""

    TAIL = "tail"
    HEAD = "head"

    @property
    def other(self) -> Side:
        """The side that holds."""
        return Side.HEAD if self is Side.TAIL else Side.TAIL


@dataclass
class Overlap:
    """Facts that hold one beside the other, without a time between them at which one ends before the next begins.

    Args:
        facts: the first `SHOWN` of them, in the order of their times.
        misfit: the longest of those that must go so that none overlaps another.
        lo, hi: the first and the last time at which several hold.
        count: how many facts there are.
        is_contradiction: whether they are of different tails, or heads.
    """

    facts: list[Period]
    misfit: Period | None = None
    lo: int = 0
    hi: int = -1
    count: int = 1
    is_contradiction: bool = False

    @property
    def length(self) -> int:
        """How long several hold."""
        return self.hi - self.lo + 1


@dataclass
class Holder:
    """A head with its tails under a relation, or a tail with its heads, and how they follow one another.

    Args:
        changes: how often another one follows without an overlap; `touches` of them begin when the one before ends.
        clashes: how many facts must go so that none overlaps another.
        gaps: how many times there are at which nothing holds, between the first fact and the last.
        filled: the share of the time from the first fact to the last at which one holds.
        overlaps, holes: the longest of them; a hole is between two facts.
    """

    relation: str
    side: Side
    name: str
    changes: int = 0
    touches: int = 0
    clashes: int = 0
    gaps: int = 0
    filled: float = 1.0
    overlap_count: int = 0
    overlaps: list[Overlap] = field(default_factory=list)
    holes: list[tuple[Period, Period]] = field(default_factory=list)

    @property
    def has_several(self) -> bool:
        """Whether it ever had more than one."""
        return self.changes + self.clashes > 0


def holders(stage: CheckStage, side: Side, tick: Callable[[int], object]) -> Iterator[Holder]:
    """All holders of all relations, by relation; `tick` is called with the facts that were read.

    Facts that end before they start hold at no time.
    """
    order = f"relation, {side.other}, lo, hi, {side}"
    periods = stage.periods(order)
    for (relation, name), facts in groupby(periods, lambda fact: (fact.relation, getattr(fact, side.other))):
        holder = Holder(relation, side, name)
        _Sweep(holder).run(facts, tick)
        yield holder


class _Sweep:
    """Goes once over the facts of a holder, sorted by their times.

    `reach` is the fact that lasts longest so far, and `beside` the one that lasts longest of all others. `kept` is the
    last one of a longest row of facts that do not overlap: of two that do, the one that ends first stays.
    """

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.side = str(holder.side)
        self.reach: Period | None = None
        self.beside: Period | None = None
        self.kept: Period | None = None
        self.cluster: Overlap | None = None

    def run(self, facts: Iterable[Period], tick: Callable[[int], object]) -> None:
        begin = covered = count = 0
        for fact in facts:
            count += 1
            reach = self.reach
            begin = fact.lo if reach is None else begin
            covered += max(0, fact.hi - (fact.lo - 1 if reach is None else max(reach.hi, fact.lo - 1)))
            self._follow(fact)
            self._cluster(fact)
            self._extend(fact)
        self._end_cluster()
        if self.reach is not None:
            self.holder.filled = covered / (self.reach.hi - begin + 1)
        tick(count)

    def _same(self, one: Period, other: Period) -> bool:
        return bool(getattr(one, self.side) == getattr(other, self.side))

    def _follow(self, fact: Period) -> None:
        """Counts a change, a clash or a gap."""
        kept, reach, holder = self.kept, self.reach, self.holder
        if kept is None or reach is None:
            self.kept = fact
            return
        if fact.lo > reach.hi + 1:
            holder.gaps += 1
            _keep_longest(holder.holes, (reach, fact), lambda hole: hole[1].lo - hole[0].hi)
        if self._same(kept, fact):
            self.kept = max(kept, fact, key=lambda one: one.hi)
        elif overlap(kept, fact):
            holder.clashes += 1
            self.kept = min(kept, fact, key=lambda one: one.hi)
            misfit = fact if self.kept is kept else kept
            if self.cluster is not None:
                self.cluster.misfit = max(self.cluster.misfit or misfit, misfit, key=lambda one: one.hi - one.lo)
        else:
            holder.changes += 1
            holder.touches += kept.hi == fact.lo
            self.kept = fact

    def _cluster(self, fact: Period) -> None:
        """Adds the fact to those beside which it holds, or begins with it."""
        reach, cluster = self.reach, self.cluster
        if cluster is None or reach is None or not overlap(reach, fact):
            self._end_cluster()
            self.cluster = Overlap([fact])
            return
        cluster.count += 1
        if len(cluster.facts) < SHOWN:
            cluster.facts.append(fact)
        longest = self.beside if self._same(reach, fact) else reach
        if longest is not None and overlap(longest, fact):
            cluster.lo = cluster.lo if cluster.is_contradiction else fact.lo
            cluster.hi = max(cluster.hi if cluster.is_contradiction else fact.lo, min(longest.hi, fact.hi))
            cluster.is_contradiction = True

    def _end_cluster(self) -> None:
        if self.cluster is not None and self.cluster.is_contradiction:
            self.holder.overlap_count += 1
            _keep_longest(self.holder.overlaps, self.cluster, lambda one: one.length)

    def _extend(self, fact: Period) -> None:
        if self.reach is None or fact.hi > self.reach.hi:
            if self.reach is not None and not self._same(self.reach, fact):
                self.beside = self.reach
            self.reach = fact
        elif not self._same(self.reach, fact) and (self.beside is None or fact.hi > self.beside.hi):
            self.beside = fact


def overlap(one: Period, other: Period) -> bool:
    """Whether two facts, of which the first does not begin later, hold beside each other.

    A fact that begins at the time at which the other one ends does not: that is how people write a change.
    """
    return other.lo < one.hi or one.lo == one.hi == other.lo == other.hi


def _keep_longest(kept: list[T], one: T, length: Callable[[T], int]) -> None:
    """Adds one to those that are kept, and drops the shortest where they are too many."""
    kept.append(one)
    if len(kept) > LISTED:
        kept.remove(min(kept, key=length))
