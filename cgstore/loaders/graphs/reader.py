"""Another Neo4j as a source: what a property graph says, as statements.

A relationship is a fact (start, type, end) with its properties as qualifiers; each property of a node is a fact
(node, key, value), each of its labels a fact (node, label, the label). A list makes a fact, or a qualifier, for each of
its elements, and an empty text or list none. A list of more than `MAX_FLOATS` floats is an embedding, and left out; so
are nodes by which cgstore keeps its own accounts, unless their label is asked for.

The graph is read three times in one transaction, each time as a stream in the order of the store: for the names, the
nodes, the relationships. The transaction has no time limit. It sees what others commit meanwhile, so nobody should
write to the graph; a node that comes too late for a name is noticed. The server must be Neo4j 5.9 or newer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, QueryFailed
from cgstore.loaders.graphs.names import NAME_KEYS, NodeNames
from cgstore.loaders.graphs.values import MAX_FLOATS, is_embedding, value_texts
from cgstore.loaders.readers.rows import BadLine, field_problem, printable
from cgstore.loaders.statement import Statement
from cgstore.model import Role
from cgstore.text.likeness import similar

if TYPE_CHECKING:
    from neo4j import Transaction

LABEL = "label"
"""The relation between a node and its labels."""

FETCH = 1_000
"""Nodes or relationships that are under way from the server at a time."""

# The server writes the times: the driver knows none before year 1 or after 9999. A zone's name is no part of ISO 8601.
_TIMES = ("DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME", "DURATION")
_TEXT = "split(toString({}), '[')[0]"


def _is_time(value: str) -> str:
    return " OR ".join(f"{value} IS :: {kind}" for kind in _TIMES)


def _property(value: str) -> str:
    return (
        f"CASE WHEN {_is_time(value)} THEN {_TEXT.format(value)} "
        f"WHEN {value} IS :: LIST<ANY> AND ({_is_time(f'head({value})')}) THEN [x IN {value} | {_TEXT.format('x')}] "
        f"ELSE {value} END"
    )


# What may be left of a condition graph, or lie beside none, in a database that serves another purpose now. It has no
# relationships. Labels alone would not tell it from another graph's nodes.
_BOOKKEEPING = """(
  n:CgMeta AND (coalesce(n.name, '') = 'cgstore' OR coalesce(n.name, '') = 'encoder' AND n.touched IS NOT NULL)
  OR n:CgDemonstration AND n.key IS NOT NULL AND n.normal IS NOT NULL AND n.source_kind IS NOT NULL
  OR n:CgAlias AND n.key IS NOT NULL AND n.normal IS NOT NULL AND n.alias IS NOT NULL
  OR n:CgLane AND n.source IS NOT NULL AND n.owner IS NOT NULL AND n.beat IS NOT NULL
)"""

_READ = f"MATCH (n) WHERE size($labels) = 0 AND NOT {_BOOKKEEPING} OR any(l IN labels(n) WHERE l IN $labels)"

_NAMES = f"""
{_READ}
RETURN elementId(n) AS id, labels(n) AS labels,
  [k IN keys(n) WHERE k = $property OR toLower(replace(k, '_', '')) IN $keys | [k, {_property("n[k]")}]] AS about
"""

_NODES = f"""
{_READ}
RETURN elementId(n) AS id, labels(n) AS labels, [k IN keys(n) | [k, {_property("n[k]")}]] AS about
"""

_RELATIONSHIPS = f"""
MATCH (a)-[r]->(b)
WHERE (size($types) = 0 OR type(r) IN $types)
  AND (size($labels) = 0 OR any(l IN labels(a) WHERE l IN $labels) AND any(l IN labels(b) WHERE l IN $labels))
