"""Other words for relations and columns: what the list says, and in which direction."""

from __future__ import annotations

import pytest

from cgstore.text.thesaurus import lemma, names_said, narrower_kinds, phrases_of, same_kind


def said(name: str, inverse: bool) -> set[str]:
    return {phrase.text for phrase in phrases_of(name) if phrase.inverse is inverse}


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


def test_a_relation_has_the_words_of_its_concept_in_both_directions() -> None:
    assert {"works for", "workplace"} <= said("employer", inverse=False)
    assert {"employee", "staff", "employs"} <= said("employer", inverse=True)


def test_the_name_of_the_other_direction_turns_the_words() -> None:
    assert {"employer", "works for"} <= said("employs", inverse=True)


@pytest.mark.parametrize("name", ["directed by", "directedBy", "directed_by"])
def test_the_style_of_a_name_does_not_matter(name: str) -> None:
    assert "filmmaker" in said(name, inverse=False)


def test_a_noun_with_of_is_the_other_direction_of_the_noun() -> None:
    assert "runs the town" in said("mayor", inverse=False)
    assert "runs the town" in said("mayor of", inverse=True)


def test_a_place_or_time_of_a_deed_is_not_who_does_it() -> None:
    assert "founding date" in said("founded_in", inverse=False)
    assert not said("founded_in", inverse=True)


def test_a_column_only_has_the_words_from_the_row_to_the_cell() -> None:
    words = {phrase.text for phrase in phrases_of("Hired", is_column=True)}
    assert "joining date" in words
    assert "employs" not in words


@pytest.mark.parametrize(
    ("header", "asked"),
    [
        ("Stipend", "gets paid"),
        ("Keyholder", "locks up"),
        ("Insured until", "insurance runs out"),
        ("Lift-out", "out of the water"),
        ("Print run", "how many printed"),
        ("End", "leave us"),
        ("Start", "come on board"),
        ("Mentor", "looks after"),
        ("Articles", "pieces filed"),
        ("Uni", "student of"),
        ("Nos", "how many people"),
    ],
)
def test_headers_of_offices_have_the_words_by_which_colleagues_ask(header: str, asked: str) -> None:
    assert asked in {phrase.text for phrase in phrases_of(header, is_column=True)}


def test_a_unit_in_a_name_does_not_matter() -> None:
    assert "earns" in said("Salary (EUR)", inverse=False)


def test_an_unknown_name_has_no_other_words() -> None:
    assert phrases_of("zorbing quotient") == ()


def test_kinds_have_other_nouns_and_narrower_ones() -> None:
    assert "vessel" in same_kind("ships")
    assert "ship" in same_kind("vessel")
    assert "ferry" in narrower_kinds("ship")


def test_a_question_says_the_names_of_relations_in_other_words() -> None:
    said = names_said({lemma(word) for word in ("what", "is", "the", "birthplace", "of", "bo")})
    assert said[frozenset([lemma("born")])] == {lemma("birthplace")}
    assert frozenset(map(lemma, ("date", "birth"))) not in said
