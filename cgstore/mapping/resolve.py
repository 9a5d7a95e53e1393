"""The names of a program -> the nodes that they mean, in one round trip: by exact key, then by normalised name.

A relation or key is sought among those of the sources asked, and means all of them where several sources have it. Any
other name is sought among the shared nodes.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.mapping import asked
from cgstore.mapping.closest import closest_names
from cgstore.model import Mapping
from cgstore.names import normal_form, shared_key
from cgstore.query.ast import Place, Program
from cgstore.query.execution import Names
from cgstore.query.literals import NameRole, NameUse, is_time_name, name_uses
from cgstore.query.parse import ProgramError
from cgstore.values import read_span

_LOOK_UP = (
    f"""\
{asked.ASKED}\
WITH collect({{name: name, state: state}}) AS sources
CALL (sources) {{
  UNWIND sources AS source
  CALL (source) {{
    MATCH (n:Relation {{source: source.name}})
    RETURN n
    UNION
    MATCH (n:Key {{source: source.name}})
    RETURN n
  }}
  RETURN collect(n {{.key, .name, .source, .step, is_relation: n:Relation, is_key: n:Key}}) AS owned
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


class UnmappedName(ProgramError):
    """A name in a program that no node has; `closest` are the nearest that there are."""

    closest: tuple[str, ...] = ()


@dataclass
class Resolution:
    """The sources asked, all their relations, and for every literal by its place the nodes that it means."""

    sources: tuple[str, ...]
    relations: Names
    names: dict[Place, Names] = field(default_factory=dict)
    mappings: list[Mapping] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def resolve(db: Database, program: Program, sources: Sequence[str] | None = None) -> Resolution:
    """Maps every name of a program.

    Args:
        db: the database.
        program: what was parsed.
        sources: names of the sources asked; all that are ready when None.

    Raises:
        BadInput: a source asked for is not there or not ready, or nothing is loaded.
        UnmappedName: a name has no node.
    """
    uses = name_uses(program)
    texts = sorted({use.literal.text for use in uses if use.role is NameRole.ENTITY})
    named = {"keys": [shared_key(t) for t in texts], "forms": [normal_form(t) for t in texts]}
    found = db.read(_LOOK_UP, named | asked.parameters(sources))[0]
    ready = asked.choose_ready(db, found["sources"], sources)
    owned = [node for node in found["owned"] if node["source"] in ready]
    resolution = Resolution(ready, _names([node for node in owned if node["is_relation"]]))
    resolver = _Resolver(db, program, resolution, owned, found)
    for use in uses:
        resolver.add(use)
    return resolution


def _names(nodes: Sequence[dict[str, Any]]) -> Names:
    ordered = sorted(nodes, key=lambda node: node["key"])
    keys, names = tuple(n["key"] for n in ordered), tuple(n["name"] for n in ordered)
    return Names(keys, names, steps=tuple(sorted({n["step"] for n in ordered if n.get("step")})))


class _Resolver:
    def __init__(
        self,
        db: Database,
        program: Program,
        resolution: Resolution,
        owned: list[dict[str, Any]],
        found: dict[str, Any],
    ) -> None:
        self.db, self.program, self.resolution, self.owned = db, program, resolution, owned
        self.exact = {node["key"]: node for node in found["exact"]}
        self.normalised: dict[str, list[dict[str, Any]]] = {}
        for node in found["normalised"]:
            self.normalised.setdefault(node["normal"], []).append(node)

    def add(self, use: NameUse) -> None:
        text = use.literal.text
        nodes, how = self.shared_nodes(text) if use.role is NameRole.ENTITY else self.owned_nodes(use)
        if not nodes:
            if use.compared and read_span(text) is not None:
                return  # compared as a number or time, which needs no node
            raise self.unmapped(use)
        names = _names(nodes)
        self.resolution.names[use.literal.place] = names
        for name in dict.fromkeys(names.names):
            self.resolution.mappings.append(Mapping(text, str(use.role), name, 1.0 if how == "exact" else 0.9, how))
        if len(set(names.names)) > 1:
            listed = ", ".join(f"'{n}'" for n in sorted(set(names.names))[:5])
            self.resolution.warnings.append(f"'{text}' is ambiguous and was taken for all of: {listed}.")

    def owned_nodes(self, use: NameUse) -> tuple[list[dict[str, Any]], str]:
        text, form = use.literal.text, normal_form(use.literal.text)
        candidates = self.candidates(use)
        exact = [node for node in candidates if node["name"] == text]
        return (exact, "exact") if exact else ([n for n in candidates if normal_form(n["name"]) == form], "normalised")

    def candidates(self, use: NameUse) -> list[dict[str, Any]]:
        """A relation is no key; a built-in key is no relation of that name; any other key may be a relation."""
        if use.role is NameRole.RELATION:
            return [node for node in self.owned if node["is_relation"]]
        return [node for node in self.owned if node["is_key"]] if is_time_name(use.literal) else self.owned

    def shared_nodes(self, text: str) -> tuple[list[dict[str, Any]], str]:
        if node := self.exact.get(shared_key(text)):
            return [node], "exact"
        return self.normalised.get(normal_form(text), []), "normalised"

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
