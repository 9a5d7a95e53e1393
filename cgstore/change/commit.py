"""Commits one change of a source: whole or not at all, one after the other, and with a record of what it did.

The steps are those of `cgstore.catalog.changes`. What a change removes stays in the graph under another type
(CG_WAS_VALUE for CG_VALUE ...) with the number of the change, so that the past can be asked (see
`docs/design.md`, History).
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cgstore.catalog.changes import LOCK_SOURCE, TIMEOUT, finish, in_turn, mark
from cgstore.catalog.registry import as_source, gone
from cgstore.change.history import Undo
from cgstore.change.operations import AnyOperation
from cgstore.change.report import SHOWN, ChangeReport
from cgstore.change.stated import Kind, kind_of, shown
from cgstore.change.triples import StoredTriple, identities
from cgstore.change.unread import unread_notes
from cgstore.change.working import Working
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database, patiently
from cgstore.embedding.vectors import keys_without_vector
from cgstore.errors import QueryFailed
from cgstore.loaders.staging import Group, StagedNode
from cgstore.loaders.writer.write import MERGE_NODES, create, node_row, relationship_rows
from cgstore.model import FORMAT_OF_TIMES, FORMAT_WITH_CHANGES, Role, SourceState
from cgstore.text.names import FACT_PARTS, source_name

if TYPE_CHECKING:
    from neo4j import Transaction

PAUSE = 0.2
"""Seconds before a change that was cut short is tried again."""

ATTEMPTS = 10
"""Attempts of a change that others' transactions stop."""

MOVED = {"CG_HAS": "CG_WAS_HAS", "CG_VALUE": "CG_WAS_VALUE", "CG_PERIOD": "CG_WAS_PERIOD"}
"""The types of triples, and those that they have once they are removed."""

_SOURCE = "MATCH (s:CgSource {name: $source}) RETURN properties(s) AS source"

_KINDS = "MATCH (r:CgRelation {source: $source}) WHERE r.kind IS NOT NULL RETURN r.name AS name, r.kind AS kind"

_MOVE = {
    live: f"""
UNWIND $ids AS id
MATCH (a)-[r:{live}]->(b) WHERE elementId(r) = id
CREATE (a)-[w:{was}]->(b) SET w = properties(r), w.removed = $number
DELETE r
"""
    for live, was in MOVED.items()
}

_RECORD = """
MATCH (s:CgSource {name: $source})
CREATE (c:CgChange {source: $source, number: $number, at: datetime.realtime()})
SET c += $about, s.last_change = $number, s.facts = s.facts + $facts,
  s.parallel = CASE WHEN coalesce(s.parallel, 0) + $parallel > 0 THEN coalesce(s.parallel, 0) + $parallel END,
  s.has = s.has + $has, s.value = s.value + $value,
  s.triples = s.triples + $has + $value, s.nodes = s.nodes + $nodes, s.format = $format,
  s.stored = s.stored + $stored, s.coarse = s.coarse OR $coarse, s.now = coalesce($now, s.now),
  s.fingerprint = $fingerprint
RETURN toString(c.at) AS at
"""

_DONE = """
MATCH (c:CgChange {source: $source}) WHERE c.number >= $number AND c.token = $token
RETURN c.number AS number, toString(c.at) AS at, c.added AS added, c.removed AS removed, c.now AS now,
  c.undoes AS undid
"""

_UNDONE = """
MATCH (c:CgChange {source: $source, number: $number}) SET c.undone = $by
WITH c
MATCH (again:CgChange {source: c.source, number: c.undoes}) SET again.undone = null
"""


def commit(
    db: Database,
    stored: str,
    operations: Sequence[AnyOperation],
    command: str,
    *,
    dry_run: bool = False,
    about: Mapping[str, Any] | None = None,
) -> ChangeReport | None:
    """Does operations in order, as one change of a source; None where they change nothing.

    It waits for other changes of the source, and is repeated while the database is away, but never done twice.

    Args:
        command: what the history calls it.
        dry_run: whether it is rolled back in the end; it has no number then.
        about: what else its record says.

    Raises:
        BadInput: an operation does not fit the facts; nothing was changed.
        NoDatabase: the database did not come back.
        QueryFailed: it refused a statement.
    """
    one = _Change(db, stored, operations, command, dry_run, about or {})
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return patiently(db, one.attempt)
        except QueryFailed as error:
            if attempt == ATTEMPTS or not _is_transient(error):
                raise
        time.sleep(PAUSE)
    raise AssertionError


def _is_transient(error: QueryFailed) -> bool:
    """Whether another transaction was in the way: a deadlock, or a node that a drop removed meanwhile."""
    from neo4j.exceptions import TransientError

    return isinstance(error.__cause__, TransientError)


