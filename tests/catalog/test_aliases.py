from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cgstore.catalog import registry
from cgstore.catalog.snapshot import FIND_ALIASES, names_meant
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.store import Store
from cgstore.text.names import normal_form
from tests.moments import before_call, before_statement, raising

PAIRS = (
    "JFK\tJohn F. Kennedy\njfk\tJFK Airport\nJ.F.K.\tJohn F. Kennedy\nBush\tGeorge W. Bush\nBush\tGeorge H. W. Bush\n"
)


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    load(store, tmp_path, PAIRS)
    return store


def load(store: Store, folder: Path, text: str, name: str = "people", **options: Any) -> None:
    path = folder / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    store.load_aliases(path, name=name, header=False, **options)


def aliases(db: Database, texts: list[str]) -> dict[str, tuple[str, ...]]:
    """The names that each text stands for, in one round trip."""
    found = db.read(f"{FIND_ALIASES}RETURN aliases", {"said": sorted(set(map(normal_form, texts)))})
    return names_meant(texts, found[0]["aliases"])


def test_an_alias_is_found_letter_by_letter(store: Store) -> None:
    assert aliases(store.db, ["JFK", "jfk"]) == {"JFK": ("John F. Kennedy",), "jfk": ("JFK Airport",)}


def test_else_by_its_normal_form(store: Store) -> None:
    assert aliases(store.db, ["Jfk"]) == {"Jfk": ("JFK Airport", "John F. Kennedy")}
    assert aliases(store.db, ["j-f k"]) == {"j-f k": ("John F. Kennedy",)}


def test_an_alias_of_several_has_all_their_names(store: Store) -> None:
    assert aliases(store.db, ["Bush"]) == {"Bush": ("George H. W. Bush", "George W. Bush")}


def test_a_text_that_is_no_alias_has_none(store: Store) -> None:
    assert aliases(store.db, ["John F. Kennedy", ""]) == {"John F. Kennedy": (), "": ()}
    assert aliases(store.db, []) == {}


def test_of_a_long_alias_every_letter_counts(store: Store, tmp_path: Path) -> None:
    long = "x" * 5000
    load(store, tmp_path, f"{long}a\tA\n{long}b\tB\n", "long")
    assert aliases(store.db, [f"{long}a", f"{long}c"]) == {f"{long}a": ("A",), f"{long}c": ("A", "B")}


def test_a_pair_of_several_sources_counts_once(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "Bush\tGeorge W. Bush\nBush\tKate Bush\n", "more")
    assert aliases(store.db, ["Bush"])["Bush"] == ("George H. W. Bush", "George W. Bush", "Kate Bush")


def test_only_sources_that_are_ready_count(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        before_call(patch, registry, "finish", raising(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            load(store, tmp_path, "Ike\tDwight D. Eisenhower\n", "more")
        assert aliases(store.db, ["Ike"]) == {"Ike": ()}
        with pytest.raises(KeyboardInterrupt):
            load(store, tmp_path, "Ike\tDwight D. Eisenhower\n", replace=True)
        assert aliases(store.db, ["Ike", "JFK"]) == {"Ike": (), "JFK": ("John F. Kennedy",)}
    load(store, tmp_path, "Ike\tDwight D. Eisenhower\n", replace=True)
    assert aliases(store.db, ["Ike", "JFK"]) == {"Ike": ("Dwight D. Eisenhower",), "JFK": ()}


def test_a_source_being_dropped_does_not_count(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before_statement(monkeypatch, "DELETE a", raising(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store.drop("people")
    assert aliases(store.db, ["JFK"]) == {"JFK": ()}


def test_it_takes_one_round_trip(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    read, statements = store.db.read, []

    def noting(statement: str, *arguments: Any, **options: Any) -> Any:
        statements.append(statement)
        return read(statement, *arguments, **options)

    monkeypatch.setattr(store.db, "read", noting)
    aliases(store.db, ["JFK", "Bush", "nobody"])
    assert len(statements) == 1


def test_aliases_and_their_sources_are_sought_by_index(store: Store) -> None:
    with store.db.session() as session:
        plan = session.run(f"EXPLAIN {FIND_ALIASES}RETURN aliases", forms=["jfk"]).consume().plan
    assert plan is not None
    leaves = [(kind, details) for kind, details, children in _operators(plan) if not children]
    assert any(kind == "NodeIndexSeek" and "a:CgAlias(normal)" in details for kind, details in leaves)
    assert any(kind == "NodeUniqueIndexSeek" and "s:CgSource(name)" in details for kind, details in leaves)
    assert not [kind for kind, _, _ in _operators(plan) if "Scan" in kind or "Join" in kind]


def _operators(plan: dict[str, Any]) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    children = plan.get("children", [])
    yield plan["operatorType"].split("@")[0], plan["args"].get("Details", ""), children
    for child in children:
        yield from _operators(child)


def test_a_graph_of_before_there_were_aliases_has_none(store: Store) -> None:
    store.drop("people")
    store.db.write("DROP INDEX cg_alias_normal")
    try:
        assert aliases(store.db, ["JFK"]) == {"JFK": ()}
    finally:
        store.db.has_indexes = False
        schema.ensure_indexes(store.db)
