"""Other words for relations and columns: what the list says."""

from __future__ import annotations

import pytest

from cgstore.text.thesaurus import names_said, written_out
from cgstore.text.words import lemma


@pytest.mark.parametrize(
    ("forms", "base"),
    [
        ("employs employed employing employ", "employ"),
        ("writes wrote written writing", "writ"),
        ("cities city", "city"),
        ("stopped stopping stops", "stop"),
        ("children child", "child"),
        ("founded founds", "found"),
    ],
)
def test_forms_of_a_word_have_one_lemma(forms: str, base: str) -> None:
    assert {lemma(form) for form in forms.split()} == {base}


def test_who_does_something_is_another_word_than_to_whom() -> None:
    assert len({lemma(word) for word in ("employer", "employee", "employs")}) == 3


def test_a_question_says_the_names_of_relations_in_other_words() -> None:
    said = names_said({lemma(word) for word in ("what", "is", "the", "birthplace", "of", "bo")})
    assert said[frozenset([lemma("born")])] == {lemma("birthplace")}
    assert frozenset(map(lemma, ("date", "birth"))) not in said


def test_a_short_word_of_a_header_is_written_out() -> None:
    assert (written_out("nat"), written_out("nation")) == ("nationality", "")