@dataclass
class _Change:
    """One change, which may take several attempts. `token` tells whether it was committed."""

    _db: Database
    _stored: str
    _operations: Sequence[AnyOperation]
    _command: str
    _dry_run: bool
    _about: Mapping[str, Any]
    _token: str = field(default_factory=lambda: uuid.uuid4().hex)
    _number: int = 0

    def attempt(self) -> ChangeReport | None:
        """Makes the change, unless an earlier attempt was committed and only the answer was lost."""
        schema.ensure_constraints(self._db)
        schema.ensure_indexes(self._db)
        return self._done() or self._run()

    def _done(self) -> ChangeReport | None:
        if not self._number:  # no attempt has come so far as to commit
            return None
        with in_turn(self._db, [self._stored]):
            about = {"source": self._stored, "number": self._number, "token": self._token}
            rows = self._db.read(_DONE, about, TIMEOUT)
        return self._report(**rows[0]) if rows else None

    def _run(self) -> ChangeReport | None:
        with (
            in_turn(self._db, [self._stored]),
            self._db.session() as session,
            self._db.errors(),
            session.begin_transaction(timeout=TIMEOUT) as tx,
        ):
            tx.run(LOCK_SOURCE, source=self._stored).consume()
            working = Working(tx, self._kind(tx))
            for operation in self._operations:
                operation.apply(working)
            committed = self._write(tx, working)
            if committed is None:
                return None
            if self._dry_run:
                tx.rollback()
                return replace(committed, changes=())
            mark(self._db, self._stored, self._token)
            tx.commit()
            finish(self._db, self._stored, [self._token])
        return committed

    def _kind(self, tx: Transaction) -> Kind:
        """How the source is changed, as it is now that it is locked."""
        row = tx.run(_SOURCE, source=self._stored).single()
        name = source_name(self._stored)
        if row is None or row["source"]["state"] != SourceState.READY:
            raise gone(name)
        self._number = int(row["source"].get("last_change") or 0) + 1
        kinds = {each["name"]: each["kind"] for each in tx.run(_KINDS, source=self._stored)}
        kind = kind_of(as_source(row["source"]), self._stored, kinds)
        self._now = kind.now
        return kind

    def _write(self, tx: Transaction, working: Working) -> ChangeReport | None:
        """Writes the triples that differ, and the record; None where none does."""
        changed = working.changed()
        removed, added = working.edits()
        if not changed:
            return None
        there, needed = working.stored(changed)
        facts = [fact for key in changed for fact in working.after[key].values()]
        counts, wanted = _Counts(), _Wanted(working.kind, facts)
        kept = needed | wanted.identities
        gone = [triple for triple in there if triple.identity not in kept]
        _move(tx, gone, self._number)
        counts.take(gone, -1)
        if working.kind.kind.has_times:  # a fact for each of its periods
            counts.facts = len(added) - len(removed)
        else:
            counts.take_facts(there, wanted)
        merged = wanted.create(tx, {triple.identity for triple in there}, self._number, counts)
        return self._record(tx, working, removed, added, counts, keys_without_vector(tx, self._stored, merged))

    def _record(
        self,
        tx: Transaction,
        working: Working,
        removed: list[Any],
        added: list[Any],
        counts: _Counts,
        without_vector: list[str],
    ) -> ChangeReport:
        kind = working.kind
        facts = {"removed": [kind.record(each) for each in removed], "added": [kind.record(each) for each in added]}
        undoes = next((each.number for each in self._operations if isinstance(each, Undo)), None)
        now = kind.now.cut(kind.step).name
        moved = {"now": now, "now_before": self._now.cut(kind.step).name} if kind.now != self._now else {}
        about: dict[str, Any] = {
            "command": self._command,
            "token": self._token,
            "added": len(added),
            "removed": len(removed),
            "facts": json.dumps(facts, ensure_ascii=False),
            "undoes": undoes,
            **moved,
            **self._about,
        }
        if without_vector:
            about |= {"wanting": len(without_vector), "without_vector": without_vector}
        is_open = any(getattr(fact, "is_open", False) for fact in added)
        row = tx.run(
            _RECORD,
            source=self._stored,
            number=self._number,
            about=about,
            facts=counts.facts,
            parallel=counts.parallel,
            has=counts.has,
            value=counts.value,
            stored=counts.stored,
            coarse=any(map(kind.is_coarse, added)),
            nodes=counts.nodes,
            format=FORMAT_OF_TIMES if kind.kind.has_times else FORMAT_WITH_CHANGES,
            now=now if is_open or moved else None,
            fingerprint=f"changed {self._token}",
        ).single(strict=True)
        notes = [*kind.notes(added), *([] if undoes else unread_notes(kind.formats, added))]
        if undoes is not None:
            tx.run(_UNDONE, source=self._stored, number=undoes, by=self._number).consume()
        return self._report(
            self._number,
            at=row["at"],
            added=len(added),
            removed=len(removed),
            now=moved.get("now"),
            undid=undoes,
            shown_added=tuple(map(shown, facts["added"][:SHOWN])),
            shown_removed=tuple(map(shown, facts["removed"][:SHOWN])),
            warnings=tuple(notes),
        )

    def _report(self, number: int, **about: Any) -> ChangeReport:
        return ChangeReport(source_name(self._stored), (number,), seconds=0.0, **about)


