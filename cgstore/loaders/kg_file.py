"""The file of a plain knowledge graph: triples head, relation, tail, a fact a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cgstore.errors import BadInput
from cgstore.loaders.clean_names import Cleaner, CleanName, without_full_stop
from cgstore.loaders.delimited import COMMA, PIPE, SEMICOLON, TAB, Record, read_records
from cgstore.loaders.readers.rows import BadLine, field_problem, printable
from cgstore.loaders.statement import Statement
from cgstore.loaders.tkg_file import SYNONYMS as TKG_SYNONYMS
from cgstore.model import Role

COLUMNS = ("head", "relation", "tail")

SYNONYMS = {
    "head": (*TKG_SYNONYMS["head"], "from", "head entity", "node1", ":start id"),
    "relation": (*TKG_SYNONYMS["relation"], "edge", "relationship", "type", ":type"),
    "tail": (*TKG_SYNONYMS["tail"], "to", "tail entity", "node2", "value", ":end id"),
}
"""What a header may call each column, compared without case, with `_` and `-` as spaces."""

DELIMITERS = {"tab": TAB, "comma": COMMA, "semicolon": SEMICOLON, "pipe": PIPE}

_BY_NAME = {name: column for column, names in SYNONYMS.items() for name in names}

_CALLED = {**{char: char for char in DELIMITERS.values()}, **DELIMITERS, "\\t": TAB}

_MARK = re.compile(r"[A-Z]{0,2}|\.")
"""What a fourth column holds that is no part of a fact: Freebase's `P`, `S`, `SP`, the full stop of N-Triples."""

_FORM = "A line holds head, relation, tail, separated by tabs (.tsv), commas (.csv), semicolons or '|'."


def read_kg(
    path: Path,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    columns: Sequence[int] | None = None,
    clean: bool | Cleaner = False,
    warnings: list[str] | None = None,
) -> Iterator[Statement | BadLine]:
    """Streams the triples of a text file (plain or .gz) in the file's order, repeats included.

    White space around a name is dropped, everything else in it is kept. A line that is no triple comes as a `BadLine`
    in its place. A line has three columns, with two exceptions, which `warnings` tells: columns that a header names
    otherwise are passed over; and where tabs separate, and the first line has a fourth column that is empty, a full
    stop or at most two capitals (the `P` and `SP` of Freebase extracts), so may the others.

    Args:
        path: the file.
        header: whether the first line names the columns; None finds out: it does when it holds names of `SYNONYMS` for
            two columns or more. Named columns may stand in any order; without a header, or where it has none of the
            names, they go by position.
        delimiter: `tab`, `comma`, `semicolon`, `pipe` or the character itself. By default the name's ending says it
            (.tsv, .tab, .csv), for others the first line: the first of tab, pipe, comma, semicolon that it has twice.
            Tabs and pipes know no quotes.
        columns: the numbers, from 1, of those that hold head, relation and tail; all others are passed over.
        clean: whether names are in the notation of N-Triples or YAGO (see `cgstore.loaders.clean_names`). The files of
            one load share a cleaner.
        warnings: gets sentences about what was read but looks odd.

    Raises:
        BadInput: the file cannot be read, is empty, or lacks a column, or an option is none.
    """
    cleaner = Cleaner() if clean is True else clean or None
    said = None if delimiter is None else delimiter_of(delimiter)
    chosen = None if columns is None else _chosen(columns)
    records = read_records(path, delimiter=said, separators=2, pipes=True)
    opening = next(records, None)
    if opening is None:
        raise BadInput(f"{path} is empty.", _FORM)
    layout = _layout(path, opening, header, chosen, [] if warnings is None else warnings)
    if not layout.header:
        yield _statement(opening, layout, cleaner)
    for record in records:
        yield _statement(record, layout, cleaner)


def column_of(title: str) -> str | None:
    """The column that a header's title means: head, relation, tail, or None."""
    return _BY_NAME.get(" ".join(title.casefold().replace("_", " ").replace("-", " ").split()))


def delimiter_of(text: str) -> str:
    """The character that an option means: `tab`, `comma`, `semicolon`, `pipe`, or one of these characters.

    Raises:
        BadInput: it means none.
    """
    try:
        return _CALLED[text.lower()]
    except KeyError:
        raise BadInput(f"'{text}' is no delimiter.", f"Give one of: {', '.join(DELIMITERS)}.") from None


class _Layout(NamedTuple):
    """Where head, relation and tail stand (from 0), how many columns a line may have (0: any), and what more.

    `header` says that the first line is no triple, `mark` that a line may have a mark in one column more.
    """

    places: tuple[int, int, int]
    width: int
    header: bool = False
    mark: bool = False


