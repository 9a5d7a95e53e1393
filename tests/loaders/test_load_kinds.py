"""Each kind of source, loaded into Neo4j: exactly the triples of the definition, and a query that reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas
import pytest

from cgstore.cypher.connection import Database
from cgstore.loaders.kg import read_kg
from cgstore.loaders.rdf import read_rdf
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.loaders.statements import read_statements
from cgstore.loaders.table import read_tables, statements
from cgstore.loaders.tkg import load_tkg
from cgstore.loaders.writer.target import Target
from cgstore.model import LoadReport, SourceState
from cgstore.store import Store
from tests.loaders.definition import condition_triples
from tests.loaders.samples import Plain, plain, stored

KG = "Kismet|directed_by|William Dieterle\nKismet|release_year|1944\nUlm|located in|Germany\n"

STATEMENTS = [
    {
        "subject": "Marie Curie",
        "relation": "award received",
        "object": "Nobel Prize in Physics",
        "qualifiers": {"point in time": "1903", "together with": ["Pierre Curie", "Henri Becquerel"]},
    },
    {"subject": "Marie Curie", "relation": "born in", "object": "Warsaw"},
]

TABLE = 'Year,Title,Share\n1969,"Illusion, a record",50%\n1971,,7.5%\n1972,Prologue,–\n'

RDF = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix e: <http://e.org/> .
e:Q3012 rdfs:label "Ulm"@en ; e:inhabitants 126329 ; e:country e:Q183 .
e:Q183 rdfs:label "Germany"@en .
e:Q937 e:born_in e:Q3012 {| e:year "1879" |} .
"""


def defined(items: Iterable[Statement | BadLine], source: str) -> list[Plain]:
    triples = condition_triples((s for s in items if isinstance(s, Statement)), source)
    return sorted({plain(triple) for triple in triples})


def agrees(db: Database, report: LoadReport, expected: list[Plain]) -> None:
    found = stored(db, report.source)
    assert found == expected
    assert report.triples == len(found) == report.has + report.value


