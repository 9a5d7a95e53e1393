"""A table as text again: its rows in their order, under its columns in theirs, without the row numbers.

In a .tsv, all cells stand in double quotes, or none: `load table` takes a .tsv for quoted where its whole header is.
None do where no cell has a quote, a tab, a line's end, or a backslash, which could be taken for an escape. A table of
one column is always quoted: an empty cell would be a blank line, and commas in cells might be taken for delimiters.

Columns of one name are one relation, whose values of a row are a set: the columns get them in the order of code points,
the last one again where they are fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from cgstore.errors import BadInput
from cgstore.export.stage import ExportStage
from cgstore.export.text import json_line
from cgstore.loaders.readers.rows import printable
from cgstore.model import ROW_NUMBER, Source

_TELLING = '"\t\n\r\\\ufeff'
"""What makes quotes needed; a byte order mark, since the file might begin with it."""


def table_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .tsv: its header, then a row each."""
    columns = _columns(source, stage)
    quoted = len(columns) == 1 or any(map(_tells, columns))
    for character in _TELLING:
        quoted = quoted or stage.exists("fact", "instr(tail, ?) > 0", (character,))
    yield _line(columns, quoted)
    for values in _rows(stage):
        yield _line(_cells(columns, values), quoted)


def table_csv_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .csv, all cells in quotes: an empty line in a table of one column would be passed over."""
    columns = _columns(source, stage)
    yield _line(columns, quoted=True, delimiter=",")
    for values in _rows(stage):
        yield _line(_cells(columns, values), quoted=True, delimiter=",")


def table_json_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """JSON Lines: an object a row.

    Raises:
        BadInput: a row has several values in columns of one name.
    """
    columns = dict.fromkeys(_columns(source, stage))
    for number, values in enumerate(_rows(stage), 1):
        for column in columns:
            if len(values[column]) > 1:
                several = f"{len(values[column])} values in columns called '{printable(column[:60])}'"
                raise BadInput(f"An object cannot hold row {number}: it has {several}.", "Give --format tsv.")
        yield json_line({column: values[column][0] for column in columns})


def _columns(source: Source, stage: ExportStage) -> tuple[str, ...]:
    columns = source.columns or tuple(name for (name,) in stage.sql.execute(_RELATIONS))
    return tuple(column for column in columns if column != ROW_NUMBER)


_RELATIONS = "SELECT DISTINCT relation FROM fact ORDER BY relation"


def _rows(stage: ExportStage) -> Iterator[dict[str, list[str]]]:
    """Of each row, the distinct values by column, sorted."""
    for _, facts in groupby(stage.facts(lines=True), lambda fact: fact.head):
        values: dict[str, list[str]] = {}
        for fact in facts:
            values.setdefault(fact.relation, []).append(fact.tail)
        yield values


def _cells(columns: Iterable[str], values: dict[str, list[str]]) -> Iterator[str]:
    taken = dict.fromkeys(values, 0)
    for column in columns:
        cells, place = values[column], taken[column]
        yield cells[min(place, len(cells) - 1)]
        taken[column] += 1


def _tells(text: str) -> bool:
    return any(character in text for character in _TELLING)


def _line(cells: Iterable[str], quoted: bool, delimiter: str = "\t") -> str:
    if quoted:
        cells = ('"{}"'.format(cell.replace('"', '""')) for cell in cells)
    return delimiter.join(cells) + "\n"
