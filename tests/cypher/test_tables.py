"""Programs over tables, against a real Neo4j: rows, kinds of columns, order, and the functions of rows."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe

RACES = """\
Pos.,Rider,Team,Time,Points,Prize,Date
1st,Ann Ode,Ajax,1:02:03,25,"$1,200",March 3 2004
2nd,Bo Lund,Blitz,1:02:40,20,$900,March 10 2004
2nd,Cy Dahl,Ajax,1:02:40,20,$900,April 7 2004
4th,Di Moss,Blitz,–,13,$50,May 1 2005
5th,Ed Falk,Ajax,DNF,-5,,June 3 2005
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("tables") / "races.csv"
    path.write_text(RACES, encoding="utf-8")
    store = Store(shared_db)
    store.load_table(path)
    return store


def answers(store: Store, program: str, **options: float) -> list[object]:
    return list(store.query(program, ["races"], **options).answer)


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("get_information(relation='Rider')", ["Ann Ode", "Bo Lund", "Cy Dahl", "Di Moss", "Ed Falk"]),
        ("get_information(relation='Team')", ["Ajax", "Blitz"]),
        ("get_information(relation='Team', tail_entity='Blitz')", ["[line_2]", "[line_4]"]),
        ("get_information(relation='Points', head_entity='Cy Dahl')", ["20"]),
        ("get_information(relation='Points', head_entity='[line_4]')", ["13"]),
        ("get_information(relation='Rider', key='Team', value='Blitz')", ["Bo Lund", "Di Moss"]),
        ("get_information(relation='Rider', key='Time', value<'1:02:30')", ["Ann Ode"]),
        ("get_information(relation='Rider', key='Prize', value>='900')", ["Ann Ode", "Bo Lund", "Cy Dahl"]),
        ("get_information(relation='Rider', key='Date', value='2005')", ["Di Moss", "Ed Falk"]),
        ("get_information(relation='Rider', key='Date', value<'10 March 2004')", ["Ann Ode"]),
        ("get_information(relation='Rider', key='Pos.', value='2')", ["Bo Lund", "Cy Dahl"]),
        ("get_information(relation='Rider', key='Points', value<'0')", ["Ed Falk"]),
        ("get_information(relation='Rider', key='Prize', value='')", ["Ed Falk"]),
        ("get_information(relation='Rider', key='Team', value>='most')", ["Ann Ode", "Cy Dahl", "Ed Falk"]),
        ("get_information(relation='Rider', key='Points', value>='highest')", ["Ann Ode"]),
        ("sum(set=get_information(relation='Points'))", [73]),
        (
            "mean(set=get_information(relation='Points', "
            "head_entity=get_information(relation='Team', tail_entity='Blitz')))",
            [16.5],
        ),
        ("count(set=get_information(relation='Points'))", [4]),
        ("max(set=get_information(relation='Prize'))", ["$1,200"]),
        ("min(set=get_information(relation='Time'))", ["1:02:03"]),
        ("mode(set=get_information(relation='Team'))", ["Ajax"]),
        ("first(set=get_information(relation='Rider'))", ["Ann Ode"]),
        ("last(set=get_information(relation='Rider'))", ["Ed Falk"]),
        ("last(set=get_information(relation='Team', tail_entity='Ajax'))", ["[line_5]"]),
        ("argmin(set=get_information(relation='Points'))", ["[line_5]"]),
        ("argmax(set=get_information(relation='Team', tail_entity='Blitz'), relation='Points')", ["[line_2]"]),
        ("previous_row(set=get_information(relation='Rider', tail_entity='Bo Lund'))", ["[line_1]"]),
        ("next_row(set=get_information(relation='row_number', head_entity='[line_2]'))", [3]),
        ("extract_year(set=get_information(relation='Date'))", [2004, 2005]),
        ("difference(get_information(relation='Points', head_entity='Ed Falk'), 13)", [18]),
        ("divide(sum(set=get_information(relation='Points')), 0)", []),
        ("subtract(get_information(relation='Points'), 1)", []),
        ("{Rider} Query1: \"get_information(relation='Pos.', tail_entity='2nd')\"", ["Bo Lund", "Cy Dahl"]),
        ("{Rider} Query1: \"count(set=get_information(relation='Pos.', tail_entity='2nd'))\"", [2]),
    ],
)
def test_a_program_over_a_table_means_what_its_page_says(store: Store, program: str, answer: list[object]) -> None:
    assert answers(store, program) == answer


