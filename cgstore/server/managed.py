"""Start, stop, status and log of the managed server; the modules beside this one do the work."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, NoDatabase, optional
from cgstore.server import java
from cgstore.server.home import (
    ServerFolder,
    file_errors,
    follow_log,
    home_folder,
    jars_folder,
    log_lines,
    log_size,
)
from cgstore.server.jars import DEFAULT_VERSION, artifacts, check_version, fetch_jars, versions
from cgstore.server.java import MIB, Memory, in_megabytes, memory_sizes
from cgstore.server.process import (
    HOST,
    USER,
    Ports,
    RunState,
    ServerExited,
    TooSlow,
    clear_state,
    end,
    find_process,
    read_state,
    reserved,
    spawn,
    wait_until_ready,
    write_state,
)

_LEAST_DISK = 300 * MIB
_LOCK_WAIT = 3600.0  # seconds for another start, which may have to download first

_REASONS = (
    (r"already in use", "a port was taken by another program"),
    (r"store_lock", "another process has the same store open"),
    (r"No space left on device", "the disk is full"),
    (r"Could not reserve enough space|Invalid maximum heap|insufficient memory", "there is too little memory for it"),
    (r"Permission denied|AccessDenied", "a file cannot be read or written"),
    (r"Error opening zip file|error reading .*\.jar", "a jar cannot be read"),
)


@dataclass(frozen=True)
class ServerInfo:
    """The managed Neo4j, as `cgstore server status --json` shows it.

    `uri`, `http` and `pid` are None while it does not run; `password_file` is None before its first start.
    The password itself is never part of it: `password()` reads it from the file.
    """

    running: bool
    version: str
    uri: str | None
    http: str | None
    user: str
    password_file: str | None
    home: str
    pid: int | None

    def password(self) -> str:
        """The password, read from its file.

        Raises:
            NoDatabase: the file is not there or cannot be read.
        """
        if self.password_file is None:
            raise NoDatabase("The managed Neo4j has no password yet.", "Start it first: cgstore server start")
        try:
            return Path(self.password_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise NoDatabase(f"The password file {self.password_file} cannot be read: {error.strerror}.") from error

    def browser_url(self) -> str | None:
        """The address of Neo4j Browser with this server's Bolt address filled in; None while it does not run."""
        if self.uri is None or self.http is None:
            return None
        return f"{self.http}/browser/?connectURL={self.uri.replace('://', f'://{self.user}@')}"

    def as_dict(self) -> dict[str, object]:
        """The fields by name, ready for JSON."""
        return asdict(self)


def start(
    version: str | None = None,
    *,
    heap: str | None = None,
    page_cache: str | None = None,
    home: Path | None = None,
    quiet: bool = False,
    timeout: float = 600.0,
) -> ServerInfo:
    """Starts the managed Neo4j, or attaches to the one that runs. Returns when it answers queries.

    The first start downloads Neo4j's jars (143 to 173 MB). The server outlives this program until `stop`.

    Args:
        version: by default the one that runs, else CGSTORE_NEO4J_VERSION, else 5.26.30. Each version line
            (5.26, 2026.08) has data of its own.
        heap: Java's heap, such as `2g`; by default CGSTORE_NEO4J_HEAP or a quarter of the memory, at most 4g.
            Ignored, with a warning, when it attaches to a server of another size.
        page_cache: memory for the store's files; by default CGSTORE_NEO4J_PAGECACHE or a quarter, at most 4g.
        home: by default CGSTORE_HOME or the user's data folder.
        quiet: nothing on standard error.
        timeout: seconds that the server may take to answer, downloads not counted.

    Raises:
        BadInput: an unknown version, or a size that cannot be read.
        NoDatabase: a package of `cgstore[local]` is missing, the jars cannot be fetched, the home cannot be written,
            or the server does not come up; the message has the reason and the last lines of its log.
    """
    root = home_folder(home)
    memory = memory_sizes(heap, page_cache)
    with file_errors(root):
        place = chosen(root, version)
        place.create()
        with locked(place, quiet):
            state = read_state(place)
            process = find_process(place, state)
            if process is not None and state is not None:
                # A server killed a moment ago may still look alive; it is then started like one that has ended.
                with suppress(ServerExited):
                    return _attach(place, state, process, memory if heap or page_cache else None, quiet, timeout)
            _say(f"Starting Neo4j {place.version} ...", quiet)
            return launch(place, memory, quiet, timeout)


