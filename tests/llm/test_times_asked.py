"""Times of eras, and reigns, in questions without an LLM: over a source with years before Christ."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

QUEENS = (
    ("Ann", "queen of", "Egypt", "-50", "-29"),
    ("Cleopatra", "queen of", "Egypt", "-40", "-30"),
    ("Bob", "queen of", "Egypt", "35", "45"),
)
KINGS = (
    ("Henry II", "king of", "England", "1154", "1189"),
    ("Richard I", "king of", "England", "1189", "1199"),
    ("Henry III", "king of", "England", "1216", "1272"),
)


class Queens(MemoryGraph):
    """Facts with years before Christ, which do not sort as texts do."""

    @property
    def times(self) -> dict[str, tuple[str, str]]:
        return {"memory": ("-50", "45")}


BACKEND = RewriteBackend(load_demonstrations())


def program(question: str, graph: MemoryGraph) -> str:
    return next(BACKEND.propose(question, graph)).program


@pytest.mark.parametrize(
    ("when", "time"),
    [
        ("in 40", "='40'"),
        ("in AD 40", "='40'"),
        ("in 40 CE", "='40'"),
        ("in 48 BC", "='-47'"),
        ("in 48 B.C.", "='-47'"),
        ("in 48 BCE", "='-47'"),
        ("in the 40s BC", "='40s BC'"),
        ("in the first century BC", "='1st century BC'"),
        ("before 20", "<'20'"),
        ("after 30", ">'30'"),
    ],
)
def test_a_year_is_of_the_era_that_the_question_says(when: str, time: str) -> None:
    assert f"value{time}" in program(f"Who was queen of Egypt {when}?", Queens(QUEENS))


def test_an_era_is_that_of_both_years() -> None:
    assert "value>='-50', value<='-29'" in program("Who was queen of Egypt between 51 and 30 BC?", Queens(QUEENS))


def test_whether_something_held_in_a_short_year_is_asked_of_that_year() -> None:
    assert "value='40'" in program("Was Cleopatra queen of Egypt in 40?", Queens(QUEENS))


@pytest.mark.parametrize("verb", ["reign", "rule"])
def test_to_reign_is_to_hold_an_office(verb: str) -> None:
    found = program(f"When did Richard I {verb} as king of England?", MemoryGraph(KINGS))
    assert found.splitlines() == [
        "Query1: \"get_information(head_entity='Richard I', relation='king of', tail_entity='England', key='time')\""
    ]


def test_how_long_a_reign_was_is_asked_of_that_king() -> None:
    found = program("How long did Henry III reign as king of England?", MemoryGraph(KINGS))
    assert "head_entity='Henry III'" in found
    assert "year_difference" in found


def test_who_ruled_is_who_was_king() -> None:
    found = program("Who ruled England before Henry III?", MemoryGraph(KINGS))
    assert found.splitlines()[-1].startswith("Query6: \"get_information(relation='king of', tail_entity='England'")


@pytest.mark.parametrize("question", ["What did Henry III do in 1230?", "What happened to Henry III in 1230?"])
def test_what_somebody_did_names_no_relation(question: str) -> None:
    with pytest.raises(CannotPropose, match="no word of it says which relation"):
        program(question, MemoryGraph((*KINGS, ("Henry III", "married", "Eleanor", "1236", "1236"))))


ROLES = (
    ("Ann", "mayor of", "York", "1950", "1960"),
    ("Ann", "employer", "Holt", "1930", "1940"),
    ("Ann", "award received", "Gold Cup", "1960", "1960"),
    ("Bob", "employer", "Holt", "1935", "1950"),
    ("Great Pest", "struck", "York", "1960", "1961"),
)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What was Ann in 1955?", "may mean 'award received' or 'employer' or 'mayor of'"),
        ("What was York in 1960?", "'York' is the head of no fact"),
    ],
)
def test_what_somebody_was_is_refused_where_several_relations_or_none_may_be_meant(question: str, reason: str) -> None:
    with pytest.raises(CannotPropose, match=reason):
        program(question, MemoryGraph(ROLES))


def test_what_somebody_was_is_the_only_relation_with_a_note() -> None:
    found = next(BACKEND.propose("What was Bob in 1940?", MemoryGraph(ROLES)))
    assert "relation='employer', key='time', value='1940'" in found.program
    assert found.notes == ("'employer' is meant, the only relation that fits.",)


def test_who_behind_a_clause_of_when_asks_for_somebody() -> None:
    found = program("When at Holt, who did Ann work with?", MemoryGraph(ROLES))
    assert found.splitlines()[-1] == "Query3: \"set_difference(set1='output_of_query2', set2='Ann')\""


def test_what_came_for_the_first_time_is_no_time() -> None:
    found = program("The award that was awarded to Ann for the first time in their life", MemoryGraph(ROLES))
    assert "relation='award received', key='time', value='output_of_query2'" in found.splitlines()[-1]


OFFICES = (
    ("Ann", "served as", "mayor of Halborne", "1405", "1409"),
    ("Bob", "served as", "sheriff of Halborne", "1401", "1407"),
    ("Siege of Halborne", "besieged by", "Lord Tarrant", "1408", "1408"),
)


@pytest.mark.parametrize(
    "question",
    [
        "Who was the first mayor of Halborne?",
        "How long was Ann mayor of Halborne?",
        "Who was sheriff of Halborne when Ann was mayor of Halborne?",
    ],
)
def test_an_office_that_is_a_name_is_held_by_its_only_relation(question: str) -> None:
    found = next(BACKEND.propose(question, MemoryGraph(OFFICES)))
    assert "relation='served as'" in found.program
    assert "'served as' is meant, the only relation that fits." in found.notes
