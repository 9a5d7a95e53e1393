"""Bulk loads: the graph must be that of the online load, also where they were killed in the middle."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from cgstore import server
from cgstore.catalog.sources import drop_source
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, NoDatabase
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, add_untried, remove
from cgstore.loaders.aliases import load_aliases
from cgstore.loaders.writer import bulk
from cgstore.loaders.writer.bulk import Bulk, bulk_load
from cgstore.loaders.writer.target import Online
from cgstore.server.half_import import tag
from cgstore.server.home import Store, home_folder, jars_folder
from cgstore.server.state import with_argument
from tests.conftest import ROOT
from tests.loaders.bulk_samples import Sources, nasty_sources, plain_source
from tests.loaders.samples import everything

FACTS = 1_500

# Demonstrations make their own index when the first one is added, in whatever database other tests share with these.
INDEXES = """
SHOW INDEXES YIELD name, state, labelsOrTypes, properties
WHERE labelsOrTypes IS NULL OR labelsOrTypes <> ['CgDemonstration']
RETURN name, state, labelsOrTypes, properties ORDER BY name
"""

CLIENT = """
import sys
from pathlib import Path
from cgstore.loaders.writer.bulk import bulk_load
from tests.loaders.bulk_samples import plain_source
with plain_source(int(sys.argv[2])) as sources:
    print("staged", flush=True)
    bulk_load(sources, Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Homes of small servers with the jars that all share; whatever runs in them is killed after the module."""
    folder = tmp_path_factory.mktemp("bulk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CGSTORE_JARS", str(jars_folder(home_folder())))
        patch.setenv("CGSTORE_NEO4J_HEAP", "512m")
        patch.setenv("CGSTORE_NEO4J_PAGECACHE", "128m")
        yield folder
        for home in folder.iterdir():
            server.stop(home=home, force=True)


@pytest.fixture
def home(homes: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A new home."""
    folder = homes / f"home {random.randrange(10**9)}"
    yield folder
    server.stop(home=folder, force=True)


def _connected(home: Path) -> Database:
    info = server.start(home=home, quiet=True)
    return Database(str(info.uri), info.user, info.password())


def _graph(home: Path) -> object:
    with _connected(home) as db:
        return everything(db), _sources(db)


def _sources(db: Database) -> list[dict[str, Any]]:
    rows = db.read("MATCH (s:CgSource) RETURN properties(s) AS about ORDER BY s.name")
    times = ("started", "loaded")
    assert all(type(row["about"][name]).__name__ == "DateTime" for row in rows for name in times)
    return [{name: value for name, value in row["about"].items() if name not in times} for row in rows]


def _online(db: Database, sources: Sources) -> tuple[object, object]:
    with Online(db) as target:
        for plan, staged in sources:
            target.take(plan, staged)
        target.finish()
    return everything(db), _sources(db)


def test_the_graph_is_that_of_the_online_load_whatever_the_names(db: Database, home: Path) -> None:
    with nasty_sources() as sources:
        assert bulk_load(sources, home) == {plan.name for plan, _ in sources}
        expected = _online(db, sources)
        with _connected(home) as other:
            assert (everything(other), _sources(other)) == expected
            assert other.read(INDEXES) == db.read(INDEXES)
            for plan, _ in sources:
                drop_source(other, plan.name)
            assert everything(other) == ([], [])


def test_what_is_there_is_left_alone_and_nothing_else_is_let_in(home: Path) -> None:
    with plain_source(10) as sources, plain_source(10, "other") as others, plain_source(11) as changed:
        assert bulk_load(sources, home) == {"kg"}
        graph = _graph(home)
        assert bulk_load(sources, home) == set()
        with Bulk(home), pytest.raises(BadInput, match="Another bulk load"):
            Bulk(home)
        with Bulk(home) as target, pytest.raises(BadInput, match="not empty: it holds 1 source\\. "):
            target.stored_name("other")
        for some in (others, changed):
            with pytest.raises(BadInput, match="not empty"):
                bulk_load(some, home)
        assert _graph(home) == graph
    assert not list(_store(home).folder.glob("bulk-*"))


def test_a_store_of_demonstrations_or_of_aliases_is_not_empty_and_says_so(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("JFK\tJohn F. Kennedy\n")
    with plain_source(10) as sources, _connected(home) as db:
        add_untried(
            db, [StoredDemonstration(f"Who {n}?", source_kind="kg", state=State.UNTRIED, gold=("Ada",)) for n in (1, 2)]
        )
        with pytest.raises(BadInput, match="it holds 2 demonstrations") as raised:
            bulk_load(sources, home)
        assert raised.value.hint and "without --bulk" in raised.value.hint and "demos remove" in raised.value.hint
        assert remove(db) == 2
        load_aliases(db, path, name="kg")
        for name in ("kg", "other"):
            with plain_source(10, name) as some, pytest.raises(BadInput, match="not empty: it holds 1 source"):
                bulk_load(some, home)
        assert db.read("MATCH (a:CgAlias) RETURN count(a) AS n") == [{"n": 1}]
        drop_source(db, "kg")
        assert bulk_load(sources, home) == {"kg"}


def test_too_small_a_disk_is_said_before_anything_is_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "_STORE_BYTES", 10**15)
    with plain_source(10) as sources, pytest.raises(NoDatabase, match="GB free"):
        bulk_load(sources, home)
    assert not server.status(home=home).running


def test_a_load_cut_short_before_its_end_is_finished_by_the_next(
    db: Database, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with nasty_sources() as sources:  # what is repaired after an import is repaired twice
        expected = _online(db, sources)
        with monkeypatch.context() as patch:
            patch.setattr(bulk, "_make_ready", _interrupt)
            with pytest.raises(KeyboardInterrupt):
                bulk_load(sources, home)
        with _connected(home) as other, pytest.raises(BadInput, match="cut short"):
            _online(other, sources)
        assert bulk_load(sources, home) == {plan.name for plan, _ in sources}
        assert _graph(home) == expected


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_killed_at_any_moment_the_same_load_completes(db: Database, home: Path) -> None:
    """Another moment and another victim in each run of the tests; `benchmarks/kills.py` tries many."""
    victim, seconds = random.choice(["client", "importer"]), random.uniform(0, 6)
    killed = f"the {victim} was killed after {seconds:.2f} s"
    with plain_source(FACTS) as sources:
        expected = _online(db, sources)
        _kill_one(home, victim, seconds)
        with _connected(home) as other:  # the server starts again, whatever was left
            assert everything(other) in (([], []), expected[0]), killed
        bulk_load(sources, home)
        assert _graph(home) == expected, killed


def _kill_one(home: Path, victim: str, seconds: float) -> None:
    """Starts a bulk load and kills it so many seconds after the importer has begun."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(home), str(FACTS)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    while client.poll() is None and not (importer := with_argument(tag(_store(home)))):
        time.sleep(0.05)
    if client.poll() is None:
        time.sleep(seconds)
        process = client if victim == "client" else importer
        with suppress(psutil.NoSuchProcess):
            process.kill()
    client.wait()


def _store(home: Path) -> Store:
    return Store(home, server.status(home=home).version)
