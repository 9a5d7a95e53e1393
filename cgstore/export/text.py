"""Facts as text: lines of fields between tabs, or JSON Lines, as `load kg`, `load statements` and `load tkg` read them.

Neither has a way to write every name: between tabs, a field holds no tab and no line's end, and all readers drop white
space around a name, and take no empty one. What cannot be read back is refused.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from cgstore.errors import BadInput
from cgstore.export.periods import periods
from cgstore.export.stage import ExportStage, Qualifier, StoredFact
from cgstore.loaders.aliases import COLUMNS as ALIAS_COLUMNS
from cgstore.loaders.kg import COLUMNS as KG_COLUMNS
from cgstore.loaders.readers.rows import field_problem, printable
from cgstore.loaders.statement import PLAIN
from cgstore.loaders.statements import FIELDS
from cgstore.loaders.tkg import COLUMNS as TKG_COLUMNS
from cgstore.model import Source, TimeKey
from cgstore.source_kinds import RDF, STATEMENTS, kind_named
from cgstore.text.dates import Step, first, read_moment, time_name

_PAIR = ("key", "value")

_BARE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false")
"""A value that JSON writes without quotes; `load statements` takes what has none for a value, and its text as it is."""


def text_lines(source: Source, stage: ExportStage) -> Iterator[str]:
    """The lines of a .tsv: a header, then a fact a line; of facts with qualifiers, their keys and values follow. Of
    aliases a header, then alias and name.

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
    """The line of a .csv that holds these cells; all in quotes where one has a CR, which csv leaves without."""
    row, line = list(cells), io.StringIO()
    all_quoted = any("\r" in cell for cell in row)
    csv.writer(line, lineterminator="\n", quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL).writerow(row)
    return line.getvalue()


def _records(source: Source, stage: ExportStage) -> Iterator[Iterable[str]]:
    """The header, then a record for each fact."""
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
    """JSON Lines: an object a fact, with the keys that `load statements` or `load tkg` reads.

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
    """A name, if the reader takes it as it is."""
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
    """Which format to take instead, if there is one."""
    if not kind_named(source.kind).has_facts:
        return None
    better = "nt" if source.kind == RDF.name else "jsonl" if json else ""
    return f"Give --format {better}." if better else "Give --format import, which takes every name."


def _shown(text: str) -> str:
    return repr(printable(text[:60])) + ("..." if len(text) > 60 else "")


# Temporal facts


def _temporal(source: Source, stage: ExportStage) -> Iterator[tuple[str, ...]]:
    """Head, relation, tail, start and end of every temporal fact."""
    step = Step(source.step or Step.YEAR)
    for fact in stage.facts():
        for start, end in _periods(fact, step):
            yield (*fact[:3], time_name(start, step), time_name(end, step))


def _periods(fact: StoredFact, step: Step) -> list[tuple[int, int]]:
    named: dict[str, list[str]] = {key.value: [] for key in TimeKey}
    for qualifier in fact.qualifiers:
        named[qualifier.key] += qualifier.value.split(" ")
    starts, ends, times = (
        [_number(name, step) for name in named[k]] for k in (TimeKey.START, TimeKey.END, TimeKey.TIME)
    )
    return periods(starts, ends, times)


def _number(name: str, step: Step) -> int:
    """The number of a time by its name, as `time_name` makes it."""
    moment = read_moment(name)
    assert moment is not None, name
    return first(moment, step)
