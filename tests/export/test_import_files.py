"""`export --format import`: the files say what the graph says, and Neo4j's own importer makes that graph of them."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore import server
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.export.import_files import ImportReport, export_import_files
from cgstore.loaders.tkg_stage import Fact
from cgstore.loaders.writer.target import Online
from cgstore.server import java
from cgstore.server.home import home_folder, jars_folder
from cgstore.server.jars import artifacts, fetch_jars
from cgstore.server.managed import chosen
from cgstore.server.process import free_pair
from cgstore.store import Store
from cgstore.text.dates import Moment
from cgstore.text.names import MAX_BYTES
from tests.loaders.nasty_sources import Sources, nasty_source, temporal_source
from tests.loaders.samples import BY_DAY, everything, write_csv

Row = dict[str, str]

INPUTS = {
    "table": ("t.csv", 'city,share\nUlm,50%\n"a, b",7%\n,–\n'),
    "kg": ("k.txt", "Ann|likes|tea\nAnn|likes|rum\nBob|age|42\n"),
    "tkg": ("g.tsv", "Ann\tspouse\tBob\t1990\t1993\nAnn\tspouse\tBob\t1999\t2000\n"),
    "statements": ("s.csv", "Ann,won,prize,year,1990\nAnn,won,prize,year,1991\n"),
    "rdf": ("r.nt", '<http://e/a> <http://e/p> "x"@en .\n<http://e/a> <http://e/q> <http://e/b> .\n'),
}


def load(store: Store, kind: str, folder: Path, **options: object) -> None:
    name, text = INPUTS[kind]
    (folder / name).write_text(text)
    getattr(store, f"load_{kind}")(folder / name, name="x", **options)


def write(db: Database, sources: Sources) -> None:
    with Online(db) as target:
        for record, staged in sources:
            target.take(record, staged)
        target.finish()


def export(db: Database, folder: Path, *names: str) -> ImportReport:
    """The files of a temporal source `x` in which each of the names is an entity beside others."""
    with temporal_source("x", [Fact(name, "r", "b", Moment(2000), Moment(2001)) for name in names]) as sources:
        write(db, sources)
    return export_import_files(db, "x", folder)


def rows(path: Path) -> list[Row]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def contents(folder: Path) -> list[list[list[tuple[str, str]]]]:
    """Nodes and relationships with all their properties, and keys in the places of numbers."""
    keys = {row[":ID"]: row["key"] for row in rows(folder / "nodes.csv")}
    found = []
    for name in ("nodes", "has", "value"):
        in_keys = [
            {column: keys[cell] if column.endswith("ID") else cell for column, cell in row.items()}
            for row in rows(folder / f"{name}.csv")
        ]
        found.append(sorted(sorted(row.items()) for row in in_keys))
    return found


@pytest.mark.parametrize("kind", INPUTS)
def test_every_kind_of_source_is_read_whole_whatever_its_version(db: Database, tmp_path: Path, kind: str) -> None:
    store = Store(db)
    load(store, kind, tmp_path)
    export_import_files(db, "x", tmp_path / "one")
    store.load_kg(_other(tmp_path), name="x", replace=True)
    load(store, kind, tmp_path, replace=True)
    export_import_files(db, "x", tmp_path / "two")
    first = contents(tmp_path / "one")
    assert contents(tmp_path / "two") == first
    assert len(first[1]) + len(first[2]) == store.sources()[0].triples
    assert len(first[0]) == store.sources()[0].nodes


def test_the_folder_has_the_files_and_how_to_use_them(db: Database, tmp_path: Path) -> None:
    load(Store(db), "rdf", tmp_path)
    report = export_import_files(db, "x", tmp_path / "files")
    assert {path.name for path in (tmp_path / "files").iterdir()} == {
        "nodes.csv", "sources.csv", "has.csv", "value.csv", "import.args", "after.cypher", "README.txt",
    }  # fmt: skip
    assert (report.nodes, report.relationships) == (5, 4)


def test_a_folder_with_something_in_it_is_left_alone(db: Database, tmp_path: Path) -> None:
    load(Store(db), "kg", tmp_path)
    with pytest.raises(BadInput, match="not an empty folder"):
        export_import_files(db, "x", tmp_path)


def _other(folder: Path) -> Path:
    path = folder / "other.txt"
    path.write_text("a|b|c\n")
    return path


def test_a_small_source(db: Database, tmp_path: Path) -> None:
    assert export(db, tmp_path, "a").relationships == 6
    keys = {row[":ID"]: row["key"] for row in rows(tmp_path / "nodes.csv")}
    assert sorted(keys.values()) == sorted(
        ["a", "b", "2000", "2001", *(f"x\x1f{name}" for name in ("r", "start time", "end time", "time"))]
    )
    value = rows(tmp_path / "value.csv")
    assert all(keys[row[":START_ID"]] == row["node1"] and keys[row[":END_ID"]] == row["node2"] for row in value)
    assert {(row["node2"], row["num:double"]) for row in value} == {("b", ""), ("2000", "2000.0"), ("2001", "2001.0")}


def test_a_node_has_all_its_roles(db: Database, tmp_path: Path) -> None:
    export(db, tmp_path, "2000", "a")
    labels = {row["key"]: row[":LABEL"].split("\ufdd0") for row in rows(tmp_path / "nodes.csv")}
    assert labels["2000"] == ["CgNode", "CgEntity", "CgValue"]
    assert labels["a"] == ["CgNode", "CgEntity"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a"], "--array-delimiter=U+FDD0"),
        (["a\ufdd0"], "--array-delimiter=U+FDD1"),
        (["a", "a\ufdd0"], "--array-delimiter=U+FDD1"),
        (["a\nb"], "--multiline-fields=true"),
        (["a\rb"], "--multiline-fields=true"),
        (["x" * 3_000_000], "--read-buffer-size=60000"),
    ],
)
def test_the_importer_is_told_what_the_names_need(
    db: Database, tmp_path: Path, names: list[str], expected: str
) -> None:
    export(db, tmp_path, *names)
    arguments = (tmp_path / "import.args").read_text(encoding="ascii")
    assert expected in arguments
    assert ("multiline" in arguments) == ("multiline" in expected)


def test_a_source_with_all_delimiters_is_refused(db: Database, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="reserves"):
        export(db, tmp_path, "".join(map(chr, range(0xFDD0, 0xFDF0))))


def test_an_empty_name_in_a_condition_is_put_right_afterwards(db: Database, tmp_path: Path) -> None:
    export(db, tmp_path / "one", "a")
    assert "SET" not in (tmp_path / "one" / "after.cypher").read_text(encoding="utf-8")
    Store(db).drop("x")
    export(db, tmp_path / "two", "")
    assert "SET r.condition = ['']" in (tmp_path / "two" / "after.cypher").read_text(encoding="utf-8")


def test_the_files_are_the_same_each_time(db: Database, tmp_path: Path) -> None:
    export(db, tmp_path / "one", *(f"head {number}" for number in range(100)))
    export_import_files(db, "x", tmp_path / "two")
    for name in ("nodes.csv", "has.csv", "value.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_long_names_are_shortened_in_keys_only(db: Database, tmp_path: Path) -> None:
    name = "é" * 100_000
    export(db, tmp_path, name)
    node = next(row for row in rows(tmp_path / "nodes.csv") if row["name"] == name)
    assert len(node["key"].encode()) < MAX_BYTES and len(node["normal"].encode()) <= MAX_BYTES
    assert any(name in row["condition:string[]"] for row in rows(tmp_path / "value.csv"))


@pytest.fixture
def home(tmp_path: Path, short_lived: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home for a server of its own, with the jars that all share."""
    monkeypatch.setenv("CGSTORE_JARS", str(jars_folder(home_folder())))
    yield tmp_path / "home"
    server.stop(home=tmp_path / "home", force=True)


