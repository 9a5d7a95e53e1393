"""Names that differ in a number, and names that have the same one in another writing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cgstore.text.likeness import other_number

OTHERS = [
    ("Head of Government (Benin)", "Head_of_Government_(Mali)"),
    ("Springfield (Ohio)", "Springfield (Illinois)"),
    ("2003 AFL Grand Final", "2004 AFL Grand Final"),
    ("2003 AFL Grand Final", "AFL Grand Final (2004)"),
    ("2003 AFL Grand Final", "AFL Grand Final"),
    ("Elizabeth II", "Elizabeth"),
    ("elizabeth ii", "Elizabeth"),
    ("Elizabeth II", "Elizabeth I"),
    ("Louis XIV", "Louis XV"),
    ("louis xiv", "louis xv"),
    ("Super Bowl XLII", "Super Bowl XLIII"),
    ("Super Bowl LI", "Super Bowl LII"),
    ("1st Cavalry Division", "2nd Cavalry Division"),
    ("Second Battle of Bull Run", "First Battle of Bull Run"),
    ("Part One", "Part Two"),
    ("Part One", "Part 2"),
    ("World War Two", "World War"),
    ("Twenty-first Amendment", "Twenty-second Amendment"),
    ("Type A", "Type B"),
    ("Hepatitis C", "Hepatitis"),
    ("Charles V", "Charles X"),
    ("Malcolm X", "Malcolm"),
    ("B52", "B53"),
    ("Apollo11", "Apollo 12"),
    ("Boeing 737-300", "Boeing 737-400"),
    ("type 2a", "type 2b"),
    ("-3", "3"),
    ("3.14", "3 14"),
    ("1.5 litres", "2.5 litres"),
    ("July 4", "July 5"),
    ("2011-12", "2011-13"),
    ("2011-2012", "2010–11"),
    ("population_2010", "population_2020"),
    ("The Burglar (1957 film)", "The Burglar"),
    ("The Burglar (1957 film)", "The Burglar (1987 film)"),
    ("John F Kennedy", "John G Kennedy"),
    ("1, 2, 2", "1, 2"),
]

SAME = [
    ("2nd Battle of Bull Run", "Second Battle of Bull Run"),
    ("World War 2", "World War II"),
    ("Henry the eighth", "Henry VIII"),
    ("Henry the 8th", "Henry VIII"),
    ("1,000 Islands", "1000 Islands"),
    ("21st Amendment", "Twenty-first Amendment"),
    ("Two Thousand Maniacs", "2000 Maniacs"),
    ("007", "7"),
    ("Super Bowl li", "Super Bowl LI"),
    ("elizabeth ii", "Elizabeth II."),
    ("Part I", "Part 1"),
    ("1990s in film", "1990s films"),
    ("2011-2012 season", "2011–12 season"),
    (".42%", "0.42 %"),
]

ALIKE = [
    ("Angela Merkle", "Angela Merkel"),
    ("The Burglar", "The Burglar (1957 film)"),
    ("Sevn Samurai", "Seven Samurai"),
    ("Jet Lee", "Jet Li"),
    ("Jinping", "Xi Jinping"),
    ("John Kennedy", "John F. Kennedy"),
    ("George Bush", "George W Bush"),
    ("Bush, George W.", "George Bush"),
    ("I Robot", "Robot"),
    ("Civil War", "Civil Wars"),
    ("4 x 100 metres", "4 × 100 metres"),
    ("Bucci's house", "Bucci house"),
    ("What Girl Wants", "What a Girl Wants"),
    ("am i rihgt", "Am I Right"),
    ("Land area", "Land area km² (sq mi)"),
    ("", "x"),
]


@pytest.mark.parametrize(("asked", "name"), OTHERS)
def test_another_number_is_another_name(asked: str, name: str) -> None:
    assert other_number(asked, name)


@pytest.mark.parametrize(("asked", "name"), SAME)
def test_the_same_number_in_another_writing_is_the_same(asked: str, name: str) -> None:
    assert not other_number(asked, name)
    assert not other_number(name, asked)


@pytest.mark.parametrize(("asked", "name"), ALIKE)
def test_names_without_another_number_may_be_alike(asked: str, name: str) -> None:
    assert not other_number(asked, name)


def test_a_relation_may_have_a_number_that_was_not_asked_for() -> None:
    assert not other_number("population", "population 2010", may_lack=True)
    assert other_number("population 2020", "population 2010", may_lack=True)
    assert other_number("population 2020", "population", may_lack=True)


def roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX")[tens] + (
        ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]
    )


@given(st.integers(1, 89), st.integers(1, 89))
def test_two_roman_numerals_are_the_same_where_their_numbers_are(one: int, other: int) -> None:
    if 50 not in (one, other):  # `L` is a letter: Super Bowl 50 was none of them
        assert other_number(f"King {roman(one)}", f"King {roman(other)}") == (one != other)
        assert other_number(f"King {roman(one)}", f"King {other}") == (one != other)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_two_numbers_are_the_same_where_their_values_are(one: int, other: int) -> None:
    assert other_number(f"Final {one}", f"{other} Finals") == (one != other)


@given(st.text("ab1 2IVx.,'()", max_size=10), st.text("ab1 2IVx.,'()", max_size=10))
@example("", ".1.1")
def test_a_name_is_never_another_than_itself_and_numbers_have_no_direction(one: str, other: str) -> None:
    assert not other_number(one, one)
    if "(" not in one + other:
        assert other_number(one, other) == other_number(other, one)
