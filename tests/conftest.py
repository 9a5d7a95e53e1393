"""The database that the tests use: a URI if given, a container if a Docker engine answers, else the managed server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cgstore.cypher.connection import Database

ROOT = Path(__file__).parents[1]
DATA = ROOT / ".data"
# A busy machine must not fail a test: speed is measured in benchmarks.
settings.register_profile("cgstore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cgstore")

IMAGE = "neo4j:5.26-community"


def pytest_configure(config: pytest.Config) -> None:
    """`--collect-only` runs no test, and syrupy would fail because every snapshot is unused."""
    if config.option.collectonly:
        config.option.warn_unused_snapshots = True


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

        with Neo4jContainer(IMAGE) as container:
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
    with db.session() as session:
        session.run("MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 20000 ROWS").consume()
        session.run("MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS OF 20000 ROWS").consume()


def _refuse_to_wipe(settings: dict[str, str]) -> None:
    """The tests empty their database: one that somebody filled must be handed over on purpose."""
    with connected(settings) as db:
        if db.read("MATCH (n) RETURN 1 AS one LIMIT 1") and not os.environ.get("CGSTORE_TEST_WIPE"):
            where = settings["CGSTORE_NEO4J_URI"]
            pytest.exit(f"{where} is not empty, and the tests would empty it. Set CGSTORE_TEST_WIPE=1 to allow it.", 2)


def _managed(home: Path) -> Iterator[dict[str, str]]:
    from cgstore import server

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
