"""Writes a staged source into the graph: its nodes, its relationships in lanes, the indexes, and only then `ready`.

Relationships are created by the element ids of their nodes, which the merge of the nodes returns. This is twice as fast
as finding nodes by key for every row, and half as fast again with two sessions (`docs/benchmarks.md`). An element id
may go stale, and a row whose node is gone creates nothing. So every batch counts the relationships that it created, and
fails as a whole if one is missing.
"""

from __future__ import annotations

import gc
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cgstore.catalog import registry
from cgstore.catalog.registry import LANES, Claim, Lane, LoadRecord
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database, insist
from cgstore.errors import CgstoreError, NoDatabase
from cgstore.loaders.staging import Group, StagedNode
from cgstore.model import FORMAT_OF_TIMES, Role
from cgstore.observe.progress import Bar, bar
from cgstore.text.dates import level_of, number_of
from cgstore.text.names import normal_form, shared_key, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Transaction

BATCH = 5_000
"""Nodes or relationships in one transaction; 20,000 are a little slower."""

BATCH_TEXT = 4_000_000
"""Most characters of names in one transaction, so that long names do not fill the server's memory."""

QUEUE = 3
"""Batches that may wait for a lane: enough to keep it busy, few enough to keep memory small."""

COLLECTED = 8
"""Batches between two garbage collections: the driver's results, half a kilobyte a node, are in reference cycles."""

_LOCK_LANE = "MATCH (l:CgLane) WHERE elementId(l) = $lane SET l.beat = timestamp()"

_ADVANCE_LANE = """
MATCH (l:CgLane) WHERE elementId(l) = $lane AND l.owner = $owner
WITH l, l.done AS done
FOREACH (_ IN CASE WHEN done = $number THEN [1] ELSE [] END | SET l.done = done + 1, l.created = l.created + $size)
RETURN done
"""


class Staged(Protocol):
    """A staged source, as the writer needs it."""

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """The nodes that have a role, numbered from 0 over all roles."""

    def groups(self) -> Iterator[Group]:
        """All condition triples, in the same order each time."""


def layout(batch: int) -> str:
    """How a source is cut into batches. A load continues only a load with the same layout."""
    return f"{FORMAT_OF_TIMES} {LANES} {batch} {BATCH_TEXT}"


def write(record: LoadRecord, staged: Staged, db: Database, progress: bool = False, batch: int = BATCH) -> bool:
    """Writes a source, or the rest of it if an earlier load was cut short, and makes it ready.

    Returns False if the source was there already.

    Raises:
        BadInput: the name is taken, or another process is loading the source.
        NoDatabase: the database went away and did not come back; the same call goes on where this one stopped.
        KeyboardInterrupt: with a note that says the same.
    """
    record = replace(record, layout=layout(batch))

    def fill(claim: Claim) -> list[int]:
        ids = merge_nodes(db, record, claim, staged, progress, batch)
        return _Writer(db, record, claim, ids).run(staged.groups(), progress, batch)

    return complete(db, record, fill)


def complete(db: Database, record: LoadRecord, fill: Callable[[Claim], list[int]]) -> bool:
    """Claims a source, fills it, and makes it ready; returns False if it was there already.

    `fill` writes what is missing, and returns the number of batches of each lane. Raises as `write`.
    """
    schema.ensure_constraints(db)
    claim = registry.claim(db, record)
    if claim.unchanged:
        return False
    try:
        with registry.alive(db, record, claim):
            batches = fill(claim)
            schema.ensure_indexes(db)
            registry.finish(db, record, batches)
    except BaseException as error:
        _give_up(db, record, claim, error)
        raise
    return True


def _give_up(db: Database, record: LoadRecord, claim: Claim, error: BaseException) -> None:
    """Releases the source to the next load, and tells the user to start one."""
    with suppress(CgstoreError):
        registry.release(db, record.name, claim.owner)
    again = f"Source '{source_name(record.name)}' is not complete; give the command again: it goes on where it stopped."
    if isinstance(error, NoDatabase):
        error.hint = f"{error.hint} {again}" if error.hint else again
    elif isinstance(error, KeyboardInterrupt):
        error.add_note(again)


