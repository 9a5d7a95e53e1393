"""`export --format import`: the files say the same as those written from the same input."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.export.import_files import GraphStage, export_import_files
from cgstore.export.read import choose
from cgstore.loaders.staging import Stage
from cgstore.model import Role
from cgstore.store import Store

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


def contents(db: Database) -> list[object]:
    """Nodes with their roles, and triples with all they say, as the stage of an export has them."""
    with GraphStage(choose(db, "x")) as stage:
        stage.read(db)
        return everything_in(stage)


def everything_in(stage: Stage) -> list[object]:
    assert isinstance(stage, GraphStage)
    nodes = sorted((role.value, *node[1:]) for role in Role for node in stage.nodes(role))
    key = {node.id: node.key for role in Role for node in stage.nodes(role)}
    triples = sorted(
        repr((key[g.node1], key[node], g.condition, g.head, g.iri, g.about[place] if g.about else None))
        for g in stage.groups()
        for place, node in enumerate(g.node2)
    )
    return [repr(nodes), triples]


@pytest.mark.parametrize("kind", INPUTS)
def test_every_kind_of_source_is_read_whole_whatever_its_version(db: Database, tmp_path: Path, kind: str) -> None:
    store = Store(db)
    load(store, kind, tmp_path)
    first = contents(db)
    store.load_kg(_other(tmp_path), name="x", replace=True)
    load(store, kind, tmp_path, replace=True)
    assert contents(db) == first
    assert len(first[1]) == store.sources()[0].triples  # type: ignore[arg-type]


def test_the_folder_has_the_files_and_how_to_use_them(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    load(store, "rdf", tmp_path)
    report = export_import_files(db, "x", tmp_path / "files")
    assert {"nodes.csv", "has.csv", "value_about.csv", "sources.csv", "import.args", "after.cypher", "README.txt"} <= {
        path.name for path in (tmp_path / "files").iterdir()
    }
    assert (report.nodes, report.relationships) == (5, 4)


def test_a_folder_with_something_in_it_is_left_alone(db: Database, tmp_path: Path) -> None:
    load(Store(db), "kg", tmp_path)
    with pytest.raises(BadInput, match="no empty folder"):
        export_import_files(db, "x", tmp_path)


def _other(folder: Path) -> Path:
    path = folder / "other.txt"
    path.write_text("a|b|c\n")
    return path
