"""Loads that are killed, repeated, or run side by side: the graph must come out as from one undisturbed load."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore.catalog import registry
from cgstore.catalog.sources import drop_source, list_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError, NoDatabase
from cgstore.loaders.tkg import TkgOptions, load_tkg, read_tkg
from cgstore.loaders.tkg_stage import Fact
from cgstore.loaders.writer import write
from cgstore.loaders.writer.target import Online
from cgstore.model import LoadReport, SourceState
from tests.conftest import ROOT
from tests.loaders.samples import expected, many_facts, stored, write_csv
from tests.moments import before_call, before_statement, wait_until

FACTS, BATCH = 600, 200
"""About 8,000 condition triples in forty batches: long enough to be killed in the middle."""

CLIENT = """
import os, sys
from pathlib import Path
from cgstore.cypher.connection import Database
from cgstore.loaders.tkg import load_tkg
from cgstore.loaders.writer.target import Online
with Database(*(os.environ["CGSTORE_NEO4J_" + name] for name in ("URI", "USER", "PASSWORD"))) as db:
    load_tkg(Online(db, batch=int(sys.argv[2])), Path(sys.argv[1]))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "kg.csv", many_facts(FACTS))


def _load(db: Database, path: Path, name: str | None = None) -> LoadReport:
    return load_tkg(Online(db, batch=BATCH), path, TkgOptions(name=name))


def _oracle(path: Path, source: str = "kg") -> object:
    return expected([item for item in read_tkg(path) if isinstance(item, Fact)], source)


def _batches(db: Database) -> int:
    return int(db.read("MATCH (l:CgLane) RETURN coalesce(sum(l.done), 0) AS done")[0]["done"])


def test_a_killed_client_goes_on_when_started_again(db: Database, path: Path, neo4j_settings: dict[str, str]) -> None:
    environment = {**os.environ, "CGSTORE_NEO4J_USER": "neo4j", "CGSTORE_NEO4J_PASSWORD": "", **neo4j_settings}
    client = subprocess.Popen([sys.executable, "-c", CLIENT, str(path), str(BATCH)], cwd=ROOT, env=environment)
    wait_until(lambda: _batches(db) >= 3)
    client.kill()
    client.wait()
    assert list_sources(db)[0].state is SourceState.LOADING
    assert 3 <= _batches(db) < 40
    _load(db, path)
    assert stored(db, "kg") == _oracle(path)


def test_two_loads_at_once_are_both_complete(db: Database, path: Path) -> None:
    errors = _together(lambda: _load(db, path, name="one"), lambda: _load(db, path, name="two"))
    assert errors == []
    assert stored(db, "one") == _oracle(path, "one")
    assert stored(db, "two") == _oracle(path, "two")


@pytest.mark.parametrize("content", ["the same", "other"])
def test_a_source_that_a_live_process_loads_is_waited_for(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    path = write_csv(tmp_path / "kg.csv", many_facts(3))
    mine = path if content == "the same" else write_csv(tmp_path / "other.csv", many_facts(4))
    seen = []
    busy = f"is being loaded by process {os.getpid()} .*\\nWait until it is done"

    def load_meanwhile() -> None:
        with pytest.raises(BadInput, match=busy) as caught:
            _load(db, mine, name="kg")
        seen.append(caught)

    before_call(monkeypatch, write, "relationship_rows", load_meanwhile)
    _load(db, path)
    assert seen and stored(db, "kg") == _oracle(path)


def test_a_source_that_is_being_dropped_is_waited_for(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_csv(tmp_path / "kg.csv", many_facts(3))
    _load(db, path)
    seen = []

    def load_meanwhile() -> None:
        with pytest.raises(BadInput, match=r"(?s)is being dropped.*Wait until it is gone.*`cgstore drop kg`") as caught:
            _load(db, path)
        seen.append(caught)

    before_statement(monkeypatch, "DELETE r", load_meanwhile)
    drop_source(db, "kg")
    assert seen and list_sources(db) == []


def test_two_loads_of_one_source_that_both_believe_to_be_alone_double_nothing(
    db: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "STALE", -math.inf)  # any other load counts as dead
    errors = _together(lambda: _load(db, path), lambda: _load(db, path))
    assert all(isinstance(error, CgstoreError) and "taken over" in str(error) for error in errors)
    assert len(errors) <= 1
    assert stored(db, "kg") == _oracle(path)


def test_dropping_one_source_while_another_loads_harms_neither(db: Database, path: Path) -> None:
    _load(db, path, name="old")

    def drop() -> None:
        wait_until(lambda: _batches(db) >= 1)
        drop_source(db, "old")

    assert _together(lambda: _load(db, path, name="new"), drop) == []
    assert stored(db, "new") == _oracle(path, "new")
    assert stored(db, "old") == []


def _together(*jobs: object) -> list[BaseException]:
    errors: list[BaseException] = []

    def run(job: object) -> None:
        try:
            assert callable(job)
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.fixture
def own_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A server that may be killed, with the jars that all share."""
    from cgstore import server
    from cgstore.server.home import home_folder, jars_folder

    monkeypatch.setenv("CGSTORE_JARS", str(jars_folder(home_folder())))
    yield tmp_path / "home"
    server.stop(home=tmp_path / "home", force=True)


@pytest.mark.long
def test_a_server_killed_in_the_middle_of_a_load_loses_and_doubles_nothing(own_server: Path, path: Path) -> None:
    from cgstore import server

    info = server.start(home=own_server, heap="512m", page_cache="128m", quiet=True)
    assert info.uri and info.pid
    with Database(info.uri, info.user, info.password()) as db:
        loading = threading.Thread(target=_ignoring_errors, args=[db, path])
        loading.start()
        wait_until(lambda: _batches(db) >= 3)
        os.kill(info.pid, signal.SIGKILL)
        again = server.start(home=own_server, heap="512m", page_cache="128m", quiet=True)
        loading.join()
    assert again.uri
    with Database(again.uri, again.user, again.password()) as db:
        _load(db, path)
        assert stored(db, "kg") == _oracle(path)
        assert list_sources(db)[0].state is SourceState.READY


def _ignoring_errors(db: Database, path: Path) -> None:
    try:
        _load(db, path)
    except NoDatabase as error:
        assert "goes on where it stopped" in str(error)