def stop(version: str | None = None, *, home: Path | None = None, force: bool = False, timeout: float = 60.0) -> bool:
    """Shuts the managed server down, and waits until its process has ended.

    Args:
        version: needed only if servers of several versions run.
        home: by default CGSTORE_HOME or the user's data folder.
        force: kill it at once; no committed data is lost, but the next start takes longer.
        timeout: seconds to wait.

    Returns:
        True if a server was stopped, False if none ran.

    Raises:
        BadInput: an unknown version, or several run and none was named.
        NoDatabase: it did not stop in time.
    """
    root = home_folder(home)
    with file_errors(root):
        if version is None and len(running := _running(root)) > 1:
            names = ", ".join(place.version for place in running)
            raise BadInput(f"Several managed servers run: {names}.", "Name the one to stop with --neo4j-version.")
        place = chosen(root, version)
        if not place.folder.is_dir():
            return False
        with locked(place, quiet=True, wait=timeout, ignore=force):
            process = find_process(place, read_state(place))
            if process is not None and not end(process, timeout, force):
                raise NoDatabase(
                    f"Neo4j {place.version} (pid {process.pid}) did not stop within {timeout:g} s.",
                    "Wait and try again, or kill it: cgstore server stop --force",
                )
            clear_state(place)
            return process is not None


def status(version: str | None = None, *, home: Path | None = None) -> ServerInfo:
    """Whether the managed server runs, and how to reach it. Nothing is started or written.

    Args:
        version: by default the one that runs, else the default version.
        home: by default CGSTORE_HOME or the user's data folder.

    Raises:
        BadInput: an unknown version.
    """
    root = home_folder(home)
    with file_errors(root):
        place = chosen(root, version)
        state = read_state(place)
        return _info(place, state, find_process(place, state))


def logs(
    lines: int = 50, *, follow: bool = False, version: str | None = None, home: Path | None = None
) -> Iterator[str]:
    """The last lines of neo4j.log, and with `follow` every new line, without end.

    Raises:
        BadInput: an unknown version.
        NoDatabase: there is no log yet.
    """
    root = home_folder(home)
    with file_errors(root):
        place = chosen(root, version)
        if not place.log.exists():
            raise NoDatabase(
                f"There is no log at {place.log}: Neo4j {place.version} has not been started here.",
                "Start it: cgstore server start",
            )
        yield from follow_log(place.log, lines) if follow else log_lines(place.log, most=lines)


def _running(root: Path) -> list[ServerFolder]:
    folders = (ServerFolder(root, version) for version in versions())
    return [place for place in folders if find_process(place, read_state(place))]


def chosen(root: Path, version: str | None) -> ServerFolder:
    """The version named, else the one that runs (the default one first), else the default."""
    default = os.environ.get("CGSTORE_NEO4J_VERSION") or DEFAULT_VERSION
    if version is None and (running := _running(root)):
        return next((place for place in running if place.version == default), running[-1])
    return ServerFolder(root, check_version(version or default))


@contextmanager
def locked(place: ServerFolder, quiet: bool, wait: float = _LOCK_WAIT, ignore: bool = False) -> Iterator[None]:
    """Holds the store's lock, which the system frees when its holder dies."""
    filelock = optional("filelock", "local")
    lock = filelock.FileLock(place.lock_file)
    try:
        try:
            lock.acquire(timeout=min(wait, 1))
        except filelock.Timeout:
            _say("Waiting for another start or stop to finish ...", quiet)
            lock.acquire(timeout=max(0.0, wait - 1))
    except filelock.Timeout as error:
        if not ignore:
            raise NoDatabase(
                f"Another start or stop of Neo4j {place.version} is still running.", "Try again when it has ended."
            ) from error
    try:
        yield
    finally:
        lock.release()


def _attach(
    place: ServerFolder, state: RunState, process: Any, asked: Memory | None, quiet: bool, timeout: float
) -> ServerInfo:
    """The running server, once it answers; it may still be starting.

    Raises:
        ServerExited: it ended instead.
        NoDatabase: it does not answer, or refuses the password.
    """
    try:
        wait_until_ready(process, state.ports, _info(place, state, process).password(), timeout)
    except TooSlow as error:
        raise NoDatabase(
            f"Neo4j {state.version} (pid {process.pid}) runs, but does not answer.",
            "See cgstore server logs; end it with cgstore server stop --force, and start again.",
        ) from error
    if asked and (asked.heap, asked.page_cache) != (state.heap, state.page_cache):
        _say(
            f"It already runs with heap {in_megabytes(state.heap)} and page cache {in_megabytes(state.page_cache)}; "
            "other sizes take effect after a stop.",
            quiet,
        )
    return _info(place, state, process)


