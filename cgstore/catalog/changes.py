"""What readers of a graph know of changes: a mark while one is committed, and the numbers of those that are whole.

Neo4j has no snapshots: a statement may see a part of a transaction that is being committed. So a change takes five
steps (`cgstore.change.commit`):

1. A transaction of its own holds the source's place in the queue of changes until all is done (`in_turn`).
2. Another transaction locks the source's node and writes everything, with the number of the change, also as
   `last_change` of the source.
3. Before that is committed, a mark is set, `(:CgMeta {name: 'changing SOURCE', token})`, and then the version of the
   graph is raised.
4. It is committed.
5. `change` of the source becomes `last_change`, and then the mark goes.

An answer counts only if its statement ended at the version at which the names of its program were looked up, and there
was no mark then (`cgstore.cypher.freshness`). A mark that stays, since its process was killed, does no harm: whoever
finds it takes the lock of step 2, which waits until the server has committed that transaction or rolled it back, and
then does step 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cgstore.cypher.connection import Database, insist
from cgstore.cypher.freshness import CHANGING, RAISE_VERSION

TIMEOUT = 600.0
"""Seconds that a change, or a read for it, may take before the server stops it: one that just started is slow."""

LOCK_SOURCE = "MATCH (s:CgSource {name: $source}) SET s.locked = timestamp()"
"""Waits for the change of a source that is at work, and keeps others out until the transaction ends."""

_MARK = f"MERGE (m:CgMeta {{name: '{CHANGING}' + $source}}) SET m.token = $token"

_MARKS = f"""
UNWIND $sources AS source
MATCH (m:CgMeta {{name: '{CHANGING}' + source}})
RETURN source, [m.token] AS tokens
"""

_FINISH = "MATCH (s:CgSource {name: $source}) WHERE s.last_change IS NOT NULL SET s.change = s.last_change"

_UNMARK = f"MATCH (m:CgMeta {{name: '{CHANGING}' + $source}}) WHERE m.token IN $tokens DELETE m"

_QUEUE = """
UNWIND $names AS name
MERGE (m:CgMeta {name: name}) SET m.touched = timestamp()
"""


def mark(db: Database, source: str, token: str) -> None:
    """Marks a source before a change of it is committed; who reads the new version of the graph sees the mark."""
    db.write(_MARK, {"source": source, "token": token})
    db.write(RAISE_VERSION)


def settle(db: Database, sources: Sequence[str]) -> None:
    """Ends the changes of some sources (stored names) that are marked, when their transactions have ended.

    Raises:
        QueryFailed: the user may not write; the process that makes the change ends it too, if it lives.
    """
    for row in db.read(_MARKS, {"sources": list(sources)}, TIMEOUT):
        finish(db, row["source"], row["tokens"])


def finish(db: Database, source: str, tokens: Sequence[str]) -> None:
    """Makes the last change of a source count, and removes marks; waits for a change that is at work."""
    about = {"source": source, "tokens": list(tokens)}
    insist(db, lambda tx: tx.run(LOCK_SOURCE, about).consume() and tx.run(_FINISH, about).consume())
    insist(db, lambda tx: tx.run(_UNMARK, about).consume())  # only now: a reader must not miss both


@contextmanager
def in_turn(db: Database, sources: Sequence[str]) -> Iterator[None]:
    """Waits for the changes of some sources that are at work, and keeps others waiting inside this context.

    A program that is slower than the changes come uses it too. The database lets the others go on if this process dies.

    Raises:
        QueryFailed: the user may not write.
    """
    names = sorted(f"changes of {source}" for source in sources)
    with db.session() as session, db.errors(), session.begin_transaction() as tx:
        tx.run(_QUEUE, names=names).consume()
        settle(db, sources)
        yield
        tx.rollback()  # the node was only a lock
