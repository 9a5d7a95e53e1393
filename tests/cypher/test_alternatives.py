"""Many readings of a program in one statement: the first one that answers is found."""

from __future__ import annotations

import pytest

from cgstore.cypher.alternatives import alternative, first_answering
from cgstore.cypher.connection import Database
from tests.query.corpus import load
from tests.rule_cases import ASKED, plan_of


def spouse_of(head: str) -> str:
    return f"get_information(head_entity='{head}', relation='spouse')"


CY, ANN = spouse_of("Cy"), spouse_of("Ann")


@pytest.fixture(scope="module")
def world(shared_db: Database) -> Database:
    """A database with the source `world`, in which Ann has a spouse and Cy has none."""
    return load(shared_db, "world").db


@pytest.mark.parametrize(
    ("programs", "place", "statements"),
    [
        ([CY, ANN, ANN], 1, 1),
        (["get_information(head_entity='Bo')", ANN, "get_information(head_entity='Ann')"], 1, 2),
        ([CY], None, 1),
        ([f"count(set={CY})", f"count(set={ANN})"], 1, 1),
    ],
    ids=["one text", "several texts", "none answers", "a count of nothing is no answer"],
)
def test_the_first_reading_that_answers_is_found_by_one_statement_for_each_text(
    world: Database, programs: list[str], place: int | None, statements: int
) -> None:
    readings = [alternative(plan_of(program, ASKED), ASKED) for program in programs]
    found, tried = first_answering(world, readings, 10.0)
    assert (found, len(tried)) == (place, statements)
