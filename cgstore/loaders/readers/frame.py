"""Typed values as the texts of cells, and tables of such values: pandas DataFrames and Parquet files.

A text stays as it is. A whole number is its digits, also with a fraction of zero (5.0 is `5`). Any other number is in
its shortest form. A truth is `true` or `false`. A moment is in ISO form, without the time at midnight. A length of time
is `h:mm:ss`. A missing value (None, NaN, NaT, NA) is the empty text. A list or a mapping is JSON.

The line of a row is its number, from 1.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import struct
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine, Row, Table, as_row, column_names, library
from cgstore.loaders.staging import out_of_memory
from cgstore.text.numbers import NumberText

PARQUET_ENDING = ".parquet"

_WHOLE = 1e15
"""Every whole float below this is exactly the integer of its digits, and is written as that."""

_BATCH = 10_000
_AGAIN = "Is it complete? Copy or download it again, or write it anew."


class NoText(Exception):
    """A value that has no text; the message says why."""


def text_of(value: Any) -> str:
    """The text of one value.

    Raises:
        NoText: it is bytes, or an object without a text of its own.
    """
    if isinstance(value, str):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _digits(value)
    if isinstance(value, float):
        return _of_float(value)
    return _of_object(value)


def text_of_single(value: Any) -> str:
    """Like `text_of`, for a single-precision float: the shortest decimal number to which no other float is nearer."""
    if not isinstance(value, float) or not math.isfinite(value) or value.is_integer():
        return text_of(value)
    try:
        packed = struct.pack("f", value)
    except OverflowError:
        return text_of(value)
    for digits in range(1, 10):
        shorter = float(f"{value:.{digits}g}")
        if struct.pack("f", shorter) == packed:
            return _of_float(shorter)
    return _of_float(value)


def _digits(value: int) -> str:
    try:
        return str(int(value))
    except ValueError as error:
        raise NoText("a number of thousands of digits") from error


def _of_float(value: float) -> str:
    if math.isnan(value):
        return ""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else NumberText(repr(value))


def _of_object(value: Any) -> str:
    if isinstance(value, Decimal):
        return _of_decimal(value)
    if isinstance(value, bytes | bytearray | memoryview):
        raise NoText("bytes, which are not text")
    if _is_missing(value):
        return ""
    if isinstance(value, dt.datetime):
        # Midnight in a time zone is a moment of another day elsewhere: the zone is kept.
        return value.date().isoformat() if value.time() == dt.time.min and value.tzinfo is None else value.isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return text_of_duration(value)
    if isinstance(value, list | tuple | dict | set | frozenset):
        return _json(value)
    return _of_foreign(value)


def _of_decimal(value: Decimal) -> str:
    if value.is_nan():
        return ""
    if value.is_infinite() or abs(value.adjusted()) > 1000:
        return str(value)
    return NumberText(f"{value:f}")


def _is_missing(value: Any) -> bool:
    """Whether this is NaT (a datetime too) or NA of pandas, which is not imported: the name of the type tells."""
    return type(value).__name__ in ("NaTType", "NAType")


def text_of_duration(value: dt.timedelta) -> str:
    """A length of time as `h:mm:ss`, with the fraction of a second if it has one."""
    micro = value // dt.timedelta(microseconds=1)
    sign, micro = ("-", -micro) if micro < 0 else ("", micro)
    seconds, fraction = divmod(micro, 1_000_000)
    text = f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:06}".rstrip("0") if fraction else text


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise NoText(f"a nested value that is not JSON ({error})") from error


def _plain(value: Any) -> Any:
    """A value that json can write instead of one that it cannot."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    if isinstance(value, Decimal):
        return float(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    return text_of(value)


def _of_foreign(value: Any) -> str:
    """The text of a value of NumPy as Python's; any other object's own text."""
    kind: Any = type(value)
    if kind.__module__ == "numpy":
        if kind.__name__ == "float32":
            return text_of_single(float(value))
        if kind.__name__ in ("datetime64", "timedelta64"):
            return text_of(value.astype(f"{kind.__name__}[us]").item())
        plain = value.tolist()
        if type(plain) is not kind:
            return text_of(plain)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise NoText(f"a value of type {kind.__name__}, which has no text")
    try:
        return str(value)
    except MemoryError:
        raise
    except Exception as error:  # whatever a foreign object raises
        raise NoText(f"a value of type {kind.__name__}, which has no text ({error})") from error


# Numbers as sheets show them


def number_text(value: int | float, code: str) -> str:
    """The text of a number of a sheet, with what its number format (`0.00%`, `[$€]#,##0.00`, `00000`) says it means."""
    if isinstance(value, float):
        value = float(f"{value:.15g}")  # 0.1 + 0.2 is 0.3 in a sheet
    shown = _formatted(text_of(value), _read_format(code))
    return NumberText(shown) if "." in shown else shown


class _Format(NamedTuple):
    """What a number format says: `zeros` is how many digits a whole number has at least."""

    percent: bool
    symbol: str
    before: bool
    decimals: int
    zeros: int


def _formatted(number: str, form: _Format) -> str:
    if form.percent:
        return f"{text_of(Decimal(number).scaleb(2).normalize())}%"
    if form.symbol:
        sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
        if "e" not in digits and form.decimals:
            whole, _, decimals = digits.partition(".")
            digits = f"{whole}.{decimals.ljust(form.decimals, '0')}"
        return f"{sign}{form.symbol}{digits}" if form.before else f"{sign}{digits} {form.symbol}"
    return number.zfill(form.zeros) if form.zeros and number.isdigit() else number


_CODE = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]')
_DIGITS = re.compile(r"[0#?][0#?,]*(?:\.([0#?]+))?")


