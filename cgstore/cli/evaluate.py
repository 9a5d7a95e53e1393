"""`cgstore eval`: benchmarks through the ordinary path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.store import Store


@click.group(name="eval")
def evaluate() -> None:
    """Measure answers on a benchmark."""


@evaluate.command()
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder with ari_facts.tsv, ari_dev.jsonl and the labels.",
)
@click.option(
    "--questions", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="[default: DATA/ari_dev.jsonl]"
)
@click.option("--canonical", is_flag=True, help="Ask with every entity by its label instead of an alias.")
@click.option("--unseen-templates", is_flag=True, help="Leave out the demonstration of the question's own template.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask so many, drawn at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="For --limit.")
@click.option("--out", type=click.File("w", encoding="utf-8"), help="Write a JSON line for each question.")
@json_option
@connected
def cronquestions(
    store: Store,
    data: Path,
    questions: Path | None,
    canonical: bool,
    unseen_templates: bool,
    limit: int | None,
    seed: int,
    out: TextIO | None,
    as_json: bool,
) -> None:
    """CronQuestions' real part, by the backend `demos`: no LLM.

    The demonstrations are made from other questions' templates.

    \b
    Example:
      cgstore eval cronquestions --data .data/cronquestions --out outcomes.jsonl
    """
    from tqdm import tqdm

    from cgstore.evaluate.cronquestions_run import Setting, run
    from cgstore.evaluate.report import Outcome

    setting = Setting(canonical, unseen_templates, limit, seed)
    with tqdm(desc="questions", unit=" questions") as bar:

        def note(outcome: Outcome) -> None:
            bar.update()
            if out:
                out.write(json.dumps(outcome.to_json(), ensure_ascii=False) + "\n")

        report = run(store, data, questions, setting, note)
    if not as_json:
        click.echo(report.table())
    print_json(report.to_json("cronquestions", setting.name))
