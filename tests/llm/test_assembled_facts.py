"""Questions over times whose relation is said in everyday words, wherever these stand."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("Ann Lee", "keeper of", "Lion House", "1950", "1960"),
        ("Bo Field", "keeper of", "Lion House", "1960", "1971"),
        ("Bo Field", "veterinarian at", "Hull Zoo", "1972", "1975"),
        ("Hull Zoo", "price of a ticket", "2 shillings", "1950", "1971"),
        ("Hull Zoo", "price of a ticket", "25p", "1971", "1985"),
        ("Hull Zoo", "owned by", "Lee family", "1950", "1970"),
        ("Hull Zoo", "owned by", "Hull Council", "1970", "1999"),
        ("York Park", "merged into", "Hull Zoo", "1969", "1969"),
        ("Ann Lee", "stationed in", "Cairo", "1961", "1964"),
        ("Ann Lee", "won", "Amber Medal", "1962", "1962"),
        ("Ann Lee", "served as", "Chief Warden", "1965", "1970"),
        ("Cy Gray", "served as", "Chief Warden", "1970", "1980"),
        ("Cy Gray", "served as", "Head Gardener", "1960", "1965"),
        ("Hull Zoo", "in coalition with", "Basel Zoo", "1980", "1985"),
    ]
)
BACKEND = RewriteBackend(load_demonstrations())
LION = "get_information(relation='keeper of', tail_entity='Lion House'"


def proposal(question: str) -> Proposal:
    return next(BACKEND.propose(question, GRAPH))


def calls(question: str) -> list[str]:
    return [line.split('"', 1)[1].rstrip('"') for line in proposal(question).program.splitlines()]


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Who looked after the Lion House in 1955?", f"{LION}, key='time', value='1955')"),
        (
            "What did you have to pay for Hull Zoo in 1960?",
            "get_information(head_entity='Hull Zoo', relation='price of a ticket', key='time', value='1960')",
        ),
        (
            "How much was a ticket to Hull Zoo in 1960?",
            "get_information(head_entity='Hull Zoo', relation='price of a ticket', key='time', value='1960')",
        ),
        (
            "In what year was York Park swallowed up by Hull Zoo?",
            "get_information(head_entity='York Park', relation='merged into', tail_entity='Hull Zoo', key='time')",
        ),
    ],
)
def test_everyday_words_say_a_relation_with_the_particles_of_their_verbs(question: str, program: str) -> None:
    assert calls(question) == [program]


def test_the_year_of_another_fact_is_when_that_was() -> None:
    first, second = calls("Where was Ann Lee posted the year she got the Amber Medal?")
    assert first == "get_information(head_entity='Ann Lee', relation='won', tail_entity='Amber Medal', key='time')"
    assert "relation='stationed in', key='time', value='output_of_query1'" in second


def test_since_leaves_out_what_ended_then() -> None:
    begun, later, both = calls("Who has owned Hull Zoo since 1970?")
    assert begun.endswith("key='start_time', value>='1970')")
    assert later.endswith("key='time', value>'1970')")
    assert both == "set_union(set1='output_of_query1', set2='output_of_query2')"


def test_from_what_year_to_what_year_asks_for_two_years() -> None:
    start, end, both = calls("From what year to what year did Ann Lee look after the Lion House?")
    assert "key='start_time'" in start
    assert "key='end_time'" in end
    assert both.startswith("set_union(")


def test_a_name_in_the_plural_is_that_of_those_who_had_it() -> None:
    found = proposal("How many chief wardens were there between 1966 and 1975?")
    assert "tail_entity='Chief Warden', key='time', value>='1966', value<='1975'" in found.program
    assert "count(" in found.program
    assert "'wardens' is taken for 'Chief Warden'." in found.notes


def test_those_who_had_one_office_and_never_another_are_a_difference() -> None:
    assert calls("Which chief wardens were never head gardener?")[-1].startswith("set_difference(")


def test_who_somebody_was_names_the_relation_that_is_taken() -> None:
    found = proposal("Who was Cy Gray in 1972?")
    assert "relation='served as', key='time', value='1972'" in found.program
    assert any("'served as' is meant" in note for note in found.notes)


def test_who_somebody_was_is_refused_where_several_relations_may_say_it() -> None:
    with pytest.raises(CannotPropose, match="may mean 'keeper of' or 'veterinarian at'"):
        proposal("Who was Bo Field in 1973?")


@pytest.mark.parametrize(
    "question", ["Which young keepers looked after the Lion House?", "Who looked after the Lion House with Ann Lee?"]
)
def test_a_word_that_belongs_to_nothing_is_not_left_out(question: str) -> None:
    with pytest.raises(CannotPropose):
        proposal(question)
