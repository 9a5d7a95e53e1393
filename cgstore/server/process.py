"""The server as a process: its ports, the record of a running one, and its start, wait and end."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from cgstore.errors import NoDatabase, optional
from cgstore.observe.progress import waiting
from cgstore.server.home import ServerFolder

HOST = "127.0.0.1"
BOLT, HTTP = 7687, 7474
_PORT_PAIRS = 100
_CLOCK_SLACK = 2.0  # seconds; the start time of a process counts from the boot time, which clock corrections shift
USER = "neo4j"
_POLL = 0.1  # seconds
_LAST_MOMENTS = 10.0  # seconds until the system has taken the ports from a process that was killed
_BOLT_TIMEOUT = 10.0  # seconds for one attempt to log in

# Kept so that Python does not warn about children that are meant to outlive it.
_children: list[subprocess.Popen[bytes]] = []


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


@contextmanager
def reserved(crash: Ports | None = None) -> Iterator[Ports]:
    """A pair of ports that no other start has until this context ends: 7687 and 7474, 7688 and 7475, and so on.

    The first choice is that of a server that was not stopped, where its clients still look for it. The ports of a
    process that was killed are taken for some moments more, and may even accept connections.

    Raises:
        NoDatabase: a hundred pairs are taken.
    """
    ports, reservation = _reserve(crash)
    with reservation:
        yield ports


def _reserve(crash: Ports | None) -> tuple[Ports, socket.socket]:
    waited = time.monotonic() + _LAST_MOMENTS
    while crash is not None and time.monotonic() < waited:
        if reservation := _reservation(crash):
            return crash, reservation
        time.sleep(_POLL)
    for offset in range(_PORT_PAIRS):
        ports = Ports(BOLT + offset, HTTP + offset)
        if reservation := _reservation(ports):
            return ports, reservation
    raise NoDatabase(f"No free pair of ports from {BOLT} and {HTTP} on.", "Stop a program that listens on them.")


def _reservation(ports: Ports) -> socket.socket | None:
    """A UDP socket of the Bolt port's number; None if the pair is taken.

    Only one process can have it, of whatever user and home; Neo4j, which listens by TCP, is not in its way; and the
    system frees it when its holder dies.
    """
    reservation = socket.socket(type=socket.SOCK_DGRAM)
    try:
        reservation.bind((HOST, ports.bolt))
        if is_free(ports.bolt) and is_free(ports.http):
            return reservation
    except OSError:
        pass
    reservation.close()
    return None


@dataclass(frozen=True)
class RunState:
    """The contents of run.json: sizes in bytes, `created` in seconds since 1970, as the system reports it.

    It is first written without a process, so that a start that is killed leaves the ports.
    """

    version: str
    bolt_port: int
    http_port: int
    heap: int
    page_cache: int
    pid: int | None = None
    created: float | None = None

    @property
    def ports(self) -> Ports:
        return Ports(self.bolt_port, self.http_port)

    def of_process(self, process: Any) -> RunState:
        """The same record with the process (a psutil.Process) filled in."""
        return replace(self, pid=process.pid, created=process.create_time())


def read_state(place: ServerFolder) -> RunState | None:
    """The record, or None where there is none or a power cut left only half of it."""
    try:
        return RunState(**json.loads(place.run_file.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
        return None


def write_state(place: ServerFolder, state: RunState) -> None:
    """Writes the record in one step, so that a reader never sees half of it."""
    part = place.run_file.with_suffix(".part")
    part.write_text(json.dumps(asdict(state)), encoding="utf-8")
    part.replace(place.run_file)


def clear_state(place: ServerFolder) -> None:
    """Removes the record."""
    place.run_file.unlink(missing_ok=True)


def find_process(place: ServerFolder, state: RunState | None) -> Any | None:
    """The running server of the store as a psutil.Process, or None.

    The pid may belong to another program by now, so the start time must agree too. If it does not (a start was killed
    before it wrote the pid, or the clock was corrected), the command line tells the server.
    """
    if state is None:
        return None
    psutil = optional("psutil", "local")
    if state.pid is not None and state.created is not None:
        try:
            process = psutil.Process(state.pid)
            if abs(process.create_time() - state.created) < _CLOCK_SLACK and is_alive(process):
                return process
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            pass  # another program has the pid now, or nobody
    return with_argument(f"--home-dir={place.folder}")


def is_alive(process: Any) -> bool:
    """Whether the process runs; a zombie does not."""
    psutil = optional("psutil", "local")
    try:
        return bool(process.is_running() and process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD))
    except psutil.NoSuchProcess:
        return False


def with_argument(wanted: str) -> Any | None:
    """The process, as a psutil.Process, whose command line has the argument; None if there is none."""
    for process in optional("psutil", "local").process_iter(["cmdline"]):
        if wanted in (process.info["cmdline"] or ()) and is_alive(process):
            return process
    return None


class ServerExited(Exception):
    """The process ended before it answered."""


class TooSlow(Exception):
    """The process runs, but does not answer in time."""


def spawn(place: ServerFolder, command: list[str], environment: Mapping[str, str]) -> Any:
    """Starts the server in a session of its own, so that neither Ctrl-C nor the end of this program reaches it.

    Returns:
        the process as a psutil.Process.
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    with place.console.open("wb") as console:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            cwd=place.folder,
            env=environment,
            start_new_session=True,
            creationflags=flags,
        )
    _children.append(child)
    return optional("psutil", "local").Process(child.pid)


def wait_until_ready(process: Any, ports: Ports, password: str, timeout: float) -> None:
    """Returns when Bolt accepts the password and runs a query, and HTTP listens.

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
    """Whether this process listens, and not another program that took the port a moment before."""
    psutil = optional("psutil", "local")
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
    """Asks the process to shut down (or kills it), and waits.

    Args:
        process: a psutil.Process.
        timeout: seconds.

    Returns:
        whether it ended in time.
    """
    psutil = optional("psutil", "local")
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
