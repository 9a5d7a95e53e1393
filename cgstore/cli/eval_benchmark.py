"""`cgstore eval BENCHMARK`: a public benchmark's questions, asked by any backend; and two such runs compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import connected, json_option, mapping_options, print_json, timeout_option
from cgstore.cli.llm_options import backend_from, contents_of, llm_options

if TYPE_CHECKING:
    from cgstore.evaluate.asked import Asked
    from cgstore.evaluate.benchmark_run import Came, Options
    from cgstore.evaluate.benchmarks.benchmark import Benchmark, Question, Setting
    from cgstore.llm.backend import Backend
    from cgstore.options import QueryKeywords
    from cgstore.store import Store

Command = Callable[..., Any]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

_hop = click.option("--hop", type=click.IntRange(1, 3), default=1, show_default=True, help="Relations in the path.")
_tables = click.option("--tables", type=_FILE, help="The tables of --questions.")
_topics = click.option("--topics", is_flag=True, help="Put the gold topic entities behind each question.")
_canonical = click.option("--canonical", is_flag=True, help="Ask with every entity by its label instead of an alias.")
_unseen = click.option(
    "--unseen-templates",
    is_flag=True,
    help="Of the demonstrations made from other questions, leave out those of the question's own template.",
)


def _graph(default: str) -> Command:
    return click.option(
        "--graph",
        type=click.Choice(["own", "union"]),
        help=f"The facts published for a question alone, or those of all in one graph.  [default: {default}]",
    )


_BEFORE: tuple[Command, ...] = (
    click.option(
        "--data",
        required=True,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="The benchmark's folder, or the one that it is in.",
    ),
    click.option(
        "--questions",
        type=click.Path(exists=True, path_type=Path),
        help="Other questions in the benchmark's format.  [default: its development questions in DATA]",
    ),
)
_AFTER: tuple[Command, ...] = (
    click.option("--limit", type=click.IntRange(min=1), help="Ask so many, drawn at random."),
    click.option("--seed", type=int, default=0, show_default=True, help="For --limit and the intervals."),
    llm_options,
    mapping_options,
    click.option(
        "--in-flight", type=click.IntRange(1, 256), default=8, show_default=True, help="Questions under way at a time."
    ),
    click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write a JSON line for each question."),
    click.option("--resume", is_flag=True, help="Go on with --out: what is in it is not asked again."),
    click.option("--report", type=click.Path(file_okay=False, path_type=Path), help="Write an HTML page there."),
    click.option(
        "--price", type=float, nargs=2, metavar="PROMPT COMPLETION", help="Of a million tokens, to tell the cost."
    ),
    timeout_option,
    json_option,
    connected,
)


def _command(name: str, about: str, *own: Command) -> click.Command:
    """The command of one benchmark: the options that all have, and its own."""

    def command(store: Store, **options: Any) -> None:
        _run(store, name, **options)

    wrapped: Command = command
    for decorate in reversed((*_BEFORE, *own, *_AFTER)):
        wrapped = decorate(wrapped)
    return click.command(name, help=about)(wrapped)


def _run(
    store: Store,
    name: str,
    data: Path,
    questions: Path | None,
    limit: int | None,
    seed: int,
    llm: dict[str, Any],
    in_flight: int,
    out: Path | None,
    resume: bool,
    report: Path | None,
    price: tuple[float, float] | None,
    timeout: float,
    as_json: bool,
    mapping: QueryKeywords,
    topics: bool = False,
    unseen_templates: bool = False,
    **own: Any,
) -> None:
    from cgstore.evaluate.asking import Price
    from cgstore.evaluate.benchmark_run import Options
    from cgstore.evaluate.benchmarks.benchmark import Setting
    from cgstore.evaluate.benchmarks.every import BENCHMARKS

    if resume and not out:
        raise click.UsageError("--resume goes on with a file: give --out.")
    if questions and questions.is_dir() != (name == "metaqa"):
        raise click.UsageError(f"The --questions of {name} are a {'folder' if name == 'metaqa' else 'file'}.")
    benchmark, setting = BENCHMARKS[name], Setting(data, questions, limit=limit, seed=seed, **own)
    writer, backend_of = _backends(store, name, setting, llm, unseen_templates)
    said = {**llm, "name": writer, "unseen_templates": unseen_templates, "timeout": store.timeout, **contents_of(llm)}
    options = Options(said, mapping, topics, in_flight, out, resume, Price(*price) if price else None)
    came = _with_bar(store, benchmark, setting, backend_of, options)
    _finish(came, report, seed, as_json)


def _backends(
    store: Store, name: str, setting: Setting, llm: dict[str, Any], unseen_templates: bool
) -> tuple[str, Callable[[Question], Backend]]:
    """What writes programs, with its name: for CronQuestions without an LLM, demonstrations of other questions."""
    backend = backend_from(llm, store.db)
    if name == "cronquestions" and backend.name == "demos" and "demonstrations" not in llm:
        from cgstore.evaluate.benchmarks.held_out import held_out_backends

        return "demos, held out", held_out_backends(setting, unseen_templates, llm.get("encoder"))
    if unseen_templates:
        raise click.UsageError("--unseen-templates is of --llm demos with no --demonstrations.")
    return backend.name, lambda question: backend


def _with_bar(
    store: Store,
    benchmark: Benchmark,
    setting: Setting,
    backend_of: Callable[[Question], Backend],
    options: Options,
) -> Came:
    from cgstore.evaluate.benchmark_run import Watcher, run_benchmark
    from cgstore.progress import bar

    with bar(benchmark.name, "questions") as shown:

        def start(questions: int, done: int) -> None:
            shown.reset(questions)
            shown.update(done)

        def outcome(_: Asked) -> None:
            shown.update()

        def waiting(_: Question) -> None:
            shown.update()

        return run_benchmark(store, benchmark, setting, backend_of, options, Watcher(start, outcome, waiting))


def _finish(came: Came, report: Path | None, seed: int, as_json: bool) -> None:
    from cgstore.evaluate.summary import table

    run = came.run
    headline = run.headline(seed)
    if run.without_gold:
        click.echo(f"Note: {run.without_gold:,} questions without a gold answer are left out.", err=True)
    if run.waiting:
        have = "question waits" if run.waiting == 1 else "questions wait"
        click.echo(f"{run.waiting:,} {have} for a reply of the LLM. {came.hint or ''}".rstrip(), err=True)
        if run.outcomes:
            click.echo(f"The figures are of the other {len(run.outcomes):,} only.", err=True)
    if report:
        from cgstore.evaluate.report_page import write_report

        click.echo(f"Report: {write_report(report, headline, run.outcomes)}", err=True)
    if not as_json and run.outcomes:
        click.echo(table(headline))
    print_json(headline)


@click.command()
@click.argument("first", type=_FILE)
@click.argument("second", type=_FILE)
@click.option("--seed", type=int, default=0, show_default=True, help="For the intervals.")
@json_option
def compare(first: Path, second: Path, seed: int, as_json: bool) -> None:
    """What changed from run FIRST to run SECOND: two files of --out, of the same questions.

    \b
    Prints the measures side by side, the difference with its bootstrap interval over the questions of both, and the
    questions that went from right to wrong and from wrong to right, with their programs.

    \b
    Example:
      cgstore eval compare one-shot.jsonl explore.jsonl
    """
    from cgstore.evaluate.compare import changes_text, comparison_table
    from cgstore.evaluate.compare import compare as compared

    comparison = compared(first, second)
    figures = comparison.to_json(seed)
    if not as_json:
        click.echo(comparison_table(figures))
        click.echo(changes_text("Right, then wrong", comparison.lost))
        click.echo(changes_text("Wrong, then right", comparison.gained))
    for part, count in zip(("first", "second"), comparison.only, strict=True):
        if count:
            click.echo(f"Note: {count:,} questions are in the {part} file only.", err=True)
    print_json(figures)


_MEASURED = """
The answers are compared with gold: `accepted` is the score of TrustUQA's evaluation, `accuracy` the same set, besides
Hits@1, F1 and exact match, with bootstrap intervals, over all questions and by type. What is needed is loaded as
sources named eval/..., and kept. With --out, Ctrl-C loses nothing: --resume goes on.
"""


def _help(first: str, example: str) -> str:
    return f"{first}\n{_MEASURED}\n\b\nExample:\n  cgstore eval {example}\n"


COMMANDS = (
    _command(
        "wikisql",
        _help(
            "WikiSQL: each question is asked of its own table; gold is what its SQL gives.",
            "wikisql --data .data --limit 200 --out outcomes.jsonl --report report",
        ),
        _tables,
    ),
    _command(
        "wtq",
        _help(
            "WikiTableQuestions: each question is asked of its own table.",
            "wtq --data .data --limit 200 --llm batch --batch requests --model gpt-4o-mini",
        ),
    ),
    _command(
        "metaqa",
        _help(
            "MetaQA: 1 to 3 hops over a graph of films; the gold topic entity is in brackets.",
            "metaqa --data .data --hop 3 --limit 200 --out outcomes.jsonl",
        ),
        _hop,
    ),
    _command(
        "webqsp",
        _help(
            "WebQSP over the facts of Freebase published with it; no topic entity is given.",
            "webqsp --data .data --out outcomes.jsonl --resume",
        ),
        _graph("union"),
        _topics,
    ),
    _command(
        "cwq",
        _help(
            "ComplexWebQuestions over the facts of Freebase published for it; no topic entity is given.",
            "cwq --data .data --limit 200 --topics",
        ),
        _graph("union"),
        _topics,
    ),
    _command(
        "cronquestions",
        _help(
            "CronQuestions' real part. Without an LLM, its demonstrations are made from other questions.",
            "cronquestions --data .data/cronquestions --out outcomes.jsonl",
        ),
        _canonical,
        _unseen,
    ),
    _command(
        "cron_like",
        _help(
            "cron_like: CronQuestions' templates over a temporal graph of its size, invented.",
            "cron_like --data .data --limit 200 --report report",
        ),
    ),
    _command(
        "timequestions",
        _help(
            "TimeQuestions: each question is asked of the temporal facts that were retrieved for it.",
            "timequestions --data .data --limit 200 --graph union",
        ),
        _graph("own"),
    ),
)
"""The benchmarks' commands, in the order of the help."""
