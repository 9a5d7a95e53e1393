"""Checks one source: reads its facts into a temporary file, and looks there for what contradicts itself (read-only)."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from cgstore.catalog.kinds import kind_named
from cgstore.checks.cells import equal_rows, other_values, repeated_keys
from cgstore.checks.holders import Side
from cgstore.checks.names import alike_names
from cgstore.checks.report import LIMIT, CheckReport, FindingKind, Findings
from cgstore.checks.stage import CheckStage
from cgstore.checks.times import Given, TimeCheck
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, setting
from cgstore.export.read import Chosen, choose, read_source
from cgstore.model import Source
from cgstore.observe.progress import bar
from cgstore.text.kinds import ValueKind
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import many

_RELATIONS = """
MATCH (r:CgRelation) USING INDEX r:CgRelation(source) WHERE r.source = $source
RETURN r.name AS name, r.kind AS kind ORDER BY name
"""

_CHECKED = "CREATE TABLE checked (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_text INTEGER)"

PASSES = 4
"""How often every period is compared: twice for each side of its fact."""


def check_source(
    db: Database,
    name: str,
    *,
    relations: Sequence[str] | None = None,
    one_tail: Sequence[str] = (),
    one_head: Sequence[str] = (),
    limit: int = LIMIT,
    progress: bool = False,
) -> CheckReport:
    """Lists what contradicts itself in a source, or looks as if it did.

    Args:
        relations: the relations, or columns, that are checked; all when None.
        one_tail: relations of which a head has one tail at a time, whatever the facts show.
        one_head: relations of which a tail has one head at a time.
        limit: findings of a kind that are listed.

    Raises:
        BadInput: the source is missing, not ready, or has no facts; or it has no such relation.
    """
    began = time.monotonic()
    chosen = choose(db, name)
    source, kind = chosen.source, kind_named(chosen.source.kind)
    if not kind.has_facts:
        raise BadInput(f"Source '{name}' has {kind.name} and no facts.", "Check the source that these are names of.")
    if kind.has_rows and (one_tail or one_head):
        raise BadInput("A table has no heads and tails.", f"Leave {setting('one-tail')} and {setting('one-head')} out.")
    kinds = _kinds(db, chosen, [*(relations or ()), *one_tail, *one_head])
    checked = {each: kinds[each] for each in (kinds if relations is None else relations)}
    with CheckStage() as stage:
        read_source(db, chosen, stage, iris=False, progress=progress)
        stage.sql.execute(_CHECKED)
        rows = [(each, not kind) for each, kind in checked.items()]
        stage.sql.executemany("INSERT INTO checked (name, is_text) VALUES (?, ?)", rows)
        found: dict[FindingKind, Findings] = {}
        rules: list[str] = []
        notes: list[str] = []
        numeric = {each: kind for each, kind in checked.items() if kind}
        if kind.has_rows or numeric:
            stage.index()
        if kind.has_rows:
            found[FindingKind.ROWS] = equal_rows(stage, limit)
            found[FindingKind.KEY] = repeated_keys(stage, source, numeric, limit)
        else:
            given = {Side.TAIL: frozenset(one_tail), Side.HEAD: frozenset(one_head)}
            times = _time_check(stage, source, checked, given, limit, progress)
            found |= times[0]
            rules, notes = times[1], times[2]
        found[FindingKind.NAMES] = alike_names(stage, checked, limit, has_rows=kind.has_rows)
        found[FindingKind.VALUES] = other_values(stage, numeric, limit, has_rows=kind.has_rows)
    return CheckReport(
        source=source.name,
        kind=source.kind,
        facts=source.facts if kind.has_times else stage.fact_count,
        findings=tuple(finding for kind in FindingKind if kind in found for finding in found[kind].listed()),
        counts={kind.value: found[kind].count for kind in FindingKind if kind in found and found[kind].count},
        rules=tuple(rules),
        notes=tuple(notes),
        seconds=time.monotonic() - began,
    )


def _kinds(db: Database, chosen: Chosen, named: Sequence[str]) -> dict[str, str]:
    """The relations of a source with the kinds of their values, empty for texts; all that are named must be there."""
    own = kind_named(chosen.source.kind).own_relations
    rows = db.read(_RELATIONS, {"source": chosen.stored})
    kinds = {row["name"]: "" if row["kind"] == ValueKind.TEXT else row["kind"] or "" for row in rows}
    kinds = {name: kind for name, kind in kinds.items() if name not in own}
    for name in named:
        if name not in kinds:
            noun = kind_named(chosen.source.kind).relations_noun[:-1]
            hint = did_you_mean(name, kinds, f"`cgstore describe {chosen.source.name}` lists them.")
            raise BadInput(f"Source '{chosen.source.name}' has no {noun} '{name}'.", hint)
    return kinds


def _time_check(
    stage: CheckStage, source: Source, relations: Collection[str], given: Given, limit: int, progress: bool
) -> tuple[dict[FindingKind, Findings], list[str], list[str]]:
    """The findings about times, with the rules and the notes."""
    with bar("sort", "facts", stage.fact_count, show=progress) as shown:
        stage.add_periods(source, relations, shown)
    with bar("compare", "facts", PASSES * stage.period_count, show=progress) as shown:
        check = TimeCheck(stage, source.name, kind_named(source.kind).has_times, given, limit, shown.update)
        found = check.run()
    notes = []
    if check.touches:
        times = "once" if check.touches == 1 else f"{check.touches:,} times"
        notes.append(f"A fact begins at the time at which the one before it ends, {times}: that counts as a change.")
    if stage.qualified and any(given.values()):
        few = many(stage.qualified, "fact with qualifiers was", "facts with qualifiers were")
        notes.append(f"{few} not compared with others: a qualifier may say when, or in what sense, it holds.")
    return found, check.rules, notes