def test_the_importer_makes_the_same_graph_whatever_the_names(db: Database, tmp_path: Path, home: Path) -> None:
    with nasty_source() as sources:
        write(db, sources)
        name = sources[0][0].name
    export_import_files(db, name, tmp_path / "files")
    assert imported(tmp_path / "files", home) == (everything(db), sources_of(db))


def test_the_importer_makes_the_same_graph_of_periods(db: Database, tmp_path: Path, home: Path) -> None:
    facts = [*BY_DAY, ("Ann", "time", "Dan", "1990-01-01", "1990-01-02")]  # a relation that is a key too
    Store(db).load_tkg(write_csv(tmp_path / "club.csv", facts), periods=True)
    report = export_import_files(db, "club", tmp_path / "files")
    assert report.relationships == Store(db).sources()[0].stored
    assert imported(tmp_path / "files", home) == (everything(db), sources_of(db))


def imported(folder: Path, home: Path) -> tuple[object, object]:
    """The graph that the importer makes of files, by the command line that their README has."""
    place = chosen(home_folder(home), None)
    place.create()
    jars = fetch_jars(jars_folder(place.home), artifacts(place.version), quiet=True)
    java.write_settings(place, jars_folder(place.home), free_pair(), java.memory_sizes("512m", "128m"))
    command = "neo4j-admin database import full DATABASE @import.args --overwrite-destination"
    assert command in (folder / "README.txt").read_text()
    arguments = [part if part != "DATABASE" else "neo4j" for part in command.split()[1:]]
    environment = {**java.environment(), "NEO4J_HOME": str(place.folder), "NEO4J_CONF": str(place.conf)}
    run = java.admin_command(place, jars, arguments, "512m")
    subprocess.run(run, cwd=folder, env=environment, check=True, capture_output=True)
    info = server.start(home=home, heap="512m", page_cache="128m", quiet=True)
    with Database(str(info.uri), info.user, info.password()) as db:
        for statement in (folder / "after.cypher").read_text(encoding="utf-8").split(";\n")[:-1]:
            with db.session() as session:
                session.run(statement.removeprefix(":auto ")).consume()
        db.write("CALL db.awaitIndexes(300)")
        return everything(db), sources_of(db)


def sources_of(db: Database) -> list[dict[str, object]]:
    """The properties of the sources, but those that differ: when and how they were written."""
    (row,) = db.read("MATCH (s:CgSource) RETURN properties(s) AS about")
    return [{name: value for name, value in row["about"].items() if name not in ("started", "loaded", "layout")}]
