"""Years of an era, and centuries, as questions have them."""

from __future__ import annotations

import pytest

from cgstore.text.asked_times import find_times, short_years


def named(question: str) -> list[tuple[str, str]]:
    return [(question[start:end], name) for start, end, name in find_times(question)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("51 BC", "-50"),
        ("80 B.C.", "-79"),
        ("80 BCE", "-79"),
        ("1200 BC", "-1199"),
        ("AD 40", "40"),
        ("40 AD", "40"),
        ("40 CE", "40"),
        ("40 A.D.", "40"),
        ("-40", "-40"),
        ("70s BC", "70s BC"),
        ("1980s", "1980s"),
        ("5th century BC", "5th century BC"),
        ("first century BC", "1st century BC"),
        ("twelfth century", "12th century"),
        ("12th century", "12th century"),
        ("1st century AD", "1st century"),
    ],
)
def test_a_time_of_an_era_is_named_by_its_year(text: str, name: str) -> None:
    assert named(f"Who was consul in {text}?") == [(text, name)]


def test_a_day_before_christ_is_named_in_iso_form() -> None:
    assert named("Who was consul on 15 March 44 BC?") == [("15 March 44 BC", "-0043-03-15")]


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("Who ruled between 51 and 30 BC?", [("51", "-50"), ("30 BC", "-29")]),
        ("Who ruled from 20 to 40 AD?", [("20", "20"), ("40 AD", "40")]),
        ("Who ruled between 30 BC and AD 20?", [("30 BC", "-29"), ("AD 20", "20")]),
    ],
)
def test_an_era_is_that_of_both_years(question: str, times: list[tuple[str, str]]) -> None:
    assert named(question) == times


@pytest.mark.parametrize(
    "question",
    [
        "Which 300 BC games were there?",
        "Who was the first of the century?",
        "Who sang in the 1900s?",
    ],
)
def test_a_number_that_may_be_anything_is_no_year(question: str) -> None:
    assert named(question) == []


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Who was queen in 40?", ["40"]),
        ("Who was queen before 20?", ["20"]),
        ("Who was queen between 35 and 45?", ["35", "45"]),
        ("Who ruled in 50 states?", []),
        ("Who had 40?", []),
    ],
)
def test_short_years_stand_where_a_year_may(question: str, years: list[str]) -> None:
    assert [each.name for each in short_years(question)] == years
