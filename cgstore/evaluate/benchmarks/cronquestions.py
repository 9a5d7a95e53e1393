"""CronQuestions over its published facts and events, and `cron_like`, its form over an invented graph.

CronQuestions (Saxena, Chakrabarti, Talukdar: "Question Answering Over Temporal Knowledge Graphs", ACL 2021) asks over
a temporal knowledge graph of Wikidata facts. Its files have one JSON object a line. `question` and `annotation` hold
Wikidata ids; `paraphrases` holds the question as people read it, with a label or an alias for each id; gold answers are
ids or years. Files of `id TAB label` lines name the ids.

All questions are asked of all facts and events, and no topic entity is given. The text is the benchmark's own, with
aliases; `--canonical` names each entity by its label. The type is the benchmark's; questions that were published with
an unfilled placeholder have types of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import GraphBenchmark, Question, Selection, Sets, Steps, with_unique_ids
from cgstore.evaluate.benchmarks.files import Record, json_lines, record_at, rows
from cgstore.evaluate.benchmarks.sources import Fact
from cgstore.llm.backends.replay import RecordedReply

FACTS = ("ari_facts.tsv", "event2time.tsv")

TRAINING = "complex_valid.jsonl"
"""Questions of the hard types about facts that are not published; demonstrations need no facts."""

TAIL2 = "{tail2}"
"""The placeholder that some `time_join` questions were published with."""

SUCCESSION = "position held"
"""The relation whose tails have one head after another, so that 'before X' asks for another head. In every other one
(employer, sports team) a head has one tail after another, so that 'before Y' asks for another tail."""

_ID = re.compile(r"\bQ\d+\b")
_NAMED = ("head", "tail", "event_head")


@dataclass(frozen=True)
class Labels:
    """The names of ids."""

    entities: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)

    def name(self, identifier: str) -> str:
        """Returns the label of an entity or a relation; raises BadInput if it has none."""
        label = self.entities.get(identifier) or self.relations.get(identifier)
        if label is None:
            raise BadInput(f"{identifier} has no label.", "Give the label files of these questions.")
        return label


@dataclass(frozen=True)
class CronQuestion(Question):
    """A question with its annotation, all in names.

    The annotation has some of `head`, `tail`, `tail2`, `event_head`, `time`, `adj` (first, last), `type` (before,
    after). The id is the benchmark's `uniq_id`, which paraphrases of one question share, else the line's number.

    Args:
        canonical_text: the text with each entity by its label, and with the second tail, which `text` may lack.
        answer_type: `entity` or `time`.
        template: the question with placeholders for its entities.
        relations: the relations that are asked.
    """

    canonical_text: str = ""
    answer_type: str = ""
    template: str = ""
    relations: tuple[str, ...] = ()

    @property
    def is_incomplete(self) -> bool:
        """Whether the text holds a placeholder, so that it cannot be answered as asked."""
        return TAIL2 in self.text


def read_labels(folder: Path) -> Labels:
    """Reads the labels of the benchmark's folder."""
    return Labels(label_file(folder / "wd_id2entity_text.txt"), label_file(folder / "wd_id2relation_text.txt"))


def label_file(path: Path) -> dict[str, str]:
    """Reads a file of `id TAB label` lines."""
    return dict(rows(path, 2, columns="id, label"))


def read_facts(path: Path, labels: Labels) -> Iterator[Fact]:
    """Reads temporal facts in names: head, relation, tail, first and last year.

    The columns are ids (`event2time.tsv`) or names (`ari_facts.tsv`). In the published names `- ` stands for `, `. If
    such a name is not a label, but the name with the comma is, the label is returned; gold answers have the label too.
    """
    names = set(labels.entities.values())

    def name_of(given: str) -> str:
        with_commas = given.replace("- ", ", ")
        restored = with_commas if given not in names and with_commas in names else given
        return labels.entities.get(given, restored)

    for head, relation, tail, start, end in rows(path, 5):
        yield name_of(head), labels.relations.get(relation, relation), name_of(tail), start, end


