"""The schema of the graph: the version of its layout, and the constraints and indexes.

Composite range indexes on CG_VALUE answer every search from the relationship index alone, with no expansion of a hub:
(node1, head), (node1, node2), (node1, num), and (node1, relation, num) for the times that facts of one relation have;
only triples whose condition is a whole fact have a `relation`, and only they are in that one. Mapping reads nodes by
`key` and by `normal`, the normalised name, whose words full text finds too, and relations and keys by their source;
and aliases, which are not nodes of the condition graph, by the normalised alias.

The labels, types, constraints and indexes of cgstore all begin with `Cg`, `CG_` or `cg_`, so that nothing else in the
same database is taken for its own. The first layout had no prefix (`Node`, `Source`, `VALUE`);
`cgstore.loaders.writer.upgrade` converts it. The node `(:CgMeta {name: 'cgstore', layout})` has the version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, QueryFailed, setting
from cgstore.observe.progress import waiting
from cgstore.text.names import many

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

LAYOUT_VERSION = 2

FIRST_SOURCE = "s:Source AND s.state IS NOT NULL AND s.fingerprint IS NOT NULL AND s.triples IS NOT NULL"
"""Tells a source of the first layout from other nodes with the label `Source`."""

FIRST_DEMONSTRATION = "d:Demonstration AND d.key IS NOT NULL AND d.normal IS NOT NULL AND d.source_kind IS NOT NULL"
"""Tells a demonstration of the first layout from other nodes with the label `Demonstration`."""

CONSTRAINTS = {
    "cg_node_key": "CREATE CONSTRAINT cg_node_key IF NOT EXISTS FOR (n:CgNode) REQUIRE n.key IS UNIQUE",
    "cg_source_name": "CREATE CONSTRAINT cg_source_name IF NOT EXISTS FOR (s:CgSource) REQUIRE s.name IS UNIQUE",
    "cg_alias_key": "CREATE CONSTRAINT cg_alias_key IF NOT EXISTS FOR (a:CgAlias) REQUIRE a.key IS UNIQUE",
    "cg_meta_name": "CREATE CONSTRAINT cg_meta_name IF NOT EXISTS FOR (m:CgMeta) REQUIRE m.name IS UNIQUE",
}

VALUE_INDEXES = {
    "cg_value_head": "CREATE INDEX cg_value_head IF NOT EXISTS FOR ()-[r:CG_VALUE]-() ON (r.node1, r.head)",
    "cg_value_node2": "CREATE INDEX cg_value_node2 IF NOT EXISTS FOR ()-[r:CG_VALUE]-() ON (r.node1, r.node2)",
    "cg_value_num": "CREATE INDEX cg_value_num IF NOT EXISTS FOR ()-[r:CG_VALUE]-() ON (r.node1, r.num)",
    "cg_value_relation": (
        "CREATE INDEX cg_value_relation IF NOT EXISTS FOR ()-[r:CG_VALUE]-() ON (r.node1, r.relation, r.num)"
    ),
    "cg_period_head": "CREATE INDEX cg_period_head IF NOT EXISTS FOR ()-[r:CG_PERIOD]-() ON (r.node1, r.head)",
    "cg_period_time": (
        "CREATE INDEX cg_period_time IF NOT EXISTS FOR ()-[r:CG_PERIOD]-() ON (r.node1, r.level, r.first)"
    ),
    "cg_period_relation": (
        "CREATE INDEX cg_period_relation IF NOT EXISTS FOR ()-[r:CG_PERIOD]-() "
        "ON (r.node1, r.relation, r.level, r.first)"
    ),
}

HISTORY_INDEXES = {
    name.replace("cg_", "cg_was_", 1): text.replace("cg_", "cg_was_", 1).replace(":CG_", ":CG_WAS_")
    for name, text in VALUE_INDEXES.items()
} | {
    "cg_change_source": "CREATE INDEX cg_change_source IF NOT EXISTS FOR (c:CgChange) ON (c.source, c.number)",
    "cg_change_input": "CREATE INDEX cg_change_input IF NOT EXISTS FOR (c:CgChange) ON (c.input)",
    "cg_change_wanting": "CREATE INDEX cg_change_wanting IF NOT EXISTS FOR (c:CgChange) ON (c.wanting)",
}
"""Indexes of changes, and of what they removed, so that the past can be searched like the present."""

NODE_INDEXES = {
    "cg_source_state": "CREATE INDEX cg_source_state IF NOT EXISTS FOR (s:CgSource) ON (s.state)",
    "cg_node_text": (
        "CREATE FULLTEXT INDEX cg_node_text IF NOT EXISTS FOR (n:CgEntity|CgValue) ON EACH [n.normal] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
    ),
    "cg_node_normal": "CREATE INDEX cg_node_normal IF NOT EXISTS FOR (n:CgNode) ON (n.normal)",
    "cg_relation_source": "CREATE INDEX cg_relation_source IF NOT EXISTS FOR (n:CgRelation) ON (n.source)",
    "cg_key_source": "CREATE INDEX cg_key_source IF NOT EXISTS FOR (n:CgKey) ON (n.source)",
    "cg_alias_normal": "CREATE INDEX cg_alias_normal IF NOT EXISTS FOR (a:CgAlias) ON (a.normal)",
}

INDEXES = VALUE_INDEXES | HISTORY_INDEXES | NODE_INDEXES

INDEX_TIMEOUT = 3600
"""Seconds that building the indexes may take before we give up waiting."""


def ensure_constraints(db: Database) -> None:
    """Creates the unique constraints, which loading itself needs, unless this connection has seen them already.

    Several loads may call this at once.

    Raises:
        BadInput: another version of cgstore has written this graph.
        QueryFailed: somebody else's nodes have one of cgstore's labels, and break its constraint.
    """
    version = check_layout(db)
    if not db.has_constraints:
        if _missing(db, CONSTRAINTS):
            create_constraints(db)
        db.has_constraints = True
    if version != LAYOUT_VERSION:
        record_layout(db)


def create_constraints(db: Database) -> None:
    """Like `ensure_constraints`, whatever the layout of the graph."""
    for statement in CONSTRAINTS.values():
        try:
            _made(partial(db.write, statement))
        except QueryFailed as error:
            label = statement.split("FOR ")[1].split(":")[1].split(")")[0]
            raise QueryFailed(
                f"cgstore cannot keep its nodes in this database. {error.message}",
                f"The label {label} is cgstore's own. If these nodes are not, give them another label, or give cgstore "
                f"a database of its own with {setting('database')} or {setting('uri')}.",
            ) from error


def ensure_indexes(db: Database) -> None:
    """Creates every index that is missing and waits until all are online, unless this connection has seen them already.

    Raises:
        QueryFailed: an index failed to build, with the server's reason.
    """
    if db.has_indexes:
        return
    if _missing(db, INDEXES):
        with waiting("Neo4j to build its indexes"):
            _made(lambda: db.transaction(_create_indexes))
            db.write("CALL db.awaitIndexes($seconds)", {"seconds": INDEX_TIMEOUT})
        check_indexes(db)
    db.has_indexes = True


def _made(work: Callable[[], object]) -> None:
    """Makes a part of the schema, once more where another load has made the same at the same moment."""
    try:
        work()
    except QueryFailed as error:
        if "AlreadyExists" not in str(getattr(error.__cause__, "code", "")):
            raise
        work()


def _create_indexes(tx: ManagedTransaction) -> None:
    """All in one transaction: the store is then read once for all of them, a quarter faster than once for each."""
    for statement in INDEXES.values():
        tx.run(statement).consume()


def check_indexes(db: Database) -> None:
    """Raises QueryFailed unless every index and constraint of the schema is there and online."""
    for name, state in _missing(db, (*CONSTRAINTS, *INDEXES)).items():
        raise QueryFailed(f"Index '{name}' is {state}.", "Give the load command again: it builds it anew.")


def _missing(db: Database, names: Iterable[str]) -> dict[str, str]:
    """Returns the indexes and constraints that are not online, with their states."""
    states = {row["name"]: row["state"] for row in db.read("SHOW INDEXES YIELD name, state RETURN name, state")}
    return {name: states.get(name, "missing") for name in names if states.get(name) != "ONLINE"}


_READ = f"""
OPTIONAL MATCH (m:CgMeta {{name: 'cgstore'}})
WITH m.layout AS version
CALL (version) {{
  MATCH (s:Source) WHERE version IS NULL AND {FIRST_SOURCE}
  RETURN collect(coalesce(s.name, '')) AS sources
}}
CALL (version) {{
  MATCH (d:Demonstration) WHERE version IS NULL AND {FIRST_DEMONSTRATION}
  RETURN count(d) AS demonstrations
}}
RETURN version, sources, demonstrations
"""

_RECORD = "MERGE (m:CgMeta {name: 'cgstore'}) SET m.layout = $version"


def check_layout(db: Database) -> int | None:
    """The version of the graph's layout, None for a graph that has none yet.

    Raises:
        BadInput: an older or a newer version of cgstore has written this graph.
    """
    row = db.read(_READ)[0]
    if row["version"] is not None and row["version"] > LAYOUT_VERSION:
        raise BadInput(
            f"A newer version of cgstore has written this graph (layout {row['version']}; this version reads layout "
            f"{LAYOUT_VERSION}).",
            "Install the newest version: pip install --upgrade cgstore",
        )
    if row["sources"] or row["demonstrations"]:
        raise BadInput(
            f"An older version of cgstore has written this graph ({_counted(row['sources'], row['demonstrations'])}), "
            "with labels that this version no longer uses.",
            "Bring it up to date, which keeps everything that is in it: cgstore upgrade",
        )
    version: int | None = row["version"]
    return version


def record_layout(db: Database) -> None:
    """Writes the version of the layout into the graph."""
    db.write(_RECORD, {"version": LAYOUT_VERSION})


def _counted(sources: list[str], demonstrations: int) -> str:
    parts = [(len(sources), "source"), (demonstrations, "demonstration")]
    return " and ".join(many(count, noun) for count, noun in parts if count)
