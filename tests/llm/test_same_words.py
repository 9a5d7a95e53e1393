"""Questions in the words of a demonstration: which words are names is told by the words around them."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.forms import forms_of
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_rewrite import NoEncoder

FILMS = [
    ("Her", "directed by", "Ada Roe"),
    ("Date Movie", "directed by", "Bo Lind"),
    ("All the Marbles", "directed by", "Cai Holm"),
    ("All the Marbles", "release year", "1981"),
    ("1941", "directed by", "Dan Ek"),
]


def shot(question: str, name: str, relation: str = "directed by") -> Demonstration:
    return Demonstration(question, f"Query1: \"get_information(head_entity='{name}', relation='{relation}')\"")


def backend(*shots: Demonstration) -> RewriteBackend:
    return RewriteBackend(shots, NoEncoder())


def first(question: str, *shots: Demonstration) -> str:
    return next(backend(*shots).propose(question, MemoryGraph(FILMS, "kg"))).program


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who directed her", "Her"),
        ("who directed all the marbles", "All the Marbles"),
        ("who directed [All the Marbles]", "All the Marbles"),
        ("Who directed 1941?", "1941"),
    ],
)
def test_a_name_of_any_words_is_one_where_a_demonstration_has_one(question: str, name: str) -> None:
    assert f"head_entity='{name}'" in first(question, shot("who directed [Glass Hill]", "Glass Hill"))


def test_the_program_of_most_demonstrations_comes_first() -> None:
    asked = "when was [{}] made"
    shots = [shot(asked.format(name), name, "release year") for name in ("One", "Two", "Three")]
    wrong = shot(asked.format("Four"), "Four")
    assert "release year" in first("when was all the marbles made", wrong, *shots)


def test_demonstrations_that_differ_in_names_alone_are_one_form() -> None:
    names = ("Glass Hill", "Soldier's Girl", "M")
    (form,) = forms_of((shot(f"who directed [{name}]", name), False) for name in names)
    assert (form.words, form.votes, form.size) == ("who directed {entity}", 3, (1, 0))


def test_a_stored_demonstration_keeps_its_relations() -> None:
    stored = forms_of([(shot("who led [Glass Hill]", "Glass Hill", "head of government"), True)])
    assert stored[0].stored
    assert stored[0].relations == ("head of government",)
