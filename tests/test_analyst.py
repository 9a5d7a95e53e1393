"""The questions of `benchmarks/analyst`: each is answered right by its program, but for those named here."""

from __future__ import annotations

import json

import pytest

from benchmarks.analyst import FOLDER
from benchmarks.analyst.check import checked, records
from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe

WRONG = {
    "a02": "'Web' and 'web' are two values of a column",
}
"""Questions whose program does not give the gold answer, and why."""


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
    wrong = {question["id"]: str(answer) for question, answer, right in checked(store) if not right}
    assert wrong.keys() == WRONG.keys()
