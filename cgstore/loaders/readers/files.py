"""Reading tables from wherever they are: files, folders, patterns of names, and databases.

A file's ending says what it is, before .gz if that follows; where it says nothing, its first bytes do, and what has
none that we know is delimited text. Of a folder, all files with an ending that we know are read, and of a pattern all
that match; hidden files, Excel's lock files and the files of rejected lines that a load left are passed over.

A table is named by its file: `733` for a file that was given, `203-csv/733` by the path below the folder, or below the
part of a pattern before the first wildcard.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cgstore.errors import BadInput
from cgstore.loaders.inputs import plain_path
from cgstore.loaders.readers.excel import EXCEL_ENDINGS, read_excel_tables
from cgstore.loaders.readers.frame import PARQUET_ENDING, read_parquet_table
from cgstore.loaders.readers.json_lines import JSON_ENDINGS, read_json_tables
from cgstore.loaders.readers.rows import Table
from cgstore.loaders.readers.sql import is_url, read_sql_tables
from cgstore.loaders.readers.text import TEXT_ENDINGS, TextOptions, read_text_table
from cgstore.loaders.rejects import HEADER

ENDINGS = (*TEXT_ENDINGS, *EXCEL_ENDINGS, PARQUET_ENDING, *JSON_ENDINGS)
"""What is read of a folder; those of texts may have .gz after them."""

_ZIPPED = (*TEXT_ENDINGS, *JSON_ENDINGS)

_OTHERS = {
    ".xls": "Open it in a spreadsheet program and save it as .xlsx or .csv.",
    ".xlsb": "Open it in a spreadsheet program and save it as .xlsx or .csv.",
    ".ods": "Open it in a spreadsheet program and save it as .xlsx or .csv.",
    ".zip": "Unpack it, and give the folder.",
    ".json": "JSON Lines is read: an object a line, in a file that ends with .jsonl.",
    ".db": "The URL of an SQLite database is sqlite:///FILE.",
    ".sqlite": "The URL of an SQLite database is sqlite:///FILE.",
}
"""Endings of what might be given and is not read, with what to do then."""


@dataclass(frozen=True)
class _Options:
    text: TextOptions
    sheet: str | None
    query: str | None


class _File(NamedTuple):
    path: Path
    name: str


def read_tables(
    paths: Sequence[str],
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    query: str | None = None,
    escapes: bool | None = None,
) -> Iterator[Table]:
    r"""The tables of all inputs, in the order given; those of a folder or a pattern in the order of their paths.

    Args:
        paths: files, folders, patterns (`*`, `?`, `**`) and SQLAlchemy URLs. A file that comes twice is read once.
        header: False if the first row of texts and sheets is no header; the columns are `column 1` and so on then.
        delimiter: what separates the columns of a text, a character or `tab`; None finds it.
        encoding: that of the texts; None finds it.
        sheet: the one sheet to read of each workbook.
        query: a table's name or a SELECT statement, for the databases.
        escapes: whether `\n`, `\p` and `\\` in a text stand for a line end, a bar and a backslash; None finds it.

    Raises:
        BadInput: an input is not there or cannot be read, or an option fits none of them.
    """
    options = _Options(TextOptions(header, delimiter, encoding, escapes), sheet, query)
    if not paths:
        raise BadInput("No input was given.", "Give files, folders, patterns or the URLs of databases.")
    inputs = list(dict.fromkeys(found for given in paths for found in _inputs(given)))
    if query is not None and not any(isinstance(found, str) for found in inputs):
        raise BadInput("A query was given, and no database.", "The URL of a database is dialect://...")
    if sheet is not None and not any(isinstance(f, _File) and _ending(f.path) in EXCEL_ENDINGS for f in inputs):
        raise BadInput("A sheet was given, and no Excel workbook.", f"A workbook ends with {EXCEL_ENDINGS[0]}.")
    seen: set[str] = set()
    for found in inputs:
        if isinstance(found, str):
            yield from read_sql_tables(found, query)
        elif (real := os.path.realpath(found.path)) not in seen:
            seen.add(real)
            yield from _tables(found, options)


def _inputs(given: str) -> list[_File | str]:
    """The files that an input stands for, or itself if it is a URL."""
    if is_url(given):
        return [given]
    path = Path(given)
    try:
        if path.is_dir():
            return list(_folder(path))
        if path.exists():
            return [_File(path, _name(path, path.parent))]
        if glob.has_magic(given):
            return list(_pattern(given))
    except (OSError, ValueError, re.error) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"'{given[:300]}' is no path that can be read: {why}", "Check the path.") from error
    raise BadInput(f"There is no file or folder {given[:300]}.", "Check the path.")


def _folder(folder: Path) -> list[_File]:
    files: list[Path] = []
    for parent, folders, names in os.walk(folder, onerror=_unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(parent, name) for name in names if not name.startswith((".", "~$"))]
    known = [path for path in sorted(files) if _ending(path) in ENDINGS and not _is_rejected(path)]
    if not known:
        raise BadInput(f"The folder {folder} has no tables.", f"Tables are files that end with {', '.join(ENDINGS)}.")
    return [_File(path, _name(path, folder)) for path in known]


def _unreadable(error: OSError) -> None:
    raise BadInput(f"{error.filename} cannot be read: {error.strerror or error}") from error


def _pattern(given: str) -> list[_File]:
    found = [Path(name) for name in sorted(glob.glob(given, recursive=True))]  # noqa: PTH207 - of absolute ones too
    files = [path for path in found if path.is_file() and not path.name.startswith("~$") and not _is_rejected(path)]
    if not files:
        raise BadInput(
            f"No file fits the pattern {given[:300]}.", "Quote a pattern, so that the shell leaves it alone."
        )
    base = Path(*Path(given).parts[: next(i for i, part in enumerate(Path(given).parts) if glob.has_magic(part))])
    return [_File(path, _name(path, base)) for path in files]


def _is_rejected(path: Path) -> bool:
    """Whether a load left this file, which holds the lines of another one that it could not use."""
    if not re.search(r"\.rejected(-\d+)?\.tsv$", path.name):
        return False
    with path.open("rb") as file:
        return file.readline(len(HEADER)) == HEADER.encode()


def _ending(path: Path) -> str:
    """The ending that tells what a file is; empty for .gz after one that is never zipped."""
    plain = plain_path(path)
    ending = plain.suffix.lower()
    return ending if plain == path or ending in _ZIPPED else ""


def _name(path: Path, base: Path) -> str:
    plain = plain_path(path)
    return plain.relative_to(base).with_suffix("").as_posix() if plain.suffix else plain.relative_to(base).as_posix()


def _tables(file: _File, options: _Options) -> Iterator[Table]:
    path, name = file
    if not path.is_file():
        raise BadInput(f"{path} is no regular file.", "Copy what it gives to a file, which is read more than once.")
    ending = _ending(path) if _ending(path) in ENDINGS else _looked_up(path)
    if ending in EXCEL_ENDINGS:
        yield from read_excel_tables(path, name, header=options.text.header, sheet=options.sheet)
    elif ending == PARQUET_ENDING:
        yield read_parquet_table(path, name)
    elif ending in JSON_ENDINGS:
        yield from read_json_tables(path, name, options.text.encoding)
    else:
        yield read_text_table(path, name, options.text)


def _looked_up(path: Path) -> str:
    """The ending that a file without a known one should have."""
    if hint := _OTHERS.get(path.suffix.lower()):
        raise BadInput(f"{path} is of a kind that is not read.", hint)
    try:
        with path.open("rb") as file:
            opening = file.read(8)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
    if opening.startswith(b"PK\x03\x04"):
        return EXCEL_ENDINGS[0]
    if opening.startswith(b"PAR1"):
        return PARQUET_ENDING
    return JSON_ENDINGS[0] if opening.lstrip().startswith(b"{") else TEXT_ENDINGS[0]