def _chosen(columns: Sequence[int]) -> tuple[int, int, int]:
    if len(columns) != 3 or len(set(columns)) != 3 or min(columns) < 1:
        raise BadInput(
            f"'{','.join(map(str, columns))}' does not say which columns are head, relation and tail.",
            "Give three different numbers from 1, such as --columns 1,2,3.",
        )
    head, relation, tail = (number - 1 for number in columns)
    return head, relation, tail


def _layout(
    path: Path, opening: Record | BadLine, header: bool | None, chosen: tuple[int, int, int] | None, warnings: list[str]
) -> _Layout:
    if isinstance(opening, BadLine):
        return _Layout(chosen or (0, 1, 2), 0 if chosen else 3)
    fields = opening.fields
    titles = [column_of(field) for field in fields]
    is_header = len(set(titles) - {None}) >= 2 if header is None else header
    if chosen is None and is_header and any(titles):
        return _named(path, fields, titles, warnings)
    places = chosen or (0, 1, 2)
    if len(fields) <= max(places):
        raise BadInput(
            f"{path} has no column {max(places) + 1}{'' if chosen else ' (tail)'}: line {opening.line} has "
            f"{len(fields)}.",
            (None if chosen else _seen_delimiter(opening.text)) or _FORM,
        )
    if chosen:
        return _Layout(places, 0, is_header)
    mark = not is_header and len(fields) == 4 and opening.text.count(TAB) == 3 and bool(_MARK.fullmatch(fields[3]))
    if mark and fields[3]:
        warnings.append(f"{path}: the fourth column was passed over; it holds marks such as '{fields[3]}'.")
    return _Layout(places, 3, is_header, mark)


def _named(path: Path, fields: list[str], titles: list[str | None], warnings: list[str]) -> _Layout:
    """The layout that a header gives by the names of its columns."""
    for column in COLUMNS:
        if column not in titles:
            raise BadInput(
                printable(f"{path} has no column '{column}'; its columns are {', '.join(fields)[:300]}."),
                "A line holds head, relation, tail; --no-header says that the first line is a fact.",
            )
    places = (titles.index("head"), titles.index("relation"), titles.index("tail"))
    others = [field for place, field in enumerate(fields) if field and place not in places]
    if others:
        shown = printable(", ".join(others)[:300])
        warnings.append(f"{path}: columns that are no part of a triple were passed over: {shown}.")
    return _Layout(places, len(fields), header=True)


def _seen_delimiter(text: str) -> str | None:
    """A hint for a line of too few columns that another delimiter would give enough."""
    for name, delimiter in DELIMITERS.items():
        if text.count(delimiter) >= 2:
            return f"The columns look separated by '{delimiter}': --delimiter {name}.".replace("'\t'", "tabs")
    return None


def _statement(record: Record | BadLine, layout: _Layout, cleaner: Cleaner | None) -> Statement | BadLine:
    """The triple of a record, or what is wrong with it, with the column where it is wrong."""
    if isinstance(record, BadLine):
        return record
    fields = record.fields
    for place, column in zip(layout.places, COLUMNS, strict=True):
        if place >= len(fields):
            return BadLine(record.line, place + 1, column, "missing", record.text)
        if not fields[place]:
            return BadLine(record.line, place + 1, column, "empty", record.text)
    for place, field in enumerate(fields):
        if problem := field_problem(field):
            column = COLUMNS[layout.places.index(place)] if place in layout.places else ""
            return BadLine(record.line, place + 1, column, problem, record.text)
    width = layout.width or len(fields)
    if any(fields[width:]) and not (layout.mark and len(fields) == 4 and _MARK.fullmatch(fields[3])):
        problem = f"{len(fields)} columns where {width} are expected"
        choice = " (--columns 1,2,3 passes over the others)" if layout.places == (0, 1, 2) else ""
        return BadLine(record.line, width + 1, "", problem + choice, record.text)
    head, relation, tail = (fields[place] for place in layout.places)
    if cleaner is None:
        return Statement(head, relation, tail, line=record.line)
    return _cleaned(record, layout, cleaner)


def _cleaned(record: Record, layout: _Layout, cleaner: Cleaner) -> Statement | BadLine:
    head_text, relation_text, tail_text = (record.fields[place] for place in layout.places)
    head = cleaner.clean(head_text)
    relation = cleaner.clean(relation_text, relation=True)
    tail = cleaner.clean(without_full_stop(tail_text))
    cleaned: tuple[CleanName, CleanName, CleanName] = (head, relation, tail)
    for place, column, found in zip(layout.places, COLUMNS, cleaned, strict=True):
        if problem := field_problem(found.name) if found.name else "empty":
            return BadLine(record.line, place + 1, column, problem, record.text)
    return Statement(
        head.name,
        relation.name,
        tail.name,
        tail_role=Role.VALUE if tail.literal else Role.ENTITY,
        datatype=tail.datatype,
        language=tail.language,
        iris=(head.iri, relation.iri, tail.iri),
        line=record.line,
    )
