"""Two free ports on 127.0.0.1. Neo4j needs 16 to 20 s to find out that a port is taken; this takes a millisecond."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass

from cgstore.errors import NoDatabase

HOST = "127.0.0.1"
BOLT, HTTP = 7687, 7474
_TRIES = 100


@dataclass(frozen=True)
class Ports:
    """The Bolt port (queries) and the HTTP port (Neo4j Browser)."""

    bolt: int
    http: int


def answers(port: int) -> bool:
    """Whether something accepts connections on the port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) == 0


def is_free(port: int) -> bool:
    """Whether a server could listen on the port of 127.0.0.1."""
    if answers(port):
        return False
    with socket.socket() as probe:
        if os.name == "posix":
            # Without it, the last moments of a server that just stopped (TIME_WAIT) would count as taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def free_pair(bolt: int = BOLT, http: int = HTTP) -> Ports:
    """The first free pair: 7687 and 7474, else 7688 and 7475, and so on.

    Raises:
        NoDatabase: a hundred pairs are taken.
    """
    for offset in range(_TRIES):
        if is_free(bolt + offset) and is_free(http + offset):
            return Ports(bolt + offset, http + offset)
    raise NoDatabase(f"No free pair of ports from {bolt} and {http} on.", "Stop a program that listens on them.")
