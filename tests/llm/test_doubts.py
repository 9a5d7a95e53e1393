"""Answers about time that the data leave in doubt have a note."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.store import Store
from tests.conftest import wipe

BISHOPS = """\
Leo I\tposition held\tBishop of Trant\t1940\t1958
Leo II\tposition held\tBishop of Trant\t1958\t1958
Leo III\tposition held\tBishop of Trant\t1958\t1963
Leo III\tposition held\tBishop of Trant\t1970\t1974
Marco Dell\tposition held\tBishop of Trant\t1964\t1970
Nino Asti\tposition held\tBishop of Trant\t1975\t1979
Otto Varn\tposition held\tDuke of Varn\t1991\t1996
Konrad Varn\tposition held\tDuke of Varn\t1996\t1996
Ada Varn\tchief executive\tVarn Works\t1950\t1959
Bela Tonn\tchief executive\tVarn Works\t1960\t1969
Cora Lind\tchief executive\tVarn Works\t1970\t1979
Varn Works\towner\tVarn family\t1950\t1979
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path: Path = tmp_path_factory.mktemp("doubts") / "sees.tsv"
    path.write_text(BISHOPS, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(path)
    return store


@pytest.mark.parametrize(
    ("question", "answer", "doubt"),
    [
        ("Who was Bishop of Trant after Leo I?", ("Leo III",), "'Leo II' also held at that last time"),
        ("Who was Bishop of Trant after Leo III?", ("Nino Asti",), "'Leo III' begins 2 times there (1958, 1970)"),
        ("Who was the last Duke of Varn?", ("Konrad Varn", "Otto Varn"), "all hold at that time"),
    ],
)
def test_what_the_times_do_not_tell_is_doubtful(
    question: str, answer: tuple[str, ...], doubt: str, store: Store
) -> None:
    found = store.ask(question, get_backend("demos"), ["sees"])
    assert found.answer == answer
    assert any(warning.startswith("Doubtful: ") and doubt in warning for warning in found.warnings)


def test_a_plain_succession_has_no_doubt(store: Store) -> None:
    found = store.ask("Who was Bishop of Trant before Nino Asti?", get_backend("demos"), ["sees"])
    assert (found.answer, found.warnings) == (("Leo III",), ())
    assert re.search(r"\(confidence 0\.\d\d\)$", found.because or "")


@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        ("Who was chief executive of Varn Works after 1955?", "Ada Varn", "'Bela Tonn', 'Cora Lind'"),
        ("Who was chief executive of Varn Works before 1965?", "Bela Tonn", "'Ada Varn'"),
    ],
)
def test_the_nearest_of_several_times_has_a_note(question: str, answer: str, others: str, store: Store) -> None:
    found = store.ask(question, get_backend("demos"), ["sees"])
    sign = " ".join(question.rstrip("?").split()[-2:])
    note = f"Taken as the nearest time {sign}; further from it: {others}."
    assert (found.answer, found.warnings) == ((answer,), (note,))


@pytest.mark.parametrize(("word", "answer"), [("after", "Cora Lind"), ("before", "Ada Varn")])
def test_a_successor_takes_the_place_of_the_name_after_the_word(word: str, answer: str, store: Store) -> None:
    question = f"Who was chief executive of Varn Works {word} Bela Tonn?"
    assert store.ask(question, get_backend("demos"), ["sees"]).answer == (answer,)


def test_a_name_is_searched_without_the_words_of_relations(store: Store) -> None:
    question = "who was chief executive of varn wroks in 1955"
    found = store.ask(question, get_backend("demos"), ["sees"], exact=True)
    assert "Closest: Varn Works." in found.warnings


def test_a_misspelt_name_is_read_as_the_nearest_with_a_note(store: Store) -> None:
    found = store.ask("who was chief executive of varn wroks in 1955", get_backend("demos"), ["sees"])
    assert (found.answer, found.warnings[0]) == (("Ada Varn",), "'varn wroks' is read as 'Varn Works'")