def read_questions(path: Path, labels: Labels | None = None) -> Iterator[CronQuestion]:
    """Reads the questions of a file; a line with `paraphrases` is in ids, any other line is in names."""
    for place, record in json_lines(path):
        with record_at(place, "question of CronQuestions"):
            question = _question(record, place.rpartition(" ")[2], labels or Labels())
        yield question


def _question(record: Record, number: str, labels: Labels) -> CronQuestion:
    in_ids = "paraphrases" in record
    name = labels.name if in_ids else str
    annotation = {
        part: name(value) if part in (*_NAMED, "tail2") else value for part, value in _with_tail2(record).items()
    }
    return CronQuestion(
        id=str(record["uniq_id"] if in_ids else record.get("id", number)),
        text=record["paraphrases"][0] if in_ids else record["question"],
        gold=tuple(str(each) if isinstance(each, int) else name(each) for each in record["answers"]),
        annotation=annotation,
        canonical_text=_canonical_text(record, annotation, labels) if in_ids else record["question"],
        relations=tuple(map(name, record["relations"])),
        **{part: record[part] for part in ("type", "answer_type", "template")},
    )


def _with_tail2(record: Record) -> dict[str, str]:
    """The annotation in ids, with the second tail that the text lacks: the entity that the annotation does not have.

    If no entity is left over, the second tail is the first one again; if several are, it stays unknown.
    """
    annotation = {name: str(value).strip() for name, value in record["annotation"].items()}
    if TAIL2 in record["template"] and "entities" in record:
        left = set(record["entities"]) - {annotation.get(name) for name in _NAMED}
        if len(left) <= 1:
            annotation["tail2"] = left.pop() if left else annotation["tail"]
    return annotation


def _canonical_text(record: Record, annotation: Mapping[str, str], labels: Labels) -> str:
    known = set(record["entities"])
    text = _ID.sub(lambda match: labels.name(match[0]) if match[0] in known else match[0], str(record["question"]))
    return text.replace(TAIL2, annotation.get("tail2", TAIL2))


# Programs -------------------------------------------------------------------------------------------------------------
#
# What a question's annotation says, in the LLM query language: what a reader who never errs would write. The programs
# also serve as demonstrations, like TrustUQA's eight for this benchmark (its appendix E.5). The type of a question, the
# keys of its annotation, the type of its answer and, for 'before' and 'after', its relation determine the program.


def program_for(question: CronQuestion) -> str:
    """Returns the program that answers the question, one `QueryN: "..."` a line."""
    build = _BUILDERS.get(question.type)
    steps = Steps()
    try:
        if build is None:
            raise KeyError("type")
        build(question, steps)
    except KeyError as error:
        raise BadInput(
            f"CronQuestions has no question like {question.id}: {question.type} with "
            f"{', '.join(sorted(question.annotation))} ({error} is not understood)."
        ) from error
    return str(steps)


def _first_last(question: CronQuestion, steps: Steps) -> None:
    fact = _fact(question)
    times = steps.search(**fact, key="time")
    moment = steps.add({"first": "min", "last": "max"}[question.annotation["adj"]], set=times)
    if question.answer_type == "entity":
        steps.search(**fact, key="time", value=moment)


def _before_after(question: CronQuestion, steps: Steps) -> None:
    """Finds the nearest time before the start, or after the end, of the given fact, and what held then."""
    annotation = question.annotation
    relation = question.relations[0]
    if "event_head" in annotation:
        times = steps.search(head_entity=annotation["event_head"], key="time")
        sequence = {"relation": relation, "tail_entity": annotation["tail"]}
    else:
        times = steps.search(**_fact(question), key="time")
        sequence = (
            {"relation": relation, "tail_entity": annotation["tail"]}
            if relation == SUCCESSION
            else {"head_entity": annotation["head"], "relation": relation}
        )
    edge, comparator, nearest = {"before": ("min", "<", "max"), "after": ("max", ">", "min")}[annotation["type"]]
    bound = steps.add(edge, set=times)
    candidates = steps.call(f"keep(set='{steps.search(**sequence, key='time')}', value{comparator}'{bound}')")
    steps.search(**sequence, key="time", value=steps.add(nearest, set=candidates))


