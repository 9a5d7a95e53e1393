"""The second interpreter on groups, records, paths, texts and dates: answers worked out by hand, no database."""

from __future__ import annotations

import pytest

from cgstore.query.parse import ProgramError
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import Graph, kg, table, tkg, union
from tests.query.interpreter_search import NoMeaning

GAMES = [
    ("Ann", "Reds", "5", "2", "2004-07-02", "75-64", "red; blue"),
    ("Bob", "Blues", "5.0", "–", "2004-01-01", "–12 at 3", "red, green"),
    ("Cid", "Reds", "1,000", "4", "2005-03", "Arena, 22,076", "blue"),
    ("Ann", "Blues", "–", "1", "2006", "13th (q)", ""),
    ("Dan", "Reds", "5", "2", "2005-07-03", "-7", "1,5"),
]
TABLE = table("games", ("Player", "Team", "Points", "Lost", "Date", "Note", "Tags"), GAMES)
ORDERS = [("c1", "10"), ("c2", "5"), ("c1", "7")]
CUSTOMERS = [("c1", "Ulm", "30"), ("c2", "Bonn", "40")]
SHOP = union([table("orders", ("customer_id", "total"), ORDERS), table("customers", ("id", "city", "age"), CUSTOMERS)])
RIVERS = kg(
    "rivers",
    [
        ("Danube", "flows through", "Austria"),
        ("Danube", "flows through", "Hungary"),
        ("Inn", "flows through", "Austria"),
        ("Inn", "length", "518"),
        ("Austria", "area", "84"),
        ("Eve", "parent", "Adam"),
        ("Abel", "parent", "Eve"),
        ("Abel", "parent", "Adam"),
        ("Enos", "parent", "Abel"),
        ("Adam", "parent", "Enos"),
    ],
)
OFFICES = tkg("offices", [("Kohl", "office", "chancellor", 1982, 1985), ("Brandt", "office", "mayor", 1984, 1986)])

Rows = list[tuple[object, ...]]

TEAM = "group(by='Team')"
REDS = "get_information(relation='Team', tail_entity='Reds')\n"

OF_COLUMNS: list[tuple[Graph, str, Rows]] = [
    (TABLE, TEAM, [("Blues", 2.0), ("Reds", 3.0)]),
    (TABLE, "group(by='Team', of='Points', function='sum')", [("Blues", 5.0), ("Reds", 1010.0)]),
    (TABLE, "group(by='Team', of='Points')", [("Blues", 2.0), ("Reds", 2.0)]),
    (TABLE, "group(by='Team', of='Points', function='median')", [("Blues", 5.0), ("Reds", 5.0)]),
    (TABLE, "group(by='Team', of='Lost', function='standard_deviation')", [("Reds", 1.154700538)]),
    (TABLE, "group(by='Team', of=subtract('Points', 'Lost'), function='sum')", [("Reds", 1002.0)]),
    (TABLE, "group(set=heads('Date'), by=extract_year(get_information(head_entity=each, relation='Date')))",
     [(2004.0, 2.0), (2005.0, 2.0), (2006.0, 1.0)]),
    (TABLE, "group(set=heads('Tags'), by=items(get_information(head_entity=each, relation='Tags')))",
     [("1,5", 1.0), ("blue", 2.0), ("green", 1.0), ("red", 2.0)]),
    (TABLE, f"group(set={REDS[:-1]}, by='Points')", [("5", 2.0), ("1,000", 1.0)]),
    (TABLE, "keep(group(by='Team', of='Points', function='max'), value>'100')", [("Reds", "1,000")]),
    (TABLE, "keep(group(by='Team'), value='Blues')", [("Blues", 2.0)]),
    (TABLE, "sort(group(by='Points'))", [("1,000", 1.0), ("5.0", 1.0), ("–", 1.0), ("5", 2.0)]),
    (TABLE, "first(sort(group(by='Points'), order='descending'), n='2')", [("5", 2.0), ("–", 1.0)]),
    (TABLE, "for_each(get_information(relation='Team', tail_entity='Reds'), value=subtract('Points', 'Lost'))",
     [("[line_1]", 3.0), ("[line_3]", 996.0), ("[line_5]", 3.0)]),
    (TABLE, REDS + "argmin(for_each('output_of_query1', 'Points'))", [("[line_1]", "5"), ("[line_5]", "5")]),
    (TABLE, "group(by='Team')\nfor_each('output_of_query1', value=percentage(each, sum('output_of_query1')))",
     [("Blues", 40.0), ("Reds", 60.0)]),
    (TABLE, "for_each(heads('Player'), value=if(value1='Points', value2='Lost', operator='>', then="
     "to_number(literals('1')), else=to_number(literals('0'))))",
     [("[line_1]", 1.0), ("[line_3]", 1.0), ("[line_5]", 1.0)]),
    (TABLE, REDS + "select('output_of_query1', 'Player', 'Lost')", [("Ann", "2"), ("Cid", "4"), ("Dan", "2")]),
    (TABLE, "select(group(by='Team'), get_information(relation='Team', tail_entity=each, key='Player'))",
     [("Blues", ("Bob", "Ann"), 2.0), ("Reds", ("Ann", "Cid", "Dan"), 3.0)]),
    (TABLE, "select(get_information(relation='Player', tail_entity='Ann'), column=each, column='Team')",
     [("[line_1]", "Reds"), ("[line_4]", "Blues")]),
    (SHOP, "group(of='total', function='sum', by=get_information(relation='city', key='id', "
     "value=get_information(head_entity=each, relation='customer_id')))", [("Bonn", 5.0), ("Ulm", 17.0)]),
    (SHOP, "group(set=heads(relation='total'), by=literals('all'), function='mean', of=get_information(relation='age', "
     "key='id', value=get_information(head_entity=each, relation='customer_id')))", [("all", 100 / 3)]),
    (RIVERS, "group(by=each, of='flows through', function='count')", [("Danube", 2.0), ("Inn", 1.0)]),
    (RIVERS, "max(group(by='flows through'))", [("Austria", 2.0)]),
    (RIVERS, "select(heads('flows through'), 'flows through', 'length')",
     [("Danube", ("Austria", "Hungary"), ()), ("Inn", "Austria", "518")]),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "program", "rows"), OF_COLUMNS)
