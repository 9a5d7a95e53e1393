"""`cgstore eval`: benchmarks through the ordinary path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from cgstore.cli.common import connected, json_option, print_json
from cgstore.cli.eval_benchmark import COMMANDS, compare
from cgstore.cli.eval_mapping import mapping
from cgstore.cli.oracle import oracle

if TYPE_CHECKING:
    from cgstore.evaluate.replay import Replayed, Task
    from cgstore.evaluate.report import Report
    from cgstore.store import Store


_limit_option = click.option("--limit", type=click.IntRange(min=1), help="Ask so many, drawn at random.")
_seed_option = click.option("--seed", type=int, default=0, show_default=True, help="For --limit.")
_out_option = click.option("--out", type=click.File("w", encoding="utf-8"), help="Write a JSON line for each question.")

REPLAY_SETS = (
    "metaqa_1hop",
    "metaqa_2hop",
    "metaqa_3hop",
    "wtq",
    "webqsp_named",
    "webqsp_unnamed",
    "cronquestions",
)
"""The sets of `replay`, as `cgstore.evaluate.replay_sets` has them."""


DAMAGES = (
    "one typo",
    "two typos",
    "a word dropped",
    "words swapped",
    "case and accents",
    "underscores",
    "no brackets",
)
"""The kinds of damage, as `cgstore.evaluate.damage` has them."""


@click.group(name="eval")
def evaluate() -> None:
    """Measure answers on a benchmark."""


@evaluate.command()
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder with recorded/ and the benchmarks' own folders.",
)
@click.option(
    "--set", "sets", multiple=True, type=click.Choice(REPLAY_SETS), help="May be repeated.  [default: all there are]"
)
@click.option(
    "--questions",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Recorded replies, named SET.jsonl or with one --set; may be repeated.  [default: DATA/recorded/SET.jsonl]",
)
@click.option("--damage", type=click.Choice(DAMAGES), help="Damage every name of every program so.")
@click.option(
    "--combinations",
    type=click.IntRange(min=1),
    help="Tried of what unknown names may mean together; 1: the nearest of each.  [default: 100]",
)
@_limit_option
@_seed_option
@_out_option
@json_option
@connected
def replay(
    store: Store,
    data: Path,
    sets: tuple[str, ...],
    files: tuple[Path, ...],
    damage: str | None,
    combinations: int | None,
    limit: int | None,
    seed: int,
    out: TextIO | None,
    as_json: bool,
) -> None:
    """Recorded replies of an LLM, run and compared with gold answers: no LLM.

    A name that no node has is taken for the nearest. What is needed is loaded as sources named eval/..., and kept.
    With --damage names are mistyped by chance (--seed) and sought again as those of any program.

    \b
    Examples:
      cgstore eval replay --data .data --set metaqa_2hop --limit 200
      cgstore eval replay --data .data --set wtq --out outcomes.jsonl
      cgstore eval replay --data .data --set metaqa_2hop --limit 500 --damage "two typos" --combinations 1
    """
    from cgstore.evaluate.replay import reasons_table, tasks_of

    for task in tasks_of(data, sets, files):
        if not task.path.is_file():
            click.echo(f"Note: {task.name} is left out: there is no file {task.path}.", err=True)
            continue
        chosen = {} if combinations is None else {"combinations": combinations}
        report = _replayed(store, data, task, out, limit=limit, seed=seed, damage=damage, **chosen)
        if not as_json:
            click.echo(f"{task.name}\n{reasons_table(report)}")
        print_json(report.headline("replay", task.name))


def _replayed(store: Store, data: Path, task: Task, out: TextIO | None, **options: Any) -> Report:
    from cgstore.evaluate.replay import run
    from cgstore.progress import bar, note

    with bar(task.name, "questions") as shown:

        def begin(questions: int, without_gold: int) -> None:
            if without_gold:
                replies = "1 reply" if without_gold == 1 else f"{without_gold:,} replies"
                have = "has" if without_gold == 1 else "have"
                note(f"Note: {replies} of {task.path.name} {have} no known gold answer; left out.")
            shown.reset(questions)

        def take(outcome: Replayed) -> None:
            shown.update()
            if out:
                out.write(json.dumps(outcome.to_json() | {"set": task.name}, ensure_ascii=False) + "\n")
                out.flush()

        return run(store, data, task, on_start=begin, on_outcome=take, **options)


for _command in (*COMMANDS, compare, oracle, mapping):
    evaluate.add_command(_command)
