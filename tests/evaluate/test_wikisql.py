"""WikiSQL: the reader, and its SQL in SQLite."""

from __future__ import annotations

import json
from pathlib import Path

import oracle_sample as sample
import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.wikisql import Condition, Query, Table, execute, read_questions, read_tables


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample.write(tmp_path) / "wikisql"


@pytest.fixture
def players(folder: Path) -> Table:
    return read_tables(folder / "dev.tables.jsonl", {"1-1"})["1-1"]


def found(table: Table, aggregate: str, select: int, *conditions: tuple[int, str, str]) -> tuple[str, ...]:
    return execute(table, Query(select, aggregate, tuple(Condition(*condition) for condition in conditions)))


def test_question_has_its_sql(folder: Path) -> None:
    question = list(read_questions(folder / "dev.jsonl"))[4]
    assert (question.id, question.sources) == ("5", ("eval/wikisql/1-1",))
    assert question.annotation == Query(2, "SUM", (Condition(0, "=", "Di Moe"), Condition(2, ">", "9")))


def test_only_the_tables_asked_for_are_read(folder: Path) -> None:
    assert read_tables(folder / "dev.tables.jsonl", {"1-2"}).keys() == {"1-2"}


def test_cells_are_given_as_written_each_once(players: Table) -> None:
    assert found(players, "", 1, (2, "=", "5")) == ("aldham", "Bexley")
    assert found(players, "", 1) == ("Aldham", "aldham", "Bexley")


def test_texts_are_equal_without_case(players: Table) -> None:
    assert found(players, "", 0, (1, "=", "ALDHAM")) == ("Ann Rae", "Bo Lind")


def test_columns_of_numbers_with_commas_are_compared_as_numbers(players: Table) -> None:
    assert found(players, "", 0, (3, ">", "1,000")) == ("Ann Rae", "Cy Roos")
    assert found(players, "", 0, (3, "<", "1000.0"), (2, "=", "5.0")) == ("Bo Lind",)


def test_empty_cell_among_numbers_is_no_number(players: Table) -> None:
    assert found(players, "", 0, (2, "<", "9")) == ("Ann Rae", "Bo Lind", "Cy Roos")
    assert found(players, "AVG", 2, (1, "=", "Bexley")) == ("5",)


def test_texts_are_ordered_by_their_letters(players: Table) -> None:
    assert found(players, "", 0, (0, ">", "bo lind")) == ("Cy Roos", "Di Moe")


def test_first_number_of_a_value_counts_in_a_column_of_numbers(players: Table) -> None:
    assert found(players, "", 0, (2, "=", "3 goals")) == ("Ann Rae",)


@pytest.mark.parametrize(
    ("aggregate", "select", "expected"),
    [
        ("MAX", 3, "2,000"),
        ("MIN", 3, "75"),
        ("SUM", 3, "4225"),
        ("AVG", 3, "1056.25"),
        ("COUNT", 1, "4"),
        ("MIN", 0, "Ann Rae"),
    ],
)
def test_aggregates_run_over_rows(players: Table, aggregate: str, select: int, expected: str) -> None:
    assert found(players, aggregate, select) == (expected,)


@pytest.mark.parametrize(
    ("aggregate", "expected"), [("COUNT", ("0",)), ("SUM", ()), ("AVG", ()), ("MAX", ()), ("", ())]
)
def test_of_no_row_only_the_count_is_something(players: Table, aggregate: str, expected: tuple[str, ...]) -> None:
    assert found(players, aggregate, 2, (0, "=", "Nobody")) == expected


def test_malformed_files_are_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match=r"does not have the table 1-9"):
        read_tables(folder / "dev.tables.jsonl", {"1-9", "1-1"})
    path = folder / "bad.jsonl"
    sample.write_lines(path, [json.dumps({"id": "1-1", "header": ["a"], "rows": [["1", "2"]]})])
    with pytest.raises(BadInput, match="a row does not have 1 cells"):
        read_tables(path, {"1-1"})
    sample.write_lines(path, ["[]"])
    with pytest.raises(BadInput, match="line 1: not a JSON object"):
        read_tables(path, {"1-1"})
    sample.write_lines(path, [json.dumps(sample.sql("?", "1-1", 0, 9))])
    with pytest.raises(BadInput, match="not a question of WikiSQL"):
        list(read_questions(path))
    sample.write_lines(path, ["{"])
    with pytest.raises(BadInput, match="not JSON:"):
        list(read_questions(path))


def test_column_that_the_table_lacks_is_refused(players: Table) -> None:
    with pytest.raises(BadInput, match="column that it does not have"):
        found(players, "", 5)
