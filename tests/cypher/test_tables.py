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


def test_what_reads_as_no_number_is_passed_over_and_counted(store: Store) -> None:
    answer = store.query("max(set=get_information(relation='Time'))", ["races"])
    assert answer.answer == ("1:02:40",)
    assert any("2 values that read as no number were passed over" in warning for warning in answer.warnings)


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
