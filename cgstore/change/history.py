"""The history of a source: its changes, newest last, and the operation that undoes one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from cgstore.change.operations import moment
from cgstore.change.stated import Kind, key_of, shown
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
        """Returns the fields as plain data."""
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
class Undo:
    """Undoes a change: puts back what it removed, takes away what it added, and moves back what it moved.

    The change, by default the last one that is not undone and undoes none, is chosen once no other can come between.
    """

    wanted: int | None = None
    number: int = 0

    def apply(self, working: Working) -> None:
        """Does it; raises BadInput if a later change touched the same facts."""
        kind, record = working.kind, self._chosen(working)
        self.number = record.number
        removed, added = ([kind.fact_of(f) for f in facts] for facts in (record.facts_removed, record.facts_added))
        working.fetch(key_of(fact) for fact in (*removed, *added))
        for fact in added:
            if not working.has(fact):
                raise self._too_late(kind, f"{shown(kind.record(fact))} is not there any more")
            working.remove(fact)
        for fact in removed:
            if not working.add(fact):
                raise self._too_late(kind, f"{shown(kind.record(fact))} is there again")
        if record.now_before is not None:
            if kind.now.cut(kind.step).name != record.now:
                raise self._too_late(kind, "the end of open facts was moved again")
            working.hold_until(moment(record.now_before, "day"))

    def _chosen(self, working: Working) -> ChangeRecord:
        source, number = working.kind.source, self.wanted

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

    def _too_late(self, kind: Kind, what: str) -> BadInput:
        return BadInput(
            f"Change {self.number} cannot be undone: {what}, since a later change touched it too.",
            f"Undo the later one first: `cgstore history {kind.source.name}` lists them.",
        )
