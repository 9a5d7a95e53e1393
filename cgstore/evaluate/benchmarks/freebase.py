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
from typing import ClassVar

from cgstore.evaluate.benchmarks.benchmark import GraphBenchmark, Question, Selection, Sets
from cgstore.evaluate.benchmarks.files import Record, json_lines, json_list, read_each, text_lines
from cgstore.evaluate.benchmarks.sources import Fact, clean
from cgstore.evaluate.scoring import Judge, accepted_all
from cgstore.llm.backends.replay import RecordedReply
from cgstore.text.names import many

SUBGRAPHS = "dev_subgraphs.jsonl"
"""The file of the facts published for each question, in the folder of either benchmark."""

WEBQSP_QUESTIONS = "WebQSP.dev.json"
WEBQSP_TRAINING = "WebQSP.train.json"
WEBQSP_UNION = "freebase_union.tsv"

PARTS = ("gpt_labelled", "gnn_rag_paths")
"""WebQSP's facts of a question: those that were labelled, and those that a graph neural network retrieved."""

CWQ_QUESTIONS = "ComplexWebQuestions_dev.json"
CWQ_TOPICS = "dev_topic_entities.jsonl"


class _Freebase(GraphBenchmark):
    """What the two have in common."""

    options = ("topics",)
    graph = "union"
    parts: tuple[str, ...]
    """Where a record has the facts of its question."""

    def own_facts(self, selection: Selection) -> Mapping[str, Sequence[Fact]]:
        def facts(record: Record) -> tuple[str, list[Fact]]:
            return str(record["id"]), clean((fact for part in self.parts for fact in record[part]), 3)

        return dict(read_each(json_lines(selection.folder(self.name) / SUBGRAPHS), "subgraph", facts))


# WebQSP ---------------------------------------------------------------------------------------------------------------


def read_webqsp(path: Path) -> list[Question]:
    """Reads the questions of one of WebQSP's files, in its order."""
    return list(read_each(json_list(path, "Questions"), "question of WebQSP", _webqsp_question))


def _webqsp_question(record: Record) -> Question:
    parses = record["Parses"]
    answers = [answer for parse in parses for answer in parse["Answers"]]
    gold = tuple(dict.fromkeys(answer["EntityName"] or answer["AnswerArgument"] for answer in answers))
    hops = len(parses[0].get("InferentialChain") or ()) if parses else 0
    topics = (parse.get("TopicEntityName") for parse in parses)
    topic = tuple(dict.fromkeys(name for name in topics if name))
    kind = many(hops, "hop") if hops else "no chain"
    return Question(record["QuestionId"], record["RawQuestion"], gold, kind, topic=topic)


def union_facts(folder: Path) -> list[Fact]:
    """Reads the facts published for any question of WebQSP, without their fourth column.

    That column is left out in the loaded source too. If it has a `P`, a fact points the way that a path took it, which
    may differ from Freebase.
    """
    facts = (tuple(part.strip() for part in line.split("\t")[:3]) for _, line in text_lines(folder / WEBQSP_UNION))
    return [fact for fact in facts if len(fact) == 3]


class WebQSP(_Freebase):
    """WebQSP."""

    name = "webqsp"
    title = "WebQSP over the facts of Freebase published with it; no topic entity is given."
    example = "webqsp --data .data --out outcomes.jsonl --resume"
    file = WEBQSP_QUESTIONS
    judge = Judge(accepted_all)
    replay_sets: ClassVar[Sets] = {"webqsp_named": {}, "webqsp_unnamed": {}}
    parts = PARTS

    def questions(self, selection: Selection) -> Iterable[Question]:
        return read_webqsp(self.path(selection))

    def all_facts(self, selection: Selection) -> Sequence[Fact]:
        return union_facts(selection.folder(self.name))

    def recorded(self, selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
        questions = read_webqsp(selection.folder(self.name) / WEBQSP_TRAINING)
        known = {each.text: replace(each, sources=("eval/webqsp",)) for each in questions}
        return lambda reply: [known[reply.question]] if reply.question in known else []


# ComplexWebQuestions --------------------------------------------------------------------------------------------------


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


class ComplexWebQuestions(_Freebase):
    """ComplexWebQuestions."""

    name = "cwq"
    title = "ComplexWebQuestions over the facts of Freebase published for it; no topic entity is given."
    example = "cwq --data .data --limit 200 --topics"
    file = CWQ_QUESTIONS
    parts = ("triples",)

    def questions(self, selection: Selection) -> Iterable[Question]:
        folder = selection.folder(self.name)
        entities = read_each(
            json_lines(folder / CWQ_TOPICS),
            "topic entity of ComplexWebQuestions",
            lambda record: (str(record["ID"]), dict(record["topic_entity"])),
        )
        topics: dict[str, dict[str, str]] = dict(entities)
        names = names_of_ids(folder) | {mid: name for topic in topics.values() for mid, name in topic.items()}

        def question(record: Record) -> Question:
            gold = tuple(dict.fromkeys(names.get(str(answer), str(answer)) for answer in record["answer"]))
            topic = tuple(topics.get(record["ID"], {}).values())
            return Question(record["ID"], record["question"], gold, record["compositionality_type"], topic=topic)

        return read_each(json_list(self.path(selection)), "question of ComplexWebQuestions", question)


BENCHMARKS = (WebQSP(), ComplexWebQuestions())
