"""`dump` and `restore`: the graph comes back exactly, and a hostile file changes nothing."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, put
from cgstore.loaders.restore import ALWAYS
from cgstore.loaders.writer import write as writing
from cgstore.store import Store
from tests.cli.conftest import Run
from tests.conftest import ROOT, wipe
from tests.moments import before_call, raising

EXAMPLES = ROOT / "examples"
KINDS = ("aliases", "cities", "films", "places", "prizes", "world")

_NODES = """
MATCH (n:CgNode|CgAlias)
RETURN n.key AS key, labels(n) AS labels, n {.*, vector: null} AS properties ORDER BY key
"""
_RELATIONSHIPS = """
MATCH (a:CgNode)-[r:CG_HAS|CG_VALUE]->(b:CgNode)
RETURN a.key AS a, type(r) AS type, b.key AS b, properties(r) AS properties
"""
_SOURCES = """
MATCH (s:CgSource)
RETURN s {.*, started: null, loaded: null, layout: null} AS source ORDER BY s.name
"""


def content(db: Database) -> list[Any]:
    """Everything that the graph holds of its sources."""
    rows = [db.read(statement) for statement in (_NODES, _RELATIONSHIPS, _SOURCES)]
    return [sorted(json.dumps(row, sort_keys=True) for row in some) for some in rows]


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    fill(store)
    return store


def fill(store: Store) -> None:
    store.load_table(EXAMPLES / "cities.csv")
    store.load_kg(EXAMPLES / "films.txt")
    store.load_tkg(EXAMPLES / "world.tsv")
    store.load_statements(EXAMPLES / "prizes.jsonl")
    store.load_rdf(EXAMPLES / "places.ttl")
    store.load_aliases(EXAMPLES / "aliases.tsv")
    put(store.db, StoredDemonstration("Who directed M?", "get_information(head_entity='M')", sources=("films",)))
    wrong = StoredDemonstration("Who made M?", "x", state=State.WRONG, gold=("Fritz Lang",), gave=("M",))
    put(store.db, wrong)


@pytest.fixture(scope="module")
def dumped(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("dump") / "all.cgstore"
    report = store.dump(file)
    assert (report.sources, report.demonstrations) == (KINDS, 2)
    return file


@pytest.fixture
def emptied(store: Store, dumped: Path) -> Store:
    wipe(store.db)
    return store


def test_the_graph_comes_back_exactly(store: Store, dumped: Path) -> None:
    wipe(store.db)
    fill(store)
    before, demonstrations = content(store.db), store.demonstrations()
    wipe(store.db)
    report = store.restore(dumped)
    assert (report.sources, report.unchanged, report.demonstrations) == (KINDS, (), 2)
    assert content(store.db) == before
    assert store.demonstrations() == demonstrations


def test_the_same_content_is_left_as_it_is_and_a_load_knows_it(emptied: Store, dumped: Path) -> None:
    emptied.restore(dumped)
    again = emptied.restore(dumped)
    assert (again.sources, again.unchanged, again.demonstrations, again.kept) == ((), KINDS, 0, 2)
    assert emptied.load_kg(EXAMPLES / "films.txt").unchanged


def test_another_source_of_the_name_stays_without_replace(emptied: Store, dumped: Path) -> None:
    emptied.load_kg(EXAMPLES / "films.txt", name="cities")
    with pytest.raises(BadInput, match="cities"):
        emptied.restore(dumped, ["cities"])
    assert emptied.describe("cities").kind == "kg"
    emptied.restore(dumped, ["cities"], replace=True)
    assert emptied.describe("cities").kind == "table"
    program = "get_information(relation='Population', key='City', value='Ulm')"
    assert emptied.query(program).answer == ("126,329",)


def test_one_source_is_dumped_with_its_demonstrations(emptied: Store, dumped: Path, tmp_path: Path) -> None:
    emptied.restore(dumped, ["films", "cities"])
    report = emptied.dump(tmp_path / "films.cgstore", ["films"])
    assert (report.sources, report.demonstrations) == (("films",), 1)
    wipe(emptied.db)
    emptied.restore(tmp_path / "films.cgstore")
    assert [source.name for source in emptied.sources()] == ["films"]


def test_an_interrupted_restore_goes_on(emptied: Store, dumped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        before_call(patch, writing, "merge_nodes", raising(KeyboardInterrupt))
        emptied.restore(dumped, ["world"])
    emptied.restore(dumped, ["world"])
    (source,) = emptied.sources()
    assert (source.state, source.triples) == ("ready", 2_453)


def changed(dumped: Path, file: Path, member: str, change: Callable[[str], str]) -> Path:
    """A dump with another text in one member."""
    with zipfile.ZipFile(dumped) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, change(text) if name == member else text)
    return file


@pytest.mark.parametrize(
    ("member", "change", "said"),
    [
        ("manifest.json", lambda text: text.replace('"version": 1', '"version": 9'), "another version"),
        ("manifest.json", lambda text: text.replace('"cgstore dump"', '"x"'), "not that of a dump"),
        ("manifest.json", lambda text: text.replace('"kind": "kg"', '"kind": "nothing"'), "no known kind"),
        ("manifest.json", lambda text: text.replace('"name": "films"', '"name": "cities"'), "twice"),
        ("manifest.json", lambda text: text[:50], "not a whole dump"),
        ("sources/2/nodes.jsonl", lambda text: text + '["more", [0], null, null]\n', "not those of its record"),
        ("sources/2/nodes.jsonl", lambda text: text.replace("[0]", "[77]", 1), "nodes"),
        ("sources/2/triples.jsonl", lambda text: "\n".join(text.split("\n")[1:]), "not those of its record"),
        ("sources/2/triples.jsonl", lambda text: "[99999, [], [0], null, null]\n" + text, "triples"),
        ("sources/2/triples.jsonl", lambda text: '{"a": 1}\n' + text, "triples"),
        ("sources/2/triples.jsonl", lambda text: "[" * 100_000, "not a whole dump"),
        ("demonstrations.jsonl", lambda text: '{"question": 1}\n', "demonstration"),
    ],
)
def test_a_dump_that_was_changed_is_refused(
    emptied: Store, dumped: Path, tmp_path: Path, member: str, change: Callable[[str], str], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        emptied.restore(changed(dumped, tmp_path / "changed", member, change), ["films"])
    assert emptied.sources() == [] and emptied.demonstrations() == []


@pytest.mark.parametrize("name", ["../../outside", "/tmp/outside", "sources/99/nodes.jsonl"])
def test_other_files_in_a_dump_are_refused(emptied: Store, dumped: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "more"
    file.write_bytes(dumped.read_bytes())
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, "x")
    with pytest.raises(BadInput, match="other files"):
        emptied.restore(file)
    assert sorted(tmp_path.iterdir()) == [file] and emptied.sources() == []


def test_a_bomb_is_refused(emptied: Store, dumped: Path, tmp_path: Path) -> None:
    file = changed(dumped, tmp_path / "bomb", "demonstrations.jsonl", lambda _: " " * (2 * ALWAYS))
    with pytest.raises(BadInput, match="would unpack to"):
        emptied.restore(file)


def test_what_is_not_a_whole_dump_is_refused(emptied: Store, dumped: Path, tmp_path: Path) -> None:
    for data in (b"", b"no zip", b"PK\x03\x04" + b"x" * 100, dumped.read_bytes()[:-200]):
        (tmp_path / "file").write_bytes(data)
        with pytest.raises(BadInput, match="cannot be read as a dump"):
            emptied.restore(tmp_path / "file")


def test_the_commands_report(emptied: Store, dumped: Path, run: Run, tmp_path: Path) -> None:
    restored = run("restore", dumped, "--source", "films", "--source", "cities")
    assert restored.exit_code == 0 and "Restored 2 sources" in restored.stdout
    report = json.loads(run("dump", tmp_path / "x.cgstore", "--json").stdout)
    assert report["sources"] == ["cities", "films"]
    assert run("dump", tmp_path / "nowhere" / "x").exit_code == 2
    assert run("restore", tmp_path / "x.cgstore", "--source", "nowhere").exit_code == 2
