"""Questions over graphs that say what things are: places in places, broader nouns, verbs that say little."""

from __future__ import annotations

import pytest

from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble_phrases import calls as calls_over

GRAPH = MemoryGraph(
    [
        ("Brackenfield", "type", "park"),
        ("Brackenfield", "opened", "1968"),
        ("Brackenfield", "manager", "Oona Tressil"),
        ("Silverdown", "type", "park"),
        ("Silverdown", "opened", "2005"),
        ("Silverdown", "manager", "Priya Candless"),
        ("Old Quarry", "type", "area"),
        ("Old Quarry", "park", "Brackenfield"),
        ("Moonbase", "type", "area"),
        ("Moonbase", "park", "Silverdown"),
        ("Grumbler", "type", "roller coaster"),
        ("Grumbler", "area", "Old Quarry"),
        ("Grumbler", "opened", "1987"),
        ("Grumbler", "maker", "Lindqvist"),
        ("Log Tumble", "type", "water ride"),
        ("Log Tumble", "area", "Old Quarry"),
        ("Log Tumble", "opened", "1979"),
        ("Log Tumble", "maker", "Aquaform"),
        ("Lindqvist", "type", "maker"),
        ("Lindqvist", "base", "Lyon"),
        ("Aquaform", "type", "maker"),
        ("Aquaform", "base", "Dresden"),
        ("Toadstool Kitchen", "type", "restaurant"),
        ("Toadstool Kitchen", "area", "Old Quarry"),
    ],
    "kg",
)
BOOKS = MemoryGraph(
    [
        ("Marchmere", "is a", "publisher"),
        ("Marchmere", "city", "Leeds"),
        ("Lampwick", "is a", "imprint"),
        ("Lampwick", "owner", "Marchmere"),
        ("Mabel Oyin", "is a", "author"),
        ("Mabel Oyin", "city", "Leeds"),
        ("Mabel Oyin", "born", "1988"),
        ("Salt Ledger", "is a", "book"),
        ("Salt Ledger", "author", "Mabel Oyin"),
        ("Salt Ledger", "imprint", "Lampwick"),
        ("Salt Ledger", "genre", "crime"),
        ("Salt Ledger", "pages", "412"),
        ("Salt Ledger", "year", "2014"),
        ("Salt Ledger", "editor", "Amira Stokes"),
        ("Salt Ledger", "won", "Ashcombe Prize"),
        ("Glass Orchard", "is a", "book"),
        ("Glass Orchard", "author", "Mabel Oyin"),
        ("Glass Orchard", "imprint", "Lampwick"),
        ("Glass Orchard", "genre", "poetry"),
        ("Glass Orchard", "pages", "90"),
        ("Glass Orchard", "year", "2019"),
        ("Glass Orchard", "editor", "Amira Stokes"),
        ("Ashcombe Prize", "is a", "prize"),
        ("Ashcombe Prize", "purse", "20000"),
        ("Penmarrow Medal", "is a", "prize"),
        ("Penmarrow Medal", "purse", "500"),
    ],
    "kg",
)


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    return calls_over(question, graph)


AREA = "get_information(head_entity='Grumbler', relation='area')"
PARK = "get_information(head_entity='output_of_query1', relation='park')"
IN_PARK = [
    "get_information(relation='park', tail_entity='Brackenfield')",
    "get_information(relation='area', tail_entity='output_of_query1')",
]


def test_what_is_in_the_places_of_a_place_is_in_it() -> None:
    assert calls("Which restaurant is at Brackenfield?")[:2] == IN_PARK
    assert calls("What was the first ride to open at Brackenfield?")[:2] == IN_PARK
    assert calls("In which park would I find the Grumbler?") == [AREA, PARK]


def test_what_has_a_place_is_not_in_what_owns_it() -> None:
    assert calls("Which books are at Marchmere?", BOOKS) == []
    assert calls("Which publishing house is behind Salt Ledger?", BOOKS) == []


def test_a_clause_of_small_words_links_a_kind_with_a_name() -> None:
    found = calls("Who is the boss of the park that Grumbler is in?")
    assert found[:2] == [AREA, PARK]
    assert "relation='manager'" in found[-1]
    found = calls("Who wrote the book that got the Ashcombe Prize?", BOOKS)
    assert found[0] == "get_information(relation='won', tail_entity='Ashcombe Prize')"
    assert "relation='author'" in found[-1]


def test_who_is_asked_for_is_not_the_place_where_something_is() -> None:
    assert calls("The janitor of the park that Grumbler is in?") == []


def test_the_first_of_what_a_name_has_goes_by_their_own_years() -> None:
    assert calls("What was Mabel Oyin's first book?", BOOKS)[-1] == "argmin(set='output_of_query3', relation='year')"


def test_a_noun_that_is_no_kind_is_not_all_that_have_a_number() -> None:
    assert "type" in "".join(calls("rides that opened before 1990?"))
    assert calls("gizmos that opened before 1990?") == []


@pytest.mark.parametrize("question", ["How many crime novels do we have?", "How many crime titles do we have?"])
def test_a_value_before_a_noun_says_which_of_a_kind(question: str) -> None:
    assert calls(question, BOOKS) == [
        "get_information(relation='genre', tail_entity='crime')",
        "get_information(relation='is a', tail_entity='book')",
        "set_intersection(set1='output_of_query1', set2='output_of_query2')",
        "count(set='output_of_query3')",
    ]


def test_a_value_that_makes_no_such_noun_says_nothing_of_a_narrower_kind() -> None:
    assert calls("How many poetry novels do we have?", BOOKS) == []


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("Which prize pays out the most money?", "argmax(set='output_of_query1', relation='purse')"),
        (
            "the titles that run to more than 400 pages",
            "set_intersection(set1='output_of_query1', set2='output_of_query2')",
        ),
        ("average page count of Mabel Oyin's books", "mean(set='output_of_query4')"),
        ("Has Amira Stokes edited anything by Mabel Oyin?", "exists(set='output_of_query3')"),
    ],
)
def test_verbs_that_say_little_beside_a_number_or_a_relation(question: str, last: str) -> None:
    assert calls(question, BOOKS)[-1] == last


def test_who_worked_on_things_is_said_by_the_noun() -> None:
    assert "relation='editor'" in calls("Which editor has worked on the most books?", BOOKS)[0]
    assert calls("How many people worked on Salt Ledger?", BOOKS) == []


def test_people_live_in_their_city_and_others_do_not() -> None:
    assert calls("Which writers live in Leeds?", BOOKS)[0] == "get_information(relation='city', tail_entity='Leeds')"
    assert calls("Where does Mabel Oyin live?", BOOKS) == ["get_information(head_entity='Mabel Oyin', relation='city')"]
    assert calls("Who lives in Leeds?", BOOKS) == []


def test_a_company_on_the_way_is_where_it_is_based() -> None:
    assert calls("Where is the company that built Grumbler based?") == [
        "get_information(head_entity='Grumbler', relation='maker')",
        "get_information(head_entity='output_of_query1', relation='base')",
    ]


def test_across_all_of_something_is_everywhere() -> None:
    assert calls("How many roller coasters have we got across all the parks?")[-1] == "count(set='output_of_query1')"
