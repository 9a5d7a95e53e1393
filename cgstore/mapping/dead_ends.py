"""Dead ends: what the graph has of the nodes from which a search found nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cgstore.cypher.connection import Database
from cgstore.query.build import quote
from cgstore.query.operands import Names, NodeEquality, NumberEquality, Output
from cgstore.query.operators import SearchCondition, SearchNode, Step
from cgstore.query.sources import SourceScope
from cgstore.text.names import name_of_key, some_of

MAX_NODES = 2
"""Nodes that are told of."""

MAX_AROUND = 6
"""Relations named of a node as head, and as tail."""

LONGEST = 100
"""Characters of a name."""

# One index seek for each relation: a country may have 100,000 relationships.
_AROUND = """
UNWIND $keys AS key
CALL (key) {
  MATCH (n:CgNode {key: key})-[h:CG_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source IN $sources
  RETURN DISTINCT r.name AS relation, true AS as_head
  UNION
  MATCH (r:CgRelation) WHERE r.source IN $sources AND EXISTS {
    MATCH ()-[v:CG_VALUE {node1: r.key, node2: key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  }
  RETURN DISTINCT r.name AS relation, false AS as_head
}
RETURN key, relation, as_head ORDER BY key, relation
"""

_AROUND_THEN = """
UNWIND $keys AS key
CALL (key) {
  MATCH (n:CgNode {key: key})-[h:CG_HAS|CG_WAS_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key)
  WHERE coalesce(h.added, 0) <= $at[h.source] AND coalesce(h.removed > $at[h.source], true)
  RETURN DISTINCT r.name AS relation, true AS as_head
  UNION
  MATCH (r:CgRelation) WHERE r.source IN $sources AND (EXISTS {
    MATCH ()-[v:CG_VALUE {node1: r.key, node2: key}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
    WHERE coalesce(v.added, 0) <= $at[v.source]
  } OR EXISTS {
    MATCH ()-[v:CG_WAS_VALUE {node1: r.key, node2: key}]->() USING INDEX SEEK v:CG_WAS_VALUE(node1, node2)
    WHERE coalesce(v.added, 0) <= $at[v.source] AND v.removed > $at[v.source]
  })
  RETURN DISTINCT r.name AS relation, false AS as_head
}
RETURN key, relation, as_head ORDER BY key, relation
"""


def dead_ends(db: Database, scope: SourceScope, step: Step, outputs: Sequence[Sequence[object]]) -> list[str]:
    """What the graph has of the nodes from which a search went, a sentence for each; in one round trip.

    Args:
        db: the database.
        scope: the sources asked.
        step: the step of a plan that found nothing.
        outputs: the first elements of each step.
    """
    match step:
        case SearchNode(condition=operand) if not step.scope:
            as_head = True
        case SearchCondition(value=(NodeEquality(operand) | NumberEquality(operand),), condition=None, scope=None):
            as_head = False
        case _:
            return []
    asked = step.node1
    if not isinstance(asked, Names) or asked.is_of_tables or asked.time_key or asked.of_facts:
        return []
    keys = _keys(operand, outputs)
    around: dict[str, dict[bool, list[str]]] = {key: {True: [], False: []} for key in keys}
    given = {"keys": keys, "sources": list(scope.sources), "at": scope.changes_by_name}
    for row in db.read(_AROUND if scope.changes is None else _AROUND_THEN, given) if keys else ():
        around[row["key"]][row["as_head"]].append(row["relation"])
    written = isinstance(operand, Names)
    sentences = (_sentence(name_of_key(key), asked.names, around[key], as_head, written) for key in keys)
    return [sentence for sentence in sentences if sentence]


def _keys(operand: object, outputs: Sequence[Sequence[object]]) -> list[str]:
    found = outputs[operand.step] if isinstance(operand, Output) else ()
    found = operand.keys if isinstance(operand, Names) else found
    return [key for key in found if isinstance(key, str)][:MAX_NODES]


def _sentence(whole: str, asked: Collection[str], around: dict[bool, list[str]], as_head: bool, written: bool) -> str:
    """Says that the relation runs the other way, or which relations the node has; nothing if it has none.

    Of a name that is `written` in the program, it gives the call with the other direction.
    """
    name = f"'{whole[:LONGEST]}'"
    if turned := [relation for relation in around[not as_head] if relation in asked]:
        side = "tail" if as_head else "head"
        facts = f"The other way round there are facts: {name} is {side} of '{turned[0]}'"
        if not written:
            return f"{facts}, so give it as {side}_entity."
        relation, entity = f"relation={quote(turned[0])}", f"{side}_entity={quote(whole)}"
        return f"{facts}. Write get_information({', '.join((relation, entity) if as_head else (entity, relation))})."
    sides = (("head", around[True]), ("tail", around[False]))
    parts = [f"{side} of {some_of(relations, MAX_AROUND)}" for side, relations in sides if relations]
    return f"{name} is {' and '.join(parts)}." if parts else ""
