"""`load tkg`: temporal facts as a source, from delimited text or JSON Lines; and what a temporal fact means."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.inputs import input_files, plain_path
from cgstore.loaders.load import TextLoadOptions, as_paths, in_files, nothing_in, report, source_name_for, usable
from cgstore.loaders.readers.columns import Columns, Line, line_of_object, read_columns
from cgstore.loaders.readers.encoding import find_decoding
from cgstore.loaders.readers.id_folder import is_ids_folder, read_ids
from cgstore.loaders.readers.json_lines import JSON_ENDINGS, json_lines, no_constant
from cgstore.loaders.readers.rows import BadLine
from cgstore.loaders.readers.text import TEXT_ENDINGS
from cgstore.loaders.rejects import Rejects
from cgstore.loaders.statement import Fact
from cgstore.loaders.tkg_stage import TkgStage, TripleCounts
from cgstore.loaders.writer.target import Target, target_of
from cgstore.model import ConditionTriple, LoadReport, Node, Role, TimeKey
from cgstore.progress import waiting
from cgstore.source_kinds import TKG
from cgstore.text.dates import Step, first, last, read_moment, time_name
from cgstore.text.json_text import as_object

ENDINGS = (*TEXT_ENDINGS, ".txt", *JSON_ENDINGS)
"""Files that are taken from a folder."""

MAX_TRIPLES = 50_000_000
"""Condition triples beyond which a load is refused unless asked for: some 20 GB of store."""

COLUMNS = Columns(
    names=("head", "relation", "tail", "start", "end"),
    titles={
        "head": "head, subject, subj, s, h, source, from entity",
        "relation": "relation, predicate, pred, property, p, r, rel",
        "tail": "tail, object, obj, o, t, target, to entity",
        "start": "start, start time, start date, start year, from, since, begin, time, date, year",
        "end": "end, end time, end date, end year, to, until",
    },
    fact="a fact",
    form="A line holds head, relation, tail, start, end, separated by tabs (.tsv), commas (.csv), semicolons or '|'.",
    optional=1,
    is_value=read_moment,
)
START, END = 3, 4
"""The places of the times among the columns."""

_JSON_FORM = 'A line is an object: {"head": .., "relation": .., "tail": .., "start": ..}'
_DECODER = json.JSONDecoder(object_pairs_hook=as_object, parse_int=str, parse_float=str, parse_constant=no_constant)


@dataclass(frozen=True)
class TkgOptions(TextLoadOptions):
    """The options of `load tkg`.

    Attributes:
        step: `year`, `month` or `day`; by default the coarsest that loses nothing (`StepFinder`). Times that are more
            exact than the step are cut to it.
        max_triples: refuses the input, before expanding it, if it makes more condition triples than this.

    Raises:
        BadInput: an option has no meaning.
    """

    step: str | None = None
    max_triples: int = MAX_TRIPLES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.step is not None and self.step not in list(Step):
            raise BadInput(f"'{self.step}' is not a step.", "Give --step year, month or day.")


_DEFAULTS = TkgOptions()


def read_tkg(
    path: Path, options: TextLoadOptions = _DEFAULTS, warnings: list[str] | None = None
) -> Iterator[Fact | BadLine]:
    """Streams the facts of a file in its order, repeats included: delimited text (see `read_columns`) or JSON Lines.

    In JSON Lines a line is an object whose keys are called as a header's titles may be. The end may be missing or
    empty: the same as the start. A line that is not a fact comes as a `BadLine` in its place.

    Raises:
        BadInput: the file cannot be read, is empty or lacks a column.
    """
    warnings = [] if warnings is None else warnings
    if plain_path(path).suffix.lower() in JSON_ENDINGS:
        lines = _read_json(path, options.encoding)
    else:
        lines = read_columns(path, COLUMNS, options.text, warnings)
    for line in lines:
        yield line if isinstance(line, BadLine) else _fact(line)


def _read_json(path: Path, encoding: str | None) -> Iterator[Line | BadLine]:
    empty = True
    for line in json_lines(find_decoding(path, encoding, strict=False), _DECODER):
        empty = False
        if isinstance(line, BadLine):
            yield line
        elif isinstance(line.value, dict):
            yield line_of_object(line.number, line.value, line.text, COLUMNS)
        else:
            yield BadLine(line.number, 0, "", f"not an object. {_JSON_FORM}", line.text)
    if empty:
        raise BadInput(f"{path} is empty.", _JSON_FORM)


def _fact(line: Line) -> Fact | BadLine:
    head, relation, tail, start, end = line.fields
    since = read_moment(start)
    until = read_moment(end) if end else None
    if since is None or (end and until is None):
        column, text = (START, start) if since is None else (END, end)
        quoted = " with the quotes around it" if read_moment(text.strip('"')) else ""
        shown = text[:60] + "..." if len(text) > 60 else text
        return line.bad(column, f"'{shown}' is not a year or an ISO date{quoted}")
    return Fact(head, relation, tail, since, until or since, line.number, has_end=until is not None)


def condition_triples(fact: Fact, source: str, step: Step = Step.YEAR) -> Iterator[ConditionTriple]:
    """The condition triples of one temporal fact (h, r, t, from, to), as the design defines them.

    `(h, r, [])`, `(r, t, [h])`, `(start time, from, [h, r, t])`, `(end time, to, [h, r, t])`, and
    `(time, y, [h, r, t])` for every y in from..to, which is none if the fact ends before it starts. A source is the
    set of the triples of its facts.

    A load makes the same set in a faster way (`cgstore.loaders.tkg_stage`); this is the definition that tests hold
    that way against.
    """
    head, tail = Node(fact.head, Role.ENTITY), Node(fact.tail, Role.ENTITY)
    relation = Node(fact.relation, Role.RELATION, source)
    start, end = first(fact.start, step), last(fact.end, step)
    condition = (head, relation, tail)

    def at(key: TimeKey, number: int) -> ConditionTriple:
        return ConditionTriple(Node(key.value, Role.KEY, source), Node(time_name(number, step), Role.VALUE), condition)

    yield ConditionTriple(head, relation)
    yield ConditionTriple(relation, tail, (head,))
    yield at(TimeKey.START, start)
    yield at(TimeKey.END, end)
    for number in range(start, end + 1):
        yield at(TimeKey.TIME, number)


def load_tkg(
    to: Database | Target, path: Path | str | Sequence[Path | str], options: TkgOptions = _DEFAULTS
) -> LoadReport:
    """Loads files of temporal facts as one source.

    The input is read to its end, checked and staged before anything is written. A load that was cut short goes on when
    the same call is made again; a source that is there already, with the same facts and step, is left as it is.

    Args:
        to: where to.
        path: files, globs or folders; `read_tkg` tells their format, `read_ids` that of a folder with numbered names.
        options: of the load.

    Returns:
        A report in which `facts` counts distinct (head, relation, tail, start, end).

    Raises:
        BadInput: the file, a line, an option or the name cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    began = time.monotonic()
    paths = as_paths(path)
    name, origin, warnings = source_name_for(options, paths), paths[0], list[str]()
    with (
        target_of(to, options) as target,
        TkgStage(target.stored_name(name)) as stage,
        Rejects(origin, options) as rejects,
    ):
        for fact in usable(_facts(paths, options, warnings), rejects, options.progress):
            stage.add(fact)
            if not rejects.note and fact.end < fact.start and fact.end.step is fact.start.step:
                rejects.note = f"Line {fact.line} ends before it starts."
        with waiting("the facts to be sorted and counted"):
            counts = stage.settle(Step(options.step) if options.step else None)
            _check(origin, stage, counts, rejects, options.max_triples)
            stage.stage_times()
        record = _record(stage, counts)
        target.take(record, stage)
        target.finish()
    return report(target, record, rejects, began, (*dict.fromkeys(warnings), *_notes(counts, stage.step)))


