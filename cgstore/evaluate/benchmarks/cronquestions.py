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
from dataclasses import dataclass, field
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import (
    Benchmark,
    Drawn,
    Names,
    Question,
    Selection,
    Steps,
    draw,
    with_unique_ids,
)
from cgstore.evaluate.benchmarks.files import Record, json_lines, record_at, rows, text_lines
from cgstore.evaluate.benchmarks.sources import Fact, load_changed, load_graphs, names_in
from cgstore.llm.backends.replay import RecordedReply
from cgstore.store import Store

SOURCE = "eval/cronquestions"
QUESTIONS = "ari_dev.jsonl"
FACTS = ("ari_facts.tsv", "event2time.tsv")

LIKE_SOURCE = "eval/cron_like"
LIKE_QUESTIONS = "questions_dev.jsonl.gz"
LIKE_FACTS = "kg.tsv.gz"

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

    def entity(self, identifier: str) -> str:
        """Returns the label of an entity.

        Raises:
            LookupError: it has none.
        """
        return _label(identifier, self.entities)


@dataclass(frozen=True)
class CronQuestion:
    """A question with its annotation, all in names.

    Args:
        id: the benchmark's `uniq_id`, which paraphrases of one question share; else the line's number, from 1.
        text: what a reader sees.
        canonical_text: the text with each entity by its label, and with the second tail, which `text` may lack.
        gold: the gold answers; years are texts.
        type: one of the benchmark's five types.
        answer_type: `entity` or `time`.
        template: the question with placeholders for its entities.
        annotation: some of `head`, `tail`, `tail2`, `event_head`, `time`, `adj` (first, last), `type` (before, after).
        relations: the relations that are asked.
        incomplete: whether `text` holds a placeholder, so that it cannot be answered as asked.
    """

    id: str
    text: str
    canonical_text: str
    gold: tuple[str, ...]
    type: str
    answer_type: str
    template: str
    annotation: Mapping[str, str]
    relations: tuple[str, ...]
    incomplete: bool = False


def read_labels(folder: Path) -> Labels:
    """Reads the labels of the benchmark's folder."""
    return Labels(label_file(folder / "wd_id2entity_text.txt"), label_file(folder / "wd_id2relation_text.txt"))


def label_file(path: Path) -> dict[str, str]:
    """Reads a file of `id TAB label` lines."""
    labels = {}
    for place, line in text_lines(path):
        identifier, tab, label = line.partition("\t")
        if not tab:
            raise BadInput(f"{place}: there is no tab between the id and the name.")
        labels[identifier] = label
    return labels


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


def all_facts(folder: Path) -> list[Fact]:
    """Reads the facts and the events of the benchmark's folder, in names."""
    labels = read_labels(folder)
    return [fact for name in FACTS for fact in read_facts(folder / name, labels)]


def read_questions(path: Path, labels: Labels | None = None) -> Iterator[CronQuestion]:
    """Reads the questions of a file; a line with `paraphrases` is in ids, any other line is in names."""
    for place, record in json_lines(path):
        with record_at(place, "question of CronQuestions"):
            if "paraphrases" not in record:
                yield _from_names(record, place.rpartition(" ")[2])
                continue
            try:
                yield _from_ids(record, labels or Labels())
            except _NoLabelError as error:
                raise BadInput(f"{place}: {error} has no label.", "Give the label files of these questions.") from error


class _NoLabelError(Exception):
    """An id that the label files lack."""


def _label(identifier: str, labels: Mapping[str, str]) -> str:
    if identifier not in labels:
        raise _NoLabelError(identifier)
    return labels[identifier]


def _from_names(record: Record, number: str) -> CronQuestion:
    return CronQuestion(
        id=str(record.get("id", number)),
        text=record["question"],
        canonical_text=record["question"],
        gold=tuple(str(answer) for answer in record["answers"]),
        annotation={name: str(value) for name, value in record["annotation"].items()},
        relations=tuple(record["relations"]),
        incomplete=TAIL2 in record["question"],
        **{name: record[name] for name in ("type", "answer_type", "template")},
    )


