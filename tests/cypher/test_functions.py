"""Functions of places, texts, dates and paths against a real Neo4j: what each gives, and what its note says."""

from __future__ import annotations

import re

import pytest

from cgstore.cypher.connection import Database
from cgstore.model import Answer
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe

GAMES = """\
Game,Club,Result,Score,Played,Goals,Players,Fee
1,Ajax,W,75-64,2004-01-31,3,"Ann; Bo, Cy","Arena, 22,076"
2,Blitz,L,60-61,2004-02-01,1,Ann,20.5y
3,Ajax,W,80-71,2004-05-03,3.0,"Bo; Di",13th (q)
4,Crux,W,n/a,2005-12-24,2,,free
5,Blitz,W,70-64,2004,7,"Cy, Ed",-5 or 1.5
6,Ajax,L,55-90,2005-07,4,Ann,"1,2345"
7,Crux,W,91-90,2006-03-03,7,Ann,"3 4,000,000.25 5"
8,Crux,W,66-60,2006-03-04,5,Bo,
"""
"""Eight games; two runs of two wins and one of one, a year and a month among the dates."""

YEAR_MONTHS = ["2004-01", "2004-02", "2004-05", "2005-07", "2005-12", "2006-03"]
"""The months of these dates; the year has none."""

PRICES = "item;price;way\nA;12,5;7,5 km\nB;1.250,75;1.200 km\nC;7,25;3,25 km\nD;1.250;0,5 km\n"
"""Two columns whose numbers have decimal commas."""

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
    for name, text in (("games.csv", GAMES), ("prices.csv", PRICES), ("family.tsv", FAMILY), ("kings.tsv", KINGS)):
        (folder / name).write_text(text, encoding="utf-8")
    store.load_table(folder / "games.csv")
    store.load_table(folder / "prices.csv")
    store.load_kg(folder / "family.tsv", header=False)
    store.load_tkg(folder / "kings.tsv", header=False)
    return store


def asked(store: Store, program: str, source: str = "games") -> Answer:
    return store.query(program, [source])


def test_a_number_inside_a_value_has_the_decimals_of_its_relation(store: Store) -> None:
    assert asked(store, "extract_number(get_information(relation='price'))", "prices").answer == (
        7.25,
        12.5,
        1250,
        1250.75,
    )
    assert asked(store, "sum(extract_number(get_information(relation='way')))", "prices").answer == (1211.25,)
    assert asked(store, "group(by=extract_number('way', which='last'))", "prices").answer == (0.5, 3.25, 7.5, 1200)
    words = "items(get_information(relation='way', key='item', value='A'))"
    assert asked(store, f"extract_number({words}, which='last')", "prices").answer == (5,)


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
        (f"sort({GOALS}, order='alphabetical')", ["1", "2", "3", "3.0", "4", "5", "7"]),
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
        (f"extract_year_month({PLAYED})", YEAR_MONTHS),
        (f"count(extract_year_month({PLAYED}))", [len(YEAR_MONTHS)]),
        (f"keep(extract_year_month({PLAYED}), starts_with='2006')", ["2006-03"]),
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
        (f"fold({CLUB})", ["ajax", "blitz", "crux"]),
        (f"count(fold(items({column('Players')})))", [5]),
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
        ("extract_year_month(get_information(head_entity='Ann', key='start_time'))", ["1990-03"]),
        (
            "group(by=extract_year_month(get_information(head_entity=each, key='start_time')), set=heads())",
            ["1990-03", "1994-07"],
        ),
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


@pytest.mark.parametrize(
    ("program", "note"),
    [
        (
            f"extract_month({PLAYED})",
            "Query 1: a value of 'Played' that has no month ('2004') was left out.",
        ),
        (
            f"extract_year_month({PLAYED})",
            "Query 1: a value of 'Played' that has no month ('2004') was left out.",
        ),
        (
            f"extract_day({PLAYED})",
            "Query 1: 2 values of 'Played' that have no day (such as '2004', '2005-07') were left out.",
        ),
        (f"extract_month({GOALS})", "Query 1: the values of 'Goals' have no month"),
        (f"extract_number({FEE})", "Query 1: 2 values of 'Fee' that have no number (such as "),
        (f"first(sort({column('Result')}, order='alphabetical'))", None),
        (f"first(sort({GOALS}), n='2')", None),
        (
            "first(sort(get_information(relation='Goals', key='Game', value<'4'), order='descending'))",
            "Query 1: an element with the same number was left out.",
        ),
        (
            "longest_run(get_information(relation='Club', tail_entity='Ajax'))",
            "Query 1: 2 other runs are as long; the first was taken.",
        ),
        (
            f"difference({of(1, 'Played')}, {of(5, 'Played')}, unit='days')",
            "Query 1: the values of 'Played' have no day (such as '2004')",
        ),
        (f"median({CLUB})", "Query 1: the values of 'Club' are not numbers"),
        (f"keep({CLUB}, contains='a')", None),
        (f"sort({GOALS}, order='alphabetical')", None),
    ],
)
def test_what_is_left_out_has_a_note(store: Store, program: str, note: str | None) -> None:
    warnings = [warning for warning in asked(store, program).warnings if warning.startswith("Query")]
    if note is None:
        assert warnings == []
    else:
        assert warnings[0].startswith(note)


