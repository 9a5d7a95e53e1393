"""The text of a file: decompressed, and decoded by an encoding that one pass over the whole file has proved.

The encoding is the given one; else that of a byte order mark (UTF-8, UTF-16, UTF-32); else UTF-8; else the one that
charset-normalizer finds, if the text leaves no doubt; else cp1252, if the letters can be no others (`western`). A short
list of names may read well in several old encodings: then the user is asked, instead of getting wrong letters.

Lines end with LF or CRLF, or with CR if the file has no LF at all, as on old Macs.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TextIO

from cgstore.errors import BadFile, BadOption, setting
from cgstore.loaders.readers.records import MAX_FIELD, library
from cgstore.loaders.readers.western import is_western, marked_words

MAX_LINE = 16_000_000
"""Longest line in characters that is read. Only the beginning of a longer one is kept in memory."""

MAX_SKIPPED = 100_000_000
"""Longest line in characters that counts as a bad line. A file with a longer one is refused."""

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

_RARE = re.compile(r"mac_.*|hp_roman8|kz1048|ptcp154|cp(?:037|273|424|437|500|7\d\d|85\d|86\d|875|1006|1026|1140)")
"""Encodings of old Macs, of DOS and of mainframes. A text that reads well in one of them mostly is in another one."""

_DRIVE = re.compile(r"(?<![A-Za-z])[A-Z]:\\[np]")
_WORDS_OF_FACTS = 3
"""Fewest different words by which facts are read as cp1252. With fewer, their lines are bad lines."""


def encoding_hint(such_as: str = "cp1252") -> str:
    """How to name an encoding."""
    return f"Name the encoding, such as {setting('encoding', such_as)}."


class CutLine(str):
    """The beginning of a line that is longer than `MAX_LINE`."""

    __slots__ = ()


@dataclass(frozen=True)
class Decoding:
    r"""How a file's bytes become lines of text.

    With the `errors` `surrogateescape`, bytes that are not UTF-8 become lone surrogates, which `field_problem` finds.
    `long_lines` tells whether a line may be longer than `MAX_LINE`. `escaped` tells whether cells are written as
    WikiTableQuestions writes them: there are backslashes, each begins `\n`, `\p` or `\\`, and there is neither a bare
    `|` nor a path of Windows. `note` says what was guessed; it is empty if nothing was.
    """

    path: Path
    encoding: str
    newline: str = "\n"
    errors: str = "strict"
    long_lines: bool = False
    escaped: bool = False
    note: str = ""

    @contextmanager
    def opened(self) -> Iterator[TextIO]:
        """The text from its beginning; lines end with `newline` alone.

        Raises:
            BadFile: the file cannot be read, or has changed since its encoding was proved.
        """
        with opened_bytes(self.path) as raw:
            try:
                with io.TextIOWrapper(raw, self.encoding, self.errors, self.newline) as text:
                    yield text
            except UnicodeError as error:
                raise BadFile(f"{self.path} changed while it was read.", "Load it again.") from error

    def lines(self) -> Iterator[str]:
        """The lines with their ends. A line that is longer than `MAX_LINE` is a `CutLine`."""
        with self.opened() as text:
            if not self.long_lines:
                yield from text
                return
            while line := text.readline(MAX_LINE):
                if len(line) < MAX_LINE or line.endswith(self.newline):
                    yield line
                    continue
                while (rest := text.readline(MAX_LINE)) and not rest.endswith(self.newline):
                    pass
                yield CutLine(line[:MAX_FIELD])


def find_decoding(path: Path, encoding: str | None = None, *, strict: bool = True) -> Decoding:
    """How to decode a file, gzipped or not, after one pass over all of it.

    `strict` refuses a file with NUL characters, or whose encoding is in doubt. Otherwise such a file is read as UTF-8,
    and bytes that cannot be decoded become lone surrogates.

    Raises:
        BadFile: the file cannot be read, is not text, its compression is damaged, a line is longer than
            `MAX_SKIPPED`, or its encoding is unknown, in doubt or not the given one.
    """
    with opened_bytes(path) as raw:
        opening = raw.read(16)
    for magic, kind in _MAGIC:
        if opening.startswith(magic):
            raise BadFile(f"{path} is not text: it looks like {kind}.", "Give it the ending of its kind.")
    marked = next((marked for mark, marked in _MARKS if opening.startswith(mark)), None)
    chosen = marked or "utf-8" if encoding is None else _codec(encoding)
    try:
        return _proved(path, chosen, "strict", strict)
    except UnicodeDecodeError as error:
        guess, example = _guess(path, error, strict) if encoding is None and marked is None else (None, "")
        if guess is not None:
            says = f"If letters are wrong, name the encoding with {setting('encoding')}."
            such = f", such as '{example}'" if example else ""
            note = f"{path} is not UTF-8; it was read as {guess}{such}. {says}"
            with suppress(UnicodeDecodeError):  # the guess is made of a part of the file
                return _proved(path, guess, "strict", strict, note)
        if strict or not chosen.startswith("utf-8"):
            name = chosen.removesuffix("-sig")
            raise BadFile(f"{path} is not {name}: {error.reason} cannot be read.", encoding_hint()) from error
        return _proved(path, chosen, "surrogateescape", strict)


def _codec(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, ValueError) as error:
        raise BadOption(
            f"'{encoding[:60]}' is not an encoding.", "Encodings are utf-8, cp1252, shift_jis and the like."
        ) from error
    return "utf-8-sig" if name == "utf-8" else name


@contextmanager
def opened_bytes(path: Path) -> Iterator[IO[bytes]]:
    """A file's bytes, decompressed if they begin as gzip does, whatever the name says.

    Raises:
        BadFile: the file cannot be read, or is not a whole gzip file.
    """
    try:
        with path.open("rb") as raw:
            zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            file: Any = gzip.GzipFile(fileobj=raw) if zipped else raw
            with file:
                yield file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadFile(f"{path} is not a whole gzip file: {error}", "Copy or download it again.") from error
    except OSError as error:
        raise BadFile(
            f"{path} cannot be read: {error.strerror or error}", "Check the path and its permissions."
        ) from error


def _proved(path: Path, encoding: str, errors: str, strict: bool, note: str = "") -> Decoding:
    """Decodes a whole file. The reason of a UnicodeDecodeError is the byte and its line: `byte 0xe9 on line 3`."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    lines, escapes = _LineEnds(path), _Escapes()
    with opened_bytes(path) as raw:
        while True:
            chunk = raw.read(_CHUNK)
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                number = lines.count + error.object.count(b"\n", 0, error.start) + 1
                byte = error.object[error.start : error.start + 1]
                error.reason = f"byte 0x{byte.hex()} on line {number}" if byte else f"the end, on line {number},"
                raise
            if strict and "\x00" in text:
                number = lines.count + text.count("\n", 0, text.index("\x00")) + 1
                raise BadFile(
                    f"{path} has a NUL character on line {number}: it is not text, or is in another encoding.",
                    f"UTF-16 without a byte order mark is {setting('encoding')} utf-16-le or utf-16-be.",
                )
            lines.take(text)
            escapes.take(text, final=not chunk)
            if not chunk:
                return Decoding(path, encoding, lines.newline, errors, lines.long(), escapes.only_theirs, note)