def test_answers_of_several_columns(graph: Graph, program: str, rows: Rows) -> None:
    shown = interpret(graph, program).rows
    assert shown is not None
    fields = [tuple(field[0] if len(field) == 1 else field for field in row) for row in shown]
    rounded = [tuple(round(field, 9) if isinstance(field, float) else field for field in row) for row in fields]
    assert rounded == [tuple(round(f, 9) if isinstance(f, float) else f for f in row) for row in rows]


NUMBERED = "group(by='Team', of='Points', function='sum')\n"
OF_ONE_COLUMN: list[tuple[Graph, str, list[str | float]]] = [
    (TABLE, NUMBERED + "sum('output_of_query1')", [1015.0]),
    (TABLE, NUMBERED + "median('output_of_query1')", [507.5]),
    (TABLE, NUMBERED + "count('output_of_query1')", [2.0]),
    (TABLE, NUMBERED + "to_integer('output_of_query1')", [5.0, 1010.0]),
    (TABLE, NUMBERED + "get_information(relation='Team', tail_entity=max('output_of_query1'))",
     ["[line_1]", "[line_3]", "[line_5]"]),
    (TABLE, "{Player}\n" + NUMBERED + "max('output_of_query1')", ["Reds"]),
    (TABLE, "{Lost}\nmax(for_each(heads('Player'), 'Points'))", ["4"]),
    (TABLE, "median(get_information(relation='Lost'))", [2.0]),
    (TABLE, "standard_deviation(get_information(relation='Lost'))", [1.258305739]),
    (TABLE, "standard_deviation(get_information(relation='Points', tail_entity='1,000', key='Lost'))", []),
    (TABLE, "exists(get_information(relation='Points', tail_entity>'2000'))", ["no"]),
    (TABLE, "exists('Ann')", ["yes"]),
    (TABLE, "heads('Points')", [f"[line_{n}]" for n in range(1, 6)]),
    (SHOP, "count(heads(source='orders'))", [3.0]),
    (SHOP, "count(heads())", [5.0]),
    (TABLE, "longest_run(get_information(relation='Lost', tail_entity<='2'))", ["[line_4]", "[line_5]"]),
    (TABLE, "longest_run(get_information(relation='Player', tail_entity='Ann'))", ["[line_1]"]),
    (TABLE, "first(get_information(relation='Player'), n='2')", ["Ann", "Bob"]),
    (TABLE, "last(sort(get_information(relation='Lost')), n='2')", ["2", "4"]),
    (TABLE, "nth(sort(get_information(relation='Lost')), n='-2')", ["2"]),
    (TABLE, "nth(get_information(relation='Player'), n='7')", []),
    (TABLE, "sort(get_information(relation='Points'), order='alphabetical')", ["1,000", "5", "5.0", "–"]),
    (TABLE, "keep(get_information(relation='Team'), contains='RED')", ["Reds"]),
    (TABLE, "keep(get_information(relation='Player'), starts_with='a', ends_with='n')", ["Ann"]),
    (TABLE, "extract_number(get_information(relation='Note'))", [-7.0, 12.0, 13.0, 75.0, 22076.0]),
    (TABLE, "extract_number(get_information(relation='Note'), which='second')", [3.0, 64.0]),
    (TABLE, "extract_number(get_information(relation='Note'), which='last')", [-7.0, 3.0, 13.0, 64.0, 22076.0]),
    (TABLE, "items(get_information(relation='Tags'))", ["red", "blue", "green", "1,5"]),
    (TABLE, "first(items(get_information(head_entity='Bob', relation='Tags')))", ["red"]),
    (TABLE, "items(get_information(relation='Tags'), separator=',')", ["red; blue", "red", "green", "blue", "1", "5"]),
    (TABLE, "extract_month(get_information(relation='Date'))", [1.0, 3.0, 7.0]),
    (TABLE, "extract_year_month(get_information(relation='Date'))", ["2004-01", "2004-07", "2005-03", "2005-07"]),
    (TABLE, "extract_quarter(get_information(relation='Date'))", [1.0, 3.0]),
    (TABLE, "extract_day(get_information(relation='Date'))", [1.0, 2.0, 3.0]),
    (TABLE, "extract_weekday(get_information(relation='Date'))", ["Friday", "Sunday", "Thursday"]),
    (TABLE, "percentage(count(get_information(relation='Team', tail_entity='Reds')), count(heads()))", [60.0]),
    (TABLE, "difference(get_information(head_entity='Bob', relation='Date'), "
     "get_information(head_entity='Dan', relation='Date'), unit='days')", [549.0]),
    (TABLE, "difference(get_information(head_entity='Bob', relation='Date'), "
     "get_information(head_entity='Dan', relation='Date'), unit='months')", [18.0]),
    (RIVERS, "reach(head_entity='Eve', relation='parent')", ["Abel", "Adam", "Enos", "Eve"]),
    (RIVERS, "reach(head_entity='Enos', relation='parent', at_most='2')", ["Abel", "Adam", "Eve"]),
    (RIVERS, "reach(tail_entity='Eve', relation='parent', at_most='2')", ["Abel", "Enos"]),
    (OFFICES, "extract_year_month(get_information(key='start_time'))", []),
    (OFFICES, "extract_month(get_information(key='start_time'))", []),
    (OFFICES, "for_each(heads(), value=get_information(head_entity=each, key='time'))", []),
    (OFFICES, "sum(for_each(heads(), value=count(get_information(head_entity=each, key='time'))))", [7.0]),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "program", "answer"), OF_ONE_COLUMN)
def test_answers_of_one_column(graph: Graph, program: str, answer: list[str | float]) -> None:
    shown = interpret(graph, program).answer
    assert [round(each, 9) if isinstance(each, float) else each for each in shown] == answer


NOT_LEGAL = [
    "first(next_row(sort(get_information(relation='Lost'))))",
    "first(for_each(sort(heads()), 'Lost'))",
    "for_each(heads(), value=exists('Ann'))",
    "for_each(heads(), value=count(set_negation(each)))",
    "for_each(heads(), value='Nothing')",
    "group(by=each)",
    "group(by='Team', function='sum')",
    "keep(heads(), contains='Ann')",
    "longest_run(get_information(relation='Lost'))",
    "first(heads(), n='0')",
    "reach(relation='Lost')",
    "select(heads(), 'Team')\ncount('output_of_query1')",
]


@pytest.mark.parametrize("program", NOT_LEGAL)
def test_what_has_no_meaning_is_refused(program: str) -> None:
    with pytest.raises((NoMeaning, ProgramError)):
        interpret(TABLE, program)
