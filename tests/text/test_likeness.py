"""Which of two names fits better, for every way in which an LLM errs; which of some names is most like a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.likeness import Likeness, likeness, nearest, relation_likeness
from cgstore.text.names import normal_form


def normal_likeness(asked: str, name: str, meaning: float | None = None) -> Likeness:
    """As `likeness`, of names as they are written."""
    return likeness(normal_form(asked), normal_form(name), meaning)


BETTER = [
    ("a letter mistyped", "Angela Merkle", "Angela Merkel", "Angela Markus"),
    ("two letters mistyped", "Agnela Merklel", "Angela Merkel", "Agnes Meckel"),
    ("words swapped", "Merkel Angela", "Angela Merkel", "Mercer Angela"),
    ("a word left out", "Lord of Rings", "The Lord of the Rings", "Lord of Flies"),
    ("brackets left out", "The Burglar", "The Burglar (1957 film)", "The Bungler"),
    ("accents left out", "Gyula Illyes", "Gyula Illyés", "Gyula Ilyin"),
    ("underscores", "united_states_of_america", "United States of America", "United Arab Emirates"),
    ("the whole name before a longer one", "Ulm", "Ulm", "Ulm Minster"),
]


@pytest.mark.parametrize(("error", "asked", "right", "wrong"), BETTER, ids=[case[0] for case in BETTER])
def test_the_right_name_fits_better(error: str, asked: str, right: str, wrong: str) -> None:
    assert normal_likeness(asked, right).score > normal_likeness(asked, wrong).score


def test_the_same_form_is_one_whatever_it_means() -> None:
    assert likeness("ulm", "ulm", meaning=0.2).score == 1.0


def test_meaning_decides_between_names_spelt_equally_unlike() -> None:
    near, far = likeness("birthplace", "place of birth", 0.9), likeness("birthplace", "place of death", 0.6)
    assert near.score > far.score


def test_meaning_alone_is_never_as_good_as_the_same_spelling() -> None:
    assert likeness("usa", "united states of america", 1.0).score < 1.0


def test_a_relation_is_compared_in_all_its_forms() -> None:
    assert relation_likeness({"placeofbirth": 1.0, "place of birth": 1.0}, {"place of birth": 1.0}).score == 1.0


@given(st.text("abcé ", max_size=12), st.text("abcé ", max_size=12), st.none() | st.floats(-1, 1))
def test_a_score_is_from_nought_to_one(asked: str, name: str, meaning: float | None) -> None:
    parts = normal_likeness(asked, name, meaning)
    assert isinstance(parts, Likeness)
    assert 0.0 <= parts.score <= 1.0


@given(st.text("abc ", min_size=1, max_size=12), st.text("abc ", min_size=1, max_size=12))
def test_likeness_by_characters_has_no_direction(asked: str, name: str) -> None:
    assert normal_likeness(asked, name).characters == normal_likeness(name, asked).characters


def test_a_relation_is_told_from_its_inverse_by_the_small_word() -> None:
    asked = {"studnt of": 1.0}
    assert relation_likeness(asked, {"student of": 1.0}).score > relation_likeness(asked, {"student": 1.0}).score


@pytest.mark.parametrize(
    ("asked", "name", "is_same"),
    [
        ("founder", "date founded", False),
        ("director", "year directed", False),
        ("date founded", "founder", False),
        ("founder", "founded by", True),
        ("founder", "founders", True),
        ("founded", "date founded", True),
        ("inventor", "number of inventors", True),
    ],
)
def test_who_did_it_is_another_relation_than_when(asked: str, name: str, is_same: bool) -> None:
    assert relation_likeness({asked: 1.0}, {name: 1.0}).same_words is is_same


def test_the_meaning_of_a_relation_counts_more_than_its_small_words() -> None:
    asked = {"operated by": 1.0}
    right, wrong = relation_likeness(asked, {"operator": 1.0}, 0.7), relation_likeness(asked, {"owned by": 1.0}, 0.6)
    assert right.score > wrong.score


@pytest.mark.parametrize(
    ("text", "names", "best"),
    [
        ("Dublinn", ["Dubai", "Dublin", "Berlin"], "Dublin"),
        ("Land area", ["Population", "Land area km² (sq mi)", "Water area"], "Land area km² (sq mi)"),
        ("POINTS", ["Position", "points"], "points"),
        ("x", ["a", "b"], "a"),
    ],
)
def test_the_nearest_shares_most_trigrams(text: str, names: list[str], best: str) -> None:
    found = nearest(text, names)
    assert found is not None
    assert found[0] == best


def test_the_same_name_but_for_case_and_accents_is_wholly_alike() -> None:
    assert nearest("gyula illyes", ["Gyula Illyés"]) == ("Gyula Illyés", 1.0)


def test_there_is_no_nearest_of_nothing() -> None:
    assert nearest("x", []) is None