def _facts(paths: Sequence[Path], options: TkgOptions, warnings: list[str]) -> Iterator[Fact | BadLine]:
    """The facts of all inputs."""
    folders = [path for path in paths if is_ids_folder(path)]
    for folder in folders:
        yield from read_ids(folder)
    others = [path for path in paths if path not in folders]
    files = input_files(others, ENDINGS) if others else []
    yield from in_files(files, lambda file: read_tkg(file, options, warnings))


def _check(path: Path, stage: TkgStage, counts: TripleCounts, rejects: Rejects, max_triples: int) -> None:
    if not stage.fact_count:
        raise nothing_in(path, rejects)
    if counts.total > max_triples:
        coarser = " or a coarser step with --step" if stage.step is not Step.YEAR else ""
        raise BadInput(
            f"{path} makes {counts.total:,} condition triples by {stage.step}, more than {max_triples:,}: "
            f"{counts.times:,} of them say what holds at a {stage.step}.",
            f"Allow it with --max-triples {counts.total}{coarser}.",
        )


def _record(stage: TkgStage, counts: TripleCounts) -> LoadRecord:
    return LoadRecord(
        name=stage.source,
        kind=TKG.name,
        fingerprint=stage.fingerprint,
        step=stage.step.value,
        facts=stage.fact_count,
        nodes=stage.node_count,
        has=counts.has,
        value=counts.value,
    )


def _notes(counts: TripleCounts, step: Step) -> Iterator[str]:
    """What is read in a way that the input does not say."""
    if counts.inverted == 1:
        yield "1 fact ends before it starts: it has a start and an end, but holds at no time."
    elif counts.inverted:
        yield f"{counts.inverted:,} facts end before they start: they have a start and an end, but hold at no time."
    if counts.overlapping:
        yield (
            f"{'1 fact has' if counts.overlapping == 1 else f'{counts.overlapping:,} facts have'} periods that "
            "overlap, and that become one time: which start belongs to which end is lost. "
            f"Such as {counts.overlap}."
        )
    if counts.endless and counts.endless < counts.read:
        yield (
            f"{'1 fact has no end: it' if counts.endless == 1 else f'{counts.endless:,} facts have no end: each'} is "
            "taken to hold at its start only, as an event does. Give an end, such as this year, to what still holds."
        )
    if (moment := counts.example) is not None:
        shown, opens, ends = (
            time_name(bound(moment, unit), unit) for bound, unit in ((first, moment.step), (first, step), (last, step))
        )
        yield (
            f"{'1 fact has a time' if counts.coarse == 1 else f'{counts.coarse:,} facts have times'} less exact than "
            f"the {step}s of this source, such as {shown}: it is read as {opens} where a fact starts, and as {ends} "
            "where one ends."
        )
