"""The database that the tests use: a URI if given, a container if a Docker engine answers, else the managed server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cgstore.cypher.connection import Database
from tests.one_encoder import load_one

# The two processes of `make test` have a core each, which PyTorch cannot know.
os.environ.setdefault("OMP_NUM_THREADS", "1")

ROOT = Path(__file__).parents[1]
DATA = ROOT / ".data"
# A busy machine must not fail a test: speed is measured in benchmarks. Every run draws the same examples, so that what
# fails fails because of a change. `pytest --hypothesis-profile=random` draws others.
_ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("cgstore", _ANY_SPEED, derandomize=True)
settings.register_profile("random", _ANY_SPEED)
settings.load_profile("cgstore")

IMAGE = "neo4j:5.26-community"

PLANS_ARE_KEPT = {"dbms.cypher.min_replan_interval": "1h", "dbms.cypher.statistics_divergence_threshold": "1.0"}
"""Settings of the tests' Neo4j. Else each emptied database is a reason to plan every statement anew."""


STARTS_A_SERVER = {"neo4j_settings", "jar_cache", "homes", "own_server"}
"""Fixtures that need a running Neo4j."""


def pytest_xdist_auto_num_workers() -> int:
    """`-n auto` runs two processes, each with its own Neo4j. A given Neo4j has one database, so one process uses it."""
    return 0 if os.environ.get("CGSTORE_NEO4J_URI") else min(2, os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that use the database. The slow tests come first, so that both processes end at the same time."""

    def is_quick(item: pytest.Item) -> bool:
        return not STARTS_A_SERVER & set(getattr(item, "fixturenames", ()))

    for item in items:
        if "neo4j_settings" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.database)
    quick = {item.path for item in items} - {item.path for item in items if not is_quick(item)}
    items.sort(key=lambda item: item.path in quick)


def pytest_report_header() -> str:
    given = os.environ.get("CGSTORE_NEO4J_URI")
    kind = f"at {given}" if given else "in a container" if _docker_answers() else "managed by cgstore"
    return f"neo4j: {kind}"


def _docker_answers() -> bool:
    try:
        import docker

        docker.from_env(timeout=2).ping()
    except Exception:
        return False
    return True


@pytest.fixture(scope="session", autouse=True)
def one_encoder() -> Iterator[None]:
    """The default encoder is loaded once, and is the same in every test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cgstore.embedding.encoder.load_encoder", load_one)
        yield


@pytest.fixture(scope="session", autouse=True)
def short_polls() -> Iterator[None]:
    """The vector indexes of tests are built in a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cgstore.embedding.vectors.POLL", 0.02)
        yield


@pytest.fixture
def short_lived(monkeypatch: pytest.MonkeyPatch) -> None:
    """Java for servers that end after a few statements, without its second compiler, which takes half of a start."""
    from cgstore.server import java

    monkeypatch.setattr(java, "_OPTIONS", (*java._OPTIONS, "-XX:TieredStopAtLevel=1"))


@pytest.fixture(scope="session", autouse=True)
def own_answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What `ask` remembers stays out of the home of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("answers")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cgstore.llm.remembered.answers_folder", lambda: folder)
        yield


@pytest.fixture(scope="session")
def neo4j_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Environment variables that point cgstore at the tests' database."""
    if os.environ.get("CGSTORE_NEO4J_URI"):
        given = {name: os.environ[name] for name in os.environ if name.startswith("CGSTORE_NEO4J_")}
        _refuse_to_wipe(given)
        yield given
        with connected(given) as db:
            wipe(db)
    elif _docker_answers():
        from testcontainers.community.neo4j import Neo4jContainer

        container = Neo4jContainer(IMAGE)
        for name, value in PLANS_ARE_KEPT.items():
            container.with_env("NEO4J_" + name.replace("_", "__").replace(".", "_"), value)
        with container:
            yield {
                "CGSTORE_NEO4J_URI": container.get_connection_url(),
                "CGSTORE_NEO4J_USER": container.username,
                "CGSTORE_NEO4J_PASSWORD": container.password,
            }
    else:
        yield from _managed(tmp_path_factory.mktemp("cgstore-home"))


def connected(settings: dict[str, str]) -> Database:
    """A connection by these settings."""
    return Database(
        settings["CGSTORE_NEO4J_URI"],
        settings.get("CGSTORE_NEO4J_USER", "neo4j"),
        settings.get("CGSTORE_NEO4J_PASSWORD", ""),
        settings.get("CGSTORE_NEO4J_DATABASE"),
    )


def wipe(db: Database) -> None:
    """Empties a database; its indexes and constraints stay."""
    if db.read("MATCH (n) RETURN 1 AS one LIMIT 1"):
        with db.session() as session:
            session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()


def _refuse_to_wipe(settings: dict[str, str]) -> None:
    """The tests empty their database: one that somebody filled must be handed over on purpose."""
    with connected(settings) as db:
        if db.read("MATCH (n) RETURN 1 AS one LIMIT 1") and not os.environ.get("CGSTORE_TEST_WIPE"):
            where = settings["CGSTORE_NEO4J_URI"]
            pytest.exit(f"{where} is not empty, and the tests would empty it. Set CGSTORE_TEST_WIPE=1 to allow it.", 2)


def _managed(home: Path) -> Iterator[dict[str, str]]:
    from cgstore import server
    from cgstore.server import java
    from cgstore.server.home import home_folder, jars_folder

    settings_of = java.settings
    with pytest.MonkeyPatch.context() as patch:
        # The jars of the user, not a download of 143 MB for each process.
        patch.setenv("CGSTORE_JARS", str(jars_folder(home_folder())))
        patch.setattr(java, "settings", lambda *about: settings_of(*about) | PLANS_ARE_KEPT)
        # A tenth less work than with G1, whose short pauses no test needs.
        parallel = [option.replace("+UseG1GC", "+UseParallelGC") for option in java._OPTIONS]
        patch.setattr(java, "_OPTIONS", tuple(parallel))
        info = server.start(home=home, heap="1g", page_cache="512m")
    try:
        yield {
            "CGSTORE_NEO4J_URI": info.uri,
            "CGSTORE_NEO4J_USER": info.user,
            "CGSTORE_NEO4J_PASSWORD": info.password(),
        }
    finally:
        server.stop(home=home)


@pytest.fixture(scope="session")
def shared_db(neo4j_settings: dict[str, str]) -> Iterator[Database]:
    """One connection for the whole run."""
    with connected(neo4j_settings) as db:
        yield db


@pytest.fixture
def db(shared_db: Database) -> Database:
    """An empty database."""
    wipe(shared_db)
    return shared_db
