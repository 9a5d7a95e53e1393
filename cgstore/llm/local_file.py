"""A table in a file of SQLite on this machine, for what may be lost: replies of an LLM, the last answers."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

BUSY_TIMEOUT = 10.0
"""Seconds to wait while another thread or process writes."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


class LocalFile:
    """The file, which only the user can read, and which several threads and processes may use.

    Args:
        file: where it is; it and its folder are made when needed.
        table: the statement that creates the table if it is not there.
        lost: what is lost where the file cannot be used, as the beginning of a warning.
    """

    def __init__(self, file: Path, table: str, lost: str) -> None:
        self.file, self._table, self._lost = file, table, lost
        self._is_warned = False

    def use(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """The result of some work in one transaction; None, with a warning once, where the file cannot be used."""
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.file, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(sqlite3.connect(self.file, timeout=BUSY_TIMEOUT)) as connection, connection:
                connection.text_factory = lambda data: data.decode("utf-8", "replace")
                connection.execute(self._table)
                return work(connection)
        except (OSError, sqlite3.Error) as error:
            if not self._is_warned:
                _log.warning("%s: %s cannot be used (%s). Remove it to begin anew.", self._lost, self.file, error)
            self._is_warned = True
            return None
