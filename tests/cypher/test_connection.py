"""A connection that is lost while a statement runs."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from cgstore.cypher.connection import LOST, Database
from cgstore.errors import NoDatabase


class Forwarder:
    """A port that hands every connection on to a server, until the server goes away."""

    def __init__(self, host: str, port: int) -> None:
        self._server, self._ends = (host, port), list[socket.socket]()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def go_away(self) -> None:
        for each in (self._listener, *self._ends):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, far = self._listener.accept()[0], socket.create_connection(self._server)
                self._ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=ends, daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)


def test_a_read_whose_database_goes_away_ends_soon(neo4j_settings: dict[str, str]) -> None:
    server = urlsplit(neo4j_settings["CGSTORE_NEO4J_URI"])
    forwarder = Forwarder(server.hostname or "", server.port or 7687)
    user, password = neo4j_settings.get("CGSTORE_NEO4J_USER", "neo4j"), neo4j_settings["CGSTORE_NEO4J_PASSWORD"]
    with Database(f"bolt://127.0.0.1:{forwarder.port}", user, password) as db:
        gone = threading.Timer(0.5, forwarder.go_away)
        gone.start()
        began = time.monotonic()
        with pytest.raises(NoDatabase, match=r"No Neo4j answers|connection"):
            db.read("UNWIND range(1, 1000000000) AS i WITH i WHERE i % 7 = 8 RETURN count(i)", timeout=20)
        assert time.monotonic() - began < LOST + 8  # it is not tried again for as long as a deadlock is
