"""What contradicts itself in times: several at a time where one is held, facts that end before they start, and gaps.

Most relations may have any number of tails at a time (`member of`), and some have one (`head of government`). The data
show which: a relation has one at a time if its holders nearly always change without an overlap. Facts of single days or
years hardly ever overlap, whatever they mean, so that the facts must also fill most of the time from first to last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from cgstore.checks.holders import Holder, Overlap, Side, holders
from cgstore.checks.report import Finding, FindingKind, Findings, command
from cgstore.checks.stage import CheckStage, Period

SHARE = 0.95
"""Share of the changes without an overlap, at least, where one is held at a time."""

CHANGES = 20
"""Changes, at least, that show whether one is held at a time."""

FILLED = 0.5
"""Share of the time from the first fact to the last, at least, at which one of them holds."""

ONLY, HEADS = 0.99, 100
"""Share of the heads, at least, that have only one tail at all, where one is held; and the heads that show it."""

SEAMLESS = 0.8
"""Share of the changes, at least, without a gap, where a gap is worth a look."""

Given = Mapping[Side, Collection[str]]
"""The relations of which a user says that they have one tail, or one head, at a time."""


class _Verdict(NamedTuple):
    """That one is held at a time: why, and whether a gap between two of them is worth a look."""

    why: str
    has_few_gaps: bool


@dataclass
class _Tally:
    """What the holders of a relation show; or one of them alone."""

    holders: int = 0
    several: int = 0
    changes: int = 0
    clashes: int = 0
    gaps: int = 0
    filled: float = 0.0

    def add(self, holder: Holder) -> None:
        self.holders += 1
        if holder.has_several:
            self.several += 1
            self.changes += holder.changes
            self.clashes += holder.clashes
            self.gaps += holder.gaps
            self.filled += holder.filled

    @property
    def holds_one_at_a_time(self) -> bool:
        together = self.changes + self.clashes
        return together >= CHANGES and self.changes >= SHARE * together and self.filled >= FILLED * self.several

    @property
    def holds_only_one(self) -> bool:
        return self.holders >= HEADS and 0 < self.several <= (1 - ONLY) * self.holders

    @property
    def has_few_gaps(self) -> bool:
        return self.changes >= CHANGES and self.gaps <= (1 - SEAMLESS) * self.changes


@dataclass
class TimeCheck:
    """Finds contradictions in the times of a source."""

    stage: CheckStage
    source: str
    has_times: bool
    given: Given
    limit: int
    tick: Callable[[int], object]
    rules: list[str] = field(default_factory=list)
    touches: int = 0

    def run(self) -> dict[FindingKind, Findings]:
        """The findings by kind."""
        several, gaps = Findings(self.limit), Findings(self.limit)
        for side in Side:
            verdicts = self._verdicts(side)
            for holder in holders(self.stage, side, self.tick):
                verdict = verdicts.get(holder.relation) or self._own_verdict(holder)
                if verdict is not None:
                    self._judge(holder, verdict, several, gaps)
        return {FindingKind.SEVERAL: several, FindingKind.INVERTED: self._inverted(), FindingKind.GAP: gaps}

    def _verdicts(self, side: Side) -> dict[str, _Verdict]:
        """The relations of which one is held at a time."""
        tallies: dict[str, _Tally] = {}
        for holder in holders(self.stage, side, self.tick):
            tallies.setdefault(holder.relation, _Tally()).add(holder)
        verdicts = {}
        for relation, tally in tallies.items():
            if why := self._reason(relation, side, tally):
                verdicts[relation] = _Verdict(why, tally.has_few_gaps)
                at_a_time = " at a time" if self.has_times else ""
                self.rules.append(f"'{relation}' has one {side} for each {side.other}{at_a_time}: {why}.")
        return verdicts

    def _reason(self, relation: str, side: Side, tally: _Tally) -> str:
        """Why a relation is taken to hold one; empty where it is not."""
        if relation in self.given[side]:
            return "as you say"
        if self.has_times and tally.holds_one_at_a_time:
            together = tally.changes + tally.clashes
            return f"of {together:,} changes, {tally.changes:,} come without an overlap"
        if side is Side.TAIL and tally.holds_only_one:
            return f"of {tally.holders:,} heads, {tally.holders - tally.several:,} have only one"
        return ""

    def _own_verdict(self, holder: Holder) -> _Verdict | None:
        """Whether the changes of one holder show by themselves that it has one at a time."""
        tally = _Tally()
        tally.add(holder)
        if not (self.has_times and tally.holds_one_at_a_time):
            return None
        together = holder.changes + holder.clashes
        why = f"of {together:,} changes of '{holder.name}', {holder.changes:,} come without an overlap"
        return _Verdict(why, tally.has_few_gaps)

    def _judge(self, holder: Holder, verdict: _Verdict, several: Findings, gaps: Findings) -> None:
        self.touches += holder.touches
        for one in holder.overlaps:
            several.add(one.length, partial(self._several, holder, one, verdict))
        several.count += holder.overlap_count - len(holder.overlaps)
        if self.has_times and verdict.has_few_gaps:
            for before, after in holder.holes:
                gaps.add(after.lo - before.hi, partial(self._gap, holder, before, after, verdict))
            gaps.count += holder.gaps - len(holder.holes)

    def _several(self, holder: Holder, one: Overlap, verdict: _Verdict) -> Finding:
        when = f" at a time, {self.stage.span_name(one.lo, one.hi)}" if self.has_times else ""
        return Finding(
            FindingKind.SEVERAL,
            holder.relation,
            f"'{holder.name}' has several {holder.side}s of '{holder.relation}'{when}.",
            tuple(map(str, one.facts)),
            one.count - len(one.facts),
            verdict.why,
            self._separating(one),
        )

    def _separating(self, one: Overlap) -> tuple[str, ...]:
        """Commands of which one may separate facts: the first ends when the second begins, or the misfit goes."""
        ways = []
        before, after = one.facts[:2]
        if one.count == 2 and before.lo < after.lo and before.hi <= after.hi:
            ways.append(
                self._command("close", before, at=after.start)
                if before.is_open
                else self._command("correct", before, end=after.start)
            )
        gone = one.misfit or after
        return (*ways, self._command("remove", gone, **({"start": gone.start} if gone.start else {})))

    def _command(self, what: str, fact: Period, **options: str) -> str:
        return command(what, (self.source, fact.head, fact.relation, fact.tail), **options)

    def _gap(self, holder: Holder, before: Period, after: Period, verdict: _Verdict) -> Finding:
        when = self.stage.span_name(before.hi + 1, after.lo - 1)
        return Finding(
            FindingKind.GAP,
            holder.relation,
            f"'{holder.name}' has no {holder.side} of '{holder.relation}', {when}.",
            (str(before), str(after)),
            because=verdict.why,
            next=("`cgstore load tkg FILE --append` adds what is missing. Nothing may be: a gap can be true.",),
        )

    def _inverted(self) -> Findings:
        found = Findings(self.limit)
        for fact in self.stage.periods("relation, head, lo, tail", "hi < lo"):
            found.add(fact.lo - fact.hi, partial(self._turned, fact))
        return found

    def _turned(self, fact: Period) -> Finding:
        return Finding(
            FindingKind.INVERTED,
            fact.relation,
            f"It ends in {fact.end}, before it starts in {fact.start}, and so holds at no time.",
            (str(fact),),
            next=(self._command("correct", fact, start=fact.end, end=fact.start),),
        )