RETURN elementId(a) AS start, elementId(b) AS end, type(r) AS type, [k IN keys(r) | [k, {_property("r[k]")}]] AS about
"""

_OURS = """
MATCH (n:CgNode) WHERE n.key IS NOT NULL AND n.normal IS NOT NULL RETURN 1 AS one LIMIT 1
UNION MATCH (n:CgSource) WHERE n.state IS NOT NULL AND n.fingerprint IS NOT NULL RETURN 1 AS one LIMIT 1
"""

_OUR_LABELS = {"CgNode", "CgAlias", "CgSource", "CgLane", "CgMeta", "CgDemonstration", *(role.value for role in Role)}

_LABELS = "CALL db.labels() YIELD label RETURN label AS name"
_TYPES = "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType AS name"
_KEYS = "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey AS name"


def read_graph(
    db: Database,
    *,
    labels: Sequence[str] = (),
    types: Sequence[str] = (),
    name_property: str | None = None,
    warnings: list[str] | None = None,
) -> Iterator[Statement | BadLine]:
    """Streams the statements of a property graph: those of its nodes, then those of its relationships.

    Nodes are named as `cgstore.loaders.graphs.names` tells. What cannot be a name or a value (a NUL character, over a
    million characters) comes as a `BadLine` in its place. `line` counts nodes, and then relationships, from 1.

    Args:
        db: the other Neo4j; nothing is written to it.
        labels: only nodes with at least one of them, and relationships between two of these nodes.
        types: only relationships of these types; nodes are read as without.
        name_property: the property that nodes are called by, where they have it.
        warnings: gets sentences about what was read but looks odd.

    Raises:
        BadInput: a label, type or property is not there, there is nothing to read, or it is cgstore's own graph.
        QueryFailed: the graph changed meanwhile, or the server stopped the reading.
        NoDatabase: the connection was lost.
    """
    _refuse_ours(db, labels)
    _check_known(db, "label", labels, _LABELS)
    _check_known(db, "relationship type", types, _TYPES)
    said = [] if warnings is None else warnings
    parameters = {"labels": list(labels), "types": list(types), "keys": list(NAME_KEYS), "property": name_property}
    with reading(db) as tx, NodeNames(name_property) as names:
        for row in tx.run(_NAMES, parameters):
            names.add(row["id"], row["labels"], dict(row["about"]))
        _check_names(db, names, labels, name_property)
        names.settle()
        if names.shared:
            shown = printable(names.example[:200])
            said.append(f"{names.shared:,} nodes share their name with another, and are called as in '{shown}'.")
        reader = _Reader(names)
        for row in tx.run(_NODES, parameters):
            yield from reader.node(row["id"], row["labels"], dict(row["about"]))
        for row in tx.run(_RELATIONSHIPS, parameters):
            yield from reader.relationship(row["start"], row["end"], row["type"], dict(row["about"]))
    reader.check_found(labels, types)
    if reader.embeddings:
        keys = printable(", ".join(sorted(reader.embeddings))[:300])
        said.append(f"Vectors, and lists of more than {MAX_FLOATS} floats, were left out: {keys}.")


@contextmanager
def reading(db: Database) -> Iterator[Transaction]:
    """A READ transaction without a time limit, whose results come as a stream."""
    import neo4j

    session = db.driver.session(database=db.name, default_access_mode=neo4j.READ_ACCESS, fetch_size=FETCH)
    # What the driver raises becomes ours as in the connection's own reads.
    with db.errors(), session, session.begin_transaction(timeout=0) as tx:
        yield tx


def _refuse_ours(db: Database, labels: Sequence[str]) -> None:
    if labels and not _OUR_LABELS & set(labels):
        return
    if db.read(_OURS):
        raise BadInput(
            f"The graph at {db.uri} is a condition graph of cgstore.",
            "`cgstore export` writes its sources to files. To read another graph beside it, name its labels.",
        )


def _check_known(db: Database, what: str, wanted: Sequence[str], statement: str) -> None:
    """Raises BadInput unless the database knows every one of the wanted labels, types or keys."""
    if not wanted:
        return
    known = sorted(row["name"] for row in db.read(statement))
    others = [name for name in known if not name.startswith(("Cg", "CG_"))]
    for name in wanted:
        if name not in known:
            raise BadInput(f"The graph at {db.uri} has no {what} '{printable(name)}'.", _nearest(name, others))


def _nearest(name: str, known: Sequence[str]) -> str:
    """A hint with the names that are spelt most like one, else with the first ones."""
    by_form = {one.casefold(): one for one in known}
    near = similar(name.casefold(), by_form, count=3)
    if near:
        return f"Do you mean {' or '.join(by_form[form] for form in near)}?"
    more = f" and {len(known) - 20:,} more" if len(known) > 20 else ""
    return f"There are: {', '.join(known[:20])}{more}." if known else "There are none."


def _check_names(db: Database, names: NodeNames, labels: Sequence[str], wanted: str | None) -> None:
    """Raises BadInput unless there are nodes, and one has the property that shall name them."""
    if not names.count and labels:
        known = sorted(row["name"] for row in db.read(_LABELS))
        raise BadInput(f"The graph at {db.uri} has no node with the label {' or '.join(labels)}.", _nearest("", known))
    if not names.count:
        raise BadInput(f"The graph at {db.uri} is empty.", "Check the address and the name of the database.")
    if wanted is not None and not names.with_wanted:
        known = sorted(row["name"] for row in db.read(_KEYS))
        among = " that is read" if labels else ""
        raise BadInput(
            f"No node{among} has the property '{printable(wanted)}'.",
            _nearest(wanted, [k for k in known if k != wanted]),
        )


class _Reader:
    """Makes statements of nodes and relationships, and counts them."""

    def __init__(self, names: NodeNames) -> None:
        self._names = names
        self._line = 0
        self.facts = 0
        self.relationships = 0
        self.embeddings: set[str] = set()

    def node(self, node: str, labels: list[str], about: dict[str, Any]) -> Iterator[Statement | BadLine]:
        """The facts of one node: its labels, then its properties, each sorted."""
        self._line += 1
        name = self._name(node)
        for label in sorted(labels):
            yield self._checked(Statement(name, LABEL, label.strip(), line=self._line))
        for key, text in self._texts(about):
            yield self._checked(Statement(name, key, text, tail_role=Role.VALUE, line=self._line))

    def relationship(self, start: str, end: str, kind: str, about: dict[str, Any]) -> Iterator[Statement | BadLine]:
        """The fact of one relationship."""
        self._line += 1
        self.relationships += 1
        qualifiers = tuple(self._texts(about))
        yield self._checked(Statement(self._name(start), kind.strip(), self._name(end), qualifiers, line=self._line))

    def check_found(self, labels: Sequence[str], types: Sequence[str]) -> None:
        """Raises BadInput if nothing was found, or no relationship where some were asked for."""
        if types and not self.relationships:
            between = f" between nodes with the label {' or '.join(labels)}" if labels else ""
            raise BadInput(
                f"There is no relationship of type {' or '.join(types)}{between}.",
                "Check the types, and the labels if any are given.",
            )
        if not self.facts:
            raise BadInput("The graph says nothing: its nodes have no labels, properties or relationships.")

    def _name(self, node: str) -> str:
        try:
            return self._names[node]
        except KeyError:
            raise QueryFailed(
                "The graph changed while it was read.", "Load it again when nobody writes to it."
            ) from None

    def _texts(self, about: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """The keys and texts of properties; those without a text, and embeddings, are passed over."""
        for key in sorted(about):
            if is_embedding(about[key]):
                self.embeddings.add(key)
                continue
            for text in value_texts(about[key]):
                if text:
                    yield key.strip(), text

    def _checked(self, statement: Statement) -> Statement | BadLine:
        """The statement, or what is wrong with one of its texts."""
        self.facts += 1
        head, relation, tail, qualifiers = statement[:4]
        for text in (head, relation, tail, *(text for pair in qualifiers for text in pair)):
            if problem := field_problem(text) if text else "a label, type or property key is blank":
                shown = "\t".join(part[:200] for part in (head, relation, tail))
                return BadLine(statement.line, 0, "", problem.removesuffix(": is this a text file in UTF-8?"), shown)
        return statement
