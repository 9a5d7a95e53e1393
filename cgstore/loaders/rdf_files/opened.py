"""An RDF file opened: decompressed, its beginning at hand before it is parsed, and every failure as BadInput."""

from __future__ import annotations

import gzip
import io
import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import quote

from cgstore.errors import BadInput, CgstoreError
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.scratch import out_of_memory

HEAD = 65_536
"""Bytes at the beginning that tell the format, and hold the whole document type declaration of RDF/XML."""


_RDFXML_PLACE = re.compile(r"file:///\S*?:(\d+):(\d+): ")
"""How an error of rdflib in RDF/XML begins: the base, the line, the column from 0."""


@dataclass(frozen=True)
class Opened:
    """An open file; `data` begins at its first byte, `head` says what comes first without taking it."""

    path: Path
    data: IO[bytes]
    head: bytes

    @property
    def base(self) -> str:
        """What relative IRIs are resolved against: `file:///NAME`.

        Without the folders, so that a graph neither tells of the machine nor changes when its file moves; and of a
        scheme that both libraries resolve relative IRIs with.
        """
        return f"file:///{quote(plain_path(self.path).name)}"


class _Replay(io.RawIOBase):
    """Reads the beginning, which was read already, then the rest."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            piece, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            piece = self._rest.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Opens a file, decompressed if it begins as gzip does, read once from front to back (so that a pipe will do).

    Raises:
        BadInput: it cannot be read, or whatever the parser raises within.
    """
    with _as_bad_input(path), path.open("rb") as raw:
        data: IO[bytes] = raw
        if raw.peek(2)[:2] == b"\x1f\x8b":
            data = cast(IO[bytes], gzip.GzipFile(fileobj=raw))
        head = data.read(HEAD)
        yield Opened(path, io.BufferedReader(_Replay(head, data), HEAD), head)


@contextmanager
def _as_bad_input(path: Path) -> Iterator[None]:
    try:
        yield
    except (CgstoreError, sqlite3.Error):
        raise  # no fault of the file: the stage knows what to say of its own errors
    except MemoryError as error:
        raise out_of_memory(path) from error
    except BaseException as error:
        # A panic of pyoxigraph, which is written in Rust, is not an Exception; nor is what ends a program.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise _bad_input(path, error) from error


def _bad_input(path: Path, error: BaseException) -> BadInput:
    if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
        return BadInput(f"{path} is no whole gzip file: {error}", "Copy or download it again.")
    if isinstance(error, OSError):
        return BadInput(f"{path} cannot be read: {error.strerror or error}")
    if isinstance(error, ImportError):
        return BadInput(f"Reading {path} needs {error.name}.", "pip install 'cgstore[rdf]'")
    if isinstance(error, RecursionError):
        return BadInput(f"{path} is nested too deeply.", "Write it with less nesting, as N-Triples say.")
    line, column = position_of(error)
    where = f", line {line}" + (f", column {column}" if column else "") if line else ""
    return BadInput(
        f"{path}{where}: {problem_of(error)}", "Mend it, or say what it is with --format, if it was taken for another."
    )


def position_of(error: BaseException) -> tuple[int, int]:
    """Line and column from 1 of a parser's error; 0 where it does not tell."""
    if isinstance(error, SyntaxError):  # pyoxigraph
        return error.lineno or 0, error.offset or 0
    if match := _RDFXML_PLACE.match(str(error)):
        return int(match[1]), int(match[2]) + 1
    line = getattr(error, "getLineNumber", lambda: getattr(error, "lineno", 0))()  # xml.sax, json
    column = getattr(error, "getColumnNumber", lambda: getattr(error, "colno", 1) - 1)()
    return (line or 0, column + 1 if line and column is not None else 0)


def problem_of(error: BaseException) -> str:
    """What a parser says, in one line, without the position."""
    text = str(getattr(error, "msg", "") or getattr(error, "getMessage", lambda: "")() or error)
    text = " ".join(text.split())
    if text.startswith("Parser error at "):
        text = text.partition(": ")[2]
    text = _RDFXML_PLACE.sub("", text)
    return f"{text[:300]}..." if len(text) > 300 else text or type(error).__name__
