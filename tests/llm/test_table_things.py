"""Tables of things that somebody has: how old they are, how many there are of each, and what each cost."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.table import Table, table_of
from tests.llm.table_answers import answer


def kitchen(*without: str) -> Table:
    columns = [
        ("item", ""),
        ("maker", ""),
        ("bought", "number"),
        ("price each (EUR)", "number"),
        ("responsible", ""),
        ("qty", "number"),
    ]
    rows = [
        ("big pan", "Orlo", "2011", "40", "Ms Reed", "3"),
        ("bread oven", "Orlo", "2004", "900", "Mr Lind", "1"),
        ("whisk", "Tamm", "2019", "7", "Ms Reed", "12"),
        ("mixer", "Vega", "2015", "210", "Mr Marsh", "2"),
        ("scale", "Vega", "2021", "35", "Mr Lind", "4"),
    ]
    kept = [n for n, (name, _) in enumerate(columns) if name not in without]
    return table_of("kitchen", [columns[n] for n in kept], [[row[n] for n in kept] for row in rows])


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What's the oldest thing in the kitchen?", {"bread oven"}),
        ("Is the mixer older than the whisk?", {"yes"}),
        ("Which is older, the mixer or the whisk?", {"mixer"}),
        ("Is the scale newer than the whisk?", {"yes"}),
    ],
)
def test_things_are_as_old_as_since_when_somebody_has_them(question: str, given: set[str]) -> None:
    assert answer(question, kitchen()) == given


@pytest.mark.parametrize("question", ["Is the mixer older than the whisk?", "Is the mixer heavier than the whisk?"])
def test_a_comparative_of_one_measure_compares_nothing_else(question: str) -> None:
    assert isinstance(answer(question, kitchen("bought")), str)


@pytest.mark.parametrize("question", ["Who is the oldest?", "Who is the oldest responsible?"])
def test_nobody_is_as_old_as_what_he_bought(question: str) -> None:
    assert isinstance(answer(question, kitchen()), str)


def test_who_has_a_thing_is_no_thing() -> None:
    assert answer("Who has the oldest item?", kitchen()) in (
        {"mr lind"},
        "who did it is asked, and 'item' has no people",
    )


def test_a_column_called_responsible_has_people() -> None:
    assert answer("Who is in charge of the mixer?", kitchen()) == {"mr marsh"}
    assert isinstance(answer("Who broke the mixer?", kitchen()), str)


def test_how_many_of_a_thing_is_what_the_quantity_says() -> None:
    assert answer("How many whisks have we got?", kitchen()) == {12.0}
    assert answer("How many scales and whisks do we have together?", kitchen()) == {16.0}
    assert isinstance(answer("How many whisks do we need?", kitchen()), str)
    assert isinstance(answer("How many scales and whisks are broken?", kitchen()), str)


@pytest.mark.parametrize(
    "question", ["What did we pay for the two mixers together?", "What did we pay for the big pans?"]
)
def test_a_price_of_each_is_not_what_several_cost(question: str) -> None:
    assert isinstance(answer(question, kitchen()), str)


def test_a_price_of_each_is_what_one_costs() -> None:
    assert answer("What does a mixer cost?", kitchen()) == {210.0}


def test_together_adds_up() -> None:
    sums = table_of(
        "bills", [("Bill", ""), ("Shop", ""), ("Total", "currency")], [("B1", "Orlo", "€5"), ("B2", "Orlo", "€7")]
    )
    assert answer("What did we pay at Orlo together?", sums) == {12.0}


def test_different_kinds_of_what_the_rows_are_are_counted() -> None:
    assert answer("How many different kinds of items does Mr Lind look after?", kitchen()) == {2.0}


def test_a_single_most_expensive_item_is_the_most_expensive() -> None:
    assert answer("what was our single most expensive item?", kitchen()) == {"bread oven"}


def test_a_thing_of_several_words_that_is_counted_is_not_left_out() -> None:
    assert answer("How many big pans does Mr Lind look after?", kitchen()) != {2.0}


def test_when_we_got_a_thing_is_when_it_was_bought() -> None:
    assert answer("When did we get the mixer?", kitchen()) == {2015.0}
    assert answer("What have we got from Vega?", kitchen()) == {"mixer", "scale"}


def test_since_the_start_of_a_year_is_since_the_year() -> None:
    assert answer("Which items were bought since the start of 2019?", kitchen()) == {"whisk", "scale"}
    assert answer("Which items were bought after the end of 2019?", kitchen()) == {"scale"}


@pytest.mark.parametrize("question", ["Is Rex newer than Luna?", "Which is newer, Rex or Luna?"])
def test_newer_does_not_go_by_ages(question: str) -> None:
    dogs = table_of("dogs", [("Dog", ""), ("Age", "number")], [("Rex", "12"), ("Luna", "8")])
    assert isinstance(answer(question, dogs), str)


def test_unit_prices_are_not_added_up() -> None:
    desks = table_of("stock", [("Article", ""), ("Unit price", "currency")], [("desk", "€90"), ("lamp", "€20")])
    assert isinstance(answer("What did we pay for the desks and the lamps together?", desks), str)
