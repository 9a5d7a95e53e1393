"""`load tkg`: temporal facts as a source, from delimited text, JSON Lines, or folders in RE-Net's layout."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cgstore.catalog.kinds import TKG
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, BadOption, setting
from cgstore.loaders.inputs import input_files, plain_path
from cgstore.loaders.kg import CleanName, clean_name
from cgstore.loaders.load import PERHAPS_A_TABLE, Load, as_paths, in_files, source_name_for
from cgstore.loaders.readers.columns import Columns, Line, line_of_object, read_columns
from cgstore.loaders.readers.encoding import MAX_LINE, CutLine, find_decoding
from cgstore.loaders.readers.json_lines import JSON_ENDINGS, json_lines, no_constant
from cgstore.loaders.readers.records import BadLine, field_problem, printable
from cgstore.loaders.readers.text import TEXT_ENDINGS, TextLoadOptions
from cgstore.loaders.tkg_notes import TimeNotes, shortened
from cgstore.loaders.tkg_stage import Fact, TkgStage
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport
from cgstore.options import option
from cgstore.text.dates import OPEN_ENDS, Moment, Step, problem_of, read_moment, read_time
from cgstore.text.json_text import as_object

ENDINGS = (*TEXT_ENDINGS, ".txt", *JSON_ENDINGS)
"""Files that are taken from a folder."""

MAX_TRIPLES = 50_000_000
"""Most relationships of a load, unless the user allows more: they take some 20 GB of store."""

COLUMNS = Columns(
    names=("head", "relation", "tail", "start", "end"),
    titles={
        "head": "head, subject, subj, s, h, source, from entity",
        "relation": "relation, predicate, pred, property, p, r, rel",
        "tail": "tail, object, obj, o, t, target, to entity",
        "start": "start, start time, start date, start year, from, from date, from year, since, begin, begins, began, "
        "beginning, begin date, begin year, start at, starts, started, valid from, date from, time, date, year",
        "end": "end, end time, end date, end year, to, to date, to year, until, till, ends, ended, ending, finish, "
        "finishes, finished, end at, valid to, valid until, date to, date until",
    },
    fact="a fact",
    form="A line holds head, relation, tail, start, end, separated by tabs (.tsv), commas (.csv), semicolons or '|'.",
    optional=1,
    by_place=True,
    is_value=read_time,
)
START, END = 3, 4
"""The places of the times among the columns."""

_JSON_FORM = 'A line is an object: {"head": .., "relation": .., "tail": .., "start": ..}'
_DECODER = json.JSONDecoder(object_pairs_hook=as_object, parse_int=str, parse_float=str, parse_constant=no_constant)


@dataclass(frozen=True)
class TkgOptions(TextLoadOptions):
    """The options of `load tkg`."""

    step: str | None = option(
        None,
        "Length of a time step.",
        unset="the coarsest that keeps the data apart",
        choices=[step.value for step in Step],
    )
    max_triples: int = option(MAX_TRIPLES, "Refuse an input that makes more relationships.", within=(1, None))
    now: str | None = option(
        None, "The time until which facts without an end hold.", unset="now, in UTC", metavar="DATE"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.now is not None and read_moment(self.now) is None:
            raise BadOption(
                f"'{self.now}' is not a date.", f"Give {setting('now')} a year or an ISO date, such as 2024-06-30."
            )


_DEFAULTS = TkgOptions()


def read_tkg(
    path: Path,
    options: TextLoadOptions = _DEFAULTS,
    warnings: list[str] | None = None,
    notes: TimeNotes | None = None,
) -> Iterator[Fact | BadLine]:
    """Streams the facts of a file in its order, repeats included: delimited text (see `read_columns`) or JSON Lines.

    In JSON Lines a line is an object whose keys are titles that a header may have. The end may be missing or empty, or
    one of `OPEN_ENDS`; the start may be an interval, if there is no end. A line that is not a fact is a `BadLine` in
    its place. `notes` counts times that are read by a rule.

    Raises:
        BadInput: the file cannot be read, is empty or lacks a column.
    """
    warnings = [] if warnings is None else warnings
    notes = TimeNotes() if notes is None else notes
    if plain_path(path).suffix.lower() in JSON_ENDINGS:
        lines = _read_json(path, options.encoding, warnings)
    else:
        lines = read_columns(path, COLUMNS, options, warnings)
    for line in lines:
        found = line if isinstance(line, BadLine) else _fact(line, notes)
        if isinstance(line, Line) and isinstance(found, BadLine) and (found.line, found.name) == (1, "start"):
            found = _perhaps_a_header(found, line)
        yield found


def fact_of_json(number: int, text: str, notes: TimeNotes) -> Fact | BadLine:
    """The fact that a line of JSON states, and nothing else; see `read_tkg`."""
    try:
        value = _DECODER.decode(text)
    except ValueError as error:
        return BadLine(number, 0, "", str(error), text)
    if not isinstance(value, dict):
        return BadLine(number, 0, "", f"not an object. {_JSON_FORM}", text)
    unknown: dict[str, None] = {}
    line = line_of_object(number, value, text, COLUMNS, unknown)
    if unknown:
        return BadLine(number, 0, "", f"'{next(iter(unknown))[:60]}' is not a part of a temporal fact", text)
    return line if isinstance(line, BadLine) else _fact(line, notes)


def _read_json(path: Path, encoding: str | None, warnings: list[str]) -> Iterator[Line | BadLine]:
    empty, unknown = True, dict[str, None]()
    for line in json_lines(find_decoding(path, encoding, strict=False), _DECODER):
        empty = False
        if isinstance(line, BadLine):
            yield line
        elif isinstance(line.value, dict):
            yield line_of_object(line.number, line.value, line.text, COLUMNS, unknown)
        else:
            yield BadLine(line.number, 0, "", f"not an object. {_JSON_FORM}", line.text)
    if empty:
        raise BadInput(f"{path} is empty.", _JSON_FORM)
    if unknown:
        shown = printable(", ".join(unknown)[:300])
        warnings.append(f"{path}: keys that are not part of {COLUMNS.fact} were passed over: {shown}.")


def _fact(line: Line, notes: TimeNotes) -> Fact | BadLine:
    head, relation, tail, start, end = line.fields
    since = read_time(start)
    if since is None:
        return _bad_time(line, START, start)
    if since.is_interval and end:
        return line.bad(END, f"'{shortened(end)}' stands beside the interval '{shortened(start)}'")
    is_open = since.is_open or end.lower() in OPEN_ENDS
    until = read_time(end) if end and not is_open else since
    if until is None:
        return _bad_time(line, END, end)
    if until.is_interval and until is not since:
        return line.bad(END, f"'{shortened(end)}' is an interval, and the fact has a start already")
    notes.add(start, since, (head, relation, tail))
    if until is not since:
        notes.add(end, until, (head, relation, tail))
    has_end = not is_open and (bool(end) or since.is_interval)
    return Fact(
        head, relation, tail, since.start, until.end, line.number, has_end, is_open, is_interval=since.is_interval
    )


def _perhaps_a_header(found: BadLine, line: Line) -> BadLine:
    """The first line, which has no time as its start: perhaps the titles are not known."""
    if any(map(str.isdigit, line.fields[START] + line.fields[END])):
        return found
    names = "; ".join(f"{column}: {', '.join(titles.split(', ')[:6])}" for column, titles in COLUMNS.titles.items())
    by_place = f"{setting('header', True)} takes columns by their place"
    says = f"If the line is a header, its names are not known: {by_place}. Known are {names}"
    return replace(found, problem=f"{found.problem}. {says}")


def _bad_time(line: Line, column: int, text: str) -> BadLine:
    quoted = " with the quotes around it" if read_time(text.strip('"')) else ""
    return line.bad(column, f"'{shortened(text)}' {problem_of(text)}{quoted}")


# RE-Net's folders


ID_TABLES = ("entity2id.txt", "relation2id.txt")
ID_PARTS = ("train.txt", "valid.txt", "test.txt")

_ID_COLUMNS = ("head", "relation", "tail", "time")
_ID = re.compile(r"[0-9]{1,12}")
_TIME = re.compile(r"-?[0-9]{1,12}")
_UNUSED = ("0", "-1")


def is_ids_folder(path: Path) -> bool:
    """Whether a path is a folder in RE-Net's layout: with both tables and at least one part, plain or .gz."""
    return all(_file_of(path, name) for name in ID_TABLES) and any(_file_of(path, name) for name in ID_PARTS)


