"""The text of a file: decompressed, and its encoding found and proved before the first row is given out.

The encoding is the given one; else that of a byte order mark (UTF-8, UTF-16, UTF-32); else UTF-8; else what
charset-normalizer finds, if the text shows the language and so leaves no doubt. A short list of names in an old
encoding looks well in several of them, so that the user is asked rather than given the wrong letters.

Lines end with LF or CRLF; with CR where the file has no LF at all, as on old Macs.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TextIO

from cgstore.errors import BadInput
from cgstore.loaders.readers.rows import library

MAX_LINE = 16_000_000
"""Longest line in characters that is read as one; of a longer one only the beginning is kept in memory."""

_CHUNK = 1 << 20
_SAMPLE = 1 << 18

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_MAGIC = (
    (b"PK\x03\x04", "a zip file or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, such as .xls"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database; its URL is sqlite:///FILE"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"\x7fELF", "a program"),
)

_DRIVE = re.compile(r"(?<![A-Za-z])[A-Z]:\\[np]")
_HINT = "Say which it is with --encoding, such as --encoding cp1252."


@dataclass(frozen=True)
class Decoding:
    """How a file's bytes become lines of text.

    `escaped` tells whether every backslash of it begins `\\n`, `\\p` or `\\\\`, there is one, no bare `|`, and
    nothing that looks like a path on Windows: the way that WikiTableQuestions writes cells. `note` says what was
    guessed, empty where nothing was.
    """

    path: Path
    encoding: str
    newline: str
    escaped: bool
    note: str

    @contextmanager
    def opened(self) -> Iterator[TextIO]:
        """The text from its beginning; lines are ended by `newline` alone.

        Raises:
            BadInput: the file cannot be read, or it has changed meanwhile.
        """
        import io

        with opened_bytes(self.path) as raw:
            try:
                with io.TextIOWrapper(raw, encoding=self.encoding, newline=self.newline) as text:
                    yield text
            except UnicodeError as error:
                raise BadInput(f"{self.path} changed while it was read.") from error


def find_decoding(path: Path, encoding: str | None = None) -> Decoding:
    """How to decode a file, after one pass over all of it: what is wrong with its bytes shows before any row.

    Args:
        path: the file, gzipped or not (its content tells).
        encoding: its encoding, None to find it.

    Raises:
        BadInput: the file cannot be read, its compression is damaged, it holds NUL characters, or its encoding is
            unknown, in doubt or not the given one.
    """
    if encoding is not None:
        return _proved(path, _known(encoding), "")
    with opened_bytes(path) as raw:
        opening = raw.read(16)
    for mark, marked in _MARKS:
        if opening.startswith(mark):
            return _proved(path, marked, "")
    try:
        return _proved(path, "utf-8", "", tell=False)
    except UnicodeDecodeError as error:
        guess = _guessed(path, error)
        return _proved(path, guess, f"{path} is no UTF-8; it was read as {guess}. --encoding says otherwise.")


def _known(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, ValueError) as error:
        raise BadInput(
            f"'{encoding[:60]}' is no encoding.", "Encodings are utf-8, cp1252, shift_jis and such."
        ) from error
    return "utf-8-sig" if name == "utf-8" else name


@contextmanager
def opened_bytes(path: Path) -> Iterator[IO[bytes]]:
    """A file's bytes, decompressed if they begin as gzip does, whatever the name says.

    Raises:
        BadInput: the file cannot be read, or is no whole gzip file.
    """
    try:
        with path.open("rb") as raw:
            zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            file: Any = gzip.GzipFile(fileobj=raw) if zipped else raw
            with file:
                yield file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{path} is no whole gzip file: {error}", "Copy or download it again.") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error


def _proved(path: Path, encoding: str, note: str, *, tell: bool = True) -> Decoding:
    """Decodes all of a file. A UnicodeDecodeError counts from the file's beginning; `tell` makes it a BadInput."""
    decoder = codecs.getincrementaldecoder(encoding)()
    lines, escapes = _LineEnds(), _Escapes()
    done = 0
    with opened_bytes(path) as raw:
        while True:
            chunk = raw.read(_CHUNK)
            # What the decoder holds back, the beginning of a character, stands before the chunk.
            pending = len(decoder.getstate()[0])
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                error.start += done - pending
                error.end += done - pending
                if not tell:
                    raise
                raise _no_encoding(path, encoding, error) from error
            if "\x00" in text:
                raise _binary(path, lines.count + text.count("\n", 0, text.index("\x00")) + 1)
            lines.take(text)
            escapes.take(text, final=not chunk)
            if not chunk:
                return Decoding(path, encoding, lines.newline, escapes.only_theirs, note)
            done += len(chunk)


