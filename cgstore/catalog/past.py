"""Sources at an earlier time: after which change each of those asked is read, and what answers say of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cgstore.errors import BadInput, setting
from cgstore.notes import Detail
from cgstore.query.sources import MOST_LISTED
from cgstore.text.dates import PastTime, moment_name
from cgstore.text.names import many, source_name

HISTORY = """\
CALL (sources) {
  UNWIND sources AS source
  MATCH (s:CgSource {name: source.name})
  USING INDEX SEEK s:CgSource(name)
  CALL (s) {
    MATCH (c:CgChange {source: s.name})
    WHERE c.number <= coalesce(s.change, 0) AND c.number <= $change AND c.at <= datetime($until)
    RETURN c.number AS number, toString(c.at) AS at ORDER BY c.number DESC LIMIT 1
    UNION ALL
    RETURN 0 AS number, null AS at
  }
  WITH s, max(number) AS number, max(at) AS at
  RETURN collect({name: s.name, number: number, at: at, last: coalesce(s.change, 0), loaded: toString(s.loaded),
                  is_known: coalesce(s.loaded <= datetime($until), true)}) AS history
}
WITH *, datetime($begins) > datetime() AS is_future, datetime($until) < datetime() AS is_over
"""
"""Binds `history`, a map for each of `sources`: the `number` of its last change by then, 0 where there is none, when
that was (`at`), the number of its `last` change of all, when it was `loaded`, and whether by then (`is_known`)."""

MANY = 2**62
"""More changes than a source has."""


class Past(NamedTuple):
    """What is read of sources that are asked about a time.

    Attributes:
        sources: the stored names of those that were loaded by then.
        changes: the number of the last change of each by then; None where these are their last ones of all.
        notes: what an answer says of it.
        is_over: whether the time has passed, so that no source can come to it.
    """

    sources: tuple[str, ...]
    changes: tuple[int, ...] | None
    notes: tuple[str, ...]
    is_over: bool


def parameters_of_past(past: PastTime) -> dict[str, Any]:
    """The parameters of `HISTORY`."""
    change = MANY if past.change is None else past.change
    return {"change": change, "until": past.until, "begins": past.begins}


def past_of(past: PastTime, ready: Sequence[str], asked: Sequence[str] | None, found: dict[str, Any]) -> Past:
    """What is read of the sources asked.

    Args:
        past: the time.
        ready: the stored names of the sources asked, all of them ready.
        asked: their names as the user gave them; None where all that are ready are asked.
        found: the row of `HISTORY`.

    Raises:
        BadInput: the time lies ahead, a source asked for was loaded later, or there is no change of that number.
    """
    history = {row["name"]: row for row in found["history"]}
    rows = [history[name] for name in ready if name in history]
    if past.change is not None:
        return _after_change(past.change, rows)
    if found["is_future"]:
        raise BadInput(
            f"The time asked about lies ahead ({past.name}).", "Leave it out, to ask about what is known now."
        )
    later = [row for row in rows if not row["is_known"]]
    known = [row for row in rows if row["is_known"]]
    if later and (asked is not None or not known):
        raise BadInput(_is_later(later, past), "Ask about a later time: a replaced source has no past.")
    when = past.name if found["is_over"] else "now"
    notes: list[str] = [Detail("past", f"As known {when} ({_listed(map(_as_changed, known))}).")]
    notes += [f"Left out, as loaded after that time: {_listed(map(_as_loaded, later))}."] if later else []
    return _past(known, notes, found["is_over"])


def _after_change(number: int, rows: Sequence[dict[str, Any]]) -> Past:
    if len(rows) != 1:
        raise BadInput(
            f"'#{number}' is a change of one source, and {len(rows):,} are asked.",
            f"Name the source with {setting('source')}, or give a time, which all sources have.",
        )
    (row,) = rows
    name = source_name(row["name"])
    if number > row["last"]:
        has = f"has {many(row['last'], 'change')}" if row["last"] else "has no changes"
        raise BadInput(f"Source '{name}' {has}: there is no change {number:,}.", f"Give '#{row['last']}', or a time.")
    at = f", on {moment_name(row['at'])}" if row["at"] else ""
    note = f"As known after change {number:,} of '{name}'{at}." if number else f"As known when '{name}' was loaded."
    return _past(rows, [Detail("past", note)], is_over=True)


def _past(rows: Sequence[dict[str, Any]], notes: Sequence[str], is_over: bool) -> Past:
    is_last = all(row["number"] == row["last"] for row in rows)
    changes = None if is_last else tuple(row["number"] for row in rows)
    return Past(tuple(row["name"] for row in rows), changes, tuple(notes), is_over)


def _is_later(rows: Sequence[dict[str, Any]], past: PastTime) -> str:
    was = "Source" if len(rows) == 1 else "Sources"
    loaded = [f"'{source_name(row['name'])}' on {moment_name(row['loaded'])}" for row in rows]
    return f"{was} loaded after the time asked about ({past.name}): {_listed(loaded)}."


def _as_changed(row: dict[str, Any]) -> str:
    after = f"after change {row['number']:,}" if row["number"] else "as loaded"
    return f"{source_name(row['name'])}: {after}"


def _as_loaded(row: dict[str, Any]) -> str:
    return f"'{source_name(row['name'])}' ({moment_name(row['loaded'])})"


def _listed(texts: Iterable[str]) -> str:
    several = list(texts)
    more = [f"{len(several) - MOST_LISTED:,} more"] if len(several) > MOST_LISTED else []
    return "; ".join([*several[:MOST_LISTED], *more])
