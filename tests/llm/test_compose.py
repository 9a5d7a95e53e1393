"""Questions about tables, without a database: what is found in a question, composed of it, and refused."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.anchors import stretches
from cgstore.llm.backends.compose.comparisons import comparison_at, negation_at
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.ranking import Model, shipped_model
from cgstore.llm.backends.compose.readings import readings
from cgstore.llm.backends.compose.signals import Signals
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import (
    Understanding,
    assumptions,
    candidates,
    doubt,
    faults,
    understand,
)
from cgstore.llm.backends.compose.words import QuestionText, stem

COLUMNS = [("Ship", ""), ("Port", ""), ("Built", "number"), ("Length (m)", "number"), ("Left", "date"), ("Sails", "")]
ROWS = [
    ("Bela", "Kiel Harbour", "1961", "40", "2023-03-02", "yes"),
    ("Dena", "Lisbon", "1974", "85", "2023-04-05", "no"),
    ("Grey Gull", "Lisbon", "1990", "62", "2023-04-19", "no"),
    ("Mira", "Kiel Harbour", "1961", "38", "2023-05-01", "yes"),
]
SHIPS = table_of("ships", COLUMNS, ROWS)


def found(question: str, table: Table = SHIPS) -> list[tuple[str, str, tuple[str, ...], str]]:
    """The conditions that a question may state: column, comparison, values, and how they were found."""
    return [
        (table.columns[each.column].name, each.op, each.values, each.how)
        for stretch in stretches(QuestionText(question), table)
        for each in stretch.options
    ]


def understood(question: str, table: Table = SHIPS) -> Understanding:
    """What is understood of a question."""
    model = shipped_model()
    given = understand(candidates(question, table, model), model)
    assert given is not None
    return given


def test_an_article_at_the_end_of_a_question_may_be_a_name() -> None:
    hosts = table_of("hosts", [("Host", ""), ("Port", "number")], [("a", "1"), ("b", "3")])
    assert found("What is the port of a?", hosts) == [("Host", "=", ("a",), "exact")]
    assert found("Is there a port?", hosts) == []


@pytest.mark.parametrize(
    "words",
    [("directed", "director", "directs"), ("won", "winner", "wins"), ("cities", "city"), ("elected", "election")],
)
def test_the_forms_of_a_word_have_one_stem(words: tuple[str, ...]) -> None:
    assert len(set(map(stem, words))) == 1


@pytest.mark.parametrize(
    ("question", "op"),
    [
        ("ships longer than 50", ">"),
        ("ships over 50 m", ">"),
        ("no more than 50", "<="),
        ("at least 50", ">="),
        ("50 or more", ">="),
        ("built before 1970", "<"),
        ("since 1970", ">="),
        ("more gold medals than 50", ">"),
        ("built in 1970", "="),
        ("not 50", "!="),
    ],
)
def test_the_words_around_a_number_compare_it(question: str, op: str) -> None:
    text = QuestionText(question)
    place = next(n for n, form in enumerate(text.forms) if form.isdigit())
    assert comparison_at(text, place, place + 1)[0] == op


@pytest.mark.parametrize("question", ["ships not from Lisbon", "ships other than Lisbon", "all except Lisbon"])
def test_a_value_may_be_excluded(question: str) -> None:
    text = QuestionText(question)
    assert negation_at(text, len(text) - 1)


def test_a_cell_is_found_in_other_case_and_punctuation() -> None:
    assert ("Ship", "=", ("Grey Gull",), "exact") in found("when did the GREY-GULL leave?")


def test_of_cells_with_the_same_words_the_one_that_is_spelt_so_is_meant() -> None:
    table = table_of("games", [("Opponent", "")], [("Boston",), ("@ Boston",)])
    assert found("when did they play Boston?", table) == [("Opponent", "=", ("Boston",), "exact")]
    assert found("the game @ Boston", table) == [("Opponent", "=", ("@ Boston",), "exact")]


def test_a_cell_is_found_by_a_part_of_its_words() -> None:
    assert ("Port", "=", ("Kiel Harbour",), "part") in found("which ships are in Kiel?")


def test_a_number_is_compared_in_columns_whose_values_it_may_part() -> None:
    assert {(name, op) for name, op, _, _ in found("ships longer than 50")} == {("Length (m)", ">")}


def test_a_date_is_found_however_it_is_written() -> None:
    assert ("Left", "=", ("2023-04-05",), "number") in found("which ship left on 5 April 2023?")


def test_a_month_without_a_year_is_one_of_dates() -> None:
    assert ("Left", "month", ("4",), "number") in found("which ships left in April?")


def test_a_column_of_yes_and_no_is_a_condition() -> None:
    assert ("Sails", "=", ("yes",), "flag") in found("which ship sails?")
    assert ("Sails", "=", ("no",), "flag") in found("which ship never sails?")


def test_two_values_of_one_column_are_alternatives() -> None:
    text = QuestionText("ships from Lisbon or Kiel Harbour")
    signals = Signals(text)
    given = {
        denotation(each, SHIPS)
        for each in readings(text, SHIPS, signals, stretches(text, SHIPS))
        if each.operation == "list" and len(each.conditions) == 2 and each.target == 0 and not each.superlative
    }
    assert given == {frozenset(("bela", "dena", "grey gull", "mira"))}


def test_a_superlative_in_the_name_of_a_column_is_none() -> None:
    table = table_of("peaks", [("Peak", ""), ("First ascent", "number")], [("Elm", "1786"), ("Oak", "1801")])
    signals = Signals(QuestionText("when was the first ascent of Elm?"))
    assert signals.extremes
    Context(signals.text, table, signals)
    assert not signals.extremes


DENA = "get_information(relation='Ship', tail_entity='Dena')"
LISBON = "get_information(relation='Port', tail_entity='Lisbon')"
LONG = "get_information(relation='Length (m)', tail_entity>'50')"
PROGRAMS = {
    "Which port is the Dena in?": f"get_information(head_entity={DENA}, relation='Port')",
    "How many ships are in Lisbon?": f"count(set={LISBON})",
    "What is the average length of the ships in Lisbon?": (
        f"mean(set=get_information(head_entity={LISBON}, relation='Length (m)'))"
    ),
    "Which ship has a length of more than 50?": f"get_information(head_entity={LONG}, relation='Ship')",
    "Which ship left Lisbon most recently?": (
        f"get_information(head_entity=argmax(set={LISBON}, relation='Left'), relation='Ship')"
    ),
}


@pytest.mark.parametrize(("question", "program"), PROGRAMS.items())
def test_a_question_becomes_a_program(question: str, program: str) -> None:
    given = understood(question)
    assert Writer(SHIPS).program(given.best.reading) == program
    assert not list(faults(given))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which ship became the flagship of Lisbon?", "became"),
        ("Which ships have the same port as the Dena?", "same"),
        ("Which ship is half as long as the Dena?", "half"),
        ("Which ship in Lisbon carries Zanzibar?", "Zanzibar"),
        ("Which port has the most money?", "money"),
    ],
)
def test_a_word_that_carries_meaning_is_used_or_named_as_the_reason_for_no_answer(question: str, word: str) -> None:
    given = understood(question)
    reasons = " ".join(faults(given))
    assert f"'{word}'" in reasons


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Has Bela sunk?", "sunk"),
        ("Does Grey Gull like coffee?", "coffee"),
        ("Is there a submarine in Lisbon?", "submarine"),
        ("Which ports were bombed?", "bombed"),
        ("Who is the captain of the ship Bela?", "captain"),
    ],
)
def test_no_word_is_dropped_where_nearly_every_question_would_have_the_answer(question: str, word: str) -> None:
    assert f"'{word}'" in " ".join(faults(understood(question)))


def test_the_row_of_a_name_is_not_counted_as_something_else() -> None:
    assert "'Bela' is one row" in " ".join(faults(understood("How many captains did Bela have?")))


def test_an_amount_is_added_up_where_a_column_has_this_name() -> None:
    sales = table_of("sales", [("Port", ""), ("Amount", "number")], [("Kiel", "5"), ("Kiel", "7"), ("Lisbon", "9")])
    given = understood("Total amount of Kiel", sales)
    assert given.best.gives == {12.0}
    assert not list(faults(given))


def test_the_noun_of_a_count_that_no_column_explains_is_in_a_note() -> None:
    given = understood("How many tourists were in Lisbon?")
    assert "Rows were counted: 'tourists' was taken for them." in list(assumptions(given))


def test_a_doubt_names_what_may_be_meant() -> None:
    table = table_of("games", [("Home", ""), ("Away", "")], [("Ulm", "Ems"), ("Ems", "Ulm"), ("Bonn", "Ulm")])
    given = understood("Bonn or Ulm", table)
    assert given.confidence < 1
    assert doubt(given)


def test_probabilities_of_readings_are_those_of_a_log_linear_model() -> None:
    model = Model({"a": 1.0})
    one, other = model.probabilities([model.score({"a": 2.0}), model.score({"a": 1.0, "b": 5.0})])
    assert one == pytest.approx(0.7311, abs=1e-4)
    assert one + other == pytest.approx(1)


def test_conditions_of_one_stretch_are_told_apart_by_their_columns() -> None:
    (stretch,) = stretches(QuestionText("in 1961"), SHIPS)
    assert [each.column for each in stretch.options] == [2]
    assert all(isinstance(each, Condition) for each in stretch.options)
