"""Yes or no over tables without an LLM, all the way to Neo4j: the graph gives what was worked out in memory."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.store import Store
from tests.conftest import ROOT, wipe

TABLES = ROOT / "benchmarks" / "table_questions"


@pytest.fixture(scope="module")
def messy(shared_db: Database) -> Store:
    """A store with three messy tables of `benchmarks/table_questions`."""
    wipe(shared_db)
    store = Store(shared_db)
    store.load_table([TABLES / f"{name}.csv" for name in ("crew", "deliveries", "supplies")])
    return store


@pytest.mark.parametrize(
    ("question", "source", "answer", "note"),
    [
        ("has order 1012 been delivered?", "deliveries", "yes", "'Delivered' is '11/02/2025'."),
        ("is order 1019 paid?", "deliveries", "no", "'Paid' is 'no'."),
        ("do we have any whiteboards?", "supplies", "no", "'In stock' is '0'."),
        ("does every joiner have a driving licence?", "crew", "no", "'Emil Strand'"),
        ("do all drivers have a driving licence?", "crew", "yes", "Rows that were looked at: 2."),
        ("is Ivo Brandl in the office?", "crew", "no", "'Team' is 'Delivery'."),
    ],
)
def test_the_graph_gives_the_verdict(messy: Store, question: str, source: str, answer: str, note: str) -> None:
    given = messy.ask(question, get_backend("demos"), [source])
    assert given.answer == (answer,), given.warnings
    assert any(note in each for each in given.warnings)


def test_an_empty_cell_is_no_answer(messy: Store) -> None:
    given = messy.ask("who is the supervisor of Ruth Okoye?", get_backend("demos"), ["crew"])
    assert given.abstained
    assert "what is asked for is an empty cell: 'Supervisor'." in given.warnings


def test_an_empty_cell_is_no_verdict(messy: Store) -> None:
    given = messy.ask("was order 1013 delivered?", get_backend("demos"), ["deliveries"])
    assert given.abstained
    assert "the cell of 'Delivered' is empty" in given.warnings[0]