def read_ids(path: Path, *, warnings: list[str] | None = None) -> Iterator[Fact | BadLine]:
    """Streams the facts of a folder in RE-Net's layout: those of train, valid and test, in this order.

    A line of the tables `entity2id.txt` and `relation2id.txt` is a name, a tab and its id; more columns are ignored,
    and the first line may be a count. A line of the parts `train.txt`, `valid.txt` and `test.txt` is `head relation
    tail time`, four whole numbers, and perhaps a fifth that is 0 or -1. The time is read as a year, whatever its unit
    is: so the hours and days of ICEWS keep their order and distances.

    Names are cleaned (see `clean_name`). If the names of several ids become equal, the smallest id keeps the name; the
    others get their uncleaned name, or their id, behind it. The problem of a `BadLine` begins with the name of its
    part.

    Raises:
        BadInput: a file is missing or cannot be read, or a line of a table is not a name and its id.
    """
    for name in ID_TABLES:
        if not _file_of(path, name):
            raise BadInput(
                f"{path} has no {name}.",
                f"The folder holds {', '.join(ID_TABLES)}, and one or more of {', '.join(ID_PARTS)}.",
            )
    said = [] if warnings is None else warnings
    entities, relations = (_names(_file_of(path, name) or path / name, said) for name in ID_TABLES)
    parts = [part for name in ID_PARTS if (part := _file_of(path, name))]
    if not parts:
        raise BadInput(f"{path} has no facts.", f"The folder holds one or more of {', '.join(ID_PARTS)}.")
    for part in parts:
        for line, text in _id_lines(part):
            yield _numbered_fact(part.name, line, text, entities, relations)


