"""What a change did."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from cgstore.text.names import many

SHOWN = 10
"""Facts of each side of a change that its report shows."""


@dataclass(frozen=True)
class ChangeReport:
    """The result of a command that changes a source.

    `changes` are the numbers of the changes that it made, none where everything was so already; a command with many
    facts makes several, each whole. `added` and `removed` count facts; a corrected fact is one of each. `at` is when
    the last one was committed. `now` is the time until which open facts hold, if that was moved; `undid` the number of
    the change that was undone; `shown_added` and `shown_removed` are some of the facts. A dry run changes nothing.
    """

    source: str
    changes: tuple[int, ...]
    added: int
    removed: int
    at: str | None
    seconds: float
    rejected: int = 0
    rejected_file: str | None = None
    warnings: tuple[str, ...] = ()
    dry_run: bool = False
    now: str | None = None
    undid: int | None = None
    shown_added: tuple[str, ...] = ()
    shown_removed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<ChangeReport: {self.summary}>"

    def __str__(self) -> str:
        return "\n".join([self.summary, *(f"Note: {warning}" for warning in self.warnings)])

    @property
    def summary(self) -> str:
        """What was changed, in a sentence."""
        if not self.changes and not (self.dry_run and (self.added or self.removed or self.now)):
            return f"'{self.source}' is so already: nothing changed."
        facts = " and ".join(
            f"{many(count, 'fact')} {what}"
            for count, what in ((self.added, "added"), (self.removed, "removed"))
            if count
        )
        if self.now:
            facts = ", ".join(filter(None, [facts, f"open facts hold until {self.now}"]))
        facts = facts or "no fact added or removed"
        if self.dry_run:
            return f"Would change '{self.source}': {facts}."
        first, last = self.changes[0], self.changes[-1]
        number = f"change {first}" if first == last else f"changes {first} to {last}"
        did = f"Undid change {self.undid} of" if self.undid else "Changed"
        return f"{did} '{self.source}' ({number}): {facts} in {self.seconds:.2f} s."

    @property
    def listed(self) -> list[str]:
        """Some of the facts, a line each: what was removed, then what was added."""
        lines = []
        for sign, facts, count in (("-", self.shown_removed, self.removed), ("+", self.shown_added, self.added)):
            lines += [f"  {sign} {fact}" for fact in facts]
            lines += [f"  {sign} {count - len(facts):,} more"] if count > len(facts) else []
        return lines

    def to_json(self) -> dict[str, Any]:
        """Returns the fields as plain data."""
        return asdict(self)


def report_of(
    source: str, changes: Iterable[ChangeReport | None], began: float, warnings: Iterable[str] = (), **more: Any
) -> ChangeReport:
    """The report of all changes that a command made; `began` is when it did, by `time.monotonic`."""
    made = [change for change in changes if change]
    return ChangeReport(
        source=source,
        changes=tuple(number for each in made for number in each.changes),
        added=sum(each.added for each in made),
        removed=sum(each.removed for each in made),
        at=made[-1].at if made else None,
        now=next((each.now for each in made if each.now), None),
        undid=next((each.undid for each in made if each.undid), None),
        shown_added=tuple(fact for each in made for fact in each.shown_added)[:SHOWN],
        shown_removed=tuple(fact for each in made for fact in each.shown_removed)[:SHOWN],
        seconds=round(time.monotonic() - began, 3),
        warnings=tuple(dict.fromkeys((*warnings, *(note for each in made for note in each.warnings)))),
        **more,
    )
