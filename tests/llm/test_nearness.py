"""Questions in words that neither the graph nor the thesaurus has, read by their meaning."""

import pytest

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("Hexley Deep", "soil", "clay"),
        ("Hexley Deep", "sleuth", "Moira Vane"),
        ("Hexley Deep", "mother", "Old Hexley"),
        ("Hexley Deep", "murder weapon", "a lamp"),
        ("Rook Fold", "soil", "chalk"),
        ("Rook Fold", "sleuth", "Tom Ash"),
        ("Rook Fold", "murder weapon", "poison"),
    ],
    "kg",
)


def proposals(question: str) -> list[Proposal]:
    try:
        return list(RewriteBackend(load_demonstrations()).propose(question, GRAPH))
    except CannotPropose:
        return []


def test_a_word_near_to_one_relation_asks_for_it_with_a_note() -> None:
    (found, *_) = proposals("What dirt is there in Hexley Deep?")
    assert "relation='soil'" in found.program
    assert any("taken for the relation 'soil'" in note for note in found.notes)


@pytest.mark.parametrize(
    "question",
    [
        "Who was the grandmother of Hexley Deep?",  # no mother, though the word ends with it
        "What wavelength does Hexley Deep have?",  # near to nothing
        "Which second dirt is in Hexley Deep?",  # an order
        "How many vessels does Rook Fold have?",  # what is counted must be what is said
    ],
)
def test_words_that_may_say_something_else_have_no_program(question: str) -> None:
    assert proposals(question) == []


SUPPLIERS = MemoryGraph(
    [
        ("Osk Timber", "supplies", "oak boards"),
        ("Ferrin Optics", "supplies", "lenses"),
        ("Osk Timber", "based in", "Harrowfen"),
        ("Ferrin Optics", "based in", "Dunmere"),
        ("Ferrin Optics", "contact person", "Noor Sabet"),
    ],
    "kg",
)


@pytest.mark.parametrize(
    "question",
    [
        "Who supplies titanium?",  # what stands beside a relation's own word must be near to it, too
        "What is the email address of Noor Sabet?",  # what is somebody's has the name as its head entity
        "What is the phone number of Noor Sabet?",  # no number of phones
    ],
)
def test_what_no_fact_mentions_is_not_left_out(question: str) -> None:
    with pytest.raises(CannotPropose):
        list(RewriteBackend(load_demonstrations()).propose(question, SUPPLIERS))
