"""The history of a source: its changes, newest last, and how one is undone."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from cgstore.change.commit import commit
from cgstore.change.operations import Put
from cgstore.change.report import ChangeReport, report_of
from cgstore.change.working import Working
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.model import Source

_CHANGES = """
MATCH (c:CgChange {source: $source}) WHERE c.number <= $last AND ($number IS NULL OR c.number = $number)
RETURN c.number AS number, toString(c.at) AS at, c.command AS command, c.added AS added, c.removed AS removed,
  c.undoes AS undoes, c.undone AS undone, c.now AS now, c.now_before AS now_before, c.part AS part, c.parts AS parts,
  CASE WHEN $facts THEN c.facts END AS facts ORDER BY number
"""


@dataclass(frozen=True)
class ChangeRecord:
    """One change: its number, when (UTC), by which command, and the facts that it added and removed.

    A fact is a list: head, relation, tail, and its start and end, or its qualifiers. `undoes` is the number of the
    change that it undid, `undone` that of the change that undid it. `now` is the time until which open facts hold since
    then, if it moved that, and `now_before` the one before. Rows of a table that are too many for one change have
    several, of which this one is `part` of `parts`.
    """

    number: int
    at: str
    command: str
    added: int
    removed: int
    undoes: int | None = None
    undone: int | None = None
    now: str | None = None
    now_before: str | None = None
    facts_added: tuple[Any, ...] = ()
    facts_removed: tuple[Any, ...] = ()
    part: int | None = None
    parts: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def history(
    db: Database, stored: str, source: Source, number: int | None = None, *, facts: bool = True
) -> list[ChangeRecord]:
    """The changes of a source since it was loaded, or one of them, in order; without `facts` only their counts."""
    about = {"source": stored, "last": source.change, "number": number, "facts": facts}
    return [_record(row) for row in db.read(_CHANGES, about, timeout=0)]


def _record(row: dict[str, Any]) -> ChangeRecord:
    text = row.pop("facts")
    if text is None:
        return ChangeRecord(**row)
    facts = json.loads(text)
    return ChangeRecord(**row, facts_added=tuple(facts["added"]), facts_removed=tuple(facts["removed"]))


@dataclass
class _Undo(Put):
    """The undoing of a change, which is chosen once no other change can come between: the last one by default."""

    wanted: int | None = None

    def apply(self, working: Working) -> None:
        record = _chosen(working, self.wanted)
        self.number, self.now, self.now_before = record.number, record.now, record.now_before
        self.removed = [working.kind.fact_of(fact) for fact in record.facts_removed]
        self.added = [working.kind.fact_of(fact) for fact in record.facts_added]
        super().apply(working)


def _chosen(working: Working, number: int | None) -> ChangeRecord:
    """The change to be undone."""
    source = working.kind.source

    def read(number: int | None, *, facts: bool) -> list[ChangeRecord]:
        about = {"source": working.kind.stored, "last": source.change, "number": number, "facts": facts}
        return [_record(row.data()) for row in working.tx.run(_CHANGES, about)]

    found = read(number, facts=False)
    if number is None:
        found = [each for each in found if each.undone is None and each.undoes is None]
    if not found:
        what = "no change that could be undone" if number is None else f"no change {number}"
        raise BadInput(f"Source '{source.name}' has {what}.", f"`cgstore history {source.name}` lists its changes.")
    if found[-1].undone is not None:
        raise BadInput(f"Change {number} was undone by change {found[-1].undone}.", "Undo that one to redo it.")
    return read(found[-1].number, facts=True)[0]


def undo(db: Database, stored: str, source: Source, number: int | None, command: str) -> ChangeReport:
    """Undoes a change, by default the last one that is not undone and undoes none. This is a change too."""
    began = time.monotonic()
    return report_of(source.name, [commit(db, stored, [_Undo(wanted=number)], command)], began)
