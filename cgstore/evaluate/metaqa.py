"""Reader of MetaQA, and the programs and answer sets that its question types stand for.

MetaQA (Zhang, Dai, Kozareva, Smola, Song: "Variational Reasoning for Question Answering with Knowledge Graph", AAAI
2018) asks in one to three hops over a graph of films. A question names its topic entity in brackets, `what movies did
[Temuera Morrison] act in`; its type, on the same line of a file beside it, is the path: `actor_to_movie`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.llm.prompts.quoting import quote

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
"""The relation between a film and what a type's word stands for; in the graph the film is always the head."""

MOVIE = "movie"

_TOPIC = re.compile(r"\[(.*)\]")


@dataclass(frozen=True)
class Hop:
    """One step of a question type: from films to the tails of the relation, or `backwards` from tails to films."""

    relation: str
    backwards: bool


@dataclass(frozen=True)
class Question:
    """One question: its text with the topic in brackets, the topic, the gold answers in their order, the type.

    `id` is the number of its line, from 1.
    """

    id: str
    text: str
    topic: str
    gold: tuple[str, ...]
    qtype: str


@dataclass(frozen=True)
class Graph:
    """The films' facts: (relation, head) -> tails, and (relation, tail) -> heads."""

    tails: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    heads: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, head: str, relation: str, tail: str) -> None:
        """Adds one fact."""
        self.tails[relation, head].add(tail)
        self.heads[relation, tail].add(head)

    def follow(self, topic: str, qtype: str) -> set[str]:
        """What the type's path leads to from the topic, which the second hop does not lead back to.

        Raises:
            BadInput: there is no such type.
        """
        found = {topic}
        for number, hop in enumerate(hops_of(qtype), 1):
            there = self.heads if hop.backwards else self.tails
            found = set().union(*(there.get((hop.relation, name), ()) for name in found))
            if number == 2:
                found.discard(topic)
        return found


def hops_of(qtype: str) -> list[Hop]:
    """The steps of a type such as `actor_to_movie_to_year`.

    Raises:
        BadInput: a step does not link films with something that the graph has of them.
    """
    parts = qtype.split("_to_")
    hops = []
    for here, there in pairwise(parts):
        other = there if here == MOVIE else here
        if (here == MOVIE) == (there == MOVIE) or other not in RELATIONS:
            raise BadInput(f"'{qtype}' is no question type of MetaQA: no step leads from {here} to {there}.")
        hops.append(Hop(RELATIONS[other], backwards=there == MOVIE))
    if not hops:
        raise BadInput(f"'{qtype}' is no question type of MetaQA.", "Such as actor_to_movie_to_year.")
    return hops


def program_of(qtype: str, topic: str) -> str:
    """The program that follows the type's path from the topic, one `QueryN: "..."` a line.

    Raises:
        BadInput: there is no such type.
    """
    calls: list[str] = []
    here = quote(topic)
    for number, hop in enumerate(hops_of(qtype), 1):
        if hop.backwards:
            calls.append(f"get_information(relation='{hop.relation}', tail_entity={here})")
        else:
            calls.append(f"get_information(head_entity={here}, relation='{hop.relation}')")
        if number == 2:
            calls.append(f"set_difference(set1='output_of_query{len(calls)}', set2={quote(topic)})")
        here = f"'output_of_query{len(calls)}'"
    return "\n".join(f'Query{number}: "{call}"' for number, call in enumerate(calls, 1))


def read_kb(path: Path) -> Graph:
    """The graph of `kb.txt`: a fact a line, head, relation and tail with `|` between them.

    Raises:
        BadInput: there is no such file, or a line has not three parts.
    """
    graph = Graph()
    for number, line in _lines(path):
        parts = line.split("|")
        if len(parts) != 3:
            raise BadInput(f"{path.name}, line {number}: {len(parts)} parts where head|relation|tail are expected.")
        graph.add(*parts)
    return graph


def read_questions(folder: Path, hops: int) -> Iterator[Question]:
    """The questions of one number of hops, in the file's order.

    Args:
        folder: the benchmark's own, with `1-hop`, `2-hop`, `3-hop` in it, or one of these. The questions are in
            `vanilla/qa_dev.txt`, or where that is not there in the only `vanilla/qa_*.txt`; `qa_dev_qtype.txt` has the
            type of each.
        hops: 1 to 3.

    Raises:
        BadInput: a file is missing, the two are not of one length, or a line is none of MetaQA's.
    """
    folder = folder if (folder / "vanilla").is_dir() else folder / f"{hops}-hop"
    path = _question_file(folder / "vanilla")
    types = [line for _, line in _lines(folder / f"{path.stem}_qtype.txt")]
    lines = list(_lines(path))
    if len(lines) != len(types):
        raise BadInput(f"{folder.name}: {len(lines):,} questions in {path.name}, but {len(types):,} types beside them.")
    for (number, line), qtype in zip(lines, types, strict=True):
        text, tab, answers = line.partition("\t")
        if not tab or not _TOPIC.search(text):
            raise BadInput(f"{path.name}, line {number}: this is no question with a [topic] and its answers.")
        if len(hops_of(qtype)) != hops:
            raise BadInput(f"{path.name}, line {number}: {qtype} has not {hops} hops.")
        yield Question(str(number), text, topic_of(text), tuple(answers.split("|")), qtype)


def read_templates(folder: Path) -> dict[tuple[int, str], str]:
    """(hops, question with `[]` for its topic) -> question type, from the questions in the benchmark's folder.

    Raises:
        BadInput: as `read_questions`.
    """
    return {
        (hops, template_of(question.text)): question.qtype for hops in HOPS for question in read_questions(folder, hops)
    }


def template_of(question: str) -> str:
    """The question with `[]` in place of its topic."""
    return _TOPIC.sub("[]", question)


def topic_of(question: str) -> str:
    """The name within the question's brackets.

    Raises:
        BadInput: there are none.
    """
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


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, line.rstrip("\r\n")