def _id_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(find_decoding(path, strict=False).lines(), 1):
        if isinstance(line, CutLine):
            raise BadInput(f"{path}:{number}: a line longer than {MAX_LINE:,} characters.", "Is this text?")
        if not line.isspace():
            yield number, line.rstrip("\r\n")


def _file_of(folder: Path, name: str) -> Path | None:
    places = (folder / name, folder / f"{name}.gz")
    return next((path for path in places if os.path.isfile(path)), None)  # noqa: PTH113  (Path.is_file may raise)


def _names(path: Path, warnings: list[str]) -> dict[int, str]:
    """The names of a table by their ids."""
    raw: dict[int, str] = {}
    first = True
    for line, text in _id_lines(path):
        fields = [field.strip() for field in (text.split("\t") if "\t" in text else text.rsplit(None, 1))]
        if first and len(fields) == 1 and _ID.fullmatch(fields[0]):
            first = False  # a count
            continue
        first = False
        problem = field_problem(text) or _table_problem(fields)
        if problem is None and raw.setdefault(int(fields[1]), fields[0]) != fields[0]:
            problem = f"id {fields[1]} is that of '{raw[int(fields[1])][:60]}' already"
        if problem:
            raise BadInput(f"{path}:{line}: {problem}.", "A line holds a name, a tab and the name's id.")
    return _distinct_names(path, raw, warnings)


def _table_problem(fields: list[str]) -> str | None:
    if len(fields) < 2:
        return "no name and id"
    if not fields[0] or not clean_name(fields[0]).name:
        return "the name is empty"
    if not _ID.fullmatch(fields[1]):
        return f"'{fields[1][:60]}' is not an id"
    return field_problem(clean_name(fields[0]).name)


