"""WebQSP over the facts of Freebase that are published with it; gold topic entities are not part of the question.

By default all questions are asked of one graph, the union of all published facts. Those of a question alone (`--graph
own`) were retrieved or labelled for it, 9 facts at the median with the answer's path among them: asking them measures
the retrieval. The type is the length of the inferential chain. The gold answers are those of all parses; a question
without any is left out, as the papers do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.evaluate import webqsp
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
from cgstore.evaluate.scoring import accepted_all
from cgstore.store import Store

QUESTIONS = "WebQSP.dev.json"
SUBGRAPHS = "dev_subgraphs.jsonl"
PARTS = ("gpt_labelled", "gnn_rag_paths")
"""The facts of a question: those that were labelled, and those that a graph neural network retrieved."""


def _read(setting: Setting) -> Drawn:
    folder = setting.folder("webqsp")
    every = read_questions(setting.questions or folder / QUESTIONS)
    asked = draw((question for question in every if question.gold), setting)
    without_gold = sum(not question.gold for question in every)
    if setting.graph == OWN:
        graphs = _own(folder)
        return Drawn([_of_own(question, graphs) for question in asked], without_gold)
    names = Names(names_in(_union(folder)))
    return Drawn([replace(q, sources=(webqsp.SOURCE,), reachable=names.have(q.gold)) for q in asked], without_gold)


def read_questions(path: Path) -> list[Question]:
    """The questions of one of the benchmark's files, in its order, not yet asked of any source.

    Raises:
        BadInput: there is no such file, or it is none of WebQSP's.
    """
    questions = []
    for where, record in json_list(path, "Questions"):
        with record_at(where, "question of WebQSP"):
            questions.append(_question(record))
    return questions


def _question(record: dict[str, Any]) -> Question:
    parses = record["Parses"]
    answers = [answer for parse in parses for answer in parse["Answers"]]
    gold = tuple(dict.fromkeys(answer["EntityName"] or answer["AnswerArgument"] for answer in answers))
    hops = len(parses[0]["InferentialChain"] or ()) if parses else 0
    topic = tuple(dict.fromkeys(parse["TopicEntityName"] for parse in parses if parse["TopicEntityName"]))
    kind = f"{hops} hop{'s' if hops > 1 else ''}" if hops else "no chain"
    return Question(record["QuestionId"], record["RawQuestion"], gold, kind, (), topic)


def _of_own(question: Question, graphs: dict[str, list[Fact]]) -> Question:
    facts = graphs.get(question.id, [])
    sources = (f"{webqsp.SOURCE}/{question.id}",) if facts else ()
    return replace(question, sources=sources, reachable=Names(names_in(facts)).have(question.gold))


def _own(folder: Path) -> dict[str, list[Fact]]:
    graphs = {}
    for where, record in json_lines(folder / SUBGRAPHS):
        with record_at(where, "subgraph of WebQSP"):
            graphs[str(record["id"])] = clean([fact for part in PARTS for fact in record[part]], 3)
    return graphs


def _union(folder: Path) -> list[Fact]:
    path = folder / webqsp.FACTS
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with path.open(encoding="utf-8") as lines:
        return [tuple(part.strip() for part in line.split("\t")[:3]) for line in lines]


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    folder = setting.folder("webqsp")
    if setting.graph != OWN:
        return webqsp.load_facts(store, folder)
    graphs = _own(folder)
    return load_graphs(store, {source: graphs[q.id] for q in questions for source in q.sources})


BENCHMARK = Benchmark("webqsp", _read, _load, accepted_all, set_name=named_by_graph(QUESTIONS, UNION))
