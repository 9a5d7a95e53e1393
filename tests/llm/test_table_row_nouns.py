"""What is asked for by a noun that nothing in the table has, and words of what rows cost, owe or come with."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.table import table_of
from tests.llm.table_answers import answer, understood

LETS = table_of(
    "lettings",
    [
        ("Address", ""),
        ("Type", ""),
        ("Beds", "number"),
        ("Rent (£)", "number"),
        ("Deposit (£)", "number"),
        ("Furn.", ""),
        ("Landlord", ""),
        ("Avail. from", "date"),
    ],
    [
        ["14 Tanner Street", "cottage", "2", "875", "1900", "yes", "Ann Holt", "2024-06-01"],
        ["Flat 3 Quay House", "flat", "1", "795", "915", "no", "Ben Carr", "2024-05-13"],
        ["8 Larch Close", "bungalow", "3", "1150", "1325", "part", "Cy Dale", "2024-07-01"],
        ["2 Mill Yard", "flat", "2", "600", "700", "yes", "Ben Carr", "2024-08-01"],
    ],
)
RUNS = table_of(
    "courier",
    [("Job", ""), ("Sender", ""), ("Town", ""), ("Kg", "number"), ("Status", ""), ("Fee 2024", "number"), ("Paid", "")],
    [
        ["K1", "Halden Optics", "Corran", "2", "delivered", "14", "yes"],
        ["K2", "Norbrook Motors", "Elsby", "22", "delivered", "30", "no"],
        ["K3", "Pagewell Books", "Corran", "24", "lost", "50", "no"],
        ["K4", "Halden Optics", "Elsby", "3", "delivered", "12", "yes"],
        ["K5", "Norbrook Motors", "Corran", "9", "delivered", "20", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What's the priciest place on our books?", {"8 larch close"}),
        ("Which house has 3 beds?", {"8 larch close"}),
        ("Which place is available soonest?", {"flat 3 quay house"}),
        ("When could somebody move into 8 Larch Close?", {"2024-07-01"}),
        ("Who owns 14 Tanner Street?", {"ann holt"}),
    ],
)
def test_a_noun_for_the_rows_asks_for_what_they_are_called_by(question: str, given: set[str]) -> None:
    assert answer(question, LETS) == given


def test_a_noun_that_is_no_name_of_the_rows_does_not_ask_for_them() -> None:
    for question in ("Which houses are available?", "Which colour is the cheapest?", "Which tenant has 3 beds?"):
        assert isinstance(answer(question, LETS), str)
    for question in ("Which van is in Corran?", "Which brands are over 20 kilos?"):
        assert isinstance(answer(question, RUNS), str)


def test_a_noun_for_the_rows_has_a_note() -> None:
    found = understood("Which parcels over 20 kilos were not sent by Norbrook Motors?", RUNS)
    assert not isinstance(found, str) and found.best.gives == {"k3"}


def test_who_sends_is_a_sender_whatever_noun_asks_for_it() -> None:
    assert answer("Which customer sends the things that were lost?", RUNS) == {"pagewell books"}


def test_the_dearest_flat_is_that_of_the_highest_rent_and_not_of_the_highest_deposit() -> None:
    assert answer("What does a flat go for on average?", LETS) == {697.5}


def test_whether_all_things_are_so_is_said_of_the_rows() -> None:
    assert answer("Did all of the parcels from Halden Optics arrive?", RUNS) == {"yes"}
    assert answer("Did all of the parcels from Pagewell Books arrive?", RUNS) != {"yes"}


def test_what_comes_with_something_has_it() -> None:
    assert answer("Does 14 Tanner Street come furnished?", LETS) == {"yes"}
    assert isinstance(answer("Which flats are furnished?", LETS), str)


def test_what_is_owed_is_no_other_condition() -> None:
    assert answer("Which senders still owe us their fee for 2024?", RUNS) == {"norbrook motors", "pagewell books"}
    assert "'Paid' is not said of all" in str(answer("Which senders paid more than 15?", RUNS))


def test_money_of_several_rows_is_added() -> None:
    assert answer("How much money should come in from the people who haven't paid yet?", RUNS) == {80}


def test_whose_thing_is_bigger_goes_by_its_size() -> None:
    plots = table_of(
        "plots",
        [("Plot", ""), ("Tenant", ""), ("Size m2", "number"), ("Fee", "number")],
        [["A1", "Ann Holt", "250", "10"], ["A2", "Ben Carr", "100", "20"], ["A3", "Cy Dale", "90", "30"]],
    )
    assert answer("Whose ground is bigger, Ann Holt's or Ben Carr's?", plots) == {"ann holt"}
    assert isinstance(answer("Whose score is bigger, Ann Holt's or Ben Carr's?", plots), str)


def test_what_is_on_our_books_is_in_the_table() -> None:
    assert direct("What's the cheapest flat on our books?") == "What's the cheapest flat ?"
    assert direct("Which notes are in my books by Ann?") == "Which notes are in my books by Ann?"


def test_a_day_is_asked_for_by_find_me_too() -> None:
    dated = table_of(
        "visits", [("Guest", ""), ("Date", "date")], [["Ann Holt", "2024-03-01"], ["Ben Carr", "2024-04-02"]]
    )
    assert answer("Can you find me the day Ann Holt came?", dated) == {"2024-03-01"}