def test_whose_number_is_the_greater_is_named(store: Store) -> None:
    points = "get_information(relation='Points', head_entity=get_information(relation='Rider', tail_entity='{}'))"
    assert answers(store, f"compare({points.format('Di Moss')}, {points.format('Ann Ode')})") == ["Ann Ode"]
    assert answers(store, f"compare({points.format('Bo Lund')}, {points.format('Cy Dahl')})") == ["Bo Lund", "Cy Dahl"]
    teams = "count(set=get_information(relation='Team', tail_entity='{}'))"
    assert answers(store, f"compare({teams.format('Ajax')}, {teams.format('Blitz')}, operator='less')") == ["Blitz"]


def test_a_choice_may_be_between_words(store: Store) -> None:
    program = "count(set=get_information(relation='Team', tail_entity='Ajax'))\nif(output_of_query1 > 2, 'yes', 'no')"
    assert answers(store, program) == ["yes"]


@pytest.mark.parametrize(("other", "answer"), [("'20.0'", "yes"), ("'21'", "no")])
def test_equality_is_by_number(store: Store, other: str, answer: str) -> None:
    assert answers(store, f"equals(get_information(relation='Points', head_entity='Bo Lund'), {other})") == [answer]


def warnings(store: Store, program: str) -> tuple[str, ...]:
    answer = store.query(program, ["races"])
    return (*answer.warnings, *answer.details)


TIMES = "2 values of 'Time' that are not numbers (such as 'DNF', '–') were left out."
TEAMS = "the values of 'Team' are not numbers (such as 'Ajax', 'Blitz'): all of them were left out."


@pytest.mark.parametrize(
    ("program", "note"),
    [
        ("max(set=get_information(relation='Time'))", f"Query 1: {TIMES}"),
        ("sort(set=get_information(relation='Time'))", f"Query 1: {TIMES}"),
        ("get_information(relation='Rider', key='Time', value<'1:02:30')", f"Query 1: {TIMES}"),
        ("get_information(relation='Time', tail_entity>='max')", f"Query 1: {TIMES}"),
        ("count(get_information(relation='Time', tail_entity>'0'))", f"Query 1: {TIMES}"),
        ("sum(get_information(relation='Team'))", f"Query 1: {TEAMS}"),
        (
            "sum(get_information(relation='Prize'))",
            "Query 1: a value of 'Prize' that is not a number (an empty cell) was left out.",
        ),
    ],
)
def test_what_is_not_a_number_is_left_out_and_named(store: Store, program: str, note: str) -> None:
    found = [warning.replace("'–', 'DNF'", "'DNF', '–'") for warning in warnings(store, program)]
    assert found == [note]


@pytest.mark.parametrize("comparison", [">'5'", "<='5'", ">='max'", ">max(get_information(relation='Points'))"])
def test_a_comparison_with_a_column_of_texts_says_so(store: Store, comparison: str) -> None:
    answer = store.query(f"count(get_information(relation='Team', tail_entity{comparison}))", ["races"])
    assert answer.answer == (0,)
    assert any("the values of 'Team' are not numbers (such as 'Blitz', 'Ajax')" in note for note in answer.warnings)