def _distinct_names(path: Path, raw: dict[int, str], warnings: list[str]) -> dict[int, str]:
    """A clean name for each id, no name twice."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    example = ""
    for number in sorted(raw):
        found: CleanName = clean_name(raw[number])
        name = found.name
        if name in taken:
            name = f"{name} ({raw[number] if raw[number] != name else number})"
            while name in taken:
                name = f"{name} ({number})"
            example = example or name
        taken.add(name)
        names[number] = name
    if example:
        warnings.append(f"{path}: different ids have names that are equal once cleaned; one is now called '{example}'.")
    return names


def _numbered_fact(
    part: str, line: int, text: str, entities: dict[int, str], relations: dict[int, str]
) -> Fact | BadLine:
    """The fact of a line, or what is wrong with it, with the column where it is wrong."""
    fields = text.split()
    if found := field_problem(text):
        return BadLine(line, 0, "", f"in {part}: {found}", text)
    names: list[str] = []
    for place, (column, table) in enumerate(zip(_ID_COLUMNS, (entities, relations, entities, None), strict=True)):
        problem = ""
        if place >= len(fields):
            problem = "missing"
        elif not (_ID if table is not None else _TIME).fullmatch(fields[place]):
            problem = f"'{fields[place][:60]}' is not a whole number"
        elif table is not None and int(fields[place]) not in table:
            problem = f"no {'relation' if table is relations else 'entity'} has the id {fields[place]}"
        if problem:
            return BadLine(line, place + 1, column, f"in {part}: {problem}", text)
        names += [] if table is None else [table[int(fields[place])]]
    if len(fields) > 5 or (len(fields) == 5 and fields[4] not in _UNUSED):
        problem = f"'{fields[4][:60]}' where 0 or nothing is expected" if len(fields) == 5 else "more than 5 columns"
        return BadLine(line, 5, "", f"in {part}: {problem}", text)
    moment = Moment(int(fields[3]))
    return Fact(names[0], names[1], names[2], moment, moment, line)


# The load


def load_tkg(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: TkgOptions = _DEFAULTS
) -> LoadReport:
    """Loads files of temporal facts as one source; arguments and errors as in `load_files`.

    A folder may be in RE-Net's layout (`read_ids`). The input is read to its end, checked and staged before anything is
    written. A source that is there already, with the same facts and step, is left as it is. In the report, `facts`
    counts distinct (head, relation, tail, start, end).
    """
    load, paths = Load(TKG, to, options), as_paths(path)
    name, warnings = source_name_for(options, paths), list[str]()
    with TkgStage(load.target.stored_name(name)) as stage:

        def settle() -> None:
            stage.settle(Step(options.step) if options.step else None, read_moment(options.now or ""))
            _check(paths[0], stage, options.max_triples)

        facts = temporal_facts(paths, options, warnings, stage.times, stage.next_file)
        load.take(stage, paths[0], facts, warnings, if_none=PERHAPS_A_TABLE, settle=settle)
    return replace(load.report(), open=stage.counts.open)


def temporal_facts(
    paths: Sequence[Path],
    options: TkgOptions,
    warnings: list[str],
    times: TimeNotes,
    next_file: Callable[[], None],
) -> Iterator[Fact | BadLine]:
    """The facts of all inputs; calls `next_file` before those of each."""
    folders = [path for path in paths if is_ids_folder(path)]
    for folder in folders:
        next_file()
        yield from read_ids(folder)
    others = [path for path in paths if path not in folders]
    files = input_files(others, ENDINGS) if others else []

    def read(file: Path) -> Iterator[Fact | BadLine]:
        next_file()
        yield from read_tkg(file, options, warnings, times)

    yield from in_files(files, read)


def _check(path: Path, stage: TkgStage, max_triples: int) -> None:
    if far := stage.too_far():
        raise BadInput(
            f"{path}: {far.name} is too far away for a source that counts {stage.step}s.",
            f"Count years, with {setting('step', 'year')}, or write such facts into a source of their own.",
        )
    if stage.stored is not None and stage.stored > max_triples:
        raise BadInput(
            f"{path} makes {stage.stored:,} relationships, more than {max_triples:,}.",
            f"Allow it with {setting('max-triples', stage.stored)}.",
        )
