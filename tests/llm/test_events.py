"""Questions about events, read by their parts."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.events import events_in
from cgstore.mapping.mentions import Mention, find_times
from cgstore.query.parse import parse

RELATIONS = (
    "Make a visit",
    "Host a visit",
    "Accuse",
    "Praise or endorse",
    "Express intent to meet or negotiate",
    "position held",
)
NAMES = ("Veria", "Lorvia", "Ann Roe")


def calls(question: str) -> list[str]:
    places = [(question.find(name), name) for name in NAMES]
    found = [Mention(at, at + len(name), name, name, name, "entity", "exact") for at, name in places if at >= 0]
    mentions = sorted([*found, *find_times(question)], key=lambda mention: mention.start)
    events = events_in(question, mentions, RELATIONS, [])
    if not events:
        return []
    parse(events[0].program)
    return [line.split('"', 1)[1].rstrip('"') for line in events[0].program.splitlines()]


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("Who visited Veria in May 2010?", "relation='Make a visit', tail_entity='Veria', key='time', value='2010-05'"),
        (
            "Which country did Veria visit in 2010?",
            "head_entity='Veria', relation='Make a visit', key='time', value='2010'",
        ),
        ("Who was accused by Veria after 2010?", "head_entity='Veria', relation='Accuse', key='time', value>'2010'"),
        (
            "Before 2010, who commended Veria?",
            "relation='Praise or endorse', tail_entity='Veria', key='time', value<'2010'",
        ),
        (
            "Who wanted to negotiate with Veria on 5 May 2010?",
            "relation='Express intent to meet or negotiate', tail_entity='Veria', key='time', value='2010-05-05'",
        ),
    ],
)
def test_sides_and_times_are_those_of_the_question(question: str, call: str) -> None:
    assert calls(question) == [f"get_information({call})"]


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("In which year did Veria first praise Lorvia?", "extract_year(set='output_of_query2')"),
        ("In which month did Veria last praise Lorvia?", "extract_year_month(set='output_of_query2')"),
        ("When did Veria praise Lorvia for the first time?", "min(set='output_of_query1')"),
    ],
)
def test_a_time_is_as_exact_as_it_is_asked_for(question: str, last: str) -> None:
    assert calls(question)[-1] == last


def test_the_first_after_another_is_the_next() -> None:
    found = calls("Who was the first to visit Veria after Ann Roe?")
    assert "head_entity='Ann Roe', relation='Make a visit', tail_entity='Veria'" in found[0]
    assert found[3:5] == ["keep(set='output_of_query3', value>'output_of_query2')", "min(set='output_of_query4')"]


@pytest.mark.parametrize(
    "question",
    [
        "Who did not visit Veria in 2010?",
        "Who held a position in Veria in 2010?",
        "Who visited the mother of Veria in 2010?",
        "Who visited Veria before and after 2010?",
        "Who visited the people of Veria in 2010?",
        "How often did Ann Roe visit Veria?",
        "Who visited Veria in the same month as Ann Roe?",
    ],
)
def test_a_word_that_is_not_understood_leaves_no_program(question: str) -> None:
    assert calls(question) == []