@lru_cache(maxsize=1000)
def _read_format(code: str) -> _Format:
    """What the format for positive numbers says; `General` says nothing."""
    section = _CODE.sub(lambda found: f'"\x00{found[1]}\x00"', code).split(";")[0]
    # Literals give way to spaces, so that a % or a 0 in them says nothing, and places stay.
    bare = _LITERAL.sub(lambda found: " " * len(found[0]), section)
    digits = _DIGITS.search(bare)
    place = digits.start() if digits else len(bare)
    marked = re.search("\x00([^\x00]+)\x00", section)
    sign = marked or next(
        (found for found in re.finditer(r"\S", section) if unicodedata.category(found[0]) == "Sc"), None
    )
    symbol = sign[sign.re.groups].strip() if sign else ""
    zeros = re.fullmatch(r"\s*(0{2,})\s*", bare)
    return _Format(
        percent="%" in bare,
        symbol=symbol,
        before=sign is not None and sign.start() < place,
        decimals=len(digits[1] or "") if digits else 0,
        zeros=len(zeros[1]) if zeros else 0,
    )


# Tables


def table_of_frame(frame: Any, name: str) -> Table:
    """The table of a pandas DataFrame.

    The index is the first column, unless it has no name and is of whole numbers: then it counts the rows, and is left
    out. The names of columns in levels are joined: `Population 2010`.

    Raises:
        BadInput: it is not a DataFrame, or has no columns.
    """
    pandas = library("pandas", "A DataFrame")
    if not isinstance(frame, pandas.DataFrame):
        raise BadInput(f"'{name}' is not a pandas DataFrame but a {type(frame).__name__}.")
    columns = column_names(_frame_columns(frame), f"the frame '{name}'")
    return Table(name, columns, _frame_rows(frame, columns))


def _kept_levels(frame: Any) -> list[int]:
    """The levels of the index that are columns."""
    index = frame.index
    if index.nlevels > 1:
        return list(range(index.nlevels))
    counts = index.name is None and index.dtype.kind in "iu"
    return [] if counts or (index.name is None and not len(index)) else [0]


def _frame_columns(frame: Any) -> list[str]:
    try:
        names = [text_of(frame.index.names[level]) for level in _kept_levels(frame)]
        for column in frame.columns:
            parts = [text_of(part) for part in column] if isinstance(column, tuple) else [text_of(column)]
            names.append(" ".join(part for part in parts if part))
    except NoText as error:
        raise BadInput(f"The frame has a column whose name cannot be used: {error}.") from error
    return names


def _frame_rows(frame: Any, columns: tuple[str, ...]) -> Iterator[Row | BadLine]:
    levels = [frame.index.get_level_values(level) for level in _kept_levels(frame)]
    series = [frame.iloc[:, place] for place in range(frame.shape[1])]
    writers = [_writer(str(values.dtype)) for values in (*levels, *series)]
    return typed_rows(zip(*levels, *series, strict=True), columns, writers)


def _writer(kind: str) -> Callable[[Any], str]:
    """The function that writes values of a type: single precision has fewer digits than it seems to."""
    return text_of_single if kind.lower() in ("float", "halffloat", "float32", "float16") else text_of


def typed_rows(
    rows: Iterable[Iterable[Any]], columns: Sequence[str], writers: Sequence[Callable[[Any], str]] | None = None
) -> Iterator[Row | BadLine]:
    """Rows of typed values as rows of texts, numbered from 1. A value without a text makes its row a `BadLine`.

    `writers` are the functions that write the values of each column; `text_of` if None.
    """
    writers = writers or [text_of] * len(columns)
    for number, values in enumerate(rows, 1):
        cells: list[str] = []
        problem, place = "", 0
        for value, write in zip(values, writers, strict=True):
            try:
                cells.append(write(value))
            except NoText as error:
                cells.append(f"<{type(value).__name__}>")
                if not problem:
                    problem, place = str(error), len(cells)
        if problem:
            yield BadLine(number, place, columns[place - 1], problem, "\t".join(cells))
        else:
            yield as_row(number, cells, columns)


def read_parquet_table(path: Path, name: str) -> Table:
    """The table of a Parquet file, read in batches of rows.

    Raises:
        BadInput: the file is not Parquet, is damaged or encrypted, or has no columns.
    """
    with _parquet(path) as file:
        schema = file.schema_arrow
        names = ["" if name.startswith("__index_level_") else name for name in schema.names]
        writers = [_writer(str(column)) for column in schema.types]
    columns = column_names(names, str(path))
    return Table(name, columns, typed_rows(_parquet_values(path), columns, writers), path)


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    parquet = library("pyarrow.parquet", f"{path} is a Parquet file, which")
    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except MemoryError as error:
        raise out_of_memory(path) from error
    except Exception as error:  # pyarrow raises errors of its own, OSError and ValueError for a damaged file
        reason = str(error).partition("\n")[0][:200] or type(error).__name__
        raise BadInput(f"{path} is not a Parquet file that can be read: {reason}", _AGAIN) from error


def _parquet_values(path: Path) -> Iterator[tuple[Any, ...]]:
    with _parquet(path) as file:
        for batch in file.iter_batches(_BATCH):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
