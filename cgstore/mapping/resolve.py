"""The names of a program -> the nodes that they mean, in one round trip: by exact key, then by normalised name.

A relation or key is sought among those of the sources asked, and means all of them where several sources have it. Any
other name is sought among the shared nodes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.kinds import Kind as ValueKind
from cgstore.mapping import asked
from cgstore.mapping.cells import BY_NUMBER, Cells, read_cells
from cgstore.mapping.closest import closest_names
from cgstore.mapping.likeness import nearest
from cgstore.mapping.used import Candidate, used
from cgstore.model import Mapping, TimeKey
from cgstore.names import normal_form, owned_key, relation_forms, shared_key
from cgstore.query.ast import Place, Program
from cgstore.query.comparisons import is_superlative
from cgstore.query.execution import Asked, Named, Names
from cgstore.query.literals import NameRole, NameUse, is_time_name, name_uses
from cgstore.query.parse import ProgramError
from cgstore.values import read_span

_LOOK_UP = (
    f"""\
{asked.ASKED}\
WITH collect({{name: name, state: state, kind: kind, format: format}}) AS sources
CALL (sources) {{
  UNWIND sources AS source
  CALL (source) {{
    MATCH (n:Relation {{source: source.name}})
    RETURN n
    UNION
    MATCH (n:Key {{source: source.name}})
    RETURN n
  }}
  RETURN collect(n {{.key, .name, .source, .step, .kind, is_relation: n:Relation, is_key: n:Key}}) AS owned
}}
"""
    """\
CALL () {
  UNWIND $keys AS key
  MATCH (n:Node {key: key})
  RETURN collect(n {.key, .name}) AS exact
}
CALL () {
  UNWIND $forms AS form
  MATCH (n:Node {normal: form})
  WHERE n.source IS NULL
  RETURN collect(n {.key, .name, .normal}) AS normalised
}
RETURN sources, owned, exact, normalised"""
)


TABLE, TEMPORAL = "table", "tkg"
"""The kinds of sources that have columns, and times."""


NORMALISED = 0.9
"""The score of a name that is the same but for case, accents and punctuation."""

Found = tuple[list[dict[str, Any]], str, float]
"""Nodes, how they were found, and how alike they are to the name."""


class UnmappedName(ProgramError):
    """A name in a program that no node has; `closest` are the nearest that there are."""

    closest: tuple[str, ...] = ()


@dataclass
class Resolution:
    """The sources asked with all their relations, and for every literal by its place the nodes that it means."""

    asked: Asked
    names: dict[Place, Names] = field(default_factory=dict)
    mappings: list[Mapping] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def resolve(
    db: Database, program: Program, sources: Sequence[str] | None = None, nearest: float | None = None
) -> Resolution:
    """Maps every name of a program.

    Args:
        db: the database.
        program: what was parsed.
        sources: names of the sources asked; all that are ready when None.
        nearest: the least likeness, from 0 to 1, at which a name that no node has is taken for the nearest that there
            is, with a warning; None: never.

    Raises:
        BadInput: a source asked for is not there or not ready, or nothing is loaded.
        UnmappedName: a name has no node.
    """
    uses = name_uses(program)
    texts = sorted({use.literal.text for use in uses if use.role is NameRole.ENTITY})
    named = {"keys": [shared_key(t) for t in texts], "forms": [normal_form(t) for t in texts]}
    found = db.read(_LOOK_UP, named | asked.parameters(sources))[0]
    ready = asked.choose_ready(db, found["sources"], sources)
    kinds = {source["name"]: source["kind"] for source in found["sources"]}
    owned = [node | _place(node, kinds[node["source"]]) for node in found["owned"] if node["source"] in ready]
    relations = _names([node for node in owned if node["is_relation"]])
    resolution = Resolution(Asked(ready, relations, only_tables=all(kinds[name] == TABLE for name in ready)))
    resolver = _Resolver(db, program, resolution, owned, found, nearest)
    if nearest is not None and resolution.asked.only_tables and texts:
        resolver.cells = read_cells(db, resolution.asked.relations)
    else:
        resolver.look_at_twins(uses)
    for use in uses:
        resolver.add(use)
    return resolution


def _place(node: dict[str, Any], kind: str) -> dict[str, bool]:
    """What a relation or key is by the kind of its source: a table's column, a built-in key of temporal facts."""
    built_in = kind == TEMPORAL and node["is_key"] and node["name"] in {key.value for key in TimeKey}
    return {"column": kind == TABLE, "built_in": built_in}


