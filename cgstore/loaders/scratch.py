"""The temporary files of a load or an export, and what to say when there is no room for one."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cgstore.errors import NoRoom

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says of a disk, a quota or a file that is full."""

PER_FACT = 100
"""Bytes that a fact takes in a temporary file, about, where names are not long."""


def scratch_folder(prefix: str) -> Path:
    """A new folder for temporary files.

    Raises:
        NoRoom: it cannot be made.
    """
    try:
        return Path(tempfile.mkdtemp(prefix=prefix))
    except OSError as error:
        raise NoRoom(f"There is no folder for temporary files: {error.strerror or error}.", hint(None)) from error


@contextmanager
def scratch_errors(folder: Path | None = None) -> Iterator[None]:
    """Turns what SQLite and the system say of a temporary file in a folder (None: where SQLite chooses) into `NoRoom`.

    Raises:
        NoRoom: the disk is full, or the file cannot be read or written any more.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise failed(error, folder) from error
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise failed(error, folder) from error


def failed(error: Exception, folder: Path | None, outcome: str = "") -> NoRoom:
    """The error of a temporary file that failed.

    Args:
        error: what SQLite or the system said.
        folder: where the file is, before it is removed; None where SQLite chose the place.
        outcome: a sentence about the outcome of the command.
    """
    where = folder or Path(tempfile.gettempdir())
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder else 0
    held = f" holds {_bytes(size)}" if size >= 1e6 else ""
    try:
        free = f"{' and' if held else ''} has {_bytes(shutil.disk_usage(where).free)} free"
    except OSError:
        free = ""
    place = f" ({where}{held}{free})" if held or free else f" ({where})"
    why = getattr(error, "strerror", None) or error
    return NoRoom(f"A temporary file cannot be written{place}: {why}. {outcome}".rstrip(), hint(where))


def out_of_memory(what: object) -> NoRoom:
    """The error of a reader that needed more memory than there is."""
    return NoRoom(
        f"The memory of this machine ran out while {what} was read. Nothing was loaded.",
        "Close other programs, give this one more, or cut the input into smaller files.",
    )


def hint(where: Path | None) -> str:
    """What to do where there is no room."""
    freed = f"Free some space in {where.parent if where and where.name.startswith('cgstore-') else where}, or set"
    return (
        f"{freed if where else 'Set'} TMPDIR to a folder on a disk with more room: a million facts take some "
        f"{_bytes(PER_FACT * 1_000_000)} there. Then give the command again."
    )


def _bytes(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"
