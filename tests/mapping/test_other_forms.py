"""Names that a question has in another form than the graph: read with a note where one node fits, else asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.store import Store
from tests.conftest import wipe

PLAYERS = """\
Nadia Petra Orlov\tmember of sports team\tVelm Rovers F.C.\t1950\t1954
Hugo Tamm\tmember of sports team\tVarn Riders F.C.\t1950\t1954
Ida Moll\tmember of sports team\tPort Estrin Football Club\t1960\t1969
Ida Anna Moll\tmember of sports team\tTonn United F.C.\t1970\t1972
Otto Kell\tposition held\tWarden of Australia\t1980\t1984
Paul Anton Reve\tmember of sports team\tTonn United F.C.\t1970\t1972
Paul Bruno Reve\tmember of sports team\tTonn United F.C.\t1973\t1974
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path: Path = tmp_path_factory.mktemp("forms") / "players.tsv"
    path.write_text(PLAYERS, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(path)
    return store


@pytest.mark.parametrize(
    ("question", "answer", "note"),
    [
        (
            "Which team did Nadia Orlov play for in 1952?",
            ("Velm Rovers F.C.",),
            "'Nadia Orlov' is read as 'Nadia Petra Orlov'",
        ),
        ("Who played for TUFC in 1974?", ("Paul Bruno Reve",), "'TUFC' is read as 'Tonn United F.C.'"),
        ("Who played for Port Estrin F.C. in 1961?", ("Ida Moll",), "is read as 'Port Estrin Football Club'"),
        ("Who was Australian Warden in 1981?", ("Otto Kell",), "is read as 'Warden of Australia'"),
    ],
)
def test_a_name_in_another_form_is_read_with_a_note(
    question: str, answer: tuple[str, ...], note: str, store: Store
) -> None:
    found = store.ask(question, get_backend("demos"), ["players"])
    assert found.answer == answer
    assert any(note in warning for warning in found.warnings)


def test_it_is_not_read_where_names_are_exact(store: Store) -> None:
    found = store.ask("Who played for TUFC in 1974?", get_backend("demos"), ["players"], exact=True)
    assert found.answer == ()


def test_of_several_that_fit_none_is_taken_and_all_are_named(store: Store) -> None:
    found = store.ask("Which team did Paul Reve play for in 1974?", get_backend("demos"), ["players"])
    assert found.answer == ()
    assert any("'Paul Reve' may be" in w and "Paul Anton Reve" in w and "Paul Bruno Reve" in w for w in found.warnings)


def test_of_several_that_fit_the_one_with_a_fact_about_another_name_is_taken(store: Store) -> None:
    found = store.ask("When did Hugo Tamm play for VRFC?", get_backend("demos"), ["players"])
    assert found.answer == ("1950", "1951", "1952", "1953", "1954")
    assert any("'VRFC' is read as 'Varn Riders F.C.'" in warning for warning in found.warnings)


def test_a_name_that_the_graph_has_is_read_as_written(store: Store) -> None:
    found = store.ask("Which team did Ida Moll play for in 1961?", get_backend("demos"), ["players"])
    assert (found.answer, found.warnings) == (("Port Estrin Football Club",), ())
