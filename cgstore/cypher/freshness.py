"""The version of a graph: one number that every load, drop and change raises.

An answer counts only if its statement ended at the version of the graph by which the program's names were mapped; else
the names are looked up again, and if anything about them or their sources is different, the program runs again. So
names may be remembered between programs, and no answer is given of a source that was dropped, replaced or changed
while it was read.
"""

from __future__ import annotations

from cgstore.cypher.connection import Database, insist

RAISE_VERSION = "MERGE (graph:CgMeta {name: 'graph'}) SET graph.version = coalesce(graph.version, 0) + 1"
"""Raises the version. It comes last in its transaction, since all others wait for the node until that ends."""

VERSION = "OPTIONAL MATCH (graph:CgMeta {name: 'graph'})"
"""Binds the node with the `version`; a graph that nothing was loaded into has none."""

STATE_OF = "toString(s.loaded) + coalesce(' ' + toString(s.change), '')"
"""An expression for the state of a source s: it is another one after each load and each change."""

CHANGING = "changing "
"""The prefix of the mark of a source whose change is being committed."""


def raise_version(db: Database) -> None:
    """Increases the version in its own transaction, after one that made sources ready or marked them for a drop.

    A reader who sees the new version sees all of the earlier transaction.
    """
    insist(db, lambda tx: tx.run(RAISE_VERSION).consume())
