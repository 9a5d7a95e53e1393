"""Asked of everything that is loaded: which sources a question is about, by its names and relations."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.backends import Attempt, Backend, Decision, Run
from cgstore.llm.graph_view import GraphView
from cgstore.mapping import source_choice
from cgstore.mapping.source_choice import SourceCandidate, choose_sources
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe
from tests.known import Known

TABLES = {
    "league": "Player,Club,Goals\nAnn Beck,Ajax,12\nBo Dorn,Utrecht,7\n",
    "rivers": "River,Length (km),Mouth\nElbe,1094,North Sea\nOder,840,Baltic Sea\n",
    "hotels": "Hotel,Town,Beds\nThe Swan,Ulm,40\nThe Elbe,Dresden,90\n",
    "stations": "Station,Town,Platforms\nUlm Hbf,Ulm,8\nDresden Hbf,Dresden,16\n",
    "wages": "Year,Club,Wages\n1999,Ajax,10\n2000,Ajax,12\n2000,Utrecht,6\n",
}
FILMS = "Metropolis\tdirected by\tFritz Lang\nM\tdirected by\tFritz Lang\nM\treleased in\t1931\n"
PEOPLE = "Ann Beck\tborn in\tUlm\nBo Dorn\tborn in\tDresden\nFritz Lang\tborn in\tVienna\n"
OFFICES = "Ann Beck\tmayor of\tUlm\t1990\t1995\nIda Roth\tmayor of\tUlm\t1996\t2000\n"


KNOWN = Known(
    {
        "How many beds has The Swan?": "get_information(relation='Beds', key='Hotel', value='The Swan')",
        "Who directed Metropolis?": "get_information(head_entity='Metropolis', relation='directed by')",
        "Who was the mayor of Ulm in 1992?": "get_information(relation='mayor of', tail_entity='Ulm', key='time', "
        "value='1992')",
    }
)


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    store, folder = Store(shared_db), tmp_path_factory.mktemp("sources")
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        store.load_table(folder / f"{name}.csv")
    for name, text in (("films", FILMS), ("people", PEOPLE)):
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
        store.load_kg(folder / f"{name}.tsv", header=False)
    (folder / "offices.tsv").write_text(OFFICES, encoding="utf-8")
    store.load_tkg(folder / "offices.tsv", header=False)
    return store


def names(candidates: list[SourceCandidate]) -> list[str]:
    return [candidate.source for candidate in candidates]


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("Who directed Metropolis?", "films"),
        ("how long is the elbe in km", "rivers"),
        ("How many beds has the Elbe?", "hotels"),
        ("Which club does Bo Dorn play for?", "league"),
        ("Where was Bo Dorn born?", "people"),
        ("who was the mayor of Ulm in 1992", "offices"),
        ("How many platforms are there in Dresden?", "stations"),
        ("What were the wages of Utrecht in 2000?", "wages"),
    ],
)
def test_the_source_that_has_its_names_and_relations_comes_first(store: Store, question: str, source: str) -> None:
    assert names(choose_sources(store.db, question))[0] == source


def test_a_name_without_its_relation_is_not_enough(store: Store) -> None:
    first, second, *_ = choose_sources(store.db, "Where was Fritz Lang born?")
    assert (first.source, second.source) == ("people", "films")
    assert first.probability > 0.8 and first.score > second.score


def test_the_rest_of_the_probability_is_that_of_no_source(store: Store) -> None:
    known = choose_sources(store.db, "What were the wages of Utrecht in 2000?", most=100)
    unknown = choose_sources(
        store.db, "Which churches of Utrecht did Rembrandt paint for Saskia van Uylenburgh?", most=100
    )
    assert 0.8 < sum(candidate.probability for candidate in known) < 1
    assert sum(candidate.probability for candidate in unknown) < 0.2


def test_a_question_of_other_things_has_no_source(store: Store) -> None:
    assert choose_sources(store.db, "Who composed Aida?") == []
    assert choose_sources(store.db, "What is it?") == []


def test_sources_may_be_given(store: Store) -> None:
    assert names(choose_sources(store.db, "What is known of Ulm?", ["hotels", "rivers"])) == ["hotels"]


def test_a_cell_counts_more_in_the_column_that_the_question_names(store: Store) -> None:
    candidates = choose_sources(store.db, "Which hotel is in the town of Dresden?", ["hotels", "stations"])
    assert names(candidates)[0] == "hotels"


def test_of_tables_that_are_as_likely_and_differ_each_answer_is_named(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "inns.csv"
    path.write_text("Hotel,Town,Beds\nThe Swan,Bonn,55\n", encoding="utf-8")
    store.load_table(path)
    try:
        answer = store.ask("How many beds has The Swan?", KNOWN)
    finally:
        store.drop("inns")
    assert answer.abstained and answer.chosen_sources == ()
    assert answer.warnings[0] == (
        "sources that are as likely to be meant have different answers: 'hotels': '40'; 'inns': '55'"
    )


def test_a_name_with_many_relationships_is_looked_for_in_the_likely_sources(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = choose_sources(store.db, "What were the wages of Ajax in 2000?")
    monkeypatch.setattr(source_choice, "LOOKED_AT", 1)
    assert names(choose_sources(store.db, "What were the wages of Ajax in 2000?"))[0] == names(expected)[0] == "wages"


def test_an_answer_says_which_of_many_sources_were_asked(store: Store) -> None:
    answer = store.ask("Who was the mayor of Ulm in 1992?", KNOWN)
    assert answer.answer == ("Ann Beck",)
    assert [chosen.name for chosen in answer.chosen_sources] == ["offices"]
    assert any("Asked of 'offices', chosen among 8 sources" in note for note in answer.details)
    assert Answer.from_json(answer.to_json()).chosen_sources == answer.chosen_sources


@pytest.mark.parametrize(
    ("question", "answer", "source"),
    [
        ("How many beds has The Swan?", "40", "hotels"),
        ("Who directed Metropolis?", "Fritz Lang", "films"),
        ("Who was the mayor of Ulm in 1992?", "Ann Beck", "offices"),
    ],
)
def test_of_a_few_sources_of_several_kinds_each_is_asked(store: Store, question: str, answer: str, source: str) -> None:
    found = store.ask(question, KNOWN, ["hotels", "films", "offices"])
    assert found.answer == (answer,)
    assert [chosen.name for chosen in found.chosen_sources] in ([], [source])


def test_a_source_that_is_named_is_not_chosen(store: Store) -> None:
    answer = store.ask("Who was the mayor of Ulm in 1992?", KNOWN, ["offices"])
    assert answer.answer == ("Ann Beck",) and answer.chosen_sources == ()


def test_a_question_of_other_things_is_not_answered(store: Store) -> None:
    answer = store.ask("Who composed Aida?", KNOWN)
    assert answer.abstained
    assert answer.warnings == (
        "nothing that is loaded has a name or a relation of this question",
        "None of 8 sources was chosen.",
    )


class CrossSource(Backend):
    """A backend that writes one program over a table and a graph, as an LLM does that sees both."""

    name = "fixed"

    def __init__(self) -> None:
        self.seen: tuple[str, ...] = ()

    def decide(self, question: str, view: GraphView, run: Run) -> Decision:
        self.seen = view.sources
        best = "argmax(set=heads(relation='Player', source='league'), relation='Goals')"
        player = f"get_information(relation='Player', head_entity={best}, source='league')"
        attempt: Attempt = run(f"get_information(head_entity={player}, relation='born in', source='people')")
        return Decision(attempt, attempts=(attempt,))


def test_one_program_may_use_a_table_and_a_graph(store: Store) -> None:
    """The cross-data case of TrustUQA, appendix D.2: an entity found in one source, then its facts in another."""
    backend = CrossSource()
    answer = store.ask("Where was the player with the most goals born?", backend)
    assert {"league", "people"} <= set(backend.seen)
    assert answer.answer == ("Ulm",)
    assert {triple.source for triple in answer.evidence} == {"league", "people"}
    assert {"league", "people"} <= {chosen.name for chosen in answer.chosen_sources}
