"""Misspelt words and names of a question: what is put right, and what is left as it is."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.spelling import ASKING_WORDS, _nearest_name, is_common, repaired
from cgstore.mapping.mentions import Mention

KINGS = ["Henry II", "Henry III", "Roderick"]
NAMES = ["Dario Penhollow", "Port Estrin", "Port Easton", "1st Fleet"]
VOCABULARY = frozenset({"who", "was", "play", "for", "when", "the"})


def read(question: str) -> tuple[str, tuple[str, ...]] | None:
    found = repaired(question, (), {"mayor", "captain", *ASKING_WORDS}, VOCABULARY, lambda text: NAMES)
    return None if found is None else (found.question, found.notes)


@pytest.mark.parametrize(
    ("question", "meant", "note"),
    [
        ("Who was the captian?", "Who was the captain?", "'captian' is read as 'captain'"),
        ("who was the frist mayor?", "who was the first mayor?", "'frist' is read as 'first'"),
        (
            "When did Dario Penholow play?",
            "When did Dario Penhollow play?",
            "'Dario Penholow' is read as 'Dario Penhollow'",
        ),
        ("who succeded him?", "who succeeded him?", "'succeded' is read as 'succeeded'"),
        ("who was mayor of prot estrin", "who was mayor of Port Estrin", "'prot estrin' is read as 'Port Estrin'"),
    ],
)
def test_the_nearest_word_or_name_is_read_with_a_note(question: str, meant: str, note: str) -> None:
    assert read(question) == (meant, (note,))


@pytest.mark.parametrize(
    "question",
    [
        "Who was the mayor?",
        "Who was Carter?",
        "Which mayers were there?",
        "who was the mare",
        "who was recaptain",
        "who was sucession",
        "Who was captains",
    ],
)
def test_what_is_right_a_name_or_too_far_is_left(question: str) -> None:
    assert read(question) is None


@pytest.mark.parametrize("word", ["reign", "reigned", "ruled", "coach", "treaty", "governed"])
def test_a_common_word_is_never_put_right(word: str) -> None:
    assert is_common(word)
    assert read(f"How long did the captain {word}?") is None


@pytest.mark.parametrize("word", ["captian", "frist", "mayer", "headquartes", "playd", "suplied", "founed"])
def test_a_misspelt_word_is_not_common(word: str) -> None:
    assert not is_common(word)


@pytest.mark.parametrize("name", ["Henry I", "Henry IV", "Henry"])
def test_a_roman_numeral_is_no_mistake(name: str) -> None:
    assert repaired(f"When was {name} born?", (), {"mayor"}, VOCABULARY | {"born"}, lambda text: KINGS) is None


def test_a_name_of_the_graph_is_left_where_a_word_is_put_right() -> None:
    question = "When was Henry III captian?"
    start = question.index("Henry")
    name = Mention(start, start + 9, "Henry III", "Henry III", "Henry III", "entity", "exact")
    found = repaired(question, [name], {"captain"}, VOCABULARY, lambda text: KINGS)
    assert found is not None
    assert found.question == "When was Henry III captain?"


def test_a_name_that_the_graph_lacks_is_put_right() -> None:
    found = repaired("When was Rodrick born?", (), {"mayor"}, VOCABULARY | {"born"}, lambda text: KINGS)
    assert found is not None
    assert found.question == "When was Roderick born?"


def test_a_word_that_asks_is_not_the_misspelt_end_of_a_name() -> None:
    assert _nearest_name("john alden die", ["John Alden Dix"]) == ""
    assert _nearest_name("jon alden dix", ["John Alden Dix"]) == "John Alden Dix"
