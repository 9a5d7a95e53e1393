"""Functions of places, texts, dates and paths against a real Neo4j: what each gives, and what its note says."""

from __future__ import annotations

import pytest

from cgstore.cypher.by_block import run_by_block
from cgstore.cypher.connection import Database
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

GAMES = """\
Game,Club,Result,Score,Played,Goals,Players,Fee
1,Ajax,W,75-64,2004-01-31,3,"Ann; Bo, Cy","Arena, 22,076"
2,Blitz,L,60-61,2004-02-01,1,Ann,20.5y
3,Ajax,W,80-71,2004-05-03,3,"Bo; Di",13th (q)
4,Crux,W,n/a,2005-12-24,2,,free
5,Blitz,W,70-64,2004,7,"Cy, Ed",-5 or 1.5
6,Ajax,L,55-90,2005-07,4,Ann,"1,2345"
7,Crux,W,91-90,2006-03-03,7,Ann,"3 4,000,000.25 5"
8,Crux,W,66-60,2006-03-04,5,Bo,
"""
"""Eight games; two runs of two wins and one of one, a year and a month among the dates."""

FAMILY = """\
Ann\tparent\tBo
Bo\tparent\tCy
Cy\tparent\tDi
Di\tparent\tEd
Eve\tparent\tCy
Fay\tparent\tFay
"""

KINGS = "Ann\truler of\tUlm\t1990-03-15\t1994-07-01\nBob\truler of\tUlm\t1994-07-02\t1999-12-31\n"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder, store = tmp_path_factory.mktemp("functions"), Store(shared_db)
    for name, text in (("games.csv", GAMES), ("family.tsv", FAMILY), ("kings.tsv", KINGS)):
        (folder / name).write_text(text, encoding="utf-8")
    store.load_table(folder / "games.csv")
    store.load_kg(folder / "family.tsv", header=False)
    store.load_tkg(folder / "kings.tsv", header=False)
    return store


def asked(store: Store, program: str, source: str = "games") -> Answer:
    """The answer of a program, which is the same block by block."""
    statement = store.compile(program, [source]).statement
    (whole,) = store.db.read(statement.text, statement.parameters)
    by_block = run_by_block(store.db, statement, timeout=60)
    assert by_block is not None
    assert sorted(by_block.pop("evidence")) == sorted(whole.pop("evidence", []))
    assert by_block == {"origins": [], **whole}
    return store.query(program, [source])


def column(name: str) -> str:
    return f"get_information(relation='{name}')"


PLAYED, GOALS, CLUB, FEE = (column(name) for name in ("Played", "Goals", "Club", "Fee"))
WINS = "get_information(relation='Result', tail_entity='W')"


