"""WebQSP over the facts of Freebase that are published with it; gold topic entities are not part of the question.

WebQSP (Yih, Richardson, Meek, Chang, Suh: "The Value of Semantic Parse Labeling for Knowledge Base Question Answering",
ACL 2016) asks over Freebase, which is too large to publish as a file. By default all questions are asked of one graph,
the union of the facts published for any question (`freebase_union.tsv`), so that many cannot be answered.

The facts published for a question alone (`--graph own`) were retrieved or labelled for it: 9 facts at the median, with
the path to the answer among them. They measure the retrieval. The type is the length of the inferential chain. The gold
answers are those of all parses; a question without any is left out, as the papers do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from cgstore.evaluate.benchmarks.files import Record, json_lines, json_list, record_at, text_lines
from cgstore.evaluate.benchmarks.sources import Fact, clean, load_changed, load_graphs, names_in, of_own_graph
from cgstore.evaluate.scoring import Judge, accepted_all
from cgstore.llm.chat.replay import RecordedReply
from cgstore.store import Store

SOURCE = "eval/webqsp"
FACTS = "freebase_union.tsv"
QUESTIONS = "WebQSP.dev.json"
TRAINING = "WebQSP.train.json"
SUBGRAPHS = "dev_subgraphs.jsonl"

PARTS = ("gpt_labelled", "gnn_rag_paths")
"""The facts of a question: those that were labelled, and those that a graph neural network retrieved."""


def read_questions(path: Path) -> list[Question]:
    """Reads the questions of one of the benchmark's files, in its order, asked of the union of the facts."""
    questions = []
    for place, record in json_list(path, "Questions"):
        with record_at(place, "question of WebQSP"):
            questions.append(_question(record))
    return questions


def _question(record: Record) -> Question:
    parses = record["Parses"]
    answers = [answer for parse in parses for answer in parse["Answers"]]
    gold = tuple(dict.fromkeys(answer["EntityName"] or answer["AnswerArgument"] for answer in answers))
    hops = len(parses[0].get("InferentialChain") or ()) if parses else 0
    topics = (parse.get("TopicEntityName") for parse in parses)
    topic = tuple(dict.fromkeys(name for name in topics if name))
    kind = f"{hops} hop{'s' if hops > 1 else ''}" if hops else "no chain"
    return Question(record["QuestionId"], record["RawQuestion"], gold, kind, (SOURCE,), topic)


def union_facts(folder: Path) -> list[Fact]:
    """Reads the facts published for any question, without their fourth column.

    That column is left out in the loaded source too. If it has a `P`, a fact points the way that a path took it, which
    may differ from Freebase.
    """
    facts = (tuple(part.strip() for part in line.split("\t")[:3]) for _, line in text_lines(folder / FACTS))
    return [fact for fact in facts if len(fact) == 3]


def _own_facts(folder: Path) -> dict[str, list[Fact]]:
    graphs = {}
    for place, record in json_lines(folder / SUBGRAPHS):
        with record_at(place, "subgraph of WebQSP"):
            graphs[str(record["id"])] = clean([fact for part in PARTS for fact in record[part]], 3)
    return graphs


def _read(selection: Selection) -> Drawn:
    folder = selection.folder("webqsp")
    drawn = draw_with_gold(read_questions(selection.questions or folder / QUESTIONS), selection)
    if selection.graph == "own":
        graphs = _own_facts(folder)
        return replace(drawn, questions=[of_own_graph(q, SOURCE, graphs.get(q.id, [])) for q in drawn.questions])
    names = Names(names_in(union_facts(folder)))
    return replace(drawn, questions=[replace(q, reachable=names.have(q.gold)) for q in drawn.questions])


def _load(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    folder = selection.folder("webqsp")
    if selection.graph == "own":
        graphs = _own_facts(folder)
        load_graphs(store, {source: graphs[q.id] for q in questions for source in q.sources})
        return
    path = folder / FACTS

    def load_union(_: list[str]) -> None:
        store.load_kg(path, name=SOURCE, columns=(1, 2, 3), header=False, replace=True, progress=True)

    load_changed(store, {SOURCE: path}, load_union)


def _recorded(selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
    """Finds the question of a reply by its text."""
    known = {question.text: question for question in read_questions(selection.folder("webqsp") / TRAINING)}
    return lambda recorded: [known[recorded.question]] if recorded.question in known else []


BENCHMARK = Benchmark(
    "webqsp",
    "WebQSP over the facts of Freebase published with it; no topic entity is given.",
    "webqsp --data .data --out outcomes.jsonl --resume",
    _read,
    _load,
    Judge(accepted_all),
    set_name=graph_name(QUESTIONS, "union"),
    options=("topics",),
    graph="union",
    replay_sets={"webqsp_named": {}, "webqsp_unnamed": {}},
    recorded=_recorded,
)
