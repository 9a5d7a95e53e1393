"""`load aliases`: a source beside the condition graph, loaded, replaced, exported and dropped like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError
from cgstore.store import Store
from cgstore.text.names import SEPARATOR
from tests.loaders.samples import everything

PAIRS = "Jack\tJohn F. Kennedy\nJACK\tJack Nicholson\nJack\tJack Nicholson\nJack\tJohn F. Kennedy\n"
BORN = "get_information(head_entity='Ann', relation='born in')"


def _write(folder: Path, text: str, name: str = "people.tsv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _pairs(db: Database, source: str) -> list[tuple[str, str]]:
    rows = db.read("MATCH (a:CgAlias {source: $source}) RETURN a.alias AS alias, a.name AS name", {"source": source})
    return sorted((row["alias"], row["name"]) for row in rows)


def test_each_pair_is_a_node_once(db: Database, store: Store, tmp_path: Path) -> None:
    report = store.load_aliases(_write(tmp_path, PAIRS))
    assert (report.source, report.kind, report.facts, report.nodes) == ("people", "aliases", 3, 3)
    assert (report.triples, report.has, report.value, report.rejected) == (0, 0, 0, 0)
    rows = db.read("MATCH (a) WHERE NOT a:CgSource AND NOT a:CgMeta RETURN labels(a) AS labels, properties(a) AS about")
    assert {tuple(row["labels"]) for row in rows} == {("CgAlias",)}
    found = {(row["about"]["alias"], row["about"]["name"]): row["about"] for row in rows}
    assert found.keys() == {("Jack", "John F. Kennedy"), ("JACK", "Jack Nicholson"), ("Jack", "Jack Nicholson")}
    about = found["JACK", "Jack Nicholson"]
    assert about.pop("key").startswith(f"people{SEPARATOR}")
    assert about == {
        "source": "people",
        "alias": "JACK",
        "normal": "jack",
        "name": "Jack Nicholson",
        "target": "Jack Nicholson",
    }
    assert len(rows) == 3


def test_names_that_no_node_has_are_a_note(store: Store, tmp_path: Path) -> None:
    store.load_kg(_write(tmp_path, "Ann\tborn in\tUlm\n", "facts.tsv"))
    pairs = _write(tmp_path, "Annie\tAnn\nbirth\tborn in\nJack\tJohn F. Kennedy\nJFK\tJohn F. Kennedy\n")
    note = (
        "1 name is of no node in the graph: 'John F. Kennedy'. Its aliases have no effect until such a node is loaded."
    )
    assert store.load_aliases(pairs).warnings == (note,)
    store.load_kg(_write(tmp_path, "John F. Kennedy\tborn in\tBrookline\n", "more.tsv"))
    assert store.load_aliases(pairs).warnings == ()


def test_no_two_pairs_have_one_key(db: Database, store: Store, tmp_path: Path) -> None:
    long = "x" * 3000
    texts = ["a b\tc", "a\tb c", "1 a\tb c", "1\ta b c", f"{long}\ty", f"{long}y\ty", f"{long}\tyy", f"a\t{long}"]
    report = store.load_aliases(_write(tmp_path, "\n".join(texts)))
    assert report.facts == 8
    assert _pairs(db, "people") == sorted(tuple(text.split("\t")) for text in texts)


def test_the_target_is_the_key_of_the_node(db: Database, store: Store, tmp_path: Path) -> None:
    long = "y" * 3000
    store.load_kg(_write(tmp_path, f"Ann\tknows\t{long}\n", "kg.tsv"))
    store.load_aliases(_write(tmp_path, f"A\tAnn\nY\t{long}\n"))
    rows = db.read("MATCH (a:CgAlias) MATCH (n:CgNode {key: a.target}) RETURN a.alias AS alias, n.name AS name")
    assert sorted((row["alias"], row["name"]) for row in rows) == [("A", "Ann"), ("Y", long)]


def test_a_source_of_facts_may_be_replaced_by_aliases(db: Database, store: Store, tmp_path: Path) -> None:
    store.load_kg(_write(tmp_path, "Ann\tborn in\tUlm\n"), name="people")
    store.load_aliases(_write(tmp_path, PAIRS), name="people", replace=True)
    assert everything(db) == ([], [])
    assert [(source.name, source.kind) for source in store.sources()] == [("people", "aliases")]


def test_an_export_gives_the_pairs_back(db: Database, store: Store, tmp_path: Path) -> None:
    store.load_aliases(_write(tmp_path, PAIRS))
    report = store.export("people", tmp_path / "out.tsv")
    assert (report.kind, report.facts, report.lines) == ("aliases", 3, 4)
    assert (tmp_path / "out.tsv").read_text() == (
        "alias\tname\nJACK\tJack Nicholson\nJack\tJack Nicholson\nJack\tJohn F. Kennedy\n"
    )
    assert store.load_aliases(tmp_path / "out.tsv", name="people").unchanged


def test_an_export_that_cannot_be_is_refused(db: Database, store: Store, tmp_path: Path) -> None:
    store.load_aliases(_write(tmp_path, PAIRS))
    with pytest.raises(BadInput, match=r"a list of aliases, which is not written as nt.*\n.*`format=` tsv"):
        store.export("people", tmp_path / "out", "nt")
    db.write("MATCH (a:CgAlias {alias: 'JACK'}) DELETE a")
    with pytest.raises(CgstoreError, match="has 2 aliases where its record counts 3"):
        store.export("people", tmp_path / "out.tsv")
    store.load_aliases(_write(tmp_path, '"a\tb",c\n', "odd.csv"))
    with pytest.raises(BadInput, match="has a tab"):
        store.export("odd", tmp_path / "out.tsv")


def test_questions_are_answered_beside_aliases_as_without(store: Store, tmp_path: Path) -> None:
    store.load_table(_write(tmp_path, "city,people\nUlm,1\nBonn,2\n", "t.csv"))
    store.load_aliases(_write(tmp_path, PAIRS))
    assert store.compile("get_information(relation='people')").resolution.asked.only_tables
    store.load_kg(_write(tmp_path, "Ann\tborn in\tUlm\n", "kg.tsv"))
    for names in (None, ["kg"]):
        assert store.query(BORN, names).answer == ("Ulm",)
    assert store.ready() == ("kg", "t")


def test_asking_a_source_of_aliases_is_refused(store: Store, tmp_path: Path) -> None:
    store.load_aliases(_write(tmp_path, PAIRS))
    with pytest.raises(BadInput, match="Nothing is loaded"):
        store.query(BORN)
    store.load_kg(_write(tmp_path, "Ann\tborn in\tUlm\n", "kg.tsv"))
    for ask in (
        lambda: store.query(BORN, ["people"]),
        lambda: store.query(BORN, ["kg", "people"]),
        lambda: store.search_node("born in", sources=["people"]),
        lambda: store.map(["Ann"], sources=["people"]),
        lambda: store.ready(["people"]),
    ):
        with pytest.raises(BadInput, match="'people' holds aliases, which every question uses"):
            ask()
