"""Other names of nodes: which names a text stands for, of the sources that are ready."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cgstore.catalog import registry
from cgstore.catalog.snapshot import FIND_ALIASES, names_meant
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.store import Store
from cgstore.text.names import normal_form
from tests.cypher.test_plans import assert_only_seeks
from tests.moments import before_call, before_statement, raising

PAIRS = (
    "JFK\tJohn F. Kennedy\njfk\tJFK Airport\nJ.F.K.\tJohn F. Kennedy\nBush\tGeorge W. Bush\nBush\tGeorge H. W. Bush\n"
)
LONG = "x" * 5000


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    load(store, tmp_path, PAIRS)
    return store


def load(store: Store, folder: Path, text: str, name: str = "people", **options: Any) -> None:
    path = folder / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    store.load_aliases(path, name=name, header=False, **options)


def aliases(db: Database, *texts: str) -> dict[str, tuple[str, ...]]:
    """The names that each text stands for, in one round trip."""
    found = db.read(f"{FIND_ALIASES}RETURN aliases", {"said": sorted(set(map(normal_form, texts)))})
    return names_meant(texts, found[0]["aliases"])


def test_an_alias_is_found_letter_by_letter_else_by_its_normal_form(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, f"{LONG}a\tA\n{LONG}b\tB\n", "long")
    expected = {
        "JFK": ("John F. Kennedy",),
        "jfk": ("JFK Airport",),
        "Jfk": ("JFK Airport", "John F. Kennedy"),
        "j-f k": ("John F. Kennedy",),
        "Bush": ("George H. W. Bush", "George W. Bush"),
        "John F. Kennedy": (),
        "": (),
        f"{LONG}a": ("A",),
        f"{LONG}c": ("A", "B"),
    }
    assert aliases(store.db, *expected) == expected
    assert aliases(store.db) == {}


def test_a_pair_of_several_sources_counts_once(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "Bush\tGeorge W. Bush\nBush\tKate Bush\n", "more")
    assert aliases(store.db, "Bush")["Bush"] == ("George H. W. Bush", "George W. Bush", "Kate Bush")


def test_only_sources_that_are_ready_count(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        before_call(patch, registry, "finish", raising(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            load(store, tmp_path, "Ike\tDwight D. Eisenhower\n", "more")
        assert aliases(store.db, "Ike") == {"Ike": ()}
        with pytest.raises(KeyboardInterrupt):
            load(store, tmp_path, "Ike\tDwight D. Eisenhower\n", replace=True)
        assert aliases(store.db, "Ike", "JFK") == {"Ike": (), "JFK": ("John F. Kennedy",)}
    load(store, tmp_path, "Ike\tDwight D. Eisenhower\n", replace=True)
    assert aliases(store.db, "Ike", "JFK") == {"Ike": ("Dwight D. Eisenhower",), "JFK": ()}


def test_a_source_being_dropped_does_not_count(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before_statement(monkeypatch, "DELETE a", raising(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store.drop("people")
    assert aliases(store.db, "JFK") == {"JFK": ()}


def test_aliases_and_their_sources_are_sought_by_index(store: Store) -> None:
    assert_only_seeks(store.db, f"{FIND_ALIASES}RETURN aliases", {"said": ["jfk"]})


def test_a_graph_of_before_there_were_aliases_has_none(store: Store) -> None:
    store.drop("people")
    store.db.write("DROP INDEX cg_alias_normal")
    try:
        assert aliases(store.db, "JFK") == {"JFK": ()}
    finally:
        store.db.has_indexes = False
        schema.ensure_indexes(store.db)
