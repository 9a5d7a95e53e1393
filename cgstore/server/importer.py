"""Neo4j's own importer on the managed server: files become the whole database, at once, while the server is down."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from cgstore.errors import NoDatabase
from cgstore.progress import Bar, bar
from cgstore.server import download, half_import, java
from cgstore.server.artifacts import artifacts
from cgstore.server.contents import contents, not_empty
from cgstore.server.extras import optional
from cgstore.server.half_import import DATABASE, database_folder
from cgstore.server.home import Store, file_errors, home_folder, jars_folder
from cgstore.server.info import ServerInfo
from cgstore.server.managed import chosen, locked, start
from cgstore.server.memory import MIB, in_megabytes, machine_memory, share_of
from cgstore.server.process import end
from cgstore.server.state import RunState, clear_state, find_process, read_state

_STOP_TIMEOUT = 120.0  # seconds
_CHUNK = 4096
_STAGE = re.compile(r"\((\d)/(\d)\) ([\w ]+?) \d{4}-")
_PERCENT = re.compile(r"(\d+)%")
_SAID = 15  # lines of the importer's that an error shows
_LEAST_OFF_HEAP = 256 * MIB


def import_files(
    folder: Path,
    arguments: str,
    *,
    version: str | None = None,
    home: Path | None = None,
    progress: bool = False,
    quiet: bool = False,
) -> ServerInfo:
    """Make files the database of the managed server, which must be empty; return when the server runs again.

    The server is stopped for it and started again with the same sizes; connections to it break, its ports may change.
    If this is killed at any moment, the next start or import begins with an empty database.

    Args:
        folder: where the files are.
        arguments: the file in it that has the importer's arguments, relative to the folder.
        version: by default the one that runs, else the default version.
        home: by default CGSTORE_HOME or the user's data folder.
        progress: whether to show a bar on standard error.
        quiet: nothing else on standard error.

    Raises:
        BadInput: the database holds something already, or an unknown version.
        NoDatabase: the importer failed, with the end of what it said; the database is empty again.
    """
    root = home_folder(home)
    with file_errors(root):
        place = chosen(root, version)
        place.create()
        before = _check_empty(place, quiet)
        try:
            with locked(place, quiet):
                half_import.clean(place)
                _stop(place)
                _import(place, folder, arguments, progress)
        except NoDatabase:
            _start_again(place, before, quiet)
            raise
    return _start_again(place, before, quiet)


def _start_again(place: Store, before: RunState | None, quiet: bool) -> ServerInfo:
    heap, page_cache = (in_megabytes(before.heap), in_megabytes(before.page_cache)) if before else (None, None)
    return start(place.version, heap=heap, page_cache=page_cache, home=place.home, quiet=quiet)


def _check_empty(place: Store, quiet: bool) -> RunState | None:
    """Return the record of the server that ran, if one did.

    A server that is down must be started to be asked, unless there is no database yet.
    """
    state = read_state(place)
    before = state if find_process(place, state) else None
    if before is None and not database_folder(place).exists():
        return None
    info = start(place.version, home=place.home, quiet=quiet)
    there = contents(info)
    if not there.empty:
        raise not_empty(there, place.version)
    return before


def _stop(place: Store) -> None:
    process = find_process(place, read_state(place))
    if process is not None and not end(process, _STOP_TIMEOUT):
        raise NoDatabase(
            f"Neo4j {place.version} (pid {process.pid}) did not stop within {_STOP_TIMEOUT:g} s.", "Try again."
        )
    clear_state(place)


def _import(place: Store, folder: Path, arguments: str, progress: bool) -> None:
    """Run the importer; whatever ends this before it succeeded also ends the importer and empties the database."""
    jars = download.ensure(jars_folder(place.home), artifacts(place.version), quiet=not progress)
    command = _command(place, jars, arguments)
    half_import.begin(place)
    try:
        with subprocess.Popen(
            command,
            cwd=folder,
            env=java.admin_environment(place),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches this program, which ends the importer
        ) as importer:
            try:
                said = _watch(importer, place, progress)
                code = importer.wait()
            except BaseException:
                importer.kill()
                raise
        if code:
            raise _failure(place, code, said)
        half_import.succeed(place)
    finally:
        half_import.clean(place)


def _command(place: Store, jars: list[Path], arguments: str) -> list[str]:
    """The importer, given the memory that is free while the server is down."""
    heap = share_of(machine_memory(), "heap")
    available = min(machine_memory(), int(optional("psutil").virtual_memory().available))
    off_heap = max(_LEAST_OFF_HEAP, (available - heap) * 3 // 4)
    return java.admin_command(
        place,
        jars,
        [f"-Xmx{in_megabytes(heap)}", half_import.tag(place)],
        [
            *("database", "import", "full", DATABASE, f"@{arguments}", "--overwrite-destination"),
            f"--max-off-heap-memory={in_megabytes(off_heap)}",
            f"--report-file={place.log.parent / 'import.report'}",
        ],
    )


def _watch(importer: subprocess.Popen[bytes], place: Store, progress: bool) -> str:
    """Keep what the importer says in a file beside the server's log, and show how far it is; return its last words."""
    assert importer.stdout is not None
    said = ""
    with (
        (place.log.parent / "import.log").open("wb") as log,
        bar("Neo4j's importer", "", 400, show=progress, percent=True) as shown,
    ):
        for chunk in _chunks(importer.stdout.fileno()):
            log.write(chunk)
            said = (said + chunk.decode("utf-8", "replace"))[-2 * _CHUNK :]
            _show(said, shown)
    return said


def _chunks(descriptor: int) -> Iterator[bytes]:
    while chunk := os.read(descriptor, _CHUNK):
        yield chunk


def _show(said: str, shown: Bar) -> None:
    """Move the bar to the last stage and percentage that were named: each stage is a hundred steps of it."""
    stages = list(_STAGE.finditer(said))
    if not stages:
        return
    stage = stages[-1]
    percents = _PERCENT.findall(said, stage.end())
    shown.total = 100 * int(stage[2])
    shown.set_description(f"Neo4j's importer, {stage[3].lower()}", refresh=False)
    shown.update(100 * (int(stage[1]) - 1) + int(percents[-1] if percents else 0) - shown.n)


def _failure(place: Store, code: int, said: str) -> NoDatabase:
    lines = [line for line in said.splitlines() if line.strip() and not re.match(r"[-.]\S* ", line)]
    shown = "\n".join(f"  {line}" for line in lines[-_SAID:])
    return NoDatabase(
        f"Neo4j's importer failed with exit code {code}; the database is empty again.",
        f"The end of {place.log.parent / 'import.log'}:\n{shown}",
    )