# Nodes


class NodeIds:
    """The graph's element ids of the staged nodes, by stage number.

    An element id is a text such as `4:<uuid>:117`. All ids share the part before the last number, so that eight bytes a
    node are enough. An id of another form is kept as it is.
    """

    def __init__(self, count: int) -> None:
        self._numbers = array("q", [-1]) * count
        self._prefix = ""
        self._others: dict[int, str] = {}

    def put(self, node: int, element: str) -> bool:
        """Stores one id, and says whether it is new: a node of several roles comes once for each."""
        is_new = self._numbers[node] < 0 and node not in self._others
        prefix, colon, tail = element.rpartition(":")
        prefix += colon
        if not self._prefix:
            self._prefix = prefix
        if prefix == self._prefix and tail.isascii() and tail.isdigit() and len(tail) < 18 and str(int(tail)) == tail:
            self._numbers[node] = int(tail)
        else:
            self._others[node] = element
        return is_new

    def get(self, node: int) -> str:
        """Returns one id."""
        number = self._numbers[node]
        return f"{self._prefix}{number}" if number >= 0 else self._others[node]


MergedNodes = list[tuple[int, str]]
"""Stage numbers with element ids."""


def merge_nodes(
    db: Database, record: LoadRecord, claim: Claim, staged: Staged, progress: bool, batch: int = BATCH
) -> NodeIds:
    """Merges all nodes, in several sessions. It may be repeated, since the key of a node is unique."""
    ids, stop = NodeIds(record.nodes), Event()
    pending: deque[Future[MergedNodes]] = deque()
    collected = 0
    shown = bar(source_name(record.name), "nodes", record.nodes, show=progress)

    def collect(most: int) -> None:
        nonlocal collected
        while len(pending) > most:
            merged = pending.popleft().result()
            shown.update(sum(ids.put(node, element) for node, element in merged))
            collected += 1
            if collected % COLLECTED == 0:
                gc.collect()

    with ThreadPoolExecutor(LANES, "nodes") as pool, shown:
        try:
            for role in Role:
                rows = (node_row(node, role, record.step) for node in staged.nodes(role))
                for number, some in enumerate(node_batches(rows, batch)):
                    work = partial(_merge, record, claim, number % LANES, role, some)
                    pending.append(pool.submit(insist, db, work, stop))
                    collect(most=2 * LANES)
                collect(most=0)  # a node of two roles is never merged by two sessions at once
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    return ids


def node_batches(rows: Iterable[dict[str, Any]], size: int = BATCH) -> Iterator[list[dict[str, Any]]]:
    """Cuts rows of nodes or aliases into batches, one for each transaction."""
    batch: list[dict[str, Any]] = []
    text = 0
    for row in rows:
        batch.append(row)
        text += len(row["name"]) + len(row.get("alias", ""))
        if len(batch) >= size or text >= BATCH_TEXT:
            yield batch
            batch, text = [], 0
    if batch:
        yield batch


def _merge(
    record: LoadRecord, claim: Claim, lane: int, role: Role, rows: list[dict[str, Any]], tx: ManagedTransaction
) -> MergedNodes:
    registry.beat(tx, record.name, claim.lanes[lane].id, claim.owner)
    # Transactions that lock the same keys in the same order wait for each other; in different orders they deadlock.
    result = tx.run(MERGE_NODES[role], rows=sorted(rows, key=lambda row: str(row["key"])))
    return [(row[0], row[1]) for row in result]


# Relationships


class Batch(NamedTuple):
    """The relationships of one transaction, which is the `number`th (from 0) of its lane."""

    lane: int
    number: int
    size: int
    groups: list[Group]


