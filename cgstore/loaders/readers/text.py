r"""Delimited text (CSV, TSV and the like): one reader for tables, triples, temporal facts, statements and aliases.

`docs/reading.md` states the rules. Encoding, delimiter, quoting and escapes of a file are found before its first record
is given out, unless the user names them.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cgstore.errors import BadFile, BadOption, setting
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.encoding import MAX_LINE, CutLine, Decoding, find_decoding
from cgstore.loaders.readers.records import MAX_FIELD, BadLine, Row, Table, as_row, column_names, numbered_columns
from cgstore.options import LoadOptions, option
from cgstore.text.numbers import COMMA as DECIMAL_COMMA

TAB, COMMA, SEMICOLON, PIPE = "\t", ",", ";", "|"

DELIMITERS = {"tab": TAB, "comma": COMMA, "semicolon": SEMICOLON, "pipe": PIPE}
"""Names of delimiters. A delimiter may also be given as the character itself."""

TAB_ENDINGS = (".tsv", ".tab")
CSV_ENDING = ".csv"
TEXT_ENDINGS = (CSV_ENDING, *TAB_ENDINGS)

_SAMPLE_LINES, _SAMPLE_SIZE = 1000, 1 << 20

MAX_REREAD = 200_000_000
"""Most characters that are read again after quotes that were not closed. Then the file is refused."""

_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_ESCAPE = re.compile(r"\\([np\\])")
_ESCAPED = {"n": "\n", "p": "|", "\\": "\\"}


@dataclass(frozen=True)
class TextLoadOptions(LoadOptions):
    """The options of loads from text files. None leaves an option to what is found in the file."""

    header: bool | None = option(None, "Does the first line name the columns?", unset="detected")
    delimiter: str | None = option(
        None, "Between the columns: one character, or tab, comma, semicolon, pipe.", unset="detected"
    )
    encoding: str | None = option(None, "The encoding of text files, such as cp1252.", unset="detected")


class Record(NamedTuple):
    """One record: the line that it begins on (from 1), its cells, its text.

    `complete` is false where a quote that was never closed may have swallowed cells.
    """

    line: int
    cells: list[str]
    text: str
    complete: bool = True


@dataclass(frozen=True)
class TextFile:
    """A text file with known encoding, delimiter and quoting. Each iteration reads its records anew."""

    decoding: Decoding
    delimiter: str
    quoted: bool
    escaped: bool

    @property
    def path(self) -> Path:
        """The file."""
        return self.decoding.path

    def __iter__(self) -> Iterator[Record | BadLine]:
        records = (_quoted_records if self.quoted else _plain_records)(self.decoding, self.delimiter)
        return map(_unescaped, records) if self.escaped else records


def open_text(
    path: Path,
    options: TextLoadOptions,
    *,
    fewest: int = 2,
    strict: bool = False,
    escapes: bool | None = False,
    decoding: Decoding | None = None,
) -> TextFile:
    r"""Finds encoding, delimiter and quoting of a text file.

    A delimiter that gives fewer columns than `fewest` is not taken. With `strict`, bytes that cannot be decoded refuse
    the whole file, rather than their lines. `escapes` says whether `\n`, `\p` and `\\` stand for a line end, a bar and
    a backslash; None finds it out. `decoding` is given where it is known.

    Raises:
        BadFile: the file cannot be read or decoded (see `find_decoding`), or the delimiter is not one.
    """
    delimiter = None if options.delimiter is None else delimiter_of(options.delimiter)
    decoding = decoding or find_decoding(path, options.encoding, strict=strict)
    ending = plain_path(path).suffix.lower()
    lines, whole = _sample(decoding)
    if delimiter is None:
        delimiter = TAB if ending in TAB_ENDINGS else _likely_delimiter(lines, whole, ending, fewest)
    quotable = ending == CSV_ENDING or delimiter not in (TAB, PIPE)
    quoted = quotable or _is_quoted(lines, whole, delimiter)
    escaped = delimiter == TAB and not quoted and decoding.escaped
    return TextFile(decoding, delimiter, quoted, escaped if escapes is None else escapes)


def read_text_table(path: Path, name: str, options: TextLoadOptions, escapes: bool | None = None) -> Table:
    """The table of a delimited text file; its header is the first line that is not blank.

    Raises:
        BadFile: as `open_text`; or the file is empty or has no header that can be used.
    """
    file = open_text(path, options, strict=True, escapes=escapes)
    opening = next(iter(file), None)
    if opening is None:
        raise BadFile(f"{path} is empty.", f"A table has a header, or rows and {setting('header', False)}.")
    if isinstance(opening, BadLine):
        raise BadFile(f"{path}:{opening}", f"Correct the header, or give {setting('header', False)}.")
    if len(opening.cells) == 1 and options.delimiter is None and (seen := _other_delimiter(file)):
        raise BadFile(
            f"{path} has no tab, and its lines look separated by {_shown(seen)}.",
            f"Give {setting('delimiter', _name(seen))}, or {setting('delimiter', 'tab')} if the table has one column.",
        )
    if options.header is False:
        columns = numbered_columns(len(opening.cells), str(path))
    else:
        columns = column_names(opening.cells, f"{path}:{opening.line}")
    rows = _table_rows(file, columns, skipped=options.header is not False)
    notes = (file.decoding.note,) if file.decoding.note else ()
    header = f"line {opening.line}" if options.header is None else ""
    return Table(name, columns, rows, path, notes, header, DECIMAL_COMMA if file.delimiter == SEMICOLON else None)


def _table_rows(file: TextFile, columns: tuple[str, ...], skipped: bool) -> Iterator[Row | BadLine]:
    for record in islice(file, int(skipped), None):
        if isinstance(record, BadLine):
            yield record
        elif len(record.cells) < len(columns) and not record.complete:
            problem = f"{len(record.cells)} of {len(columns)} columns; is a quote on or above it not closed?"
            yield BadLine(record.line, 0, "", problem, record.text)
        else:
            yield as_row(record.line, record.cells, columns, record.text)


# Delimiter and quoting


def delimiter_of(text: str) -> str:
    """The delimiter that the text means: a name of `DELIMITERS`, or the character itself.

    Raises:
        BadFile: it is neither.
    """
    character = {**DELIMITERS, "\\t": TAB}.get(text.lower(), text)
    if len(character) != 1 or character in '"\r\n ':
        raise BadOption(
            f"'{text[:60]}' is not a delimiter.", f"Give one character, or one of the words {', '.join(DELIMITERS)}."
        )
    return character


def hint_of_delimiter(text: str, fewest: int, given: str) -> str | None:
    """A hint for a line with too few columns, if another delimiter gives it enough."""
    others = (each for each in DELIMITERS.values() if each != given)
    seen = next((each for each in others if text.count(each) >= fewest - 1), None)
    return f"The columns look separated by {_shown(seen)}: {setting('delimiter', _name(seen))}." if seen else None


def _name(delimiter: str) -> str:
    return next((name for name, each in DELIMITERS.items() if each == delimiter), delimiter)


def _shown(delimiter: str) -> str:
    return {TAB: "tabs", COMMA: "commas"}.get(delimiter, f"'{delimiter}'")


def _sample(decoding: Decoding) -> tuple[list[str], bool]:
    """The first lines from one that is not blank on, and whether they are the whole file."""
    lines: list[str] = []
    size = 0
    with decoding.opened() as text:
        while line := text.readline(_SAMPLE_SIZE):
            if len(lines) == _SAMPLE_LINES or size > _SAMPLE_SIZE:
                return lines, False
            if not line.isspace() or lines:
                lines.append(line)
                size += len(line)
    return lines, True


def _widths(lines: list[str], delimiter: str, whole: bool) -> list[int]:
    """The number of columns of each record in a sample, without the last record if it may be cut off."""
    _allow_long_fields()
    widths: list[int] = []
    try:
        for cells in csv.reader(lines, delimiter=delimiter, skipinitialspace=True):
            widths += [len(cells)] if cells else []
    except csv.Error:
        whole = True  # the records end before the last line
    return widths if whole or len(widths) < 2 else widths[:-1]


def _likely_delimiter(lines: list[str], whole: bool, ending: str, fewest: int) -> str:
    """The delimiter by which most records of a sample, and the first one, have one same width; else a comma.

    Where each line needs three columns, more may follow, for which the first line need not have titles.
    """
    likeliest = (COMMA, TAB, SEMICOLON, PIPE) if ending == CSV_ENDING else (TAB, PIPE, COMMA, SEMICOLON)
    best, delimiter = (False, 0.0), COMMA
    for candidate in likeliest:
        widths = _widths(lines, candidate, whole)
        if not widths:
            continue
        width, count = Counter(widths).most_common(1)[0]
        fit = (widths[0] == width or widths[0] >= fewest > 2, count / len(widths))
        if width >= fewest and (fit[0] or candidate == COMMA) and fit > best:
            best, delimiter = fit, candidate
    return delimiter


def _other_delimiter(file: TextFile) -> str | None:
    """The delimiter that splits all records of a file without tabs into the same number of columns."""
    lines, whole = _sample(file.decoding)
    if file.delimiter != TAB or any(TAB in line for line in lines):
        return None
    for candidate in (COMMA, SEMICOLON, PIPE):
        widths = _widths(lines, candidate, whole)
        if len(widths) > 1 and widths[0] > 1 and len(set(widths)) == 1:
            return candidate
    return None


def _is_quoted(lines: list[str], whole: bool, delimiter: str) -> bool:
    """Whether cells between tabs or bars are quoted. There, a quote may also be an ordinary character.

    They are quoted if all cells of the first record are; if all records have one same width only when read so; or if
    each cell with quotes is in quotes, and some have doubled quotes within.
    """
    split = [line.rstrip("\r\n").split(delimiter) for line in lines]
    marked = [cell.strip() for cells in split for cell in cells if '"' in cell]
    if not marked:
        return False
    if all(len(cell) > 1 and _QUOTED.fullmatch(cell.strip()) for cell in split[0]):
        return True
    if len({len(cells) for cells in split if cells != [""]}) > 1:
        widths = _widths(lines, delimiter, whole)
        if len(set(widths)) == 1 and widths[0] > 1:
            return True
    return all(map(_QUOTED.fullmatch, marked)) and any('""' in cell[1:-1] for cell in marked)


# Records


class _LongLine(Exception):
    """The line that was read last is the beginning of a longer one."""


class _Lines:
    """Lines with their ends. They are counted, and those of a record are kept, so that they can be read again."""

    def __init__(self, decoding: Decoding) -> None:
        self._path, self._lines = decoding.path, decoding.lines()
        self._again: deque[str] = deque()
        self._taken: list[str] = []
        self.count = 0
        self._reread = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.count += 1
        self._taken.append(line)
        if isinstance(line, CutLine):
            raise _LongLine
        return line

    def taken(self) -> list[str]:
        """The lines read since the last call."""
        lines, self._taken = self._taken, []
        return lines

    def give_back(self, lines: list[str]) -> None:
        """Makes the iteration give the last lines again.

        Raises:
            BadFile: this happens too often.
        """
        self._again.extendleft(reversed(lines))
        self.count -= len(lines)
        self._reread += sum(map(len, lines))
        if self._reread > MAX_REREAD:
            raise BadFile(
                f"{self._path}:{self.count}: too many quotes have no end.",
                "Is a quote within a quoted cell written twice?",
            )


def _plain_records(decoding: Decoding, delimiter: str) -> Iterator[Record | BadLine]:
    """The records of a file without quoting: each line is one."""
    for number, line in enumerate(decoding.lines(), 1):
        if type(line) is CutLine:
            yield _too_long(number, [line])
            continue
        text = line.rstrip("\r\n")
        if text.strip(" "):
            yield Record(number, text.split(delimiter), text)


def _quoted_records(decoding: Decoding, delimiter: str) -> Iterator[Record | BadLine]:
    """The records of a file with quoting. A quote that is never closed makes a bad line of the one that it opens on."""
    _allow_long_fields()
    lines = _Lines(decoding)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    suspect = 0  # the last line that a quote had swallowed which was not closed
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _LongLine:
            taken = lines.taken()
            yield _too_long(lines.count - len(taken) + 1, taken)
            continue
        except csv.Error as error:
            suspect = max(suspect, lines.count)
            yield _broken(lines, error)
            continue
        taken = lines.taken()
        text = "".join(taken).rstrip("\r\n")
        if text.strip(" "):
            number = lines.count - len(taken) + 1
            yield Record(number, cells, text, len(taken) == 1 and number > suspect)


def _broken(lines: _Lines, error: csv.Error) -> BadLine:
    """The first of the lines that are not a record. Each of the others is read again as the beginning of one."""
    first, *rest = lines.taken()
    lines.give_back(rest)
    if rest or "end of data" in str(error):
        problem = f"a quote opened on line {lines.count} is not closed"
    elif "expected after" in str(error):
        problem = "text after a closing quote, or a space; within a quoted cell, a quote is written twice"
    elif "field limit" in str(error):
        problem = f"a cell longer than {MAX_FIELD:,} characters"
    else:
        problem = f"not a record of cells ({error})"
    return BadLine(lines.count, 0, "", problem, first.rstrip("\r\n"))


def _too_long(number: int, lines: list[str]) -> BadLine:
    if len(lines) > 1:
        return BadLine(number, 0, "", f"a quote opened on line {number} is not closed", "".join(lines)[:MAX_FIELD])
    return BadLine(number, 0, "", f"longer than {MAX_LINE:,} characters; its beginning is shown", lines[0])


def _unescaped(record: Record | BadLine) -> Record | BadLine:
    if isinstance(record, BadLine) or "\\" not in record.text:
        return record
    return record._replace(cells=[_ESCAPE.sub(lambda found: _ESCAPED[found[1]], cell) for cell in record.cells])


def _allow_long_fields() -> None:
    """Raises the limit of csv, which holds for the whole program: another reader may have raised it further."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD))
