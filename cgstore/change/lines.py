"""Changes as JSON Lines: an operation a line, committed as the lines come.

    {"head": "Ada", "relation": "works for", "tail": "Acme", "start": "2019", "end": ""}
    {"op": "upsert", "head": "Ada", "relation": "works for", "tail": "Bolt", "start": "2024-04-01"}
    {"op": "remove", "head": "Ada", "relation": "works for", "tail": "Acme"}
    {"op": "correct", "head": "Ada", "relation": "works for", "start": "2019", "to": {"start": "2018"}}
    {"op": "close", "head": "Bo", "relation": "works for", "at": "2024-03-31"}
    {"op": "append", "row": {"name": "Ada", "salary": "4200"}}
    {"op": "upsert", "row": {"name": "Ada", "salary": "4300"}, "key": ["name"]}

A line without `op` appends. `remove`, `correct` and `close` take `"all": true` where several facts fit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from cgstore.catalog.kinds import kind_named
from cgstore.change.changing import correction, qualifier_pairs
from cgstore.change.commit import commit
from cgstore.change.facts import fact_of_text
from cgstore.change.operations import (
    KEYS,
    AnyOperation,
    Append,
    Close,
    OfLines,
    Remove,
    Selection,
    Upsert,
    fact_key,
    naming,
)
from cgstore.change.report import ChangeReport, report_of
from cgstore.change.rows import PutRows, check_columns
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.readers.frame import NoText, text_of
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.tkg_notes import TimeNotes
from cgstore.model import Role, Source

MOST = 1_000
"""Lines that one change takes, where they come faster than changes are committed."""

Line = str | Mapping[str, Any] | None
"""A line of JSON, or what it says; None where no line waits."""

Numbered = tuple[int, str]
"""A line with its number, from 1."""

_SELECTING = (*KEYS, "start", "end")


def operations_of(source: Source, lines: Sequence[Numbered], notes: TimeNotes) -> list[AnyOperation]:
    """The operations of some numbered lines; neighbours that append are one."""
    said: list[tuple[int, AnyOperation]] = []
    for number, text in lines:
        with naming(f"Line {number}"):
            said.append((number, _operation(source, text, notes)))
    found: list[AnyOperation] = []
    for appends, some in groupby(said, lambda each: isinstance(each[1], Append)):
        of_lines = list(some)
        if appends:
            facts = [fact for _, one in of_lines if isinstance(one, Append) for fact in one.facts]
            found.append(OfLines(of_lines[0][0], of_lines[-1][0], Append(facts)))
        else:
            found += [OfLines(number, number, one) for number, one in of_lines]
    return found


def _operation(source: Source, text: str, notes: TimeNotes) -> AnyOperation:
    try:
        said = json.loads(text)
    except ValueError as error:
        raise BadInput(f"this is not JSON: {error}", "Each line is a JSON object.") from error
    if not isinstance(said, dict):
        raise BadInput("this is not a JSON object.", 'Such as {"op": "append", "head": "Ada", ...}.')
    op = said.pop("op", "append")
    every = said.pop("all", False)
    if not isinstance(every, bool):
        raise BadInput("'all' is neither true nor false.")
    if op in ("append", "upsert"):
        return _put(source, said, notes, is_upsert=op == "upsert")
    if op == "remove":
        return Remove(_selection(said), every)
    if op == "correct":
        to = said.pop("to", None)
        if not isinstance(to, Mapping):
            raise BadInput("'to' is missing.", 'Give the correction: "to": {"tail": "Acme"}.')
        return correction(_selection(said), to, every, notes)
    if op == "close":
        at = said.pop("at", None)
        if at is None:
            raise BadInput("'at' is missing.", 'Say when it ended: "at": "2024-03-31".')
        return Close(_selection(said), str(at), every)
    raise BadInput(f"'{op}' is not an operation.", "There are append, upsert, remove, correct and close.")


def _put(source: Source, said: dict[str, Any], notes: TimeNotes, *, is_upsert: bool) -> AnyOperation:
    key = said.pop("key", None)
    if kind_named(source.kind).has_rows:
        return PutRows([_row(source, said, key if is_upsert else None)], tuple(key or ()))
    fact = fact_of_text(source, json.dumps(said, ensure_ascii=False), notes)
    if not is_upsert:
        return Append([fact])
    return Upsert([fact], fact_key(key or ()))


def _row(source: Source, said: dict[str, Any], key: Any) -> dict[str, Statement]:
    row = said.get("row")
    if not isinstance(row, dict):
        raise BadInput(f"'{source.name}' is a table, and 'row' is missing.", 'Such as {"row": {"name": "Ada"}}.')
    check_columns(source, list(row), key)
    try:
        cells = {str(column): text_of(value).strip() for column, value in row.items()}
    except NoText as error:
        raise BadInput(str(error)) from error
    return {column: Statement("", column, text, (), Role.LINE, Role.VALUE) for column, text in cells.items()}


def _selection(said: dict[str, Any]) -> Selection:
    qualifiers = said.pop("qualifiers", None) or {}
    if unknown := [part for part in said if part not in _SELECTING]:
        raise BadInput(
            f"'{unknown[0]}' does not say which fact is meant.", f"There are {', '.join(_SELECTING)} and qualifiers."
        )
    if "head" not in said:
        raise BadInput("'head' is missing.", "Give at least the head of the fact.")
    parts = {part: str(value) for part, value in said.items() if value is not None}
    return Selection(**parts, qualifiers=qualifier_pairs(qualifiers))


def change_by_lines(
    db: Database,
    stored: str,
    source: Source,
    lines: Iterable[Line],
    *,
    together: bool,
    dry_run: bool,
    command: str,
) -> Iterator[ChangeReport]:
    """Commits lines as they come, or all together; see `cgstore.store.Store.apply`."""

    def committed(batch: Sequence[Numbered]) -> ChangeReport:
        began, notes = time.monotonic(), TimeNotes()
        one = commit(db, stored, operations_of(source, batch, notes), command, dry_run=dry_run)
        return report_of(source.name, [one], began, notes.sentences(), dry_run=dry_run)

    if together:
        batch = [line for line in _numbered(lines) if line is not None]
        yield committed(batch)
        return
    for batch in _batches(_numbered(lines)):
        try:
            yield committed(batch)
        except BadInput:  # line by line, up to the one that does not fit
            yield from (committed([line]) for line in batch)


def _numbered(lines: Iterable[Line]) -> Iterator[Numbered | None]:
    """The lines that are not blank, with their numbers; None where no line waits."""
    if isinstance(lines, str | Mapping) or not isinstance(lines, Iterable):
        raise BadInput("`lines` is not several lines.", "Give a list of dicts or of JSON texts, or an open file.")
    number = 0
    for line in lines:
        if line is None:
            yield None
            continue
        number += 1
        text = line if isinstance(line, str) else json.dumps(line, default=str, ensure_ascii=False)
        if text.strip():
            yield number, text


def _batches(lines: Iterable[Numbered | None], most: int = MOST) -> Iterator[list[Numbered]]:
    """Lines in batches: as many as came, at most `most`."""
    batch: list[Numbered] = []
    for line in lines:
        if line is not None:
            batch.append(line)
        if batch and (line is None or len(batch) >= most):
            yield batch
            batch = []
    if batch:
        yield batch
