"""Questions of few words about one name, over a graph without times."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.bare_questions import bare_programs
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
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


def program(question: str) -> str:
    names = [mention for mention in GRAPH.mentions(question) if mention.kind == "entity"]
    found = bare_programs(question, names, GRAPH)
    return found[0].program.split('"', 1)[1].rstrip('"') if found else ""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Whose pupil was Bo?", "get_information(head_entity='Bo', relation='pupil of')"),
        ("Whose cousin is Ann?", "get_information(relation='cousin', tail_entity='Ann')"),
        ("Where is the Mill?", "get_information(head_entity='Mill', relation='stands in')"),
    ],
)
def test_the_words_say_the_side_of_the_name(question: str, expected: str) -> None:
    assert program(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Whose pupil is Cy?",
        "Whose cousin is Cy?",
        "Where is the Barn?",
        "Where is the Forge?",
        "Whose best pupil was Bo?",
    ],
)
def test_what_no_relation_says_or_several_say_has_no_program(question: str) -> None:
    assert program(question) == ""
