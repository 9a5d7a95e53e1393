from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.catalog.sources import drop_source, list_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.tkg import load_tkg
from cgstore.store import Store
from tests.loaders.samples import everything, many_facts, write_csv


def test_dropping_a_source_leaves_the_graph_as_if_it_had_never_been(db: Database, tmp_path: Path) -> None:
    load_tkg(db, write_csv(tmp_path / "one.csv", many_facts(40)))
    before = everything(db)
    load_tkg(
        db, write_csv(tmp_path / "two.csv", [("head 1", "born", "Ulm", "1900", "1900"), ("x", "y", "z", "1", "9")])
    )
    with pytest.raises(BadInput, match=r"(?s)no source 'three'.*one"):
        drop_source(db, "three")
    report = drop_source(db, "two")
    # Shared with the other source: `head 1` and the year 1900.
    assert (report.relationships, report.kept, report.nodes) == (2 * 5, 2, 7 + 3)
    assert everything(db) == before
    assert [source.name for source in list_sources(db)] == ["one"]


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
