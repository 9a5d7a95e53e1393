"""Which of some names is most like a text."""

from __future__ import annotations

import pytest

from cgstore.text.likeness import nearest


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