@dataclass
class _Counts:
    """How many facts, parallel ones, triples and relationships a change adds, less those it removes; and new nodes."""

    facts: int = 0
    parallel: int = 0
    has: int = 0
    value: int = 0
    stored: int = 0
    nodes: int = 0

    def take(self, triples: Iterable[StoredTriple], sign: int) -> None:
        """Counts triples that are in the graph."""
        for triple in triples:
            self.add(triple.type, triple.times * sign, sign)

    def take_facts(self, there: Iterable[StoredTriple], wanted: _Wanted) -> None:
        """Counts facts, each once however often it is stated: those that are to be, less those that are there."""
        facts = sum(len(triple.condition) == 1 for triple in there)
        parallel = {triple.condition[:FACT_PARTS] for triple in there if len(triple.condition) > FACT_PARTS}
        self.facts, self.parallel = wanted.facts - facts, wanted.parallel - len(parallel)

    def add(self, type: str, triples: int, relationships: int) -> None:
        """Counts triples of a type."""
        self.has += triples if type == "CG_HAS" else 0
        self.value += 0 if type == "CG_HAS" else triples
        self.stored += relationships


class _Wanted:
    """The triples of some facts as they are to be."""

    def __init__(self, kind: Kind, facts: Sequence[Any]) -> None:
        self._kind = kind
        self._nodes: dict[int, StagedNode] = {}
        self._roles: dict[int, list[Role]] = {}
        self._groups: list[Group] = []
        self.facts = self.parallel = 0
        if facts:
            with closing(kind.staged(facts)) as stage:
                for role in Role:
                    for node in stage.nodes(role):
                        self._nodes[node.id] = node
                        self._roles.setdefault(node.id, []).append(role)
                self.facts, self.parallel = stage.fact_count, stage.parallel or 0
                self._groups = list(stage.groups())
        self._keys = {number: node.key for number, node in self._nodes.items()}
        self.identities = {identity for group in self._groups for identity in identities(group, self._keys)}

    def create(self, tx: Transaction, there: set[Any], number: int, counts: _Counts) -> list[str]:
        """Creates the triples that are not there; returns the keys of their nodes."""
        groups = [new for group in self._groups if (new := self._missing(group, there)) is not None]
        if not groups:
            return []
        ids = self._merge(tx, {node for group in groups for node in (group.node1, *group.node2)}, counts)
        rows = relationship_rows(groups, lambda node: ids[node])
        size = sum(len(group.node2) for group in groups)
        create(tx, self._kind.stored, rows, size, number)
        for group in groups:
            type = "CG_VALUE" if group.condition else "CG_HAS"
            times = sum(hi - lo + 1 for lo, hi in group.periods) if group.periods else len(group.node2)
            counts.add(type, times, len(group.node2))
        return [self._keys[number] for number in ids]

    def _missing(self, group: Group, there: set[Any]) -> Group | None:
        places = [at for at, identity in enumerate(identities(group, self._keys)) if identity not in there]
        if not places:
            return None
        return group._replace(
            node2=[group.node2[at] for at in places],
            about=[group.about[at] for at in places] if group.about else None,
            periods=[group.periods[at] for at in places] if group.periods else None,
        )

    def _merge(self, tx: Transaction, needed: set[int], counts: _Counts) -> dict[int, str]:
        """Merges nodes; returns their element ids by their numbers."""
        step = self._kind.source.step
        ids: dict[int, str] = {}
        for role in Role:
            nodes = [self._nodes[number] for number in needed if role in self._roles[number]]
            if not nodes:
                continue
            # In one order for all, since transactions that lock the same keys in different orders deadlock.
            rows = sorted((node_row(node, role, step) for node in nodes), key=lambda row: str(row["key"]))
            result = tx.run(MERGE_NODES[role], rows=rows)
            ids.update((row["id"], row["element"]) for row in result)
            counts.nodes += result.consume().counters.nodes_created
        return ids


def _move(tx: Transaction, triples: Iterable[StoredTriple], number: int) -> None:
    """Gives triples the types of removed ones."""
    of_type: dict[str, list[str]] = {}
    for triple in triples:
        of_type.setdefault(triple.type, []).append(triple.id)
    for type, ids in of_type.items():
        counters = tx.run(_MOVE[type], ids=ids, number=number).consume().counters
        if counters.relationships_deleted != len(ids):
            raise QueryFailed("A triple was deleted by something else meanwhile.", "Give the command again.")
