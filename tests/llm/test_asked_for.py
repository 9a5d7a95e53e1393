"""What a question asks for, said elsewhere than behind its first word: nothing else is given."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble import proposals

FILMS = [
    ("Tidewater", "Ann Lee", "Bo Field", "drama", "Welsh", "1999"),
    ("Low Sun", "Ann Lee", "Cy Ro", "war", "Manx", "2003"),
]
RELATIONS = ("directed_by", "written_by", "has_genre", "in_language", "release_year")
GRAPH = MemoryGraph([(film, *fact) for film, *has in FILMS for fact in zip(RELATIONS, has, strict=True)], "kg")


def last_calls(question: str) -> list[str]:
    """The last query of each program that is proposed."""
    try:
        return [each.program.splitlines()[-1] for each in proposals(question, GRAPH)]
    except CannotPropose:
        return []


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("What were the release dates of films directed by the director of Tidewater?", "release_year"),
        ("What types are the films directed by Ann Lee?", "has_genre"),
        ("The films that share directors with the film Tidewater were in which languages?", "in_language"),
        ("Who wrote films that share directors with the film Tidewater?", "written_by"),
    ],
)
def test_nothing_but_what_is_asked_for_is_given(question: str, relation: str) -> None:
    assert all(f"relation='{relation}'" in call for call in last_calls(question))


def test_what_is_asked_for_is_found_through_other_relations() -> None:
    assert "relation='release_year'" in last_calls("What was the release year of the film that Ann Lee directed?")[0]
    assert "relation='written_by'" in last_calls("Who are the writers of films directed by Ann Lee?")[0]


def test_a_relation_said_twice_is_asked_twice() -> None:
    (first, second, last) = proposals("Who wrote the films directed by the director of Tidewater?", GRAPH)[
        0
    ].program.splitlines()
    assert "directed_by" in first and "directed_by" in second and "written_by" in last
