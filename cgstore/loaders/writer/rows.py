"""What one transaction of a load sends: the rows of nodes and relationships, and the statements that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.errors import CgstoreError
from cgstore.loaders.staging import Group, StagedNode
from cgstore.model import Role
from cgstore.text.dates import number_of
from cgstore.text.names import normal_form, shared_key, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

MERGE_NODES = {
    role: f"""
UNWIND $rows AS row
MERGE (n:CgNode {{key: row.key}})
ON CREATE SET n.name = row.name, n.normal = row.normal, n.num = row.num, n.source = row.source, n.step = row.step,
  n.kind = row.kind, n.iri = row.iri
SET n:{role.value}
RETURN row.id AS id, elementId(n) AS element
"""
    for role in Role
}

# Each node's properties are read once for all its relationships in the transaction: a third faster than once for each.
# Were one of the nodes gone, the places of the others would shift: then nothing is created, which `create` notices.
_NODES = """
UNWIND range(0, size($ids) - 1) AS place
MATCH (n) WHERE elementId(n) = $ids[place]
WITH place, n ORDER BY place
WITH collect([n, n.key, n.num]) AS nodes WHERE size(nodes) = size($ids)
UNWIND $groups AS g
WITH nodes, g, nodes[g[0]] AS a, nodes[g[0]][0] AS x
UNWIND range(0, size(g[1]) - 1) AS i
WITH g, a, x, i, nodes[g[1][i]] AS b, nodes[g[1][i]][0] AS y
"""

CREATE_HAS = f"{_NODES}CREATE (x)-[:CG_HAS {{source: $source, iri: g[2]}}]->(y)"

CREATE_VALUE = f"""{_NODES}\
CREATE (x)-[:CG_VALUE {{condition: g[2], node1: a[1], node2: b[1], head: g[3], relation: g[5], num: b[2],
  source: $source}}]->(y)"""

CREATE_ANNOTATED = f"""{_NODES}\
CREATE (x)-[:CG_VALUE {{condition: g[2], node1: a[1], node2: b[1], head: g[3], relation: g[5], num: g[4][i][0],
  iri: g[4][i][1], literal: g[4][i][2], source: $source}}]->(y)"""


class Rows(NamedTuple):
    """A statement, the graph's ids of all nodes that it links, and the groups it creates, with places among these."""

    statement: str
    ids: list[str]
    groups: list[list[Any]]


def node_row(node: StagedNode, role: Role, step: str | None) -> dict[str, Any]:
    """What a node is merged from, by the names of `MERGE_NODES`."""
    return {
        "id": node.id,
        "key": node.key,
        "name": node.name,
        "normal": normal_form(node.name),
        "num": _node_number(node.name, role),
        "source": node.source,
        "step": step if role is Role.KEY else None,
        "kind": node.kind,
        "iri": node.iri,
    }


def _node_number(name: str, role: Role) -> float | None:
    """The number that an entity or a value reads as; of a line its place in the table, which is its order."""
    if role is Role.LINE:
        return float(name[len("[line_") : -1])
    return number_of(name) if role in (Role.ENTITY, Role.VALUE) else None


def relation_of(condition: tuple[str, ...]) -> str | None:
    """The shared key of the fact's relation, by which a triple is found if its condition is a whole fact."""
    return shared_key(condition[1]) if len(condition) > 1 else None


def relationship_rows(groups: Iterable[Group], element_id: Callable[[int], str]) -> list[Rows]:
    """What creates the relationships of some groups; `element_id` gives the graph's id of a staged node."""
    of_statement: dict[str, list[Group]] = {CREATE_HAS: [], CREATE_VALUE: [], CREATE_ANNOTATED: []}
    for group in groups:
        statement = CREATE_HAS if not group.condition else CREATE_VALUE if group.about is None else CREATE_ANNOTATED
        of_statement[statement].append(group)
    return [_placed(statement, some, element_id) for statement, some in of_statement.items() if some]


def _placed(statement: str, groups: list[Group], element_id: Callable[[int], str]) -> Rows:
    places: dict[int, int] = {}
    rows: list[list[Any]] = []
    for node1, condition, head, node2, about, iri in groups:
        row = [places.setdefault(node1, len(places)), [places.setdefault(node, len(places)) for node in node2]]
        annotations = [list(each) for each in about] if about else None
        # Lists, since the driver's encoder in Rust calls back for a tuple.
        rows.append([*row, list(condition), head, annotations, relation_of(condition)] if condition else [*row, iri])
    return Rows(statement, [element_id(node) for node in places], rows)


def create(tx: ManagedTransaction, source: str, rows: Iterable[Rows], size: int) -> None:
    """Creates relationships of a source.

    Raises:
        CgstoreError: not `size` of them could be: a node is gone. The transaction must not be committed.
    """
    created = 0
    for statement, ids, groups in rows:
        summary = tx.run(statement, ids=ids, groups=groups, source=source).consume()
        created += summary.counters.relationships_created
    if created != size:
        raise CgstoreError(
            f"{size - created:,} relationships of source '{source_name(source)}' lost their nodes.",
            "Something else deletes nodes of this database; stop it and give the command again.",
        )
