"""Changes of facts with several statements: their triples, what the record of their source counts, and exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError
from cgstore.store import Store
from tests.change.graph import counts, triples

LOADED = [("Ann", "2020", "5"), ("Ann", "2021", "1"), ("Bob", "2021", "4")]


def rating(who: str, year: str, stars: str) -> dict[str, Any]:
    qualifiers = {"year": year, "stars": stars}
    return {"subject": who, "relation": "rated", "object": "Alien", "qualifiers": qualifiers}


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    load(store, tmp_path, "ratings", LOADED)
    return store


def load(store: Store, folder: Path, name: str, ratings: list[tuple[str, str, str]]) -> None:
    path = folder / "ratings.jsonl"
    path.write_text("".join(json.dumps(rating(*each)) + "\n" for each in ratings))
    store.load_statements(path, name=name)


def exported(store: Store, folder: Path) -> list[Any]:
    store.export("ratings", folder / "out.jsonl")
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("new", "parallel"),
    [
        ([("Ann", "2022", "3")], 1),
        ([("Bob", "2022", "3")], 2),
        ([("Cy", "2022", "3"), ("Cy", "2023", "3")], 2),
    ],
)
def test_appended_statements_are_like_those_of_a_load_and_undone(
    store: Store, tmp_path: Path, new: list[tuple[str, str, str]], parallel: int
) -> None:
    before = triples(store.db, "ratings"), counts(store.db, "ratings")
    store.append("ratings", [rating(*each) for each in new])
    load(store, tmp_path, "expected", [*LOADED, *new])
    assert triples(store.db, "ratings") == triples(store.db, "expected")
    assert counts(store.db, "ratings") == counts(store.db, "expected")
    assert counts(store.db, "ratings")["parallel"] == parallel
    store.undo("ratings")
    assert (triples(store.db, "ratings"), counts(store.db, "ratings")) == before


def test_an_appended_statement_is_exported_and_an_undone_upsert_is_not(store: Store, tmp_path: Path) -> None:
    store.append("ratings", [rating("Ann", "2022", "3")])
    store.upsert("ratings", [rating("Ann", "2023", "2")])
    store.undo("ratings")
    assert [each["qualifiers"] for each in exported(store, tmp_path) if each["subject"] == "Ann"] == [
        {"stars": "5", "year": "2020"},
        {"stars": "1", "year": "2021"},
        {"stars": "3", "year": "2022"},
    ]


def test_a_source_without_parallel_facts_any_more_counts_none(store: Store, tmp_path: Path) -> None:
    store.upsert("ratings", [rating("Ann", "2020", "5")])
    load(store, tmp_path, "expected", [LOADED[0], LOADED[2]])
    assert counts(store.db, "ratings") == counts(store.db, "expected")


def test_an_export_says_which_count_is_another(store: Store, tmp_path: Path) -> None:
    store.db.write("MATCH (s:CgSource {name: 'ratings'}) SET s.facts = 3")
    with pytest.raises(CgstoreError, match="'ratings' has 2 facts where its record counts 3"):
        store.export("ratings", tmp_path / "out.jsonl")


def test_statements_take_no_times(store: Store) -> None:
    with pytest.raises(BadInput, match="Fact 1: 'start' is not a part of a fact"):
        store.append("ratings", [("Ann", "rated", "Brazil", "2001", "2002")])
