"""TimeQuestions over the facts of Wikidata that are published with it; no topic entity is given.

Each question is asked of the facts that were retrieved for it, some ten, as the papers ask their readers; retrieval
knew no answer. `--graph union` asks all questions of all these facts in one graph. Those from the year 1 to 2916, which
stand for no time, are a source of their own without times; a span of which one end is such a year is kept as published.
A fact without a tail, which some were published as, is left out, and so is a question without gold answers. The type
is the benchmark's; a question of two is of a type of its own, such as `Ordinal + Temp.Ans`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from cgstore.evaluate import metrics
from cgstore.evaluate.benchmarks.benchmark import (
    OWN,
    UNION,
    Benchmark,
    Drawn,
    Names,
    Question,
    Setting,
    draw,
    named_by_graph,
)
from cgstore.evaluate.benchmarks.cronquestions import names_of
from cgstore.evaluate.benchmarks.files import json_lines, record_at
from cgstore.evaluate.benchmarks.subgraphs import Fact, clean, load_graphs
from cgstore.store import Store

SOURCE = "eval/timequestions"
"""What the names of the sources begin with: `eval/timequestions/12945`, and behind it `/undated`."""

QUESTIONS = "test_half_with_facts.jsonl"

ALWAYS = ("1", "2916")
"""The years of a fact that has none."""


def _read(setting: Setting) -> Drawn:
    graphs, every = _read_all(setting)
    asked = draw((question for question in every if question.gold), setting)
    without_gold = sum(not question.gold for question in every)
    if setting.graph != UNION:
        return Drawn([_located(question, question.id, graphs[question.id]) for question in asked], without_gold)
    united = _united(graphs.values())
    names, sources = Names(names_of(united)), tuple(_sources("union", united))
    return Drawn([replace(q, sources=sources, reachable=names.have(q.gold)) for q in asked], without_gold)


def _read_all(setting: Setting) -> tuple[dict[str, list[Fact]], list[Question]]:
    path = setting.questions or setting.folder("timequestions") / QUESTIONS
    graphs, questions = {}, []
    for where, record in json_lines(path):
        with record_at(where, "question of TimeQuestions with its facts"):
            questions.append(_question(record))
            graphs[questions[-1].id] = clean(record["facts"], 5)
    return graphs, questions


def _question(record: dict[str, Any]) -> Question:
    gold = tuple(dict.fromkeys(str(answer) for answer in record["answers"]))
    return Question(str(record["id"]), record["question"], gold, " + ".join(sorted(record["types"])), ())


def _located(question: Question, name: str, facts: Sequence[Fact]) -> Question:
    sources, names = tuple(_sources(name, facts)), Names(names_of(facts))
    return replace(question, sources=sources, reachable=names.have(question.gold))


def _united(graphs: Iterable[Sequence[Fact]]) -> list[Fact]:
    return list(dict.fromkeys(fact for graph in graphs for fact in graph))


def _sources(name: str, facts: Sequence[Fact]) -> dict[str, list[Fact]]:
    """The sources that the facts are loaded as: those with times, and those without."""
    dated = [fact for fact in facts if fact[3:] != ALWAYS]
    undated = list(dict.fromkeys(fact[:3] for fact in facts if fact[3:] == ALWAYS))
    sources = {f"{SOURCE}/{name}": dated, f"{SOURCE}/{name}/undated": undated}
    return {source: part for source, part in sources.items() if part}


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    graphs, _ = _read_all(setting)
    if setting.graph == UNION:
        load_graphs(store, _sources("union", _united(graphs.values())))
    else:
        load_graphs(store, {s: part for q in questions for s, part in _sources(q.id, graphs[q.id]).items()})


BENCHMARK = Benchmark("timequestions", _read, _load, metrics.accepted, set_name=named_by_graph(QUESTIONS, OWN))
