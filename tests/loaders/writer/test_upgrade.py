"""A graph of the first layout, as it was before labels and types had a prefix, is refused, and brought up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher import indexes
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.writer import upgrade as upgrading
from cgstore.store import Store
from tests.loaders.samples import everything
from tests.loaders.writer.test_other_peoples_nodes import load_all

ROLES = ("Node", "Entity", "Value", "Relation", "Key", "Line", "Source", "Alias", "Demonstration")


def to_first_layout(db: Database) -> None:
    """Takes the prefixes away, and has the first layout's constraint and an index made."""
    for role in ROLES:
        db.write(f"MATCH (n:Cg{role}) SET n:{role} REMOVE n:Cg{role}")
    for kind in ("HAS", "VALUE"):
        db.write(f"MATCH (a)-[r:CG_{kind}]->(b) CREATE (a)-[n:{kind}]->(b) SET n = properties(r) DELETE r")
    db.write("MATCH (m:CgMeta {name: 'graph'}) DELETE m")
    db.write("MATCH (m:CgMeta) SET m:Meta REMOVE m:CgMeta, m.layout SET m.touched = 1")
    db.write("CREATE CONSTRAINT node_key IF NOT EXISTS FOR (n:Node) REQUIRE n.key IS UNIQUE")
    db.write("CREATE INDEX value_head IF NOT EXISTS FOR ()-[r:VALUE]-() ON (r.node1, r.head)")


@pytest.fixture
def first(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    load_all(store, tmp_path)
    to_first_layout(db)
    return store


def test_an_upgrade_keeps_everything(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    load_all(store, tmp_path)
    before = everything(db)
    to_first_layout(db)
    assert (store.upgrade().sources, everything(db)) == (4, before)
    assert [source.name for source in store.sources()] == ["aliases", "kg", "rows", "tkg"]
    assert store.query("get_information(relation='born in', tail_entity='Ulm on the Danube')").answer == ("Ada", "Bob")
    assert db.read("SHOW INDEXES YIELD name WHERE name IN ['node_key', 'value_head']") == []
    assert db.read("MATCH (n) WHERE any(l IN labels(n) WHERE l IN $roles) RETURN n", {"roles": [*ROLES, "Meta"]}) == []
    store.load_kg(tmp_path / "kg.tsv", header=False, name="again")
    assert store.upgrade().sources == 0


def test_an_upgrade_gives_adopted_nodes_back(first: Store) -> None:
    first.db.write("MATCH (n:Node {key: 'Ulm'}) SET n = {key: 'Ulm', people: 126000} SET n:City")
    first.db.write("CREATE (:Node {key: 'Rome'}), (:Source {name: 'BBC', state: 'ready'})")
    assert first.upgrade().given_back == 1
    (theirs,) = first.db.read(
        "MATCH (n:City) RETURN labels(n) AS labels, properties(n) AS about, COUNT { (n)--() } AS n"
    )
    assert (set(theirs["labels"]), theirs["n"]) == ({"Node", "City"}, 0)
    assert theirs["about"] == {"key": "Ulm", "people": 126000}
    assert first.query("get_information(head_entity='Ada', relation='born in')", ["kg"]).answer == ("Ulm",)
    assert len(first.db.read("MATCH (n) WHERE n:Node OR n:Source RETURN n")) == 3


def test_a_graph_of_the_first_layout_is_refused_until_its_upgrade_is_whole(
    first: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: Database) -> None:
        raise KeyboardInterrupt

    for work in (first.sources, lambda: first.query("get_information(relation='mayor')"), lambda: first.ready(["kg"])):
        with pytest.raises(BadInput, match=r"(?s)older version.*4 sources.*cgstore upgrade"):
            work()
    with pytest.raises(BadInput, match="cgstore upgrade"):
        load_all(first, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(indexes, "ensure_indexes", interrupt)
        with pytest.raises(KeyboardInterrupt):
            first.upgrade()
    with pytest.raises(BadInput, match="cgstore upgrade"):
        first.query("get_information(relation='mayor')")
    assert upgrading.upgrade(first.db).sources == 4
    assert first.query("get_information(head_entity='Ada', relation='mayor')").answer == ("Ulm",)


def test_a_graph_of_a_newer_layout_is_refused(db: Database, tmp_path: Path) -> None:
    db.write("CREATE (:CgMeta {name: 'cgstore', layout: $newer})", {"newer": indexes.LAYOUT_VERSION + 1})
    with pytest.raises(BadInput, match=r"(?s)newer version.*pip install"):
        load_all(Store(db), tmp_path)
