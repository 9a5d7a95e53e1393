"""Time constraints over a graph: relations that no fact has."""

from __future__ import annotations

from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.store import Store
from tests.query.corpus import load


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    return load(shared_db, "jobs")


def asked(store: Store, sexpr: str, **options: Any) -> Answer:
    return store.query(sexpr, ["jobs"], lang="sexpr", **options)


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
