"""Vectors that follow the changes of a source: a name that a change brings gets its vector before it is looked for.

Making vectors takes an encoder, whose start takes seconds where a change takes milliseconds. So a change of a source
that has vectors records the keys of its new names, `(:CgChange {wanting, without_vector})`, and whoever next loads the
encoder to look for names by meaning makes their vectors first.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import LONGEST, NodeName, as_words, write_vectors
from cgstore.errors import CgstoreError

if TYPE_CHECKING:
    from neo4j import Transaction

    from cgstore.embedding.encoder import Encoder

_IS_EMBEDDED = """
MATCH (r:CgRelation {source: $source}) WHERE r.vector IS NOT NULL
RETURN r.name AS name LIMIT 1
"""

_LACKING = """
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE n.vector IS NULL AND NOT n:CgLine AND (n.source IS NOT NULL OR n.num IS NULL)
RETURN key
"""

_WANTING = """
MATCH (c:CgChange) USING INDEX SEEK c:CgChange(wanting) WHERE c.wanting > 0
RETURN elementId(c) AS change, c.without_vector AS keys LIMIT 1
"""

_NAMES = """
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE n.vector IS NULL
RETURN key, left(n.name, $longest) AS name, n:CgRelation OR n:CgKey AS is_owned
"""

_DONE = "MATCH (c:CgChange) WHERE elementId(c) = $change REMOVE c.wanting, c.without_vector"


def keys_without_vector(tx: Transaction, source: str, keys: Sequence[str]) -> list[str]:
    """Those of some keys whose nodes should get a vector, if the source (its stored name) has vectors at all."""
    if not keys or tx.run(_IS_EMBEDDED, source=source).single() is None:
        return []
    return [row["key"] for row in tx.run(_LACKING, keys=list(keys))]


def follow_changes(db: Database, encoder: Encoder) -> int:
    """Makes the vectors that changes have left to be made; returns how many. It is not done by who may only read."""
    count = 0
    with suppress(CgstoreError):
        while rows := db.read(_WANTING):
            found = db.read(_NAMES, {"keys": rows[0]["keys"], "longest": LONGEST})
            names = [NodeName(as_words(row["name"]) if row["is_owned"] else row["name"], [row["key"]]) for row in found]
            count += write_vectors(db, names, encoder)
            db.write(_DONE, {"change": rows[0]["change"]})
    return count
