"""How much memory the managed server gets: a share of the machine, or what the user says."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.server.extras import optional

MIB = 1024 * 1024
GIB = 1024 * MIB
_UNITS = {"k": 1024, "m": MIB, "g": GIB}
_SMALLEST = {"heap": 256 * MIB, "page cache": 8 * MIB}
_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True)
class Memory:
    """Sizes in bytes: Java's heap (queries, transactions) and the page cache (the store's files)."""

    heap: int
    page_cache: int


def parse_size(text: str, what: str) -> int:
    """Read a size such as `512m` or `4G` in bytes.

    Raises:
        BadInput: another form, or too small for Neo4j to start.
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*([kmg])(?:i?b)?\s*", text, re.IGNORECASE | re.ASCII)
    if match is None:
        raise BadInput(f"`{text}` is not a size for the {what}.", "Write a whole number with k, m or g: 512m, 4g")
    size = int(match[1]) * _UNITS[match[2].lower()]
    if size < _SMALLEST[what]:
        raise BadInput(f"A {what} of {text} is too small.", f"The least is {_SMALLEST[what] // MIB}m.")
    return size


def in_megabytes(size: int) -> str:
    """A size as Java and Neo4j both read it."""
    return f"{size // MIB}m"


def machine_memory() -> int:
    """Bytes of memory that this process may use: the machine's, or less where a container limits it."""
    total = int(optional("psutil").virtual_memory().total)
    for name in _CGROUP_LIMITS:
        try:
            limit = Path(name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if limit.isdigit():
            total = min(total, int(limit))
    return total


def share_of(total: int, what: str) -> int:
    """A quarter of the memory, at most 4 GiB and at least 512 MiB for the heap or 128 MiB for the page cache."""
    least = 512 * MIB if what == "heap" else 128 * MIB
    return max(least, min(4 * GIB, total // 4))


def sizes(heap: str | None = None, page_cache: str | None = None) -> Memory:
    """The sizes asked for, else those of CGSTORE_NEO4J_HEAP and CGSTORE_NEO4J_PAGECACHE, else a share of the machine.

    Raises:
        BadInput: a size that cannot be read, or is too small.
        NoDatabase: psutil is not installed.
    """
    heap = heap or os.environ.get("CGSTORE_NEO4J_HEAP")
    page_cache = page_cache or os.environ.get("CGSTORE_NEO4J_PAGECACHE")
    total = machine_memory()
    return Memory(
        heap=parse_size(heap, "heap") if heap else share_of(total, "heap"),
        page_cache=parse_size(page_cache, "page cache") if page_cache else share_of(total, "page cache"),
    )
