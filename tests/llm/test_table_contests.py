"""Questions about who won, who came second, who beat whom, and about prices, over tables in memory."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import Understanding
from tests.llm.table_answers import answer, understood

REGATTA = table_of(
    "regattas",
    [("Regatta", ""), ("Date", "date"), ("Loc.", ""), ("Pos.", "number"), ("Rower", ""), ("Time", "duration")],
    [
        ("Elm Lake Sprint", "2022-05-01", "Elmside", "1", "Nora Falk", "0:06:41"),
        ("Elm Lake Sprint", "2022-05-01", "Elmside", "2", "Tess Moore", "0:06:50"),
        ("Elm Lake Sprint", "2023-05-07", "Elmside", "1", "Tess Moore", "0:06:39"),
        ("Elm Lake Sprint", "2023-05-07", "Elmside", "2", "Nora Falk", "0:06:45"),
        ("Elm Lake Sprint", "2023-05-07", "Elmside", "DNF", "Ida Brandt", ""),
        ("Long Canal Row", "2023-09-10", "Port Ostby", "1", "Ida Brandt", "1:12:08"),
        ("Long Canal Row", "2023-09-10", "Port Ostby", "2", "Vera Lind", "1:13:30"),
        ("Long Canal Row", "2023-09-10", "Port Ostby", "3", "Nora Falk", "1:15:02"),
    ],
)
MEDALS = table_of(
    "medals",
    [("Rank", "number"), ("Nation", ""), ("Gold", "number"), ("Silver", "number")],
    [("1", "Norland", "9", "2"), ("2", "Sudland", "5", "7"), ("3", "Ostland", "4", "1")],
)
CLUBS = table_of(
    "clubs",
    [
        ("club_name", ""),
        ("city", ""),
        ("level", ""),
        ("members_2023", "number"),
        ("fee_eur", "number"),
        ("closed_on", ""),
    ],
    [
        ("Oak Tennis Club", "Brenn", "senior", "120", "15.00", "Monday"),
        ("Brenn Chess Hall", "Brenn", "junior", "45", "0.00", "Sunday"),
        ("Port Swim Club", "Halv", "senior", "210", "20.00", ""),
        ("Halv Rowing Club", "Halv", "junior", "80", "9.50", "Monday"),
    ],
)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("who won the long canal row?", {"ida brandt"}),
        ("Who was the runner-up in the Long Canal Row?", {"vera lind"}),
        ("Who finished third in the Long Canal Row?", {"nora falk"}),
        ("who came secnd in the Long Canal Row?", {"vera lind"}),
        ("Which regatta did Ida Brandt win?", {"long canal row"}),
        ("How often did Nora Falk come second?", {1.0}),
        ("What was the winning time in the Long Canal Row?", {"1:12:08"}),
    ],
)
def test_places_are_cells_of_the_column_that_ranks(question: str, given: set[str | float]) -> None:
    assert answer(question, REGATTA) == given


def test_who_asks_for_the_column_with_people() -> None:
    assert answer("who won in Port Ostby?", REGATTA) == {"ida brandt"}


@pytest.mark.parametrize("question", ["Who won nothing?", "who won the lottery?", "Which rowers never won a regatta?"])
def test_what_else_was_won_is_not_a_place(question: str) -> None:
    assert isinstance(answer(question, REGATTA), str)


def test_who_won_medals_need_not_be_the_first() -> None:
    assert answer("which nation won the least gold?", MEDALS) == {"ostland"}
    assert answer("How many gold medals did Sudland win?", MEDALS) == {5.0}


def test_who_gave_up_is_not_counted_among_those_who_finished() -> None:
    assert isinstance(answer("How many rowers finished the Elm Lake Sprint in 2023?", REGATTA), str)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("did nora falk ever win the long canal row?", {"no"}),
        ("Has Tess Moore ever won the Elm Lake Sprint?", {"yes"}),
        ("Did Tess Moore beat Nora Falk at the 2023 Elm Lake Sprint?", {"yes"}),
        ("did tess moore beat nora falk at the 2022 elm lake sprint?", {"no"}),
        ("Was Nora Falk beaten by Vera Lind in the Long Canal Row?", {"yes"}),
        ("Did Vera Lind lose to Ida Brandt?", {"yes"}),
    ],
)
def test_yes_or_no_goes_by_places(question: str, given: set[str]) -> None:
    assert answer(question, REGATTA) == given


@pytest.mark.parametrize(
    "question",
    [
        "Did Tess Moore beat Nora Falk?",  # once of two times
        "Did Ida Brandt beat Nora Falk in the Elm Lake Sprint in 2023?",  # she gave up
    ],
)
def test_who_was_better_is_refused_without_one_place_of_each(question: str) -> None:
    assert isinstance(answer(question, REGATTA), str)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("What is the fastest time in the Elm Lake Sprint?", {"0:06:39"}),
        ("I am looking for the slowest time in the Elm Lake Sprint", {"0:06:50"}),
        ("Who has the second fastest time in the Elm Lake Sprint?", {"nora falk"}),
    ],
)
def test_the_fastest_has_the_least_time(question: str, given: set[str]) -> None:
    assert answer(question, REGATTA) == given


def test_after_a_year_does_not_mean_the_next_row() -> None:
    found = understood("Which regattas in Elmside took place after 2022?", REGATTA)
    assert isinstance(found, Understanding)
    assert "next_row" not in Writer(REGATTA).program(found.best.reading)


def test_a_word_that_is_a_cell_is_a_condition() -> None:
    assert answer("Which junior clubs cost more than 5 euros?", CLUBS) == {"halv rowing club"}


def test_a_denied_value_does_not_ask_for_empty_cells() -> None:
    assert answer("Which club in Brenn is not closed on Monday?", CLUBS) == {"brenn chess hall"}


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Which club can you visit for free?", {"brenn chess hall"}),
        ("how much does it cost to get into the oak tennis club?", {15.0}),
        ("Which culbs cost more than 10 euros?", {"oak tennis club", "port swim club"}),
    ],
)
def test_prices_are_asked_for_in_other_words(question: str, given: set[str | float]) -> None:
    assert answer(question, CLUBS) == given


def test_the_larger_of_two_goes_by_the_only_number() -> None:
    table = table_of("clubs", [("Club", ""), ("Members", "number")], [("Oak", "120"), ("Elm", "45"), ("Ash", "7")])
    assert answer("Which is bigger, Elm or Oak?", table) == {"oak"}
    assert isinstance(answer("Which is cheaper, Elm or Oak?", table), str)


def test_the_older_of_two_is_the_one_of_more_years() -> None:
    table = table_of("staff", [("Name", ""), ("Age", "number")], [("Ann Bell", "31"), ("Ben Cole", "47")])
    assert answer("Who is older, Ann Bell or Ben Cole?", table) == {"ben cole"}


@pytest.mark.parametrize(
    ("question", "table"),
    [
        (
            "Which games were won away from home?",
            table_of(
                "games",
                [("Opponent", ""), ("Venue", ""), ("Result", "")],
                [
                    ("Rovers", "Home", "Won"),
                    ("City", "Away", "Won"),
                    ("Town", "Away", "Lost"),
                    ("Rangers", "Home", "Lost"),
                ],
            ),
        )
    ],
)
def test_two_values_of_a_column_that_nothing_joins_are_refused(question: str, table: Table) -> None:
    assert isinstance(answer(question, table), str)


def test_whose_behind_a_noun_does_not_ask_for_a_person() -> None:
    assert answer("the average members of the clubs whose level is senior", CLUBS) == {165.0}


def test_a_column_without_words_has_no_other_words() -> None:
    table = table_of(
        "list", [("#", ""), ("Song", ""), ("Singer", "")], [("1", "Low Tide", "Mia Poe"), ("2", "Ash", "Kit Ray")]
    )
    assert answer("Who is the singer of Low Tide?", table) == {"mia poe"}


@pytest.mark.parametrize(
    "question", ["Please give me the number of clubs per city.", "how many clubs are in each city?"]
)
def test_rows_are_counted_for_each_value_of_a_column(question: str) -> None:
    assert answer(question, CLUBS) == {"brenn | 2", "halv | 2"}
