"""Delimited text files (TSV, CSV, plain or gzipped) as records with line numbers.

TSV has no quoting: a `"` is an ordinary character. CSV is read by the standard library's csv module, so that a quoted
field may hold commas, quotes and line breaks. Text is UTF-8, with or without a byte order mark; lines end with LF or
CRLF; empty lines are passed over.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cgstore.errors import BadInput

MAX_FIELD = 1_000_000
"""Longest field in characters; what is longer is more likely a quote that was never closed."""

TAB, COMMA = "\t", ","

_BAD = re.compile("[\x00\ud800-\udfff]")
_DELIMITERS = {".tsv": TAB, ".tab": TAB, ".csv": COMMA}


class Record(NamedTuple):
    """One record: the line that it begins on (from 1), its fields without surrounding white space, its text."""

    line: int
    fields: list[str]
    text: str


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be used: `column` counts from 1, 0 where the whole line is meant."""

    line: int
    column: int
    name: str
    problem: str
    text: str

    def __str__(self) -> str:
        where = (
            f"column {self.column} ({self.name}): " if self.name else f"column {self.column}: " if self.column else ""
        )
        return f"{self.line}: {where}{self.problem}"


def read_records(path: Path) -> Iterator[Record | BadLine]:
    """Streams the records of a file; what cannot be read as one comes as a `BadLine` in its place.

    The delimiter goes by the name's ending (.tsv and .tab: tab, .csv: comma; before .gz if that follows); for any
    other, a first line with three tabs or more says tab, else comma.

    Raises:
        BadInput: the file cannot be opened, or its compression is damaged.
    """
    delimiter = _DELIMITERS.get(plain_path(path).suffix.lower())
    with _opened(path) as file:
        lines = _Lines(file)
        if delimiter is None:
            delimiter = TAB if lines.peek().count(TAB) >= 3 else COMMA
        yield from _tab_records(lines) if delimiter == TAB else _comma_records(lines)


def plain_path(path: Path) -> Path:
    """The path without `.gz`."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


@contextmanager
def _opened(path: Path) -> Iterator[Iterable[bytes]]:
    """The file's bytes, decompressed if they begin as gzip does, whatever the name says."""
    try:
        with path.open("rb") as raw:
            zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            if zipped:
                with gzip.GzipFile(fileobj=raw) as file:
                    yield file
            else:
                yield raw
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{path} is no whole gzip file: {error}", "Copy or download it again.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


class _Lines:
    """Decoded lines with their line ends, counted, and remembered until taken (a CSV record may have several)."""

    def __init__(self, file: Iterable[bytes]) -> None:
        self._file = iter(file)
        self._peeked: list[str] = []
        self._taken: list[str] = []
        self._first = True
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._peeked.pop() if self._peeked else self._decoded()
        self.count += 1
        self._taken.append(line)
        return line

    def peek(self) -> str:
        """The first line, before it is read; empty where there is none."""
        try:
            self._peeked.append(self._decoded())
        except StopIteration:
            return ""
        return self._peeked[-1]

    def taken(self) -> tuple[int, str]:
        """The number of the first line read since the last call, and the text of all of them."""
        number, text = self.count - len(self._taken) + 1, "".join(self._taken)
        self._taken.clear()
        return number, text.rstrip("\r\n")

    def _decoded(self) -> str:
        raw = next(self._file)
        if self._first:
            self._first = False
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            # Bad bytes become lone surrogates, which `field_problem` finds again in the column where they stand.
            return raw.decode("utf-8", "surrogateescape")


def _tab_records(lines: _Lines) -> Iterator[Record]:
    for line in lines:
        number, text = lines.taken()
        if text and not text.isspace():
            yield Record(number, [field.strip() for field in line.split(TAB)], text)


def _comma_records(lines: _Lines) -> Iterator[Record | BadLine]:
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD))
    reader = csv.reader(lines, strict=True)
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            number, text = lines.taken()
            yield BadLine(number, 0, "", f"no CSV ({error}); is a quote not closed?", text)
            continue
        number, text = lines.taken()
        if any(fields):
            yield Record(number, [field.strip() for field in fields], text)


def field_problem(field: str) -> str | None:
    """What is wrong with a field's characters, or None."""
    if len(field) > MAX_FIELD:
        return f"longer than {MAX_FIELD:,} characters"
    match = _BAD.search(field)
    if match is None:
        return None
    if match[0] == "\x00":
        return f"a NUL character at position {match.start() + 1}: is this a text file in UTF-8?"
    return f"byte 0x{ord(match[0]) - 0xDC00:02x} at position {match.start() + 1} is no UTF-8"
