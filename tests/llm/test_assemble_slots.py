"""Questions over graphs that say of nothing what it is: kinds of things are told by the sides of relations."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble import BOTH, proposals

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


def test_a_noun_that_ends_all_names_of_a_side_means_no_others() -> None:
    huts = [(f"{name} Hut", relation, tail) for name in ("Larch", "Marmot") for relation, tail in HUT]
    graph = MemoryGraph([*huts, ("Tarnau", "located in", "Tarn Valley"), ("Ida Moos", "lives in", "Tarnau")], "kg")
    assert calls("How many huts are there?", graph) == ["heads(relation='beds')", "count(set='output_of_query1')"]


HUT = [("located in", "Tarn Valley"), ("beds", "20")]


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


LINES = MemoryGraph(
    [
        ("Vale Line", "calls_at", "Upper Halt"),
        ("Vale Line", "calls_at", "Elmford"),
        ("Shore Line", "calls_at", "Elmford"),
        ("Vale Line", "operated_by", "Vale Rail"),
        ("Shore Line", "operated_by", "Vale Rail"),
        ("Vale Line", "length_km", "12"),
        ("Shore Line", "length_km", "30"),
        ("Elmford Shed", "near_station", "Elmford"),
        ("Elmford Shed", "head_of_shed", "Ann Vale"),
        ("Elmford Shed", "number_of_tracks", "4"),
        ("Shore Shed", "head_of_shed", "Bo Lind"),
        ("Shore Shed", "number_of_tracks", "9"),
        ("Ann Vale", "role", "driver"),
        ("Bo Lind", "role", "clerk"),
        ("Ann Vale", "trained_by", "Bo Lind"),
        ("Ann Vale", "works_on", "Vale Line"),
        ("Bo Lind", "works_on", "Vale Line"),
    ],
    "kg",
)


def test_a_noun_for_a_kind_cuts_nothing_away_of_which_the_graph_says_nothing_else() -> None:
    at = "get_information(head_entity='Vale Line', relation='calls_at')"
    assert calls("Which stations does the Vale Line call at?", LINES) == [at]
    assert calls("How many stations does the Vale Line call at?", LINES) == [at, "count(set='output_of_query1')"]


def test_the_noun_behind_of_in_a_relation_is_not_what_it_says() -> None:
    assert calls("Which shed has the largest number of tracks?", LINES)[-1] == (
        "argmax(set='output_of_query1', relation='number_of_tracks')"
    )
    assert calls("Who is the head of the Shore Shed?", LINES) == [
        "get_information(head_entity='Shore Shed', relation='head_of_shed')"
    ]


def test_a_value_is_a_kind_of_things() -> None:
    assert calls("Give me the names of the drivers working on the Vale Line", LINES) == [
        "get_information(relation='works_on', tail_entity='Vale Line')",
        "get_information(relation='role', tail_entity='driver')",
        "set_intersection(set1='output_of_query1', set2='output_of_query2')",
    ]


def test_how_many_of_a_unit_adds_up() -> None:
    expected = [
        "get_information(relation='operated_by', tail_entity='Vale Rail')",
        "get_information(head_entity='output_of_query1', relation='length_km')",
        "sum(set='output_of_query2')",
    ]
    assert calls("How many kilometres of line does Vale Rail operate?", LINES) == expected
    assert calls("How many kilometres does Vale Rail have?", LINES) == expected


def test_the_number_of_linked_things_is_bounded() -> None:
    assert calls("Which stations are served by more than one line?", LINES)[2:] == [
        "for_each(set='output_of_query2', value=count(set=get_information(tail_entity=each, relation='calls_at')))",
        "keep(set='output_of_query3', value>'1')",
        "set_intersection(set1='output_of_query1', set2='output_of_query4')",
    ]


def test_two_names_may_have_the_same() -> None:
    assert calls("Do the same people run the Vale Line and the Shore Line?", LINES)[-2:] == [
        "set_intersection(set1='output_of_query1', set2='output_of_query2')",
        "exists(set='output_of_query3')",
    ]
    assert calls("Which lines are run by the same company as the Vale Line?", LINES) == [
        "get_information(head_entity='Vale Line', relation='operated_by')",
        "get_information(relation='operated_by', tail_entity='output_of_query1')",
        "set_difference(set1='output_of_query2', set2='Vale Line')",
    ]


def test_a_relative_clause_is_where_the_next_relation_goes_on() -> None:
    assert calls("Who trained the person who trained Ann Vale?", LINES) == [
        "get_information(head_entity='Ann Vale', relation='trained_by')",
        "get_information(head_entity='output_of_query1', relation='trained_by')",
    ]


FLAGS = MemoryGraph(
    [
        (name, relation, tail)
        for name, toxic, colour in (("Velm Blue", "false", "blue"), ("Dusk Red", "true", "red"))
        for relation, tail in (("type", "pigment"), ("toxic", toxic), ("colour", colour))
    ],
    "kg",
)
PIGMENTS = "get_information(relation='type', tail_entity='pigment')"


@pytest.mark.parametrize(
    ("question", "value"), [("Which pigments are toxic?", "true"), ("Which pigments are not toxic?", "false")]
)
def test_a_relation_of_yes_and_no_says_which_things_are_so(question: str, value: str) -> None:
    assert calls(question, FLAGS) == [f"get_information(relation='toxic', tail_entity='{value}')", PIGMENTS, BOTH]


def test_a_relation_of_yes_and_no_says_whether_a_thing_is_so() -> None:
    fact = "get_information(head_entity='Velm Blue', relation='toxic', tail_entity='true')"
    assert calls("Is Velm Blue toxic?", FLAGS) == [fact, "exists(set='output_of_query1')"]


def test_what_things_are_said_to_be_is_a_value_of_the_only_relation_that_has_it() -> None:
    assert calls("Which pigments are blue?", FLAGS) == [
        "get_information(relation='colour', tail_entity='blue')",
        PIGMENTS,
        BOTH,
    ]
