"""`--replace`: the new version of a source takes the place of the old one in one step, as readers see it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cgstore.ask.run import QueryEngine
from cgstore.catalog import registry
from cgstore.cypher.connection import Database
from cgstore.errors import CgstoreError
from cgstore.loaders.writer import write
from cgstore.store import Store
from tests.loaders.samples import many_facts, write_csv
from tests.moments import before_call, before_statement, raising

OLD, NEW = "Ann|likes|tea\nAnn|likes|milk\n", "Ann|likes|rum\nAnn|likes|gin\n"
LIKES = "get_information(head_entity='Ann', relation='likes')"


def _write(folder: Path, text: str) -> Path:
    path = folder / "kb.txt"
    path.write_text(text)
    return path


def test_readers_see_the_old_version_until_the_new_one_is_whole(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.load_kg(_write(tmp_path, OLD))
    seen: dict[str, set[object]] = {"before a batch": set(), "after the last one": set()}

    def look(when: str) -> Callable[[], None]:
        return lambda: seen[when].add(store.query(LIKES).answer)

    before_call(monkeypatch, write, "relationship_rows", look("before a batch"))
    before_call(monkeypatch, registry, "finish", look("after the last one"))
    store.load_kg(_write(tmp_path, NEW), replace=True)
    assert seen == {when: {("milk", "tea")} for when in seen}
    assert store.query(LIKES).answer == ("gin", "rum")


def test_every_reader_sees_one_version_whole_while_they_are_swapped(db: Database, store: Store, tmp_path: Path) -> None:
    store.load_kg(_write(tmp_path, OLD))
    seen, over = set(), threading.Event()

    def read() -> None:
        while not over.is_set():
            seen.add(store.query(LIKES).answer)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for text in (NEW, OLD) * 3:
        store.load_kg(_write(tmp_path, text), replace=True)
    over.set()
    for reader in readers:
        reader.join()
    assert seen == {("milk", "tea"), ("gin", "rum")}


@pytest.mark.parametrize("removals", [0, 1])  # of nodes, before the interrupt: the shared ones, then the source's own
def test_a_drop_of_the_old_version_that_is_cut_short_is_finished_by_the_next_load(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, removals: int
) -> None:
    store.load_kg(_write(tmp_path, OLD))
    with monkeypatch.context() as patch:
        before_statement(patch, "DELETE n", raising(KeyboardInterrupt, after=removals))
        with pytest.raises(KeyboardInterrupt):
            store.load_kg(_write(tmp_path, NEW), replace=True)
    assert store.query(LIKES).answer == ("gin", "rum")
    assert store.load_kg(_write(tmp_path, NEW), replace=True).unchanged
    assert len(db.read("MATCH (s:CgSource) RETURN s.name AS name")) == 1
    assert db.read("MATCH (n:CgNode {key: 'tea'}) RETURN n.key AS key") == []


def test_a_large_source_is_replaced_while_another_loads(db: Database, store: Store, tmp_path: Path) -> None:
    old, new = (write_csv(tmp_path / f"{n}.csv", many_facts(count)) for n, count in (("old", 900), ("new", 1000)))
    store.load_tkg(old, name="kg")
    other = threading.Thread(target=lambda: store.load_tkg(old, name="other"))
    other.start()
    report = store.load_tkg(new, name="kg", replace=True)
    other.join()
    assert {source.name: source.triples for source in store.sources()}["kg"] == report.triples
    for row in db.read("MATCH (s:CgSource) RETURN s.name AS name, s.stored AS n"):
        found = db.read(
            "MATCH ()-[r:CG_HAS|CG_VALUE|CG_PERIOD]->() WHERE r.source = $name RETURN count(r) AS n",
            {"name": row["name"]},
        )
        assert found == [{"n": row["n"]}]


def test_a_query_of_a_source_that_goes_away_meanwhile_is_not_answered(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.load_kg(_write(tmp_path, OLD))
    compiled = store.compile(LIKES)
    store.drop("kb")
    monkeypatch.setattr(QueryEngine, "compile", lambda *_, **__: compiled)
    with pytest.raises(CgstoreError, match="dropped or changed"):
        store.query(LIKES)
