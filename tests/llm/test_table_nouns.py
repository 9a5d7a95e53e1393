"""The noun that a question asks for: a column that has it, the things of the rows, or people; else no answer."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.ranking import shipped_model
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import (
    CERTAIN,
    Understanding,
    assumptions,
    candidates,
    understand,
    why_unsure,
    yes_or_no,
)
from tests.llm.table_answers import answer, understood

STAFF = table_of(
    "staff",
    [("Name", ""), ("Dept", ""), ("Title", ""), ("Salary", "currency"), ("Mgr", "")],
    [
        ("Ada Brook", "Management", "Director", "£92,000", ""),
        ("Ben Cole", "Sales", "Head of sales", "£61,000", "Ada Brook"),
        ("Cleo Dunn", "Sales", "Account manager", "£43,500", "Ben Cole"),
        ("Dan East", "IT", "Developer", "£52,000", "Ada Brook"),
        ("Eve Ford", "IT", "Support analyst", "£28,600", "Dan East"),
    ],
)
MACHINES = table_of(
    "equipment",
    [
        ("Asset", ""),
        ("Type", ""),
        ("Room", ""),
        ("Cost", "currency"),
        ("Weight (kg)", "number"),
        ("Warranty", "number"),
    ],
    [
        ("LT-01", "Laptop", "B12", "€980", "1.4", "36"),
        ("LT-02", "Laptop", "B12", "€980", "1.4", "36"),
        ("LT-03", "Laptop", "B14", "€1240", "1.3", "24"),
        ("PR-01", "Printer", "B10", "€2300", "38", "12"),
        ("PR-02", "Printer", "A03", "€1875", "31.5", "24"),
        ("SV-01", "Server", "S01", "€5600", "24.5", "60"),
        ("SV-02", "Server", "S01", "€7150", "27", "60"),
        ("CM-01", "Coffee machine", "B12", "€1420", "17.8", "24"),
        ("CM-02", "Coffee machine", "Foyer", "€1510", "18.2", "24"),
    ],
)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How much is the bonus of Ben Cole?", "bonus"),
        ("How much is Ben Cole's bonus?", "bonus"),
        ("Which department has the highest wage bill?", "wage bill"),
        ("Who has the highest salary increase?", "salary increase"),
        ("How many people have a bonus over 1000?", "bonus"),
    ],
)
def test_a_noun_that_is_asked_for_must_be_a_column(question: str, noun: str) -> None:
    assert noun in str(understood(question, STAFF))


@pytest.mark.parametrize(
    "question",
    [
        "What is the repair cost of PR-01?",
        "Which asset has the lowest running cost?",
        "Which assets have a repair cost over 2000?",
        "Which assets have a power over 500?",
    ],
)
def test_an_amount_with_a_further_noun_is_another_one(question: str) -> None:
    assert "may be" in str(answer(question, MACHINES))


def test_an_amount_beside_a_word_that_says_nothing_more_is_itself() -> None:
    assert answer("Which asset has the longest warranty period?", MACHINES) == {"sv-01", "sv-02"}
    assert answer("How much is the salary of Ben Cole?", STAFF) == {"£61,000"}


def test_people_are_not_rows_of_things() -> None:
    assert isinstance(answer("How many people earn less than 30000?", MACHINES), str)
    assert isinstance(answer("How many employees are in S01?", MACHINES), str)
    assert answer("How many people earn less than 30000?", STAFF) == {1.0}


def test_of_several_tables_that_of_people_says_how_many_people() -> None:
    question = "How many people earn less than 30000?"
    every = [each for table in (MACHINES, STAFF) for each in candidates(question, table, shipped_model())]
    found = understand(every, shipped_model())
    assert found is not None and not why_unsure(found, CERTAIN)
    assert found.best.table is STAFF


def test_what_somebody_spends_is_no_salary() -> None:
    assert isinstance(answer("What did Ben Cole spend?", STAFF), str)
    assert isinstance(answer("How much did Ben Cole spend?", STAFF), str)
    assert answer("What does Ben Cole earn?", STAFF) == {"£61,000"}


def test_what_is_earned_is_no_cost() -> None:
    assert isinstance(answer("What does LT-01 earn?", MACHINES), str)


def test_the_noun_that_is_asked_for_is_no_part_of_one_value() -> None:
    assert isinstance(answer("Which machine is the heaviest?", MACHINES), str)
    assert answer("Which coffee machine is the heaviest?", MACHINES) == {"cm-02"}


def test_who_does_something_is_not_where_it_is_done() -> None:
    assert answer("List the managers", STAFF) == {"ada brook", "ben cole", "dan east"}


@pytest.mark.parametrize("noun", ["equipment", "asset"])
def test_what_has_the_most_of_a_column_is_a_thing(noun: str) -> None:
    assert answer(f"What {noun} has the longest warranty?", MACHINES) == {"sv-01", "sv-02"}
    assert answer("What is the longest warranty?", MACHINES) == {60.0}
    assert answer("What thing has the longest warranty?", MACHINES) != {60.0}


def test_what_has_the_most_of_a_column_may_be_a_kind() -> None:
    assert answer("What type has the longest warranty?", MACHINES) == {"server"}


def test_an_empty_cell_is_in_no_list() -> None:
    found = understood("Who are the managers?", STAFF)
    assert isinstance(found, Understanding)
    program = Writer(STAFF).program(found.best.reading)
    assert "set2=get_information(relation='Mgr', tail_entity='')" in program
    assert "Left out: 1 row whose 'Mgr' is empty." in list(assumptions(found))


def test_an_empty_cell_is_not_what_most_rows_have() -> None:
    found = understood("Which manager has the most staff?", STAFF)
    assert isinstance(found, Understanding)
    assert "tail_entity=''" in Writer(STAFF).program(found.best.reading)


@pytest.mark.parametrize("tables", [(STAFF,), (MACHINES, STAFF)])
def test_what_is_compared_is_said_where_it_is_not_understood(tables: tuple[Table, ...]) -> None:
    found = yes_or_no("Does anyone earn more than Ben Cole?", tables)
    assert str(found).startswith("what is compared by 'more than")
