"""Questions over graphs that say of nothing what it is: kinds of things are told by the sides of relations."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble import proposals

FACTS = [
    ("Tern Flute", "madeAt", "Moss Works"),
    ("Tern Flute", "carvedBy", "Ann Vale"),
    ("Tern Flute", "lengthCm", "40"),
    ("Tern Flute", "keptIn", "Skerry Museum"),
    ("Tern Flute", "describedIn", "Flutes of the North"),
    ("Auk Drum", "madeAt", "Holm Works"),
    ("Auk Drum", "carvedBy", "Bo Lind"),
    ("Auk Drum", "lengthCm", "70"),
    ("Auk Drum", "keptIn", "Norwick Museum"),
    ("Finch Bell", "madeAt", "Moss Works"),
    ("Finch Bell", "carvedBy", "Bo Lind"),
    ("Finch Bell", "lengthCm", "20"),
    ("Moss Works", "locatedInCountry", "Norway"),
    ("Holm Works", "locatedInCountry", "Sweden"),
    ("Skerry Museum", "museumCity", "Skerry"),
    ("Norwick Museum", "museumCity", "Norwick"),
    ("Flutes of the North", "publicationYear", "1931"),
    ("Dr Eva Holt", "employedBy", "Skerry Museum"),
    ("Dr Finn Moe", "employedBy", "Norwick Museum"),
    ("Dr Eva Holt", "taughtBy", "Dr Finn Moe"),
]
GRAPH = MemoryGraph(FACTS, "kg")


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    found = proposals(question, graph)
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


MADE = "get_information(head_entity='Finch Bell', relation='madeAt')"


def test_what_is_asked_for_must_stand_where_the_answer_does() -> None:
    assert calls("In which country was Finch Bell made?") == [
        MADE,
        "get_information(head_entity='output_of_query1', relation='locatedInCountry')",
    ]
    assert calls("In which publication is Tern Flute described?") == [
        "get_information(head_entity='Tern Flute', relation='describedIn')"
    ]


def test_a_noun_before_a_city_or_a_year_names_the_head_of_the_relation() -> None:
    assert calls("Which museum is based in Skerry?") == ["get_information(relation='museumCity', tail_entity='Skerry')"]


def test_a_title_or_an_end_of_names_is_a_noun() -> None:
    assert calls("Which doctors are employed by Skerry Museum?") == [
        "get_information(relation='employedBy', tail_entity='Skerry Museum')"
    ]
    assert calls("Which doctors are not taught by anybody?")[-1] == (
        "set_difference(set1='output_of_query1', set2='output_of_query2')"
    )


def test_a_preposition_leads_from_a_name_to_what_a_relation_finds() -> None:
    assert calls("What was made in Norway?") == [
        "get_information(relation='locatedInCountry', tail_entity='Norway')",
        "get_information(relation='madeAt', tail_entity='output_of_query1')",
    ]


def test_a_superlative_of_a_noun_that_the_graph_lacks_is_not_checked() -> None:
    assert calls("What is the longest instrument?") == ["get_information(relation='lengthCm', tail_entity>='max')"]
    (found, *_) = proposals("What is the longest instrument?", GRAPH)
    assert any("instrument" in note for note in found.notes)


def test_a_bound_is_in_the_unit_of_its_relation() -> None:
    assert calls("Which instruments have a length of at least 30 cm?") == [
        "get_information(relation='lengthCm', tail_entity>='30')"
    ]
    with pytest.raises(CannotPropose):
        calls("Which instruments have a length of at least 30 feet?")


def test_the_greatest_value_may_be_asked_for() -> None:
    assert calls("What is the greatest length?") == [
        "get_information(relation='lengthCm')",
        "max(set='output_of_query1')",
    ]
