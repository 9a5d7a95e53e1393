"""The sources that a program is asked of, and which of them a call means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from cgstore.model import ROW_NUMBER
from cgstore.query.ast import Literal
from cgstore.query.operands import Names
from cgstore.query.parse import ProgramError
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import relation_forms, source_name

NOW = 2**62
"""A number that no change reaches."""

MOST_LISTED = 5
"""How many sources a sentence lists."""


@dataclass(frozen=True)
class SourceScope:
    """The sources that a program is asked of: their names as the graph has them, and their relations.

    `only_tables`: all of them are tables. `changes`: the number of the change after which each source is asked for what
    it had then, parallel; None where they are asked for what they have now. `nows`: until when the open facts of a
    source hold, if it has any. `unpaired`: temporal sources that do not say which end belongs to which start.
    `exact`: those whose starts and ends are all as exact as their time step.
    """

    sources: tuple[str, ...]
    relations: Names
    only_tables: bool = False
    changes: tuple[int, ...] | None = None
    nows: Mapping[str, str] = field(default_factory=dict)
    unpaired: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()

    def stored(self, name: str) -> str | None:
        """The stored name of a source asked, by the one that users know; None where no such source is asked."""
        return next((source for source in self.sources if source_name(source) == name), None)

    def only(self, source: str) -> SourceScope:
        """Returns the scope of this source alone."""
        relations = self.relations.of({source})
        tables = {node.source for node in self.relations.nodes if node.column}
        changes = None if self.changes is None else (self.changes[self.sources.index(source)],)
        only_tables = source in tables or self.only_tables
        return replace(self, sources=(source,), relations=relations, only_tables=only_tables, changes=changes)

    @property
    def changes_by_name(self) -> dict[str, int]:
        """The number of the change after which each source is asked, by its stored name; `NOW` for all changes."""
        return dict(zip(self.sources, self.changes or [NOW] * len(self.sources), strict=True))

    @property
    def columns(self) -> Names:
        """The relations that are columns of tables, row numbers left out."""
        return Names(tuple(node for node in self.relations.nodes if node.column and node.name != ROW_NUMBER))

    @property
    def row_numbers(self) -> Names:
        """The relations between a table's rows and their numbers."""
        return Names(tuple(node for node in self.relations.nodes if node.column and node.name == ROW_NUMBER))


def find_source(literal: Literal, asked: SourceScope, program: str) -> str:
    """The stored name of the source that a call says.

    Raises:
        ProgramError: no source of that name is asked.
    """
    stored = asked.stored(literal.text)
    if stored is None:
        names = sorted(map(source_name, asked.sources))
        hint = did_you_mean(literal.text, names, f"The sources asked: {list_sources(asked.sources)}.")
        raise ProgramError(f"none of the sources asked is named '{literal.text}'", program, literal.place, hint)
    return stored


def source_named_after(column: str, keys: Iterable[str], sources: Iterable[str]) -> str | None:
    """The source that a column is named after, whose keys its values are: `customer_id` after `customers` and `id`.

    The column has the name of the source, in the singular or the plural, with or without the key's name behind it; None
    where that is so of no source, or of several.
    """
    forms = set(relation_forms(column))
    for key in keys:
        forms |= {form.removesuffix(f" {behind}") for form in relation_forms(column) for behind in relation_forms(key)}
    found = [source for source in sources if not _singulars(forms).isdisjoint(_singulars(_forms(source)))]
    return found[0] if len(found) == 1 else None


def list_sources(sources: Iterable[str]) -> str:
    """The sources as users know them: 'a', 'b' and 'c'."""
    names = [f"'{name}'" for name in sorted(map(source_name, sources))]
    if len(names) > MOST_LISTED:
        names = [*names[:MOST_LISTED], f"{len(names) - MOST_LISTED:,} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _forms(source: str) -> Iterable[str]:
    return relation_forms(source_name(source))


def _singulars(forms: Iterable[str]) -> set[str]:
    """The forms, and those that they may be the plural of."""
    found = set(forms)
    for form in forms:
        found |= {form.removesuffix("s"), form.removesuffix("es")}
        found |= {f"{form.removesuffix('ies')}y"} if form.endswith("ies") else set()
    return found - {""}
