r"""Delimited text (CSV, TSV) as a table: the delimiter, the quoting and the escapes are found in the file itself.

Delimiter: a file called .tsv or .tab has tabs; in any other, that of tab, comma, semicolon and bar which gives most of
the first records one same number of columns (two or more, the header too), the comma among equals; comma where none
does.

Quoting: a cell may stand in double quotes, and then hold delimiters, line ends, and quotes as `""`; spaces before
the first quote are no part of it. In a .tsv a quote is an ordinary character, unless the first records show that cells
are quoted: the whole header is; or only then have they one same number of columns; or each cell with quotes is
in quotes and has doubled ones within. A quote that is never closed costs the line that it opens on, and reading goes on
with the next; a row of too few cells is a `BadLine` where a quote may have swallowed the others.

Escapes: WikiTableQuestions writes a line end as `\n`, a backslash as `\\` and a bar as `\p`. A .tsv without
quoting is taken for one of those where all its backslashes begin one of the three (see `Decoding.escaped`).
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from cgstore.errors import BadInput
from cgstore.loaders.delimited import TAB
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.encoding import MAX_LINE, Decoding, find_decoding
from cgstore.loaders.readers.rows import MAX_FIELD, BadLine, Row, Table, as_row, column_names, numbered_columns
from cgstore.text.numbers import COMMA

TAB_ENDINGS = (".tsv", ".tab")
TEXT_ENDINGS = (".csv", *TAB_ENDINGS)

_DELIMITERS = (",", TAB, ";", "|")
"""The likeliest first."""

_SAMPLE_LINES, _SAMPLE_SIZE = 1000, 1 << 20

_MAX_REREAD = 200_000_000
"""Characters that are read again after quotes that were not closed, before the file is given up."""

_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_ESCAPE = re.compile(r"\\([np\\])")
_ESCAPED = {"n": "\n", "p": "|", "\\": "\\"}


@dataclass(frozen=True)
class TextOptions:
    """What a user says of a text file; None leaves it to the file."""

    header: bool | None = None
    delimiter: str | None = None
    encoding: str | None = None
    escapes: bool | None = None


class _Format(NamedTuple):
    delimiter: str
    quoted: bool
    escaped: bool


class _Record(NamedTuple):
    """`filled` tells whether missing cells may be filled up: not where a quote may have swallowed them."""

    line: int
    cells: list[str]
    text: str
    filled: bool = True


def read_text_table(path: Path, name: str, options: TextOptions) -> Table:
    """The table of a delimited text file; its header is the first line that is not blank.

    Raises:
        BadInput: the file cannot be read or decoded (see `find_decoding`), is empty, or has no header that could be
            used.
    """
    decoding = find_decoding(path, options.encoding)
    form = _format(decoding, options)
    opening = next(_records(decoding, form), None)
    if opening is None:
        raise BadInput(f"{path} is empty.", "A table has a header, or rows and --no-header.")
    if isinstance(opening, BadLine):
        raise BadInput(f"{path}:{opening}")
    if options.header is False:
        columns = numbered_columns(len(opening.cells), str(path))
    else:
        columns = column_names(opening.cells, f"{path}:{opening.line}")
    rows = _Rows(decoding, form, columns, skipped=options.header is not False)
    notes = (decoding.note,) if decoding.note else ()
    header = f"line {opening.line}" if options.header is None else ""
    return Table(name, columns, rows, path, notes, header, COMMA if form.delimiter == ";" else None)


@dataclass(frozen=True)
class _Rows:
    """The rows, read anew by each iteration: a table that nobody iterates keeps no file open."""

    decoding: Decoding
    form: _Format
    columns: tuple[str, ...]
    skipped: bool

    def __iter__(self) -> Iterator[Row | BadLine]:
        for record in islice(_records(self.decoding, self.form), int(self.skipped), None):
            if isinstance(record, BadLine):
                yield record
            elif len(record.cells) < len(self.columns) and not record.filled:
                problem = f"{len(record.cells)} of {len(self.columns)} columns; is a quote on or above it not closed?"
                yield BadLine(record.line, 0, "", problem, record.text)
            else:
                yield as_row(record.line, record.cells, self.columns, record.text)


def _format(decoding: Decoding, options: TextOptions) -> _Format:
    lines, whole = _sample(decoding)
    tabs = plain_path(decoding.path).suffix.lower() in TAB_ENDINGS
    if options.delimiter is not None:
        delimiter = _given(options.delimiter)
    elif tabs:
        delimiter = TAB
        _check_tabs(decoding.path, lines, whole)
    else:
        delimiter = _found(lines, whole)
    quoted = not tabs or delimiter != TAB or _is_quoted(lines, whole)
    escaped = delimiter == TAB and not quoted and decoding.escaped
    return _Format(delimiter, quoted, escaped if options.escapes is None else options.escapes)


def _given(delimiter: str) -> str:
    character = {"tab": TAB, "\\t": TAB}.get(delimiter, delimiter)
    if len(character) != 1 or character in '"\r\n ':
        raise BadInput(f"'{delimiter[:60]}' is no delimiter.", "It is one character, such as ';', or the word tab.")
    return character


def _sample(decoding: Decoding) -> tuple[list[str], bool]:
    """The first lines that are not blank, and whether these are all."""
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
    """How many columns each record of a sample has by a delimiter; the last may be cut off, and is left out then."""
    _allow_long_fields()
    widths: list[int] = []
    try:
        for cells in csv.reader(lines, delimiter=delimiter, skipinitialspace=True):
            widths += [len(cells)] if cells else []
    except csv.Error:
        whole = True  # it ended before its last record
    return widths if whole or len(widths) < 2 else widths[:-1]


def _found(lines: list[str], whole: bool) -> str:
    best, delimiter = (False, 0.0), _DELIMITERS[0]
    for candidate in _DELIMITERS:
        widths = _widths(lines, candidate, whole)
        if not widths:
            continue
        (width, count) = Counter(widths).most_common(1)[0]
        fit = (widths[0] == width, count / len(widths))
        if width >= 2 and (fit[0] or candidate == _DELIMITERS[0]) and fit > best:
            best, delimiter = fit, candidate
    return delimiter


def _check_tabs(path: Path, lines: list[str], whole: bool) -> None:
    """Refuses a .tsv without a tab whose records another delimiter splits: reading it as one column would be wrong."""
    if any(TAB in line for line in lines):
        return
    for candidate in _DELIMITERS:
        widths = _widths(lines, candidate, whole)
        if len(widths) > 1 and widths[0] > 1 and len(set(widths)) == 1:
            raise BadInput(
                f"{path} has no tab, and its lines look separated by '{candidate}'.",
                f"Say --delimiter '{candidate}', or --delimiter tab if it has one column.",
            )


def _is_quoted(lines: list[str], whole: bool) -> bool:
    """Whether cells between tabs are quoted: see the module."""
    split = [line.rstrip("\r\n").split(TAB) for line in lines]
    marked = [cell.strip() for cells in split for cell in cells if '"' in cell]
    if not marked:
        return False
    if all(len(cell) > 1 and _QUOTED.fullmatch(cell.strip()) for cell in split[0]):
        return True
    if len({len(cells) for cells in split if cells != [""]}) > 1:
        widths = _widths(lines, TAB, whole)
        if len(set(widths)) == 1 and widths[0] > 1:
            return True
    return all(map(_QUOTED.fullmatch, marked)) and any('""' in cell[1:-1] for cell in marked)


def _records(decoding: Decoding, form: _Format) -> Iterator[_Record | BadLine]:
    with decoding.opened() as text:
        lines = _Lines(text, decoding.newline)
        yield from _quoted_records(lines, form, decoding.path) if form.quoted else _plain_records(lines, form)


class _LongLine(Exception):
    """A line is longer than `MAX_LINE`; its beginning was taken."""


class _Lines:
    """Lines with their ends, counted; those of a record are remembered, so that they can be given back."""

    def __init__(self, text: TextIO, newline: str) -> None:
        self._text = text
        self._newline = newline
        self._back: deque[str] = deque()
        self._taken: list[str] = []
        self.count = 0
        self.reread = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._back:
            line = self._back.popleft()
        elif not (line := self._text.readline(MAX_LINE)):
            raise StopIteration
        self.count += 1
        if len(line) == MAX_LINE and not line.endswith(self._newline):
            self._taken.append(line[:MAX_FIELD])
            while (rest := self._text.readline(MAX_LINE)) and not rest.endswith(self._newline):
                pass
            raise _LongLine
        self._taken.append(line)
        return line

    def taken(self) -> list[str]:
        """The lines read since the last call."""
        lines, self._taken = self._taken, []
        return lines

    def give_back(self, lines: list[str]) -> None:
        """Has the last lines read again."""
        self._back.extendleft(reversed(lines))
        self.count -= len(lines)
        self.reread += sum(map(len, lines))


def _plain_records(lines: _Lines, form: _Format) -> Iterator[_Record | BadLine]:
    while True:
        try:
            line = next(lines)
        except StopIteration:
            return
        except _LongLine:
            yield _too_long(lines)
            continue
        lines.taken()
        text = line.rstrip("\r\n")
        if text.strip(" "):
            yield _Record(lines.count, _unescaped(text.split(form.delimiter), form), text)


def _quoted_records(lines: _Lines, form: _Format, path: Path) -> Iterator[_Record | BadLine]:
    _allow_long_fields()
    reader = csv.reader(lines, delimiter=form.delimiter, skipinitialspace=True, strict=True)
    suspect = 0  # the last line that a quote which was not closed had swallowed
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _LongLine:
            yield _too_long(lines)
            continue
        except csv.Error as error:
            suspect = max(suspect, lines.count)
            yield _broken(lines, error)
            if lines.reread > _MAX_REREAD:
                raise BadInput(f"{path}:{lines.count}: more and more quotes are not closed.") from error
            continue
        taken = lines.taken()
        text = "".join(taken).rstrip("\r\n")
        if text.strip(" "):
            number = lines.count - len(taken) + 1
            filled = len(taken) == 1 and number > suspect
            yield _Record(number, _unescaped(cells, form), text, filled)


def _broken(lines: _Lines, error: csv.Error) -> BadLine:
    """The first line of what is no record; those after it are read again, each as the beginning of one."""
    taken = lines.taken()
    first, rest = taken[0], taken[1:]
    lines.give_back(rest)
    if rest or "end of data" in str(error):
        problem = f"a quote opened on line {lines.count} is not closed"
    elif "expected after" in str(error):
        problem = "text after a closing quote; within a quoted cell, a quote is written twice"
    elif "field limit" in str(error):
        problem = f"a cell longer than {MAX_FIELD:,} characters"
    else:
        problem = f"no record of cells ({error})"
    return BadLine(lines.count, 0, "", problem, first.rstrip("\r\n"))


def _too_long(lines: _Lines) -> BadLine:
    taken = lines.taken()
    number = lines.count - len(taken) + 1
    if len(taken) > 1:
        return BadLine(number, 0, "", f"a quote opened on line {number} is not closed", "".join(taken)[:MAX_FIELD])
    return BadLine(number, 0, "", f"longer than {MAX_LINE:,} characters; its beginning is shown", taken[0])


def _unescaped(cells: list[str], form: _Format) -> list[str]:
    if not form.escaped:
        return cells
    return [_ESCAPE.sub(lambda found: _ESCAPED[found[1]], cell) if "\\" in cell else cell for cell in cells]


def _allow_long_fields() -> None:
    """csv's own limit is one for the whole program; another reader may have raised it further."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD))