def launch(place: ServerFolder, memory: Memory, quiet: bool, timeout: float) -> ServerInfo:
    """Starts a server on a store that no process has open; after a crash, on the ports that it had."""
    crashed = read_state(place)
    clear_state(place)
    java.executable()  # before the download: a missing package should not cost minutes
    folder = jars_folder(place.home)
    jars = fetch_jars(folder, artifacts(place.version), quiet=quiet)
    if not str(folder).isascii():  # Neo4j's web server cannot read the page from such a jar; all else works
        _say(f"Neo4j Browser will not open from {folder}: set CGSTORE_JARS to a folder with an ASCII name.", quiet)
    _check_disk(place)
    password = _password(place)
    with reserved(crashed.ports if crashed else None) as ports:
        return _launch_on(ports, place, jars, memory, password, timeout)


def _launch_on(
    ports: Ports, place: ServerFolder, jars: list[Path], memory: Memory, password: str, timeout: float
) -> ServerInfo:
    java.write_settings(place, jars_folder(place.home), ports, memory)
    _set_password(place, jars)
    state = RunState(place.version, ports.bolt, ports.http, memory.heap, memory.page_cache)
    write_state(place, state)
    logged = log_size(place.log)
    process = spawn(place, java.server_command(place, jars, memory), java.environment())
    try:
        state = state.of_process(process)
        write_state(place, state)
        wait_until_ready(process, ports, password, timeout)
    except BaseException as error:
        # Also after Ctrl-C: a server that nobody waits for must not come up later.
        end(process, timeout=10, force=True)
        clear_state(place)
        if isinstance(error, ServerExited | TooSlow):
            raise _start_failure(place, logged, timeout if isinstance(error, TooSlow) else None) from error
        raise
    return _info(place, state, process)


def _start_failure(place: ServerFolder, logged: int, waited: float | None) -> NoDatabase:
    """The error of a failed start: the reason in words, with the end of the log."""
    lines = log_lines(place.log, logged) + log_lines(place.console, most=20)
    why = failure_reason(lines) if waited is None else f"it did not answer within {waited:g} s"
    is_trace = re.compile(r"\s*$|\s+(at |\.\.\. \d+ more)")
    shown = "\n".join(f"  {line}" for line in [line for line in lines if not is_trace.match(line)][-15:])
    return NoDatabase(f"Neo4j {place.version} did not start: {why}.", f"The end of {place.log}:\n{shown}")


def failure_reason(lines: list[str]) -> str:
    """The reason of a failed start in words, as far as the lines of its log tell."""
    text = "\n".join(lines)
    for pattern, words in _REASONS:
        if re.search(pattern, text, re.IGNORECASE):
            return words
    causes = [line for line in lines if "ERROR" in line or "Caused by:" in line or line.startswith("Error")]
    return causes[-1].strip() if causes else "the process ended"


def _check_disk(place: ServerFolder) -> None:
    free = shutil.disk_usage(place.folder).free
    if free < _LEAST_DISK:
        raise NoDatabase(
            f"Only {free // MIB} MiB are free on the disk of {place.folder}, Neo4j needs {_LEAST_DISK // MIB} MiB.",
            "Free some space, or set CGSTORE_HOME to a folder on another disk.",
        )


def _password(place: ServerFolder) -> str:
    """The password of the store, generated before its first start.

    Raises:
        NoDatabase: the store has data, but its password file is gone.
    """
    if place.password_file.exists():
        return place.password_file.read_text(encoding="utf-8").strip()
    if _is_used(place):
        raise NoDatabase(
            f"The password file {place.password_file} is gone, and the data beside it needs that password.",
            f"Put the file back. Or remove {place.folder}, which deletes the data.",
        )
    password = secrets.token_hex(16)
    part = place.password_file.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(password)
    part.replace(place.password_file)
    return password


def _set_password(place: ServerFolder, jars: list[Path]) -> None:
    """Gives Neo4j the password before its first start; later it would change nothing and cost a second."""
    if not _is_used(place):
        java.run_admin(place, jars, ["dbms", "set-initial-password", f"@{place.password_file}"])


def _is_used(place: ServerFolder) -> bool:
    return (place.data / "dbms" / "auth.ini").exists() or (place.data / "databases" / "system").exists()


def _info(place: ServerFolder, state: RunState | None, process: Any | None) -> ServerInfo:
    ports = state.ports if state and process else None
    return ServerInfo(
        running=process is not None,
        version=place.version,
        uri=f"bolt://{HOST}:{ports.bolt}" if ports else None,
        http=f"http://{HOST}:{ports.http}" if ports else None,
        user=USER,
        password_file=str(place.password_file) if place.password_file.exists() else None,
        home=str(place.home),
        pid=process.pid if process else None,
    )


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        print(text, file=sys.stderr, flush=True)
