"""`load graph`: another Neo4j as a source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.catalog.registry import check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.load import load_facts
from cgstore.loaders.readers.neo4j import read_graph
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.options import LoadOptions
from cgstore.source_kinds import GRAPH


@dataclass(frozen=True)
class GraphOptions(LoadOptions):
    """The options of `load graph`; the name must be given where the other database has none.

    Attributes:
        labels: of the nodes to take; all when empty.
        types: of the relationships to take; all when empty.
        name_property: the node property that names a node; None takes what `read_graph` finds.
    """

    labels: Sequence[str] = ()
    types: Sequence[str] = ()
    name_property: str | None = None


_DEFAULTS = GraphOptions()


def load_graph(to: Database | Target, origin: Database, options: GraphOptions = _DEFAULTS) -> LoadReport:
    """Loads another Neo4j as a source.

    Relationships are facts, node properties and labels too, and relationship properties are qualifiers.

    Args:
        to: where to.
        origin: the other database.
        options: of the load.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: a database went away for good; the same call goes on.
    """
    name = options.name or origin.name
    if not name:
        raise BadInput("The source has no name.", "Say it with --name.")
    check_source_name(name)
    warnings: list[str] = []
    labels, types = ([each] if isinstance(each, str) else each for each in (options.labels, options.types))
    items = read_graph(origin, labels=labels, types=types, name_property=options.name_property, warnings=warnings)
    with target_of(to, options) as target:
        return load_facts(target, GRAPH, name, Path(f"{name}.graph"), items, options, warnings)
