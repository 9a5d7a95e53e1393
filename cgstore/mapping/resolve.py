"""The names of a program -> the nodes that they mean: by exact key, then by normalised name.

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
from cgstore.mapping.candidates import entity_candidates, relation_candidates
from cgstore.mapping.cells import BY_NUMBER, Cells, read_cells
from cgstore.mapping.closest import closest_names
from cgstore.mapping.look_up import Found, names_of
from cgstore.mapping.used import Candidate, used
from cgstore.model import Mapping
from cgstore.names import owned_key, relation_forms
from cgstore.query.ast import Place, Program
from cgstore.query.comparisons import is_superlative
from cgstore.query.execution import Asked, Names
from cgstore.query.literals import NameRole, NameUse, is_time_name, name_uses
from cgstore.query.parse import ProgramError
from cgstore.values import read_span

NORMALISED = 0.9
"""The score of a name that is the same but for case, accents and punctuation."""

Match = tuple[list[dict[str, Any]], str, float]
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


def resolve(db: Database, program: Program, found: Found, nearest: float | None = None) -> Resolution:
    """Maps every name of a program.

    Args:
        db: the database, for what `found` does not say: which of several spellings is used, what is nearest.
        program: what was parsed.
        found: what the graph has for its `entity_texts`.
        nearest: the least likeness, from 0 to 1, at which a name that no node has is taken for the nearest that there
            is, with a warning; None: never.

    Raises:
        UnmappedName: a name has no node.
    """
    uses = name_uses(program)
    resolution = Resolution(found.schema.asked)
    resolver = _Resolver(db, program, resolution, found, nearest)
    if nearest is not None and resolution.asked.only_tables and found.texts:
        resolver.cells = read_cells(db, resolution.asked.relations)
    else:
        resolver.look_at_twins(uses)
    for use in uses:
        resolver.add(use)
    return resolution


def entity_texts(program: Program) -> list[str]:
    """The literals of a program that may be names of entities or values, in order."""
    return sorted({use.literal.text for use in name_uses(program) if use.role is NameRole.ENTITY})


class _Resolver:
    def __init__(
        self, db: Database, program: Program, resolution: Resolution, found: Found, least: float | None
    ) -> None:
        self.nearest = least
        self.cells: Cells | None = None
        self.used: set[Candidate] = set()
        self.db, self.program, self.resolution = db, program, resolution
        self.owned, self.texts = found.schema.owned, found.texts

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
        names = names_of(nodes, exact=how != "nearest")
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

    def owned_nodes(self, use: NameUse) -> Match:
        text, forms = use.literal.text, relation_forms(use.literal.text)
        candidates = self.candidates(use)
        if exact := [node for node in candidates if node["name"] == text]:
            return exact, "exact", 1.0
        if same := [node for node in candidates if relation_forms(node["name"]) & forms]:
            return same, "normalised", NORMALISED
        near = relation_candidates(text, candidates, top=1) if self.nearest is not None else []
        if not near or near[0].score < (self.nearest or 0.0):
            return [], "", 0.0
        return [node for node in candidates if node["name"] == near[0].name], "nearest", round(near[0].score, 3)

    def candidates(self, use: NameUse) -> list[dict[str, Any]]:
        """A relation is no key; a built-in key is no relation of that name; any other key may be a relation."""
        if use.role is NameRole.RELATION:
            return [node for node in self.owned if node["is_relation"]]
        return (self.built_in_keys() if is_time_name(use.literal) else []) or list(self.owned)

    def built_in_keys(self) -> list[dict[str, Any]]:
        """The keys of temporal facts: `time`, `start time`, `end time`."""
        return [node for node in self.owned if node["built_in"]]

    def entity(self, use: NameUse) -> Match:
        """By its exact name, then normalised; in a table, in the column that is asked first; then the nearest."""
        least = self.nearest if not use.optional else None
        if self.cells is not None:
            of = self.owned_nodes(NameUse(use.column, NameRole.KEY))[0] if use.column else []
            columns = [node["name"] for node in of]
            return self.cells.find(use.literal.text, columns, least)
        nodes, how = self.shared_nodes(use)
        if nodes or least is None or (use.compared and read_span(use.literal.text) is not None):
            return nodes, how, 1.0 if how == "exact" else NORMALISED
        (near,) = entity_candidates(self.db, [use.literal.text], self.resolution.asked.sources, top=1)
        if not near or near[0].score < least:
            return [], "", 0.0
        return [{"key": near[0].key, "name": near[0].name}], "nearest", round(near[0].score, 3)

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
        exact, alike = self.texts[text]
        nodes = {node["key"]: node for node in alike}
        if exact:
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