def of(game: int, name: str) -> str:
    return f"get_information(relation='{name}', key='Game', value='{game}')"


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        (f"keep({CLUB}, contains='AJ')", ["Ajax"]),
        (f"keep({CLUB}, ends_with='x')", ["Ajax", "Crux"]),
        (f"keep({CLUB}, ends_with='x', starts_with='c')", ["Crux"]),
        (f"keep({CLUB}, contains='r', contains='u')", ["Crux"]),
        (f"keep({GOALS}, value>'3', contains='5')", ["5"]),
        (f"filter({GOALS}, value>'5')", ["7"]),
        (f"keep(sort({CLUB}, order='descending'), contains='x')", ["Crux", "Ajax"]),
        ("keep(items(get_information(relation='Players')), starts_with='a')", ["Ann"]),
        ("heads(relation='Goals')", [f"[line_{n}]" for n in range(1, 9)]),
        ("count(heads())", [8]),
        ("count(heads(source='games'))", [8]),
        (f"exists({WINS})", ["yes"]),
        (f"exists(keep({GOALS}, value>'100'))", ["no"]),
        (f"median({GOALS})", [3.5]),
        (f"median(keep({GOALS}, value<'5'))", [3]),
        ("std(get_information(relation='Goals', key='Club', value='Blitz'))", [4.24264068712]),
        ("standard_deviation(get_information(relation='Goals', key='Game', value='1'))", []),
        (f"first(sort({GOALS}, order='descending'), n='3')", ["7", "5", "4"]),
        (f"first({CLUB}, n='2')", ["Ajax", "Blitz"]),
        (f"last({CLUB}, n=2)", ["Blitz", "Crux"]),
        (f"last(sort({GOALS}), n='2')", ["5", "7"]),
        (f"first({CLUB}, n='20')", ["Ajax", "Blitz", "Crux"]),
        (f"first(first(sort({GOALS}, order='descending'), n='3'))", ["7"]),
        (f"nth({CLUB}, n='2')", ["Blitz"]),
        (f"nth({CLUB}, n='2nd')", ["Blitz"]),
        (f"nth({CLUB}, n='-1')", ["Crux"]),
        (f"nth({CLUB}, n='9')", []),
        (f"nth({CLUB}, n='-9')", []),
        (f"nth({WINS}, n='3')", ["[line_4]"]),
        (f"sort({GOALS}, order='alphabetical')", ["1", "2", "3", "4", "5", "7"]),
        (
            "sort(get_information(relation='Fee', key='Game', value<'4'), order='alphabetical')",
            ["13th (q)", "20.5y", "Arena, 22,076"],
        ),
        (f"sort({CLUB}, order='alphabetical', ascending=False)", ["Crux", "Blitz", "Ajax"]),
        ("sort(items(get_information(relation='Players')), order='descending')", ["Ed", "Di", "Cy", "Bo", "Ann"]),
        (f"longest_run({WINS})", ["[line_3]", "[line_4]", "[line_5]"]),
        (f"count(longest_run({WINS}))", [3]),
        ("longest_run(get_information(relation='Club', tail_entity='Ajax'))", ["[line_1]"]),
        ("longest_run(set_difference(heads(), heads()))", []),
        (f"extract_month({PLAYED})", [1, 2, 3, 5, 7, 12]),
        (f"extract_quarter({PLAYED})", [1, 2, 3, 4]),
        (f"extract_day({PLAYED})", [1, 3, 4, 24, 31]),
        (f"extract_weekday({of(1, 'Played')})", ["Saturday"]),
        (f"extract_weekday({PLAYED})", ["Friday", "Monday", "Saturday", "Sunday"]),
        (f"extract_number({of(1, 'Score')})", [75]),
        (f"extract_number({of(1, 'Score')}, which='2')", [64]),
        (f"extract_number({of(1, 'Score')}, which='last')", [64]),
        (f"extract_number({of(1, 'Score')}, which='3')", []),
        (f"extract_number({of(1, 'Fee')})", [22076]),
        (f"extract_number({of(2, 'Fee')})", [20.5]),
        (f"extract_number({of(3, 'Fee')})", [13]),
        (f"extract_number({of(5, 'Fee')})", [-5]),
        (f"extract_number({of(5, 'Fee')}, which='second')", [1.5]),
        (f"extract_number({of(6, 'Fee')})", [1]),
        (f"extract_number({of(6, 'Fee')}, which='last')", [2345]),
        (f"extract_number({of(7, 'Fee')}, which='2')", [4000000.25]),
        (
            "sum(extract_number(items(get_information(relation='Fee', key='Game', value='7'), separator=' ')))",
            [4000008.25],
        ),
        (f"items({of(1, 'Players')})", ["Ann", "Bo", "Cy"]),
        (f"items({of(3, 'Players')})", ["Bo", "Di"]),
        (f"items({of(1, 'Players')}, separator=';')", ["Ann", "Bo, Cy"]),
        (f"count(items({column('Players')}))", [5]),
        (f"first(items({of(3, 'Players')}))", ["Bo"]),
        (f"nth(items({of(1, 'Players')}), n='2')", ["Bo"]),
        ("percentage(count(get_information(relation='Result', tail_entity='W')), count(heads()))", [75]),
        ("percentage(1, 0)", []),
        (f"difference({of(1, 'Played')}, {of(2, 'Played')}, unit='months')", [1]),
        (f"difference({of(1, 'Played')}, {of(2, 'Played')}, unit='days')", [1]),
        (f"difference({of(4, 'Played')}, {of(6, 'Played')}, unit='months')", [5]),
        (f"difference({of(4, 'Played')}, {of(6, 'Played')}, unit='days')", []),
        (f"difference({of(1, 'Played')}, '2004-03-01', unit='days')", [30]),
        (f"difference({of(1, 'Played')}, 'March 2004', unit='months')", [2]),
        (f"difference({of(1, 'Played')}, '2006-03-01', unit='years')", [2]),
        (f"days_between({of(1, 'Played')}, {of(4, 'Played')})", [693]),
    ],
)
def test_a_function_gives_what_its_page_says(store: Store, program: str, answer: list[object]) -> None:
    assert list(asked(store, program).answer) == answer


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("reach(head_entity='Ann', relation='parent')", ["Bo", "Cy", "Di", "Ed"]),
        ("reach(head_entity='Ann', relation='parent', at_most='2')", ["Bo", "Cy"]),
        ("reach(tail_entity='Di', relation='parent')", ["Ann", "Bo", "Cy", "Eve"]),
        ("reach(head_entity='Fay', relation='parent')", ["Fay"]),
        ("reach(head_entity='Ed', relation='parent')", []),
        ("count(reach(head_entity=get_information(relation='parent', tail_entity='Cy'), relation='parent'))", [3]),
        ("heads(relation='parent')", ["Ann", "Bo", "Cy", "Di", "Eve", "Fay"]),
        ("heads()", ["Ann", "Bo", "Cy", "Di", "Eve", "Fay"]),
        ("keep(heads(), starts_with='e')", ["Eve"]),
        ("first(sort(heads(), order='z-a'), n='2')", ["Fay", "Eve"]),
    ],
)
def test_a_function_of_a_graph_gives_what_its_page_says(store: Store, program: str, answer: list[object]) -> None:
    assert list(asked(store, program, "family").answer) == answer


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("extract_month(get_information(head_entity='Ann', key='start_time'))", [3]),
        ("extract_weekday(get_information(head_entity='Ann', key='start_time'))", ["Thursday"]),
        (
            "difference(get_information(head_entity='Ann', key='start_time'), "
            "get_information(head_entity='Ann', key='end_time'), unit='days')",
            [1569],
        ),
        (
            "month_difference(get_information(head_entity='Ann', key='start_time'), "
            "get_information(head_entity='Bob', key='end_time'))",
            [117],
        ),
    ],
)
def test_times_are_dates(store: Store, program: str, answer: list[object]) -> None:
    assert list(asked(store, program, "kings").answer) == answer
