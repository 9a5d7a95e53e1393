"""The files of the managed server and their errors, its log, and the optional packages that it needs.

    <home>/jars/<maven path>     jars, shared by all versions (CGSTORE_JARS moves them; a Maven repository will do)
    <home>/neo4j/<line>/         one store a version line, 5.26 or 2026.08: no version opens another line's data
        data/ logs/ import/      Neo4j's own folders
        conf/neo4j.conf          written at each start
        password                 mode 600
        run.json                 the process and its ports, there while the server runs
        start.lock               held during a start and a stop

<home> is CGSTORE_HOME, or the user's data folder of the system.
"""

from __future__ import annotations

import errno
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import platformdirs

from cgstore.errors import BadInput, NoDatabase

_POLL = 0.25  # seconds
_DISK_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}  # Windows has no quota error


def home_folder(home: Path | None = None) -> Path:
    """The folder given, else CGSTORE_HOME, else the user's data folder; absolute, not created."""
    chosen = home or os.environ.get("CGSTORE_HOME") or platformdirs.user_data_dir("cgstore", appauthor=False)
    return Path(chosen).expanduser().absolute()


def jars_folder(home: Path) -> Path:
    """The jar cache: CGSTORE_JARS, else `jars` in the home.

    Raises:
        BadInput: the path contains the separator of Java's class path, so Java could not find the jars.
    """
    folder = Path(os.environ.get("CGSTORE_JARS") or home / "jars").expanduser().absolute()
    if os.pathsep in str(folder):
        raise BadInput(
            f"Java cannot read jars below {folder}: the path contains `{os.pathsep}`.",
            "Set CGSTORE_HOME or CGSTORE_JARS to another folder.",
        )
    return folder


@dataclass(frozen=True)
class ServerFolder:
    """The files of one Neo4j version line in one home."""

    home: Path
    version: str

    @property
    def folder(self) -> Path:
        """The version line's folder: minor releases of Neo4j 5 and calendar months are lines of their own."""
        return self.home / "neo4j" / ".".join(self.version.split(".")[:2])

    @property
    def conf(self) -> Path:
        return self.folder / "conf"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "logs" / "neo4j.log"

    @property
    def console(self) -> Path:
        """The output of the Java process: a JVM that cannot start says why here."""
        return self.folder / "logs" / "console.log"

    @property
    def password_file(self) -> Path:
        return self.folder / "password"

    @property
    def run_file(self) -> Path:
        return self.folder / "run.json"

    @property
    def lock_file(self) -> Path:
        return self.folder / "start.lock"

    def create(self) -> None:
        """Creates the folders; only the user may read them."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in (self.conf, self.data, self.log.parent, self.folder / "import"):
            folder.mkdir(exist_ok=True)


@contextmanager
def file_errors(home: Path) -> Iterator[None]:
    """Turns the system's file errors into a NoDatabase that says what to do."""
    try:
        yield
    except OSError as error:
        place = error.filename or home
        if error.errno in _DISK_FULL:
            hint = "Free some space (Neo4j needs about 1 GB), or set CGSTORE_HOME to a folder on another disk."
        else:
            hint = "Set CGSTORE_HOME to a folder that you can write to."
        raise NoDatabase(f"{place}: {error.strerror or error}.", hint) from error


def log_size(path: Path) -> int:
    """Bytes in a log, 0 if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def log_lines(path: Path, offset: int = 0, most: int | None = None) -> list[str]:
    """The lines of a log from a byte offset on, at most the last `most`; all of them if it is shorter (rotated)."""
    data = _log_bytes(path, offset if offset <= log_size(path) else 0)
    return list(deque(data.decode("utf-8", errors="replace").splitlines(), maxlen=most))


def follow_log(path: Path, lines: int) -> Iterator[str]:
    """The last lines of a log, then every new one, without end. A rotated log is followed into the new file."""
    data = _log_bytes(path, 0)
    offset = len(data)
    *complete, rest = data.decode("utf-8", errors="replace").split("\n")
    yield from deque(complete, maxlen=lines)
    while True:
        time.sleep(_POLL)
        if log_size(path) < offset:
            offset, rest = 0, ""
        data = _log_bytes(path, offset)
        offset += len(data)
        *complete, rest = (rest + data.decode("utf-8", errors="replace")).split("\n")
        yield from complete


def _log_bytes(path: Path, offset: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read()
    except FileNotFoundError:  # for a moment during a rotation
        return b""


def optional(module: str) -> Any:
    """A module of the extra `local`, imported now.

    Raises:
        NoDatabase: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise NoDatabase(
            f"A managed Neo4j needs the package {module.partition('.')[0]}, which is not installed.",
            "Install it: pip install 'cgstore[local]' (or name a running Neo4j with CGSTORE_NEO4J_URI)",
        ) from error
