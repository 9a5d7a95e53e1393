from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding import vectors
from cgstore.errors import BadInput, QueryFailed
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, add_untried
from cgstore.loaders import graph as graph_reader
from cgstore.loaders.aliases import load_aliases
from cgstore.loaders.graph import NodeNames, read_graph, value_texts
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.loaders.readers.text import TextLoadOptions
from cgstore.model import Role

Plain = tuple[str, str, str, tuple[tuple[str, str], ...]]


def _read(db: Database, **options: Any) -> list[Statement]:
    items = list(read_graph(db, **options))
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item for item in items if isinstance(item, Statement)]


def _plain(db: Database, **options: Any) -> list[Plain]:
    return [statement[:4] for statement in _read(db, **options)]


def _heads(db: Database, **options: Any) -> list[str]:
    return sorted({statement.head for statement in _read(db, **options)})


def _number(db: Database, where: str) -> str:
    return str(db.read(f"MATCH (n) WHERE {where} RETURN elementId(n) AS id")[0]["id"]).rpartition(":")[2]


def test_nodes_and_relationships_are_statements(db: Database) -> None:
    db.write(
        "CREATE (a:Person:Author {name: 'Ada', born: 1815}), (b:City {name: 'London'}), "
        "(a)-[:LIVED_IN {until: 1852, since: 1815.0}]->(b), (a)-[:KNOWS]->(a)"
    )
    found = _read(db)
    # Neo4j gives the ids of deleted nodes to new ones, so that either node may come first.
    assert sorted((list(some) for _, some in groupby((each[:4] for each in found[:6]), itemgetter(0))), key=len) == [
        [("London", "label", "City", ()), ("London", "name", "London", ())],
        [
            ("Ada", "label", "Author", ()),
            ("Ada", "label", "Person", ()),
            ("Ada", "born", "1815", ()),
            ("Ada", "name", "Ada", ()),
        ],
    ]
    assert sorted(statement[:4] for statement in found[6:]) == [
        ("Ada", "KNOWS", "Ada", ()),
        ("Ada", "LIVED_IN", "London", (("since", "1815"), ("until", "1852"))),
    ]
    roles = {statement.relation: statement.tail_role for statement in found}
    assert (roles["born"], roles["label"], roles["KNOWS"]) == (Role.VALUE, Role.ENTITY, Role.ENTITY)
    assert sorted({statement.line for statement in found}) == [1, 2, 3, 4]


VALUES = {
    "5": ["5"],
    "5.0": ["5"],
    "5.25": ["5.25"],
    "1e300": ["1e+300"],
    "-0.0": ["0"],
    "true": ["true"],
    "' a  b '": ["a  b"],
    "''": [],
    "[]": [],
    "[1, 2]": ["1", "2"],
    "['a', '', 'b']": ["a", "b"],
    "date('2004-07-02')": ["2004-07-02"],
    "date('-0044-03-15')": ["-0044-03-15"],
    "localtime('12:30')": ["12:30:00"],
    "localdatetime('2004-07-02T12:30:01.25')": ["2004-07-02T12:30:01.25"],
    "datetime('2004-07-02T12:30+01:00')": ["2004-07-02T12:30:00+01:00"],
    "duration('P1Y2M3DT4.5S')": ["P1Y2M3DT4.5S"],
    "datetime('2004-07-02T12:30[Europe/Paris]')": ["2004-07-02T12:30:00+02:00"],
    "[date('2004-07-02'), date('+12345-01-01')]": ["2004-07-02", "+12345-01-01"],
    "duration('PT0S')": ["PT0S"],
    "point({longitude: 12.5, latitude: 55})": ["POINT(12.5 55)"],
    "point({x: 1, y: 2, z: 3.5})": ["SRID=9157;POINT Z(1 2 3.5)"],
    "[point({x: 1, y: 2}), point({x: 3, y: 4})]": ["SRID=7203;POINT(1 2)", "SRID=7203;POINT(3 4)"],
}
"""What Neo4j may hold, and the texts of it."""


def test_a_value_has_a_text(db: Database) -> None:
    of_a_node = ", ".join(f"v{n}: {expression}" for n, expression in enumerate(VALUES))
    relationships = ", ".join(f"(a)-[:R{n} {{q: {expression}}}]->(a)" for n, expression in enumerate(VALUES))
    db.write(f"CREATE (a:T {{name: 'a', {of_a_node}}}), {relationships}")
    found = _read(db)
    for n, texts in enumerate(VALUES.values()):
        assert [statement.tail for statement in found if statement.relation == f"v{n}"] == texts
        (related,) = (statement for statement in found if statement.relation == f"R{n}")
        assert related.qualifiers == tuple(("q", text) for text in texts)


def test_bytes_have_a_hexadecimal_text() -> None:
    assert list(value_texts(b"\x01\xff")) == ["01ff"]


