"""Running the command line in this process, on the tests' database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe
from tests.known import WORLD, teach

EXAMPLES = Path(__file__).parents[2] / "examples"

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def run(neo4j_settings: dict[str, str]) -> Run:
    """`run("query", "...")`: the result of that command line."""

    def invoke(*arguments: str | Path, stdin: str | None = None, **environment: str) -> Result:
        settings = {**neo4j_settings, "OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", **environment}
        return CliRunner(env=settings).invoke(main, [str(a) for a in arguments], input=stdin)

    return invoke


@pytest.fixture(scope="module")
def world(shared_db: Database) -> Store:
    """A database with examples/world.tsv as its only source, and some questions whose programs are kept as right."""
    store = Store(shared_db)
    if [source.name for source in store.sources()] != ["world"] or len(store.demonstrations()) != len(WORLD):
        wipe(shared_db)
        store.load_tkg(EXAMPLES / "world.tsv", name="world")
        teach(shared_db)
    return store