def test_no_rows_have_no_run_and_no_note_on_runs(store: Store) -> None:
    answer = asked(store, "longest_run(set_difference(heads(), heads()))")
    assert answer.answer == ()
    assert not any("as long" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("program", "is_tied"),
    [
        (f"first(sort({GOALS}), n='3')", True),
        (f"first(sort({GOALS}), n='4')", False),
        (f"last(sort({GOALS}), n='4')", True),
        (f"last(sort({GOALS}))", False),
        (f"nth(sort({GOALS}), n='1')", False),
        (f"nth(sort({GOALS}), n='3')", True),
        (f"nth(sort({GOALS}), n='4')", True),
        (f"nth(sort({GOALS}), n='5')", False),
        (f"nth(sort({GOALS}), n='-4')", True),
        (f"nth(sort({GOALS}), n='-1')", False),
        (f"nth({GOALS}, n='3')", False),
    ],
)
def test_a_tie_at_the_place_where_an_order_is_cut_has_a_note(store: Store, program: str, is_tied: bool) -> None:
    warnings = asked(store, program).warnings
    assert ("Query 1: an element with the same number was left out." in warnings) == is_tied


@pytest.mark.parametrize(
    ("program", "details"),
    [
        ("reach(head_entity='Ann', relation='parent')", ()),
        (
            "reach(head_entity='Ann', relation='parent', at_most='2')",
            ("Query 1: one more step would reach 1 more; at_most, up to 10, bounds the steps.",),
        ),
        ("reach(head_entity='Fay', relation='parent', at_most='1')", ()),
    ],
)
def test_a_path_says_if_it_goes_on(store: Store, program: str, details: tuple[str, ...]) -> None:
    assert asked(store, program, "family").details == details


CAFES = """\
Place,City,Kind
1,Évora,café
2,evora,Cafe
3,Evora ,bar
4,Łódź,Bar
5,Porto,pub
"""
EVORA = "'Evora', 'evora' and 'Évora'"
DIFFER = "they differ only in case, accents or blanks at their ends."


@pytest.fixture(scope="module")
def cafes(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Store:
    path = tmp_path_factory.mktemp("cafes") / "cafes.csv"
    path.write_text(CAFES, encoding="utf-8")
    store.load_table(path)
    return store


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        (f"keep({column('City')}, contains='VOR')", ["Évora", "evora", "Evora"]),
        (f"keep({column('City')}, starts_with='é')", ["Évora", "evora", "Evora"]),
        (f"keep({column('City')}, ends_with='dz')", ["Łódź"]),
        (f"keep({column('City')}, contains='lodz')", []),
        (f"fold({column('City')})", ["evora", "porto", "łodz"]),
        ("group(by=fold('City'))", ["evora", "porto", "łodz"]),
        ("group(by=fold('Kind'), of=fold('City'), function='count')", ["bar", "cafe", "pub"]),
    ],
)
def test_case_and_accents_do_not_count(cafes: Store, program: str, answer: list[object]) -> None:
    assert list(asked(cafes, program, "cafes").answer) == answer


