"""What a question asks of a table: whose column, which noun's, how many different, and two things at once."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.joint import both_asked
from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.ranking import shipped_model
from cgstore.llm.backends.compose.table import table_of
from cgstore.llm.backends.compose.understanding import Understanding
from tests.llm.table_answers import answer

REPAIRS = table_of(
    "bike_repairs",
    [
        ("Job no.", "number"), ("Bike", ""), ("Owner", ""), ("Fault", ""), ("Mechanic", ""), ("Brought in", "date"),
        ("Collected", "date"), ("Hrs", "number"), ("Cost (£)", "number"),
    ],
    [
        ("1001", "Raleigh Pioneer", "Hugh Lister", "puncture", "Asif", "2024-02-03", "2024-02-04", "0.5", "12"),
        ("1002", "Brompton Six", "Clara Nunn", "brakes", "Joss", "2024-02-05", "2024-02-09", "1.5", "48"),
        ("1003", "Dawes Galaxy", "Piers Ottway", "gears", "Asif", "2024-02-06", "", "2", "65"),
        ("1004", "Trek Marlin", "Clara Nunn", "puncture", "Wendy", "2024-02-08", "2024-02-08", "0.5", "12"),
        ("1005", "Brompton Six", "Ravi Desai", "spokes", "", "2024-02-10", "2024-02-15", "3", "90"),
        ("1006", "Trek Marlin", "Hugh Lister", "gears", "Wendy", "2024-02-12", "", "2.5", "70"),
    ],
)  # fmt: skip
SALES = table_of(
    "herb_sales",
    [("Lot", ""), ("Herb", ""), ("Harvested by", ""), ("Kilos", "number"), ("Buyer", ""), ("Grade", "")],
    [
        ("L-01", "Borage", "Tilda Marsh", "4.5", "Green Spoon", "A"),
        ("L-02", "Lovage", "Owen Pryce", "3", "Hollis Farm Shop", "B"),
        ("L-03", "Borage", "Owen Pryce", "5", "Hollis Farm Shop", "A"),
        ("L-04", "Sorrel", "Tilda Marsh", "2", "Green Spoon", "D"),
        ("L-05", "Chervil", "Bea Kowal", "1", "Marlowe Kitchens", "D"),
        ("L-06", "Lovage", "Bea Kowal", "6", "Marlowe Kitchens", "A"),
    ],
)
FILMS = table_of(
    "film_rentals",
    [("No.", ""), ("Title", ""), ("Customer", ""), ("Genre", ""), ("Length (min)", "number"), ("Returned", "date")],
    [
        ("R-1", "The Salt Road", "Gwen Abernathy", "Drama", "128", "2024-03-04"),
        ("R-2", "Iron Orchard", "Leon Beaumont", "Comedy", "143", "2024-03-05"),
        ("R-3", "The Salt Road", "Dev Chaudhary", "Drama", "128", ""),
        ("R-4", "Iron Orchard", "Gwen Abernathy", "Comedy", "143", "2024-03-07"),
        ("R-5", "The Salt Road", "Leon Beaumont", "Drama", "128", ""),
    ],
)


def both(question: str, table: object = FILMS) -> Understanding | str | None:
    """What is understood of a question for two things."""
    return both_asked(question, [table], shipped_model())  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who paid more than 60?", {"piers ottway", "ravi desai", "hugh lister"}),
        ("By whom was the Dawes Galaxy repaired?", {"asif"}),
        ("Whose bike had a problem with the gears?", {"piers ottway", "hugh lister"}),
    ],
)
def test_who_asks_for_those_whose_part_the_verb_says(question: str, who: set[str]) -> None:
    assert answer(question, REPAIRS) == who


def test_a_preposition_tells_who_takes_from_who_gives() -> None:
    assert answer("To whom was the sorrel sold?", SALES) == {"green spoon"}
    assert answer("By whom was the sorrel harvested?", SALES) == {"tilda marsh"}
    assert isinstance(answer("From whom did we buy the sorrel?", SALES), str)


def test_who_is_nobody_in_a_column_of_grades() -> None:
    assert answer("who scored more than 4 kilos", SALES) != {"a"}


def test_a_noun_for_what_rows_are_about_asks_for_its_title_and_not_for_their_number() -> None:
    assert answer("Which films did Gwen Abernathy rent?", FILMS) == {"the salt road", "iron orchard"}
    assert answer("Which rental was returned on 2024-03-05?", FILMS) == {"r-2"}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many different herbs are there?", 4),
        ("how many different kinds of herb do we have?", 4),
        ("How many buyers took borage?", 2),
    ],
)
def test_different_cells_are_counted_where_a_column_is_named(question: str, number: float) -> None:
    assert answer(question, SALES) == {number}


def test_an_empty_cell_is_not_another_one() -> None:
    assert answer("How many different mechanics are there?", REPAIRS) == {3.0}


def test_what_is_counted_as_different_must_name_a_column() -> None:
    assert isinstance(answer("How many different tractors do we have?", SALES), str)


def test_rows_of_a_single_letter_behind_an_article_are_counted() -> None:
    assert answer("how many lots were given a d?", SALES) == {2.0}


def test_what_has_not_been_done_yet_has_no_date() -> None:
    assert answer("Who hasn't brought their film back yet?", FILMS) == {"dev chaudhary", "leon beaumont"}
    assert answer("Who hasn't collected their bike yet?", REPAIRS) == {"piers ottway", "hugh lister"}


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which film runs the longest, and what genre is it?", {"iron orchard", "comedy"}),
        (
            "Who rented Iron Orchard and when was it returned?",
            {"leon beaumont", "gwen abernathy", "2024-03-05", "2024-03-07"},
        ),
    ],
)  # fmt: skip
def test_two_columns_are_given_where_two_things_are_asked(question: str, values: set[str]) -> None:
    found = both(question)
    assert isinstance(found, Understanding)
    assert found.best.gives == values


def test_values_of_several_rows_stand_beside_each_other() -> None:
    found = both("Who rented Iron Orchard and when was it returned?")
    assert isinstance(found, Understanding)
    assert Writer(FILMS).program(found.best.reading).startswith("select(")


def test_half_an_answer_is_none() -> None:
    assert isinstance(both("Which film runs the longest, and who directed it?"), str)
    assert both("Which film runs the longest?") is None


GIGS = table_of(
    "gigs",
    [("Gig", "number"), ("Band", ""), ("Venue", ""), ("Support act", ""), ("Tickets sold", "number"),
     ("Ticket price", "number")],
    [
        ("1", "Velvet Moth", "The Anchor", "Paper Lions", "240", "12"),
        ("2", "Iron Parrots", "Dome", "Velvet Moth", "410", "18"),
        ("3", "Iron Parrots", "The Anchor", "Dusty Keys", "90", "25"),
    ],
)  # fmt: skip


def test_where_somebody_or_something_went_is_whoever_took_it() -> None:
    assert answer("To whom did the sorrel go?", SALES) == {"green spoon"}


def test_what_was_done_by_somebody_else_is_no_answer_to_by_whom() -> None:
    assert isinstance(answer("By whom was the sorrel dried?", SALES), str)
    assert isinstance(answer("By whom was the Dawes Galaxy painted?", REPAIRS), str)


def test_people_are_counted_where_the_verb_or_the_rows_say_who_they_are() -> None:
    assert answer("how many different people harvested something?", SALES) == {3.0}


def test_whoever_stands_in_two_parts_is_not_taken_for_one_of_them() -> None:
    assert isinstance(answer("Where did Velvet Moth play?", GIGS), str)


def test_the_cheapest_is_not_the_least_of_anything_but_money() -> None:
    assert answer("What was the cheapest ticket?", GIGS) != {90.0}


def test_a_group_may_be_who_did_it() -> None:
    assert answer("Who played at the Dome?", GIGS) == {"iron parrots"}


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What are the fault and the cost of the Dawes Galaxy?", {"gears", 65.0}),
        ("Name the owner, the mechanic and the fault of job 1004", {"clara nunn", "wendy", "puncture"}),
    ],
)
def test_columns_that_are_named_in_one_breath_are_all_given(question: str, values: set[str | float]) -> None:
    assert answer(question, REPAIRS) == values


@pytest.mark.parametrize("both", ["the fault and the colour", "the colour and the fault"])
def test_a_column_with_something_that_is_none_is_not_given(both: str) -> None:
    assert isinstance(answer(f"What are {both} of the Dawes Galaxy?", REPAIRS), str)


def test_what_has_not_been_given_to_a_row_is_an_empty_cell() -> None:
    assert answer("Which job hasn't been given a mechanic yet?", REPAIRS) == {1005.0}


def test_the_order_of_rows_is_not_that_in_which_they_came_in() -> None:
    assert isinstance(answer("which herb came in last of all", SALES), str)
