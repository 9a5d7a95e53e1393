from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.catalog import sources
from cgstore.catalog.sources import drop_source, list_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.tkg import load_tkg
from cgstore.model import SourceState
from cgstore.store import Store
from tests.loaders.samples import everything, many_facts, stored, write_csv
from tests.moments import before_statement, raising


def test_dropping_a_source_leaves_the_graph_as_if_it_had_never_been(db: Database, tmp_path: Path) -> None:
    load_tkg(db, write_csv(tmp_path / "one.csv", many_facts(40)))
    before = everything(db)
    load_tkg(
        db, write_csv(tmp_path / "two.csv", [("head 1", "born", "Ulm", "1900", "1900"), ("x", "y", "z", "1", "9")])
    )
    report = drop_source(db, "two")
    # Shared with the other source: `head 1` and the year 1900.
    assert (report.relationships, report.kept, report.nodes) == (2 * 5, 2, 7 + 3)
    assert everything(db) == before
    assert [source.name for source in list_sources(db)] == ["one"]


def test_dropping_an_unknown_source_names_those_that_are_there(db: Database, tmp_path: Path) -> None:
    load_tkg(db, write_csv(tmp_path / "one.csv", many_facts(1)))
    with pytest.raises(BadInput, match="no source 'two'") as caught:
        drop_source(db, "two")
    assert "one" in (caught.value.hint or "")


def test_a_drop_that_was_cut_short_goes_on(db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_csv(tmp_path / "one.csv", many_facts(200))
    triples = load_tkg(db, path).triples
    with monkeypatch.context() as patch:
        patch.setattr(sources, "BATCH", 100)
        before_statement(patch, "DELETE n", raising(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            drop_source(db, "one")
    assert len(stored(db, "one")) == triples - 100
    assert list_sources(db)[0].state is SourceState.DROPPING
    with pytest.raises(BadInput, match="being dropped"):
        load_tkg(db, path)
    drop_source(db, "one")
    assert everything(db) == ([], []) and list_sources(db) == []


def test_shared_nodes_are_left_while_a_load_is_at_work_and_go_later(db: Database, tmp_path: Path) -> None:
    load_tkg(db, write_csv(tmp_path / "one.csv", many_facts(20)))
    db.write("CREATE (:CgSource {name: 'slow', kind: 'tkg', state: 'loading', nodes: 0, triples: 0, fingerprint: ''})")
    report = drop_source(db, "one")
    assert report.kept > 0 and len(everything(db)[0]) == report.kept
    drop_source(db, "slow")
    assert everything(db) == ([], [])


def test_a_refresh_by_a_bad_file_keeps_what_is_there(db: Database, tmp_path: Path) -> None:
    path, store = tmp_path / "facts.tsv", Store(db)
    path.write_text("Ann\tspouse\tBob\t1990\t1991\n")
    store.load_tkg(path, name="facts", replace=True)
    path.write_text("Ann\tspouse\tCarl\tsoon\t1991\n")
    with pytest.raises(BadInput):
        store.load_tkg(path, name="facts", replace=True)
    assert store.search_node("spouse", "Ann") == ["Bob"]
