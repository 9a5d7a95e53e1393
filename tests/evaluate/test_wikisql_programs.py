"""Programs for WikiSQL's SQL."""

from __future__ import annotations

import pytest

from cgstore.evaluate.benchmarks.wikisql import Condition, Query, program_of
from cgstore.query.parse import parse

HEADER = ("Player", "Club", "Goals")


def lines(aggregate: str, select: int, *conditions: tuple[int, str, str]) -> list[str]:
    query = Query(select, aggregate, tuple(Condition(*condition) for condition in conditions))
    return program_of(query, HEADER).splitlines()


def test_one_condition_finds_the_rows() -> None:
    assert lines("", 0, (2, ">", "3")) == [
        "Query1: \"get_information(relation='Goals', tail_entity>'3')\"",
        "Query2: \"get_information(relation='Player', head_entity='output_of_query1')\"",
    ]


def test_several_conditions_are_intersected() -> None:
    assert lines("MAX", 2, (0, "=", "Bo"), (1, "=", "Aldham"))[2:] == [
        "Query3: \"set_intersection(set1='output_of_query1', set2='output_of_query2')\"",
        "Query4: \"get_information(relation='Goals', head_entity='output_of_query3')\"",
        "Query5: \"max(set='output_of_query4')\"",
    ]


def test_more_conditions_than_sets_in_a_call_are_intersected_step_by_step() -> None:
    program = lines("COUNT", 0, *[(2, ">", str(n)) for n in range(5)])
    assert program[5] == (
        "Query6: \"set_intersection(set1='output_of_query1', set2='output_of_query2', set3='output_of_query3', "
        "set4='output_of_query4')\""
    )
    assert program[6] == "Query7: \"set_intersection(set1='output_of_query6', set2='output_of_query5')\""


def test_count_is_of_rows_and_not_of_their_cells() -> None:
    assert lines("COUNT", 1, (2, "=", "5"))[1:] == ["Query2: \"count(set='output_of_query1')\""]
    assert lines("COUNT", 1) == [
        "Query1: \"get_information(relation='row_number')\"",
        "Query2: \"count(set='output_of_query1')\"",
    ]


def test_sum_of_no_row_is_nothing() -> None:
    assert lines("SUM", 2, (1, "=", "Aldham"))[2:] == [
        "Query3: \"sum(set='output_of_query2')\"",
        "Query4: \"count(set='output_of_query1')\"",
        "Query5: \"if(value1='output_of_query4', operator='>', value2='0', then='output_of_query3')\"",
    ]


def test_without_conditions_the_whole_column_is_asked() -> None:
    assert lines("AVG", 2) == [
        "Query1: \"get_information(relation='Goals')\"",
        "Query2: \"mean(set='output_of_query1')\"",
    ]


def test_columns_are_named_as_the_loader_names_them() -> None:
    query = Query(0, "", (Condition(1, "=", "x"),))
    program = program_of(query, ("Row Number", ""))
    assert "relation='Row Number (2)'" in program
    assert "relation='column 2'" in program


@pytest.mark.parametrize("value", ["it's", "a', key='b", 'the "Mill"', "back\\", "a, (b)", ""])
def test_values_survive_the_query_language(value: str) -> None:
    (argument,) = parse("\n".join(lines("", 0, (1, "=", value)))).queries[0].given("tail_entity")
    assert getattr(argument.value, "text", None) == value
