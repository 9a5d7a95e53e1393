"""Questions about tables without an LLM, all the way to Neo4j."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.llm.backends.compose import tables_of
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.differences import differences
from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.readings import readings
from cgstore.llm.backends.compose.understanding import read
from cgstore.llm.graph_view import GraphView
from cgstore.store import Store
from cgstore.text.numbers import comparable
from tests.conftest import ROOT, wipe

TABLES = ROOT / "benchmarks" / "table_questions"


@pytest.fixture(scope="module")
def shelves(shared_db: Database) -> Store:
    """A store with the tables of `benchmarks/table_questions`."""
    wipe(shared_db)
    store = Store(shared_db)
    store.load_table(sorted(TABLES.glob("*.csv")))
    return store


QUESTIONS = {
    "orders": "total quantity ordered per city, or how many orders for each product after 2024-02-01 not from Leeds",
    "season": "top 3 opponents by attendance before Albion, or how many opponents per venue with Rovers and City",
    "library": "which authors have more than one book between 1800 and 1930, or the second longest book in the 1920s",
    "deliveries": "which orders have no delivered date, or were ordered after order 1013",
    "staff": "is Raj Patel paid more than Lena Fischer, who works remotely and was hired in March",
}
"""Questions with many signals, of which all kinds of readings are made."""


@pytest.mark.parametrize("source", QUESTIONS)
def test_every_kind_of_reading_gives_in_the_graph_what_it_gives_in_memory(shelves: Store, source: str) -> None:
    table = tables_of(QUESTIONS[source], GraphView(shelves.db, (source,)))[0]
    context, given = read(QUESTIONS[source], table)
    kinds = {
        (each.operation, each.superlative is None, tuple(c.op for c in each.conditions[:1])): each
        for each in readings(context.text, table, context.signals, given)
    }
    assert len(kinds) > 3
    for each in kinds.values():
        answer = shelves.query(Writer(table).program(each), [source])
        values = answer.lines if each.operation.startswith("per ") else answer.answer
        assert {comparable(str(value)) for value in values} - {""} == _as_shown(denotation(each, table)), each


@pytest.mark.parametrize(
    ("source", "question"),
    [
        ("season", "What is the difference in attendance between Rovers and City?"),
        ("rivers", "By how many kilometres is the Nile longer than the Congo?"),
        ("staff", "is Raj Patel paid more than Lena Fischer?"),
    ],
)
def test_two_rows_compared_give_in_the_graph_what_they_give_in_memory(
    shelves: Store, source: str, question: str
) -> None:
    table = tables_of(question, GraphView(shelves.db, (source,)))[0]
    context, given = read(question, table, is_relative=False)
    found = list(differences(context, given, is_truth=question.startswith("is ")))
    assert found
    for each in found:
        answer = shelves.query(Writer(context.table).program(each), [source])
        assert {comparable(str(value)) for value in answer.answer} == denotation(each, context.table)


def _as_shown(values: frozenset[str | float]) -> set[str | float]:
    """The numbers of groups as the engine writes them: `Bath | 33`."""
    return {value.removesuffix(".0") if isinstance(value, str) and " | " in value else value for value in values}


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        ("Who wrote Dracula?", "library", ("Bram Stoker",)),
        ("how many people work in finance?", "staff", (3,)),
        ("What is the average salary in Sales?", "staff", (57000,)),
        ("which department does lena fisher work in?", "staff", ("IT",)),
        ("Which mountain is the highest?", "mountains", ("Aconcagua",)),
    ],
)
def test_a_question_about_a_table_is_answered_without_an_llm(
    shelves: Store, question: str, source: str, answer: tuple[object, ...]
) -> None:
    given = shelves.ask(question, get_backend("demos"), [source])
    assert given.answer == answer
    assert given.evidence
    assert given.because
    assert "confidence" in given.because


def test_what_is_taken_for_granted_is_noted(shelves: Store) -> None:
    given = shelves.ask("which department does lena fisher work in?", get_backend("demos"), ["staff"])
    assert any("'lena fisher' is read as 'Lena Fischer'" in note for note in given.warnings)


def test_a_refusal_says_why_and_how_to_go_on(shelves: Store) -> None:
    given = shelves.ask("Who became the manager of Zaphod most recently?", get_backend("demos"), ["staff"])
    assert given.abstained
    assert "not understood without an LLM" in given.warnings[0]
    assert any("OPENAI_API_KEY" in note for note in given.warnings)


def test_several_tables_may_be_asked_at_once(shelves: Store) -> None:
    given = shelves.ask("Who wrote Dracula?", get_backend("demos"), ["staff", "library", "trains"])
    assert given.answer == ("Bram Stoker",)


def test_of_too_many_tables_the_likely_ones_are_asked_by_themselves(
    shelves: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cgstore.llm.backends.compose.MAX_TABLES", 2)
    tables = ["staff", "library", "trains"]
    given = shelves.ask("Who wrote Dracula?", get_backend("demos"), tables)
    assert given.answer == ("Bram Stoker",) and [each.name for each in given.chosen_sources] == ["library"]
    unlikely = shelves.ask("Which volcano erupted?", get_backend("demos"), tables)
    assert unlikely.abstained and "name those that you mean" in unlikely.warnings[0]


def test_no_encoder_is_loaded_for_a_table(shelves: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.embedding.encoder.load_encoder", lambda *_: pytest.fail("an encoder is loaded"))
    assert shelves.ask("Who wrote Dracula?", get_backend("demos"), ["library"]).answer == ("Bram Stoker",)
