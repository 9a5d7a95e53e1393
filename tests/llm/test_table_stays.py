"""How long what a row is about lasts, by its two dates; and on which day of the week or in which month it is."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import MAX_SETS, Writer
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import Understanding
from tests.llm.table_answers import answer, understood

BERTHS = table_of(
    "berths",
    [("Yacht", ""), ("Skipper", ""), ("Moored", "date"), ("Left", "date"), ("Dues", "currency")],
    [
        ("Alba", "Ann Reed", "2025-05-02", "2025-05-05", "€60"),
        ("Corsair", "Bo Lind", "2025-05-03", "2025-05-13", "€200"),
        ("Merlin", "Cy Marsh", "2025-06-07", "2025-06-08", "€20"),
        ("Petrel", "Ann Reed", "2025-06-09", "", "€90"),
    ],
)
REHEARSALS = table_of(
    "rehearsals",
    [("Piece", ""), ("On", ""), ("Players", "number")],
    [
        ("Overture", "Mon 5 May", "12"),
        ("Nocturne", "Wed 7 May", "7"),
        ("Scherzo", "Mon 2 Jun", "9"),
        ("Finale", "Fri 6 Jun", "20"),
    ],
)
MUSEUMS = table_of("museums", [("Museum", ""), ("Open", "")], [("Toys", "Mon-Fri"), ("Trams", "Sat"), ("Maps", "Sun")])


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Which yacht stayed longest?", {"corsair"}),
        ("Which was here longer, the Alba or the Merlin?", {"alba"}),
        ("Did the Merlin stay longer than the Alba?", {"no"}),
        ("How many days longer did the Corsair stay than the Alba?", {7.0}),
        ("Which yachts stayed longer than 2 days?", {"alba", "corsair"}),
    ],
)
def test_what_lasts_longer_has_more_days_between_its_dates(question: str, given: set[object]) -> None:
    assert answer(question, BERTHS) == given


def test_days_between_dates_are_worked_out_in_the_program() -> None:
    found = understood("Which yacht stayed longest?", BERTHS)
    assert isinstance(found, Understanding)
    assert "unit='days'" in Writer(found.best.table).program(found.best.reading)


def test_no_days_are_worked_out_where_a_column_says_how_long_something_lasts() -> None:
    films = table_of(
        "films",
        [("Film", ""), ("From", "date"), ("Until", "date"), ("Minutes", "number")],
        [("Ice", "2025-01-02", "2025-01-09", "95"), ("Fog", "2025-02-01", "2025-03-01", "80")],
    )
    assert answer("Which film is the longest?", films) == {"ice"}


@pytest.mark.parametrize(
    ("question", "table", "given"),
    [
        ("Which yachts moored on a Saturday?", BERTHS, {"corsair", "merlin"}),
        ("Which pieces are on Monday?", REHEARSALS, {"overture", "scherzo"}),
        ("How many pieces are on Mondays?", REHEARSALS, {2.0}),
        ("Which pieces are on in May?", REHEARSALS, {"overture", "nocturne"}),
    ],
)
def test_days_of_the_week_and_months_are_found_however_cells_have_them(
    question: str, table: Table, given: set[object]
) -> None:
    assert answer(question, table) == given


def test_a_span_of_days_says_nothing_of_one_of_them() -> None:
    assert isinstance(answer("Which museums are open on Wednesday?", MUSEUMS), str)


def test_the_month_alone_of_a_whole_date_is_refused() -> None:
    assert "month" in str(answer("In what month did the Alba moor?", BERTHS))


def test_more_days_than_a_union_takes_are_united_in_parts() -> None:
    days = [f"2025-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 29)]
    table = table_of(
        "visits", [("Guest", ""), ("Day", "date")], [(f"Guest Number{n}", day) for n, day in enumerate(days)]
    )
    found = understood("How many visits were on Sundays?", table)
    assert isinstance(found, Understanding) and len(found.best.reading.conditions[0].values) > MAX_SETS
    assert "set21" not in Writer(table).program(found.best.reading)


def test_what_has_a_length_and_does_not_last_is_not_compared_by_days() -> None:
    assert isinstance(answer("Is the Merlin longer than the Alba?", BERTHS), str)
