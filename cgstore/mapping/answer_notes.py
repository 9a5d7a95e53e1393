"""Notes of an answer: what the graph has where a search found nothing, of nodes without a name, and of unsure times."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from cgstore.cypher.connection import Database
from cgstore.mapping.resolve import HELD
from cgstore.model import TimeKey
from cgstore.query.build import quote
from cgstore.query.operands import Names, NodeEquality, NumberEquality, Output
from cgstore.query.operators import Part, Search, Step
from cgstore.query.sources import SourceScope
from cgstore.show.evidence import Evidence
from cgstore.text.names import name_of_key, shared_key, some_of

MAX_ENDS, MAX_UNNAMED, MAX_TIMES = 2, 3, 3
"""Dead ends, nodes without a name, and unsure times that are told of."""

MAX_AROUND = 6
"""Relations named of a node, as head and as tail."""

LONGEST_NAME, LONGEST_VALUE = 100, 60
"""Characters of a name and of a value."""

# One index seek for each relation: a country may have 100,000 relationships.
_AROUND = f"""
UNWIND $keys AS key
CALL (key) {{
  MATCH (n:CgNode {{key: key}})-[h:CG_HAS|CG_WAS_HAS]->(r:CgRelation) USING INDEX SEEK n:CgNode(key)
  WHERE {HELD.format("h")}
  RETURN DISTINCT r.name AS relation, true AS as_head
  UNION
  MATCH (r:CgRelation) WHERE r.source IN $sources AND (EXISTS {{
    MATCH ()-[v:CG_VALUE {{node1: r.key, node2: key}}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
    WHERE {HELD.format("v")}
  }} OR EXISTS {{
    MATCH ()-[v:CG_WAS_VALUE {{node1: r.key, node2: key}}]->() USING INDEX SEEK v:CG_WAS_VALUE(node1, node2)
    WHERE {HELD.format("v")}
  }})
  RETURN DISTINCT r.name AS relation, false AS as_head
}}
RETURN key, relation, as_head ORDER BY key, relation
"""


def dead_ends(db: Database, scope: SourceScope, step: Step, outputs: Sequence[Sequence[object]]) -> list[str]:
    """What the graph has of the nodes from which a search went, a sentence for each; in one round trip.

    `step` is the step of a plan that found nothing, and `outputs` are the first elements of each step.
    """
    match step:
        case Search(asked=Part.TAIL, head=operand, key=None):
            as_head = True
        case Search(asked=Part.HEAD, tail=(NodeEquality(operand) | NumberEquality(operand),), key=None):
            as_head = False
        case _:
            return []
    asked = step.relation
    if not isinstance(asked, Names) or asked.is_of_tables:
        return []
    keys = _keys(operand, outputs)
    around: dict[str, dict[bool, list[str]]] = {key: {True: [], False: []} for key in keys}
    given = {"keys": keys, "sources": list(scope.sources), "at": scope.changes_by_name}
    for row in db.read(_AROUND, given) if keys else ():
        around[row["key"]][row["as_head"]].append(row["relation"])
    written = isinstance(operand, Names)
    sentences = (_sentence(name_of_key(key), asked.names, around[key], as_head, written) for key in keys)
    return [sentence for sentence in sentences if sentence]


def _keys(operand: object, outputs: Sequence[Sequence[object]]) -> list[str]:
    found = outputs[operand.step] if isinstance(operand, Output) else ()
    found = operand.keys if isinstance(operand, Names) else found
    return [key for key in found if isinstance(key, str)][:MAX_ENDS]


def _sentence(whole: str, asked: Collection[str], around: dict[bool, list[str]], as_head: bool, written: bool) -> str:
    """Says that the relation runs the other way, or which relations the node has; nothing if it has none.

    Of a name that is `written` in the program, it gives the call with the other direction.
    """
    name = f"'{whole[:LONGEST_NAME]}'"
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


# This reads all relationships of a node of other sources, and so runs only if there is no answer.
_ELSEWHERE = f"""\
UNWIND $keys AS key
MATCH (n:CgNode {{key: key}})
USING INDEX SEEK n:CgNode(key)
WHERE NOT EXISTS {{ (n)-[h:CG_HAS|CG_WAS_HAS]->() WHERE {HELD.format("h")} }}
  AND NOT EXISTS {{ (n)<-[v:CG_VALUE|CG_WAS_VALUE]-() WHERE {HELD.format("v")} }}
RETURN n.name AS name ORDER BY name"""


def names_only_elsewhere(db: Database, names: Iterable[str], scope: SourceScope) -> list[str]:
    """The names of entities and values that only other sources have, in one round trip."""
    keys = sorted({shared_key(name) for name in names})
    found = db.read(_ELSEWHERE, {"keys": keys, "at": scope.changes_by_name}) if keys else []
    return [row["name"] for row in found]


# Nodes without a name, such as blank nodes of RDF

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
    given = {"keys": [shared_key(name) for name in blank[:MAX_UNNAMED]], "sources": list(scope.sources)}
    found = {row["key"]: row["facts"] for row in db.read(_FACTS, given)}
    for name in blank[:MAX_UNNAMED]:
        facts = found.get(shared_key(name), [])
        listed = "; ".join(_fact(*fact) for fact in facts[:MAX_AROUND])
        more = f"; and {len(facts) - MAX_AROUND} more" if len(facts) > MAX_AROUND else ""
        says = (
            f"the source says of it: {listed}{more}. Ask for one of these." if facts else "it has no facts of its own."
        )
        yield f"'{name}' stands for something that the data do not name; {says}"


def _fact(relation: str, value: str, count: int) -> str:
    shown = value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]}..."
    return f"{relation} {shown}" + (f" and {count - 1} more" if count > 1 else "")


# Times that the data give as approximate or uncertain, such as `c. 1340`

_KEYS = frozenset(key.value for key in TimeKey)


def unsure_notes(marks: Iterable[str], evidence: Iterable[Evidence]) -> Iterator[str]:
    """A sentence for each of the first such times in the evidence: starts, ends, and times at which facts hold.

    `marks` are those of the sources asked (`catalog.registry.LoadRecord`).
    """
    found = {(*each.condition, each.node2) for each in evidence if each.node1 in _KEYS}
    told = [(tuple(fact), name, text) for *fact, name, text in map(json.loads, marks) if (*fact, name) in found]
    for fact, name, text in told[:MAX_TIMES]:
        yield f"{name} stands for '{text}' in the data, which is not sure: ({', '.join(fact)})."
    if len(told) > MAX_TIMES:
        yield f"{len(told) - MAX_TIMES:,} more times behind this answer are not sure in the data."
