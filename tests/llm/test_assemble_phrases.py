"""Questions about what a phrase names, over a graph without times."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble import proposals

GRAPH = MemoryGraph(
    [
        ("Dovetail", "designed by", "Vera Lund"),
        ("Dovetail", "made of", "maple"),
        ("Vera Lund", "born in", "Halden"),
        ("Vera Lund", "works for", "Lund Lutes"),
        ("Lund Lutes", "makes", "Dovetail"),
        ("Lund Lutes", "founded in", "1971"),
        ("Lund Lutes", "founded by", "Nils Arden"),
        ("Halden", "located in", "Norvale"),
    ],
    "kg",
)


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    try:
        found = proposals(question, graph)
    except CannotPropose:
        return []
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


DESIGNER = "get_information(head_entity='Dovetail', relation='designed by')"
MAKER = "get_information(relation='makes', tail_entity='Dovetail')"


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "Where was the designer of the Dovetail born?",
            [DESIGNER, "head_entity='output_of_query1', relation='born in'"],
        ),
        (
            "When was the maker of the Dovetail founded?",
            [MAKER, "head_entity='output_of_query1', relation='founded in'"],
        ),
        (
            "Who founded the company that makes the Dovetail?",
            [MAKER, "head_entity='output_of_query1', relation='founded by'"],
        ),
        (
            "who founded the company Vera Lund works for",
            [
                "get_information(head_entity='Vera Lund', relation='works for')",
                "head_entity='output_of_query1', relation='founded by'",
            ],
        ),
        (
            "What are the instruments designed by Vera Lund made of?",
            [
                "get_information(relation='designed by', tail_entity='Vera Lund')",
                "head_entity='output_of_query1', relation='made of'",
            ],
        ),
        (
            "The town where Vera Lund was born is located in what region?",
            [
                "get_information(head_entity='Vera Lund', relation='born in')",
                "head_entity='output_of_query1', relation='located in'",
            ],
        ),
    ],
)
def test_what_the_phrase_gives_takes_the_place_of_a_name(question: str, program: list[str]) -> None:
    first, second = program
    assert calls(question) == [first, f"get_information({second})"]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the master of the designer of the Dovetail?",
        "Where was the designer of the Dovetail buried?",
        "Where was the buyer of the Dovetail born?",
        "Who founded the largest company that makes the Dovetail?",
        "Where was the designer of the Dovetail not born?",
    ],
)
def test_a_word_that_no_relation_has_leaves_no_program(question: str) -> None:
    assert calls(question) == []


FEW_WORDS = MemoryGraph(
    [
        ("Ann", "pupil of", "Bo"),
        ("Bo", "pupil of", "Cy"),
        ("Cy", "cousin", "Ann"),
        ("Mill", "stands in", "Velden"),
        ("Mill", "opened in", "1900"),
        ("Forge", "born in", "Velden"),
        ("Barn", "stands in", "Velden"),
        ("Barn", "location", "Hill"),
    ],
    "kg",
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Whose pupil was Bo?", "get_information(head_entity='Bo', relation='pupil of')"),
        ("Whose cousin is Ann?", "get_information(relation='cousin', tail_entity='Ann')"),
        ("Whose cousin is Cy?", "get_information(head_entity='Cy', relation='cousin')"),
        ("Where is the Mill?", "get_information(head_entity='Mill', relation='stands in')"),
    ],
)
def test_the_words_say_the_side_of_the_name(question: str, expected: str) -> None:
    assert calls(question, FEW_WORDS) == [expected]


@pytest.mark.parametrize(
    "question",
    [
        "Whose pupil is Cy?",
        "Where is the Barn?",
        "Where is the Forge?",
        "Whose best pupil was Bo?",
    ],
)
def test_what_no_relation_says_or_several_say_has_no_program(question: str) -> None:
    assert calls(question, FEW_WORDS) == []


def test_a_kind_behind_a_name_says_what_that_is_after_an_article_alone() -> None:
    assert calls("Who designed the Dovetail violin?") == [DESIGNER]
    assert not calls("Who designed Dovetail Orchard?") and not calls("who designed dovetail orchard")


def rides(*more: tuple[str, str, str]) -> MemoryGraph:
    facts = [
        ("Log Tumble", "type", "water ride"),
        ("Log Tumble", "height", "12"),
        ("Log Tumble", "stands in", "Goblin Hollow"),
        ("Ghost Train", "type", "dark ride"),
        ("Ghost Train", "height", "6"),
        ("Ghost Train", "stands in", "Moonbase"),
        ("Moonbase", "type", "area"),
        ("Goblin Hollow", "type", "area"),
        *more,
    ]
    return MemoryGraph(facts, "kg")


def test_kinds_of_a_kind_are_all_of_it() -> None:
    found = proposals("what is the tallest ride", rides())
    assert "dark ride" in found[0].program
    assert "'ride' is taken for what is 'dark ride', 'water ride'." in found[0].notes


def test_kinds_of_a_kind_are_not_all_of_it_if_another_kind_has_the_same_relations() -> None:
    coaster = [("Thornback", "type", "coaster"), ("Thornback", "height", "41"), ("Thornback", "stands in", "Moonbase")]
    assert calls("what is the tallest ride", rides(*coaster)) == []
