"""ComplexWebQuestions over the facts of Freebase that are published for its questions; no topic entity is given.

By default all questions are asked of one graph, the union of these facts. The facts of a question alone (`--graph own`)
are four on average, the path from its topic to its answer; 156 questions have none. They say little.

The gold answers are published as ids of Freebase. The names are those of the topic entities, and those in WebQSP's
files, if the folder `webqsp` lies beside. An id without a name stays an id, and no answer equals it. The type is the
compositionality type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cgstore.evaluate.benchmarks.benchmark import (
    Benchmark,
    Drawn,
    Names,
    Question,
    Selection,
    draw_with_gold,
    graph_name,
)
from cgstore.evaluate.benchmarks.files import Record, json_lines, json_list, record_at
from cgstore.evaluate.benchmarks.sources import Fact, clean, load_graphs, names_in, of_own_graph
from cgstore.store import Store

SOURCE = "eval/cwq"
QUESTIONS = "ComplexWebQuestions_dev.json"
TOPICS = "dev_topic_entities.jsonl"
SUBGRAPHS = "dev_subgraphs.jsonl"
WEBQSP = ("WebQSP.train.json", "WebQSP.dev.json")


def _read(selection: Selection) -> Drawn:
    folder = selection.folder("cwq")
    topics = _topics(folder)
    names = _webqsp_names(folder) | {mid: name for topic in topics.values() for mid, name in topic.items()}
    questions = []
    for place, record in json_list(selection.questions or folder / QUESTIONS):
        with record_at(place, "question of ComplexWebQuestions"):
            gold = tuple(dict.fromkeys(names.get(str(answer), str(answer)) for answer in record["answer"]))
            topic = tuple(topics.get(record["ID"], {}).values())
            kind = record["compositionality_type"]
            questions.append(Question(record["ID"], record["question"], gold, kind, (SOURCE,), topic))
    drawn = draw_with_gold(questions, selection)
    graphs = _graphs(folder)
    if selection.graph == "own":
        return replace(drawn, questions=[of_own_graph(q, SOURCE, graphs.get(q.id, [])) for q in drawn.questions])
    known = Names(names_in(fact for graph in graphs.values() for fact in graph))
    return replace(drawn, questions=[replace(each, reachable=known.have(each.gold)) for each in drawn.questions])


def _topics(folder: Path) -> dict[str, dict[str, str]]:
    topics = {}
    for place, record in json_lines(folder / TOPICS):
        with record_at(place, "topic entity of ComplexWebQuestions"):
            topics[str(record["ID"])] = dict(record["topic_entity"])
    return topics


def _graphs(folder: Path) -> dict[str, list[Fact]]:
    graphs = {}
    for place, record in json_lines(folder / SUBGRAPHS):
        with record_at(place, "subgraph of ComplexWebQuestions"):
            graphs[str(record["id"])] = clean(record["triples"], 3)
    return graphs


def _webqsp_names(folder: Path) -> dict[str, str]:
    """The names of Freebase's ids in WebQSP's files: topics, constraints and answers."""
    names: dict[str, str] = {}
    for name in WEBQSP:
        path = folder.parent / "webqsp" / name
        for place, record in json_list(path, "Questions") if path.is_file() else ():
            with record_at(place, "question of WebQSP"):
                names |= {mid: text for mid, text in _named(record) if mid and text}
    return names


def _named(record: Record) -> Iterator[tuple[str, str]]:
    for parse in record["Parses"]:
        yield parse["TopicEntityMid"], parse["TopicEntityName"]
        for constraint in parse["Constraints"]:
            yield constraint["Argument"], constraint["EntityName"]
        for answer in parse["Answers"]:
            yield answer["AnswerArgument"], answer["EntityName"]


def _load(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    graphs = _graphs(selection.folder("cwq"))
    if selection.graph == "own":
        load_graphs(store, {source: graphs[q.id] for q in questions for source in q.sources})
    else:
        load_graphs(store, {SOURCE: list(dict.fromkeys(fact for graph in graphs.values() for fact in graph))})


BENCHMARK = Benchmark(
    "cwq",
    "ComplexWebQuestions over the facts of Freebase published for it; no topic entity is given.",
    "cwq --data .data --limit 200 --topics",
    _read,
    _load,
    set_name=graph_name(QUESTIONS, "union"),
    options=("topics",),
    graph="union",
)
