"""Answers that are nodes without a name, such as blank nodes of RDF: what the sources say of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cgstore.cypher.connection import Database
from cgstore.query.sources import SourceScope
from cgstore.text.names import shared_key

MAX_NODES, MAX_FACTS = 3, 6
"""Nodes that are told of, and relations of each."""

LONGEST = 60
"""Characters of a value."""

_BLANK = re.compile(r"_:.+/b\d+")

# Sources with blank nodes have no history, so that the facts as they are now are those of any time.
_FACTS = """
UNWIND $keys AS key
MATCH (n:CgNode {key: key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
MATCH ()-[v:CG_VALUE {node1: r.key, head: key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
WHERE size(v.condition) = 1
WITH key, r.name AS relation, min(t.name) AS value, count(DISTINCT t) AS count ORDER BY key, relation
RETURN key, collect([relation, value, count]) AS facts
"""


def unnamed_notes(db: Database, scope: SourceScope, answer: Iterable[object]) -> Iterator[str]:
    """A sentence for each of the first blank nodes of an answer, with what the sources say of it."""
    blank = [value for value in answer if isinstance(value, str) and _BLANK.fullmatch(value)]
    if not blank:
        return
    given = {"keys": [shared_key(name) for name in blank[:MAX_NODES]], "sources": list(scope.sources)}
    found = {row["key"]: row["facts"] for row in db.read(_FACTS, given)}
    for name in blank[:MAX_NODES]:
        facts = found.get(shared_key(name), [])
        listed = "; ".join(_fact(*fact) for fact in facts[:MAX_FACTS])
        more = f"; and {len(facts) - MAX_FACTS} more" if len(facts) > MAX_FACTS else ""
        says = (
            f"the source says of it: {listed}{more}. Ask for one of these." if facts else "it has no facts of its own."
        )
        yield f"'{name}' stands for something that the data do not name; {says}"


def _fact(relation: str, value: str, count: int) -> str:
    shown = value if len(value) <= LONGEST else f"{value[:LONGEST]}..."
    return f"{relation} {shown}" + (f" and {count - 1} more" if count > 1 else "")
