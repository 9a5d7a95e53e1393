"""What a change does: operations on the facts of a source, in order, within one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from cgstore.change.cells import check_correction, fill, remove_cells, where_value_is
from cgstore.change.stated import PRESENT, AnyFact, FactKey, ends_before_start, key_of, shown, with_times
from cgstore.change.working import Working, nothing_like
from cgstore.errors import BadInput, setting
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.tkg_stage import Fact
from cgstore.model import Role
from cgstore.text.dates import OPEN_ENDS, Moment, last, problem_of, read_time

KEYS = ("head", "relation", "tail")
"""What the facts that an upsert replaces may have in common."""


def fact_key(given: Iterable[str]) -> tuple[str, ...]:
    """What facts that replace others share with these: some of `KEYS` in their order, by default head and relation."""
    key = tuple(given) or KEYS[:2]
    if key != KEYS[: len(key)]:
        raise BadInput(
            f"{', '.join(map(str, key))} is not a key of facts.", "Give head, or head and relation, or these and tail."
        )
    return key


_TELLING = {True: "start, end", False: "a qualifier"}
"""What tells facts of the same names apart, by whether their source has times."""


@dataclass(frozen=True)
class Selection:
    """Facts of a head; of a relation, with a tail, with a start and an end, where these are given.

    `end` may be `present`, for a fact that is open. Of statements, `qualifiers` are some that the one meant has.
    """

    head: str
    relation: str | None = None
    tail: str | None = None
    start: str | None = None
    end: str | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()

    def found(self, working: Working, *, every: bool) -> list[AnyFact]:
        """The facts, at least one; raises BadInput if there are several and not every one is meant."""
        near = working.find(self.head, self.relation, self.tail)
        found = [fact for fact in near if self._fits(fact, working)]
        if not found and near:
            there = ", ".join(shown(working.kind.record(fact)) for fact in near[:3])
            said = "times" if working.kind.kind.has_times else "qualifiers"
            raise BadInput(f"No such fact has these {said}; there is {there}.", f"Give the {said} as they are there.")
        if not found:
            error = nothing_like(working, self.head, self.relation, self.tail)
            if working.kind.kind.has_rows and not working.find(self.head):
                error.hint = where_value_is(working, self.head)
            raise error
        if len(found) > 1 and not every:
            listed = "\n".join(f"  {shown(working.kind.record(fact))}" for fact in found[:10])
            more = f"\n  ... and {len(found) - 10:,} more" if len(found) > 10 else ""
            raise BadInput(
                f"{len(found):,} facts fit; nothing was changed.\n{listed}{more}",
                f"Tell it apart (by relation, tail, {_TELLING[working.kind.kind.has_times]}), or take "
                f"all of them: {setting('all', True)}.",
            )
        return found

    def _fits(self, fact: AnyFact, working: Working) -> bool:
        if not isinstance(fact, Fact):
            if self.start is not None or self.end is not None:
                raise BadInput(f"Source '{working.kind.source.name}' has no times.", "Leave start and end out.")
            return set(self.qualifiers) <= set(fact.qualifiers)
        if self.qualifiers:
            raise BadInput(f"Facts of '{working.kind.source.name}' have times.", "Give start and end, not qualifiers.")
        if self.start is not None and moment(self.start, "start").cut(working.kind.step) != fact.start:
            return False
        if self.end is None:
            return True
        if self.end.lower() in OPEN_ENDS:
            return fact.is_open
        return not fact.is_open and moment(self.end, "end").cut(working.kind.step) == fact.end


@dataclass(frozen=True)
class Append:
    """Adds facts; those that are there already change nothing."""

    facts: Sequence[AnyFact]

    def apply(self, working: Working) -> None:
        """Does it."""
        working.fetch(map(key_of, self.facts))
        for fact in self.facts:
            working.add(fact)


@dataclass(frozen=True)
class Upsert:
    """Replaces all facts that have the keys of these facts: by default the facts of the same head and relation."""

    facts: Sequence[AnyFact]
    by: tuple[str, ...] = KEYS[:2]

    def apply(self, working: Working) -> None:
        """Does it."""
        working.fetch(map(key_of, self.facts))
        if self.by != KEYS:
            working.find_heads((fact.head, fact.relation if "relation" in self.by else None) for fact in self.facts)
        replaced = {self._part(key_of(fact)) for fact in self.facts}
        for key, facts in working.after.items():
            if self._part(key) in replaced:
                facts.clear()
        for fact in self.facts:
            working.add(fact)

    def _part(self, key: FactKey) -> tuple[str, ...]:
        return tuple(getattr(key, name) for name in self.by)


@dataclass(frozen=True)
class Remove:
    """Removes a fact, or with `every` all that fit: it was never true, or is not to be known any more."""

    selection: Selection
    every: bool = False

    def apply(self, working: Working) -> None:
        """Does it."""
        found = self.selection.found(working, every=self.every)
        if working.kind.kind.has_rows:
            remove_cells(working, found, self.selection.relation, self.selection.tail)
            return
        for fact in found:
            working.remove(fact)


@dataclass(frozen=True)
class Correct:
    """Replaces parts of a fact, or with `every` of all that fit; a part that is None stays."""

    selection: Selection
    head: str | None = None
    relation: str | None = None
    tail: str | None = None
    start: str | None = None
    end: str | None = None
    qualifiers: tuple[tuple[str, str], ...] | None = None
    every: bool = False

    def apply(self, working: Working) -> None:
        """Does it."""
        parts = (self.head, self.relation, self.tail, self.start, self.end, self.qualifiers)
        if all(part is None for part in parts):
            raise BadInput("The correction is missing.", "Give the right head, relation, tail, start or end.")
        found = self.selection.found(working, every=self.every)
        if working.kind.kind.has_rows:
            check_correction(working, found, self.head, self.relation)
        for fact in found:
            working.remove(fact)
        for fact in found:
            right = self._corrected(fact)
            working.fetch([key_of(right)])
            working.add(right)
        if working.kind.kind.has_rows:
            fill(working, found)

    def _corrected(self, fact: AnyFact) -> AnyFact:
        renamed = fact._replace(
            head=fact.head if self.head is None else self.head,
            relation=fact.relation if self.relation is None else self.relation,
            tail=fact.tail if self.tail is None else self.tail,
        )
        if isinstance(renamed, Statement):
            if self.qualifiers is not None and renamed.head_role is Role.LINE:
                raise BadInput("The cells of a table have no qualifiers.")
            if self.start is not None or self.end is not None:
                raise BadInput("Only facts of a temporal source have a start and an end.")
            return renamed if self.qualifiers is None else renamed._replace(qualifiers=self.qualifiers, terms=())
        if self.qualifiers is not None:
            raise BadInput("The facts of a temporal source have no qualifiers but their times.")
        is_open = self.end is not None and self.end.lower() in OPEN_ENDS
        end = None if self.end is None or is_open else moment(self.end, "end", last=True)
        right = with_times(renamed, None if self.start is None else moment(self.start, "start"), end, is_open=is_open)
        return _in_order(right)


@dataclass(frozen=True)
class Close:
    """Gives an open fact its end, or with `every` all open facts that fit."""

    selection: Selection
    at: str
    every: bool = False

    def apply(self, working: Working) -> None:
        """Does it."""
        if not working.kind.kind.has_times:
            raise BadInput(f"Source '{working.kind.source.name}' has no times, so no fact of it can end.")
        end = moment(self.at, "at", last=True)
        selection = self.selection
        near = working.find(selection.head, selection.relation, selection.tail)
        if near and not any(isinstance(fact, Fact) and fact.is_open for fact in near):
            there = ", ".join(shown(working.kind.record(fact)) for fact in near[:3])
            raise BadInput(f"No such fact is open; there is {there}.", "`cgstore facts correct` changes an end.")
        still = Selection(selection.head, selection.relation, selection.tail, selection.start, PRESENT)
        for fact in still.found(working, every=self.every):
            assert isinstance(fact, Fact)
            working.remove(fact)
            working.add(_in_order(with_times(fact, end=end)))


@dataclass(frozen=True)
class HoldUntil:
    """Has the open facts of a temporal source hold until another time: by default until that of the load."""

    day: Moment

    def apply(self, working: Working) -> None:
        """Does it."""
        kind = working.kind
        if not kind.kind.has_times:
            raise BadInput(f"Source '{kind.source.name}' has no times, so no fact of it is open.")
        day = self.day.cut(kind.step)
        if last(day, kind.step) < last(kind.now, kind.step):
            raise BadInput(
                f"The open facts of '{kind.source.name}' hold until {kind.now.name} already.", "Give a later date."
            )
        working.hold_until(day)


def _in_order(fact: Fact) -> Fact:
    """The fact, if it does not end before it starts."""
    if ends_before_start(fact):
        raise BadInput(f"The fact would end ({fact.end.name}) before it starts ({fact.start.name}).")
    return fact


def moment(text: str, name: str, *, last: bool = False) -> Moment:
    """The time that a text means; with `last` the end of an interval."""
    time = read_time(text)
    if time is None:
        raise BadInput(
            f"The {name} '{text[:60]}' {problem_of(text)}",
            "Give a year, a date or a time of day, such as 2024-06-30 or 2024-06-30T10:30.",
        )
    return time.end if last else time.start


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Names a place, such as `Line 3`, in the message of an error."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{place}: {error.message}", error.hint) from error


@dataclass(frozen=True)
class OfLines:
    """An operation of numbered lines, which an error names."""

    first: int
    last: int
    operation: AnyOperation

    def apply(self, working: Working) -> None:
        """Does it."""
        with naming(f"Line {self.first}" if self.first == self.last else f"Lines {self.first} to {self.last}"):
            self.operation.apply(working)


class AnyOperation(Protocol):
    """What changes the facts of a source."""

    def apply(self, working: Working) -> None:
        """Does it, or raises BadInput."""
