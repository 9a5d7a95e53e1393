"""Fresh managed servers for benchmarks: an empty store each, one command's time and memory, sizes on disk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import psutil

from cgstore import server
from cgstore.cypher.connection import Database
from cgstore.server import process
from cgstore.server.home import home_folder, jars_folder

BOLT, HTTP = 17687, 17474
"""Ports that no other server of cgstore chooses: one that is killed and started again must come back on its own."""


@contextmanager
def fresh_server(version: str | None = None) -> Iterator[tuple[Path, Database]]:
    """An empty server in a folder of its own, which is removed afterwards, and a connection to it."""
    os.environ.setdefault("CGSTORE_JARS", str(jars_folder(home_folder())))
    home = Path(tempfile.mkdtemp(prefix="cgstore-bench-"))
    try:
        with patch.multiple(process, BOLT=BOLT, HTTP=HTTP):
            info = server.start(version, home=home, quiet=True)
            assert info.uri
            with Database(info.uri, info.user, info.password()) as db:
                yield home, db
    finally:
        server.stop(home=home, force=True)
        shutil.rmtree(home, ignore_errors=True)


class Ran(NamedTuple):
    """A command's wall time in seconds, its own peak memory in MB, and its last line as JSON."""

    seconds: float
    peak_mb: float
    report: dict[str, Any]


def run_cgstore(home: Path, *arguments: str) -> Ran:
    """Runs the command line in a process of its own."""
    command = [sys.executable, "-m", "cgstore", *arguments]
    began = time.monotonic()
    environment = {**os.environ, "CGSTORE_HOME": str(home)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    peak = _Peak(process.pid)
    output, _ = process.communicate()
    seconds = time.monotonic() - began
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed with {process.returncode}: {output.decode()}")
    return Ran(seconds, peak.stop() / 1e6, json.loads(output.splitlines()[-1]))


class _Peak:
    """Samples the resident memory of one process, ten times a second; its children do not count."""

    def __init__(self, pid: int) -> None:
        self._process, self._peak, self._ended = psutil.Process(pid), 0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            try:
                self._peak = max(self._peak, self._process.memory_info().rss)
            except psutil.NoSuchProcess:
                return

    def stop(self) -> int:
        self._ended.set()
        self._thread.join()
        return self._peak


def disk(home: Path) -> tuple[float, float]:
    """Megabytes of the store and of its transaction logs."""
    logs = store = 0
    for path in home.rglob("*"):
        if path.is_file():
            if "transactions" in path.parts:
                logs += path.stat().st_size
            elif "databases" in path.parts and "system" not in path.parts:
                store += path.stat().st_size
    return store / 1e6, logs / 1e6
