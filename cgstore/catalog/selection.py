"""The sources that a question is about: from the names that users know to the stored names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.cypher.indexes import check_layout
from cgstore.errors import BadInput
from cgstore.model import FORMAT, SourceState
from cgstore.source_kinds import ALIASES, kind_named
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import VERSION, is_unicode, source_name

ASKED = f"""\
CALL () {{
  MATCH (s:CgSource) WHERE $asked IS NULL AND s.state = 'ready' AND s.kind <> '{ALIASES.name}'
  RETURN s.name AS name, s.state AS state, s.kind AS kind, s.format AS format,
    toString(s.loaded) AS loaded
  UNION
  UNWIND coalesce($asked, []) AS name
  MATCH (s:CgSource) WHERE s.name = name OR s.name STARTS WITH name + $version
  RETURN s.name AS name, s.state AS state, s.kind AS kind, s.format AS format,
    toString(s.loaded) AS loaded
}}
"""
"""One row for each source asked, with the parameters of `parameters`: its (stored) `name`, `state`, `kind`, `format`,
and when it was `loaded`; one of aliases only if it is named, which `choose_ready` refuses."""


def parameters(asked: Sequence[str] | None) -> dict[str, Any]:
    """The parameters of `ASKED`; None asks all sources that are ready."""
    for name in asked or ():
        if not is_unicode(name):
            raise BadInput("The name of a source is not valid Unicode.")
    return {"asked": None if asked is None else list(dict.fromkeys(asked)), "version": VERSION}


def ready_sources(db: Database, asked: Sequence[str] | None = None, *, aliases: bool = False) -> tuple[str, ...]:
    """The stored names of the sources to answer from, by one statement; see `choose_ready`."""
    rows = db.read(f"{ASKED}RETURN name, state, kind, format", parameters(asked))
    return choose_ready(db, rows, asked, aliases=aliases)


def choose_ready(
    db: Database, found: Iterable[dict[str, Any]], asked: Sequence[str] | None, *, aliases: bool = False
) -> tuple[str, ...]:
    """The stored names of the sources to answer from, given the rows of `ASKED`.

    Args:
        db: the database, for names that are similar to a missing one.
        found: the rows.
        asked: names of the sources; all that are ready, except those of aliases, when None.
        aliases: whether sources of aliases may be asked for: they can be read, but not answered from.

    Raises:
        BadInput: a source asked for is missing, not ready or of aliases, or nothing is loaded at all.
    """
    rows = sorted(found, key=lambda row: bool(row["state"] == SourceState.READY))  # of its versions, this one counts
    ready = {source_name(row["name"]): row["name"] for row in rows if row["state"] == SourceState.READY}
    states = {source_name(row["name"]): row["state"] for row in rows}
    kinds = {source_name(row["name"]): row["kind"] for row in rows}
    for name in asked or ():
        if name not in states:
            raise _no_source(db, name)
        if not aliases and not kind_named(kinds[name]).has_facts:
            raise BadInput(
                f"Source '{name}' holds aliases, which every question uses; it has no facts to answer from.",
                "Ask the sources that have the facts, or all of them.",
            )
        if name not in ready:
            raise BadInput(
                f"Source '{name}' is {states[name]}, and is not answered from before it is ready.",
                "`cgstore sources` shows its state; give its load command again to complete it.",
            )
    for row in rows:
        if row["name"] in ready.values() and row["format"] != FORMAT:
            raise BadInput(
                f"Source '{source_name(row['name'])}' was loaded by another version of cgstore.",
                "Load it again, with --replace.",
            )
    if not ready:
        check_layout(db)
        raise BadInput("Nothing is loaded.", "Load something first: cgstore load tkg FILE")
    return tuple(ready[name] for name in (dict.fromkeys(asked) if asked else sorted(ready)))


def _no_source(db: Database, name: str) -> BadInput:
    check_layout(db)
    rows = db.read("MATCH (s:CgSource) RETURN s.name AS name")
    names = sorted({source_name(row["name"]) for row in rows})
    hint = did_you_mean(name, names, "`cgstore sources` lists what is loaded.")
    return BadInput(f"There is no source '{name}'.", hint)
