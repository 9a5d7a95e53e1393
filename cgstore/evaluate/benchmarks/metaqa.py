"""MetaQA: one to three hops over a graph of films, all questions asked of the whole graph.

The gold topic entity is given: it stands in brackets in the question, as in the benchmark's own text (`vanilla`). The
type is the path, such as `actor_to_movie_to_year`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cgstore.evaluate import metaqa
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Names, Question, Setting, draw
from cgstore.evaluate.loaded import load_changed
from cgstore.evaluate.scoring import accepted_first
from cgstore.store import Store

SOURCE = "eval/metaqa"
"""The source of the films."""


def _read(setting: Setting) -> Drawn:
    graph = metaqa.read_kb(_facts(setting))
    names = Names({name for _, name in (*graph.tails, *graph.heads)})
    asked = draw(metaqa.read_questions(setting.questions or setting.folder("metaqa"), setting.hop), setting)
    return Drawn([_question(question, names) for question in asked])


def _question(question: metaqa.Question, names: Names) -> Question:
    return Question(
        question.id,
        question.text,
        question.gold,
        question.qtype,
        (SOURCE,),
        topic=(question.topic,),
        reachable=names.have(question.gold),
    )


def _facts(setting: Setting) -> Path:
    return setting.folder("metaqa") / "kb.txt"


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    path = _facts(setting)

    def load(_: list[str]) -> None:
        store.load_kg(path, name=SOURCE, delimiter="pipe", header=False, replace=True, progress=True)

    load_changed(store, {SOURCE: path}, load)


BENCHMARK = Benchmark("metaqa", _read, _load, accepted_first, set_name=lambda setting: f"metaqa_{setting.hop}hop")
