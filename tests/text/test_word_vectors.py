"""Vectors of English words, compared by their meaning."""

import pytest

from cgstore.text.word_vectors import base_forms, likeness, vector_of


def _like(one: str, other: str) -> float:
    first, second = vector_of(one.split()), vector_of(other.split())
    assert first and second
    return likeness(first, second)


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("soil", "ground", "price"),
        ("tall", "height", "colour"),
        ("author", "writer", "river"),
        ("visit", "tour", "weight"),
    ],
)
def test_words_of_like_meaning_are_nearer_than_others(word: str, near: str, far: str) -> None:
    assert _like(word, near) > 0.4 > _like(word, far)


def test_forms_of_a_word_have_its_vector() -> None:
    assert _like("painted", "paint") == pytest.approx(1.0)
    assert _like("wrote", "write") == pytest.approx(1.0)


def test_words_together_lie_between_their_vectors() -> None:
    assert 1.0 > _like("tour visit", "tour") > _like("visit", "tour")


def test_unknown_words_have_no_vector() -> None:
    assert vector_of(["qwrtz"]) is None
    assert vector_of([]) is None


def test_base_forms_are_of_the_word_alone() -> None:
    assert {"run", "running"} & {*base_forms("running")} == {"run"}
