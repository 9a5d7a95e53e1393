"""The second interpreter against the language page: answers worked out by hand, no database."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cgstore.query import functions as language
from tests.query import interpreter_programs
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import Graph, kg, statements, table, tkg, union
from tests.query.interpreter_search import NoMeaning

COLUMNS = ("Player", "Team", "Points", "Rank", "Date")
ROWS = [
    ("Ann", "Reds", "5", "1st", "2004-07-02"),
    ("Bob", "Blues", "5.0", "2nd", "2004-01-01"),
    ("Cid", "Reds", "1,000", "3rd", "2005-03-01"),
    ("Ann", "Blues", "–", "3rd", "2006-02-28"),
]
FILMS = [
    ("Heat", "starring", "Al"),
    ("Heat", "starring", "Val"),
    ("Insider", "starring", "Al"),
    ("Heat", "year", "1995"),
    ("Insider", "year", "1999"),
]
OFFICES = [
    ("Kohl", "position held", "chancellor", 1982, 1998),
    ("Mitterrand", "position held", "president", 1981, 1995),
]
PRIZES = [("Marie", "award", "Nobel", [("for", "physics")]), ("Marie", "award", "Davy", [("for", "chemistry")])]

GRAPH = union(
    [table("results", COLUMNS, ROWS), kg("films", FILMS), tkg("offices", OFFICES), statements("prizes", PRIZES)]
)


def asked(source: str) -> Graph:
    return GRAPH.asked([source])


SEARCHES = [
    ("films", "get_information(head_entity='Heat')", ["starring", "year"]),
    ("films", "get_information(relation='starring')", ["Al", "Val"]),
    ("films", "get_information(tail_entity='Al')", ["Heat", "Insider"]),
    ("films", "get_information(head_entity='Heat', relation='starring')", ["Al", "Val"]),
    ("films", "get_information(head_entity='Heat', tail_entity='Al')", ["starring"]),
    ("films", "get_information(relation='starring', tail_entity='Al', key='year')", ["1995", "1999"]),
    ("films", "get_information(relation='starring', key='year', value>'1995')", ["Al"]),
    ("films", "get_information(head_entity='Val', relation='starring')", ["Al", "Val"]),
    ("offices", "get_information(key='time', value='1996')", ["Kohl | position held | chancellor"]),
    ("offices", "get_information(relation='position held', key='time', value='1981')", ["Mitterrand"]),
    ("offices", "get_information(head_entity='Kohl', key='start_time')", ["1982"]),
    ("prizes", "get_information(head_entity='Marie', tail_entity='Davy', key='for')", ["chemistry"]),
    ("prizes", "get_information(head_entity='Marie', relation='award', key='for', value='physics')", ["Nobel"]),
    ("prizes", "get_information(key='for', value='physics')", ["Marie"]),
]

COMPARISONS = [
    ("get_information(relation='Points', tail_entity='5')", ["[line_1]", "[line_2]"]),
    ("get_information(relation='Rank', tail_entity='3')", ["[line_3]", "[line_4]"]),
    ("get_information(relation='Date', tail_entity>'2004')", ["[line_3]", "[line_4]"]),
    ("get_information(relation='Date', tail_entity='2004')", ["[line_1]", "[line_2]"]),
    ("get_information(relation='Points', tail_entity>='max')", ["[line_3]"]),
    ("get_information(relation='Team', tail_entity>='most')", ["[line_1]", "[line_2]", "[line_3]", "[line_4]"]),
    ("get_information(relation='Rank', tail_entity>='most')", ["[line_3]", "[line_4]"]),
    ("get_information(head_entity='Nobody')", NoMeaning),
    ("get_information(relation='Team', tail_entity>'Blues')", NoMeaning),
    ("get_information(tail_entity='Ann', value='Reds')", NoMeaning),
]

POINTS = "get_information(relation='Points')\n"
ANN = "get_information(relation='Player', tail_entity='Ann')\n"
DATES = (
    "get_information(relation='Date', tail_entity='2004-07-02', key='Date')\n"
    "get_information(relation='Date', tail_entity='2005-03-01', key='Date')\n"
)
FUNCTIONS = [
    (POINTS + "sum(set='output_of_query1')", [1010.0]),
    (POINTS + "min(set='output_of_query1')", ["5"]),
    (POINTS + "argmax(set='output_of_query1')", ["[line_3]"]),
    (POINTS + "keep(set='output_of_query1', value='5')", ["5", "5.0"]),
    (POINTS + "keep(set='output_of_query1', value>='most')", NoMeaning),
    (POINTS + "set_union(set1='output_of_query1', set2=count('output_of_query1'))", NoMeaning),
    (POINTS + "mean(set=set_difference(set1='output_of_query1', set2='output_of_query1'))", []),
    ("get_information(relation='Team')\nmode(set='output_of_query1')", ["Reds", "Blues"]),
    (ANN + "next_row(set='output_of_query1')", ["[line_2]"]),
    (ANN + "max(set='output_of_query1')", ["[line_4]"]),
    (ANN + "set_negation(set='output_of_query1')", ["[line_2]", "[line_3]"]),
    (ANN + "mode(set=get_information(head_entity='output_of_query1', relation='Rank'))", ["1st", "3rd"]),
    (ANN + "compare(value1=count('output_of_query1'), value2='3')", NoMeaning),
    (ANN + "if(output_of_query1 > '3', 'yes', 'no')", ["yes"]),
    (ANN + "difference(value1=count('output_of_query1'), value2='5')", [3.0]),
    ("{Points}\n" + ANN, ["5", "–"]),
    ("equals(value1=get_information(head_entity='Bob', relation='Points'), value2='5')", ["yes"]),
    (DATES + "year_difference('output_of_query1', 'output_of_query2')", [1.0]),
    (DATES + "difference('output_of_query2', 'output_of_query1', unit='years')", [1.0]),
    (DATES + "difference('output_of_query2', 'output_of_query2', unit='years')", [0.0]),
    ("calculate('12', '5', operator='-')", [7.0]),
    ("calculate('12', '0', operator='/')", []),
    (POINTS + "max(set1='output_of_query1', set2=literals(set='1st'))", ["1,000"]),
    (POINTS + "sum(set1='output_of_query1', set2=count('output_of_query1'))", [1014.0]),
    (POINTS + "mean(set1=count('output_of_query1'), set2='5')", NoMeaning),
    (POINTS + "mean(set1=count('output_of_query1'), set2=count('output_of_query1'), set3=sum(set='[line_1]'))", [3.0]),
    (POINTS + "mean(set1='output_of_query1', set2='output_of_query1')", [1010 / 3]),
    ("mean(set1=literals(set='7', set='9'), set2=literals(set='7'))", [23 / 3]),
    ("count(set=literals(set='[line_1]', set='[line_99]'))", [1.0]),
    ("get_information(relation='Points', tail_entity>='max', tail_entity<='min')", NoMeaning),
    ("literals(set='Ann', set='1,000', set='5')", ["5", "1,000", "Ann"]),
    ("literals(set='Ann', set='7')", ["7", "Ann"]),
    ("get_information(head_entity=literals(set='Ann', set='7'), relation='Points')", NoMeaning),
    ("add(literals(set='7'), literals(set='7', set='7.0'))", [14.0]),
    (POINTS + "if(output_of_query1 > '3', 'output_of_query1', 'yes')", NoMeaning),
    (POINTS + "if(output_of_query1 > '3', then='output_of_query1', else=count('output_of_query1'))", NoMeaning),
    (
        "compare(get_information(head_entity='Bob', relation='Points'), "
        "get_information(head_entity='Cid', relation='Points'))",
        ["Cid"],
    ),
]


WHOSE = [
    (
        "offices",
        "compare(get_information(head_entity='Kohl', relation='position held', key='start_time'), "
        "get_information(head_entity='Mitterrand', relation='position held', key='start_time'))",
        ["Kohl"],
    ),
    ("films", "compare(get_information(relation='year', tail_entity='1995'), literals(set='5'))", []),
    (
        "films",
        "compare(count(get_information(relation='starring', tail_entity='Al')), "
        "count(get_information(relation='starring', tail_entity='Val')))",
        ["Al"],
    ),
    (
        "results",
        "compare(count(get_information(relation='Points', tail_entity='5')), "
        "count(get_information(relation='Points', tail_entity='1,000')))",
        ["5", "5.0"],
    ),
    (
        "offices",
        "compare(count(get_information(key='time', value='1984')), "
        "count(get_information(relation='position held', tail_entity='president')))",
        NoMeaning,
    ),
]


CASES = [*SEARCHES, *WHOSE, *(("results", *case) for case in (*COMPARISONS, *FUNCTIONS))]


@pytest.mark.parametrize(("source", "program", "answer"), CASES)
def test_a_program_answers_as_the_language_page_says(
    source: str, program: str, answer: list[str | float] | type[NoMeaning]
) -> None:
    if isinstance(answer, list):
        assert list(interpret(asked(source), program).answer) == answer
    else:
        with pytest.raises(answer):
            interpret(asked(source), program)


def test_row_numbers_are_no_cells() -> None:
    assert interpret(asked("results"), "get_information(relation='row_number', tail_entity='3')").answer == (
        "[line_3]",
    )
    assert interpret(asked("results"), "get_information(head_entity='1', relation='Player')").answer == ()


def test_relations_of_one_name_are_shown_once_and_counted_twice() -> None:
    two = union([kg("one", [("Ann", "age", "30")]), kg("other", [("Ann", "age", "31")])])
    assert interpret(two, "get_information(head_entity='Ann')").answer == ("age",)
    assert interpret(two, "count(get_information(head_entity='Ann'))").answer == (2.0,)


@pytest.mark.parametrize("function", language.FUNCTIONS)
def test_programs_are_drawn_with_every_function(function: str) -> None:
    source = Path(interpreter_programs.__file__).read_text(encoding="utf-8")
    assert re.search(rf'"{function}["(]', source), "the differential test never calls it"
