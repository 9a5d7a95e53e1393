"""The backend `small` over a real Neo4j: the prompt of the graph, and what the shipped model answers."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.words import read_schema
from cgstore.finetune.corpora import words_of_schema
from cgstore.llm import get_backend
from cgstore.llm.graph_view import GraphView
from cgstore.llm.small.backend import SmallBackend
from cgstore.llm.small.candidates import Writer
from cgstore.llm.small.confidence import confidence_of
from cgstore.llm.small.model import LocalModel
from cgstore.llm.small.prompt import prompt_of
from cgstore.llm.small.weights import adapter
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import ROOT, wipe

WORDS = ROOT / "benchmarks" / "words"
SCHEMA = WORDS / "t_moorings"

ASKED, LEAST_RIGHT, MOST_WRONG = 12, 4, 2
"""Questions, how many of them are right with every answer given, and how many are wrong at the default risk."""


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    (source,) = json.loads((SCHEMA / "sources.json").read_text(encoding="utf-8"))
    store.load_table(SCHEMA / source["file"], name=source["name"])
    return store


class Remembering:
    """A model that writes each prompt once."""

    def __init__(self, model: LocalModel) -> None:
        self.write = cache(model.write)


@pytest.fixture(scope="module")
def writer(base: Path) -> Writer:
    return Remembering(LocalModel(base, adapter()))


@pytest.mark.parametrize("schema", ["t_moorings", "g_boards", "g_packages", "h_brewery"])
def test_the_prompt_of_the_graph_is_that_of_training(store: Store, schema: str) -> None:
    (file,) = next(read_schema(WORDS / schema)).annotation.sources
    name = file.name.rpartition("/")[2]
    file._replace(name=name).load(store)
    view = GraphView(store.db, ready_sources(store.db, [name]))
    for task in list(words_of_schema(WORDS / schema))[:6]:
        assert prompt_of(task.question, view).text == task.memory.prompt(task.question).text
    if schema != SCHEMA.name:
        store.drop(name)


def test_tables_join_in_the_prompt_of_the_graph_as_in_that_of_training(store: Store) -> None:
    joined = WORDS / "m_lighthouses"
    for source in json.loads((joined / "sources.json").read_text(encoding="utf-8")):
        store.load_table(joined / source["file"], name=source["name"])
    tasks = [task for task in words_of_schema(joined) if len(task.memory.sources) > 1][:5]
    view = GraphView(store.db, ready_sources(store.db, ["lights", "keepers"]))
    for task in tasks:
        assert prompt_of(task.question, view).text == task.memory.prompt(task.question).text
    assert "\n= keepers.native of, lights.lighthouse\n" in tasks[0].memory.prompt("").text
    for name in view.sources:
        store.drop(name)


def test_the_shipped_model_answers_and_refuses(store: Store, writer: Writer) -> None:
    questions = [json.loads(line) for line in (SCHEMA / "questions.jsonl").open(encoding="utf-8")][:ASKED]
    every = SmallBackend(writer, risk=1.0)
    right = sum(_is_right(store.ask(each["question"], every).answer, each) for each in questions)
    assert right >= LEAST_RIGHT
    given = [(store.ask(each["question"], SmallBackend(writer)).answer, each) for each in questions]
    assert sum(bool(answer) and not _is_right(answer, each) for answer, each in given) <= MOST_WRONG


def _is_right(answer: tuple[object, ...], question: dict[str, list[str]]) -> bool:
    return sorted(map(str, answer)) == sorted(map(str, question["answer"]))


def test_a_reading_can_be_chosen(store: Store, writer: Writer) -> None:
    question = "who owns the gannet?"
    readings = store.ask(question, SmallBackend(writer, confidence=replace(confidence_of(None), thresholds=())))
    assert readings.abstained and readings.choices[0].startswith("Reading 1: ")
    assert Answer.from_json(json.loads(json.dumps(readings.to_json()))).readings == readings.readings
    chosen = store.ask(question, SmallBackend(writer, reading=1))
    assert chosen.program and any("reading 1 of" in note for note in chosen.details)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"risk": 2.0}, "`risk` is 2.0; it must be a number from 0 to 1"),
        ({"reading": 0}, "`reading` is 0; it must be a whole number from 1"),
        ({"adapter": Path("no.gguf")}, "no adapter"),
        ({"lang": "sexpr"}, "query language only"),
    ],
)
def test_wrong_settings_are_errors(options: dict[str, object], problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        get_backend("small", **options)  # type: ignore[arg-type]