def cut(groups: Iterable[Group], most: int = BATCH) -> Iterator[Batch]:
    """Cuts groups into batches of `most` relationships (fewer if their text is long), for the lanes in turn."""
    batch: list[Group] = []
    size = text = count = 0
    for group in groups:
        each, length = sum(map(len, group.condition)) + 1, len(group.node2)
        if length < most - size and each * length < BATCH_TEXT - text:
            batch.append(group)  # nearly always
            size, text = size + length, text + each * length
            continue
        place = 0
        while place < length:
            room = max(min(most - size, (BATCH_TEXT - text) // each), 0 if batch else 1)
            if part := group.node2[place : place + room]:
                about = group.about[place : place + room] if group.about else None
                periods = group.periods[place : place + room] if group.periods else None
                batch.append(group._replace(node2=part, about=about, periods=periods))
                size, text, place = size + len(part), text + each * len(part), place + len(part)
            if size >= most or place < length:
                yield Batch(count % LANES, count // LANES, size, batch)
                batch, size, text, count = [], 0, 0, count + 1
    if batch:
        yield Batch(count % LANES, count // LANES, size, batch)


class _Writer:
    """Writes batches in lanes: each lane is one thread with one session at a time, its batches in order."""

    def __init__(self, db: Database, record: LoadRecord, claim: Claim, ids: NodeIds) -> None:
        self._db, self._record, self._claim, self._ids = db, record, claim, ids
        self._stop = Event()
        self._pending: list[deque[tuple[Future[None], int]]] = [deque() for _ in range(LANES)]

    def run(self, groups: Iterable[Group], progress: bool, most: int) -> list[int]:
        """Writes the batches that are not yet written; returns how many batches each lane has."""
        batches = [0] * LANES
        done = sum(lane.created for lane in self._claim.lanes)
        lanes = [ThreadPoolExecutor(1, f"lane-{number}") for number in range(LANES)]
        name = source_name(self._record.name)
        shown = bar(name, "triples", self._record.relationships, initial=done, show=progress)
        try:
            for batch in cut(groups, most):
                batches[batch.lane] += 1
                if batch.number >= self._claim.lanes[batch.lane].done:
                    self._wait(batch.lane, QUEUE, shown)
                    future = lanes[batch.lane].submit(self._write, batch)
                    self._pending[batch.lane].append((future, batch.size))
            for lane in range(LANES):
                self._wait(lane, 1, shown)
        finally:
            self._stop.set()
            for pool in lanes:
                pool.shutdown(cancel_futures=True)
            shown.close()
        return batches

    def _wait(self, lane: int, most: int, shown: Bar) -> None:
        """Waits until fewer than `most` batches wait for a lane; raises what a batch raised."""
        pending = self._pending[lane]
        while len(pending) >= most:
            future, size = pending.popleft()
            future.result()
            shown.update(size)

    def _write(self, batch: Batch) -> None:
        lane = self._claim.lanes[batch.lane]
        rows = relationship_rows(batch.groups, self._ids.get)
        insist(self._db, lambda tx: self._transact(tx, lane, batch, rows), self._stop)

    def _transact(self, tx: ManagedTransaction, lane: Lane, batch: Batch, rows: list[Rows]) -> None:
        """Writes one batch exactly once: the same transaction locks the lane's counter, reads it and advances it."""
        tx.run(_LOCK_LANE, lane=lane.id).consume()
        numbers = {"lane": lane.id, "owner": self._claim.owner, "number": batch.number, "size": batch.size}
        row = tx.run(_ADVANCE_LANE, numbers).single()
        if row is not None and row["done"] == batch.number + 1:
            return  # an earlier try committed it, and the answer was lost
        if row is None or row["done"] != batch.number:
            raise registry.lost(self._record.name)
        create(tx, self._record.name, rows, batch.size)


# Rows of nodes and relationships, and the statements that they are sent with


MERGE_NODES = {
    role: f"""
UNWIND $rows AS row
MERGE (n:CgNode {{key: row.key}})
ON CREATE SET n.name = row.name, n.normal = row.normal, n.num = row.num, n.source = row.source, n.step = row.step,
  n.kind = row.kind, n.iri = row.iri, n.role = row.role
SET n:{role.value}{", n.step = row.step" if role is Role.KEY else ""}
RETURN row.id AS id, elementId(n) AS element
"""
    for role in Role
}

# The properties of a node are read once for all its relationships in the transaction, which is a third faster than once
# for each. If a node is gone, nothing is created, since the places of the others would shift; `create` notices.
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

CREATE_HAS = f"{_NODES}CREATE (x)-[:CG_HAS {{source: $source, iri: g[2], added: $added}}]->(y)"

CREATE_VALUE = f"""{_NODES}\
CREATE (x)-[:CG_VALUE {{condition: g[2], node1: a[1], node2: b[1], head: g[3], relation: g[5], num: b[2],
  source: $source, added: $added}}]->(y)"""

CREATE_ANNOTATED = f"""{_NODES}\
CREATE (x)-[:CG_VALUE {{condition: g[2], node1: a[1], node2: b[1], head: g[3], relation: g[5], num: g[4][i][0],
  iri: g[4][i][1], literal: g[4][i][2], ends: g[4][i][3], source: $source, added: $added}}]->(y)"""


CREATE_PERIODS = f"""{_NODES}\
CREATE (x)-[:CG_PERIOD {{condition: g[2], node1: a[1], head: g[3], relation: g[5], first: g[4][i][0],
  last: g[4][i][1], level: g[4][i][2], source: $source, added: $added}}]->(y)"""


class Rows(NamedTuple):
    """A statement, the element ids of the nodes that it links, and the groups that it creates, with places of ids."""

    statement: str
    ids: list[str]
    groups: list[list[Any]]


def node_row(node: StagedNode, role: Role, step: str | None) -> dict[str, Any]:
    """The parameters of a node in `MERGE_NODES`."""
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
        "role": node.role,
    }


def _node_number(name: str, role: Role) -> float | None:
    """The number of a node: what an entity or a value reads as, and the place of a line in its table."""
    if role is Role.LINE:
        return float(name[len("[line_") : -1])
    return number_of(name) if role in (Role.ENTITY, Role.VALUE) else None


def relation_of(condition: tuple[str, ...]) -> str | None:
    """The shared key of the fact's relation if the condition is a whole fact: triples are found by it."""
    return shared_key(condition[1]) if len(condition) > 1 else None


def relationship_rows(groups: Iterable[Group], element_id: Callable[[int], str]) -> list[Rows]:
    """The rows that create some groups; `element_id` gives the element id of a staged node."""
    of_statement: dict[str, list[Group]] = {CREATE_HAS: [], CREATE_VALUE: [], CREATE_ANNOTATED: [], CREATE_PERIODS: []}
    for group in groups:
        of_statement[_statement_of(group)].append(group)
    return [_placed(statement, some, element_id) for statement, some in of_statement.items() if some]


def _statement_of(group: Group) -> str:
    if group.periods is not None:
        return CREATE_PERIODS
    return CREATE_HAS if not group.condition else CREATE_VALUE if group.about is None else CREATE_ANNOTATED


def _placed(statement: str, groups: list[Group], element_id: Callable[[int], str]) -> Rows:
    places: dict[int, int] = {}
    rows: list[list[Any]] = []
    for node1, condition, head, node2, about, iri, periods in groups:
        row = [places.setdefault(node1, len(places)), [places.setdefault(node, len(places)) for node in node2]]
        # Lists, since the driver's encoder in Rust calls back for a tuple.
        annotations = (
            [[*each, level_of(*each)] for each in periods] if periods else [list(each) for each in about or ()]
        )
        rows.append(
            [*row, list(condition), head, annotations or None, relation_of(condition)] if condition else [*row, iri]
        )
    return Rows(statement, [element_id(node) for node in places], rows)


def create(
    tx: ManagedTransaction | Transaction, source: str, rows: Iterable[Rows], size: int, added: int | None = None
) -> None:
    """Creates relationships of a source; `added` is the number of the change that adds them, after the load.

    Raises:
        CgstoreError: fewer than `size` were created, since a node is gone. The transaction must not be committed.
    """
    created = 0
    for statement, ids, groups in rows:
        summary = tx.run(statement, ids=ids, groups=groups, source=source, added=added).consume()
        created += summary.counters.relationships_created
    if created != size:
        raise CgstoreError(
            f"{size - created:,} relationships of source '{source_name(source)}' lost their nodes.",
            "Something else deletes nodes of this database; stop it and give the command again.",
        )