def test_an_embedding_is_left_out_with_a_warning(db: Database) -> None:
    db.write("CREATE (:T {name: 'a', embedding: [x IN range(1, 101) | x / 7.0], few: [0.5, 1.5]})")
    warnings: list[str] = []
    assert [plain[1] for plain in _plain(db, warnings=warnings)] == ["label", "few", "few", "name"]
    assert "were left out: embedding." in warnings[0]


def test_a_node_is_named_by_the_first_property_that_does(db: Database) -> None:
    db.write(
        "CREATE (:A {title: 't', name: ' n '}), (:B {Title: 'T', id: 'i'}), (:C {full_name: 'f', name: ' '}), "
        "(:D {name: 7, id: 'x'}), (:E:D {age: 7})"
    )
    assert _heads(db) == sorted(["n", "T", "f", "x", f"D {_number(db, 'n.age = 7')}"])


def test_a_wanted_property_names_the_nodes_that_have_it(db: Database) -> None:
    db.write("CREATE (:A {name: 'n', code: 7}), (:A {name: 'm'}), (:A {name: 'k', code: ['x', 'y']})")
    assert _heads(db, name_property="code") == ["7", "m", "x"]


def test_nodes_of_one_name_are_kept_apart(db: Database) -> None:
    db.write("CREATE (:City {name: 'Paris', n: 1}), (:Person {name: 'Paris', n: 2}), (:City {name: 'Rome'})")
    one, two = f"Paris (City {_number(db, 'n.n = 1')})", f"Paris (Person {_number(db, 'n.n = 2')})"
    warnings: list[str] = []
    assert _heads(db, warnings=warnings) == [one, two, "Rome"]
    assert warnings == [f"2 nodes share their name with another, and are called as in '{one}'."]


def test_a_name_that_keeps_apart_is_nobody_elses() -> None:
    with NodeNames() as names:
        for number, name in enumerate(["Paris", "Paris", "Paris (City 0)", "Paris (City 1)", "Paris (City 1)"]):
            names.add(f"4:x:{number}", ["City"], {"name": name})
        names.settle()
        found = [names.name(f"4:x:{number}") for number in range(5)]
    assert found == [
        "Paris (City 0) (City 0)",
        "Paris (City 1) (City 1)",
        "Paris (City 0)",
        "Paris (City 1) (City 3)",
        "Paris (City 1) (City 4)",
    ]


def test_names_that_are_not_in_memory_are_looked_up(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_reader, "CACHED", 1)
    db.write("UNWIND range(1, 20) AS i CREATE (:A {name: 'a' + i})-[:R]->(:B {name: 'b' + i})")
    found = {plain[:3] for plain in _plain(db) if plain[1] == "R"}
    assert found == {(f"a{i}", "R", f"b{i}") for i in range(1, 21)}


def test_labels_and_types_select_and_are_no_cypher(db: Database) -> None:
    db.write(
        "CREATE (a:A {name: 'a'})-[:R]->(b:B:X {name: 'b'}), (a)-[:R]->(:C {name: 'c'}), (b)-[:S]->(:D {name: 'd'})"
    )
    found = _plain(db, labels=["A", "X"])
    assert {plain[0] for plain in found} == {"a", "b"}
    assert [plain[:3] for plain in found if plain[1] in "RS"] == [("a", "R", "b")]
    assert {plain[1] for plain in _plain(db, types=["S"])} == {"label", "name", "S"}
    odd = "A`) DETACH DELETE n //"
    db.write(f"CREATE (:`{odd.replace('`', '``')}` {{name: 'odd'}})")
    assert _heads(db, labels=[odd]) == ["odd"]
    assert db.read("MATCH (n) RETURN count(n) AS n") == [{"n": 5}]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"labels": ["Persn"]}, "no label 'Persn'.*Do you mean Person"),
    ({"labels": ["Person", "zzz"]}, "no label 'zzz'.*There are: .*Person"),
    ({"types": ["know"]}, "no relationship type 'know'.*Do you mean KNOWS"),
    ({"types": ["KNOWS"], "labels": ["City"]}, "no relationship of type KNOWS between .* City.*Check"),
    ({"name_property": "nam"}, "No node has the property 'nam'.*Do you mean name"),
    ({"name_property": "age", "labels": ["City"]}, "No node that is read has the property 'age'"),
]


def test_what_is_not_there_is_refused_with_what_is(db: Database) -> None:
    with pytest.raises(BadInput, match="is empty"):
        list(read_graph(db))
    db.write("CREATE ()")
    with pytest.raises(BadInput, match="says nothing"):
        list(read_graph(db))
    db.write("CREATE (a:Person {name: 'a', age: 7})-[:KNOWS]->(a), (:City {name: 'b'})")
    for options, problem in REFUSED:
        with pytest.raises(BadInput, match=f"(?s){problem}"):
            list(read_graph(db, **options))


