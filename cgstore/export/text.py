"""Sources as text: lines of fields between tabs, CSV, or JSON Lines, as `load` reads them again.

Facts: no format of text can hold every name. A field between tabs cannot hold a tab or a line's end. All readers drop
white space around a name, and refuse an empty one. A name that cannot be read back is refused.

Tables: rows and columns are in their order, without the row numbers. In a .tsv, all cells stand in double quotes, or
none do: `load table` takes a .tsv as quoted if its whole header is. Quotes are needed if a cell has a quote, a tab, a
line's end, or a backslash, which could be taken for an escape. A table of one column is always quoted: an empty cell
would be a blank line, and commas in cells might be taken for delimiters.

Columns of one name are one relation, whose values in a row are a set. The columns get them in the order of code points;
if there are fewer values than columns, the last value is repeated.
"""

from __future__ import annotations

import csv
import io
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, product
from typing import Any

from cgstore.catalog.kinds import RDF, STATEMENTS, kind_named
from cgstore.errors import BadInput
from cgstore.export.read import ExportStage, Qualifier, StoredFact
from cgstore.loaders.aliases import COLUMNS as ALIAS_COLUMNS
from cgstore.loaders.kg import COLUMNS as KG_COLUMNS
from cgstore.loaders.readers.records import PLAIN, field_problem, printable
from cgstore.loaders.statements import FIELDS
from cgstore.loaders.tkg import COLUMNS as TKG_COLUMNS
from cgstore.model import ROW_NUMBER, Source, TimeKey
from cgstore.text.dates import OPEN_ENDS, Moment, Step, first, last, read_time

_PAIR = ("key", "value")

_BARE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false")
"""A value that JSON writes without quotes. `load statements` reads such a tail as a value, with its text as it is."""


def text_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .tsv: a header, then a line for each alias, or for each statement of a fact.

    Raises:
        BadInput: a name cannot stand in such a line.
    """
    for row in _records(source, stage):
        yield "\t".join(_field(source, text) for text in row) + "\n"


def csv_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """As `text_lines`, the lines of a .csv: a name with a comma, a quote or a line's end stands in quotes.

    Raises:
        BadInput: a reader would not take a name as it is.
    """
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
    """JSON Lines: an object a statement, with the keys that `load statements` or `load tkg` reads.

    Raises:
        BadInput: a reader would not take a name as it is.
    """
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
    return f"Give --format {better}." if better else "Give --format import, which takes every name."


def _shown(text: str) -> str:
    return repr(printable(text[:60])) + ("..." if len(text) > 60 else "")


# Temporal facts


Period = tuple[int, int]


def _temporal(source: Source, stage: ExportStage) -> Iterator[tuple[str, ...]]:
    """Head, relation, tail, start and end of every temporal fact."""
    step = Step(source.step or Step.YEAR)
    for fact in stage.facts():
        for start, end in fact_periods(fact, step):
            yield (*fact[:3], start, end)


def fact_periods(fact: StoredFact, step: Step) -> Iterator[tuple[str, str]]:
    """The names of the starts and ends of a fact's periods; a period that has no end is open."""
    if paired := [(each.value, end) for each in fact.qualifiers for end in each.ends or ()]:
        yield from sorted(paired, key=lambda pair: (first(_moment(pair[0]), step), pair))
        return
    named: dict[str, list[str]] = {key.value: [] for key in TimeKey}
    for qualifier in fact.qualifiers:
        is_time = qualifier.key == TimeKey.TIME  # of which one text holds several
        named[qualifier.key] += qualifier.value.split(" ") if is_time else [qualifier.value]
    starts = _by_number(named[TimeKey.START], first, step)
    ends = _by_number(named[TimeKey.END], last, step)
    if not ends:
        yield from ((start, OPEN_ENDS[0]) for names in starts.values() for start in names)
        return
    stretches = sorted((int(lo), int(hi)) for lo, hi in (each.split("/") for each in named[TimeKey.TIME]))
    if stretches and stretches[-1][1] not in ends:
        ends[stretches[-1][1]] = [OPEN_ENDS[0]]
    for start, end in periods(starts, ends, stretches):
        yield from product(starts[start], ends[end])


def _by_number(names: Iterable[str], number: Callable[[Moment, Step], int], step: Step) -> dict[int, list[str]]:
    """The names of times by their numbers; by day, 1985 and 1985-01-01 have the same first one."""
    of_number: dict[int, list[str]] = {}
    for name in names:
        of_number.setdefault(number(_moment(name), step), []).append(name)
    return of_number


def _moment(name: str) -> Moment:
    time = read_time(name)
    assert time is not None, name
    return time.start