def _names(nodes: Sequence[dict[str, Any]], *, exact: bool = True) -> Names:
    return Names(tuple(_named(node) for node in sorted(nodes, key=lambda node: str(node["key"]))), exact=exact)


def _named(node: dict[str, Any]) -> Named:
    return Named(
        node["key"],
        node["name"],
        kind=ValueKind(node.get("kind") or ValueKind.TEXT),
        step=node.get("step"),
        column=node.get("column", False),
        of_heads=node.get("is_relation", True),
        of_facts=node.get("is_key", False),
        built_in=node.get("built_in", False),
    )


class _Resolver:
    def __init__(
        self,
        db: Database,
        program: Program,
        resolution: Resolution,
        owned: list[dict[str, Any]],
        found: dict[str, Any],
        least: float | None,
    ) -> None:
        self.nearest = least
        self.cells: Cells | None = None
        self.used: set[Candidate] = set()
        self.db, self.program, self.resolution, self.owned = db, program, resolution, owned
        self.exact = {node["key"]: node for node in found["exact"]}
        self.normalised: dict[str, list[dict[str, Any]]] = {}
        for node in found["normalised"]:
            self.normalised.setdefault(node["normal"], []).append(node)

    def add(self, use: NameUse) -> None:
        if use.of_time_key and self.built_in_keys():
            return  # a time, which is compared as one
        nodes, how, score = self.entity(use) if use.role is NameRole.ENTITY else self.owned_nodes(use)
        if not nodes:
            text = use.literal.text
            if (
                how == BY_NUMBER
                or use.optional
                or (use.compared and (read_span(text) is not None or is_superlative(text)))
            ):
                return  # compared as a number or time, which needs no node
            raise self.unmapped(use)
        names = _names(nodes, exact=how != "nearest")
        self.resolution.names[use.literal.place] = names
        self.note(use, names, how, score)

    def note(self, use: NameUse, names: Names, how: str, score: float) -> None:
        """What was mapped to what, with a warning where that is no matter of course."""
        text, distinct = use.literal.text, tuple(dict.fromkeys(names.names))
        self.resolution.mappings += [Mapping(text, str(use.role), name, score, how) for name in distinct]
        if len(distinct) > 1:
            listed = ", ".join(f"'{n}'" for n in sorted(distinct)[:5])
            self.resolution.warnings.append(f"'{text}' is ambiguous and was taken for all of: {listed}.")
        if how == "nearest":
            self.resolution.warnings.append(f"No {use.role} is named '{text}'; the nearest was taken: '{distinct[0]}'.")

    def owned_nodes(self, use: NameUse) -> Found:
        text, forms = use.literal.text, relation_forms(use.literal.text)
        candidates = self.candidates(use)
        if exact := [node for node in candidates if node["name"] == text]:
            return exact, "exact", 1.0
        if same := [node for node in candidates if relation_forms(node["name"]) & forms]:
            return same, "normalised", NORMALISED
        near = nearest(text, sorted({n["name"] for n in candidates})) if self.nearest is not None else None
        if near is None or near[1] < (self.nearest or 0.0):
            return [], "", 0.0
        return [node for node in candidates if node["name"] == near[0]], "nearest", round(near[1], 3)

    def candidates(self, use: NameUse) -> list[dict[str, Any]]:
        """A relation is no key; a built-in key is no relation of that name; any other key may be a relation."""
        if use.role is NameRole.RELATION:
            return [node for node in self.owned if node["is_relation"]]
        return (self.built_in_keys() if is_time_name(use.literal) else []) or self.owned

    def built_in_keys(self) -> list[dict[str, Any]]:
        """The keys of temporal facts: `time`, `start time`, `end time`."""
        return [node for node in self.owned if node["built_in"]]

    def entity(self, use: NameUse) -> Found:
        """By its exact name, then normalised; in a table, in the column that is asked first; then the nearest."""
        least = self.nearest if not use.optional else None
        if self.cells is not None:
            of = self.owned_nodes(NameUse(use.column, NameRole.KEY))[0] if use.column else []
            columns = [node["name"] for node in of]
            return self.cells.find(use.literal.text, columns, least)
        nodes, how = self.shared_nodes(use)
        if nodes or least is None or (use.compared and read_span(use.literal.text) is not None):
            return nodes, how, 1.0 if how == "exact" else NORMALISED
        near = closest_names(self.db, use.literal.text, self.resolution.asked.sources, 1)
        scored = nearest(use.literal.text, near)
        if scored is None or scored[1] < least:
            return [], "", 0.0
        return [{"key": shared_key(scored[0]), "name": scored[0]}], "nearest", round(scored[1], 3)

    def look_at_twins(self, uses: Sequence[NameUse]) -> None:
        """Finds out which of several spellings of a name the sources asked use, where there are several."""
        candidates = [
            self.candidate(use, node)
            for use in uses
            if use.role is NameRole.ENTITY and len(twins := self.twins(use.literal.text)) > 1
            for node in twins
        ]
        self.used = used(self.db, candidates, self.resolution.asked.sources) if candidates else set()

    def twins(self, text: str) -> list[dict[str, Any]]:
        """The nodes of that name, and those of the same normal form."""
        nodes = {node["key"]: node for node in self.normalised.get(normal_form(text), ())}
        if exact := self.exact.get(shared_key(text)):
            nodes[exact["key"]] = exact
        return list(nodes.values())

    def candidate(self, use: NameUse, node: dict[str, Any]) -> Candidate:
        """Where a node would be sought: in the column named, else anywhere in the sources asked."""
        column = self.owned_nodes(NameUse(use.column, NameRole.KEY))[0] if use.compared and use.column else []
        relations = tuple(n["key"] for n in column) or self.resolution.asked.relations.keys
        return Candidate(node["key"], relations, as_head=not column)

    def shared_nodes(self, use: NameUse) -> tuple[list[dict[str, Any]], str]:
        """The exact name; of several spellings one that is used, the same but for case before the same in words."""
        text = use.literal.text
        if line := re.fullmatch(r"\[line_\d+\]", text):
            sources = sorted({node["source"] for node in self.owned if node["column"]})
            return [{"key": owned_key(s, line[0]), "name": text, "column": True} for s in sources], "exact"
        twins = self.twins(text)
        here = [node for node in twins if self.candidate(use, node) in self.used] if len(twins) > 1 else twins
        for nodes in (here, twins):
            if exact := [node for node in nodes if node["name"] == text]:
                return exact, "exact"
            if same := [node for node in nodes if node["name"].casefold() == text.casefold()]:
                return same, "normalised"
            if nodes:
                return nodes, "normalised"
        return [], "normalised"

    def unmapped(self, use: NameUse) -> UnmappedName:
        text, place = use.literal.text, use.literal.place
        if use.role is NameRole.ENTITY:
            near = closest_names(self.db, text)
        else:
            near = tuple(
                difflib.get_close_matches(text, sorted({n["name"] for n in self.candidates(use)}), n=3, cutoff=0.4)
            )
        hint = f"Closest: {', '.join(repr(n) for n in near)}." if near else None
        error = UnmappedName(f"no {use.role} is named '{text}'", self.program.text, place, hint)
        error.closest = near
        return error
