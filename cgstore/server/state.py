"""The record of a running server, and whether the process it names is really that server."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from cgstore.server.extras import optional
from cgstore.server.home import Store
from cgstore.server.ports import Ports

_CLOCK_SLACK = 2.0  # seconds; a process's start time is counted from the boot time, which clock corrections shift


@dataclass(frozen=True)
class RunState:
    """What run.json says: sizes in bytes, `created` in seconds since 1970 as the system gives it for the process.

    It is written without a process before the process starts, so that a start killed in between leaves the ports.
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


def read_state(store: Store) -> RunState | None:
    """The record, or None where there is none or a power cut left only half of it."""
    try:
        return RunState(**json.loads(store.run_file.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError):
        return None


def write_state(store: Store, state: RunState) -> None:
    """Write the record in one step, so that a reader never sees half of it."""
    part = store.run_file.with_suffix(".part")
    part.write_text(json.dumps(asdict(state)), encoding="utf-8")
    part.replace(store.run_file)


def clear_state(store: Store) -> None:
    """Remove the record."""
    store.run_file.unlink(missing_ok=True)


def find_process(store: Store, state: RunState | None) -> Any | None:
    """The running server of the store as a psutil.Process, or None.

    A pid alone may meanwhile belong to another program, so the start time must agree too. If it does not (a start
    killed before it could write the pid, a corrected clock), the server is looked for by its command line.
    """
    if state is None:
        return None
    psutil = optional("psutil")
    if state.pid is not None and state.created is not None:
        try:
            process = psutil.Process(state.pid)
            if abs(process.create_time() - state.created) < _CLOCK_SLACK and is_alive(process):
                return process
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            pass  # another program has the pid now, or nobody
    return with_argument(f"--home-dir={store.folder}")


def is_alive(process: Any) -> bool:
    """Whether the process runs; one that ended and that its parent has not asked about yet (a zombie) does not."""
    psutil = optional("psutil")
    try:
        return bool(process.is_running() and process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD))
    except psutil.NoSuchProcess:
        return False


def with_argument(wanted: str) -> Any | None:
    """The process, as a psutil.Process, whose command line has the argument; None if there is none."""
    for process in optional("psutil").process_iter(["cmdline"]):
        if wanted in (process.info["cmdline"] or ()) and is_alive(process):
            return process
    return None
