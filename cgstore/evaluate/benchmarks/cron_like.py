"""cron_like: questions in CronQuestions' manner over a temporal graph of its size; no topic entity is given.

All are asked of the whole graph. Names are those of the graph, and the text holds them letter by letter. The type is
CronQuestions'.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate import cron_like, cronquestions, metrics
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Names, Question, Setting, draw, with_unique_ids
from cgstore.evaluate.benchmarks.cronquestions import names_of, question_of
from cgstore.evaluate.loaded import load_changed
from cgstore.store import Store


def _read(setting: Setting) -> Drawn:
    folder = setting.folder("cron_like")
    asked = draw(cronquestions.read_questions(setting.questions or folder / cron_like.QUESTIONS), setting)
    names = Names(names_of(_facts(folder / cron_like.FACTS)))
    return Drawn(with_unique_ids(question_of(question, cron_like.SOURCE, names) for question in asked))


def _facts(path: Path) -> Iterator[list[str]]:
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) != 5:
                raise BadInput(f"{path.name}, line {number}: {len(columns)} columns where 5 are expected.")
            yield columns


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    folder = setting.folder("cron_like")
    load_changed(store, {cron_like.SOURCE: folder / cron_like.FACTS}, lambda _: cron_like.load(store, folder))


BENCHMARK = Benchmark("cron_like", _read, _load, metrics.accepted)
