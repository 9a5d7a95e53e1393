"""The connection to Neo4j: driver errors become cgstore's errors here, and reads are told from writes."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, repeat
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from cgstore.errors import BadInput, NoDatabase, QueryFailed, setting
from cgstore.observe.progress import waiting

if TYPE_CHECKING:
    from threading import Event

    from neo4j import Driver, ManagedTransaction, Session

T = TypeVar("T")

READ_TIMEOUT = 30.0
"""Seconds that a read may take before the server stops it."""

LONG = 10.0
"""Seconds after which a command says that it waits for a statement: most answer sooner, in their first run too."""

CLOSING = 60.0
"""Seconds that `close` waits for running statements."""

PATIENCE = 60.0
"""Seconds to wait for a database that went away: a killed server that is started again needs 10 to 20."""

OUT_OF_TIME = "The statement ran out of time and was stopped."
"""What is said of a statement that the server stopped."""

PAUSE = 0.5
"""Seconds between two attempts to reach it."""

RETRYING = 30.0
"""Seconds in which a transaction that failed for a passing reason is tried again."""

LOST = 2.0
"""Seconds in which a read whose connection was lost is tried again: longer than that, the database is away."""

_ADDRESS = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://[^/]")
_ADDRESS_HINT = "Give bolt://HOST:PORT, neo4j://... or neo4j+s://..."


def closed() -> NoDatabase:
    """The error for a request on a closed connection."""
    return NoDatabase("This Store is closed; call connect() again.")


class Database:
    """A Neo4j database, with sessions for reading and writing.

    Args:
        uri: `bolt://`, `neo4j://`, `neo4j+s://`, ...; by `neo4j://` reads go to followers.
        user: user name.
        password: password; never logged or printed.
        database: database name, the server's default one when None.

    Raises:
        NoDatabase: nothing answers there, or the credentials are refused.
        BadInput: the URI is not one of Neo4j's.
    """

    def __init__(self, uri: str, user: str, password: str, database: str | None = None) -> None:
        if not _ADDRESS.match(uri):
            raise BadInput(f"'{uri}' is not the address of a Neo4j.", _ADDRESS_HINT)
        import neo4j
        from neo4j.exceptions import ConfigurationError

        self.uri, self.user, self.name = uri, user, database
        self.has_constraints = self.has_indexes = False  # what `cypher.indexes` has seen on this connection
        self._closed, self._running = False, 0
        self._changed = threading.Condition()
        try:
            self.driver: Driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=10.0,
                max_transaction_retry_time=RETRYING,
                notifications_min_severity="OFF",
                user_agent="cgstore",
            )
        except (ConfigurationError, ValueError) as error:
            raise BadInput(f"'{uri}' is not the address of a Neo4j: {error}", _ADDRESS_HINT) from error
        try:
            with waiting(f"Neo4j at {self.uri} to answer"):
                self.check()
        except BaseException:
            self.driver.close()
            raise

    def check(self) -> None:
        """Raises a NoDatabase at once if the database is gone; a statement would wait for it to come back."""
        with self._use(), self.errors():
            self.driver.verify_connectivity()

    def close(self) -> None:
        """Waits for running statements, then closes all connections; later requests are refused."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._running, CLOSING)
        self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(
        self, statement: str, parameters: dict[str, Any] | None = None, timeout: float = READ_TIMEOUT
    ) -> list[dict[str, Any]]:
        """The rows of a statement, in a READ transaction with a timeout in seconds; transient failures are retried.

        The server begins and ends the transaction itself, so that one round trip is enough.

        Raises:
            QueryFailed: its time or memory ran out.
            NoDatabase: the connection was lost and did not come back.
        """
        import neo4j

        query = neo4j.Query(statement, timeout=timeout)

        def rows() -> list[dict[str, Any]]:
            with self.session(default_access_mode=neo4j.READ_ACCESS) as session:
                return [dict(record) for record in session.run(query, parameters)]

        with self._use(), self.errors():
            return _retried(rows)

    def write(self, statement: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """The rows of one writing statement in a transaction of its own; transient failures are retried."""
        with self._use(), self.errors():
            result = self.driver.execute_query(statement, parameters or {}, database_=self.name)
        return [dict(record) for record in result.records]

    def transaction(self, work: Callable[[ManagedTransaction], T]) -> T:
        """Runs `work` in one writing transaction, again after transient failures (deadlock, leader switch)."""
        with self._use(), self.session() as session, self.errors():
            return session.execute_write(work)

    def session(self, **config: Any) -> Session:
        """A driver's session on this database, for reads and for the writer's batches.

        All sessions and statements share their bookmarks: in a cluster, a read waits for what was written here.
        """
        if self._closed:
            raise closed()
        bookmarks = self.driver.execute_query_bookmark_manager
        return self.driver.session(database=self.name, bookmark_manager=bookmarks, **config)

    @contextmanager
    def _use(self) -> Iterator[None]:
        """Counts a statement as running, and says so when its answer takes long.

        Raises:
            NoDatabase: the connection was closed.
        """
        with self._changed:
            if self._closed:
                raise closed()
            self._running += 1
        try:
            with waiting("a statement that Neo4j runs", once_after=LONG):
                yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turns the driver's exceptions into ours, each with what to do next."""
        from neo4j.exceptions import AuthError, ClientError, DriverError, Neo4jError, ServiceUnavailable

        try:
            yield
        except AuthError as error:
            raise NoDatabase(
                f"Neo4j at {self.uri} refuses user '{self.user}' with this password.",
                f"Check {setting('user')} and {setting('password')}, or CGSTORE_NEO4J_USER and CGSTORE_NEO4J_PASSWORD.",
            ) from error
        except ServiceUnavailable as error:
            if self._closed:
                raise closed() from error
            raise NoDatabase(
                f"No Neo4j answers at {self.uri} ({_first_line(error)}).",
                "Is it running? `cgstore server status` shows the managed one, `cgstore server start` starts it.",
            ) from error
        except ClientError as error:
            raise self._client_error(error) from error
        except Neo4jError as error:
            if "DatabaseUnavailable" in (error.code or ""):  # a server that starts answers before its database does
                raise NoDatabase(f"Neo4j at {self.uri} is starting, or stopping.", "Try again in a moment.") from error
            raise QueryFailed(
                f"Neo4j stopped the statement: {_first_line(error)}", "Try again, or see its log."
            ) from error
        except (DriverError, OSError) as error:
            if self._closed:
                raise closed() from error
            raise NoDatabase(f"The connection to {self.uri} failed: {_first_line(error)}") from error

    def _client_error(self, error: Any) -> Exception:
        code = error.code or ""
        if "DatabaseNotFound" in code:
            return NoDatabase(f"Neo4j at {self.uri} has no database '{self.name}'.", f"Check {setting('database')}.")
        if "AuthenticationRateLimit" in code:
            return NoDatabase(f"Neo4j at {self.uri} refused credentials too often.", "Try again in some seconds.")
        if "TransactionTimedOut" in code:
            return QueryFailed(OUT_OF_TIME, f"Give it more seconds with {setting('timeout')}.")
        return QueryFailed(
            f"Neo4j refused the statement: {_first_line(error)}", "This is a fault of cgstore: please report it."
        )


def _retried(read: Callable[[], T]) -> T:
    """What a read gives; again while it fails for reasons that pass, as the driver does for its own transactions."""
    from neo4j.exceptions import DriverError, Neo4jError

    began = time.monotonic()
    for pause in chain((0.1, 0.2, 0.5), repeat(1.0)):
        try:
            return read()
        except (DriverError, Neo4jError) as error:
            patience = LOST if isinstance(error, DriverError) else RETRYING
            if not error.is_retryable() or time.monotonic() + pause > began + patience:
                raise
        time.sleep(pause)
    raise AssertionError("the pauses have no end")


def _first_line(error: BaseException) -> str:
    text = getattr(error, "message", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0]


def insist(db: Database, work: Callable[[ManagedTransaction], T], stop: Event | None = None) -> T:
    """Runs `work` in a writing transaction, and again while the database is away; see `patiently`."""
    return patiently(db, lambda: db.transaction(work), stop)


def patiently(db: Database, work: Callable[[], T], stop: Event | None = None) -> T:
    """Runs `work`, and again while the database is away.

    The work may run again after it was committed, when only the answer to the commit was lost. It must find out
    itself whether it was done, so the driver does not repeat it. A server that has just started refuses credentials
    that it takes a moment later, and then all for some seconds; those of an open Database have been taken once.

    Args:
        db: the database.
        work: reads or writes, and returns plain data.
        stop: ends the waiting when set.

    Raises:
        NoDatabase: the database did not come back.
        QueryFailed: it refused a statement.
    """
    from neo4j.exceptions import ClientError

    deadline: float | None = None
    with ExitStack() as shown:
        while True:
            try:
                return work()
            except NoDatabase as error:
                is_late = deadline is not None and time.monotonic() > deadline
                cause = error.__cause__
                is_final = isinstance(cause, ClientError) and ".Security." not in (cause.code or "")
                if is_late or is_final or (stop is not None and stop.is_set()):
                    raise
            if deadline is None:
                deadline = time.monotonic() + PATIENCE
                shown.enter_context(waiting(f"Neo4j at {db.uri} to come back", always=True))
            time.sleep(PAUSE)


OpenDatabase = tuple[Database, str | None]
"""An open connection, and the address of the server's HTTP port where it is known."""


class LazyConnection:
    """The one connection of a Store: opened at first use, once for all threads.

    Args:
        source: an open connection, or the function that opens one.
    """

    def __init__(self, source: Database | Callable[[], OpenDatabase]) -> None:
        self._open: Callable[[], OpenDatabase] = (lambda: (source, None)) if isinstance(source, Database) else source
        self._current: OpenDatabase | None = None
        self._closed = False
        self._lock = threading.Lock()

    def get(self) -> OpenDatabase:
        """The connection, which the first call opens.

        Raises:
            NoDatabase: it was closed, nothing answers, or the credentials are refused.
        """
        with self._lock:
            if self._closed:
                raise closed()
            if self._current is None:
                self._current = self._open()
            return self._current

    def close(self) -> None:
        """Closes the connection for good."""
        with self._lock:
            self._closed = True
            current, self._current = self._current, None
        if current is not None:
            current[0].close()
