"""A real Neo4j Community on this machine without Docker: a Java runtime from a wheel, pinned jars, 127.0.0.1 only.

    from cgstore import server

    info = server.start()              # attaches if one runs already
    driver = GraphDatabase.driver(info.uri, auth=(info.user, info.password()))
    server.stop()

Needs `pip install 'cgstore[local]'`. `home.py` says where the files are.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cgstore.server.jars import DEFAULT_VERSION, versions
    from cgstore.server.managed import ServerInfo, logs, start, status, stop

__all__ = ["DEFAULT_VERSION", "ServerInfo", "logs", "start", "status", "stop", "versions"]


def __getattr__(name: str) -> Any:
    """What is exported is imported when it is used: `home` alone is light."""
    if name not in __all__:
        raise AttributeError(f"module 'cgstore.server' has no attribute '{name}'")
    module = "jars" if name in ("DEFAULT_VERSION", "versions") else "managed"
    return getattr(import_module(f"cgstore.server.{module}"), name)
