"""Questions without an LLM over facts with times of several exactness: what answers them, and what is refused."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

LIGHTS = """\
Ada Mull\tkeeper of\tSkerry Light\t1800\t1812-04-03
Ben Orr\tkeeper of\tSkerry Light\t1812-04-04\t1820
Cora Finn\tkeeper of\tSkerry Light\t1820\t1826-09-30
Cora Finn\tkeeper of\tHolm Light\t1830-01-01\t1834-01-01
Cora Finn\tkeeper of\tHolm Light\t1836\t1839
Ada Mull\tharbour master of\tKelda\t1812\t1819
Gus Harrow\tharbour master of\tKelda\t1819\t1840
Ben Orr\tmarried to\tEda Voss\t1811-06-01\t1825-01-31
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("times") / "lights.tsv"
    path.write_text(LIGHTS, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(path)
    return store


def ask(store: Store, question: str) -> Answer:
    return store.ask(question, get_backend("demos", db=store.db))


def test_a_duration_between_times_known_as_years_is_in_years_of_the_calendar(store: Store) -> None:
    answer = ask(store, "How many years was Gus Harrow harbour master of Kelda?")
    assert answer.answer == (21,)
    assert any("years of the calendar" in each for each in answer.warnings)


def test_a_duration_is_not_the_sum_of_those_terms_alone_whose_days_are_known(store: Store) -> None:
    assert ask(store, "How many days was Cora Finn keeper of Holm Light?").answer == ()
    assert ask(store, "How many years was Cora Finn keeper of Holm Light?").answer == (7,)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who was keeper of Skerry Light when Ben Orr married Eda Voss?", {"Ada Mull"}),
        ("Who was keeper of Skerry Light while Ben Orr was married to Eda Voss?", {"Ada Mull", "Ben Orr", "Cora Finn"}),
        ("In what year was Gus Harrow made harbour master of Kelda?", {"1819"}),
    ],
)
def test_what_happens_at_once_is_the_beginning_of_what_holds_then(question: str, names: set[str], store: Store) -> None:
    assert set(ask(store, question).answer) == names


def test_what_began_in_a_year_is_asked_of_the_beginning_of_that_year(store: Store) -> None:
    answer = ask(store, "Who was keeper of Skerry Light when Gus Harrow became harbour master of Kelda?")
    assert answer.answer == ("Ben Orr",)
    assert any("less exact" in each for each in answer.warnings)


def test_a_set_of_a_name_without_another_one_is_not_all_that_are_left(store: Store) -> None:
    assert ask(store, "Which harbour masters of Kelda were never a hermit?").answer == ()
