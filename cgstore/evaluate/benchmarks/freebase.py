"""WebQSP and ComplexWebQuestions over the facts of Freebase that are published with them; no topic entity is given.

WebQSP (Yih, Richardson, Meek, Chang, Suh: "The Value of Semantic Parse Labeling for Knowledge Base Question Answering",
ACL 2016) and ComplexWebQuestions ask over Freebase, which is too large to publish as a file. By default all questions
are asked of one graph, the union of the facts published for any question, so that many cannot be answered.

With `--graph own` a question is asked of the facts published for it alone. In WebQSP these were retrieved or labelled
for it: 9 at the median, with the path to the answer among them. They measure the retrieval. In ComplexWebQuestions they
are four on average, the path from the topic to the answer, and 156 questions have none. They say little.

WebQSP's type is the length of the inferential chain. Its gold answers are those of all parses; a question without any
is left out, as the papers do. ComplexWebQuestions' type is the compositionality type. Its gold answers are published as
ids of Freebase. The names are those of the topic entities, and those in WebQSP's files, if the folder `webqsp` lies
beside. An id without a name stays an id, and no answer equals it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from cgstore.evaluate.benchmarks.files import Record, json_lines, json_list, read_each, text_lines
from cgstore.evaluate.benchmarks.sources import Fact, clean, load_changed, load_graphs, names_in, of_own_graph, united
from cgstore.evaluate.scoring import Judge, accepted_all
from cgstore.llm.backends.replay import RecordedReply
from cgstore.store import Store

Graphs = Mapping[str, Sequence[Fact]]
"""The facts published for each question, by its id."""

SUBGRAPHS = "dev_subgraphs.jsonl"
"""The file of these facts, in the folder of either benchmark."""

WEBQSP = "eval/webqsp"
WEBQSP_QUESTIONS = "WebQSP.dev.json"
WEBQSP_TRAINING = "WebQSP.train.json"
WEBQSP_UNION = "freebase_union.tsv"

PARTS = ("gpt_labelled", "gnn_rag_paths")
"""WebQSP's facts of a question: those that were labelled, and those that a graph neural network retrieved."""

CWQ = "eval/cwq"
CWQ_QUESTIONS = "ComplexWebQuestions_dev.json"
CWQ_TOPICS = "dev_topic_entities.jsonl"


def _read_graphs(folder: Path, benchmark: str, facts_of: Callable[[Record], Iterable[Sequence[object]]]) -> Graphs:
    records = json_lines(folder / SUBGRAPHS)
    return dict(read_each(records, f"subgraph of {benchmark}", lambda r: (str(r["id"]), clean(facts_of(r), 3))))


def _of_own_graphs(drawn: Drawn, source: str, graphs: Graphs) -> Drawn:
    return replace(drawn, questions=[of_own_graph(q, source, graphs.get(q.id, [])) for q in drawn.questions])


def _of_union(drawn: Drawn, facts: Iterable[Fact]) -> Drawn:
    names = Names(names_in(facts))
    return replace(drawn, questions=[replace(q, reachable=names.have(q.gold)) for q in drawn.questions])


def _load_own(store: Store, graphs: Graphs, questions: Sequence[Question]) -> None:
    load_graphs(store, {source: graphs[q.id] for q in questions for source in q.sources})


# WebQSP ---------------------------------------------------------------------------------------------------------------


def read_webqsp(path: Path) -> list[Question]:
    """Reads the questions of one of WebQSP's files, in its order, asked of the union of the facts."""
    return list(read_each(json_list(path, "Questions"), "question of WebQSP", _webqsp_question))


def _webqsp_question(record: Record) -> Question:
    parses = record["Parses"]
    answers = [answer for parse in parses for answer in parse["Answers"]]
    gold = tuple(dict.fromkeys(answer["EntityName"] or answer["AnswerArgument"] for answer in answers))
    hops = len(parses[0].get("InferentialChain") or ()) if parses else 0
    topics = (parse.get("TopicEntityName") for parse in parses)
    topic = tuple(dict.fromkeys(name for name in topics if name))
    kind = f"{hops} hop{'s' if hops > 1 else ''}" if hops else "no chain"
    return Question(record["QuestionId"], record["RawQuestion"], gold, kind, (WEBQSP,), topic)


def union_facts(folder: Path) -> list[Fact]:
    """Reads the facts published for any question of WebQSP, without their fourth column.

    That column is left out in the loaded source too. If it has a `P`, a fact points the way that a path took it, which
    may differ from Freebase.
    """
    facts = (tuple(part.strip() for part in line.split("\t")[:3]) for _, line in text_lines(folder / WEBQSP_UNION))
    return [fact for fact in facts if len(fact) == 3]


