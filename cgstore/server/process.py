"""The server as a process of the system: set off, waited for, ended."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

from cgstore.errors import NoDatabase
from cgstore.progress import waiting
from cgstore.server.extras import optional
from cgstore.server.home import Store
from cgstore.server.java import environment
from cgstore.server.ports import HOST, Ports, answers
from cgstore.server.state import is_alive

USER = "neo4j"
_POLL = 0.1  # seconds
_BOLT_TIMEOUT = 10.0  # seconds for one attempt to log in

# Kept so that Python does not warn about children that are meant to outlive it.
_children: list[subprocess.Popen[bytes]] = []


class ServerExited(Exception):
    """The process ended before it answered."""


class TooSlow(Exception):
    """The process runs, but does not answer in time."""


def spawn(store: Store, command: list[str]) -> Any:
    """Start the server in a session of its own, so that neither Ctrl-C nor the end of this program reaches it.

    Returns:
        the process as a psutil.Process.
    """
    with store.console.open("wb") as console:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            cwd=store.folder,
            env=environment(),
            start_new_session=True,
            creationflags=_windows_flags(),
        )
    _children.append(child)
    return optional("psutil").Process(child.pid)


def _windows_flags() -> int:
    if sys.platform == "win32":
        return subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    return 0


def wait_until_ready(process: Any, ports: Ports, password: str, timeout: float) -> None:
    """Return when Bolt accepts the password and runs a query, and HTTP listens.

    Args:
        process: the server, a psutil.Process.
        timeout: seconds.

    Raises:
        ServerExited: the process ended.
        TooSlow: the time is over.
        NoDatabase: it refuses the password.
    """
    deadline = time.monotonic() + timeout
    with waiting("Neo4j to be up"):
        while True:
            if not is_alive(process):
                raise ServerExited
            if _listens(process, ports) and accepts(ports.bolt, password):
                return
            if time.monotonic() > deadline:
                raise TooSlow
            time.sleep(_POLL)


def _listens(process: Any, ports: Ports) -> bool:
    """Whether it is this process that listens, and not a stranger who took the port a moment before it."""
    psutil = optional("psutil")
    if not (answers(ports.http) and answers(ports.bolt)):
        return False
    try:
        mine = {c.laddr.port for c in process.net_connections("tcp") if c.status == psutil.CONN_LISTEN}
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # some systems do not tell; then the password decides
    return {ports.bolt, ports.http} <= mine


def accepts(bolt: int, password: str) -> bool:
    """Whether the server on the port runs a query for the user with the password.

    Raises:
        NoDatabase: it refuses the password.
    """
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    try:
        with (
            GraphDatabase.driver(
                f"bolt://{HOST}:{bolt}",
                auth=(USER, password),
                connection_timeout=_BOLT_TIMEOUT,
                telemetry_disabled=True,
            ) as driver,
            driver.session() as session,
        ):
            session.run("RETURN 1").consume()
    except AuthError as error:
        raise NoDatabase(
            "The managed Neo4j runs, but refuses the password in its password file.",
            "If you changed the password, write the new one into the file that `cgstore server status` names.",
        ) from error
    except (DriverError, Neo4jError, OSError):
        return False
    return True


def end(process: Any, timeout: float, force: bool = False) -> bool:
    """Ask the process to shut down (or kill it), and wait.

    Args:
        process: a psutil.Process.
        timeout: seconds.

    Returns:
        whether it ended in time.
    """
    psutil = optional("psutil")
    try:
        if force:
            process.kill()
        else:
            process.terminate()
        with waiting("Neo4j to shut down"):
            process.wait(timeout)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return not is_alive(process)
    return True
