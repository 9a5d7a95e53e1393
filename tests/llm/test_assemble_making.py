"""Questions over graphs about who made what, and about things by way of others, where no relation says so in words."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble import BOTH, proposals

FACTS = [
    ("Grey Arch", "type", "sculpture"),
    ("Grey Arch", "hand", "Ann Vale"),
    ("Grey Arch", "foundry", "Holm Works"),
    ("Grey Arch", "plinth", "Cy Dunn"),
    ("Grey Arch", "price", "300"),
    ("Grey Arch", "source", "slate"),
    ("Blue Tern", "type", "sculpture"),
    ("Blue Tern", "hand", "Bo Lind"),
    ("Blue Tern", "foundry", "Holm Works"),
    ("Blue Tern", "hall", "Skerry Museum"),
    ("Blue Tern", "price", "500"),
    ("Ann Vale", "type", "sculptor"),
    ("Ann Vale", "teacher", "Eva Holt"),
    ("Bo Lind", "type", "sculptor"),
    ("Bo Lind", "teacher", "Ann Vale"),
    ("Eva Holt", "type", "sculptor"),
    ("Cy Dunn", "type", "designer"),
    ("Holm Works", "type", "foundry"),
    ("Holm Works", "seat", "Norwick"),
    ("Holm Works", "founded", "1931"),
    ("Moss Works", "type", "foundry"),
    ("Moss Works", "founded", "1899"),
    ("Skerry Museum", "type", "museum"),
    ("Reed Fern", "type", "plant"),
    ("Reed Fern", "grows_in", "Skerry"),
    ("Skerry", "country", "Norway"),
]
GRAPH = MemoryGraph(FACTS, "kg")

SCULPTURES = "get_information(relation='type', tail_entity='sculpture')"
BY_BO = "get_information(relation='hand', tail_entity='Bo Lind')"
BY_HOLM = "get_information(relation='foundry', tail_entity='Holm Works')"


def calls(question: str) -> list[str]:
    found = proposals(question, GRAPH)
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


def refused(question: str) -> bool:
    try:
        return not proposals(question, GRAPH)
    except CannotPropose:
        return True


def test_people_called_after_things_made_them() -> None:
    assert calls("How many sculptures has Bo Lind created?")[:3] == [BY_BO, SCULPTURES, BOTH]
    assert calls("Which sculptures did Bo Lind make?") == [BY_BO, SCULPTURES, BOTH]
    assert calls("Who composed Grey Arch?")[0] == "get_information(head_entity='Grey Arch', relation='hand')"
    assert "taken by the relation 'hand'" in proposals("Who made Grey Arch?", GRAPH)[0].notes[0]


def test_what_firms_bring_out_is_told_by_the_relation_called_as_they_are() -> None:
    assert calls("Which sculptures did Holm Works put out?") == [BY_HOLM, SCULPTURES, BOTH]
    assert calls("Cheapest sculpture by Holm Works?")[0] == BY_HOLM


@pytest.mark.parametrize(
    "question",
    [
        "Which sculptures did Cy Dunn create?",
        "Which sculptures did Skerry Museum make?",
        "Who made Holm Works?",
        "Who designed Grey Arch?",
        "Who did Bo Lind create?",
    ],
)
def test_who_has_another_part_in_things_made_none_of_them(question: str) -> None:
    assert refused(question)


def test_a_verb_that_says_what_a_kind_of_people_does_needs_no_relation() -> None:
    assert calls("Who designed the plinth of Grey Arch?") == [
        "get_information(head_entity='Grey Arch', relation='plinth')"
    ]


def test_things_are_by_somebody_of_whom_a_clause_says_more() -> None:
    pupils = "get_information(relation='teacher', tail_entity='Ann Vale')"
    made = "get_information(relation='hand', tail_entity='output_of_query1')"
    assert calls("Which sculptures were made by someone who was taught by Ann Vale?")[:2] == [pupils, made]
    assert calls("Which sculptures are by the foundry that sits in Norwick?")[:2] == [
        "get_information(relation='seat', tail_entity='Norwick')",
        "get_information(relation='foundry', tail_entity='output_of_query1')",
    ]


def test_what_is_of_no_kind_that_is_asked_for_is_no_answer() -> None:
    assert refused("Which sculptures were taught by Ann Vale?")
    denied = calls("Which sculptures were not made by Bo Lind?")
    assert denied[1] == BY_BO and denied[-1].startswith("set_difference")
    assert refused("Which sculptures were not taught by Ann Vale?")


def test_who_taught_somebody_is_no_pupil() -> None:
    assert calls("Who taught Ann Vale?") == ["get_information(head_entity='Ann Vale', relation='teacher')"]
    assert refused("Who taught Eva Holt?")


def test_the_prices_of_all_are_added() -> None:
    assert calls("What would it cost me to buy all the sculptures from Holm Works?")[-1].startswith("sum(")
    assert calls("How much do the sculptures by Holm Works cost in total?")[-1].startswith("sum(")
    assert calls("How much do the Holm Works sculptures cost on average?")[-1].startswith("mean(")
    assert calls("What would it cost to buy Grey Arch?")[-1].startswith("get_information(head_entity='Grey Arch'")


def test_what_has_been_around_the_longest_is_the_oldest() -> None:
    assert (
        calls("Which foundry has been around the longest?")[-1] == "argmin(set='output_of_query1', relation='founded')"
    )


def test_words_near_to_where_something_is_lead_through_a_place() -> None:
    assert calls("What plants are cultivated in Norway?")[:2] == [
        "get_information(relation='country', tail_entity='Norway')",
        "get_information(relation='grows_in', tail_entity='output_of_query1')",
    ]


def test_a_noun_of_whom_is_asked_and_a_record_say_nothing_more() -> None:
    assert calls("Who did Bo Lind learn his craft from?") == [
        "get_information(head_entity='Bo Lind', relation='teacher')"
    ]
    assert calls("Which sculpture has no plinth listed?")[-1].startswith("set_difference")
    assert calls("What is Grey Arch made from?") == ["get_information(head_entity='Grey Arch', relation='source')"]


def test_no_units_are_counted_by_what_is_no_number() -> None:
    assert refused("How many millilitres are in the plinth of Grey Arch?")
