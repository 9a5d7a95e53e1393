"""A database that is full of other people's nodes, under every name that the design uses without its prefix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cgstore.catalog.sources import drop_source
from cgstore.cypher.connection import Database
from cgstore.errors import QueryFailed
from cgstore.store import Store

LABELS = ("Node", "Entity", "Value", "Relation", "Key", "Line", "Source", "Lane", "Meta", "Alias", "Demonstration")
NAMES = ("Ulm", "born in", "time", "cgstore", "encoder", "kg", "rows", "", "[line_1]")

_OTHERS = """
UNWIND $labels AS label UNWIND $names AS name
CREATE (n:$(label):City {key: name, name: name, normal: toLower(name), source: 'kg', state: 'ready', num: 1.0})
CREATE (:$(label) {key: name, name: name, alias: name, target: name, source: 'rows', owner: 'me', twice: 2})
CREATE (n)-[:HAS {source: 'kg'}]->(:$(label) {key: name})-[:VALUE {source: 'kg', node1: name, condition: ['x']}]->(n)
"""

_SEEN = """
MATCH (n) WHERE none(l IN labels(n) WHERE l STARTS WITH 'Cg')
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS about,
  [(n)-[r]-(m) | [elementId(r), type(r), properties(r), elementId(m)]] AS links
ORDER BY id
"""


@pytest.fixture
def others(db: Database) -> Database:
    db.write(_OTHERS, {"labels": LABELS, "names": NAMES})
    return db


def seen(db: Database) -> list[dict[str, Any]]:
    """All that is not cgstore's, with everything that hangs on it."""
    rows = db.read(_SEEN)
    return [{**row, "links": sorted(map(repr, row["links"]))} for row in rows]


def load_all(store: Store, folder: Path) -> None:
    (folder / "kg.tsv").write_text("Ada\tborn in\tUlm\nBob\tborn in\tUlm\n", encoding="utf-8")
    (folder / "rows.csv").write_text("City,Value\nUlm,12\nGraz,3\n", encoding="utf-8")
    (folder / "tkg.tsv").write_text("Ada\tmayor\tUlm\t1990\t1992\n", encoding="utf-8")
    (folder / "aliases.tsv").write_text("Ulm on the Danube\tUlm\n", encoding="utf-8")
    store.load_kg(folder / "kg.tsv", header=False)
    store.load_table(folder / "rows.csv")
    store.load_tkg(folder / "tkg.tsv")
    store.load_aliases(folder / "aliases.tsv", name="aliases")


def test_loads_answers_and_drops_leave_other_peoples_nodes_as_they_were(others: Database, tmp_path: Path) -> None:
    before, store = seen(others), Store(others)
    load_all(store, tmp_path)
    assert [source.name for source in store.sources()] == ["aliases", "kg", "rows", "tkg"]
    assert store.query("get_information(relation='born in', tail_entity='Ulm on the Danube')").answer == ("Ada", "Bob")
    assert store.query("sum(set=get_information(relation='Value'))", ["rows"]).answer == (15,)
    assert store.query("get_information(head_entity='Ada', relation='mayor', key='time')").answer == (
        "1990",
        "1991",
        "1992",
    )
    (tmp_path / "kg.tsv").write_text("Ada\tborn in\tGraz\n", encoding="utf-8")
    store.load_kg(tmp_path / "kg.tsv", header=False, replace=True)
    assert store.query("get_information(head_entity='Ada', relation='born in')", ["kg"]).answer == ("Graz",)
    for source in ("kg", "rows", "tkg", "aliases"):
        store.drop(source)
    assert seen(others) == before
    assert [row["label"] for row in others.read("MATCH (n:CgNode|CgAlias|CgSource) RETURN labels(n) AS label")] == []


def test_a_node_that_somebody_linked_stays_for_them_when_its_source_goes(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    load_all(store, tmp_path)
    db.write("MATCH (n:CgNode) WHERE n.name IN ['Ulm', 'born in'] CREATE (n)<-[:ABOUT]-(:Note {text: 'mine'})")
    for source in ("kg", "rows", "tkg", "aliases"):
        drop_source(db, source)
    rows = db.read("MATCH (:Note)-[:ABOUT]->(n) RETURN n.name AS name, labels(n) AS labels ORDER BY name")
    assert rows == [{"name": "Ulm", "labels": []}, {"name": "born in", "labels": []}]
    load_all(store, tmp_path)
    assert store.query("get_information(head_entity='Ada', relation='born in')", ["kg"]).answer == ("Ulm",)


def test_a_label_of_ours_that_somebody_else_uses_is_named(db: Database, tmp_path: Path) -> None:
    db.write("DROP CONSTRAINT cg_node_key IF EXISTS")
    db.has_constraints = False
    db.write("CREATE (:CgNode {key: 'a'}), (:CgNode {key: 'a'})")
    with pytest.raises(QueryFailed, match="key") as caught:
        load_all(Store(db), tmp_path)
    assert "CgNode" in (caught.value.hint or "") and "`database=`" in (caught.value.hint or "")
