"""What is loaded already is not loaded again, unless its file has changed or it is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.evaluate.benchmarks import sources
from cgstore.store import Store

SOURCE = "eval/films"


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.txt"
    path.write_text("Brass Lamp|directed_by|Ida Moor\n", encoding="utf-8")
    return path


def _load(db: Database, path: Path) -> list[str]:
    """Loads the file if need be; what was loaded."""
    store, calls = Store(db), []

    def load(sources: list[str]) -> None:
        calls.extend(sources)
        store.load_kg(path, name=SOURCE, replace=True)

    sources.load_changed(store, {SOURCE: path.read_bytes()}, load)
    return calls


def test_an_unchanged_source_is_loaded_once(db: Database, films: Path) -> None:
    assert _load(db, films) == [SOURCE]
    assert _load(db, films) == []


def test_a_changed_file_is_loaded_again(db: Database, films: Path) -> None:
    _load(db, films)
    films.write_text("Clay Road|directed_by|Ida Moor\n", encoding="utf-8")
    assert _load(db, films) == [SOURCE]
    assert Store(db).query("get_information(relation='directed_by', tail_entity='Ida Moor')").answer == ("Clay Road",)


def test_a_source_that_is_gone_is_loaded_again(db: Database, films: Path) -> None:
    _load(db, films)
    Store(db).drop(SOURCE)
    assert _load(db, films) == [SOURCE]


def test_a_source_with_other_content_is_loaded_again(db: Database, films: Path, tmp_path: Path) -> None:
    _load(db, films)
    other = tmp_path / "other.txt"
    other.write_text("Deep Fen|directed_by|Tom Reed\n", encoding="utf-8")
    Store(db).load_kg(other, name=SOURCE, replace=True)
    assert _load(db, films) == [SOURCE]


def test_other_code_of_the_loaders_loads_again(db: Database, films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _load(db, films)
    monkeypatch.setattr(sources, "loader_code", lambda: b"other")
    assert _load(db, films) == [SOURCE]


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_damaged_cache_costs_time_only(db: Database, films: Path, content: str) -> None:
    cache = sources.cache_folder() / sources.FILE
    cache.parent.mkdir()
    cache.write_text(content, encoding="utf-8")
    assert _load(db, films) == [SOURCE]
    assert _load(db, films) == []
