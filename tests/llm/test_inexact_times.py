"""Times that the data know less exactly than their source, and ends that events do not lack."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

KINGS = """\
Charles\tking of\tWest Francia\tc. 843\t0877-10-06
Louis\tking of\tEast Francia\t0843-08-10\t876
Velm\tmember of\tthe League\t1860s\t1879-02-03
Treaty of Korn\tsigned by\tVelm\t1870-03-05\t1870-03-05
Treaty of Ulm\tsigned by\tVelm\t1872-03-05\t1872-03-05
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("inexact") / "kings.tsv"
    path.write_text(KINGS, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(path)
    return store


def ask(store: Store, question: str) -> Answer:
    return store.ask(question, get_backend("demos", db=store.db))


@pytest.mark.parametrize(
    ("question", "time"),
    [
        ("When did Charles become king of West Francia?", "843"),
        ("Since when was Velm a member of the League?", "1860s"),
    ],
)
def test_a_time_that_is_only_a_year_or_a_decade_has_a_note(store: Store, question: str, time: str) -> None:
    answer = ask(store, question)
    assert answer.answer == (time,)
    assert f"'{time}' is all that the data say of the time, whose exact day is not known." in answer.warnings


def test_a_fact_with_an_end_that_is_only_a_year_has_a_note(store: Store) -> None:
    answer = ask(store, "Who was king of East Francia in 850?")
    assert answer.answer == ("Louis",)
    assert "The end for 'Louis' is known only as '876', not to the day." in answer.warnings


def test_an_event_that_ends_where_it_starts_is_not_doubtful(store: Store) -> None:
    answer = ask(store, "Until when was the Treaty of Korn signed by Velm?")
    assert answer.answer == ("1870-03-05",)
    assert not any("Doubtful" in each for each in answer.warnings)


def test_a_length_in_days_is_no_time_that_is_less_exact(store: Store) -> None:
    length = ask(store, "How many days was Velm a member of the League?")
    assert not any("all that the data say" in each for each in length.warnings)
    answer = ask(store, "How many treaties were signed by Velm?")
    assert not any("all that the data say" in each for each in answer.warnings)


ABBESSES = """\
Oda Fenn\tabbess of\tMarrow\t120\t140s
Bera Lund\tabbess of\tMarrow\t150\t
Cara Lund\tabbess of\tHolm\t1400\t1410
"""


@pytest.fixture(scope="module")
def abbesses(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Store:
    path = tmp_path_factory.mktemp("inexact") / "abbesses.tsv"
    path.write_text(ABBESSES, encoding="utf-8")
    store.load_tkg(path, now="2020")
    return store


@pytest.mark.parametrize(
    ("question", "value", "note"),
    [
        ("How long was Oda Fenn abbess of Marrow?", "20 years", "known only as '140s', not to the year"),
        ("Who was abbess of Marrow in 1900?", "Bera Lund", "The data have no end for 'Bera Lund', which began in 150"),
    ],
)
def test_a_decade_as_an_end_and_an_end_that_the_data_lack_have_a_note(
    abbesses: Store, question: str, value: object, note: str
) -> None:
    answer = abbesses.ask(question, get_backend("demos", db=abbesses.db), ["abbesses"])
    assert answer.answer == (value,)
    assert any(note in each for each in answer.warnings)


def test_an_open_fact_soon_after_its_start_has_no_note_on_its_end(abbesses: Store) -> None:
    answer = abbesses.ask("Who was abbess of Marrow in 155?", get_backend("demos", db=abbesses.db), ["abbesses"])
    assert answer.answer == ("Bera Lund",)
    assert not any("no end" in each for each in answer.warnings)