class _LineEnds:
    """Which line ends a text has."""

    def __init__(self) -> None:
        self.count = 0
        self._returns = False

    def take(self, text: str) -> None:
        self.count += text.count("\n")
        self._returns = self._returns or "\r" in text

    @property
    def newline(self) -> str:
        return "\r" if self._returns and not self.count else "\n"


class _Escapes:
    """Whether a text has the escapes of WikiTableQuestions, and nothing that they do not leave."""

    def __init__(self) -> None:
        self._found = False
        self._others = False
        self._carry = ""

    @property
    def only_theirs(self) -> bool:
        return self._found and not self._others

    def take(self, text: str, final: bool) -> None:
        if self._others or not (text or self._carry):
            return
        text = self._carry + text
        # An escape may go over the end of a chunk: the last run of backslashes waits for the next one.
        kept = text if final else text.rstrip("\\")
        self._carry = text[len(kept) :]
        if "|" in kept or _DRIVE.search(kept):
            self._others = True
        elif "\\" in kept:
            self._found = True
            # Pairs go first, from the left: `\\n` is a backslash and an n.
            rest = kept.replace("\\\\", "").replace("\\n", "").replace("\\p", "")
            self._others = "\\" in rest


def _binary(path: Path, line: int = 0) -> BadInput:
    return _other_kind(path) or BadInput(
        f"{path} has a NUL character{f' on line {line}' if line else ''}: it is no text, or in another encoding.",
        "UTF-16 without a byte order mark is --encoding utf-16-le or utf-16-be.",
    )


def _other_kind(path: Path) -> BadInput | None:
    """The error of a file that begins as one of another kind does."""
    with opened_bytes(path) as raw:
        opening = raw.read(16)
    for magic, kind in _MAGIC:
        if opening.startswith(magic):
            return BadInput(f"{path} is no text: it looks like {kind}.", "Give it the ending of its kind.")
    return None


def _no_encoding(path: Path, encoding: str, error: UnicodeDecodeError) -> BadInput:
    return BadInput(f"{path} is no {encoding.removesuffix('-sig')}: {_place(path, error)} cannot be read.", _HINT)


def _place(path: Path, error: UnicodeDecodeError) -> str:
    """The byte at fault and its line: `byte 0xe9 on line 3`."""
    done, line, byte = 0, 1, b""
    with opened_bytes(path) as raw:
        while done <= error.start and (chunk := raw.read(_CHUNK)):
            place = min(error.start - done, len(chunk))
            line += chunk.count(b"\n", 0, place)
            byte = chunk[place : place + 1] or byte
            done += len(chunk)
    return f"byte 0x{byte.hex()} on line {line}" if byte else f"the end, on line {line},"


def _guessed(path: Path, error: UnicodeDecodeError) -> str:
    """The encoding that the file's lines with other than ASCII characters speak for, without a doubt."""
    if other := _other_kind(path):
        raise other
    normalizer = library("charset_normalizer", f"{path} is no UTF-8 and")
    sample = _sample(path)
    matches = list(normalizer.from_bytes(sample))
    if b"\x00" in sample:
        raise _binary(path)
    if not matches:
        raise _no_encoding(path, "utf-8", error)
    best = matches[0]
    rivals = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    names = [name for match in rivals for name in (match.encoding, *match.could_be_from_charset)]
    if best.coherence == 0 or len({str(match) for match in rivals}) > 1:
        likely = [
            name for name in dict.fromkeys(("cp1252", *(match.encoding for match in matches))) if _reads(sample, name)
        ]
        raise BadInput(
            f"{path} is no UTF-8: {_place(path, error)}; it could be {', '.join(likely[:4])}.",
            f"Say which it is with --encoding, such as --encoding {likely[0]}.",
        )
    # The sample reads the same in these; the commonest of them is likeliest for what is not in the sample.
    return "cp1252" if "cp1252" in names else str(best.encoding)


def _reads(sample: bytes, encoding: str) -> bool:
    try:
        sample.decode(encoding)
    except UnicodeError:
        return False
    return True


def _sample(path: Path) -> bytes:
    """Lines that are not ASCII, with the file's first line, up to `_SAMPLE` bytes."""
    pieces: list[bytes] = []
    size = 0
    with opened_bytes(path) as raw:
        while size < _SAMPLE and (line := raw.readline(4096)):
            if not pieces or not line.isascii():
                pieces.append(line)
                size += len(line)
    return b"".join(pieces)
