"""Facts that are stated several times: each statement keeps its own qualifiers, from the input to the answer."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.integrations.networkx import evidence_graph
from cgstore.llm.graph_view import GraphView
from cgstore.llm.prompts import Prompt, PromptTexts
from cgstore.loaders.rdf import load_rdf
from cgstore.loaders.statements import load_statements
from cgstore.query.parse import ProgramError
from cgstore.show.drawing import evidence_svg
from cgstore.show.evidence import Evidence, facts_of
from cgstore.store import Store
from tests.conftest import wipe
from tests.loaders.export_samples import Again, Load, triples

RATINGS = """\
subject,relation,object,key,value,key,value
Ann,rated,Alien,stars,5,year,2020
Ann,rated,Alien,stars,1,year,2021
Ann,rated,Alien,stars,3,year,2022,for,Empire
Bob,rated,Alien,stars,4,year,2021
Ann,rated,Up,stars,5,year,2021
"""

TURTLE = """\
PREFIX : <http://x/>
:Ann :rated :Alien {| :stars 5 ; :year "2020" |} {| :stars 1 ; :year "2021" |} .
:Bob :rated :Alien {| :stars 4 ; :year "2021" |} .
"""

CYPHER = """
CREATE (ann:Person {name: 'Ann'}), (bob:Person {name: 'Bob'}), (film:Film {name: 'Alien'})
CREATE (ann)-[:rated {stars: 5, year: 2020}]->(film), (ann)-[:rated {stars: 1, year: 2021}]->(film),
  (bob)-[:rated {stars: 4, year: 2021}]->(film)
