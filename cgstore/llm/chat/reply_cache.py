"""A cache of an LLM's replies on disk, so that a request costs nothing the second time."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cgstore.embedding.encoder import cache_folder
from cgstore.llm.chat import BadReply, Chat, Message, Reply, Request, Usage, key_of, reply_of

MOST_BYTES = 1_000_000_000
"""Size of the file above which the oldest replies are deleted."""

FILE = "replies.sqlite"

BUSY_TIMEOUT = 10.0
"""Seconds to wait while another process writes."""

_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, choices TEXT NOT NULL, checksum TEXT NOT NULL
)
"""
_OLDEST = """
DELETE FROM replies
WHERE id <= (SELECT id FROM replies ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 10 FROM replies))
"""
_LIVE_BYTES = """
SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
"""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_log = logging.getLogger(__name__)

T = TypeVar("T")


class CachedChat(Chat):
    """A `Chat` around another: a request that was made before at the same address gets the same reply.

    The usage of a cached reply is `Usage(kept=1)`. Several threads and processes may use one file, which is in `folder`
    (default: `cache_folder()`); if that is not writable, nothing is cached, with a warning.
    """

    def __init__(self, chat: Chat, address: str, folder: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self._chat, self.model, self._address = chat, chat.model, address
        self._replies = _Replies((folder or cache_folder()) / FILE, most_bytes)

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`; failures, and replies that were cut off, are not cached."""
        key = key_of({"address": self._address, "body": request.body(self.model)})
        if choices := self._replies.get(key):
            return Reply(choices, Usage(kept=1))
        reply = self._chat.complete(request)
        if not any(choice.cut_off for choice in reply.choices):
            self._replies.put(key, reply.choices)
        return reply

    def close(self) -> None:
        """Closes the file; the next request opens it again."""
        self._replies.close()


class _Replies:
    """The file: choices by the key of their request. No method raises: an unusable file holds nothing."""

    def __init__(self, file: Path, most_bytes: int) -> None:
        self._file = file
        self._most_bytes = most_bytes
        self._database: sqlite3.Connection | None = None
        self._usable = True
        self._lock = threading.Lock()

    def get(self, key: str) -> tuple[Message, ...]:
        """The cached choices of a request, or ()."""
        select = "SELECT choices, checksum FROM replies WHERE key = ?"
        row: tuple[str, str] | None = self._try(lambda database: database.execute(select, (key,)).fetchone())
        if row is None or row[1] != _checksum(key, row[0]):
            return ()
        try:
            return reply_of({"choices": [{"message": message} for message in json.loads(row[0])]}).choices
        except (ValueError, BadReply):
            return ()

    def put(self, key: str, choices: tuple[Message, ...]) -> None:
        """Stores choices; the last writer of a request wins."""
        text = json.dumps([choice.to_json() for choice in choices])
        self._try(lambda database: self._write(database, key, text))

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _write(self, database: sqlite3.Connection, key: str, text: str) -> None:
        with database:
            row = (key, text, _checksum(key, text))
            database.execute("INSERT OR REPLACE INTO replies (key, choices, checksum) VALUES (?, ?, ?)", row)
            while database.execute(_LIVE_BYTES).fetchone()[0] > self._most_bytes:
                if not database.execute(_OLDEST).rowcount:
                    break

    def _try(self, use: Callable[[sqlite3.Connection], T]) -> T | None:
        """The result of using the file; a damaged file is replaced once by an empty one."""
        with self._lock:
            for again in (True, False):
                if not self._usable:
                    break
                try:
                    self._database = self._database or _connected(self._file)
                    return use(self._database)
                except (sqlite3.Error, OSError) as error:
                    self._disconnect()
                    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                    if code in _BUSY:
                        return None
                    self._usable = again and code in _DAMAGED and self._is_replaced()
                    if not self._usable:
                        _log.warning("Replies of the LLM are not cached: %s cannot be used (%s).", self._file, error)
            return None

    def _is_replaced(self) -> bool:
        try:
            for end in ("-wal", "-shm", ""):
                self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        except OSError:
            return False
        _log.warning("The cache of replies was damaged and is replaced by an empty one: %s", self._file)
        return True

    def _disconnect(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None


def _connected(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(file, timeout=BUSY_TIMEOUT, check_same_thread=False)
    database.text_factory = lambda data: data.decode("utf-8", "replace")  # damaged text fails its checksum
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        with database:
            database.execute(_TABLE)
    except BaseException:
        database.close()
        raise
    return database


def _checksum(key: str, text: str) -> str:
    """A checksum, since SQLite does not notice a changed byte in a text."""
    return hashlib.sha256(f"{key}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