def _webqsp_graphs(folder: Path) -> Graphs:
    return _read_graphs(folder, "WebQSP", lambda record: [fact for part in PARTS for fact in record[part]])


def _read_webqsp(selection: Selection) -> Drawn:
    folder = selection.folder("webqsp")
    drawn = draw_with_gold(read_webqsp(selection.questions or folder / WEBQSP_QUESTIONS), selection)
    if selection.graph == "own":
        return _of_own_graphs(drawn, WEBQSP, _webqsp_graphs(folder))
    return _of_union(drawn, union_facts(folder))


def _load_webqsp(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    folder = selection.folder("webqsp")
    if selection.graph == "own":
        _load_own(store, _webqsp_graphs(folder), questions)
        return
    path = folder / WEBQSP_UNION

    def load_union(_: list[str]) -> None:
        store.load_kg(path, name=WEBQSP, columns=(1, 2, 3), header=False, replace=True, progress=True)

    load_changed(store, {WEBQSP: path}, load_union)


def _recorded(selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
    """Finds the question of a reply by its text."""
    known = {question.text: question for question in read_webqsp(selection.folder("webqsp") / WEBQSP_TRAINING)}
    return lambda recorded: [known[recorded.question]] if recorded.question in known else []


# ComplexWebQuestions --------------------------------------------------------------------------------------------------


def _read_cwq(selection: Selection) -> Drawn:
    folder = selection.folder("cwq")
    topics: dict[str, dict[str, str]] = dict(
        read_each(
            json_lines(folder / CWQ_TOPICS),
            "topic entity of ComplexWebQuestions",
            lambda record: (str(record["ID"]), dict(record["topic_entity"])),
        )
    )
    names = names_of_ids(folder) | {mid: name for topic in topics.values() for mid, name in topic.items()}

    def question(record: Record) -> Question:
        gold = tuple(dict.fromkeys(names.get(str(answer), str(answer)) for answer in record["answer"]))
        topic = tuple(topics.get(record["ID"], {}).values())
        return Question(record["ID"], record["question"], gold, record["compositionality_type"], (CWQ,), topic)

    records = json_list(selection.questions or folder / CWQ_QUESTIONS)
    questions = list(read_each(records, "question of ComplexWebQuestions", question))
    drawn, graphs = draw_with_gold(questions, selection), _cwq_graphs(folder)
    if selection.graph == "own":
        return _of_own_graphs(drawn, CWQ, graphs)
    return _of_union(drawn, united(graphs.values()))


def _cwq_graphs(folder: Path) -> Graphs:
    return _read_graphs(folder, "ComplexWebQuestions", lambda record: record["triples"])


def names_of_ids(folder: Path) -> dict[str, str]:
    """The names of Freebase's ids in WebQSP's files: topics, constraints and answers."""
    names: dict[str, str] = {}
    for name in (WEBQSP_TRAINING, WEBQSP_QUESTIONS):
        path = folder.parent / "webqsp" / name
        records = json_list(path, "Questions") if path.is_file() else ()
        for named in read_each(records, "question of WebQSP", lambda record: list(_named(record))):
            names |= {mid: text for mid, text in named if mid and text}
    return names


def _named(record: Record) -> Iterator[tuple[str, str]]:
    for parse in record["Parses"]:
        yield parse["TopicEntityMid"], parse["TopicEntityName"]
        for constraint in parse["Constraints"]:
            yield constraint["Argument"], constraint["EntityName"]
        for answer in parse["Answers"]:
            yield answer["AnswerArgument"], answer["EntityName"]


def _load_cwq(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    graphs = _cwq_graphs(selection.folder("cwq"))
    if selection.graph == "own":
        _load_own(store, graphs, questions)
    else:
        load_graphs(store, {CWQ: united(graphs.values())})


BENCHMARKS = (
    Benchmark(
        "webqsp",
        "WebQSP over the facts of Freebase published with it; no topic entity is given.",
        "webqsp --data .data --out outcomes.jsonl --resume",
        _read_webqsp,
        _load_webqsp,
        Judge(accepted_all),
        set_name=graph_name(WEBQSP_QUESTIONS, "union"),
        options=("topics",),
        graph="union",
        replay_sets={"webqsp_named": {}, "webqsp_unnamed": {}},
        recorded=_recorded,
    ),
    Benchmark(
        "cwq",
        "ComplexWebQuestions over the facts of Freebase published for it; no topic entity is given.",
        "cwq --data .data --limit 200 --topics",
        _read_cwq,
        _load_cwq,
        set_name=graph_name(CWQ_QUESTIONS, "union"),
        options=("topics",),
        graph="union",
    ),
)