def _from_ids(record: Record, labels: Labels) -> CronQuestion:
    annotation = {
        name: labels.entity(value) if name in (*_NAMED, "tail2") else value
        for name, value in _with_tail2(record).items()
    }
    text = record["paraphrases"][0]
    return CronQuestion(
        id=str(record["uniq_id"]),
        text=text,
        canonical_text=_canonical_text(record, annotation, labels),
        gold=tuple(str(each) if isinstance(each, int) else labels.entity(each) for each in record["answers"]),
        annotation=annotation,
        relations=tuple(_label(relation, labels.relations) for relation in record["relations"]),
        incomplete=TAIL2 in text,
        **{name: record[name] for name in ("type", "answer_type", "template")},
    )


def _with_tail2(record: Record) -> dict[str, str]:
    """The annotation in ids, with the second tail that the text lacks: the entity that the annotation does not have.

    If no entity is left over, the second tail is the first one again; if several are, it stays unknown.
    """
    annotation = {name: str(value).strip() for name, value in record["annotation"].items()}
    if TAIL2 in record["template"]:
        left = set(record["entities"]) - {annotation.get(name) for name in _NAMED}
        if len(left) <= 1:
            annotation["tail2"] = left.pop() if left else annotation["tail"]
    return annotation


def _canonical_text(record: Record, annotation: Mapping[str, str], labels: Labels) -> str:
    known = set(record["entities"])
    text = _ID.sub(lambda match: labels.entity(match[0]) if match[0] in known else match[0], str(record["question"]))
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
    tail = annotation["tail2"] if question.incomplete else annotation.get("tail2", annotation["tail"])
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


# The benchmark --------------------------------------------------------------------------------------------------------


def as_questions(
    questions: Iterable[CronQuestion], source: str, facts: Iterable[Sequence[str]], canonical: bool = False
) -> list[Question]:
    """Returns the questions in the form of all benchmarks, with unique ids, asked of one source with these facts."""
    names = Names(names_in(facts))
    return with_unique_ids(
        Question(
            each.id,
            each.canonical_text if canonical else each.text,
            each.gold,
            each.type + (" (incomplete)" if each.incomplete else ""),
            (source,),
            tuple(each.annotation[part] for part in ("head", "tail", "event_head") if part in each.annotation),
            names.have(each.gold),
            annotation=each,
        )
        for each in questions
    )


def _read(selection: Selection) -> Drawn:
    folder = selection.folder("cronquestions")
    questions = draw(read_questions(selection.questions or folder / QUESTIONS, read_labels(folder)), selection)
    return Drawn(as_questions(questions, SOURCE, all_facts(folder), selection.canonical))


def _load(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    load_graphs(store, {SOURCE: all_facts(selection.folder("cronquestions"))})


def _recorded(selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
    """Finds the question of a reply by its text."""
    folder = selection.folder("cronquestions")
    labels = read_labels(folder)
    paths = [path for path in (folder / QUESTIONS, folder / TRAINING) if path.is_file()]
    known = {each.text: each for path in paths for each in read_questions(path, labels)}

    def find(recorded: RecordedReply) -> Sequence[Question]:
        each = known.get(recorded.question)
        return [Question(each.id, each.text, each.gold, sources=(SOURCE,))] if each else []

    return find


# cron_like: the same form of questions over a temporal graph of the same size, whose facts are drawn at random. A text
# has the names of the graph, letter by letter. `before` and `after` ask for the nearest year before or after.


def _read_like(selection: Selection) -> Drawn:
    folder = selection.folder("cron_like")
    questions = draw(read_questions(selection.questions or folder / LIKE_QUESTIONS), selection)
    return Drawn(as_questions(questions, LIKE_SOURCE, rows(folder / LIKE_FACTS, 5)))


def _load_like(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    path = selection.folder("cron_like") / LIKE_FACTS
    load_changed(
        store, {LIKE_SOURCE: path}, lambda _: store.load_tkg(path, name=LIKE_SOURCE, replace=True, progress=True)
    )


BENCHMARKS = (
    Benchmark(
        "cronquestions",
        "CronQuestions' real part: questions over published facts and events.",
        "cronquestions --data .data/cronquestions --out outcomes.jsonl",
        _read,
        _load,
        set_name=lambda selection: "canonical" if selection.canonical else "text",
        options=("canonical",),
        replay_sets={"cronquestions": {}},
        recorded=_recorded,
    ),
    Benchmark(
        "cron_like",
        "cron_like: CronQuestions' templates over a temporal graph of its size, invented.",
        "cron_like --data .data --limit 200 --report report",
        _read_like,
        _load_like,
        oracle_sets={"cron_like": {}},
        program=lambda question: program_for(question.annotation),
    ),
)
