"""Relations as questions: rules on their words, and quotes where none fits."""

from __future__ import annotations

import pytest

from cgstore.text.questions import heads_question, qualified_question, tails_question


@pytest.mark.parametrize(
    ("relation", "of_head", "of_tail", "at_time"),
    [
        ("directed by", "Who was H directed by?", "What was directed by T?", "What was directed by T in 1990?"),
        ("film.film.directed_by", "Who was H directed by?", "What was directed by T?", None),
        ("hasGenre", "What genre does H have?", "What has the genre T?", None),
        ("bornIn", "What was H born in?", "Who was born in T?", None),
        (
            "located in",
            "What is H located in?",
            "What is located in T?",
            "What was located in T in 1990?",
        ),
        ("has genre", "What genre does H have?", "What has the genre T?", None),
        ("release year", "What is the release year of H?", "What has the release year T?", None),
        ("place of birth", "What is the place of birth of H?", "Who has the place of birth T?", None),
        (
            "position held",
            "Which position did H hold?",
            "Who held the position T?",
            "Who held the position T in 1990?",
        ),
        ("language spoken", "Which language did H speak?", "Who spoke the language T?", None),
        (
            "mayor of",
            "What is H the mayor of?",
            "Who is the mayor of T?",
            "Who was the mayor of T in 1990?",
        ),
        ("part of", "What is H part of?", "What is part of T?", None),
        ("member of sports team", "Which sports team is H a member of?", "Who is a member of T?", None),
        ("instance of", "What is H an instance of?", "What is an instance of T?", None),
        ("flows into", "What does H flow into?", "What flows into T?", None),
        (
            "spouse",
            "What is the spouse of H?",
            "Who has the spouse T?",
            "Who had the spouse T in 1990?",
        ),
    ],
)
def test_a_relation_is_asked_about_in_plain_words(
    relation: str, of_head: str, of_tail: str, at_time: str | None
) -> None:
    assert tails_question(relation, "H") == of_head
    assert heads_question(relation, "T") == of_tail
    assert at_time is None or heads_question(relation, "T", "1990") == at_time


@pytest.mark.parametrize("relation", ["starring", "starred in", "tags", "in language", "HAS_GENRES", "a/b", "is a"])
def test_a_relation_of_other_words_stands_in_quotes(relation: str) -> None:
    words = relation.replace("_", " ")
    assert tails_question(relation, "H") == f'What is the "{words}" of H?'
    assert heads_question(relation, "T") == f'What has the "{words}" T?'


def test_a_qualifier_stands_behind_the_relation() -> None:
    asked = qualified_question("award received", "point in time", "1964")
    assert asked == 'What has "award received" with the point in time 1964?'
