"""ComplexWebQuestions over the facts of Freebase that are published for its questions; topic entities are not given.

By default all questions are asked of one graph, the union of these facts. Those of a question alone (`--graph own`) are
four on average, the path from its topic to its answer, and of 156 questions there are none: asking them says little.

The gold answers are published as ids of Freebase. Their names are taken from the topic entities and, where WebQSP's
files lie in the folder `webqsp` beside, from these; an id whose name is nowhere stays an id, and no answer equals it.
The type is the compositionality type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
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
from cgstore.evaluate.benchmarks.files import json_lines, json_list, record_at
from cgstore.evaluate.benchmarks.subgraphs import Fact, clean, load_graphs, names_in
from cgstore.store import Store

SOURCE = "eval/cwq"
"""The source of all facts, and what the source of each question begins with."""

QUESTIONS = "ComplexWebQuestions_dev.json"
TOPICS = "dev_topic_entities.jsonl"
SUBGRAPHS = "dev_subgraphs.jsonl"
WEBQSP = ("WebQSP.train.json", "WebQSP.dev.json")


def _read(setting: Setting) -> Drawn:
    folder = setting.folder("cwq")
    topics = _topics(folder)
    names = _names(folder) | {mid: name for topic in topics.values() for mid, name in topic.items()}
    every = []
    for where, record in json_list(setting.questions or folder / QUESTIONS):
        with record_at(where, "question of ComplexWebQuestions"):
            every.append(_question(record, names, topics))
    asked = draw((question for question in every if question.gold), setting)
    graphs = _graphs(folder)
    known = Names(names_in([fact for graph in graphs.values() for fact in graph]))
    located = [_located(question, graphs.get(question.id, []), known, setting) for question in asked]
    return Drawn(located, sum(not question.gold for question in every))


def _question(record: dict[str, Any], names: Mapping[str, str], topics: Mapping[str, Mapping[str, str]]) -> Question:
    gold = tuple(dict.fromkeys(names.get(str(answer), str(answer)) for answer in record["answer"]))
    topic = tuple(topics.get(record["ID"], {}).values())
    return Question(record["ID"], record["question"], gold, record["compositionality_type"], (), topic)


def _located(question: Question, facts: Sequence[Fact], known: Names, setting: Setting) -> Question:
    if setting.graph != OWN:
        return replace(question, sources=(SOURCE,), reachable=known.have(question.gold))
    sources = (f"{SOURCE}/{question.id}",) if facts else ()
    return replace(question, sources=sources, reachable=Names(names_in(facts)).have(question.gold))


def _topics(folder: Path) -> dict[str, dict[str, str]]:
    topics = {}
    for where, record in json_lines(folder / TOPICS):
        with record_at(where, "topic entity of ComplexWebQuestions"):
            topics[str(record["ID"])] = dict(record["topic_entity"])
    return topics


def _graphs(folder: Path) -> dict[str, list[Fact]]:
    graphs = {}
    for where, record in json_lines(folder / SUBGRAPHS):
        with record_at(where, "subgraph of ComplexWebQuestions"):
            graphs[str(record["id"])] = clean(record["triples"], 3)
    return graphs


def _names(folder: Path) -> dict[str, str]:
    """Freebase's ids with their names, from what WebQSP's files say of topics, constraints and answers."""
    names: dict[str, str] = {}
    for name in WEBQSP:
        path = folder.parent / "webqsp" / name
        for where, record in json_list(path, "Questions") if path.is_file() else ():
            with record_at(where, "question of WebQSP"):
                names |= {mid: text for mid, text in _named(record) if mid and text}
    return names


def _named(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for parse in record["Parses"]:
        yield parse["TopicEntityMid"], parse["TopicEntityName"]
        for constraint in parse["Constraints"]:
            yield constraint["Argument"], constraint["EntityName"]
        for answer in parse["Answers"]:
            yield answer["AnswerArgument"], answer["EntityName"]


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    graphs = _graphs(setting.folder("cwq"))
    if setting.graph == OWN:
        load_graphs(store, {source: graphs[q.id] for q in questions for source in q.sources})
    else:
        load_graphs(store, {SOURCE: list(dict.fromkeys(fact for graph in graphs.values() for fact in graph))})


BENCHMARK = Benchmark("cwq", _read, _load, metrics.accepted, set_name=named_by_graph(QUESTIONS, UNION))
