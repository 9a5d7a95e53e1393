"""The history of a source: its changes, newest last, and how one is undone."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from cgstore.change.commit import commit
from cgstore.change.operations import AnyOperation, Put
from cgstore.change.report import ChangeReport, report_of
from cgstore.change.stated import AnyFact, Kind
from cgstore.change.working import Working
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.model import Source

_CHANGES = """
MATCH (c:CgChange {source: $source}) WHERE c.number <= $last AND ($number IS NULL OR c.number = $number)
RETURN c.number AS number, toString(c.at) AS at, c.command AS command, c.added AS added, c.removed AS removed,
  c.undoes AS undoes, c.undone AS undone, c.part AS part, c.parts AS parts, c.facts AS facts ORDER BY number
"""


@dataclass(frozen=True)
class ChangeRecord:
    """One change: its number, when (UTC), by which command, and the facts that it added and removed.

    A fact is a list: head, relation, tail, and its start and end, or its qualifiers. `undoes` is the number of the
    change that it undid, `undone` that of the change that undid it. Rows of a table that are too many for one change
    have several, of which this one is `part` of `parts`.
    """

    number: int
    at: str
    command: str
    added: int
    removed: int
    undoes: int | None = None
    undone: int | None = None
    facts_added: tuple[Any, ...] = ()
    facts_removed: tuple[Any, ...] = ()
    part: int | None = None
    parts: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def history(db: Database, stored: str, source: Source, number: int | None = None) -> list[ChangeRecord]:
    """The changes of a source since it was loaded, or one of them, in order."""
    about = {"source": stored, "last": source.change, "number": number}
    return [_record(row) for row in db.read(_CHANGES, about, timeout=0)]


def _record(row: dict[str, Any]) -> ChangeRecord:
    facts = json.loads(row.pop("facts"))
    return ChangeRecord(**row, facts_added=tuple(facts["added"]), facts_removed=tuple(facts["removed"]))


@dataclass
class _Undo(Put):
    """The undoing of a recorded change, whose facts are read once the source is known."""

    record: ChangeRecord | None = None

    def apply(self, working: Working) -> None:
        assert self.record is not None
        self.removed, self.added = (
            _facts(working.kind, self.record.facts_removed),
            _facts(working.kind, self.record.facts_added),
        )
        super().apply(working)


def _facts(kind: Kind, records: tuple[Any, ...]) -> list[AnyFact]:
    return [kind.fact_of(record) for record in records]


def undo(db: Database, stored: str, source: Source, number: int | None, command: str) -> ChangeReport:
    """Undoes a change, by default the last one that is not undone and undoes none: a change of its own, of course.

    Raises:
        BadInput: there is no such change, it is undone already, or a later change touched the same facts.
    """
    began = time.monotonic()
    found = history(db, stored, source, number)
    if number is None:
        found = [each for each in found if each.undone is None and each.undoes is None]
    if not found:
        what = "no change that could be undone" if number is None else f"no change {number}"
        raise BadInput(f"Source '{source.name}' has {what}.", f"`cgstore history {source.name}` lists its changes.")
    record = found[-1]
    if record.undone is not None:
        raise BadInput(f"Change {record.number} was undone by change {record.undone}.", "Undo that one to redo it.")
    operations: list[AnyOperation] = [_Undo(number=record.number, record=record)]
    done = commit(db, stored, operations, command)
    return report_of(source.name, [done] if done else [], time.monotonic() - began)
