"""Two processes that load, replace or drop one source at once: each is told of the other, and nothing is mixed."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cgstore.catalog import registry
from cgstore.catalog.kinds import KG
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError
from cgstore.loaders.load import LoadOptions, load_facts
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.writer import write
from cgstore.loaders.writer.target import Online
from cgstore.model import LoadReport
from cgstore.store import Store
from tests.moments import before_call, wait_until

LIKES = "get_information(head_entity='Ann', relation='likes')"


def _kg(folder: Path, *drinks: str) -> Path:
    path = folder / "kb.txt"
    path.write_text("".join(f"Ann|likes|{drink}\n" for drink in drinks))
    return path


def _load(db: Database, drink: str, meanwhile: Callable[[], object] = lambda: None) -> LoadReport:
    """Replaces `kb` by one fact, while something else happens: once the name is chosen, before anything is written."""

    def facts() -> Iterator[Statement]:
        yield Statement("Ann", "likes", drink)
        meanwhile()

    return load_facts(Online(db, replace=True), KG, "kb", Path("kb.txt"), facts(), LoadOptions())


def _while_writing(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[BaseException]:
    """Has something done while the next load writes its first batch; returns what that raised."""
    raised, begun = list[BaseException](), iter([True])

    def meanwhile() -> None:
        if next(begun, False):
            try:
                act()
            except CgstoreError as error:
                raised.append(error)

    before_call(monkeypatch, write, "relationship_rows", meanwhile)
    return raised


@pytest.mark.parametrize("drink", ["ale", "rum"])
def test_a_second_replacement_is_told_who_is_at_work(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drink: str
) -> None:
    store.load_kg(_kg(tmp_path, "tea"))
    raised = _while_writing(monkeypatch, lambda: _load(db, drink))  # other content, and the same
    _load(db, "rum")
    assert "is being replaced by process" in str(raised[0])
    assert store.query(LIKES).answer == ("rum",)


def test_a_replacement_is_told_of_a_plain_load_at_work(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = _while_writing(monkeypatch, lambda: _load(db, "rum"))
    store.load_kg(_kg(tmp_path, "tea"))
    assert "is being loaded by process" in str(raised[0])
    assert store.query(LIKES).answer == ("tea",)


@pytest.mark.parametrize("before", [True, False])
def test_who_was_overtaken_while_it_read_says_so(db: Database, store: Store, tmp_path: Path, before: bool) -> None:
    if before:
        store.load_kg(_kg(tmp_path, "tea"))
    with pytest.raises(BadInput, match="Another process loaded or replaced source 'kb'") as caught:
        _load(db, "ale", lambda: _load(db, "rum"))
    assert caught.value.hint == "Give the command again."
    assert store.query(LIKES).answer == ("rum",)
    _load(db, "ale")
    assert store.query(LIKES).answer == ("ale",)


def test_who_was_overtaken_by_the_same_content_changes_nothing(db: Database, store: Store, tmp_path: Path) -> None:
    store.load_kg(_kg(tmp_path, "tea"))
    assert _load(db, "rum", lambda: _load(db, "rum")).unchanged
    assert store.query(LIKES).answer == ("rum",)


def test_a_replacement_of_a_table_that_was_overtaken_says_so(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    store.load_table(path)
    monkeypatch.setattr(registry, "stored_name", lambda db, name, replace: f"{name}\x1e2")  # all chose one name
    path.write_text("a,b\n1,3\n")
    store.load_table(path, replace=True)
    path.write_text("a,b\n1,4\n")
    with pytest.raises(BadInput, match="Another process loaded or replaced source 't'"):
        store.load_table(path, replace=True)


def _leave(db: Database, name: str) -> None:
    """What a load of another content leaves whose process was killed."""
    dead = f"{socket.gethostname()} {2**22 + 1} gone"
    about = {"kind": "kg", "fingerprint": "other", "layout": write.layout(write.BATCH), "triples": 0, "nodes": 0}
    db.write(registry._CREATE, {"name": name, "owner": dead, "about": about, "lanes": 2})


@pytest.mark.parametrize("name", ["kb", "kb\x1e2"])
def test_what_a_dead_load_left_is_replaced(db: Database, store: Store, tmp_path: Path, name: str) -> None:
    if name != "kb":
        store.load_kg(_kg(tmp_path, "tea"))
    _leave(db, name)
    _load(db, "rum")
    assert store.query(LIKES).answer == ("rum",)
    assert len(store.sources()) == 1


def test_what_a_dead_load_left_is_replaced_by_a_table(db: Database, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    _leave(db, "t")
    with pytest.raises(BadInput, match="cut short"):
        store.load_table(path)
    assert not store.load_table(path, replace=True).unchanged
    assert [source.state for source in store.sources()] == ["ready"]


def test_a_leftover_that_came_to_life_is_not_removed(db: Database) -> None:
    _leave(db, "kb")
    owner = f"{socket.gethostname()} {os.getpid()} mine"
    registry._active.add(owner)
    try:
        db.write("MATCH (s:CgSource {name: 'kb'}) SET s.owner = $owner", {"owner": owner})
        with pytest.raises(BadInput, match="is being loaded by process"):
            write_over = Online(db, replace=True)
            write_over._with_room(["kb"], _in_the_way)
    finally:
        registry._active.discard(owner)
    assert db.read("MATCH (s:CgSource {name: 'kb'}) RETURN s.state AS state") == [{"state": "loading"}]


def _in_the_way() -> None:
    raise registry.SourceInTheWay("A load of source 'kb' was cut short.")


def test_a_drop_ends_a_replacement_at_work(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.load_kg(_kg(tmp_path, "tea"))
    _while_writing(monkeypatch, lambda: store.drop("kb"))
    with pytest.raises(CgstoreError, match="was dropped or taken over"):
        _load(db, "rum")
    assert store.sources() == []
    assert db.read("MATCH (n:CgNode) RETURN count(n) AS n") == [{"n": 0}]


def test_a_load_that_waits_for_its_indexes_is_alive(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats = "MATCH (s:CgSource {name: 'kb'}) RETURN s.beat AS beat"
    seen = []

    def slow(_: Database) -> None:
        first = db.read(beats)[0]["beat"]
        wait_until(lambda: db.read(beats)[0]["beat"] > first)
        seen.append(True)

    monkeypatch.setattr(registry, "BEAT", 0.05)
    monkeypatch.setattr(write.schema, "ensure_indexes", slow)
    store.load_kg(_kg(tmp_path, "tea"))
    assert seen == [True]
