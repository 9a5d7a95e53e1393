"""Questions over times that say a relation and no name, or two relations of the same people, or how long it was."""

from __future__ import annotations

import pytest

from cgstore.evaluate.scoring import settled
from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.backends.rewrite.durations import in_words
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("MV Corran", "master", "Ann Rae", "1951", "1963"),
        ("MV Corran", "master", "Bo Kerr", "1963", "1988"),
        ("MV Dunlin", "master", "Bo Kerr", "1960", "1963"),
        ("MV Dunlin", "master", "Cy Ross", "1963", "1970"),
        ("MV Corran", "first mate", "Bo Kerr", "1955", "1960"),
        ("MV Corran", "first mate", "Dan Orr", "1960", "1981"),
        ("MV Corran", "collided with", "SS Petrel", "1955", "1955"),
        ("MV Corran", "collided with", "Ardlin Pier", "1967", "1967"),
        ("Ardlin Pier", "opened by", "Ada Roe", "1920", "1920"),
        ("Gour Bridge", "opened by", "Eve Roe", "1931", "1931"),
    ]
)
BACKEND = RewriteBackend(load_demonstrations())


def proposal(question: str) -> Proposal:
    return next(BACKEND.propose(question, GRAPH))


def calls(question: str) -> list[str]:
    return [line.split('"', 1)[1].rstrip('"') for line in proposal(question).program.splitlines()]


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "Who was first mate in 1970?",
            "get_information(head_entity='MV Corran', relation='first mate', key='time', value='1970')",
        ),
        (
            "Who was the first mate of the ship in 1970?",
            "get_information(head_entity='MV Corran', relation='first mate', key='time', value='1970')",
        ),
        (
            "Who was master in 1965?",
            "get_information(relation='master', head_entity=heads(relation='master'), key='time', value='1965')",
        ),
        (
            "Which bridges were opened between 1910 and 1940?",
            "get_information(relation='opened by', key='time', value>='1910', value<='1940')",
        ),
    ],
)
def test_a_relation_alone_is_asked_of_the_only_name_or_of_all(question: str, program: str) -> None:
    assert calls(question) == [program]


def test_whoever_came_before_tells_which_name_is_meant() -> None:
    assert "head_entity='MV Corran'" in calls("Who was master after Ann Rae?")[0]
    with pytest.raises(CannotPropose):
        proposal("Who was master before Bo Kerr?")


def test_the_name_of_another_clause_is_meant() -> None:
    last = calls("Who was first mate when the MV Corran collided with the Ardlin Pier in 1967?")[-1]
    assert last.startswith("get_information(head_entity='MV Corran', relation='first mate'")


def test_a_noun_that_says_another_relation_is_not_left_out() -> None:
    with pytest.raises(CannotPropose):
        proposal("Which masters collided in 1967?")


def test_after_a_deed_at_a_time_is_after_that_time() -> None:
    found = calls("After the collision with the SS Petrel in 1955, what did the MV Corran collide with next?")
    assert "keep(set='output_of_query1', value>'1955')" in found


def test_what_somebody_later_became_began_after_the_first() -> None:
    found = calls("Which first mates of the MV Corran later became its master?")
    assert found[2] == "set_intersection(set1='output_of_query1', set2='output_of_query2')"
    assert "value=subtract(max(" in found[3]


def test_which_of_two_was_first() -> None:
    assert "argmin(set='output_of_query2')" in calls("Which was opened first, Ardlin Pier or Gour Bridge?")


def test_a_duration_needs_its_unit_unless_the_question_says_it() -> None:
    assert proposal("How long was Ann Rae master of the MV Corran?").unit == "years"
    assert proposal("How many years was Ann Rae master of the MV Corran?").unit == ""


@pytest.mark.parametrize(
    ("number", "unit", "start", "said"),
    [
        (13, "years", "", "13 years"),
        (1, "years", "", "1 year"),
        (4748, "days", "1861-05-01", "13 years"),
        (227, "days", "1959-06-02", "7 months"),
        (45, "days", "1960-01-01", "45 days"),
        (25, "months", "", "2 years"),
    ],
)
def test_a_duration_is_said_in_the_largest_unit_of_which_there_are_two(
    number: int, unit: str, start: str, said: str
) -> None:
    assert in_words(number, unit, start) == said


def test_a_duration_with_its_unit_is_the_gold_number_without_one() -> None:
    assert settled(["13"], ["13 years"]) == ["13"]
    assert settled(["12"], ["13 years"]) == ["13 years"]


def test_both_ends_of_a_period_of_days_and_all_its_years() -> None:
    days = MemoryGraph([("MV Corran", "master", "Ann Rae", "1951-03-02", "1963-10-30")])
    days.step = "day"
    found = next(BACKEND.propose("From when to when was Ann Rae master of the MV Corran?", days)).program
    assert "key='start_time'" in found and "key='end_time'" in found
    assert "key='time'" in proposal("From when to when was Ann Rae master of the MV Corran?").program
