"""`load graph`: another Neo4j as a source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from cgstore.catalog.registry import check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.load import Options, load_facts
from cgstore.loaders.readers.neo4j import read_graph
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import LoadReport
from cgstore.options import LoadKeywords
from cgstore.source_kinds import GRAPH


def load_graph(
    to: Database | Target,
    origin: Database,
    *,
    labels: Sequence[str] = (),
    types: Sequence[str] = (),
    name_property: str | None = None,
    **options: Unpack[LoadKeywords],
) -> LoadReport:
    """Loads another Neo4j as a source.

    Relationships are facts, node properties and labels too, and relationship properties are qualifiers.

    Args:
        to: where to.
        origin: the other database.
        labels: of the nodes to take; all when empty.
        types: of the relationships to take; all when empty.
        name_property: the node property that names a node; None takes what `read_graph` finds.
        options: see `cgstore.loaders.load.Options`; `name` must be given.

    Raises:
        BadInput: the input cannot be used; nothing was written.
        NoDatabase: a database went away for good; the same call goes on.
    """
    said = Options(**options)
    name = said.name or origin.name
    if not name:
        raise BadInput("The source has no name.", "Say it with --name.")
    check_source_name(name)
    warnings: list[str] = []
    labels, types = ([each] if isinstance(each, str) else each for each in (labels, types))
    items = read_graph(origin, labels=labels, types=types, name_property=name_property, warnings=warnings)
    with target_of(to) as target:
        return load_facts(target, GRAPH.name, name, Path(f"{name}.graph"), items, said, warnings)
