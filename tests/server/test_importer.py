"""Neo4j's own importer on the managed server, both versions."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase

from cgstore import server
from cgstore.errors import BadInput, NoDatabase
from cgstore.server import half_import, importer
from cgstore.server.home import Store
from cgstore.server.importer import import_files
from cgstore.server.state import with_argument

pytestmark = pytest.mark.usefixtures("in_real_home")


def run(query: str) -> list[list[object]]:
    info = server.start(quiet=True)
    with GraphDatabase.driver(str(info.uri), auth=(info.user, info.password())) as driver:
        return [list(record.values()) for record in driver.execute_query(query).records]


def empty() -> None:
    run("MATCH (n) DETACH DELETE n")


def files(folder: Path, nodes: int = 2) -> Path:
    """Nodes in a row, and the importer's arguments."""
    folder.mkdir()
    lines = "".join(f'{n},"name {n}",N\n' for n in range(nodes))
    (folder / "nodes.csv").write_text(f":ID,name,:LABEL\n{lines}")
    ends = "".join(f"{n},{n + 1}\n" for n in range(nodes - 1))
    (folder / "ends.csv").write_text(f":START_ID,:END_ID\n{ends}")
    (folder / "import.args").write_text("--id-type=integer\n--nodes=./nodes.csv\n--relationships=NEXT=./ends.csv\n")
    return folder


def test_an_import_into_a_new_home_of_the_newer_version(
    in_real_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CGSTORE_NEO4J_VERSION", "2026.08.1")
    try:
        assert import_files(files(tmp_path / "my files", 100), "import.args", quiet=True).version == "2026.08.1"
        assert run("MATCH (:N)-[r:NEXT]->(:N) RETURN count(r)") == [[99]]
    finally:
        server.stop(force=True)


def test_an_import_over_an_empty_database_keeps_its_password_and_sizes(in_real_home: Path, tmp_path: Path) -> None:
    server.start(heap="600m", page_cache="70m", quiet=True)
    password = server.status().password()
    some = files(tmp_path / "my files", 100)
    info = import_files(some, "import.args", quiet=True)
    assert info.running and info.password() == password
    assert "-Xmx600m" in (Path(info.home) / "neo4j" / "5.26" / "conf" / "java-arguments").read_text()
    assert run("MATCH (:N)-[r:NEXT]->(:N) RETURN count(r)") == [[99]]
    with pytest.raises(BadInput, match="not empty: it holds nodes of no source"):
        import_files(some, "import.args", quiet=True)
    empty()


def test_files_that_cannot_be_imported_leave_an_empty_database(in_real_home: Path, tmp_path: Path) -> None:
    folder = files(tmp_path / "files")
    (folder / "ends.csv").write_text(":START_ID,:END_ID\n0,77\n")
    with pytest.raises(NoDatabase, match=r"(?s)exit code .*empty again.*import.log") as caught:
        import_files(folder, "import.args", quiet=True)
    assert "77" in str(caught.value) or "bad" in str(caught.value).lower() or "missing" in str(caught.value)
    assert server.status().running
    assert run("MATCH (n) RETURN count(n)") == [[0]]


def test_an_importer_that_is_killed_leaves_an_empty_database(in_real_home: Path, tmp_path: Path) -> None:
    folder = files(tmp_path / "files", 300_000)
    killer = threading.Thread(target=lambda: _wait_for_importer(in_real_home, 1.5).kill())
    killer.start()
    with pytest.raises(NoDatabase, match="exit code"):
        import_files(folder, "import.args", quiet=True)
    killer.join()
    assert run("MATCH (n) RETURN count(n)") == [[0]]


def test_an_interrupt_ends_the_importer(in_real_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        _wait_for_importer(in_real_home, 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(importer, "_watch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        import_files(files(tmp_path / "files", 300_000), "import.args", quiet=True)
    place = Store(in_real_home, "5.26.30")
    assert with_argument(half_import.tag(place)) is None
    assert not half_import.clean(place)
    assert run("MATCH (n) RETURN count(n)") == [[0]]


def test_a_start_removes_what_an_import_left_and_ends_it(in_real_home: Path) -> None:
    run("CREATE (:Rubbish)")
    password = server.status().password()
    server.stop()
    place = Store(in_real_home, "5.26.30")
    half_import.begin(place)
    assert run("MATCH (n) RETURN count(n)") == [[0]]
    assert server.status().password() == password
    assert not half_import.clean(place)


def _wait_for_importer(home: Path, seconds: float) -> psutil.Process:
    """The importer, so many seconds after it was seen first."""
    wanted = half_import.tag(Store(home, "5.26.30"))
    deadline = time.monotonic() + 120
    while (process := with_argument(wanted)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(seconds)
    return process
