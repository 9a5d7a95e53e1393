"""Misspelt words and names of a question: what is put right, and what is left as it is."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.spelling import ASKING_WORDS, repaired

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
