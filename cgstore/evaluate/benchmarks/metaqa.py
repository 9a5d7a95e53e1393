"""MetaQA: one to three hops over a graph of films, all questions asked of the whole graph.

MetaQA (Zhang, Dai, Kozareva, Smola, Song: "Variational Reasoning for Question Answering with Knowledge Graph", AAAI
2018) names the gold topic entity in brackets, `what movies did [Temuera Morrison] act in`. A file beside the questions
has their types. A type is the path to follow, such as `actor_to_movie`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import GraphBenchmark, Question, Selection, Steps
from cgstore.evaluate.benchmarks.files import rows, text_lines
from cgstore.evaluate.benchmarks.sources import Fact
from cgstore.evaluate.scoring import Judge, accepted_first
from cgstore.llm.backends.replay import RecordedReply

FACTS = "kb.txt"
HOPS = (1, 2, 3)

RELATIONS = {
    "actor": "starred_actors",
    "director": "directed_by",
    "writer": "written_by",
    "genre": "has_genre",
    "language": "in_language",
    "year": "release_year",
    "tags": "has_tags",
    "tag": "has_tags",
    "imdbrating": "has_imdb_rating",
    "imdbvotes": "has_imdb_votes",
}
"""The relation from a film to what a word of a type stands for. In the graph the film is always the head."""

MOVIE = "movie"

_TOPIC = re.compile(r"\[(.*)\]")


@dataclass(frozen=True)
class Hop:
    """One step of a path: from films to the tails of the relation, or `backwards` from tails to films."""

    relation: str
    backwards: bool


@dataclass(frozen=True)
class Graph:
    """The facts about films: (relation, head) -> tails, and (relation, tail) -> heads."""

    tails: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    heads: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

    def follow(self, topic: str, qtype: str) -> set[str]:
        """Returns where the path of a type leads from the topic; the second hop does not lead back to the topic."""
        found = {topic}
        for number, hop in enumerate(hops_of(qtype), 1):
            there = self.heads if hop.backwards else self.tails
            found = set().union(*(there.get((hop.relation, name), ()) for name in found))
            if number == 2:
                found.discard(topic)
        return found


def read_kb(path: Path) -> Graph:
    """Reads `kb.txt`, with one `head|relation|tail` a line."""
    graph = Graph()
    for head, relation, tail in read_facts(path):
        graph.tails[relation, head].add(tail)
        graph.heads[relation, tail].add(head)
    return graph


def read_facts(path: Path) -> Iterator[list[str]]:
    """Reads the facts of `kb.txt`."""
    return rows(path, 3, "|", "head|relation|tail")


def hops_of(qtype: str) -> list[Hop]:
    """Returns the steps of a type such as `actor_to_movie_to_year`."""
    hops = []
    for here, there in pairwise(qtype.split("_to_")):
        other = there if here == MOVIE else here
        if (here == MOVIE) == (there == MOVIE) or other not in RELATIONS:
            raise BadInput(f"'{qtype}' is not a MetaQA question type: no step leads from {here} to {there}.")
        hops.append(Hop(RELATIONS[other], backwards=there == MOVIE))
    if not hops:
        raise BadInput(f"'{qtype}' is not a MetaQA question type.", "An example is actor_to_movie_to_year.")
    return hops


def program_of(qtype: str, topic: str) -> str:
    """Returns the program that follows the path of a type from the topic."""
    steps = Steps()
    here = topic
    for number, hop in enumerate(hops_of(qtype), 1):
        if hop.backwards:
            here = steps.search(relation=hop.relation, tail_entity=here)
        else:
            here = steps.search(head_entity=here, relation=hop.relation)
        if number == 2:
            here = steps.add("set_difference", set1=here, set2=topic)
    return str(steps)


def read_questions(folder: Path, hops: int) -> Iterator[Question]:
    """Reads the questions with one number of hops, in the file's order.

    The folder has `1-hop`, `2-hop`, `3-hop` in it, or is one of these. The questions are in `vanilla/qa_dev.txt`, else
    in the only `vanilla/qa_*.txt`; `qa_dev_qtype.txt` has their types.
    """
    folder = folder if (folder / "vanilla").is_dir() else folder / f"{hops}-hop"
    path = _question_file(folder / "vanilla")
    types = [line for _, line in text_lines(folder / f"{path.stem}_qtype.txt")]
    lines = list(text_lines(path))
    if len(lines) != len(types):
        raise BadInput(f"{folder.name}: {len(lines):,} questions in {path.name}, but {len(types):,} types beside them.")
    for (place, line), qtype in zip(lines, types, strict=True):
        text, tab, answers = line.partition("\t")
        if not tab or not _TOPIC.search(text):
            raise BadInput(f"{place}: not a question with a [topic] and its answers.")
        if len(hops_of(qtype)) != hops:
            raise BadInput(f"{place}: {qtype} does not have {hops} hops.")
        number = place.rpartition(" ")[2]
        yield Question(number, text, tuple(answers.split("|")), qtype, topic=(topic_of(text),))


def read_templates(folder: Path) -> dict[tuple[int, str], str]:
    """Returns (hops, template) -> type, from the questions in the benchmark's folder."""
    return {(hops, template_of(each.text)): each.type for hops in HOPS for each in read_questions(folder, hops)}


