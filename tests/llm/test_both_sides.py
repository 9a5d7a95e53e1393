"""A relation that holds both ways is asked on both sides, since either of two may be the head of their fact."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

MARRIAGES = """\
Roland Pike\tmarried to\tJoan Petrie\t1975\t1989
Joan Petrie\tmarried to\tHarold Bright\t1991\t2008
Vera Lund\tmarried to\tNils Arden\t1950\t1960
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("marriages") / "marriages.tsv"
    path.write_text(MARRIAGES, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(path)
    return store


def ask(store: Store, question: str) -> Answer:
    return store.ask(question, get_backend("demos", db=store.db))


def test_whoever_stands_on_both_sides_is_asked_about_on_both(store: Store) -> None:
    assert set(ask(store, "Who was Joan Petrie married to?").answer) == {"Roland Pike", "Harold Bright"}
    assert ask(store, "Who was Vera Lund married to?").answer == ("Nils Arden",)


def test_more_than_a_search_on_one_of_the_sides_is_refused(store: Store) -> None:
    found = ask(store, "How often was Joan Petrie married?")
    assert found.abstained
    assert found.warnings[0] == (
        "'married to' holds both ways, and 'Joan Petrie' stands on both sides, of which only one was asked about"
    )
