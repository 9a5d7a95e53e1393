"""Delimited text files (TSV, CSV, plain or gzipped) as records with line numbers.

TSV, and what pipes separate, has no quoting: a `"` is an ordinary character. CSV is read by the standard library's csv
module, so that a quoted field may hold commas, quotes and line breaks; where its first line has semicolons and no
comma, semicolons separate the columns. Text is UTF-8, with or without a byte order mark; lines end with LF or CRLF;
empty lines are passed over.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from cgstore.errors import BadInput
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.rows import MAX_FIELD, BadLine

MAX_RECORD = 16_000_000
"""Longest line in bytes, and longest record of lines in characters; what is longer is no text in lines, and is refused
before it fills the memory."""

TAB, COMMA, SEMICOLON, PIPE = "\t", ",", ";", "|"

_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")
"""Its byte order marks, decoded as `_Lines` does."""

_DELIMITERS = {".tsv": TAB, ".tab": TAB, ".csv": COMMA}


class Record(NamedTuple):
    """One record: the line that it begins on (from 1), its fields without surrounding white space, its text."""

    line: int
    fields: list[str]
    text: str


def read_records(
    path: Path, *, delimiter: str | None = None, separators: int = 3, pipes: bool = False
) -> Iterator[Record | BadLine]:
    """Streams the records of a file; what cannot be read as one comes as a `BadLine` in its place.

    The delimiter goes by the name's ending (.tsv and .tab: tab, .csv: comma; before .gz if that follows); for any
    other, a first line with `separators` tabs or more says tab, else, if `pipes`, one with as many `|` says these, else
    comma. Instead of commas, semicolons are read where the first line has `separators` or more, and no comma.

    Args:
        path: the file.
        delimiter: tab, comma, semicolon or pipe, whatever the name and the first line say.
        separators: how many a line has at least.
        pipes: whether pipes may separate the columns.

    Raises:
        BadInput: the file cannot be opened, its compression is damaged, it is in UTF-16 or has CR line ends, or a line
            is longer than `MAX_RECORD`.
    """
    with _opened(path) as file:
        lines = _Lines(path, file)
        opening = lines.peek()
        _check_text(path, opening, separators)
        delimiter = delimiter or _delimiter(path, opening, separators, pipes)
        yield from _plain_records(lines, delimiter) if delimiter in (TAB, PIPE) else _quoted_records(lines, delimiter)


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Streams the lines that are not blank, with their numbers from 1 and without their line ends.

    Bytes that are no UTF-8 come as lone surrogates, which `field_problem` finds.

    Raises:
        BadInput: as `read_records`.
    """
    with _opened(path) as file:
        lines = _Lines(path, file)
        _check_text(path, lines.peek(), separators=3)
        for line in lines:
            number, text = lines.taken()
            if not line.isspace():
                yield number, text


def first_line(path: Path) -> str:
    """The first line that is not blank; empty where there is none.

    Raises:
        BadInput: as `read_records`.
    """
    with _opened(path) as file:
        opening = _Lines(path, file).peek()
        _check_text(path, opening, separators=3)
        return opening


def _delimiter(path: Path, opening: str, separators: int, pipes: bool) -> str:
    delimiter = _DELIMITERS.get(plain_path(path).suffix.lower())
    if delimiter is None:
        among = (TAB, PIPE) if pipes else (TAB,)
        delimiter = next((one for one in among if opening.count(one) >= separators), COMMA)
    if delimiter == COMMA and COMMA not in opening and opening.count(SEMICOLON) >= separators:
        return SEMICOLON
    return delimiter


def _check_text(path: Path, opening: str, separators: int) -> None:
    """Raises BadInput if the first line tells that the file is no UTF-8 text in lines."""
    if opening.startswith(_UTF16):
        raise BadInput(f"{path} looks like UTF-16.", f"Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 {path}")
    pieces = [] if opening.endswith("\n") else opening.split("\r")
    if sum(max(map(piece.count, (TAB, COMMA, SEMICOLON, PIPE))) >= separators for piece in pieces) >= 2:
        raise BadInput(
            f"{path} has lines that end with CR alone, as on old Macs.",
            f"Convert them to LF: tr '\\r' '\\n' < {path}",
        )


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed if they begin as gzip does, whatever the name says."""
    try:
        with path.open("rb") as raw:
            zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            if zipped:
                with gzip.GzipFile(fileobj=raw) as file:
                    yield io.BufferedReader(cast(Any, file))  # its own lines are made one by one in Python
            else:
                yield raw
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{path} is no whole gzip file: {error}", "Copy or download it again.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


class _Lines:
    """Decoded lines with their line ends, counted, and remembered until taken (a CSV record may have several)."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path, self._file = path, file
        self._peeked: str | None = None
        self._taken: list[str] = []
        self._size = 0
        self._first = True
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line, self._peeked = self._decoded() if self._peeked is None else self._peeked, None
        self.count += 1
        self._taken.append(line)
        self._size += len(line)
        if self._size > MAX_RECORD:
            raise self._too_long(self.count - len(self._taken) + 1, "characters")
        return line

    def peek(self) -> str:
        """The first line that is not blank, before it is read; empty where there is none. Blank ones are read."""
        with suppress(StopIteration):
            while self._peeked is None:
                line = self._decoded()
                if line.isspace():
                    self.count += 1
                else:
                    self._peeked = line
        return self._peeked or ""

    def taken(self) -> tuple[int, str]:
        """The number of the first line read since the last call, and the text of all of them."""
        number, text = self.count - len(self._taken) + 1, "".join(self._taken)
        self._taken.clear()
        self._size = 0
        return number, text.rstrip("\r\n")

    def _decoded(self) -> str:
        raw = self._file.readline(MAX_RECORD)
        if not raw:
            raise StopIteration
        if len(raw) == MAX_RECORD and not raw.endswith(b"\n"):
            raise self._too_long(self.count + 1, "bytes")
        if self._first:
            self._first = False
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            # Bad bytes become lone surrogates, which `field_problem` finds again in the column where they stand.
            return raw.decode("utf-8", "surrogateescape")

    def _too_long(self, number: int, units: str) -> BadInput:
        return BadInput(
            f"{self._path}:{number}: a line or a record longer than {MAX_RECORD:,} {units}.",
            "Is this text, a fact a line? Is a quote not closed?",
        )


def _plain_records(lines: _Lines, delimiter: str) -> Iterator[Record]:
    for line in lines:
        number, text = lines.taken()
        if text and not text.isspace():
            yield Record(number, [field.strip() for field in line.split(delimiter)], text)


def _quoted_records(lines: _Lines, delimiter: str) -> Iterator[Record | BadLine]:
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            number, text = lines.taken()
            guess = (
                "is there a space after a closing quote?"
                if "expected after" in str(error)
                else "is a quote not closed?"
            )
            yield BadLine(number, 0, "", f"no CSV ({error}); {guess}", text)
            continue
        number, text = lines.taken()
        if any(fields):
            yield Record(number, [field.strip() for field in fields], text)
