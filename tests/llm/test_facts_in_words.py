"""Questions in the words of the relations of a graph without times, where no demonstration helps."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.facts import facts_in
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("Glass Hill", "directed by", "Vera Lund"),
        ("Glass Hill", "starred", "Nils Arden"),
        ("Glass Hill", "release year", "1990"),
        ("Night Ferry", "directed by", "Vera Lund"),
        ("Night Ferry", "starred", "Vera Lund"),
        ("Nils Arden", "born in", "Halden"),
    ],
    "kg",
)


def calls(question: str) -> list[str]:
    found = facts_in(question, GRAPH.mentions(question), GRAPH.relations, GRAPH.relations_of)
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


DIRECTED = "get_information(relation='directed by', tail_entity='Vera Lund')"
STARRED = "get_information(relation='starred', tail_entity='Nils Arden')"
BOTH = "set_intersection(set1='output_of_query1', set2='output_of_query2')"


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Who starred in Glass Hill?", ["get_information(head_entity='Glass Hill', relation='starred')"]),
        ("Which films did Nils Arden star in?", [STARRED]),
        ("How many films were directed by Vera Lund?", [DIRECTED, "count(set='output_of_query1')"]),
        ("Which films starring Nils Arden were directed by Vera Lund?", [STARRED, DIRECTED, BOTH]),
        (
            "Which films starred both Nils Arden and Vera Lund?",
            [STARRED, "get_information(relation='starred', tail_entity='Vera Lund')", BOTH],
        ),
    ],
)
def test_the_words_of_relations_make_the_program(question: str, program: list[str]) -> None:
    assert calls(question) == program


@pytest.mark.parametrize(
    "question",
    [
        "Which films were not directed by Vera Lund?",
        "Which directors starred in Glass Hill?",
        "Who wrote Glass Hill?",
        "Was Glass Hill directed by Vera Lund?",
        "What was the first film directed by Vera Lund?",
    ],
)
def test_other_words_leave_no_program(question: str) -> None:
    assert calls(question) == []
