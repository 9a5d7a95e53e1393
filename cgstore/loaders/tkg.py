"""Temporal knowledge graphs: what a fact means as condition triples, and `load tkg`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.delimited import BadLine, plain_path
from cgstore.loaders.registry import Plan, check_source_name
from cgstore.loaders.rejects import Rejects
from cgstore.loaders.sources import sweep
from cgstore.loaders.times import Step, first, last, time_name
from cgstore.loaders.tkg_file import Fact, read_tkg
from cgstore.loaders.tkg_stage import TkgStage, TripleCounts
from cgstore.loaders.write import LAYOUT, write
from cgstore.model import ConditionTriple, LoadReport, Node, Role, TimeKey

KIND = "tkg"

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
    db: Database,
    path: Path,
    *,
    name: str | None = None,
    step: str | None = None,
    header: bool | None = None,
    on_error: str = "stop",
    rejected: Path | None = None,
    max_triples: int = MAX_TRIPLES,
    progress: bool = False,
) -> LoadReport:
    """Loads a TSV or CSV file (also .gz) with the columns head, relation, tail, start, end as a source.

    The file is read to its end, checked and staged before anything is written. A load that was cut short goes on when
    the same call is made again; a source that is there already, with the same facts and step, is left as it is.

    Args:
        db: where to.
        path: the file; `read_tkg` tells its format.
        name: of the source; by default the file's name without .gz, .tsv, .csv.
        step: `year`, `month` or `day`; by default the coarsest that loses nothing (`StepFinder`). Times that are more
            exact than the step are cut to it.
        header: whether the first line names the columns; None finds out.
        on_error: `stop` refuses a file with a bad line, `skip` loads the others and writes the bad ones to a file.
        rejected: that file; by default the input's name with `.rejected.tsv`, beside it. It is tab-separated with
            quotes, with the columns line, column, problem, text. It replaces no file but one that a load wrote.
        max_triples: refuses the file, before expanding it, if it makes more condition triples than this.
        progress: whether to show a bar on standard error.

    Returns:
        A report in which `facts` counts distinct (head, relation, tail, start, end).

    Raises:
        BadInput: the file, a line, an option or the name cannot be used; nothing was written.
        NoDatabase: the database went away for good; the same call goes on.
    """
    began = time.monotonic()
    name = plain_path(path).stem if name is None else name
    check_source_name(name)
    chosen = _step(step)
    with TkgStage(name) as stage, Rejects(path, _policy(on_error), rejected) as rejects:
        for item in read_tkg(path, header=header):
            if isinstance(item, BadLine):
                rejects.add(item)
            else:
                stage.add(item)
        rejects.finish()
        counts = stage.settle(chosen)
        _check(path, stage, counts, rejects, max_triples)
        stage.stage_times()
        plan = _plan(stage, counts)
        written = write(db, plan, stage, progress)
    sweep(db)
    return LoadReport(
        source=name,
        kind=KIND,
        facts=plan.facts,
        nodes=plan.nodes,
        triples=plan.triples,
        has=plan.has,
        value=plan.value,
        rejected=rejects.count,
        seconds=round(time.monotonic() - began, 3),
        unchanged=not written,
        rejected_file=str(rejects.path) if rejects.count else None,
        step=plan.step,
        warnings=_warnings(counts),
    )


def _step(text: str | None) -> Step | None:
    if text is not None and text not in list(Step):
        raise BadInput(f"'{text}' is no step.", "Give --step year, month or day.")
    return Step(text) if text else None


def _policy(on_error: str) -> bool:
    """Whether bad lines are skipped."""
    if on_error not in ("stop", "skip"):
        raise BadInput(f"'{on_error}' is no way to treat errors.", "Give --on-error stop or --on-error skip.")
    return on_error == "skip"


def _check(path: Path, stage: TkgStage, counts: TripleCounts, rejects: Rejects, max_triples: int) -> None:
    if not stage.fact_count:
        lines = "it has a header and nothing below"
        if rejects.count:
            which = "its only line was" if rejects.count == 1 else f"all of its {rejects.count:,} lines were"
            lines = f"{which} rejected, see {rejects.path}"
        raise BadInput(f"{path} has no facts: {lines}.", "A line holds head, relation, tail, start, end.")
    if counts.total > max_triples:
        coarser = " or a coarser step with --step" if stage.step is not Step.YEAR else ""
        raise BadInput(
            f"{path} makes {counts.total:,} condition triples by {stage.step}, more than {max_triples:,}: "
            f"{counts.times:,} of them say what holds at a {stage.step}.",
            f"Allow it with --max-triples {counts.total}{coarser}.",
        )


def _plan(stage: TkgStage, counts: TripleCounts) -> Plan:
    return Plan(
        name=stage.source,
        kind=KIND,
        fingerprint=stage.fingerprint,
        layout=LAYOUT,
        step=stage.step.value,
        facts=stage.fact_count,
        nodes=stage.node_count,
        has=counts.has,
        value=counts.value,
    )


def _warnings(counts: TripleCounts) -> tuple[str, ...]:
    if not counts.inverted:
        return ()
    if counts.inverted == 1:
        return ("1 fact ends before it starts: it has a start and an end, but holds at no time.",)
    return (f"{counts.inverted:,} facts end before they start: they have a start and an end, but hold at no time.",)
