"""Programs run on what earlier ones found, and answer as if everything had been looked up for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cgstore.catalog.snapshot import LOOK_UP_NAMES, MAX_TEXTS, SnapshotCache, read_snapshot
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.store import Store

AGE = "get_information(head_entity='{}', relation='age')"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.csv"


@pytest.fixture
def store(db: Database, path: Path) -> Store:
    store = Store(db)
    load(store, path, "Ann,age,30\nBób,age,41\nCleo,knows,Ann\n")
    return store


def load(store: Store, path: Path, text: str, **options: Any) -> None:
    path.write_text(text, encoding="utf-8")
    store.load_kg(path, header=False, **options)


@pytest.fixture
def trips(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that are read from now on."""
    statements: list[str] = []
    read = store.db.read

    def noting(statement: str, *args: Any, **options: Any) -> Any:
        statements.append(statement)
        return read(statement, *args, **options)

    monkeypatch.setattr(store.db, "read", noting)
    return statements


@pytest.mark.parametrize("sources", [None, ["people"]])
def test_a_program_of_names_asked_before_takes_one_trip(
    store: Store, trips: list[str], sources: list[str] | None
) -> None:
    store.query(AGE.format("Ann"), sources)
    assert len(trips) == 2
    store.query(f"count(set={AGE.format('Ann')})", sources)
    assert len(trips) == 3
    assert store.query("get_information(head_entity='Cleo', relation='knows')", sources).answer == ("Ann",)
    assert trips[3:-1] == [LOOK_UP_NAMES]


def test_a_name_in_other_letters_takes_one_trip_the_second_time(store: Store, trips: list[str]) -> None:
    store.query(AGE.format("Ann"))
    trips.clear()
    first = store.query(AGE.format("bob"))
    assert trips[:-1] == [LOOK_UP_NAMES]
    assert store.query(AGE.format("bob")).mappings == first.mappings
    assert len(trips) == 3
    assert first.answer == ("41",)


def test_a_name_that_is_nowhere_is_refused_as_at_first(store: Store) -> None:
    store.query(AGE.format("Ann"))
    for _ in range(2):
        with pytest.raises(UnmappedName, match="no entity is named 'Dora'"):
            store.query(AGE.format("Dora"))
        with pytest.raises(UnmappedName, match="no relation is named 'height'"):
            store.query("get_information(head_entity='Ann', relation='height')")


HEIGHT = "get_information(head_entity='Ann', relation='height')"


@pytest.mark.parametrize(
    ("before", "name", "loaded", "after", "answer"),
    [
        (AGE.format("Ann"), "more.csv", "Ann,age,31\n", AGE.format("Ann"), ("30", "31")),
        (AGE.format("Ann"), "more.csv", "Ann,height,170\n", HEIGHT, ("170",)),
        (AGE.format("ann"), "more.csv", "ann,age,7\n", AGE.format("ann"), ("7",)),
        (AGE.format("Ann"), "people.csv", "Ann,age,50\n", AGE.format("Ann"), ("50",)),
    ],
    ids=["a source", "a relation", "another spelling", "another version"],
)
def test_what_another_process_loaded_meanwhile_counts(
    store: Store, path: Path, before: str, name: str, loaded: str, after: str, answer: tuple[str, ...]
) -> None:
    store.query(before)
    load(Store(store.db), path.with_name(name), loaded, replace=True)
    assert store.query(after).answer == answer


def test_a_source_dropped_meanwhile_is_not_answered_from_until_it_is_loaded_again(store: Store, path: Path) -> None:
    store.query(AGE.format("Ann"), ["people"])
    other = Store(store.db)
    other.drop("people")
    with pytest.raises(BadInput, match="no source 'people'"):
        store.query(AGE.format("Ann"), ["people"])
    load(other, path, "Ann,age,50\nann,age,51\n")
    assert store.query(AGE.format("ANN"), ["people"]).answer == ("50", "51")


def test_a_source_of_an_older_format_is_refused(store: Store, path: Path) -> None:
    store.db.write("MATCH (s:CgSource) SET s.format = null")
    with pytest.raises(BadInput, match="'people' was loaded by another version"):
        store.query(AGE.format("Ann"))
    with pytest.raises(BadInput, match="'people' was loaded by another version"):
        store.load_kg(path, header=False)
    store.load_kg(path, header=False, replace=True)
    assert store.query(AGE.format("Ann")).answer == ("30",)


def test_the_memory_of_names_and_aliases_is_bounded(store: Store) -> None:
    memory, many = SnapshotCache(), [f"name {number}" for number in range(MAX_TEXTS)]
    memory.keep(read_snapshot(store.db, many, None, many), None)
    memory.keep(read_snapshot(store.db, ["Ann"], None, ["Ann"]), None)
    for name, alias, remembered in (("Ann", "Ann", True), ("name 0", "Ann", False), ("Ann", "name 0", False)):
        recalled = memory.recall(store.db, [name], None, [alias])
        assert recalled is not None and recalled.is_remembered is remembered
