"""Names and numbers that a question has and the graph has not."""

from __future__ import annotations

import pytest

from cgstore.mapping.mentions import unknown_names
from tests.llm.memory_graph import MemoryGraph


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Which team did Nadia Orlov play for in 1994?", []),
        ("Which team did Zora Blum play for in 1994?", ["Zora Blum"]),
        ("Zora Blum was on which team?", ["Zora Blum"]),
        ("Was Zora Blum a governor?", ["Zora Blum"]),
        ("Who was the Duke of York in 1994?", ["Duke of York"]),
        ('Who sang "blue skies"?', ["blue skies"]),
        ("Who led the 44th session?", ["44th"]),
        ("Teams of Nadia Orlov?", []),
        ("which team was nadia orlov ii on?", ["ii"]),
        ("Which team was Nadia Orlov Two on?", ["Two"]),
        ("Which team was Nadia Orlov on second?", []),
        ("Nadia Orlov v the team?", []),
        ("Who beat Nadia Orlov at F.C. Nowhere?", ["F.C. Nowhere"]),
    ],
)
def test_what_stands_for_a_name_and_is_none_of_the_graph_is_told(question: str, unknown: list[str]) -> None:
    assert unknown_names(question, MemoryGraph().mentions(question)) == unknown
