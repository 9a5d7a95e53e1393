"""Ranks, written with what the language has ("Ranks" of the language page), against a real Neo4j."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe

SCORERS = "player,club,goals\nAnn,Ulm,9\nBob,Bonn,7\nCy,Ulm,7\nDi,Kiel,4\nEd,Bonn,\n"
RANKS = "Query2: for_each(set='output_of_query1', value=add(count(keep(set='output_of_query1', value>each)), '1'))\n"
THIRD = "nth(set=sort(set={}, order='descending'), n='3')"


def ranks_by(column: str, then: str = "") -> str:
    """A program that ranks the values of a column by their goals."""
    return f"Query1: group(by='{column}', of='goals', function='sum')\n{RANKS}{then}"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("ranks") / "scorers.csv"
    path.write_text(SCORERS, encoding="utf-8")
    store = Store(shared_db)
    store.load_table(path)
    return store


@pytest.mark.parametrize(
    ("program", "rows"),
    [
        (ranks_by("player"), (("Ann", 1), ("Bob", 2), ("Cy", 2), ("Di", 4))),
        (ranks_by("player", "Query3: keep(set='output_of_query2', value='Cy')"), (("Cy", 2),)),
        (ranks_by("player", "Query3: keep(set='output_of_query2', value='2')"), (("Bob", 2), ("Cy", 2))),
        (ranks_by("club"), (("Bonn", 2), ("Kiel", 3), ("Ulm", 1))),
        (THIRD.format("group(by='club', of='goals', function='sum')"), (("Kiel", 4),)),
    ],
)
def test_the_rank_is_the_number_of_those_that_have_more_plus_one(
    store: Store, program: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    assert store.query(program).rows == rows


def test_what_has_no_number_has_no_rank_and_a_note_says_so(store: Store) -> None:
    answer = store.query(ranks_by("player", "Query3: keep(set='output_of_query2', value='Ed')"))
    assert answer.answer == ()
    assert "Query 1: 1 group has no number: left out." in " ".join(answer.warnings)


def test_the_third_largest_value_is_at_the_third_place_of_a_sort(store: Store) -> None:
    assert store.query(THIRD.format("get_information(relation='goals')")).answer == ("4",)
