"""A change in Python: operations are collected, and committed together when the block ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from cgstore.change.commit import commit
from cgstore.change.facts import facts_of
from cgstore.change.history import Undo
from cgstore.change.operations import (
    KEYS,
    AnyOperation,
    Append,
    Close,
    Correct,
    HoldUntil,
    Remove,
    Selection,
    Upsert,
    fact_key,
    moment,
)
from cgstore.change.report import ChangeReport, report_of
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.tkg_notes import TimeNotes
from cgstore.model import Source
from cgstore.text.dates import read_time, this_second


class Changing:
    """Operations on the facts of one source, in order. Readers see all of them or none.

        with store.changing("staff") as change:
            change.append([("Ada", "works for", "Acme", "2019", "")])
            change.close("Bo", "works for", "Acme", at="2024-03-31")
        change.report

    If the block raises, nothing is changed. With an `AsyncStore`: `async with await store.changing("staff") as change`.
    """

    def __init__(self, db: Database, stored: str, source: Source, command: str) -> None:
        self._db, self._stored, self._source, self._command = db, stored, source, command
        self._operations: list[AnyOperation] = []
        self._notes, self._has_ended = TimeNotes(), False
        self.report: ChangeReport | None = None

    def append(self, facts: Iterable[Any]) -> None:
        """Adds facts; see `cgstore.change.facts.facts_of` for their form."""
        self._take(Append(facts_of(self._source, facts, self._notes)))

    def upsert(self, facts: Iterable[Any], key: Iterable[str] = KEYS[:2]) -> None:
        """Replaces the facts that have the key of one of these: by default the same head and relation."""
        self._take(Upsert(facts_of(self._source, facts, self._notes), fact_key(key)))

    def remove(
        self,
        head: str,
        relation: str | None = None,
        tail: str | None = None,
        start: str | None = None,
        end: str | None = None,
        *,
        qualifiers: Mapping[str, Any] | None = None,
        every: bool = False,
    ) -> None:
        """Removes the one fact that fits, or with `every` all that do; of statements, one that has some qualifiers."""
        selection = Selection(head, relation, tail, start, end, qualifier_pairs(qualifiers or {}))
        self._take(Remove(selection, every))

    def correct(
        self,
        head: str,
        relation: str | None = None,
        tail: str | None = None,
        start: str | None = None,
        end: str | None = None,
        *,
        to: Mapping[str, Any],
        qualifiers: Mapping[str, Any] | None = None,
        every: bool = False,
    ) -> None:
        """Replaces parts of the one fact that fits: `to` has some of head, relation, tail, start, end, qualifiers."""
        selection = Selection(head, relation, tail, start, end, qualifier_pairs(qualifiers or {}))
        self._take(correction(selection, to, every, self._notes))

    def close(
        self,
        head: str,
        relation: str | None = None,
        tail: str | None = None,
        start: str | None = None,
        *,
        at: str,
        every: bool = False,
    ) -> None:
        """Gives the one open fact that fits its end, or with `every` all that do."""
        self._take(Close(Selection(head, relation, tail, start), at, every))

    def hold_until(self, day: str | None = None) -> None:
        """Has the open facts hold until a day, or a time of day; by default until now in UTC."""
        self._take(HoldUntil(moment(day, "day", last=True) if day else this_second()))

    def _take(self, operation: AnyOperation) -> None:
        if self._has_ended:
            raise BadInput("This block has ended, and its change was made or dropped.", "Call changing() again.")
        self._operations.append(operation)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._has_ended = True
        if error is None:
            self.report = self.commit()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._has_ended = True
        if error is None:
            self.report = await asyncio.to_thread(self.commit)

    def commit(self, *, dry_run: bool = False) -> ChangeReport:
        """Commits what was collected so far; changes nothing if an operation does not fit the facts."""
        began = time.monotonic()
        one = commit(self._db, self._stored, self._operations, self._command, dry_run=dry_run)
        warnings = self._notes.sentences()
        self._operations, self._notes = [], TimeNotes()
        return report_of(self._source.name, [one], began, warnings, dry_run=dry_run)


def qualifier_pairs(given: Any) -> tuple[tuple[str, str], ...]:
    """Qualifiers as pairs."""
    if not isinstance(given, Mapping):
        raise BadInput("`qualifiers` is not a mapping of keys to values.")
    return tuple((str(key), str(value)) for key, value in given.items())


def correction(selection: Selection, to: Mapping[str, Any], every: bool, notes: TimeNotes) -> Correct:
    """A correction from the parts that are right; `notes` counts times that are read by a rule."""
    parts = dict(to)
    qualifiers = parts.pop("qualifiers", None)
    if wrong := [part for part in parts if part not in (*KEYS, "start", "end")]:
        raise BadInput(f"'{wrong[0]}' is not a part of a fact.", "Give head, relation, tail, start, end or qualifiers.")
    texts = {part: str(value) for part, value in parts.items() if value is not None}
    pairs = None if qualifiers is None else qualifier_pairs(qualifiers)
    for text in (texts.get("start"), texts.get("end")):
        if text is not None and (time := read_time(text)) is not None:
            notes.add(text, time)
    return Correct(selection, **texts, qualifiers=pairs, every=every)


def undo(db: Database, stored: str, source: Source, number: int | None, command: str) -> ChangeReport:
    """Undoes a change of a source; see `Undo`. This is a change too."""
    began = time.monotonic()
    return report_of(source.name, [commit(db, stored, [Undo(number)], command)], began)
