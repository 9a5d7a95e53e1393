"""Tables of typed values: pandas DataFrames and Parquet files.

`cgstore.loaders.readers.cells` says how a value is written. A row's line is its number, from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.loaders.readers.cells import NoText, text_of, text_of_single
from cgstore.loaders.readers.rows import BadLine, Row, Table, as_row, column_names, library
from cgstore.loaders.scratch import out_of_memory

PARQUET_ENDING = ".parquet"

_BATCH = 10_000
_AGAIN = "Is it complete? Copy or download it again, or write it anew."


def table_of_frame(frame: Any, name: str) -> Table:
    """The table of a pandas DataFrame.

    An index with a name is the first column, as is one of texts or times without a name; one of whole numbers without
    a name counts the rows, and is left out. The names of columns in levels are joined: `Population 2010`.

    Args:
        frame: the DataFrame; not changed.
        name: the table's name.

    Raises:
        BadInput: it is no DataFrame, or has no columns.
    """
    pandas = library("pandas", "A DataFrame")
    if not isinstance(frame, pandas.DataFrame):
        raise BadInput(f"'{name}' is no pandas DataFrame but a {type(frame).__name__}.")
    columns = column_names(_frame_columns(frame), f"the frame '{name}'")
    return Table(name, columns, _FrameRows(frame, columns))


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


@dataclass(frozen=True, eq=False)
class _FrameRows:
    frame: Any
    columns: tuple[str, ...]

    def __iter__(self) -> Iterator[Row | BadLine]:
        levels = [self.frame.index.get_level_values(level) for level in _kept_levels(self.frame)]
        series = [self.frame.iloc[:, place] for place in range(self.frame.shape[1])]
        writers = [_writer(str(values.dtype)) for values in (*levels, *series)]
        return typed_rows(zip(*levels, *series, strict=True), self.columns, writers)


def _writer(kind: str) -> Callable[[Any], str]:
    """How values of a type are written: single precision has fewer digits than it seems to."""
    return text_of_single if kind.lower() in ("float", "halffloat", "float32", "float16") else text_of


def typed_rows(
    rows: Iterable[Iterable[Any]], columns: Sequence[str], writers: Sequence[Callable[[Any], str]] | None = None
) -> Iterator[Row | BadLine]:
    """Rows of typed values as rows of texts, numbered from 1; a value without a text makes its row a `BadLine`.

    Args:
        rows: a value per column each.
        columns: the table's columns.
        writers: what writes the values of each column; `text_of` for all if None.
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
        BadInput: it is no Parquet file, is damaged or encrypted, or has no columns.
    """
    with _parquet(path) as file:
        schema = file.schema_arrow
        names = ["" if name.startswith("__index_level_") else name for name in schema.names]
        writers = [_writer(str(column)) for column in schema.types]
    columns = column_names(names, str(path))
    return Table(name, columns, _ParquetRows(path, columns, writers), path)


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
        raise BadInput(f"{path} is no Parquet file that can be read: {reason}", _AGAIN) from error


@dataclass(frozen=True)
class _ParquetRows:
    """The rows, read anew by each iteration."""

    path: Path
    columns: tuple[str, ...]
    writers: list[Callable[[Any], str]]

    def __iter__(self) -> Iterator[Row | BadLine]:
        return typed_rows(self._values(), self.columns, self.writers)

    def _values(self) -> Iterator[tuple[Any, ...]]:
        with _parquet(self.path) as file:
            for batch in file.iter_batches(_BATCH):
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
