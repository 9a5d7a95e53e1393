"""What a backend answers without an LLM service and what users said of an answer: `cgstore right`, `cgstore wrong`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.backends.judged import JudgedBackend
from cgstore.model import Answer
from cgstore.store import Store
from tests.known import Known

SHIPS = "Ship,Route,Sailors\nBela,North Line,20\nDena,South Line,30\nCora,North Line,40\n"
BOATS = "Ship,Route,Sailors\nDena,East Line,7\n"
QUESTION = "What is the route of the Dena?"
PROGRAMS = {QUESTION: "get_information(relation='Route', key='Ship', value='Dena')"}
OTHER_PROGRAM = "get_information(relation='Sailors', key='Ship', value='Dena')"


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "ships.csv").write_text(SHIPS, encoding="utf-8")
    (tmp_path / "boats.csv").write_text(BOATS, encoding="utf-8")
    store = Store(db)
    for name in ("ships", "boats"):
        store.load_table(tmp_path / f"{name}.csv", name=name)
    return store


def ask(store: Store, question: str = QUESTION, corrections: bool = True, source: str = "ships") -> Answer:
    backend = JudgedBackend(Known(PROGRAMS), store.db, corrections=corrections)
    return store.ask(question, backend, [source])


def test_an_answer_over_a_table_that_was_called_wrong_is_not_given_again(store: Store) -> None:
    first = ask(store)
    assert first.answer == ("South Line",)
    store.wrong(first, ["West Line"], sources=["ships"])
    again = ask(store, "what is the route of the DENA")
    assert again.abstained
    assert again.warnings == (
        "the answer found, 'South Line', was called wrong (`cgstore wrong`)",
        "What a user called right: 'West Line'.",
    )


def test_a_right_program_answers_its_question_over_a_table(store: Store) -> None:
    store.wrong(ask(store), program=OTHER_PROGRAM, sources=["ships"])
    again = ask(store)
    assert (again.answer, again.because) == (("30",), "the program that is kept as right for this question")


def test_what_was_said_of_one_source_does_not_hold_for_another(store: Store) -> None:
    store.wrong(ask(store), program=OTHER_PROGRAM, sources=["ships"])
    assert ask(store, source="boats").because != "the program that is kept as right for this question"


def test_without_corrections_an_answer_that_was_called_wrong_is_given(store: Store) -> None:
    store.wrong(ask(store), ["West Line"], sources=["ships"])
    assert ask(store, corrections=False).answer == ("South Line",)


def test_another_answer_than_the_one_called_wrong_has_a_note(store: Store) -> None:
    store.wrong(ask(store), ["West Line"], sources=["ships"])
    store.upsert("ships", [{"Ship": "Dena", "Route": "North Line", "Sailors": "30"}], ["Ship"])
    again = ask(store)
    assert again.answer == ("North Line",)
    assert "What a user called right: 'West Line'." in again.warnings
