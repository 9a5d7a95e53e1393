"""Temporal knowledge graphs: what a fact means as condition triples, and `load tkg`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.inputs import input_files
from cgstore.loaders.load import Options, in_files, nothing_in, report, usable
from cgstore.loaders.readers.rows import BadLine
from cgstore.loaders.rejects import Rejects
from cgstore.loaders.tkg_file import JSON_ENDINGS, Fact, read_tkg
from cgstore.loaders.tkg_ids import is_ids_folder, read_ids
from cgstore.loaders.tkg_stage import TkgStage, TripleCounts
from cgstore.loaders.writer.target import Target, target_of
from cgstore.loaders.writer.write import LAYOUT
from cgstore.model import ConditionTriple, LoadReport, Node, Role, TimeKey
from cgstore.progress import waiting
from cgstore.source_kinds import TKG
from cgstore.text.times import Moment, Step, first, last, time_name

ENDINGS = (".tsv", ".tab", ".csv", ".txt", *JSON_ENDINGS)
"""Files that are taken from a folder."""

MAX_TRIPLES = 50_000_000
"""Condition triples beyond which a load is refused unless asked for: some 20 GB of store."""

__all__ = ["MAX_TRIPLES", "Fact", "condition_triples", "load_tkg", "read_tkg"]


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
    to: Database | Target,
    path: Path | str | Sequence[Path | str],
    *,
    step: str | None = None,
    header: bool | None = None,
    max_triples: int = MAX_TRIPLES,
    **options: Any,
) -> LoadReport:
    """Loads TSV, CSV or JSON Lines files (also .gz) with the columns head, relation, tail, start, end as one source.

    The input is read to its end, checked and staged before anything is written. A load that was cut short goes on when
    the same call is made again; a source that is there already, with the same facts and step, is left as it is.

    Args:
        to: where to.
        path: files, globs or folders; `read_tkg` tells their format, `read_ids` that of a folder with numbered names.
        step: `year`, `month` or `day`; by default the coarsest that loses nothing (`StepFinder`). Times that are more
            exact than the step are cut to it.
        header: whether the first line names the columns; None finds out.
        max_triples: refuses the input, before expanding it, if it makes more condition triples than this.
        options: see `cgstore.loaders.load.Options`.

    Returns:
        A report in which `facts` counts distinct (head, relation, tail, start, end).

    Raises:
        BadInput: the file, a line, an option or the name cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    began, target, chosen, said = time.monotonic(), target_of(to), _step(step), Options(**options)
    paths = [path] if isinstance(path, str | Path) else list(path)
    name = said.name_for([Path(p) for p in paths])
    origin = Path(paths[0])
    with (
        target,
        TkgStage(target.stored_name(name)) as stage,
        Rejects(origin, said.skip, said.rejected) as rejects,
    ):
        for fact in usable(_facts(paths, header), rejects, said.progress):
            stage.add(fact)
            if not rejects.note and fact.end < fact.start and fact.end.step is fact.start.step:
                rejects.note = f"Line {fact.line} ends before it starts."
        with waiting("the facts to be sorted and counted"):
            counts = stage.settle(chosen)
            _check(origin, stage, counts, rejects, max_triples)
            stage.stage_times()
        record = _record(stage, counts)
        target.take(record, stage)
        target.finish()
    return report(target, record, rejects, began, _warnings(counts, stage.step))


def _facts(paths: Sequence[Path | str], header: bool | None) -> Iterator[Fact | BadLine]:
    """The facts of all inputs."""
    folders = [Path(path) for path in paths if is_ids_folder(Path(path))]
    for folder in folders:
        yield from read_ids(folder)
    others = [path for path in paths if Path(path) not in folders]
    files = input_files(others, ENDINGS) if others else []
    yield from in_files(files, ((path, item) for path in files for item in read_tkg(path, header=header)))


def _step(text: str | None) -> Step | None:
    if text is not None and text not in list(Step):
        raise BadInput(f"'{text}' is no step.", "Give --step year, month or day.")
    return Step(text) if text else None


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
        layout=LAYOUT,
        step=stage.step.value,
        facts=stage.fact_count,
        nodes=stage.node_count,
        has=counts.has,
        value=counts.value,
    )


def _warnings(counts: TripleCounts, step: Step) -> tuple[str, ...]:
    """What is read in a way that the input does not say."""
    found = []
    if counts.inverted:
        found.append(
            "1 fact ends before it starts: it has a start and an end, but holds at no time."
            if counts.inverted == 1
            else f"{counts.inverted:,} facts end before they start: they have a start and an end, but hold at no time."
        )
    if counts.overlapping:
        facts = "1 fact has" if counts.overlapping == 1 else f"{counts.overlapping:,} facts have"
        found.append(
            f"{facts} periods that overlap, and that become one time: which start belongs to which end is lost. "
            f"Such as {counts.overlap}."
        )
    if counts.endless and counts.endless < counts.read:
        facts = "1 fact has no end: it" if counts.endless == 1 else f"{counts.endless:,} facts have no end: each"
        found.append(
            f"{facts} is taken to hold at its start only, as an event does. Give an end, such as this year, to what "
            "still holds."
        )
    if counts.example is not None:
        facts = "1 fact has a time" if counts.coarse == 1 else f"{counts.coarse:,} facts have times"
        shown = _shown(counts.example)
        opens, ends = (time_name(bound(counts.example, step), step) for bound in (first, last))
        found.append(
            f"{facts} less exact than the {step}s of this source, such as {shown}: it is read as {opens} where a fact "
            f"starts, and as {ends} where one ends."
        )
    return tuple(found)


def _shown(moment: Moment) -> str:
    """A year or a month as a file has it."""
    return time_name(first(moment, moment.step), moment.step)