@pytest.mark.parametrize(
    ("program", "warnings"),
    [
        ("group(by='City')", (f"{EVORA} are different groups: {DIFFER} by=fold('City') makes them one.",)),
        (
            f"count({column('Kind')})",
            (f"'Bar' and 'bar'; 'Cafe' and 'café' are different values: {DIFFER} fold(set=...) makes them one.",),
        ),
        (f"mode({column('City')})", (f"{EVORA} are different values: {DIFFER} fold(set=...) makes them one.",)),
        ("group(by=fold('City'))", ()),
        (f"count({column('Place')})", ()),
    ],
)
def test_a_note_names_groups_and_values_that_differ_in_case_or_accents(
    cafes: Store, program: str, warnings: tuple[str, ...]
) -> None:
    assert asked(cafes, program, "cafes").warnings == tuple(f"Query 1: {warning}" for warning in warnings)


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("keep('Ajax')", "keep needs value=... or contains=..."),
        (f"keep({CLUB}, contains='')", "contains takes a text, written out"),
        (
            f"keep({CLUB}, contains=get_information(relation='Goals'))",
            "contains takes a text, written out, not an",
        ),
        (f"keep({WINS}, contains='a')", "rows have no text that keep could look at"),
        (f"keep(items({CLUB}), value='Ajax')", "keep compares words by contains"),
        (f"keep({CLUB}, contains>'a')", "'>' cannot be used with 'contains'"),
        (f"first({CLUB}, n='0')", "n takes a whole number that is not 0"),
        (f"first({CLUB}, n='-1')", "first takes at least one element"),
        (f"nth({CLUB})", "nth needs n=..."),
        (f"nth({CLUB}, n='many')", "n takes a whole number"),
        (f"extract_number({CLUB}, which='most')", "which takes a whole number"),
        (f"extract_number({WINS})", "extract_number's set cannot be rows"),
        (f"extract_number(count({CLUB}))", "extract_number's set cannot be numbers"),
        (f"keep(extract_year_month({PLAYED}), value>'2004-03')", "keep compares words by contains"),
        (f"extract_month(count({CLUB}))", "extract_month's set cannot be numbers"),
        (f"longest_run({CLUB})", "longest_run's set cannot be names or values"),
        ("longest_run('Ajax')", "longest_run takes rows"),
        (f"mode(items({CLUB}))", "For how often each occurs, write group(by=...) with the function of a relation"),
        (
            f"mode(extract_month({PLAYED}))",
            "or group(by=extract_month('...')), and argmax of its output",
        ),
        (f"min(extract_year_month({PLAYED}))", "write first(set=sort(set=...))"),
        (f"get_information(key='Played', value=extract_year_month({PLAYED}))", "value='2007-06' for a month"),
        (f"argmax(fold({CLUB}))", "For how often each occurs, write group(by=...)"),
        ("for_each(heads(relation='Goals'), value=if(each > 5, 1, 0))", "for_each gives each element a number"),
        (
            "for_each(heads(relation='Goals'), value=if('Goals' > 5, 1, 0))",
            "keep(set=for_each(",
        ),
        ("subtract('2000-01-01', '1999-01-01')", "write year_difference, month_difference or day_difference"),
        (f"argmax(count({CLUB}))", "argmax(set=for_each(set=..., value=...))"),
        (f"items({CLUB}, separator='')", "separator takes a text"),
        (f"sort({CLUB}, order='sideways')", "'sideways' is not an order"),
        (f"sort(extract_year({PLAYED}), order='alphabetical')", "numbers have no names to sort by"),
        (f"sort({WINS}, order='alphabetical')", "rows have no names to sort by"),
        (f"difference({GOALS}, 3, unit='weeks')", "'weeks' is not a unit of a difference"),
        (f"difference({of(1, 'Played')}, '2004', unit='months')", "'2004' is not a date with a month"),
        (f"difference(count({CLUB}), '2004-01-01', unit='days')", "difference's value1 cannot be numbers"),
        (f"contains({CLUB}, 'a')", "there is no function 'contains'"),
        (f"lower({CLUB})", "Write fold(set=...)"),
        (f"fold({WINS})", "fold's set cannot be rows"),
        ("heads(relation='Goals', source='nowhere')", "nowhere"),
        ("reach(head_entity='Ajax', relation='Club')", "reach follows relations of graphs"),
    ],
)
def test_a_bad_argument_is_an_error_that_names_it(store: Store, program: str, problem: str) -> None:
    with pytest.raises(ProgramError, match=re.escape(problem)):
        asked(store, program)


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("reach(relation='parent')", "reach takes head_entity or tail_entity, and one of the two"),
        ("reach(head_entity='Ann', tail_entity='Bo', relation='parent')", "and one of the two"),
        ("reach(head_entity='Ann')", "reach needs relation=..."),
        ("reach(head_entity='Ann', relation='parent', at_most='11')", "reach takes 1 to 10 steps"),
        ("reach(tail_entity>'5', relation='parent')", "'>' cannot be used with 'tail_entity' of reach"),
    ],
)
def test_a_path_that_cannot_be_followed_is_an_error(store: Store, program: str, problem: str) -> None:
    with pytest.raises(ProgramError, match=re.escape(problem)):
        asked(store, program, "family")


@pytest.mark.parametrize(
    ("program", "source"),
    [
        (f"first(sort({GOALS}, order='descending'), n='2')", "games"),
        (f"longest_run({WINS})", "games"),
        (f"keep({CLUB}, starts_with='a')", "games"),
        (f"items({of(1, 'Players')})", "games"),
        ("reach(head_entity='Ann', relation='parent')", "family"),
        ("reach(tail_entity='Di', relation='parent')", "family"),
    ],
)
def test_the_evidence_holds_the_facts_that_lead_to_the_answer(store: Store, program: str, source: str) -> None:
    answer = asked(store, program, source)
    found = {triple.node2 for triple in answer.evidence} | {name for t in answer.evidence for name in t.condition}
    assert answer.evidence
    if not program.startswith("items"):
        assert set(map(str, answer.answer)) <= found