def test_a_condition_graph_is_refused_unless_labels_leave_it_out(db: Database) -> None:
    db.write(
        "CREATE (:CgNode:CgEntity {key: 'a', name: 'a', normal: 'a'}), (:CgMeta {name: 'cgstore'}), "
        "(:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})"
    )
    refused: list[dict[str, Any]] = [{}, {"labels": ["CgEntity"]}, {"types": ["KNOWS"]}]
    for options in refused:
        with pytest.raises(BadInput, match=r"(?s)is a condition graph of cgstore.*export"):
            list(read_graph(db, **options))
    assert _heads(db, labels=["Person"]) == ["Ada", "Bob"]
    db.write("MATCH (n:CgNode) DELETE n")
    assert _heads(db) == ["Ada", "Bob"]


def test_a_graph_whose_labels_are_like_ours_is_read(db: Database) -> None:
    db.write("CREATE (:CgNode {name: 'a', key: 'k'})-[:R]->(:CgSource {name: 'b'})")
    db.write(
        "CREATE (:CgDemonstration {name: 'c', key: 'k'}), (:CgAlias {name: 'd', alias: 'e'}), "
        "(:CgMeta {name: 'encoder'})"
    )
    db.write("CREATE (:CgMeta {title: 'f'}), (:CgLane {name: 'g', source: 's'})")
    assert _heads(db) == ["a", "b", "c", "d", "encoder", "f", "g"]


def test_our_own_bookkeeping_is_read_only_where_its_label_is_asked_for(db: Database, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("JFK\tJohn F. Kennedy\n", encoding="utf-8")
    load_aliases(db, pairs, TextLoadOptions(name="aliases"))
    add_untried(db, [StoredDemonstration("Who?", source_kind="kg", state=State.UNTRIED, gold=("Ada",))])
    db.write(vectors._LOCK)
    db.write("CREATE (:CgLane {source: 'kg', number: 1, owner: 'o', done: 0, created: 0, beat: timestamp()})")
    db.write("MATCH (s:CgSource) DELETE s")
    labels = [row["label"] for row in db.read("MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label")]
    assert sorted(labels) == ["CgAlias", "CgDemonstration", "CgLane", "CgMeta"]
    with pytest.raises(BadInput, match="is empty"):
        list(read_graph(db))
    db.write("CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})")
    assert _heads(db) == ["Ada", "Bob"]
    assert ("question", "Who?") in [plain[1:3] for plain in _plain(db, labels=["CgDemonstration"])]


def test_a_text_that_cannot_be_stored_is_a_bad_line(db: Database) -> None:
    db.write("CREATE (:T {name: 'a', v: $nul, w: $long, x: 'good'})", {"nul": "a\x00", "long": "x" * 1_000_001})
    db.write("CREATE (:T {name: $nul})", {"nul": "b\x00"})
    db.write("CREATE (:T {name: 'c', ` `: 'v'})")
    items = list(read_graph(db))
    of_a_node: dict[str, list[str]] = {}  # in any order: Neo4j gives the identifiers of removed nodes to new ones
    for item in items:
        if isinstance(item, BadLine):
            number, _, reason = str(item).partition(": ")
            of_a_node.setdefault(number, []).append(reason)
    assert sorted(of_a_node.values()) == [
        ["a NUL character at position 2", "a NUL character at position 2"],
        ["a NUL character at position 2", "longer than 1,000,000 characters"],
        ["a label, type or property key is blank"],
    ]
    assert ("a", "x", "good") in [item[:3] for item in items if isinstance(item, Statement)]


def test_a_graph_of_many_pages_is_read_whole_and_twice_the_same(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_reader, "FETCH", 10)
    db.write("UNWIND range(1, 500) AS i CREATE (:A {name: 'a' + i % 400})-[:R {i: i}]->(:B)")
    first = _read(db)
    assert len(first) == 500 * 4
    assert _read(db) == first


def test_a_reading_that_is_given_up_leaves_no_transaction(db: Database) -> None:
    db.write("UNWIND range(1, 5000) AS i CREATE (:A {name: 'a' + i})")
    reading = read_graph(db)
    next(reading)
    reading.close()  # type: ignore[attr-defined]
    left = db.read("SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'IS :: LIST' RETURN 1")
    assert len(left) <= 1  # this one, which has the words in its own text


def test_a_node_that_came_meanwhile_is_noticed(db: Database) -> None:
    db.write("CREATE (:A {name: 'a'})")
    reading = read_graph(db)
    next(reading)
    db.write("MATCH (a:A) CREATE (a)-[:R]->(:B {name: 'late'})")
    with pytest.raises(QueryFailed, match="changed while it was read"):
        list(reading)


def test_nothing_is_written(db: Database) -> None:
    db.write("CREATE (:A {name: 'a'})")
    with pytest.raises(QueryFailed, match="Writing in read access mode"), graph_reader.reading(db) as tx:
        tx.run("CREATE (:B)").consume()
