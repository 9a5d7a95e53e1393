"""`load graph`: another Neo4j as a source, its property graph as statements.

A relationship is a fact (start, type, end) with its properties as qualifiers; each property of a node is a fact
(node, key, value), each of its labels a fact (node, label, the label). A list makes a fact, or a qualifier, for each of
its elements; an empty text and an empty list make none. A list of more than `MAX_FLOATS` floats is an embedding, and is
left out, as are the nodes in which cgstore keeps its own records, unless their label is asked for.

The graph is read three times in one transaction, each time as a stream in the order of the store: for the names, for
the nodes, and for the relationships. The transaction has no time limit and sees what others commit meanwhile, so nobody
should write to the graph; a node that comes too late for a name is noticed. The server must be Neo4j 5.9 or newer.

The name of a node is the wanted property; else the first of `NAME_KEYS` that it has as a text that is not blank; else
its label (the first one by the alphabet, `Node` without any) and its number in the database, `City 12`. Nodes that
share a name get label and number behind it: `Paris (City 12)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore.catalog.kinds import GRAPH
from cgstore.catalog.registry import check_source_name
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, QueryFailed, setting
from cgstore.loaders.load import load_facts
from cgstore.loaders.readers.records import BadLine, Statement, field_problem, printable
from cgstore.loaders.staging import TemporaryDatabase
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport, Role
from cgstore.options import LoadOptions, option
from cgstore.text.likeness import similar
from cgstore.text.numbers import NumberText

if TYPE_CHECKING:
    from neo4j import Transaction


LABEL = "label"
"""The relation between a node and its labels."""

FETCH = 1_000
"""Nodes or relationships that the driver fetches at a time."""

# The server writes times as texts: the driver has none before year 1 or after 9999. ISO 8601 has no names of zones.
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


# Records of cgstore, which have no relationships, may be left in a database that serves another purpose now. Labels
# alone would not tell them from the nodes of another graph.
_BOOKKEEPING = """(
  n:CgMeta AND (coalesce(n.name, '') = 'cgstore' OR coalesce(n.name, '') = 'encoder' AND n.touched IS NOT NULL
    OR coalesce(n.name, '') = 'graph' AND n.version IS NOT NULL)
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

    A text that cannot be a name or a value comes as a `BadLine`. `line` counts nodes, and then relationships, from 1.

    Args:
        db: the other Neo4j; nothing is written to it.
        labels: only nodes with at least one of them, and relationships between two of these nodes.
        types: only relationships of these types; all nodes are read.
        name_property: the property that names the nodes that have it.
        warnings: gets sentences about what looks odd.

    Raises:
        BadInput: a label, type or property is not there, there is nothing to read, or it is cgstore's own graph.
        QueryFailed: the graph changed meanwhile, or the server stopped the reading.
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
    """A hint with the names that are spelt most like the given one, else with the first ones."""
    by_form = {one.casefold(): one for one in known}
    near = similar(name.casefold(), by_form, count=3)
    if near:
        return f"Do you mean {' or '.join(by_form[form] for form in near)}?"
    more = f" and {len(known) - 20:,} more" if len(known) > 20 else ""
    return f"There are: {', '.join(known[:20])}{more}." if known else "There are none."


def _check_names(db: Database, names: NodeNames, labels: Sequence[str], wanted: str | None) -> None:
    """Raises BadInput unless there are nodes, and at least one has the property that names them."""
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
        name = self._names.name(node)
        if name is None:
            raise QueryFailed("The graph changed while it was read.", "Load it again when nobody writes to it.")
        return name

    def _texts(self, about: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """The keys and texts of properties, without empty texts and embeddings."""
        for key in sorted(about):
            if is_embedding(about[key]):
                self.embeddings.add(key)
            else:
                yield from ((key.strip(), text) for text in value_texts(about[key]) if text)

    def _checked(self, statement: Statement) -> Statement | BadLine:
        """The statement, or what is wrong with one of its texts."""
        self.facts += 1
        head, relation, tail, qualifiers = statement[:4]
        for text in (head, relation, tail, *(text for pair in qualifiers for text in pair)):
            if problem := field_problem(text) if text else "a label, type or property key is blank":
                shown = "\t".join(part[:200] for part in (head, relation, tail))
                return BadLine(statement.line, 0, "", problem.removesuffix(": is this a text file in UTF-8?"), shown)
        return statement


# Names


NAME_KEYS = ("name", "title", "label", "fullname", "displayname", "rdfslabel", "skospreflabel", "id", "code", "uri")
"""The properties that name a node, first ones first, compared without case and underscores."""

CACHED = 200_000
"""Names kept in memory; others are looked up in a temporary file."""

_SETTLE = """
CREATE INDEX by_name ON node (name);
CREATE TABLE clash AS SELECT name FROM node GROUP BY name HAVING count(*) > 1;
CREATE TABLE renamed (id TEXT PRIMARY KEY, name TEXT, mark TEXT);
INSERT INTO renamed SELECT id, name || mark, mark FROM node WHERE name IN (SELECT name FROM clash);
"""

_TAKEN = "UPDATE renamed SET name = name || mark WHERE name IN (SELECT name FROM node)"

_RENAME = """
UPDATE node SET name = (SELECT name FROM renamed r WHERE r.id = node.id) WHERE id IN (SELECT id FROM renamed)
"""


class NodeNames(TemporaryDatabase):
    """Collects the nodes of a graph, and then names them in a temporary file.

    `name` gives the name of a node by its element id, None if it was not added. `wanted` is the property that nodes are
    called by, where they have it.
    """

    outcome = "Nothing was loaded."

    def __init__(self, wanted: str | None = None) -> None:
        super().__init__("CREATE TABLE node (id TEXT PRIMARY KEY, name TEXT NOT NULL, mark TEXT NOT NULL);")
        self._wanted = wanted
        self.name = lru_cache(CACHED)(self._name_of)
        self.count = self.with_wanted = self.shared = 0
        self.example = ""

    def add(self, node: str, labels: Sequence[str], about: dict[str, Any]) -> None:
        """Takes one node: its element id, its labels, its properties or those that may name it."""
        self.count += 1
        plain = f"{min(labels, default='Node')} {node.rpartition(':')[2]}"
        name = self._given(about) or plain
        self.sql.execute("INSERT INTO node VALUES (?, ?, ?)", (node, name, f" ({plain})"))

    def _given(self, about: dict[str, Any]) -> str:
        """The name that the properties give a node, or an empty text."""
        if self._wanted is not None and self._wanted in about:
            text = next(islice(value_texts(about[self._wanted]), 1), "")
            self.with_wanted += 1
            if text:
                return text
        best: dict[str, str] = {}
        for key in sorted(about):
            value = about[key]
            if isinstance(value, str) and value.strip():
                best.setdefault(key.lower().replace("_", ""), value.strip())
        return next((best[key] for key in NAME_KEYS if key in best), "")

    def settle(self) -> None:
        """Renames the nodes that share a name; `shared` counts them, `example` is the new name of one."""
        for statement in _SETTLE.split(";\n"):
            self.sql.execute(statement)
        while self.sql.execute(_TAKEN).rowcount > 0:
            pass
        self.sql.execute(_RENAME)
        self.shared, example = self.sql.execute("SELECT count(*), min(name) FROM renamed").fetchone()
        self.example = example or ""

    def _name_of(self, node: str) -> str | None:
        row = self.sql.execute("SELECT name FROM node WHERE id = ?", (node,)).fetchone()
        return None if row is None else str(row[0])


# Values


MAX_FLOATS = 100
"""A longer list of floats is an embedding."""

_WGS84 = (4326, 4979)
_EXACT = 2.0**53


def value_texts(value: Any) -> Iterator[str]:
    """The texts of a value, one for each element of a list; may be empty texts.

    A whole float has no `.0`, a boolean is `true` or `false`, bytes are hexadecimal, a point is `POINT(12.5 55.6)` or
    `POINT Z(1 2 3)`, with `SRID=7203;` before it if it is not a longitude and latitude. Times come as texts already
    (see `cgstore.loaders.graph`).
    """
    if isinstance(value, list | tuple) and not _is_point(value):
        for element in value:
            yield from value_texts(element)
    elif isinstance(value, float):
        yield NumberText(_float_text(value))
    elif value is not None:
        yield _text(value).strip()


def is_embedding(value: Any) -> bool:
    """Whether a value is a vector, or a list of floats so long that its elements mean nothing one by one."""
    if type(value).__name__ == "Vector":
        return True
    return isinstance(value, list) and len(value) > MAX_FLOATS and isinstance(value[0], float)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if _is_point(value):
        srid = "" if value.srid in _WGS84 else f"SRID={value.srid};"
        return f"{srid}POINT{' Z' if len(value) == 3 else ''}({' '.join(map(_float_text, value))})"
    return str(value)


def _float_text(number: float) -> str:
    if math.isfinite(number) and number.is_integer() and abs(number) <= _EXACT:
        return str(int(number))
    return repr(number)


def _is_point(value: Any) -> bool:
    return hasattr(value, "srid")


# The load


@dataclass(frozen=True)
class GraphOptions(LoadOptions):
    """The options of `load graph`; the name must be given where the other database has none."""

    labels: Sequence[str] = option((), "Only nodes with this label; may be repeated.", several=True, flag="label")
    types: Sequence[str] = option((), "Only relationships of this type; may be repeated.", several=True, flag="type")
    name_property: str | None = option(None, "The property that names a node.", unset="name, title, label, id, ...")


_DEFAULTS = GraphOptions()


def load_graph(to: Database | Target, origin: Database, options: GraphOptions = _DEFAULTS) -> LoadReport:
    """Loads another Neo4j, `origin`, as one source; other arguments and errors as in `load_files`."""
    name = options.name or origin.name
    if not name:
        raise BadInput("The source has no name.", f"Name it with {setting('name')}.")
    check_source_name(name)
    warnings: list[str] = []
    labels, types = ([each] if isinstance(each, str) else each for each in (options.labels, options.types))
    items = read_graph(origin, labels=labels, types=types, name_property=options.name_property, warnings=warnings)
    return load_facts(to, GRAPH, name, Path(f"{name}.graph"), items, options, warnings)
