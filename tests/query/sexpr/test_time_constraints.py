"""Time constraints over a graph: relations that no fact has."""

from __future__ import annotations

from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

FACTS = """\
Ada|person.job|m.job1
Ada|person.job|m.job2
m.job1|job.from|1990-01-01
m.job1|job.to|1995-06-30
m.job2|job.from|1996-01-01
m.job1|job.title|editor
m.job2|job.title|actor
m.job1|trial.to|1991-01-01
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("jobs") / "jobs.txt"
    path.write_text(FACTS, encoding="utf-8")
    store = Store(shared_db)
    store.load_kg(path, header=False, delimiter="|")
    return store


def asked(store: Store, sexpr: str, **options: Any) -> Answer:
    return store.query(sexpr, lang="sexpr", **options)


@pytest.mark.parametrize("options", [{}, {"exact": True}, {"retrieve": True}])
def test_a_relation_that_no_fact_has_holds_for_all_with_a_note(store: Store, options: dict[str, Any]) -> None:
    answer = asked(store, "(TC (JOIN (R person.job) Ada) marriage.from 1990)", **options)
    assert set(answer.answer) == {"m.job1", "m.job2"}
    for relation in ("marriage.from", "marriage.to"):
        note = f"No fact has the relation '{relation}', so the time constraint holds for all by it."
        assert note in answer.warnings


def test_each_half_of_a_constraint_holds_for_itself(store: Store) -> None:
    answer = asked(store, "(TC (JOIN (R person.job) Ada) trial.from 1992)", exact=True)
    assert answer.answer == ("m.job2",)
    assert any("'trial.from'" in each for each in answer.warnings)


def test_a_near_relation_is_taken_before_a_constraint_holds_for_all(store: Store) -> None:
    answer = asked(store, "(TC (JOIN (R person.job) Ada) jobs.from 1992)")
    assert answer.answer == ("m.job1",)
    assert any("the nearest was taken: 'job.from'" in each for each in answer.warnings)


@pytest.mark.parametrize(
    "sexpr", ["(JOIN marriage.from 1990)", "(OR (JOIN marriage.from 1990) (TC Ada marriage.from 1990))"]
)
def test_any_other_relation_must_be_there(store: Store, sexpr: str) -> None:
    with pytest.raises(UnmappedName, match=r"no relation is named 'marriage.from'"):
        asked(store, sexpr, exact=True)
