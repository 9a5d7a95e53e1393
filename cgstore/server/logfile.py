"""Neo4j's log: its last lines, new lines as they come, and the reason of a failed start."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

_POLL = 0.25  # seconds

_REASONS = (
    (r"already in use", "a port was taken by another program"),
    (r"store_lock", "another process has the same store open"),
    (r"No space left on device", "the disk is full"),
    (r"Could not reserve enough space|Invalid maximum heap|insufficient memory", "there is too little memory for it"),
    (r"Permission denied|AccessDenied", "a file cannot be read or written"),
    (r"Error opening zip file|error reading .*\.jar", "a jar cannot be read"),
)


def tail(path: Path, lines: int) -> list[str]:
    """The last lines of a file; none if it is not there."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=lines)]
    except FileNotFoundError:
        return []


def size(path: Path) -> int:
    """Bytes in the file, 0 if it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def since(path: Path, offset: int) -> list[str]:
    """The lines from a byte offset on; all of them if the file has been rotated and is shorter."""
    return _read(path, offset if offset <= size(path) else 0).decode("utf-8", errors="replace").splitlines()


def follow(path: Path, lines: int) -> Iterator[str]:
    """The last lines, then every new one, without end. A rotated log is followed into the new file."""
    data = _read(path, 0)
    offset = len(data)
    *complete, rest = data.decode("utf-8", errors="replace").split("\n")
    yield from deque(complete, maxlen=lines)
    while True:
        time.sleep(_POLL)
        if size(path) < offset:
            offset, rest = 0, ""
        data = _read(path, offset)
        offset += len(data)
        *complete, rest = (rest + data.decode("utf-8", errors="replace")).split("\n")
        yield from complete


def _read(path: Path, offset: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read()
    except FileNotFoundError:  # for a moment during a rotation
        return b""


def without_stack(lines: list[str]) -> list[str]:
    """The lines that help a reader who does not know Neo4j's source."""
    return [line for line in lines if line.strip() and not re.match(r"\s+(at |\.\.\. \d+ more)", line)]


def reason(lines: list[str]) -> str:
    """The reason of a failed start, in words, as far as the lines tell."""
    text = "\n".join(lines)
    for pattern, words in _REASONS:
        if re.search(pattern, text, re.IGNORECASE):
            return words
    causes = [line for line in lines if "ERROR" in line or "Caused by:" in line or line.startswith("Error")]
    return causes[-1].strip() if causes else "the process ended"