class _LineEnds:
    """The line ends of a text, and the length of its longest line, by LF and by CR."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.count = 0
        self._returns = False
        self._run = {"\n": 0, "\r": 0}
        self._longest = {"\n": 0, "\r": 0}

    def take(self, text: str) -> None:
        self.count += text.count("\n")
        self._returns = self._returns or "\r" in text
        for end, run in self._run.items():
            first = text.find(end)
            self._longest[end] = max(self._longest[end], run + (len(text) if first < 0 else first))
            self._run[end] = run + len(text) if first < 0 else len(text) - text.rfind(end) - 1
        if self._run[self.newline] > MAX_SKIPPED:
            raise self._too_long()

    @property
    def newline(self) -> str:
        return "\r" if self._returns and not self.count else "\n"

    def long(self) -> bool:
        """Whether a line may be longer than `MAX_LINE`."""
        longest = self._longest[self.newline]
        if longest > MAX_SKIPPED:
            raise self._too_long()
        return longest > MAX_LINE

    def _too_long(self) -> BadFile:
        return BadFile(
            f"{self._path}:{self.count + 1}: a line longer than {MAX_SKIPPED:,} characters.",
            "Is this text, a fact or a row a line?",
        )


class _Escapes:
    """Whether a text has the escapes of WikiTableQuestions, and nothing that they would have replaced."""

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
        # An escape may cross the end of a chunk: the last run of backslashes waits for the next chunk.
        complete = text if final else text.rstrip("\\")
        self._carry = text[len(complete) :]
        if "|" in complete or _DRIVE.search(complete):
            self._others = True
        elif "\\" in complete:
            self._found = True
            # Pairs are removed first, from the left: `\\n` is a backslash and an n.
            rest = complete.replace("\\\\", "").replace("\\n", "").replace("\\p", "")
            self._others = "\\" in rest


def _guess(path: Path, error: UnicodeDecodeError, strict: bool) -> tuple[str | None, str]:
    """The encoding that fits the lines with other than ASCII characters, None if it is in doubt; and such a word.

    Raises:
        BadFile: it is in doubt, and `strict` is asked for.
    """
    normalizer = library("charset_normalizer", f"{path} is not UTF-8 and")
    lines = _sample(path)
    sample = b"".join(lines)
    if b"\x00" in sample and strict:
        return None, ""
    matches = list(normalizer.from_bytes(sample))
    likely = [
        name for name in dict.fromkeys(("cp1252", *(match.encoding for match in matches))) if _reads(sample, name)
    ]
    best = matches[0] if matches else None
    rivals = [each for each in matches if best and (each.chaos, each.coherence) == (best.chaos, best.coherence)]
    # A line of UTF-8 reads as letters in the old encodings too, but as the wrong ones.
    has_utf8 = any(_reads(line, "utf-8") for line in lines if not line.isascii())
    if best and best.coherence and len({str(match) for match in rivals}) == 1 and not has_utf8:
        # The sample reads the same in all rivals. The commonest one is the likeliest for the rest of the file.
        names = [name for match in rivals for name in (match.encoding, *match.could_be_from_charset)]
        common = "cp1252" if "cp1252" in names else next((each for each in names if not _RARE.fullmatch(each)), None)
        if common:
            return common, _example(sample, common)
    if not has_utf8 and is_western(sample, 1 if strict else _WORDS_OF_FACTS):
        return "cp1252", _example(sample, "cp1252")
    if matches and strict:
        raise BadFile(
            f"{path} is not UTF-8: {error.reason}; it could be {', '.join(likely[:4])}.",
            encoding_hint(likely[0]),
        )
    return None, ""


def _example(sample: bytes, encoding: str) -> str:
    """The first word that is not ASCII, by which a reader sees whether the encoding is right."""
    return next(iter(marked_words(sample.decode(encoding, "replace"))), "")


def _reads(sample: bytes, encoding: str) -> bool:
    try:
        sample.decode(encoding)
    except UnicodeError:
        return False
    return True


def _sample(path: Path) -> list[bytes]:
    """The first line, and the lines that are not ASCII, up to `_SAMPLE` bytes."""
    lines: list[bytes] = []
    size = 0
    with opened_bytes(path) as raw:
        while size < _SAMPLE and (line := raw.readline(4096)):
            if not lines or not line.isascii():
                lines.append(line)
                size += len(line)
    return lines
