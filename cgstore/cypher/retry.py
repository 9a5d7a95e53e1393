"""Transactions that are tried again until the database is back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from cgstore.cypher.connection import Database
from cgstore.errors import NoDatabase
from cgstore.progress import waiting

if TYPE_CHECKING:
    from threading import Event

    from neo4j import ManagedTransaction

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds to wait for a database that went away: a killed server that is started again needs 10 to 20."""

PAUSE = 0.5


def insist(db: Database, work: Callable[[ManagedTransaction], T], stop: Event | None = None) -> T:
    """Runs `work` in a writing transaction, again while the database is away.

    The work may run again after it was committed, when only the answer to the commit was lost: it must find out
    itself whether it was done. That is why the driver does not repeat it.

    Args:
        db: the database.
        work: runs statements in a transaction and returns plain data.
        stop: ends the waiting when set.

    Raises:
        NoDatabase: the database did not come back, or refuses us.
        QueryFailed: it refused a statement.
    """
    try:
        return db.transaction(work)
    except NoDatabase as error:
        if not _may_come_back(error) or (stop is not None and stop.is_set()):
            raise
    deadline = time.monotonic() + PATIENCE
    with waiting(f"Neo4j at {db.uri} to come back", always=True):
        while True:
            time.sleep(PAUSE)
            try:
                return db.transaction(work)
            except NoDatabase as error:
                if not _may_come_back(error) or time.monotonic() > deadline or (stop is not None and stop.is_set()):
                    raise


def _may_come_back(error: NoDatabase) -> bool:
    from neo4j.exceptions import ClientError

    return not isinstance(error.__cause__, ClientError)
