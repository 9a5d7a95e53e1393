"""TimeQuestions over the facts of Wikidata that are published with it; no topic entity is given.

Each question is asked of the facts that were retrieved for it, about ten, as the papers do; the retrieval did not know
the answer. `--graph union` asks all questions of all these facts in one graph. The years 1 to 2916 stand for no time:
such facts are a source of their own without times. If only one end of a span is such a year, the span is kept as
published. Facts without a tail and questions without gold answers are left out. The type is the benchmark's; a question
of two types has a type of its own, such as `Ordinal + Temp.Ans`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cgstore.evaluate.benchmarks.benchmark import (
    Benchmark,
    Drawn,
    Names,
    Question,
    Selection,
    draw_with_gold,
    graph_name,
)
from cgstore.evaluate.benchmarks.files import Record, json_lines, read_each
from cgstore.evaluate.benchmarks.sources import Fact, clean, load_graphs, names_in, united
from cgstore.store import Store

SOURCE = "eval/timequestions"
"""The names of the sources begin with it: `eval/timequestions/12945`, `eval/timequestions/12945/undated`."""

QUESTIONS = "test_half_with_facts.jsonl"

ALWAYS = ("1", "2916")
"""The years of a fact without a time."""


def _read(selection: Selection) -> Drawn:
    graphs, questions = _read_all(selection)
    drawn = draw_with_gold(questions, selection)
    if selection.graph == "union":
        located = _located(drawn.questions, "union", united(graphs.values()))
    else:
        located = [each for q in drawn.questions for each in _located([q], q.id, graphs[q.id])]
    return replace(drawn, questions=located)


def _read_all(selection: Selection) -> tuple[dict[str, list[Fact]], list[Question]]:
    records = json_lines(selection.questions or selection.folder("timequestions") / QUESTIONS)
    pairs = list(read_each(records, "question of TimeQuestions with its facts", _question))
    return {question.id: facts for question, facts in pairs}, [question for question, _ in pairs]


def _question(record: Record) -> tuple[Question, list[Fact]]:
    gold = tuple(dict.fromkeys(str(answer) for answer in record["answers"]))
    kind = " + ".join(sorted(record["types"]))
    return Question(str(record["id"]), record["question"], gold, kind), clean(record["facts"], 5)


def _located(questions: Sequence[Question], name: str, facts: Sequence[Fact]) -> list[Question]:
    """The questions, asked of these facts."""
    sources, names = tuple(_sources(name, facts)), Names(names_in(facts))
    return [replace(each, sources=sources, reachable=names.have(each.gold)) for each in questions]


def _sources(name: str, facts: Sequence[Fact]) -> dict[str, list[Fact]]:
    """The sources that the facts are loaded as: those with times, and those without."""
    dated = [fact for fact in facts if fact[3:] != ALWAYS]
    undated = list(dict.fromkeys(fact[:3] for fact in facts if fact[3:] == ALWAYS))
    sources = {f"{SOURCE}/{name}": dated, f"{SOURCE}/{name}/undated": undated}
    return {source: part for source, part in sources.items() if part}


def _load(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    graphs, _ = _read_all(selection)
    if selection.graph == "union":
        load_graphs(store, _sources("union", united(graphs.values())))
    else:
        load_graphs(store, {s: part for q in questions for s, part in _sources(q.id, graphs[q.id]).items()})


BENCHMARK = Benchmark(
    "timequestions",
    "TimeQuestions: each question is asked of the temporal facts that were retrieved for it.",
    "timequestions --data .data --limit 200 --graph union",
    _read,
    _load,
    set_name=graph_name(QUESTIONS, "own"),
    graph="own",
)
