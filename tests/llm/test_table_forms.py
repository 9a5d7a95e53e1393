"""Forms of questions about tables, without a database: what is answered, and what is refused, in owners' own tables."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import Understanding, assumptions
from tests.llm.table_answers import answer, understood

STAFF = table_of(
    "staff",
    [
        ("Emp ID", ""),
        ("Full Name", ""),
        ("Dept", ""),
        ("Reports To", ""),
        ("Start Date", "date"),
        ("Annual Salary (EUR)", "number"),
        ("Remote", ""),
    ],
    [
        ("S1", "Ada Brook", "Board", "Owners", "2009-05-01", "120000", "no"),
        ("S2", "Ben Cole", "IT", "Ada Brook", "2012-02-13", "81000", "yes"),
        ("S3", "Cleo Dunn", "IT", "Ben Cole", "2016-09-05", "64000", "yes"),
        ("S4", "Dan Eastman", "Legal", "Ada Brook", "2018-04-16", "79000", "no"),
        ("S5", "Eve Foster", "Legal", "Dan Eastman", "2021-11-08", "52000", "no"),
        ("S6", "Finn Gray", "IT", "Ben Cole", "2023-01-30", "47000", "yes"),
    ],
)
ORDERS = table_of(
    "orders",
    [
        ("Order No.", ""),
        ("Customer", ""),
        ("Country", ""),
        ("Issue Date", "date"),
        ("Due Date", "date"),
        ("Total Amt", "currency"),
        ("Status", ""),
        ("Voucher", ""),
    ],
    [
        ("A-1", "Larch Foods", "Norway", "2024-01-10", "2024-02-10", "€410.00", "Paid", "V7"),
        ("A-2", "Birch Ltd", "Italy", "2024-01-22", "2024-02-22", "€95.50", "Open", ""),
        ("A-3", "Larch Foods", "Norway", "2024-02-06", "2024-03-06", "€1,200.00", "Open", "V8"),
        ("A-4", "Elm & Ash", "Spain", "2024-03-01", "2024-04-01", "€730.00", "Paid", "V9"),
    ],
)
RACE = table_of(
    "race",
    [("Bib", ""), ("Runner", ""), ("Nat.", ""), ("Age", "number"), ("Finish Time", "duration")],
    [
        ("7", "Abel Kiptoo", "Kenya", "27", "2:11:38"),
        ("9", "Johan Sand", "Sweden", "38", "2:14:05"),
        ("12", "Petr Malik", "Czechia", "24", "2:20:10"),
    ],
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Could you tell me which ship left?", "which ship left?"),
        ("I'd like to know how many ships there are", "how many ships there are"),
        ("please check for me whether the Bela is still in Lisbon", "is the Bela still in Lisbon"),
        ("I wonder if Dena has left", "has Dena left"),
        ("I'm looking for everyone in Lisbon", "give me everyone in Lisbon"),
        ("Can you please list the ships?", "list the ships?"),
        ("Do you happen to know who sails it?", "who sails it?"),
        ("Do you know Ann?", "Do you know Ann?"),
        ("What would you like?", "What would you like?"),
    ],
)
def test_the_opening_of_a_question_is_left_out(question: str, asked: str) -> None:
    assert direct(question) == asked


@pytest.mark.parametrize(
    ("question", "table", "given"),
    [
        ("Who is Cleo Dunn's boss?", STAFF, {"ben cole"}),
        ("how much does eve foster earn?", STAFF, {52000.0}),
        ("When did Dan Eastman join the company?", STAFF, {"2018-04-16"}),
        ("How much was Birch charged?", ORDERS, {"€95.50"}),
        ("By when does Elm & Ash have to pay A-4?", ORDERS, {"2024-04-01"}),
    ],
)
def test_other_words_name_a_column(question: str, table: Table, given: set[str | float]) -> None:
    assert answer(question, table) == given


def test_other_words_for_a_column_are_noted() -> None:
    found = understood("Who is Cleo Dunn's boss?", STAFF)
    assert isinstance(found, Understanding)
    assert "'boss' was taken for 'Reports To'." in list(assumptions(found))


@pytest.mark.parametrize(
    ("question", "given"),
    [("Who reports to Ben Cole?", {"cleo dunn", "finn gray"}), ("who does Ben Cole report to?", {"ada brook"})],
)
def test_a_name_in_two_columns_is_taken_by_the_words_beside_it(question: str, given: set[str]) -> None:
    assert answer(question, STAFF) == given


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Who was hired after Cleo Dunn?", {"dan eastman", "eve foster", "finn gray"}),
        ("Who earns more than Dan Eastman?", {"ada brook", "ben cole"}),
    ],
)
def test_rows_are_compared_with_another_row(question: str, given: set[str]) -> None:
    assert answer(question, STAFF) == given


def test_who_is_faster_has_less_time() -> None:
    assert answer("Who was faster than Johan Sand?", RACE) == {"abel kiptoo"}


def test_a_row_is_named_and_not_numbered() -> None:
    assert answer("Which employee has the second highest annual salary?", STAFF) == {"ben cole"}


def test_sizes_are_those_of_amounts_and_not_of_dates() -> None:
    assert answer("What is our biggest order?", ORDERS) == {"a-3"}


@pytest.mark.parametrize(
    ("question", "given"), [("Who is the oldest?", "johan sand"), ("Who is the youngest?", "petr malik")]
)
def test_ages_order_people(question: str, given: str) -> None:
    assert answer(question, RACE) == {given}


def test_nobody_is_the_oldest_by_another_date() -> None:
    assert isinstance(answer("Who is the oldest employee?", STAFF), str)


def test_a_bare_number_of_people_is_their_age() -> None:
    assert answer("Who are the runners over 30?", RACE) == {"johan sand"}


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Which order has no voucher?", {"a-2"}),
        ("Which orders are from Italy or Spain?", {"a-2", "a-4"}),
        ("Which orders are not from Italy or Spain?", {"a-1", "a-3"}),
        ("How many orders don't have the status Paid?", {2.0}),
        ("List the open orders with an issue date after 1 February 2024", {"a-3"}),
    ],
)
def test_rows_are_left_out_by_what_they_are_not(question: str, given: set[str | float]) -> None:
    assert answer(question, ORDERS) == given


def test_rows_without_a_cell_are_a_program() -> None:
    found = understood("Which order has no voucher?", ORDERS)
    assert isinstance(found, Understanding)
    lacking = "get_information(relation='Voucher', tail_entity='')"
    program = f"get_information(head_entity={lacking}, relation='Order No.')"
    assert Writer(ORDERS).program(found.best.reading) == program


def test_a_column_of_yes_and_no_may_be_denied() -> None:
    assert answer("Which employees in Legal are not remote?", STAFF) == {"dan eastman", "eve foster"}


def test_a_small_word_is_a_value_beside_the_name_of_its_column() -> None:
    assert answer("what is the average salary in the it dept?", STAFF) == {64000.0}


@pytest.mark.parametrize("word", ["avergae", "averge"])
def test_a_word_that_counts_is_found_with_a_letter_wrong(word: str) -> None:
    assert answer(f"I need the {word} annual salary in Legal", STAFF) == {65500.0}


def test_the_most_of_what_the_rows_are_is_a_count() -> None:
    assert answer("Which dept has the most employees?", STAFF) == {"it"}


def test_where_asks_for_a_place() -> None:
    assert answer("Where is Birch based?", ORDERS) == {"italy"}


def test_an_amount_is_added_up_and_not_counted() -> None:
    assert answer("total amount of Larch Foods", ORDERS) == {1610.0}


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Who is in charge of Legal?", STAFF),  # each row has a boss
        ("Who is the manager of Eve Foster's manager?", STAFF),
        ("Who praised Ben Cole?", STAFF),
        ("What is Ben Cole's email address?", STAFF),
        ("How old is Finn Gray?", STAFF),
        ("How many children does Finn Gray have?", STAFF),
        ("How much does Birch weigh?", ORDERS),
        ("how much rent does Birch pay?", ORDERS),
        ("Which orders were paid late?", ORDERS),
        ("Which order closed last?", ORDERS),
        ("What percentage of employees are in IT?", STAFF),
        ("Who was promoted after Ben Cole?", STAFF),
        ("How many employees were praised?", STAFF),
    ],
)
def test_what_a_table_does_not_say_is_refused(question: str, table: Table) -> None:
    assert isinstance(answer(question, table), str)


PARCELS = table_of(
    "parcels",
    [
        ("parcel_no", ""),
        ("receiver", ""),
        ("city", ""),
        ("carrier", ""),
        ("weight_kg", "number"),
        ("total_cost", "number"),
    ],
    [
        ("P1", "Hill & Dale", "Oslo", "Quick", "12", "30"),
        ("P2", "Nova Labs", "Rome", "Swift", "9", "20"),
        ("P3", "Nova Labs", "Rome", "Swift", "8", "19"),
    ],
)


def test_the_noun_of_the_rows_is_no_form_of_a_column() -> None:
    assert answer("Which parcels weigh over 8 kg?", PARCELS) == {"p1", "p2"}


def test_the_most_rows_are_not_the_most_of_a_number() -> None:
    assert answer("Which carrier has the most parcels?", PARCELS) == {"swift"}


def test_the_most_in_total_is_refused_where_single_rows_have_another_answer() -> None:
    assert "single rows and sums" in answer("Which carrier has the highest total cost?", PARCELS)
