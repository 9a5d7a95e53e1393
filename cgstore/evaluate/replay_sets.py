"""The sets of recorded replies: for each, the gold answers, what is loaded, and how an answer is judged.

The gold answers are the benchmarks' own. MetaQA's recorded questions are of its train files, which the data may lack:
their answers follow from the question's template, whose type is known from other questions, over the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.evaluate import cronquestions, cronquestions_facts, metaqa, metrics, webqsp, wtq
from cgstore.evaluate.loaded import load_changed
from cgstore.evaluate.report import Scorer
from cgstore.evaluate.scoring import accepted_all, accepted_first, accepted_table
from cgstore.llm.chat.replay import RecordedReply
from cgstore.store import Store

METAQA_SOURCE = "eval/metaqa"
"""The source that MetaQA's graph is loaded as; kept for the next run."""


@dataclass(frozen=True)
class Question:
    """One question with the reply to it, the gold answers, and the name of the source asked."""

    id: str
    text: str
    gold: tuple[str, ...]
    reply: str
    source: str


Alternatives = tuple[Question, ...]
"""One question as it stands in the benchmark: several where its text is asked of several tables."""


@dataclass(frozen=True)
class Benchmark:
    """How the replies of a set are given gold answers, what is loaded for them, and how an answer is judged.

    `questions` gives none for a reply whose gold answers are not known. A question is right if any measure of
    `judged_by` says so.
    """

    questions: Callable[[Path, Sequence[RecordedReply]], Iterator[Alternatives]]
    load: Callable[[Store, Path, Sequence[Alternatives]], None]
    accepted: Scorer
    judged_by: tuple[str, ...] = ("accuracy",)


def _metaqa(hops: int) -> Benchmark:
    """MetaQA: the topic in brackets, and the question's template, tell the path over the graph."""

    def questions(data: Path, recorded: Sequence[RecordedReply]) -> Iterator[Alternatives]:
        graph = metaqa.read_kb(data / "metaqa" / "kb.txt")
        types = metaqa.read_templates(data / "metaqa")
        for each in recorded:
            qtype = types.get((hops, metaqa.template_of(each.question)))
            if qtype is not None:
                gold = tuple(sorted(graph.follow(metaqa.topic_of(each.question), qtype)))
                yield (Question(str(each.line), each.question, gold, each.reply, METAQA_SOURCE),)

    return Benchmark(questions, lambda store, data, _: load_metaqa(store, data), accepted_first)


def load_metaqa(store: Store, data: Path) -> None:
    """Loads MetaQA's graph, unless it is loaded already.

    Raises:
        BadInput: there is no such file.
    """
    path = data / "metaqa" / "kb.txt"

    def load(_: list[str]) -> None:
        store.load_kg(path, name=METAQA_SOURCE, delimiter="pipe", header=False, replace=True, progress=True)

    load_changed(store, {METAQA_SOURCE: path}, load)


def _wtq_questions(data: Path, recorded: Sequence[RecordedReply]) -> Iterator[Alternatives]:
    """WikiTableQuestions: by its text; a few stand at several tables, of which the first that answers counts."""
    known = wtq.questions_by_text(data / "wtq")
    for each in recorded:
        if found := known.get(each.question):
            yield tuple(Question(q.id, q.text, q.gold, each.reply, f"{wtq.SOURCE}/{q.table}") for q in found)


def _load_wtq(store: Store, data: Path, questions: Sequence[Alternatives]) -> None:
    sources = {question.source for alternatives in questions for question in alternatives}
    wtq.load_tables(store, data / "wtq", (source.removeprefix(f"{wtq.SOURCE}/") for source in sources))


def _webqsp_questions(data: Path, recorded: Sequence[RecordedReply]) -> Iterator[Alternatives]:
    """WebQSP: by its text."""
    known = {question.text: question for question in webqsp.read_questions(data / "webqsp" / webqsp.QUESTIONS)}
    for each in recorded:
        if question := known.get(each.question):
            yield (Question(question.id, question.text, question.gold, each.reply, webqsp.SOURCE),)


def _load_webqsp(store: Store, data: Path, questions: Sequence[Alternatives]) -> None:
    webqsp.load_facts(store, data / "webqsp")


def _cron_questions(data: Path, recorded: Sequence[RecordedReply]) -> Iterator[Alternatives]:
    """CronQuestions: by its text."""
    folder = data / "cronquestions"
    files = [folder / name for name in ("ari_dev.jsonl", "complex_valid.jsonl") if (folder / name).is_file()]
    labels = cronquestions_facts.read_labels(folder)
    known = {question.text: question for path in files for question in cronquestions.read_questions(path, *labels)}
    for each in recorded:
        if q := known.get(each.question):
            yield (Question(q.id, q.text, q.gold, each.reply, cronquestions_facts.SOURCE),)


def _load_cron(store: Store, data: Path, questions: Sequence[Alternatives]) -> None:
    cronquestions_facts.load_facts(store, data / "cronquestions")


_WEBQSP = Benchmark(_webqsp_questions, _load_webqsp, accepted_all)

SETS: dict[str, Benchmark] = {
    "metaqa_1hop": _metaqa(1),
    "metaqa_2hop": _metaqa(2),
    "metaqa_3hop": _metaqa(3),
    "wtq": Benchmark(_wtq_questions, _load_wtq, accepted_table, ("accepted", "accuracy")),
    "webqsp_named": _WEBQSP,
    "webqsp_unnamed": _WEBQSP,
    "cronquestions": Benchmark(_cron_questions, _load_cron, metrics.accepted),
}
"""The sets by name, in the order in which they are run."""
