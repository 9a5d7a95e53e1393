"""Masking questions by the program that answers them, and by the names that the graph has."""

from __future__ import annotations

from cgstore.llm.masking import masked_by_mentions, masked_by_program
from tests.llm.memory_graph import MemoryGraph


def test_names_that_the_question_writes_otherwise_are_masked_too() -> None:
    program = "get_information(head_entity='Metropolis (film)', relation='directed by', tail_entity='fritz lang')"
    assert masked_by_program("Did Fritz Lang make Metropolis?", program) == "Did {entity} make {entity}?"


def test_a_name_within_a_longer_one_is_masked_with_it() -> None:
    program = "Query1: \"count(set='Paris')\"\nQuery2: \"get_information(head_entity='Paris Saint-Germain')\""
    assert masked_by_program("Who left Paris Saint-Germain?", program) == "Who left {entity}?"


def test_relations_are_not_masked_and_times_are_times() -> None:
    program = "get_information(head_entity='Ann', relation='spouse', key='time', value='1990')"
    assert masked_by_program("Who was spouse of Ann in 1990?", program) == "Who was spouse of {entity} in {time}?"


def test_a_program_that_cannot_be_parsed_masks_nothing() -> None:
    assert masked_by_program("Who wed Ann?", "get_information(head_entity='Ann'") == "Who wed Ann?"


def test_the_names_and_times_of_the_graph_are_masked(graph: MemoryGraph) -> None:
    question = "Which team did Nadia Orlov play for in 1992?"
    assert masked_by_mentions(question, graph.mentions(question)) == "Which team did {entity} play for in {time}?"
