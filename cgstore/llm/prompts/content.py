"""What was read of the sources for one prompt, and how much of it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cgstore.catalog.kinds import kind_named
from cgstore.llm.fact_view import RelationFacts
from cgstore.llm.graph_view import Outline, Relation
from cgstore.llm.joins import Join
from cgstore.llm.prompts.quoting import quoted
from cgstore.llm.table_view import TableRows

EVALUATED = "eval/"
"""The names of the sources of `cgstore eval` begin so. They are not shown, since they tell where a question is from."""


@dataclass(frozen=True)
class Size:
    """How much of the sources is shown.

    Args:
        rows: most rows of each table.
        relations: most relations and columns of all sources together.
        examples: most relations of graphs with an example; 0 also leaves out the values and formats of columns.
    """

    rows: int
    relations: int
    examples: int


@dataclass(frozen=True)
class Shown:
    """A source with those of its relations that are shown."""

    outline: Outline
    relations: tuple[Relation, ...]

    @property
    def title(self) -> str:
        """The kind and the name of the source."""
        title, name = kind_named(self.outline.kind).title, self.outline.name
        return title if name.startswith(EVALUATED) else f"{title} {quoted(name)}"


@dataclass(frozen=True)
class Content:
    """What was read of the sources; data of a source stand under its name.

    Args:
        tables: the rows of tables.
        facts: the number of facts of relations with an example, by source and relation.
        times: the first and the last time of temporal sources.
        names: the names in the question, as cells have them.
        private: whether no cell and no fact may be shown.
        joins: the columns that have values of other sources.
    """

    tables: Mapping[str, TableRows] = field(default_factory=dict)
    facts: Mapping[tuple[str, str], RelationFacts] = field(default_factory=dict)
    times: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    private: bool = False
    joins: Sequence[Join] = ()
