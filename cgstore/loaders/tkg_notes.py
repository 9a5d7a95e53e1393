"""What a load of temporal facts tells of times that it read by a rule."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cgstore.errors import as_called
from cgstore.loaders.tkg_stage import TripleCounts
from cgstore.text.dates import Moment, Step, WrittenTime, first, is_bc, last, read_as_time, time_name

MOST_MARKS = 1_000
"""Times that are not sure, and are kept with the source."""

LONGEST = 60
"""Characters of a text that a message shows."""


def shortened(text: str) -> str:
    """A text as a message shows it."""
    return text[:LONGEST] + "..." if len(text) > LONGEST else text


class TimeNotes:
    """Counts the times of an input that are read by a rule, with an example of each.

    They are times that are not sure, those BC, and times of day with an offset, without one and with fractions.
    """

    def __init__(self) -> None:
        self.marks: list[tuple[str, str, str, Moment, str]] = []
        self.unsure = self.bc = self.zoned = self.unzoned = self.fractions = 0
        self._unsure = self._bc = self._zoned = self._unzoned = self._fraction = ""

    def add(self, text: str, time: WrittenTime, fact: tuple[str, str, str] | None = None) -> None:
        """Takes one time, of a fact that is kept with it where it is not sure."""
        if not time.is_sure:
            self.unsure += 1
            if fact and len(self.marks) < MOST_MARKS:
                self.marks += ((*fact, moment, text) for moment in dict.fromkeys((time.start, time.end)))
            self._unsure = self._unsure or text
        if time.start.year <= 0 and is_bc(text) and read_as_time(text):
            self.bc += 1
            self._bc = self._bc or text
        for clock in time.clocks:
            if clock.is_zoned:
                self.zoned += 1
                self._zoned = self._zoned or text
            else:
                self.unzoned += 1
                self._unzoned = self._unzoned or text
            if clock.has_fraction:
                self.fractions += 1
                self._fraction = self._fraction or text

    def marked(self, step: Step) -> tuple[str, ...] | None:
        """The times that are not sure, as `LoadRecord` has them; None if there are none."""
        marks = (json.dumps([*fact, moment.cut(step).name, text]) for *fact, moment, text in self.marks)
        return tuple(dict.fromkeys(marks)) or None

    def sentences(self) -> Iterator[str]:
        """A sentence for each kind that there is."""
        if self.unsure:
            times = "1 time is" if self.unsure == 1 else f"{self.unsure:,} times are"
            taken = f"taken as {read_as_time(self._unsure)}, as if that were sure"
            yield f"{times} approximate or uncertain, such as '{self._unsure}': {taken}."
            if len(self.marks) >= MOST_MARKS:
                yield f"Answers tell which times are not sure of the first {MOST_MARKS:,} alone."
        if self.bc:
            times = "1 time is" if self.bc == 1 else f"{self.bc:,} times are"
            years = "years are those of ISO 8601, whose year 0 is 1 BC"
            yield f"{times} BC, such as '{self._bc}', which is {read_as_time(self._bc)}: {years}."
        yield from self._of_clocks()

    def _of_clocks(self) -> Iterator[str]:
        if self.zoned:
            times = "1 time has" if self.zoned == 1 else f"{self.zoned:,} times have"
            shown = read_as_time(self._zoned) or self._zoned
            yield f"{times} Z or an offset, such as '{shortened(self._zoned)}': taken in UTC, as {shown}."
        if self.zoned and self.unzoned:
            times = "1 time of day has" if self.unzoned == 1 else f"{self.unzoned:,} times of day have"
            yield f"{times} neither Z nor an offset, such as '{shortened(self._unzoned)}': taken as if in UTC too."
        if self.fractions:
            times = "1 time has a fraction" if self.fractions == 1 else f"{self.fractions:,} times have fractions"
            yield f"{times} of a second, such as '{shortened(self._fraction)}': cut to the second."


def load_notes(counts: TripleCounts, step: Step, now: Moment) -> Iterator[str]:
    """Sentences about facts that are read in a way that the input does not state."""
    if counts.clocks and not step.has_clock:
        have = "1 fact has a time" if counts.clocks == 1 else f"{counts.clocks:,} facts have times"
        is_found = counts.found is step
        why = ", since all of them are the first or the last minute of a day" if is_found else ""
        yield f"{have} of day: cut to the {step}{why}. {as_called('--step minute')} keeps them."
    if counts.days and counts.found is step and Step.DAY.is_finer_than(step):
        have = "1 fact has days" if counts.days == 1 else f"{counts.days:,} facts have days"
        why = f"all of them the first or the last of a {step}, so that this source counts {step}s"
        yield f"{have}, {why}. {as_called('--step day')} keeps the days."
    if counts.inverted == 1:
        yield "1 fact ends before it starts: it has a start and an end, but holds at no time."
    elif counts.inverted:
        yield f"{counts.inverted:,} facts end before they start: they have a start and an end, but hold at no time."
    if counts.overlapping:
        yield (
            f"{'1 fact has' if counts.overlapping == 1 else f'{counts.overlapping:,} facts have'} periods that "
            "overlap. For a program they are one stretch of times, with several starts and ends; exports and changes "
            f"keep each. Such as {counts.overlap}."
        )
    if counts.open:
        yield _open_note(counts, now.cut(step).name)
    if counts.events:
        yield (
            f"{'1 fact has' if counts.events == 1 else f'{counts.events:,} facts have'} no end, in a file in which no "
            "fact has one: taken for an event, which holds at its start only. What still holds has the end 'present'."
        )
    if (moment := counts.example) is not None:
        opens, ends = (time_name(bound(moment, step), step) for bound in (first, last))
        yield (
            f"{'1 fact has a time' if counts.coarse == 1 else f'{counts.coarse:,} facts have times'} less exact than "
            f"the {step}s of this source, such as {moment.name}. It stays {moment.name} as a start or an end; a fact "
            f"that starts then holds from {opens}, and one that ends then to {ends}."
        )


def _open_note(counts: TripleCounts, now: str) -> str:
    have = "1 fact has" if counts.open == 1 else f"{counts.open:,} facts have"
    note = (
        f"{have} no end, such as {counts.opening}: taken to hold until now, {now}, which {as_called('--now')} "
        "changes. An event needs an end, which is its start."
    )
    if counts.later == 1:
        note += " 1 of them starts later: it holds at its start."
    elif counts.later:
        note += f" {counts.later:,} of them start later: they hold at their start."
    return note
