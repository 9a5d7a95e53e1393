"""Many readings of a program in one statement: planned by seeks, and the first one that answers is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cgstore.cypher.alternatives import Alternative, alternative, first_answering
from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe
from tests.cypher.test_plans import CASES, assert_only_seeks
from tests.rule_cases import ASKED, TABLE, TABLE_PROGRAMS, plan_of
from tests.share import share

FACTS = "Ann\tspouse\tBo\t1990\t1995\nAnn\temployer\tSorbonne\t1991\t1992\nCy\temployer\tBell\t1980\t1981\n"


@pytest.fixture(scope="module")
def indexed(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("trial") / "world.tsv"
    path.write_text(FACTS)
    Store(shared_db).load_tkg(path, name="world", header=False)
    yield shared_db


@pytest.mark.parametrize("name", share(sorted(CASES), 3))
def test_readings_are_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    assert_planned(indexed, alternative(plan_of(CASES[name], ASKED), ASKED))


@pytest.mark.parametrize("name", sorted(TABLE_PROGRAMS))
def test_readings_over_a_table_are_planned_by_index_seek(indexed: Database, name: str) -> None:
    assert_planned(indexed, alternative(plan_of(TABLE_PROGRAMS[name], TABLE), TABLE))


def assert_planned(db: Database, each: Alternative) -> None:
    assert "$p" not in each.text
    assert_only_seeks(db, each.text, {**each.shared, "readings": [{"place": 0, **each.own}]})


def readings(*programs: str) -> list[Alternative]:
    return [alternative(plan_of(program, ASKED), ASKED) for program in programs]


def spouse_of(head: str) -> str:
    return f"get_information(head_entity='{head}', relation='spouse')"


def test_the_first_reading_that_answers_is_found_by_one_statement(indexed: Database) -> None:
    place, tried = first_answering(indexed, readings(spouse_of("Cy"), spouse_of("Ann"), spouse_of("Ann")), 10.0)
    assert (place, len(tried)) == (1, 1)


def test_readings_of_several_texts_are_run_by_a_statement_each(indexed: Database) -> None:
    texts = ("get_information(head_entity='Bo')", spouse_of("Ann"), "get_information(head_entity='Ann')")
    place, tried = first_answering(indexed, readings(*texts), 10.0)
    assert (place, len(tried)) == (1, 2)


def test_where_no_reading_answers_there_is_none(indexed: Database) -> None:
    assert first_answering(indexed, readings(spouse_of("Cy")), 10.0)[0] is None


def test_a_count_of_nothing_is_no_answer(indexed: Database) -> None:
    programs = [f"count(set={spouse_of(name)})" for name in ("Cy", "Ann")]
    assert first_answering(indexed, readings(*programs), 10.0)[0] == 1
