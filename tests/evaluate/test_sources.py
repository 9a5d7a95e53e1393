"""What is loaded already is not loaded again, unless its file has changed or it is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.evaluate.benchmarks import sources
from cgstore.store import Store

SOURCE = "eval/films"
LAMP, ROAD, FEN = (f"{film}|directed_by|Ida Moor\n" for film in ("Brass Lamp", "Clay Road", "Deep Fen"))


def load(db: Database, path: Path, text: str) -> bool:
    """Loads a file of this text if need be; whether it was loaded."""
    store, calls = Store(db), []
    path.write_text(text, encoding="utf-8")

    def load(sources: list[str]) -> None:
        calls.extend(sources)
        store.load_kg(path, name=SOURCE, replace=True)

    sources.load_changed(store, {SOURCE: path.read_bytes()}, load)
    return calls == [SOURCE]


def test_a_source_is_loaded_once_and_again_where_something_has_changed(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, path = Store(db), tmp_path / "films.txt"
    assert [load(db, path, LAMP), load(db, path, LAMP)] == [True, False]
    assert load(db, path, ROAD)  # another file
    assert store.query("get_information(relation='directed_by', tail_entity='Ida Moor')").answer == ("Clay Road",)
    store.drop(SOURCE)
    assert load(db, path, ROAD)  # it is gone
    path.write_text(FEN, encoding="utf-8")
    store.load_kg(path, name=SOURCE, replace=True)
    assert load(db, path, ROAD)  # somebody replaced it
    monkeypatch.setattr(sources, "loader_code", lambda: b"other")
    assert load(db, path, ROAD)  # other loaders


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_damaged_cache_costs_time_only(db: Database, tmp_path: Path, own_cache: Path, content: str) -> None:
    own_cache.mkdir(exist_ok=True)
    (own_cache / sources.FILE).write_text(content, encoding="utf-8")
    assert [load(db, tmp_path / "films.txt", LAMP) for _ in range(2)] == [True, False]
