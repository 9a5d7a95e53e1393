"""`cgstore eval`: questions asked by any backend, gold annotations (`oracle`), recorded replies (`replay`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import click

from cgstore.cli.common import connected, json_option, mapping_options, print_json, sources_option, timeout_option
from cgstore.cli.eval_mapping import mapping
from cgstore.cli.llm_options import backend_from, contents_of, llm_options
from cgstore.cli.options import FILE, NEW_FILE, NEW_FOLDER, Decorator, taking, with_options
from cgstore.evaluate.benchmarks import BENCHMARKS, ORACLE_SETS, REPLAY_SETS
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Selection
from cgstore.evaluate.benchmarks.mine import Mine
from cgstore.evaluate.known_programs import oracle_backend, reasons_table, recordings_of, replay_backend, summary_text
from cgstore.evaluate.mapping import DAMAGES
from cgstore.evaluate.outcome import Outcome, OutcomeList, OutcomesFile, settings_of
from cgstore.evaluate.run import Price, llm_backend, run
from cgstore.evaluate.summary import Run, changes_text, compare_files, comparison_table, table
from cgstore.llm import BackendKeywords
from cgstore.options import QueryKeywords, QueryOptions
from cgstore.store import Store
from cgstore.text.names import many, source_name

NOT_COMPARED = ("batch", "cache")
"""Options of an LLM that change no answer: where replies are, and whether they are kept."""


def _sets(names: Iterable[str]) -> Decorator:
    help = "May be repeated.  [default: all there are]"
    return click.option("--set", "sets", multiple=True, type=click.Choice(list(names)), help=help)


_short_out = click.option("--out", type=click.File("w", encoding="utf-8"), help="Write a JSON line for each question.")


# Benchmarks -----------------------------------------------------------------------------------------------------------

_COMMON: tuple[Decorator, ...] = (
    llm_options,
    mapping_options(),
    click.option(
        "--in-flight", type=click.IntRange(1, 256), default=8, show_default=True, help="Questions asked at a time."
    ),
    click.option("--out", type=NEW_FILE, help="Write a JSON line for each question."),
    click.option("--resume", is_flag=True, help="Resume --out: what is in it is not asked again."),
    click.option("--report", type=NEW_FOLDER, help="Write an HTML page there."),
    click.option("--price", type=float, nargs=2, metavar="PROMPT COMPLETION", help="Prices of a million tokens."),
    timeout_option,
    json_option,
    connected,
)

_TOPICS = click.option("--topics", is_flag=True, help="Append the gold topic entities to each question.")

_HELP = """{title}

The answers are compared with gold by `accepted`, which is the score of TrustUQA's evaluation, `accuracy`, which asks
for the same set of values, Hits@1, F1 and exact match. The figures are over all questions and by type, with bootstrap
intervals. What is needed is loaded as sources named eval/..., and kept. With --out, Ctrl-C loses nothing: --resume goes
on.

\b
Example:
  cgstore eval {example}
