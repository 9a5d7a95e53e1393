"""cron_like: questions in CronQuestions' form over a temporal graph of its size, whose facts are drawn at random.

All questions are asked of the whole graph, and no topic entity is given. The text has the names of the graph, letter by
letter. The type is CronQuestions'. `before` and `after` ask for the nearest year before or after.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Selection, draw
from cgstore.evaluate.benchmarks.cronquestions import as_questions, program_for, read_questions
from cgstore.evaluate.benchmarks.files import rows
from cgstore.evaluate.benchmarks.sources import load_changed
from cgstore.store import Store

SOURCE = "eval/cron_like"
QUESTIONS = "questions_dev.jsonl.gz"
FACTS = "kg.tsv.gz"


def _read(selection: Selection) -> Drawn:
    folder = selection.folder("cron_like")
    questions = draw(read_questions(selection.questions or folder / QUESTIONS), selection)
    return Drawn(as_questions(questions, SOURCE, rows(folder / FACTS, 5)))


def _load(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    """Loads the facts, unless they are loaded."""
    path = selection.folder("cron_like") / FACTS
    load_changed(store, {SOURCE: path}, lambda _: store.load_tkg(path, name=SOURCE, replace=True, progress=True))


BENCHMARK = Benchmark(
    "cron_like",
    "cron_like: CronQuestions' templates over a temporal graph of its size, invented.",
    "cron_like --data .data --limit 200 --report report",
    _read,
    _load,
    oracle_sets={"cron_like": {}},
    program=lambda question: program_for(question.annotation),
)
