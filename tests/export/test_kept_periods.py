"""A temporal source leaves the graph as the facts that were loaded, and comes back as the same graph."""

from __future__ import annotations

import json
import random
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError
from cgstore.store import Store
from cgstore.text.dates import Step, time_name
from tests.conftest import wipe
from tests.loaders.samples import BY_DAY, everything, stored, write_csv

Facts = list[tuple[str, ...]]


@pytest.fixture
def store(db: Database) -> Store:
    return Store(db)


def load(store: Store, folder: Path, facts: Facts, name: str, step: str | None = None) -> None:
    path = write_csv(folder / "facts.csv", [("head", "relation", "tail", "start", "end"), *facts])
    now = time_name(45, Step(step)) if step else "40"
    store.load_tkg(path, name=name, step=step, now=now)


def exported(store: Store, name: str, format: str) -> bytes:
    stream = BytesIO()
    store.export(name, stream, format=format)
    return stream.getvalue()


# Exports


def some_facts(step: Step) -> Facts:
    """Facts with several periods that touch, overlap, are open, or end before they start, with years among days."""
    choose = random.Random(18)
    facts: Facts = []
    for _ in range(60):
        start = choose.randint(-30, 30)
        since, until = time_name(start, step), time_name(start + choose.randint(-1, 12), step)
        since = choose.choice([since, since, _coarse(since, start, step)])
        until = choose.choice([until, until, until, "present"])
        facts.append((choose.choice("abc"), choose.choice("rs"), choose.choice("def"), since, until))
    return facts


def _coarse(time: str, place: int, step: Step) -> str:
    """A less exact time: the year, or of a time of day the minute."""
    return time[:16] if step.has_clock else str(place // 366)


@pytest.mark.parametrize("step", list(Step))
def test_an_export_has_the_facts(store: Store, tmp_path: Path, step: Step) -> None:
    facts = some_facts(step)
    load(store, tmp_path, facts, "club", step)
    for format, sign in (("tsv", "\t"), ("csv", ",")):
        lines = exported(store, "club", format).decode().splitlines()[1:]
        assert sorted(lines) == sorted({sign.join(fact) for fact in facts})


def test_an_export_loads_to_the_same_graph(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, BY_DAY, "club")
    before, file = everything(store.db), tmp_path / "club.tsv"
    store.export("club", file)
    assert file.read_text().splitlines()[1:] == ["\t".join(fact) for fact in BY_DAY]
    assert store.load_tkg(file, name="club").unchanged
    store.drop("club")
    store.load_tkg(file, name="club")
    assert everything(store.db) == before


# Files of the whole graph


def test_a_source_that_lacks_a_period_is_refused(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, BY_DAY, "club")
    store.db.write("MATCH ()-[p:CG_PERIOD]->() WITH p LIMIT 1 DELETE p")
    with pytest.raises(CgstoreError, match="17 of its 18 relationships"):
        store.dump(tmp_path / "file")


@pytest.fixture
def dumped(store: Store, tmp_path: Path) -> Path:
    load(store, tmp_path, BY_DAY, "club")
    store.dump(tmp_path / "club.cgstore")
    return tmp_path / "club.cgstore"


def sources(db: Database) -> list[dict[str, object]]:
    return db.read("MATCH (s:CgSource) RETURN s {.*, started: null, loaded: null, layout: null} AS s ORDER BY s.name")


def test_a_dump_keeps_the_periods_and_brings_the_same_graph_back(store: Store, dumped: Path) -> None:
    with zipfile.ZipFile(dumped) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        lines = [json.loads(line) for line in archive.read("sources/0/triples.jsonl").splitlines()]
    assert (manifest["version"], manifest["graph_format"], manifest["sources"][0]["stored"]) == (1, 7, 18)
    of_ann = [line[3] for line in lines if len(line) == 4 and line[1] == ["Ann", "member of", "Club"]]
    assert of_ann == [[[726721, 728292], [728995, 729388]]]
    before = everything(store.db), sources(store.db), stored(store.db, "club")
    wipe(store.db)
    store.restore(dumped)
    assert (everything(store.db), sources(store.db), stored(store.db, "club")) == before
    assert store.restore(dumped).unchanged == ("club",)


MANIFEST, TRIPLES = "manifest.json", "sources/0/triples.jsonl"


@pytest.mark.parametrize(
    ("member", "old", "new", "said"),
    [
        (MANIFEST, '"stored": 18', '"stored": 17', "periods of source"),
        (MANIFEST, '"stored": 18', '"stored": "x"', "periods of a source"),
        (MANIFEST, '"stored": 18', '"more": 18', "triples of source"),
        (MANIFEST, '"step": "day"', '"step": null', "periods of a source"),
        (TRIPLES, "729388]", "729389]", "triples of source"),
        (TRIPLES, "729388]", "72938]", "triples of source"),
        (TRIPLES, "728995,", "728293,", "triples of source"),
        (TRIPLES, "729388]", '"x"]', "triples of source"),
    ],
)
def test_periods_that_were_changed_are_refused(
    store: Store, dumped: Path, tmp_path: Path, member: str, old: str, new: str, said: str
) -> None:
    store.drop("club")
    with zipfile.ZipFile(dumped) as archive, zipfile.ZipFile(tmp_path / "changed", "w") as changed:
        for name in archive.namelist():
            text = archive.read(name).decode()
            assert name != member or old in text
            changed.writestr(name, text.replace(old, new) if name == member else text)
    with pytest.raises(BadInput, match=said):
        store.restore(tmp_path / "changed")
    assert store.sources() == []
