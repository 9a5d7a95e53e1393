"""Asks the questions of JSON Lines files of the data beside them, and holds the shares of answers to bounds.

    python -m benchmarks.in_words benchmarks/table_questions/questions.jsonl benchmarks/fact_questions/strangers/*.jsonl
    python -m benchmarks.in_words FILE ... --llm small --risk 1 --least-right 0.3 --most-wrong 0.1 --show

A line is {"question", "answer", "source"}; an empty answer means that the data do not say it, and that no answer is
right. A source is the CSV file (a table) or TSV file (triples, or facts with start and end) of its name in the same
folder, and is loaded into the graph of the environment as `in_words/NAME`. The exit code is 1 where a bound is missed.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

import click

from cgstore import connect
from cgstore.evaluate.benchmarks.mine import same_answer
from cgstore.llm import get_backend
from cgstore.llm.demonstrations.build import TrainingQuestion, read_questions
from cgstore.store import Store

PREFIX = "in_words/"
WITH_TIMES = 5
"""Columns of a file of facts with times."""

VERDICTS = ("right", "refused", "wrong", "none", "wrong of none")
"""What became of a question with an answer, and of one without: `none`, rightly, or an answer."""


def load(store: Store, file: Path) -> None:
    """Loads a source, unless it is loaded as it is."""
    name = PREFIX + file.stem
    if file.suffix == ".csv":
        store.load_table(file, name=name, replace=True)
        return
    with file.open(encoding="utf-8", newline="") as lines:
        columns = len(next(csv.reader(lines, delimiter="\t")))
    load_facts = store.load_tkg if columns >= WITH_TIMES else store.load_kg
    load_facts(file, name=name, replace=True)


def verdict(store: Store, backend: object, question: TrainingQuestion, show: bool) -> str:
    """One of `VERDICTS`."""
    answer = store.ask(question.text, backend, [PREFIX + name for name in question.sources])  # type: ignore[arg-type]
    right = bool(answer.answer) and same_answer(question.gold, answer.answer)
    if show and answer.answer and not right:
        click.echo(f"  {question.text}\n    {', '.join(map(str, answer.answer[:5]))}, not {', '.join(question.gold)}")
    if not question.gold:
        return "wrong of none" if answer.answer else "none"
    return "right" if right else "wrong" if answer.answer else "refused"


@click.command(help=__doc__)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--llm", default="small", show_default=True)
@click.option("--risk", type=click.FloatRange(0, 1))
@click.option("--limit", type=click.IntRange(min=1), help="Questions of each file.")
@click.option("--least-right", type=click.FloatRange(0, 1), default=0.0, help="Of those with an answer.")
@click.option("--most-wrong", type=click.FloatRange(0, 1), default=1.0, help="Of all.")
@click.option("--show", is_flag=True, help="Show wrong answers.")
def main(
    files: tuple[Path, ...], llm: str, risk: float | None, limit: int | None, least_right: float, most_wrong: float,
    show: bool,
) -> None:  # fmt: skip
    """Asks, and prints a line for each file and one for all."""
    every: Counter[str] = Counter()
    with connect() as store:
        backend = get_backend(llm, risk=risk)
        for path in files:
            questions = read_questions(path)[:limit]
            for name in dict.fromkeys(name for question in questions for name in question.sources):
                load(store, next(file for file in path.parent.glob(f"{name}.?sv")))
            found = Counter(verdict(store, backend, question, show) for question in questions)
            click.echo(f"{path.stem}: " + ", ".join(f"{each} {found[each]}" for each in VERDICTS))
            every += found
    asked = every.total() or 1
    right = every["right"] / ((every["right"] + every["refused"] + every["wrong"]) or 1)
    wrong = (every["wrong"] + every["wrong of none"]) / asked
    click.echo(f"all: {asked} questions, {right:.3f} of those with an answer right, {wrong:.3f} of all wrong")
    sys.exit(right < least_right or wrong > most_wrong)


if __name__ == "__main__":
    main()
