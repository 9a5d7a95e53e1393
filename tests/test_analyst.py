"""The questions of `benchmarks/analyst`: each is answered right by its program."""

from __future__ import annotations

import json

import pytest

from benchmarks.analyst import FOLDER
from benchmarks.analyst.check import checked, records
from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_table([FOLDER / f"{name}.csv" for name in ("shops", "staff", "orders")], footnotes=False)
    return store


def test_the_gold_answers_are_those_of_pandas() -> None:
    pytest.importorskip("pandas")
    from benchmarks.analyst.gold import answers

    assert records(FOLDER / "questions.jsonl") == json.loads(json.dumps(answers()))


def test_each_question_is_answered_right_by_its_program(store: Store) -> None:
    assert {question["id"]: str(answer) for question, answer, right in checked(store) if not right} == {}