def periods(starts: Iterable[int], ends: Iterable[int], stretches: list[Period]) -> list[Period]:
    """Periods (start, end), sorted, that have exactly these starts, ends and stretches of times in between.

    Several periods of one fact share its condition, and the graph does not keep which start goes with which end.
    Periods that do not overlap come out as they were. For others more than one pairing may do, and one with few
    periods is taken. The stretches are not needed where there is one start and one end.

    A stretch, times without a gap between them, begins with a start and ends with an end. A period lies within one
    stretch, unless it ends before it starts: then it holds at no time. The stretches are sorted.
    """
    firsts, lasts = sorted(set(starts)), sorted(set(ends))
    if len(firsts) == len(lasts) == 1:
        return [(firsts[0], lasts[0])]
    found = set(_inverted(_outside(firsts, stretches), _outside(lasts, stretches), firsts[-1], lasts[0]))
    for lo, hi in stretches:
        found |= _within(_between(firsts, lo, hi), _between(lasts, lo, hi), lo, hi)
    return sorted(found)


def _between(numbers: list[int], lo: int, hi: int) -> list[int]:
    return numbers[bisect_left(numbers, lo) : bisect_right(numbers, hi)]


def _outside(numbers: list[int], stretches: list[Period]) -> list[int]:
    begins = [lo for lo, _ in stretches]
    outside = []
    for number in numbers:
        place = bisect_right(begins, number) - 1
        if place < 0 or stretches[place][1] < number:
            outside.append(number)
    return outside


def _inverted(firsts: list[int], lasts: list[int], latest: int, earliest: int) -> Iterator[Period]:
    """Periods that end before they start, for the starts and ends that lie in no stretch.

    Such a start was paired with an end before it, so that the earliest end of all will do, if no end of these does;
    and such an end with a start after it.
    """
    if len(firsts) == len(lasts) and all(end < start for start, end in zip(firsts, lasts, strict=True)):
        yield from zip(firsts, lasts, strict=True)
        return
    for start in firsts:
        place = bisect_left(lasts, start)
        yield start, lasts[place - 1] if place else earliest
    for end in lasts:
        place = bisect_right(firsts, end)
        yield firsts[place] if place < len(firsts) else latest, end


def _within(firsts: list[int], lasts: list[int], lo: int, hi: int) -> set[Period]:
    """Periods that cover a stretch: in turn if they can, else each start and end with the nearest of the others."""
    in_turn = list(zip(firsts, lasts, strict=False))
    if len(firsts) == len(lasts) and all(start <= end for start, end in in_turn) and _covers(in_turn):
        return set(in_turn)
    nearest = {(firsts[bisect_right(firsts, end) - 1], end) for end in lasts}
    nearest |= {(start, lasts[bisect_left(lasts, start)]) for start in firsts}
    return nearest if _covers(sorted(nearest)) else nearest | {(lo, hi)}


def _covers(found: list[Period]) -> bool:
    """Whether periods, sorted, leave no gap between the first start and the last end."""
    reach = found[0][1]
    for start, end in found[1:]:
        if start > reach + 1:
            return False
        reach = max(reach, end)
    return True


# Tables


_TELLING = '"\t\n\r\\\ufeff'
"""Characters that need quotes; among them the byte order mark, since the file might begin with it."""


NO_CELL = ("",)
"""The values of a column of which a row has no cell."""


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
    """The lines of a .csv, all cells in quotes: an empty cell in a table of one column is not an empty line then."""
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
            if len(values.get(column, ())) > 1:
                several = f"{len(values[column])} values in columns called '{printable(column[:60])}'"
                raise BadInput(f"An object cannot hold row {number}: it has {several}.", "Give --format tsv.")
        yield json_line({column: values.get(column, NO_CELL)[0] for column in columns})


def _columns(source: Source, stage: ExportStage) -> tuple[str, ...]:
    columns = source.columns or tuple(name for (name,) in stage.sql.execute(_RELATIONS))
    return tuple(column for column in columns if column != ROW_NUMBER)


_RELATIONS = "SELECT DISTINCT relation FROM fact ORDER BY relation"


def _rows(stage: ExportStage) -> Iterator[dict[str, list[str]]]:
    """The distinct values of each row by column, sorted."""
    for _, facts in groupby(stage.facts(lines=True), lambda fact: fact.head):
        values: dict[str, list[str]] = {}
        for fact in facts:
            values.setdefault(fact.relation, []).append(fact.tail)
        yield values


def _cells(columns: Iterable[str], values: dict[str, list[str]]) -> Iterator[str]:
    taken: dict[str, int] = {}
    for column in columns:
        cells, place = values.get(column, NO_CELL), taken.get(column, 0)
        yield cells[min(place, len(cells) - 1)]
        taken[column] = place + 1


def _tells(text: str) -> bool:
    return any(character in text for character in _TELLING)


def _line(cells: Iterable[str], quoted: bool, delimiter: str = "\t") -> str:
    if quoted:
        cells = ('"{}"'.format(cell.replace('"', '""')) for cell in cells)
    return delimiter.join(cells) + "\n"
