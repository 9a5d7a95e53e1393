"""How a Store opens its connection: by an address from arguments or the environment, else to the managed server."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cgstore import arguments
from cgstore.cypher.connection import Database, OpenDatabase
from cgstore.errors import BadInput

if TYPE_CHECKING:
    from cgstore.server import ServerInfo


def connection_opener(
    uri: str | None,
    user: str | None,
    password: str | None,
    database: str | None,
    on_start: Callable[[ServerInfo], None] | None,
) -> Callable[[], OpenDatabase]:
    """A function that opens the connection; the arguments are those of `cgstore.connect`.

    Raises:
        BadInput: a user or password is given without an address.
    """
    given = {"uri": uri, "user": user, "password": password, "database": database}
    for name, value in given.items():
        if value is not None:
            arguments.text(name, value)
    address, user, password, database = (
        value or os.environ.get(f"CGSTORE_NEO4J_{name.upper()}") for name, value in given.items()
    )
    if address:
        http = _http_of(address)
        return lambda: (Database(address, user or "neo4j", password or "", database), http)
    if user or password:
        raise BadInput(
            "A user or password is given, but no address. The managed server has its own user and password.",
            "Give --uri or CGSTORE_NEO4J_URI (such as bolt://127.0.0.1:7687), or leave them all out.",
        )
    return lambda: _open_managed(database, on_start)


def _open_managed(database: str | None, on_start: Callable[[ServerInfo], None] | None) -> OpenDatabase:
    from cgstore import server

    info = server.status()
    if not info.running:
        info = server.start()
        if on_start:
            on_start(info)
    assert info.uri, "a running server has an address"
    return Database(info.uri, info.user, info.password(), database), info.http


def _http_of(uri: str) -> str | None:
    """The address of Neo4j Browser beside a Bolt address: the same host at the default port, for plain Bolt only."""
    parts = urlsplit(uri)
    if parts.scheme not in ("bolt", "neo4j") or parts.port not in (None, 7687):
        return None
    return f"http://{parts.hostname}:7474"
