"""`cgstore demos`: demonstrations kept in the graph, of which the nearest to a question go into an LLM's prompt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import Output, connected, mapping_options, printing, sources_option, timeout_option
from cgstore.cli.llm_options import backend_from, llm_options
from cgstore.cli.options import FILE, FOLDER, taking
from cgstore.errors import BadInput
from cgstore.llm.demonstrations.build import BuildOptions
from cgstore.text.names import many

if TYPE_CHECKING:
    from cgstore.llm import BackendKeywords
    from cgstore.llm.demonstrations.build import BuildReport, TrainingQuestion
    from cgstore.options import QueryKeywords
    from cgstore.store import Store


@click.group()
def demos() -> None:
    """Keep demonstrations in the graph: questions with programs that answer them.

    The prompts of `ask` and `eval` contain the right ones among those nearest to the question, before shipped ones.
    """


@demos.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--encoder", envvar="CGSTORE_ENCODER", show_envvar=True, help="Sentence encoder: a name or ./FOLDER.")
@click.option(
    "--no-vectors", is_flag=True, help="Make no vectors now: only an LLM needs them, and its first question does."
)
@printing
@connected
def add(store: Store, files: Sequence[Path], encoder: str | None, no_vectors: bool) -> Output:
    """Put your own demonstrations into the graph.

    A FILE has one JSON object a line: {"question", "program", "kind", "source"}. The source is the kind of source that
    the question is about (table, kg, tkg, statements); leave it out for any. A demonstration with the same question and
    kind of source is replaced. A line may have the recorded "reply" of an LLM instead of a program.

    \b
    Examples:
      cgstore demos add mine.jsonl
      cgstore demos add recorded.jsonl --no-vectors
    """
    added = store.add_demonstrations(files, encoder=encoder, vectors=not no_vectors, progress=True)
    return Output({"added": added}, [f"Added {many(added, 'demonstration')}."])


@demos.command(name="list")
@click.option("--state", type=click.Choice(["right", "wrong", "untried"]), help="Only those in this state.")
@printing
@connected
def list_(store: Store, state: str | None) -> Output:
    """List the demonstrations in the graph.

    \b
    Examples:
      cgstore demos list
      cgstore demos list --state right --json
    """
    found = [one for one in store.demonstrations() if state in (None, one.state)]
    lines = [
        f"{one.state:<7}  {one.source_kind or 'any':<10}  {one.question}{'  (corrected)' if one.wrong_program else ''}"
        for one in found
    ]
    return Output(found, lines or ["There are none. Add some with: cgstore demos add FILE"])


@demos.command()
@click.argument("question", required=False)
@click.option("--all", "everything", is_flag=True, help="All in the graph.")
@printing
@connected
def remove(store: Store, question: str | None, everything: bool) -> Output:
    """Remove the demonstration of a QUESTION, or all.

    \b
    Examples:
      cgstore demos remove "Who directed Metropolis?"
      cgstore demos remove --all
    """
    if (question is None) != everything:
        raise BadInput("Either a question or --all must say what to remove.", "Give one of them.")
    removed = store.remove_demonstrations(question)
    if question is not None and not removed:
        raise BadInput(f"There is no demonstration '{question}'.", "`cgstore demos list` shows them.")
    return Output({"removed": removed}, [f"Removed {many(removed, 'demonstration')}."])


@demos.command()
@click.option(
    "--train",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Training questions, as JSON Lines {question, answer, source}, or in the format of --benchmark.",
)
@click.option("--benchmark", metavar="BENCHMARK", help="--train is a split of it; its sources are loaded.")
@click.option("--data", type=FOLDER, help="The folder of --benchmark.  [default: that of --train]")
@click.option("--tables", type=FILE, help="The tables of --train, for --benchmark wikisql.")
@click.option("--limit", type=click.IntRange(min=1), help="Questions of --benchmark, drawn at random by --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="For --limit.")
@click.option("--oracle", is_flag=True, help="No LLM: the programs are those of `eval oracle`, made from annotations.")
@taking("how", BuildOptions, "again", "in_flight")
@llm_options
@mapping_options()
@sources_option
@timeout_option
@printing
@connected
def build(
    store: Store,
    train: Path,
    benchmark: str | None,
    data: Path | None,
    tables: Path | None,
    limit: int | None,
    seed: int,
    oracle: bool,
    how: dict[str, Any],
    llm: BackendKeywords,
    mapping: QueryKeywords,
    sources: Sequence[str],
) -> Output:
    """Have an LLM write programs for training questions; those that give the right answer become demonstrations.

    Each question is tried once: wrong ones are kept too, and an interrupted build continues when you give the command
    again. The answer is a value or a list of values. If a question has a "program", that is run instead of an LLM's.

    \b
    Examples:
      cgstore demos build --train train.jsonl --source films
      cgstore demos build --benchmark wikisql --train train.jsonl --tables train.tables.jsonl --oracle --limit 1000
    """
    questions: Path | list[TrainingQuestion] = train
    if benchmark is not None:
        from cgstore.evaluate.benchmarks import BENCHMARKS
        from cgstore.evaluate.benchmarks.benchmark import Selection
        from cgstore.evaluate.training import training_questions

        if benchmark not in BENCHMARKS:
            raise BadInput(f"There is no benchmark '{benchmark}'.", f"Choose one of: {', '.join(BENCHMARKS)}.")
        selection = Selection(data or train.parent, train, tables, limit=limit, seed=seed)
        questions = training_questions(store, BENCHMARKS[benchmark], selection, oracle=oracle)
    elif oracle or limit or tables or data:
        raise click.UsageError("--oracle, --limit, --tables and --data belong to --benchmark.")
    elif train.is_dir():
        raise click.UsageError("--train without --benchmark is a file.")
    if oracle:
        mapping = {**mapping, "exact": True}
    report = store.build_demonstrations(
        questions,
        backend_from(llm),
        sources=list(sources) or None,
        encoder=llm.get("encoder"),
        progress=True,
        **how,
        **mapping,
    )
    return Output(report, _lines(report))


def _lines(report: BuildReport) -> list[str]:
    lines = [
        f"{report.questions:,} training questions: {report.right:,} right and {report.wrong:,} wrong now, "
        f"{report.there:,} tried before, in {report.seconds:.1f} s."
    ]
    if report.left_out:
        lines.append(f"Note: {report.left_out:,} have no answer in the file, or are repeated there.")
    if report.waiting:
        lines.append(f"Note: {report.waiting:,} wait for the LLM's reply: give the command again when it is there.")
    if report.failed:
        lines.append(f"Note: {report.failed:,} could not be answered, and are tried again by the next build:")
        lines += [f"    {failure}" for failure in report.failures]
    return lines
