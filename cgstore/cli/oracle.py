"""`cgstore eval oracle`: gold annotations as programs through the ordinary path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.evaluate.oracle import Setting
    from cgstore.evaluate.report import Outcome, Report
    from cgstore.store import Store

SETS = ("wikisql", "metaqa_1hop", "metaqa_2hop", "metaqa_3hop", "cron_like")


@click.command()
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder with wikisql, metaqa and cron_like in it.",
)
@click.option("--set", "sets", multiple=True, type=click.Choice(SETS), help="May be repeated.  [default: all]")
@click.option(
    "--questions",
    type=click.Path(exists=True, path_type=Path),
    help="Other questions in the format of the one --set given: a file, for MetaQA a folder such as 2-hop.",
)
@click.option(
    "--tables",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The tables of WikiSQL's --questions.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Ask so many of each set, drawn at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="For --limit.")
@click.option("--out", type=click.File("w", encoding="utf-8"), help="Write a JSON line for each question.")
@json_option
@connected
def oracle(
    store: Store,
    data: Path,
    sets: tuple[str, ...],
    questions: Path | None,
    tables: Path | None,
    limit: int | None,
    seed: int,
    out: TextIO | None,
    as_json: bool,
) -> None:
    """Gold annotations as programs: what is behind the LLM, without one.

    \b
    WikiSQL's SQL, MetaQA's relation paths and CronQuestions' annotations become programs, which are run and compared
    with what SQLite gives, or with the gold answers. What is needed is loaded as sources eval/..., and kept.

    \b
    Examples:
      cgstore eval oracle --data .data --set metaqa_2hop
      cgstore eval oracle --data .data --limit 100 --out outcomes.jsonl
    """
    from cgstore.evaluate.oracle import Setting

    _check(sets, questions, tables)
    setting = Setting(data, questions, tables, limit, seed)
    for name in dict.fromkeys(sets or SETS):
        report = _ran(store, name, setting, out)
        if not as_json:
            click.echo(_table(name, report))
        print_json(report.headline("oracle", name))


def _ran(store: Store, name: str, setting: Setting, out: TextIO | None) -> Report:
    from cgstore.evaluate.oracle import run
    from cgstore.progress import bar

    with bar(name, "questions") as shown:

        def note(outcome: Outcome) -> None:
            shown.update()
            if out:
                out.write(json.dumps(outcome.to_json() | {"set": name}, ensure_ascii=False) + "\n")
                out.flush()

        return run(store, name, setting, on_start=shown.reset, on_outcome=note)


def _check(sets: tuple[str, ...], questions: Path | None, tables: Path | None) -> None:
    if questions and len(set(sets)) != 1:
        raise click.UsageError("--questions are those of one benchmark: give one --set with them.")
    if tables and set(sets) != {"wikisql"}:
        raise click.UsageError("--tables belong to --set wikisql.")
    if questions and sets[0] == "wikisql" and not tables:
        raise click.UsageError("WikiSQL's --questions need --tables.")
    folder = bool(sets) and sets[0].startswith("metaqa")
    if questions and questions.is_dir() != folder:
        raise click.UsageError(f"The --questions of {sets[0]} are a {'folder such as 2-hop' if folder else 'file'}.")


def _table(name: str, report: Report) -> str:
    """How many are right, and of what is not, each class with the first question of it."""
    from cgstore.evaluate.oracle import RIGHT

    right, n = len(report.groups.get(RIGHT, ())), len(report.outcomes)
    lines = [f"{name}: {right:,} of {n:,} right ({right / n:.2%})"]
    wrong = {kind: group for kind, group in report.groups.items() if kind != RIGHT}
    for kind, group in sorted(wrong.items(), key=lambda item: -len(item[1])):
        lines += [f"  {len(group):>5}  {kind}", f"         such as question {group[0].question.id}: {group[0].reason}"]
    return "\n".join(lines)
