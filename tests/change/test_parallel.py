"""Changes of facts with several statements: what the record of their source counts, and what exports give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import CgstoreError
from cgstore.store import Store
from tests.change.graph import counts

LOADED = [("Ann", "2020", "5"), ("Ann", "2021", "1"), ("Bob", "2021", "4")]


def rating(who: str, year: str, stars: str) -> str:
    qualifiers = {"year": year, "stars": stars}
    return json.dumps({"subject": who, "relation": "rated", "object": "Alien", "qualifiers": qualifiers})


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    load(store, tmp_path, "ratings", LOADED)
    return store


def load(store: Store, folder: Path, name: str, ratings: list[tuple[str, str, str]]) -> None:
    path = folder / "ratings.jsonl"
    path.write_text("".join(rating(*each) + "\n" for each in ratings))
    store.load_statements(path, name=name)


def exported(store: Store, folder: Path) -> list[dict[str, object]]:
    store.export("ratings", folder / "out.jsonl")
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_a_source_with_an_appended_statement_is_exported(store: Store, tmp_path: Path) -> None:
    store.append("ratings", [json.loads(rating("Ann", "2022", "3"))])
    found = [each["qualifiers"] for each in exported(store, tmp_path) if each["subject"] == "Ann"]
    assert found == [
        {"stars": "5", "year": "2020"},
        {"stars": "1", "year": "2021"},
        {"stars": "3", "year": "2022"},
    ]


def test_an_undone_upsert_of_statements_counts_as_before(store: Store, tmp_path: Path) -> None:
    store.append("ratings", [json.loads(rating("Ann", "2022", "3"))])
    before = counts(store.db, "ratings")
    store.upsert("ratings", [json.loads(rating("Ann", "2023", "2"))])
    store.undo("ratings")
    assert counts(store.db, "ratings") == before
    assert len(exported(store, tmp_path)) == 4


@pytest.mark.parametrize(
    ("new", "parallel"),
    [
        ([("Ann", "2022", "3")], 1),
        ([("Bob", "2022", "3")], 2),
        ([("Cy", "2022", "3"), ("Cy", "2023", "3")], 2),
    ],
)
def test_a_change_counts_parallel_facts_as_a_load_does(
    store: Store, tmp_path: Path, new: list[tuple[str, str, str]], parallel: int
) -> None:
    store.append("ratings", [json.loads(rating(*each)) for each in new])
    load(store, tmp_path, "expected", [*LOADED, *new])
    assert counts(store.db, "ratings") == counts(store.db, "expected")
    assert counts(store.db, "ratings")["parallel"] == parallel


def test_a_source_without_parallel_facts_any_more_counts_none(store: Store, tmp_path: Path) -> None:
    store.upsert("ratings", [json.loads(rating("Ann", "2020", "5"))])
    load(store, tmp_path, "expected", [LOADED[0], LOADED[2]])
    assert counts(store.db, "ratings") == counts(store.db, "expected")


def test_an_export_says_which_count_is_another(store: Store, tmp_path: Path) -> None:
    store.db.write("MATCH (s:CgSource {name: 'ratings'}) SET s.facts = 3")
    with pytest.raises(CgstoreError, match="'ratings' has 2 facts where its record counts 3"):
        store.export("ratings", tmp_path / "out.jsonl")