def _time_join(question: CronQuestion, steps: Steps) -> None:
    annotation = question.annotation
    if "event_head" in annotation:
        times = steps.search(head_entity=annotation["event_head"], key="time")
    else:
        times = steps.search(**_fact(question), key="time")
    tail = annotation["tail2"] if question.is_incomplete else annotation.get("tail2", annotation["tail"])
    steps.search(relation=question.relations[0], tail_entity=tail, key="time", value=times)


def _fact(question: CronQuestion) -> dict[str, str]:
    """The head, the relation and the tail of the annotation, as arguments, without those that it lacks."""
    annotation = question.annotation
    if not {"head", "tail"} & annotation.keys():
        raise KeyError("head")
    parts = {
        "head_entity": annotation.get("head", ""),
        "relation": question.relations[0],
        "tail_entity": annotation.get("tail", ""),
    }
    return {name: value for name, value in parts.items() if value}


_BUILDERS: dict[str, Callable[[CronQuestion, Steps], object]] = {
    "simple_entity": lambda each, steps: steps.search(**_fact(each), key="time", value=each.annotation["time"]),
    "simple_time": lambda each, steps: steps.search(**_fact(each), key="time"),
    "first_last": _first_last,
    "before_after": _before_after,
    "time_join": _time_join,
}


# The benchmarks -------------------------------------------------------------------------------------------------------


class _Cron(GraphBenchmark):
    """What the two have in common."""

    def complete(self, questions: list[Question], selection: Selection) -> list[Question]:
        said = [_as_asked(each, selection.canonical) for each in questions if isinstance(each, CronQuestion)]
        return with_unique_ids(super().complete(said, selection))


class CronQuestions(_Cron):
    """The questions about published facts."""

    name = "cronquestions"
    title = "CronQuestions' real part: questions over published facts and events."
    example = "cronquestions --data .data/cronquestions --out outcomes.jsonl"
    file = "ari_dev.jsonl"
    options = ("canonical",)
    replay_sets: ClassVar[Sets] = {"cronquestions": {}}

    def questions(self, selection: Selection) -> Iterable[Question]:
        return read_questions(self.path(selection), read_labels(selection.folder(self.name)))

    def all_facts(self, selection: Selection) -> Sequence[Fact]:
        folder = selection.folder(self.name)
        labels = read_labels(folder)
        return [fact for name in FACTS for fact in read_facts(folder / name, labels)]

    def set_name(self, selection: Selection) -> str:
        return "canonical" if selection.canonical else "text"

    def recorded(self, selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
        folder = selection.folder(self.name)
        labels = read_labels(folder)
        paths = [path for path in (folder / self.file, folder / TRAINING) if path.is_file()]
        known = {each.text: each for path in paths for each in read_questions(path, labels)}
        source = (f"eval/{self.name}",)
        return lambda reply: [replace(known[reply.question], sources=source)] if reply.question in known else []


def _as_asked(question: CronQuestion, canonical: bool) -> Question:
    """The question with its topic; the type says if it is incomplete."""
    return replace(
        question,
        text=question.canonical_text if canonical else question.text,
        type=question.type + (" (incomplete)" if question.is_incomplete else ""),
        topic=tuple(question.annotation[part] for part in _NAMED if part in question.annotation),
    )


class CronLike(_Cron):
    """The same form of questions over a temporal graph of the same size, whose facts are drawn at random.

    A text has the names of the graph, letter by letter. `before` and `after` ask for the nearest year before or after.
    """

    name = "cron_like"
    title = "cron_like: CronQuestions' templates over a temporal graph of its size, invented."
    example = "cron_like --data .data --limit 200 --report report"
    file = "questions_dev.jsonl.gz"
    oracle_sets: ClassVar[Sets] = {"cron_like": {}}

    def questions(self, selection: Selection) -> Iterable[Question]:
        return read_questions(self.path(selection))

    def all_facts(self, selection: Selection) -> Sequence[Fact]:
        return [tuple(fact) for fact in rows(selection.folder(self.name) / "kg.tsv.gz", 5)]

    def program(self, question: Question) -> str:
        assert isinstance(question, CronQuestion)
        return program_for(question)


BENCHMARKS = (CronQuestions(), CronLike())
