"""How alike two names are, and which of some names is most like a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.text.likeness import Likeness, likeness, nearest, relation_likeness
from cgstore.text.names import normal_form


def normal_likeness(asked: str, name: str, meaning: float | None = None) -> Likeness:
    """As `likeness`, of names as they are written."""
    return likeness(normal_form(asked), normal_form(name), meaning)


def test_meaning_decides_between_names_spelt_unlike_and_is_never_as_good_as_the_same_spelling() -> None:
    near, far = likeness("birthplace", "place of birth", 0.9), likeness("birthplace", "place of death", 0.6)
    assert near.score > far.score
    assert likeness("usa", "united states of america", 1.0).score < 1.0 == likeness("ulm", "ulm", 0.2).score


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
    assert nearest("gyula illyes", ["Gyula Illyés"]) == ("Gyula Illyés", 1.0)
    assert nearest(text, []) is None


def test_a_mistyped_relation_counts_by_its_letters_whatever_it_means() -> None:
    assert relation_likeness({"chidlren": 1.0}, {"children": 1.0}, 0.1).score == pytest.approx(0.875)
