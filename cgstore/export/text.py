"""Sources as text: lines of fields between tabs, CSV, or JSON Lines, as `load` reads them again.

Facts: no format of text can hold every name. A field between tabs cannot hold a tab or a line's end. All readers drop
white space around a name, and refuse an empty one. A name that cannot be read back is refused.

Tables: rows and columns are in their order, without the row numbers. In a .tsv, all cells stand in double quotes, or
none do: `load table` takes a .tsv as quoted if its whole header is. Quotes are needed if a cell has a quote, a tab, a
line's end, or a backslash, which could be taken for an escape. A table of one column is always quoted: an empty cell
would be a blank line, and commas in cells might be taken for delimiters.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any

from cgstore.catalog.kinds import RDF, STATEMENTS, kind_named
from cgstore.errors import BadInput, setting
from cgstore.export.read import ExportStage, Qualifier, StoredFact
from cgstore.loaders.aliases import COLUMNS as ALIAS_COLUMNS
from cgstore.loaders.kg import COLUMNS as KG_COLUMNS
from cgstore.loaders.readers.records import PLAIN, field_problem, printable
from cgstore.loaders.statements import FIELDS
from cgstore.loaders.tkg import COLUMNS as TKG_COLUMNS
from cgstore.loaders.tkg_stage import pairs_of
from cgstore.model import ROW_NUMBER, Source, TimeKey

_PAIR = ("key", "value")

_BARE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false")
"""A value that JSON writes without quotes. `load statements` reads such a tail as a value, with its text as it is."""


def text_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .tsv: a header, then one for each alias, or for each statement of a fact."""
    for row in _records(source, stage):
        yield "\t".join(_field(source, text) for text in row) + "\n"


def csv_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """Like `text_lines`, the lines of a .csv: a name with a comma, a quote or a line's end stands in quotes."""
    for row in _records(source, stage):
        yield csv_line(_name(source, text) for text in row)


def csv_line(cells: Iterable[str]) -> str:
    """The line of a .csv with these cells. All are in quotes if one has a CR, for which csv gives none."""
    row, line = list(cells), io.StringIO()
    all_quoted = any("\r" in cell for cell in row)
    csv.writer(line, lineterminator="\n", quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL).writerow(row)
    return line.getvalue()


def _records(source: Source, stage: ExportStage) -> Iterator[Iterable[str]]:
    """The header, then a record for each statement."""
    if kind_named(source.kind).has_times:
        rows: Iterator[Iterable[str]] = _temporal(source, stage)
        columns: tuple[str, ...] = TKG_COLUMNS.names
    elif not kind_named(source.kind).has_facts:
        rows = ((fact.head, fact.tail) for fact in stage.facts())
        columns = ALIAS_COLUMNS.names
    else:
        rows = ((*fact[:3], *(text for pair in fact.qualifiers for text in pair[:2])) for fact in stage.facts())
        columns = FIELDS if source.kind == STATEMENTS.name else KG_COLUMNS.names
        columns = (*columns, *_PAIR) if stage.qualifier_count else columns
    yield columns
    yield from rows


def json_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """JSON Lines: an object a statement, with the keys that `load statements` or `load tkg` reads."""
    if kind_named(source.kind).has_times:
        for row in _temporal(source, stage):
            yield json_line(dict(zip(TKG_COLUMNS.names, (_name(source, text) for text in row), strict=True)))
        return
    for fact in stage.facts():
        head, relation, tail = (json.dumps(_name(source, text), ensure_ascii=False) for text in fact[:3])
        if fact.literal == (PLAIN,) and _BARE.fullmatch(fact.tail):
            tail = fact.tail
        pairs = zip(FIELDS, (head, relation, tail), strict=True)
        parts = [f'"{field}": {value}' for field, value in pairs]
        if fact.qualifiers:
            parts.append(f'"qualifiers": {json_line(_by_key(source, fact.qualifiers))[:-1]}')
        yield f"{{{', '.join(parts)}}}\n"


