"""A cache of an LLM's replies on disk, so that a request costs nothing the second time."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

from cgstore.embedding.encoder import cache_folder
from cgstore.llm.chat import BadReply, Chat, Message, Reply, Request, Usage, key_of, reply_of
from cgstore.llm.local_file import LocalFile

MOST_BYTES = 1_000_000_000
"""Size of the file above which the oldest replies are deleted."""

FILE = "replies.sqlite"

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


class CachedChat(Chat):
    """A `Chat` around another: a request that was made before at the same address gets the same reply.

    The usage of a cached reply is `Usage(kept=1)`. Several threads and processes may use one file, which is in `folder`
    (default: `cache_folder()`); if that is not writable, nothing is cached, with a warning.
    """

    def __init__(self, chat: Chat, address: str, folder: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self._chat, self.model, self._address, self._most_bytes = chat, chat.model, address, most_bytes
        self._file = LocalFile((folder or cache_folder()) / FILE, _TABLE, "Replies of the LLM are not cached")

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`; failures, and replies that were cut off, are not cached."""
        key = key_of({"address": self._address, "body": request.body(self.model)})
        if choices := self._kept(key):
            return Reply(choices, Usage(kept=1))
        reply = self._chat.complete(request)
        if not any(choice.cut_off for choice in reply.choices):
            self._keep(key, reply.choices)
        return reply

    def _kept(self, key: str) -> tuple[Message, ...]:
        """The cached choices of a request, or ()."""
        select = "SELECT choices, checksum FROM replies WHERE key = ?"
        row: tuple[str, str] | None = self._file.use(lambda database: database.execute(select, (key,)).fetchone())
        if row is None or row[1] != _checksum(key, row[0]):
            return ()
        try:
            return reply_of({"choices": [{"message": message} for message in json.loads(row[0])]}).choices
        except (ValueError, BadReply):
            return ()

    def _keep(self, key: str, choices: tuple[Message, ...]) -> None:
        """Stores choices; the last writer of a request wins."""
        text = json.dumps([choice.to_json() for choice in choices])
        row = (key, text, _checksum(key, text))

        def write(database: sqlite3.Connection) -> None:
            database.execute("INSERT OR REPLACE INTO replies (key, choices, checksum) VALUES (?, ?, ?)", row)
            while database.execute(_LIVE_BYTES).fetchone()[0] > self._most_bytes:
                if not database.execute(_OLDEST).rowcount:
                    break

        self._file.use(write)


def _checksum(key: str, text: str) -> str:
    """A checksum, since SQLite does not notice a changed byte in a text."""
    return hashlib.sha256(f"{key}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