def test_triples(db: Database, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "kb.txt"
    path.write_text(KG)
    report = store.load_kg(path)
    assert (report.source, report.kind, report.facts) == ("kb", "kg", 3)
    agrees(db, report, defined(read_kg(path), "kb"))
    assert store.query("get_information(head_entity='Kismet', relation='directed_by')").answer == ("William Dieterle",)


def test_statements_with_qualifiers(db: Database, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text("\n".join(map(json.dumps, STATEMENTS)))
    report = store.load_statements(path)
    assert (report.facts, report.triples) == (2, 7)
    agrees(db, report, defined(read_statements(path), "facts"))
    found = store.search_node("together with", ("Marie Curie", "award received", "Nobel Prize in Physics"))
    assert sorted(found) == ["Henri Becquerel", "Pierre Curie"]


PARALLEL = (
    "1 fact is stated several times with different qualifiers, and each statement keeps its own. "
    "Such as ({}) with from 2000, to 2004; or from 2010, to 2014."
)
TERMS = {
    "statements": ("terms.csv", "Ann,office,mayor,from,2000,to,2004\nAnn,office,mayor,from,2010,to,2014\n"),
    "rdf": (
        "terms.ttl",
        'PREFIX : <http://x/>\n:Ann :office :mayor {| :from "2000" ; :to "2004" |} {| :from "2010" ; :to "2014" |} .\n',
    ),
}


@pytest.mark.parametrize("kind", TERMS)
def test_several_statements_of_a_fact_are_noted(store: Store, tmp_path: Path, kind: str) -> None:
    name, text = TERMS[kind]
    (tmp_path / name).write_text(text)
    for _ in range(2):  # the second load changes nothing, and says so again
        (note,) = getattr(store, f"load_{kind}")(tmp_path / name).warnings
        assert note == PARALLEL.format("Ann, office, mayor")


def test_periods_of_one_fact_that_overlap_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("Ann\toffice\tmayor\t2000\t2004\nAnn\toffice\tmayor\t2003\t2008\n")
    assert load_tkg(Target(), path).warnings == (
        "1 fact has periods that overlap. For a program they are one stretch of times, with several starts and ends; "
        "exports and changes keep each. "
        "Such as (Ann, office, mayor) from 2000 to 2004; and from 2003 to 2008.",
    )


def test_a_table(db: Database, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text(TABLE)
    report = store.load_table(path)
    (table,) = read_tables([str(path)])
    agrees(db, report, defined(statements(table), "records"))
    assert report.triples == 2 * 3 * 4  # three rows of three cells and a row number
    assert store.query("get_information(relation='Title', key='Year', value>'1971')").answer == ("Prologue",)
    assert store.sources()[0].columns == ("Year", "Title", "Share", "row_number")
    rows = db.read(
        "MATCH (r:CgRelation {name: 'Share'})-[v:CG_VALUE]->(c) RETURN c.name AS cell, v.num AS num, r.kind AS kind"
    )
    assert {row["cell"]: row["num"] for row in rows} == {"50%": 50, "7.5%": 7.5, "–": None}
    assert {row["kind"] for row in rows} == {"percent"}
    lines = db.read("MATCH (l:CgLine) RETURN l.name AS name, l.num AS num ORDER BY l.num")
    assert [(row["name"], row["num"]) for row in lines] == [("[line_1]", 1), ("[line_2]", 2), ("[line_3]", 3)]


def test_a_data_frame(db: Database, store: Store) -> None:
    frame = pandas.DataFrame({"city": ["Ulm", "Bern"], "people": [126_329, 134_794.0]})
    report = store.load_frame(frame, "cities")
    assert (report.source, report.kind, report.triples) == ("cities", "table", 12)
    assert store.query("get_information(relation='city', key='people', value='134794')").answer == ("Bern",)


def test_rdf(db: Database, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "places.ttl"
    path.write_text(RDF)
    report = store.load_rdf(path)
    agrees(db, report, defined(read_rdf([path], source="places"), "places"))
    assert store.query("get_information(head_entity='Ulm', relation='country')").answer == ("Germany",)
    assert store.search_node("year", ("Q937", "born_in", "Ulm")) == ["1879"]
    row = db.read("MATCH (:CgNode)-[v:CG_VALUE {node2: '126329'}]->() RETURN v.literal AS literal, v.num AS num")[0]
    assert row == {"literal": ["^^http://www.w3.org/2001/XMLSchema#integer"], "num": 126329}
    assert db.read("MATCH (:CgNode {key: 'Ulm'})-[h:CG_HAS]->() RETURN DISTINCT h.iri AS iri") == [
        {"iri": "http://e.org/Q3012"}
    ]


def test_a_folder_of_tables_is_a_source_each(db: Database, store: Store, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "one.csv").write_text(TABLE)
    (tmp_path / "deep" / "two.tsv").write_text("a\tb\n1\t2\n")
    (tmp_path / "none.csv").write_text("a,b\n")
    report = store.load_table(tmp_path, name="mine")
    assert [(s.name, s.state) for s in store.sources()] == [
        ("mine/deep/two", SourceState.READY),
        ("mine/one", SourceState.READY),
    ]
    assert (report.sources, report.triples) == (2, 24 + 6)
    assert "mine/none" in report.warnings[0]
    again = store.load_table(tmp_path, name="mine")
    assert again.unchanged and again.triples == 30


def test_a_table_of_many_rows_goes_the_way_of_large_sources(
    db: Database, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records.csv"
    path.write_text(TABLE)
    store.load_table(path, name="together")
    monkeypatch.setattr("cgstore.loaders.writer.target.SMALL", 1)
    store.load_table(path, name="alone")

    def without_name(source: str) -> list[Plain]:
        return [(a.replace(source, ""), b.replace(source, ""), c) for a, b, c in stored(db, source)]

    assert without_name("alone") == without_name("together")


def test_another_neo4j_is_a_source(db: Database, store: Store) -> None:
    db.write("CREATE (ann:Person {name: 'Ann', born: 1950})-[:KNOWS {since: 1990}]->(bob:Person {name: 'Bob'})")
    terms = "CREATE (a)-[:LED {from: 2000, to: 2004}]->(b), (a)-[:LED {from: 2010, to: 2014}]->(b)"
    db.write(f"MATCH (a {{name: 'Ann'}}), (b {{name: 'Bob'}}) {terms}")
    try:
        report = store.load_graph(db, name="people")
        assert store.query("get_information(head_entity='Ann', relation='KNOWS')").answer == ("Bob",)
        assert store.search_node("since", ("Ann", "KNOWS", "Bob")) == ["1990"]
        assert (report.kind, report.facts, report.warnings) == ("graph", 7, (PARALLEL.format("Ann, LED, Bob"),))
    finally:
        db.write("MATCH (n:Person) DETACH DELETE n")