def json_line(value: Any) -> str:
    """A value as a line of JSON, in UTF-8 as it is."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def _by_key(source: Source, qualifiers: Iterable[Qualifier]) -> dict[str, str | list[str]]:
    """The values by key: one as it is, several as a list."""
    values: dict[str, list[str]] = {}
    for qualifier in qualifiers:
        values.setdefault(_name(source, qualifier.key), []).append(_name(source, qualifier.value))
    return {key: several[0] if len(several) == 1 else several for key, several in values.items()}


def _field(source: Source, text: str) -> str:
    if "\t" in text or "\n" in text:
        what = "tab" if "\t" in text else "line's end"
        raise BadInput(f"A line between tabs cannot hold the name {_shown(text)}: it has a {what}.", _others(source))
    return _name(source, text)


def _name(source: Source, text: str) -> str:
    """The name itself; raises BadInput if a reader would not take it as it is."""
    if not text:
        raise BadInput("There is an empty name, and no reader of lines takes one.", _others(source, json=False))
    if text[0].isspace() or text[-1].isspace() or text != text.strip():
        problem = "white space around it, which readers of lines drop"
    elif found := field_problem(text):
        problem = found
    else:
        return text
    raise BadInput(f"No line can hold the name {_shown(text)}: {problem}.", _others(source, json=False))


def _others(source: Source, *, json: bool = True) -> str | None:
    """A hint with a format that can hold the name, if there is one."""
    if not kind_named(source.kind).has_facts:
        return None
    better = "nt" if source.kind == RDF.name else "jsonl" if json else ""
    return f"Give {setting('format')} {better}." if better else "`cgstore dump` keeps every name."


def _shown(text: str) -> str:
    return repr(printable(text[:60])) + ("..." if len(text) > 60 else "")


# Temporal facts


def _temporal(source: Source, stage: ExportStage) -> Iterator[tuple[str, ...]]:
    """Head, relation, tail, start and end of every temporal fact."""
    for fact in stage.facts():
        for start, end in fact_periods(source, fact):
            yield (*fact[:3], start, end)


def fact_periods(source: Source, fact: StoredFact) -> list[tuple[str, str]]:
    """The names of the starts and ends of a fact's periods, sorted by start; a period that has no end is open."""
    starts = [(each.value, each.ends) for each in fact.qualifiers if each.key == TimeKey.START]
    ends = [each.value for each in fact.qualifiers if each.key == TimeKey.END]
    return pairs_of(source.name, starts, ends)


# Tables


_TELLING = '"\t\n\r\\\ufeff'
"""Characters that need quotes; among them the byte order mark, since the file might begin with it."""


def table_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .tsv: its header, then a row each."""
    columns = _columns(source)
    quoted = len(columns) == 1 or any(character in column for column in columns for character in _TELLING)
    quoted = quoted or any(stage.exists("fact", "instr(tail, ?) > 0", (character,)) for character in _TELLING)
    return _lines(columns, stage, "\t", quoted)


def table_csv_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .csv, all cells in quotes: an empty cell in a table of one column is not an empty line then."""
    return _lines(_columns(source), stage, ",", quoted=True)


def table_json_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """JSON Lines: an object a row."""
    columns = _columns(source)
    return (json_line(dict(zip(columns, cells, strict=True))) for cells in _rows(columns, stage))


def _columns(source: Source) -> list[str]:
    columns = [column for column in source.columns if column != ROW_NUMBER]
    if len(set(columns)) < len(columns):
        raise BadInput(f"Table '{source.name}' is of an old version: two columns have one name.", "Load it again.")
    return columns


def _rows(columns: Sequence[str], stage: ExportStage) -> Iterator[list[str]]:
    """The cells of each row, in the order of the columns."""
    for _, facts in groupby(stage.facts(lines=True), lambda fact: fact.head):
        cells = {fact.relation: fact.tail for fact in facts}
        yield [cells.get(column, "") for column in columns]


def _lines(columns: Sequence[str], stage: ExportStage, delimiter: str, quoted: bool) -> Iterator[str]:
    for cells in chain([columns], _rows(columns, stage)):
        said = ('"{}"'.format(cell.replace('"', '""')) for cell in cells) if quoted else cells
        yield delimiter.join(said) + "\n"