@pytest.mark.parametrize(
    ("program", "notes"),
    [
        ("count(get_information(relation='Rider'))", []),
        (
            "count(get_information(relation='Team'))",
            ["Query 1: 2 different values were counted; together they stand 5 times."],
        ),
        (
            "count(get_information(relation='Prize', head_entity=get_information(relation='Pos.', tail_entity>='4')))",
            ["Query 1: An empty cell was counted as a value."],
        ),
        ("count(get_information(relation='Team', tail_entity='Ajax'))", []),
        ("mean(get_information(relation='Points'))", []),
        ("get_information(relation='Points', tail_entity>'13')", []),
        (
            "subtract(get_information(relation='Points'), 1)",
            ["Query 1: the first value has several numbers, where one is needed."],
        ),
        (
            "subtract(1, get_information(relation='Team', head_entity='Bo Lund'))",
            ["Query 1: the second value has no number, so that there is nothing to compute with."],
        ),
        ("divide(1, 0)", ["Query 1: the two numbers have no result, as in a division by 0."]),
    ],
)
def test_what_is_counted_or_computed_has_a_note_where_it_is_odd(store: Store, program: str, notes: list[str]) -> None:
    assert list(warnings(store, program)) == notes


POINTS = "get_information(relation='Points')"


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        (f"sort({POINTS})", ["-5", "13", "20", "25"]),
        (f"first(sort({POINTS}))", ["-5"]),
        (f"last(sort({POINTS}))", ["25"]),
        (f"first(sort({POINTS}, order='descending'))", ["25"]),
        (f"sort({POINTS}, ascending=False)", ["25", "20", "13", "-5"]),
        (f"first(keep(sort({POINTS}, reverse=True), value<'20'))", ["13"]),
        ("first(sort(get_information(relation='Rider'), order='desc'))", ["Ed Falk"]),
        ("sort(get_information(relation='Team'), order='desc')", ["Blitz", "Ajax"]),
        (
            "sort(get_information(relation='Team', tail_entity='Ajax'), order='desc')",
            ["[line_5]", "[line_3]", "[line_1]"],
        ),
        ("{Rider} sort(get_information(relation='Team', tail_entity='Blitz'), order='desc')", ["Di Moss", "Bo Lund"]),
        ("first(sort(get_information(relation='Date'), order='descending'))", ["June 3 2005"]),
        ("sort(abs(get_information(relation='Points')), order='descending')", [25, 20, 13, 5]),
        ("to_number(get_information(relation='Prize'))", [50, 900, 1200]),
        ("int(divide(7, -2))", [-3]),
        ("is_greater_than(max(get_information(relation='Points')), 24)", ["yes"]),
        ("less_than(max(get_information(relation='Points')), 24)", ["no"]),
        (
            "set_max(set1=get_information(relation='Points', head_entity='Bo Lund'), "
            "set2=get_information(relation='Points', head_entity='Ed Falk'))",
            ["20"],
        ),
    ],
)
def test_a_function_means_what_its_name_says(store: Store, program: str, answer: list[object]) -> None:
    assert answers(store, program) == answer


def test_an_order_that_would_be_lost_is_an_error_before_first_and_a_note_on_the_answer(store: Store) -> None:
    rows = "sort(get_information(relation='Team', tail_entity='Ajax'), order='desc')"
    names = f"get_information(relation='Rider', head_entity={rows})"
    with pytest.raises(ProgramError, match="the order of sort is lost before first"):
        answers(store, f"first({names})")
    answer = store.query(names, ["races"])
    assert answer.answer == ("Ann Ode", "Cy Dahl", "Ed Falk")
    assert any("order of sort, or of items, is lost" in note for note in answer.details)


def test_a_name_that_is_nearly_right_is_taken_with_a_warning(store: Store) -> None:
    program = "get_information(relation='Point', head_entity=get_information(relation='Rider', tail_entity='Bo Lundd'))"
    with pytest.raises(ProgramError, match="no relation is named 'Point'"):
        answers(store, program, exact=True)
    answer = store.query(program, ["races"])
    assert answer.answer == ("20",)
    assert [m.how for m in answer.mappings] == ["exact", "nearest", "nearest"]
    assert any("'Bo Lund'" in warning for warning in answer.warnings)


def test_the_nearest_may_be_too_far(store: Store) -> None:
    with pytest.raises(ProgramError, match="no relation is named"):
        answers(store, "get_information(relation='Xyzzy')", threshold=0.5)
