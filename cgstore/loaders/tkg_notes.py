"""What a load of temporal facts tells of times that it read by a rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cgstore.errors import setting
from cgstore.text.dates import Moment, Step, WrittenTime, first, is_bc, last, read_as_time, time_name
from cgstore.text.names import many

if TYPE_CHECKING:
    from cgstore.loaders.tkg_stage import TripleCounts

MOST_MARKS = 1_000
"""Times that are not sure, and are kept with the source."""

LONGEST = 60
"""Characters of a text that a message shows."""


def shortened(text: str) -> str:
    """A text as a message shows it."""
    return text[:LONGEST] + "..." if len(text) > LONGEST else text


class TimeNotes:
    """Counts the times of an input that are read by a rule, with the first one of each kind.

    They are times that are not sure, those BC, and times of day with an offset, without one and with fractions.
    """

    def __init__(self) -> None:
        self.marks: list[tuple[str, str, str, Moment, str]] = []
        self._seen: dict[str, tuple[int, str]] = {}

    def add(self, text: str, time: WrittenTime, fact: tuple[str, str, str] | None = None) -> None:
        """Takes one time, of a fact that is kept with it where it is not sure."""
        if not time.is_sure:
            self._count("unsure", text)
            if fact and len(self.marks) < MOST_MARKS:
                self.marks += ((*fact, moment, text) for moment in dict.fromkeys((time.start, time.end)))
        if time.start.year <= 0 and is_bc(text) and read_as_time(text):
            self._count("BC", text)
        for clock in time.clocks:
            self._count("zoned" if clock.is_zoned else "unzoned", text)
            if clock.has_fraction:
                self._count("fraction", text)

    def _count(self, kind: str, text: str) -> None:
        count, first = self._seen.get(kind, (0, text))
        self._seen[kind] = count + 1, first

    def marked(self, step: Step) -> tuple[str, ...] | None:
        """The times that are not sure, as `LoadRecord` has them; None if there are none."""
        marks = (json.dumps([*fact, moment.cut(step).name, text]) for *fact, moment, text in self.marks)
        return tuple(dict.fromkeys(marks)) or None

    def sentences(self) -> Iterator[str]:
        """A sentence for each kind that there is."""
        seen = {kind: (count, first, shortened(first)) for kind, (count, first) in self._seen.items()}
        if "unsure" in seen:
            count, first, _ = seen["unsure"]
            taken = f"taken as {read_as_time(first)}, as if that were sure"
            yield f"{many(count, 'time is', 'times are')} approximate or uncertain, such as '{first}': {taken}."
            if len(self.marks) >= MOST_MARKS:
                yield f"Answers tell which times are not sure of the first {MOST_MARKS:,} alone."
        if "BC" in seen:
            count, first, _ = seen["BC"]
            such = f"'{first}', which is {read_as_time(first)}: years are those of ISO 8601, whose year 0 is 1 BC"
            yield f"{many(count, 'time is', 'times are')} BC, such as {such}."
        if "zoned" in seen:
            count, first, shown = seen["zoned"]
            such = f"'{shown}': taken in UTC, as {read_as_time(first) or first}"
            yield f"{many(count, 'time has', 'times have')} Z or an offset, such as {such}."
        if "zoned" in seen and "unzoned" in seen:
            count, _, shown = seen["unzoned"]
            have = many(count, "time of day has", "times of day have")
            yield f"{have} neither Z nor an offset, such as '{shown}': taken as if in UTC too."
        if "fraction" in seen:
            count, _, shown = seen["fraction"]
            have = many(count, "time has a fraction", "times have fractions")
            yield f"{have} of a second, such as '{shown}': cut to the second."


def load_notes(counts: TripleCounts, step: Step, now: Moment) -> Iterator[str]:
    """Sentences about facts that are read in a way that the input does not state."""
    if counts.clocks and not step.has_clock:
        have = many(counts.clocks, "fact has a time", "facts have times")
        why = ", since all of them are the first or the last minute of a day" if counts.found is step else ""
        yield f"{have} of day: cut to the {step}{why}. {setting('step', 'minute')} keeps them."
    if counts.days and counts.found is step and Step.DAY.is_finer_than(step):
        why = f"all of them the first or the last of a {step}, so that this source counts {step}s"
        have = many(counts.days, "fact has days", "facts have days")
        yield f"{have}, {why}. {setting('step', 'day')} keeps the days."
    if counts.inverted == 1:
        yield "1 fact ends before it starts: it has a start and an end, but holds at no time."
    elif counts.inverted:
        yield f"{counts.inverted:,} facts end before they start: they have a start and an end, but hold at no time."
    if counts.overlapping:
        yield (
            f"{many(counts.overlapping, 'fact has', 'facts have')} periods that overlap. For a program they are one "
            "stretch of times, with several starts and ends; exports and changes keep each. "
            f"Such as {counts.overlap}."
        )
    if counts.open:
        later = many(
            counts.later, "of them starts later: it holds at its start", "of them start later: they hold at their start"
        )
        yield (
            f"{many(counts.open, 'fact has', 'facts have')} no end, such as {counts.opening}: taken to hold until "
            f"now, {now.cut(step).name}, which {setting('now')} changes. An event needs an end, which is its start."
            + (f" {later}." if counts.later else "")
        )
    if counts.events:
        yield (
            f"{many(counts.events, 'fact has', 'facts have')} no end, in a file in which no fact has one: taken for "
            "an event, which holds at its start only. What still holds has the end 'present'."
        )
    if (moment := counts.example) is not None:
        opens, ends = (time_name(bound(moment, step), step) for bound in (first, last))
        yield (
            f"{many(counts.coarse, 'fact has a time', 'facts have times')} less exact than the {step}s of this "
            f"source, such as {moment.name}. It stays {moment.name} as a start or an end; a fact that starts then "
            f"holds from {opens}, and one that ends then to {ends}."
        )