"""

RATED = "get_information(head_entity='Ann', relation='rated', tail_entity='Alien', "


def load(store: Store, folder: Path, kind: str) -> None:
    """The ratings as a source of some kind, which is named so."""
    if kind == "graph":
        store.db.write(CYPHER)
        try:
            store.load_graph(store.db, name=kind)
        finally:
            store.db.write("MATCH (n:Person|Film) DETACH DELETE n")
        return
    file = folder / ("r.csv" if kind == "statements" else "r.ttl")
    file.write_text(RATINGS if kind == "statements" else TURTLE, encoding="utf-8")
    getattr(store, f"load_{kind}")(file, name=kind)


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    wipe(shared_db)
    store = Store(shared_db)
    for kind in ("graph", "statements", "rdf"):  # the first is read out of this database, before it has sources
        load(store, tmp_path_factory.mktemp(kind), kind)
    yield store
    wipe(shared_db)


def answer(store: Store, program: str, source: str = "statements") -> list[str | float]:
    return list(store.query(program, source, exact=True).answer)


# Asking


@pytest.mark.parametrize("source", ["statements", "rdf", "graph"])
def test_a_qualifier_is_asked_of_the_statement_with_another(store: Store, source: str) -> None:
    for year, stars in (("2020", "5"), ("2021", "1")):
        assert answer(store, f"{RATED}key='stars', where_key='year', where_value='{year}')", source) == [stars]
    of_fives = "get_information(relation='rated', key='stars', value='5', where_key='year', where_value='2021')"
    assert answer(store, of_fives, source) == (["Ann"] if source == "statements" else [])


def test_a_plain_fact_has_the_qualifiers_of_all_its_statements(store: Store) -> None:
    assert answer(store, f"{RATED}key='stars')") == ["1", "3", "5"]
    assert answer(store, f"{RATED}key='year')") == ["2020", "2021", "2022"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("get_information(key='stars', where_key='year', where_value='2021')", ["1", "4", "5"]),
        ("get_information(key='stars', where_key='year', where_value>'2020', where_value<'2022')", ["1", "4", "5"]),
        ("get_information(relation='rated', key='stars', where_key='year', where_value<='2021')", ["1", "4", "5"]),
        (
            "get_information(tail_entity='Alien', key='stars', where_key='year', where_value='2022', "
            "where_key2='for', where_value2='Empire')",
            ["3"],
        ),
        ("get_information(head_entity='Ann', relation='rated', key='stars', value='5', "
         "where_key='year', where_value='2021')", ["Up"]),
        ("get_information(relation='rated', tail_entity='Alien', key='stars', value>='4', "
         "where_key='year', where_value>='2021')", ["Bob"]),
        ("get_information(head_entity='Ann', tail_entity='Up', key='stars', value='5', "
         "where_key='year', where_value='2021')", ["rated"]),
        ("get_information(key='year')\n"
         "get_information(key='stars', where_key='year', where_value=max(set='output_of_query1'))", ["3"]),
    ],
)  # fmt: skip
def test_the_parts_of_a_statement_belong_together(store: Store, program: str, expected: list[str]) -> None:
    assert answer(store, program) == expected


def test_equal_values_of_two_statements_count_twice(store: Store) -> None:
    assert answer(store, "sum(get_information(head_entity='Ann', key='stars'))") == [14]


def test_the_number_of_each_value_of_another_qualifier(store: Store) -> None:
    each = "mean(get_information(key='stars', where_key='year', where_value=each))"
    found = store.query(f"for_each(set=get_information(key='year'), value={each})", "statements")
    assert found.rows == (("2020", 5), ("2021", pytest.approx(10 / 3)), ("2022", 3))


def test_the_evidence_of_a_program_gives_its_answer_and_no_other_statement(store: Store) -> None:
    found = store.query(f"{RATED}key='stars', where_key='year', where_value='2021')", "statements")
    second = ("Ann", "rated", "Alien", "#2")
    assert set(found.evidence) == {
        Evidence("rated", "Alien", ("Ann",), "statements"),
        Evidence("stars", "1", second, "statements"),
        Evidence("year", "2021", second, "statements"),
    }
    facts = 'the facts with head "Ann", relation rated, tail = "Alien" and year = 2021'
    assert found.sentence == f"The stars of {facts} is 1."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("key='stars', where_key='year'", "where_key needs where_value"),
        ("where_key='year', where_value='2020'", "where_key needs key"),
        ("key='stars', where_key='rated', where_value='Up'", "'rated' is not a qualifier"),
        ("key='rated', where_key='year', where_value='2020'", "'rated' is not a qualifier"),
        ("key='stars', where_key='year', where_value='most'", "where_value cannot be 'most'"),
        ("key='stars', where_key>'year', where_value='2020'", "'>' cannot be used with 'where_key'"),
    ],
)
def test_what_is_not_of_one_statement_is_refused(store: Store, arguments: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        store.query(f"get_information({arguments})", "statements")


def test_the_primitives_take_one_statement_or_all_of_a_fact(store: Store) -> None:
    asked = {"sources": ["statements"]}
    second = ("Ann", "rated", "Alien", "#2")
    assert store.search_condition("year", "2021", **asked) == [
        ("Ann", "rated", "Alien", "#2"),
        ("Ann", "rated", "Up"),
        ("Bob", "rated", "Alien"),
    ]
    assert store.search_node("stars", second, **asked) == ["1"]
    assert store.search_node("stars", second[:3], **asked) == ["1", "3", "5"]
    assert store.search_node("stars", scope=store.search_condition("year", "2020", **asked), **asked) == ["5"]
    assert store.search_node("rated", scope=[second], **asked) == ["Alien"]


def test_a_prompt_tells_how_to_ask_one_statement_where_facts_have_several(store: Store, tmp_path: Path) -> None:
    (tmp_path / "plain.csv").write_text("Ann,rated,Up,stars,5,year,2021\n")
    store.load_statements(tmp_path / "plain.csv")
    try:
        for source, is_told in (("statements", True), ("plain", False)):
            view = GraphView(store.db, store.ready([source]))
            system = Prompt(PromptTexts()).messages("How many stars did Ann give Up?", view, [])[0].content
            assert ("where_key" in system) is is_told
    finally:
        store.drop("plain")


def test_an_llm_that_explores_sees_each_statement_of_a_fact(store: Store) -> None:
    facts = GraphView(store.db, ("statements",)).look_ups.facts_of("Ann", "rated")
    assert [dict(fact.qualifiers) for fact in facts] == [
        {"stars": "5", "year": "2020"},
        {"stars": "1", "year": "2021"},
        {"for": "Empire", "stars": "3", "year": "2022"},
        {"stars": "5", "year": "2021"},
    ]


# Evidence


def test_facts_of_evidence_are_its_statements(store: Store) -> None:
    found = store.query(f"{RATED}key='stars')", "statements")
    assert [fact.words for fact in facts_of(found.evidence)] == [
        "Ann, rated: Alien (stars 5), in statements",
        "Ann, rated: Alien (stars 1), in statements",
        "Ann, rated: Alien (stars 3), in statements",
    ]
    assert evidence_svg(found.evidence).count("rated</text>") == 3
    edges = evidence_graph(found.evidence).edges(data="qualifiers")
    assert [each["stars"] for _, _, each in edges] == [["5"], ["1"], ["3"]]


# Out and in again


@pytest.fixture
def again(db: Database, tmp_path: Path) -> Again:
    return Again(db, tmp_path)


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl", "nt"])
def test_statements_come_back(again: Again, ending: str) -> None:
    (again.folder / "in.csv").write_text(RATINGS, encoding="utf-8")
    comes_back(again, load_statements, "in.csv", ending, load_rdf if ending == "nt" else load_statements)


@pytest.mark.parametrize("ending", ["nt", "nq"])
def test_reifiers_of_one_triple_come_back(again: Again, ending: str) -> None:
    (again.folder / "in.ttl").write_text(TURTLE, encoding="utf-8")
    comes_back(again, load_rdf, "in.ttl", ending, load_rdf)


def comes_back(again: Again, first: Load, name: str, ending: str, second: Load) -> None:
    """A file is loaded and exported; what came out makes the same triples, fingerprint and file."""
    file = again(first, again.folder / name, ending, again=second)
    source = again.load(second, file)
    assert any(len(condition) > 3 for *_, condition in triples(again.db, source))
    store = Store(again.db)
    store.export(source, other := again.folder / f"again.{ending}")
    if second is first:
        assert other.read_bytes() == file.read_bytes()
    third = again.load(second, other)
    prints = {each.name: each.fingerprint for each in store.sources()}
    assert prints[source] == prints[third]


def test_a_dump_comes_back_and_an_older_format_is_not_written(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    load(store, tmp_path, "statements")
    store.dump(tmp_path / "all.cgstore")
    with zipfile.ZipFile(tmp_path / "all.cgstore") as dumped:
        assert json.loads(dumped.read("manifest.json"))["graph_format"] == 4
    before = triples(db, "statements")
    wipe(db)
    store.restore(tmp_path / "all.cgstore")
    assert triples(db, "statements") == before
    assert db.read("MATCH (s:CgSource) RETURN s.format AS format, s.parallel AS parallel") == [
        {"format": 4, "parallel": 1}
    ]
    assert store.load_statements(tmp_path / "r.csv", name="statements").unchanged


def _without_the_count(manifest: dict[str, object], lines: list[list[object]]) -> None:
    del manifest["sources"][0]["parallel"]  # type: ignore[index]


def _another_number(manifest: dict[str, object], lines: list[list[object]]) -> None:
    for line in lines:
        if len(line[1]) > 3:  # type: ignore[arg-type]
            line[1][3] = "#1"  # type: ignore[index]


@pytest.mark.parametrize("damage", [_without_the_count, _another_number])
def test_a_dump_with_other_numbers_than_a_load_makes_is_refused(
    db: Database, tmp_path: Path, damage: Callable[[dict[str, object], list[list[object]]], None]
) -> None:
    store = Store(db)
    load(store, tmp_path, "statements")
    store.dump(tmp_path / "all.cgstore")
    wipe(db)
    with zipfile.ZipFile(tmp_path / "all.cgstore") as dumped:
        files = {name: dumped.read(name) for name in dumped.namelist()}
    manifest, name = json.loads(files["manifest.json"]), "sources/0/triples.jsonl"
    lines = [json.loads(line) for line in files[name].splitlines()]
    damage(manifest, lines)
    files |= {"manifest.json": json.dumps(manifest).encode()}
    files |= {name: "".join(json.dumps(line) + "\n" for line in lines).encode()}
    with zipfile.ZipFile(tmp_path / "damaged.cgstore", "w") as damaged:
        for each, content in files.items():
            damaged.writestr(each, content)
    with pytest.raises(BadInput, match="triples of source 'statements'"):
        store.restore(tmp_path / "damaged.cgstore")


def test_another_version_of_cgstore_is_told_by_the_format(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    load(store, tmp_path, "statements")
    (tmp_path / "plain.csv").write_text("Ann,rated,Up,stars,5,year,2021\n")
    store.load_statements(tmp_path / "plain.csv")
    rows = db.read("MATCH (s:CgSource) RETURN s.name AS name, s.format AS format")
    assert {row["name"]: row["format"] for row in rows} == {"statements": 4, "plain": 2}