def template_of(question: str) -> str:
    """Returns the question with `[]` in place of its topic."""
    return _TOPIC.sub("[]", question)


def topic_of(question: str) -> str:
    """Returns the name in the question's brackets."""
    match = _TOPIC.search(question)
    if match is None:
        raise BadInput(f"No entity stands in brackets in '{question}'.")
    return match[1]


def _question_file(folder: Path) -> Path:
    files = sorted(folder.glob("qa_*.txt"))
    chosen = [path for path in files if path.name == "qa_dev.txt"] or files
    if len(chosen) != 1:
        raise BadInput(f"{folder} holds {len(files)} files qa_*.txt where one is expected.", "Such as qa_dev.txt.")
    return chosen[0]


_SETS = {f"metaqa_{hop}hop": {"hop": hop} for hop in HOPS}


class MetaQA(GraphBenchmark):
    """The questions of one number of hops."""

    name = "metaqa"
    title = "MetaQA: 1 to 3 hops over a graph of films; the gold topic entity is in brackets."
    example = "metaqa --data .data --hop 3 --limit 200 --out outcomes.jsonl"
    judge = Judge(accepted_first)
    options = ("hop", "unmarked")
    questions_folder = "2-hop"
    oracle_sets = replay_sets = _SETS

    def questions(self, selection: Selection) -> Iterable[Question]:
        for each in read_questions(selection.questions or selection.folder(self.name), selection.hop):
            # Unmarked, a question is as a user types it, who does not say its topic.
            yield replace(each, text=_TOPIC.sub(r"\1", each.text).lower()) if selection.unmarked else each

    def all_facts(self, selection: Selection) -> Sequence[Fact]:
        return [tuple(fact) for fact in read_facts(selection.folder(self.name) / FACTS)]

    def set_name(self, selection: Selection) -> str:
        return f"metaqa_{selection.hop}hop" + (", unmarked" if selection.unmarked else "")

    def program(self, question: Question) -> str:
        return program_of(question.type, question.topic[0])

    def recorded(self, selection: Selection) -> Callable[[RecordedReply], Sequence[Question]]:
        """Derives the gold answers of a reply from its question's template, whose type other questions tell.

        The recorded questions are from the train files, which the data may lack.
        """
        folder = selection.folder(self.name)
        graph, types = read_kb(folder / FACTS), read_templates(folder)

        def find(recorded: RecordedReply) -> Sequence[Question]:
            qtype = types.get((selection.hop, template_of(recorded.question)))
            if qtype is None:
                return []
            gold = tuple(sorted(graph.follow(topic_of(recorded.question), qtype)))
            return [Question(str(recorded.line), recorded.question, gold, sources=("eval/metaqa",))]

        return find


BENCHMARK = MetaQA()
