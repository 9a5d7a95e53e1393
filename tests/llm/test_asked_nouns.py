"""The noun of what is asked for (`which stouts`), without an LLM: compared with the graph, or said to be unchecked."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

BREW = """\
Black Heron\tbrewed by\tHarrow Brewery
Harrow Gold\tbrewed by\tHarrow Brewery
Windhover\tbrewed by\tKestrel Ales
Polaris\tbrewed by\tNordlys
Black Heron\tstyle\tstout
Harrow Gold\tstyle\tgolden ale
Windhover\tstyle\tpale ale
Polaris\tstyle\tlager
Black Heron\talcohol\t5.5
Harrow Gold\talcohol\t5.9
Windhover\talcohol\t4.5
Kestrel Ales\tfounded by\tTomas Lind
Kestrel Ales\tfounded year\t1998
Harrow Brewery\tfounded year\t1950
Harrow Brewery\tcapacity\t4000
Kestrel Ales\tcapacity\t9000
Tomas Lind\tborn in\tSkarvik
Tomas Lind\tbirth year\t1960
Ada Moss\tborn in\tSkarvik
Ada Moss\tbirth year\t1970
Skarvik\tpopulation\t3000
Oporto\tpopulation\t9000
"""

SPIRITS = """\
Arrin 12\tdistilled at\tGlen Arrin
Arrin Peat\tdistilled at\tGlen Arrin
Arrin 12\ttype\twhisky
Arrin Peat\ttype\twhisky
Glen Arrin\ttype\tdistillery
Glen Arrin\testablished in\t1830
Port Ruadh\ttype\tdistillery
Port Ruadh\testablished in\t1890
Don Sween\ttype\tperson
Don Sween\tborn on\t1961
Eva Sween\ttype\tperson
Eva Sween\tborn on\t1981
"""

CHEFS = """\
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <http://ex.org/> .
ex:headChef rdfs:label "head chef"@en .
ex:r1 rdfs:label "Blue Plate"@en ; ex:headChef ex:p1 .   ex:p1 rdfs:label "Nora Quist"@en .
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder: Path = tmp_path_factory.mktemp("nouns")
    store = Store(shared_db)
    for name, text in (("brew", BREW), ("spirits", SPIRITS)):
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
        store.load_kg(folder / f"{name}.tsv")
    (folder / "chefs.ttl").write_text(CHEFS, encoding="utf-8")
    store.load_rdf(folder / "chefs.ttl")
    return store


def ask(store: Store, question: str, *sources: str) -> Answer:
    return store.ask(question, get_backend("demos", db=store.db), sources or ("brew",))


STOUTS = "'stouts' is taken for what has 'style' 'stout'."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which stouts are brewed by Harrow Brewery?", ("Black Heron",)),
        ("How many stouts are brewed by Harrow Brewery?", (1,)),
        ("Which stouts have more than 5 alcohol?", ("Black Heron",)),
        ("How many stouts have less than 9 alcohol?", (1,)),
    ],
)
def test_a_noun_that_the_graph_has_is_a_condition(store: Store, question: str, answer: tuple[object, ...]) -> None:
    found = ask(store, question)
    assert (found.answer, STOUTS in found.warnings) == (answer, True)


def test_a_noun_that_nothing_found_has_is_refused_with_what_was_found(store: Store) -> None:
    found = ask(store, "Which lagers are brewed by Kestrel Ales?")
    assert found.abstained
    assert found.warnings == ("without 'lagers' the answer would be 'Windhover', and none of it has 'style' 'lager'",)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which cider was founded by Tomas Lind?", "cider"),
        ("Which women were born in Skarvik?", "women"),
    ],
)
def test_a_noun_that_the_graph_lacks_is_said_to_be_unchecked(store: Store, question: str, noun: str) -> None:
    assert f"Not checked: that '{noun}' is what these are." in ask(store, question).warnings


def test_a_noun_of_another_relation_that_nothing_found_has_is_refused(store: Store) -> None:
    found = ask(store, "Which beer was founded by Tomas Lind?")
    assert found.abstained
    assert found.warnings[0] == (
        "without 'beer' the answer would be 'Kestrel Ales', and none of it is the head of 'brewed by'"
    )


def test_the_types_of_what_was_found_are_named_beside_an_unchecked_noun(store: Store) -> None:
    found = ask(store, "Which barrels were distilled at Glen Arrin?", "spirits")
    assert "Not checked: that 'barrels' is what these are; by 'type' they are 'whisky'." in found.warnings


def test_another_type_than_the_noun_is_refused(store: Store) -> None:
    found = ask(store, "Which persons were distilled at Glen Arrin?", "spirits")
    assert found.abstained
    assert "none of it has 'type' 'person'" in found.warnings[0]


def test_a_word_of_the_relation_is_no_noun_to_check(store: Store) -> None:
    found = ask(store, "Which style does Polaris have?")
    assert (found.answer, found.warnings) == (("lager",), ())


def test_what_only_has_the_relation_that_is_asked_for_is_no_answer(store: Store) -> None:
    found = ask(store, "Which style is lager?")
    assert found.abstained
    assert "what was found only has the relation 'style'" in found.warnings[0]


def test_types_of_another_source_do_not_refuse_a_noun(store: Store) -> None:
    assert ask(store, "Which brewery has the largest capacity?", "brew", "spirits").answer == ("Kestrel Ales",)


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        ("What is the oldest brewery?", "brew", "Harrow Brewery"),
        ("Which distillery is the oldest?", "spirits", "Glen Arrin"),
        ("Who is the youngest person?", "spirits", "Eva Sween"),
        ("Which is older, Kestrel Ales or Harrow Brewery?", "brew", "Harrow Brewery"),
        ("Which is the biggest town by population?", "brew", "Oporto"),
    ],
)
def test_the_noun_the_names_and_by_decide_which_number_is_meant(
    store: Store, question: str, source: str, answer: str
) -> None:
    assert ask(store, question, source).answer == (answer,)


def test_a_property_with_a_label_is_a_relation_and_no_name(store: Store) -> None:
    assert ask(store, "Who is the head chef of Blue Plate?", "chefs").answer == ("Nora Quist",)
