"""The one connection of a Store: opened when it is first needed, once for all threads, and closed for good."""

from __future__ import annotations

import threading
from collections.abc import Callable

from cgstore.cypher.connection import Database, closed

Opened = tuple[Database, str | None]
"""An open connection, and the address of the server's HTTP port where it is known."""


class Opener:
    """Opens a connection at most once.

    Args:
        opens: what opens it, or an open one.
    """

    def __init__(self, opens: Database | Callable[[], Opened]) -> None:
        self._opens: Callable[[], Opened] = (lambda: (opens, None)) if isinstance(opens, Database) else opens
        self._opened: Opened | None = None
        self._closed = False
        self._lock = threading.Lock()

    def opened(self) -> Opened:
        """The connection, opened now if it was not.

        Raises:
            NoDatabase: it was closed, nothing answers, or the credentials are refused.
        """
        with self._lock:
            if self._closed:
                raise closed()
            if self._opened is None:
                self._opened = self._opens()
            return self._opened

    def close(self) -> None:
        """Closes the connection, if there is one, for good."""
        with self._lock:
            self._closed = True
            opened, self._opened = self._opened, None
        if opened is not None:
            opened[0].close()
