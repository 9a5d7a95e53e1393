"""Written questions over small sources of every kind: tables, several tables together, graphs, statements, dated facts.

A folder of `words` is a schema. Its `sources.json` lists `{"name", "kind", "file"}`, dated facts with `step` and `now`;
tables have a header, the others none. Its `questions.jsonl` has `{"question", "program", "answer"}`, with `sources`
where a question is not asked of all of them together. The answer is a list of values, or of rows of an element and its
number. Where the data do not have it, it is empty, and so is the program.

Schemas are split by a hash of their names: those of `train` are for learning, those of `tune` for setting thresholds,
and those of `test` are only measured. The type of a question is the kind of its sources.

No answer is right where gold is empty. Else both sides must have the same values in any order: texts without case and
blanks, numbers to two decimals. In place of gold rows, their elements are enough.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

from cgstore.catalog.kinds import SOURCE_KINDS, TABLE
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Question, Selection, Sets
from cgstore.evaluate.benchmarks.files import Record, json_lines, json_list, read_each
from cgstore.evaluate.scoring import Judge, Value
from cgstore.llm.demonstrations.build import FIELDS
from cgstore.observe.progress import counted
from cgstore.query.build import quote
from cgstore.store import Store
from cgstore.text.numbers import comparable

SOURCE = "eval/words"
"""The names of the sources begin with it: `eval/words/hotel/rooms`."""

PARTS = ("train", "tune", "test")

SOURCES, QUESTIONS = "sources.json", "questions.jsonl"

DECIMALS = 2
"""Decimals in which numbers are compared."""


class SourceFile(NamedTuple):
    """A source of a schema: its name in the graph, its kind, its file, and the options of its load."""

    name: str
    kind: str
    path: Path
    options: Mapping[str, object]

    def load(self, store: Store) -> None:
        """Loads the source; nothing changes if its file has not changed."""
        getattr(store, f"load_{self.kind}")(self.path, name=self.name, replace=True, **self.options)


class Annotation(NamedTuple):
    """The program of a question, empty where the data do not answer it, and the sources that it is asked of."""

    program: str
    sources: tuple[SourceFile, ...]


def part_of(schema: str) -> str:
    """Returns the part of a schema `words/NAME`: a fifth is `test`, a fifth `tune`, the rest `train`."""
    place = hashlib.sha256(schema.encode()).digest()[0] % 5
    return PARTS[max(0, place - 2)]


def same_answer(gold: Sequence[Value], answer: Sequence[Value], canonical: Sequence[str] = ()) -> bool:
    """Whether both lists have the same values or rows, or the answer has the elements of the gold rows."""
    elements = [str(value).split(FIELDS)[0] for value in gold]
    return _denoted(answer) in (_denoted(gold), _denoted(elements))


def _denoted(values: Sequence[Value]) -> frozenset[tuple[str | float, ...]]:
    return frozenset(tuple(map(_field, str(value).split(FIELDS))) for value in values)


def _field(text: str) -> str | float:
    value = comparable(" ".join(text.split()))
    return value if isinstance(value, str) else round(value, DECIMALS)


def schemas(selection: Selection) -> list[Path]:
    """Returns the folders of a selection's schemas."""
    folder = selection.folder("words")
    every = [selection.questions] if selection.questions else [each.parent for each in folder.glob(f"*/{QUESTIONS}")]
    if not every:
        raise BadInput(f"There is no file {folder}/SCHEMA/{QUESTIONS}.")
    found = sorted(each for each in every if selection.part in (None, part_of(f"words/{each.name}")))
    if not found:
        raise BadInput(f"There is no schema of the part '{selection.part}' in {selection.questions or folder}.")
    return found


def read_schema(folder: Path) -> Iterator[Question]:
    """Reads the questions of a schema, in the file's order; the annotation is an `Annotation`."""
    named = dict(read_each(json_list(folder / SOURCES), "source of words", partial(_source, folder)))
    for number, line in enumerate(json_lines(folder / QUESTIONS), 1):
        yield from read_each([line], "question of words", partial(_question, f"{folder.name}/{number}", named))


def _source(folder: Path, record: Record) -> tuple[str, SourceFile]:
    """A source, with the name that it has in its schema."""
    name, kind = record["name"], SOURCE_KINDS[record["kind"]]
    given = {option: value for option, value in record.items() if option in ("step", "now")}
    stored = f"{SOURCE}/{folder.name}/{name}"
    return name, SourceFile(stored, kind.name, folder / record["file"], {"header": kind.has_rows, **given})


def _question(identifier: str, named: Mapping[str, SourceFile], record: Record) -> Question:
    sources = tuple(named[name] for name in record.get("sources", named))
    rows = any(isinstance(value, list) for value in record["answer"])
    gold = [FIELDS.join(map(str, value)) if rows else str(value) for value in record["answer"]]
    program = record["program"]
    for name, source in named.items():  # which a program calls by its name in the schema
        program = program.replace(f"source={quote(name)}", f"source={quote(source.name)}")
    return Question(
        identifier,
        record["question"],
        tuple(dict.fromkeys(gold)),
        _kind([each.kind for each in sources]),
        tuple(each.name for each in sources),
        rows=rows,
        answerable=bool(gold),
        annotation=Annotation(program, sources),
    )


def _kind(kinds: Sequence[str]) -> str:
    joined = len(kinds) > 1 and set(kinds) == {TABLE.name}
    return "joined tables" if joined else " and ".join(sorted(set(kinds)))


class Words(Benchmark):
    """The questions of all schemas, or of a part of them."""

    name = "words"
    title = "Written questions over tables, joined tables, graphs, statements and dated facts."
    example = "words --data benchmarks/words --part test --llm small --limit 500"
    judge = Judge(accuracy=same_answer)
    options = ("part",)
    questions_folder = "hotel"
    oracle_sets: ClassVar[Sets] = {"words": {"with_programs": True}}

    def questions(self, selection: Selection) -> Iterable[Question]:
        return [question for folder in schemas(selection) for question in read_schema(folder)]

    def is_asked(self, question: Question, selection: Selection) -> bool:
        return bool(question.annotation.program) or not selection.with_programs

    def load(self, store: Store, selection: Selection, questions: Sequence[Question]) -> None:
        sources = list({each.name: each for question in questions for each in question.annotation.sources}.values())
        for source in counted(sources, "load", "sources", len(sources)):
            source.load(store)

    def set_name(self, selection: Selection) -> str:
        return selection.part or super().set_name(selection)

    def program(self, question: Question) -> str:
        return str(question.annotation.program)


BENCHMARK = Words()
