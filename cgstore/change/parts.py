"""The parts of an append of rows, by which a command that was cut short goes on where it stopped.

Rows are not facts: the same row twice is two rows. So each change of an append records the fingerprint of the whole
input, the run of the command, and which part of it the change is. The same input given again finishes a run that was
cut short, and is appended once more after one that was not.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cgstore.cypher.connection import Database, patiently

Read = Callable[[str, dict[str, Any]], list[dict[str, Any]]]
"""Runs a statement that reads; in a transaction, or in one of its own."""

_OF_INPUT = """
MATCH (c:CgChange {input: $input})
WHERE c.source = $source AND c.undone IS NULL AND ($run IS NULL OR c.run = $run)
RETURN c.number AS number, c.run AS run, c.part AS part ORDER BY number
"""

_LAST = """
MATCH (s:CgSource {name: $source})
MATCH (c:CgChange {source: $source, number: s.last_change})
RETURN c.number AS number, c.input AS input, c.run AS run, c.part AS part, c.parts AS parts
"""


class Fingerprint:
    """The fingerprint of rows that are appended: their columns and cells, in order."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, cells: Mapping[str, str]) -> None:
        """Takes the next row."""
        self._hash.update(json.dumps(list(cells.items()), ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def of_parts(self, most: int) -> str:
        """The fingerprint of the rows that it took, in parts of at most `most`."""
        return f"{self._hash.hexdigest()} {most}"


@dataclass(frozen=True)
class Part:
    """One part of some rows: its number from 1, and of how many. The input and the run of an upsert are empty."""

    input: str
    run: str
    number: int
    count: int

    def record(self) -> dict[str, Any]:
        """What the record of its change says of it."""
        of_append = {"input": self.input, "run": self.run} if self.input else {}
        return {**of_append, "part": self.number, "parts": self.count}

    def is_there(self, read: Read, stored: str) -> bool:
        """Whether a change of the source, which is locked, is this part already."""
        return any(part == self.number for _, _, part in _in_force(read, stored, self.input, self.run))


@dataclass(frozen=True)
class Run:
    """An append of some rows in parts, which may go on after parts that are there.

    Attributes:
        source: the name of the source.
        input: the fingerprint of the rows.
        name: tells the run from others of the same input.
        count: how many parts there are.
        there: the numbers of the changes that are parts of it, by the numbers of these parts.
        earlier: the numbers of the changes that appended the same rows before.
        unfinished: the last change of the source and a description of it, if another append was cut short after it.
    """

    source: str
    input: str
    name: str
    count: int
    there: Mapping[int, int]
    earlier: Sequence[int] = ()
    unfinished: tuple[int, str] | None = None

    def parts(self) -> Iterator[Part]:
        """All parts, in order."""
        return (Part(self.input, self.name, number, self.count) for number in range(1, self.count + 1))

    def notes(self, changes: Sequence[int], *, dry_run: bool = False) -> Iterator[str]:
        """Sentences for the user, given the numbers of the changes that were made."""
        if self.there:
            parts = f"{'part' if len(self.there) == 1 else 'parts'} {_listed(self.there)} of {self.count}"
            yield (
                f"{_changes(self.there.values())} had appended {parts} of these rows before the command was cut "
                "short. Only the other rows are appended now."
            )
        if self.earlier:
            latest = sorted(changes, reverse=True)
            undo = ", ".join(f"`cgstore undo {self.source} {number}`" for number in latest[:3])
            more = " ..." if len(latest) > 3 else ""
            way = f" To take them out again: {undo}{more}." if latest and not dry_run else ""
            yield f"{_changes(self.earlier)} had appended the same rows already; they are appended once more.{way}"
        if self.unfinished:
            number, what = self.unfinished
            yield (
                f"Change {number} is {what} of an append that was cut short, and its rows are there. Give its rows "
                f"again to append the others, or `cgstore undo {self.source} {number}`."
            )


def run_of(db: Database, stored: str, source: str, input: str, count: int, *, is_append: bool) -> Run:
    """The run that an append of these rows begins, or goes on with.

    An upsert always begins anew: a row that has its key and cells already is not changed.
    """
    if not is_append:
        return Run(source, "", "", count, {})

    def read(statement: str, about: dict[str, Any]) -> list[dict[str, Any]]:
        return patiently(db, lambda: db.read(statement, about))

    found = _in_force(read, stored, input, None)
    last_run = found[-1][1] if found else ""
    there = {part: number for number, run, part in found if run == last_run}
    if found and len(there) < count:
        return Run(source, input, last_run, count, there)
    return Run(source, input, uuid.uuid4().hex, count, {}, sorted(there.values()), _unfinished(read, stored, input))


def _in_force(read: Read, stored: str, input: str, run: str | None) -> list[tuple[int, str, int]]:
    """The changes that appended an input and are not undone: their numbers, runs and parts, in order."""
    rows = read(_OF_INPUT, {"source": stored, "input": input, "run": run})
    return [(row["number"], row["run"], row["part"]) for row in rows]


def _unfinished(read: Read, stored: str, input: str) -> tuple[int, str] | None:
    """The last change of a source, if it is a part of an append of other rows, and not the last one."""
    for row in read(_LAST, {"source": stored}):
        about, part, parts = row["input"], row["part"], row["parts"]
        if about not in (None, input) and len(_in_force(read, stored, about, row["run"])) < parts:
            return row["number"], f"part {part} of {parts}"
    return None


def _changes(numbers: Collection[int]) -> str:
    return f"{'Change' if len(numbers) == 1 else 'Changes'} {_listed(numbers)}"


def _listed(numbers: Collection[int]) -> str:
    """`3`, `3 and 5`, `3 to 7`, or `3, 5 and 9`."""
    found = sorted(numbers)
    if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]:,} to {found[-1]:,}"
    *others, last = (f"{number:,}" for number in found)
    return f"{', '.join(others)} and {last}" if others else last