"""


def _command(benchmark: Benchmark) -> click.Command:
    """The command of one benchmark."""
    own = [name for name in benchmark.options if name != "topics"] + (["graph"] if benchmark.graph else [])
    selected = taking("selection", Selection, "data", "questions", *own, "limit", "seed")
    topics = (_TOPICS,) if "topics" in benchmark.options else ()

    def ask(store: Store, selection: dict[str, Any], llm: BackendKeywords, **how: Any) -> None:
        chosen = Selection(**selection)
        _check_questions(benchmark.name, benchmark, chosen.questions)
        _ask_all(store, benchmark, chosen, llm, **how)

    text = _HELP.format(title=benchmark.title, example=benchmark.example)
    return click.command(benchmark.name, help=text)(with_options(ask, (selected, *topics, *_COMMON)))


def _ask_all(
    store: Store,
    benchmark: Benchmark,
    selection: Selection,
    llm: BackendKeywords,
    *,
    in_flight: int,
    out: Path | None,
    resume: bool,
    report: Path | None,
    price: tuple[float, float] | None,
    as_json: bool,
    mapping: QueryKeywords,
    topics: bool = False,
) -> None:
    """Asks the questions of a selection, and reports."""
    if resume and not out:
        raise click.UsageError("--resume continues a file: give --out.")
    limit, seed = selection.limit, selection.seed
    backend = backend_from({**llm, "corrections": False}, store.db)
    written_by = {**llm, "name": backend.name, "timeout": store.timeout, **contents_of(llm)}
    written_by = {key: value for key, value in written_by.items() if key not in NOT_COMPARED}
    drawn = benchmark.read(selection)
    outcomes = OutcomeList()
    if out:
        others = {"llm": written_by, "mapping": mapping, "topics": topics, "limit": limit, "seed": seed}
        settings = settings_of(benchmark.name, benchmark.set_name(selection), drawn.questions, others)
        outcomes = OutcomesFile(out, settings, resume)
    prices = Price(*price) if price else None
    result = run(
        store,
        benchmark,
        selection,
        drawn,
        llm_backend(store, backend, benchmark.judge, topics=topics, price=prices, options=mapping),
        outcomes,
        in_flight=in_flight,
        in_order=False,
        llm=" ".join(str(name) for name in (backend.name, llm.get("model")) if name),
    )
    _report_run(result, report, seed, as_json)


def _mine(
    store: Store, questions: Path, sources: Sequence[str], selection: dict[str, Any], llm: BackendKeywords, **how: Any
) -> None:
    """Your own questions, over the sources that are loaded.

    A line of --questions is {"question": "...", "answer": ..., "source": "..."}. The answer is a text, a number or a
    list of these; the source is a name or a list of names. A question without a source is asked of --source, or of
    all sources. The figures are those of `cgstore eval wtq --help`, over all questions and by source, with tokens and,
    with --price, the cost.

    \b
    Examples:
      cgstore eval mine --questions mine.jsonl --source films
      cgstore eval mine --questions mine.jsonl --model gpt-4o-mini --price 0.15 0.60 --out outcomes.jsonl --resume
    """
    every = [source_name(name) for name in store.ready(list(sources) or None)]
    benchmark = Mine(questions, sources, every)
    _ask_all(store, benchmark, Selection(questions.parent, questions, **selection), llm, **how)


def _mine_command() -> click.Command:
    drawn = taking("selection", Selection, "limit", "seed")
    file = click.option("--questions", type=FILE, required=True, help="JSON Lines {question, answer, source}.")
    return click.command("mine")(with_options(_mine, (file, drawn, sources_option, *_COMMON)))


def _check_questions(name: str, benchmark: Benchmark, questions: Path | None) -> None:
    folder = benchmark.questions_folder
    if questions and questions.is_dir() != bool(folder):
        form = f"folder such as {folder}" if folder else "file"
        raise click.UsageError(f"{name} takes --questions as a {form}.")


def _report_run(run: Run, report: Path | None, seed: int, as_json: bool) -> None:
    headline = run.headline(seed)
    if run.without_gold:
        click.echo(f"Note: {run.without_gold:,} questions without a gold answer are left out.", err=True)
    if run.waiting:
        waits = many(run.waiting, "question waits", "questions wait")
        click.echo(f"{waits} for a reply of the LLM. {run.hint or ''}".rstrip(), err=True)
        if run.outcomes:
            click.echo(f"The figures are of the other {len(run.outcomes):,} only.", err=True)
    if report:
        from cgstore.evaluate.report_page import write_report

        click.echo(f"Report: {write_report(report, headline, run.outcomes)}", err=True)
    if not as_json and run.outcomes:
        click.echo(table(headline))
    print_json(headline)


# Known programs -------------------------------------------------------------------------------------------------------


@click.command()
@_sets(ORACLE_SETS)
@taking("selection", Selection, "data", "questions", "tables", "limit", "seed")
@_short_out
@json_option
@connected
def oracle(store: Store, sets: tuple[str, ...], selection: dict[str, Any], out: TextIO | None, as_json: bool) -> None:
    """Gold annotations as programs: measures what comes after the LLM, without one.

    \b
    WikiSQL's SQL, MetaQA's relation paths and CronQuestions' annotations become programs, which are run and compared
    with what SQLite gives, or with the gold answers. What is needed is loaded as sources eval/..., and kept.

    \b
    Examples:
      cgstore eval oracle --data .data --set metaqa_2hop
      cgstore eval oracle --data .data --limit 100 --out outcomes.jsonl
    """
    given = Selection(**selection)
    if given.questions and len(set(sets)) != 1:
        raise click.UsageError("--questions are those of one benchmark: give one --set with them.")
    if given.tables and set(sets) != {"wikisql"}:
        raise click.UsageError("--tables belong to --set wikisql.")
    if given.questions and sets[0] == "wikisql" and not given.tables:
        raise click.UsageError("WikiSQL's --questions need --tables.")
    there = [name for name, benchmark in ORACLE_SETS.items() if (given.data / benchmark.name).is_dir()]
    for name in dict.fromkeys(sets or there or ORACLE_SETS):
        benchmark = ORACLE_SETS[name]
        _check_questions(name, benchmark, given.questions)
        chosen = replace(given, **benchmark.oracle_sets[name])
        drawn, ask = benchmark.read(chosen), oracle_backend(store, benchmark)
        result = run(store, benchmark, chosen, drawn, ask, _short_lines(name, out), set_name=name)
        if not as_json:
            click.echo(summary_text(name, result.outcomes))
        print_json(result.short_headline("oracle"))


@click.command()
@taking("selection", Selection, "data", "limit", "seed")
@_sets(REPLAY_SETS)
@click.option(
    "--questions",
    "files",
    multiple=True,
    type=FILE,
    help="Recorded replies, named SET.jsonl or with one --set; may be repeated.  [default: DATA/recorded/SET.jsonl]",
)
@click.option("--damage", type=click.Choice(list(DAMAGES)), help="Damage every name of every program in this way.")
@taking("options", QueryOptions, "combinations")
@_short_out
@json_option
@connected
def replay(
    store: Store,
    selection: dict[str, Any],
    sets: tuple[str, ...],
    files: tuple[Path, ...],
    damage: str | None,
    options: dict[str, Any],
    out: TextIO | None,
    as_json: bool,
) -> None:
    """Recorded replies of an LLM, run and compared with gold answers: no LLM.

    A name that no node has becomes the nearest. What is needed is loaded as sources named eval/..., and kept.
    With --damage names are mistyped at random (--seed) and looked up like those of any program.

    \b
    Examples:
      cgstore eval replay --data .data --set metaqa_2hop --limit 200
      cgstore eval replay --data .data --set wtq --out outcomes.jsonl
      cgstore eval replay --data .data --set metaqa_2hop --limit 500 --damage "two typos" --combinations 1
    """
    given = Selection(**selection)
    for recording in recordings_of(given.data, sets, files):
        name, path = recording.name, recording.path
        if not path.is_file():
            click.echo(f"Note: {name} is left out: there is no file {path}.", err=True)
            continue
        drawn = recording.read(given.data, given.limit, given.seed)
        if count := drawn.without_gold:
            click.echo(f"Note: {many(count, 'reply', 'replies')} of {path.name} without a known gold answer.", err=True)
        ask = replay_backend(store, recording.benchmark, damage, given.seed, **options)
        result = run(
            store,
            recording.benchmark,
            recording.selection(given.data),
            drawn,
            ask,
            _short_lines(name, out),
            set_name=name,
        )
        if not as_json:
            click.echo(f"{name}\n{reasons_table(result.outcomes)}")
        print_json(result.short_headline("replay"))


def _short_lines(set_name: str, out: TextIO | None) -> OutcomeList:
    """A list that writes the line of each outcome to the file."""

    def write(outcome: Outcome) -> None:
        if out:
            out.write(json.dumps({**outcome.to_json(), "set": set_name}, ensure_ascii=False) + "\n")
            out.flush()

    return OutcomeList(write)


@click.command()
@click.argument("first", type=FILE)
@click.argument("second", type=FILE)
@click.option("--seed", type=int, default=0, show_default=True, help="For the intervals.")
@json_option
def compare(first: Path, second: Path, seed: int, as_json: bool) -> None:
    """What changed from run FIRST to run SECOND: two files of --out, of the same questions.

    \b
    Prints the metrics side by side, the difference with its bootstrap interval over the questions of both, and the
    questions that went from right to wrong and from wrong to right, with their programs.

    \b
    Example:
      cgstore eval compare one-shot.jsonl explore.jsonl
    """
    comparison = compare_files(first, second)
    figures = comparison.to_json(seed)
    if not as_json:
        click.echo(comparison_table(figures))
        click.echo(changes_text("Right, then wrong", comparison.lost))
        click.echo(changes_text("Wrong, then right", comparison.gained))
    for part, count in zip(("first", "second"), comparison.only, strict=True):
        if count:
            click.echo(f"Note: {count:,} questions are in the {part} file only.", err=True)
    print_json(figures)


COMMANDS: dict[str, click.Command] = {
    command.name or "": command
    for command in (*map(_command, BENCHMARKS.values()), _mine_command(), oracle, replay, compare, mapping)
}
