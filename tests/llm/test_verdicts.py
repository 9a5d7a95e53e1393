"""Yes or no over a table, without a database: what the cells say, and questions that get no answer."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.programs import Writer
from cgstore.llm.backends.compose.ranking import shipped_model
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import (
    Understanding,
    assumptions,
    candidates,
    faults,
    understand,
    yes_or_no,
)

PARCELS = table_of(
    "parcels",
    [
        ("Parcel No", "number"),
        ("Client", ""),
        ("Content", ""),
        ("Delivered", "date"),
        ("Status", ""),
        ("Insured", ""),
        ("In stock", "number"),
        ("Fragile", "number"),
    ],
    [
        ("71", "Ida Berg", "cups", "2024-02-03", "closed", "yes", "4", "1"),
        ("72", "Ida Berg", "ropes", "", "open", "no", "0", "0"),
        ("73", "Ole Dahl", "cups", "2024-02-09", "closed", "yes", "2", "1"),
        ("74", "Mona Eck", "sails", "2024-02-11", "closed", "", "7", "0"),
    ],
)
CREW = table_of(
    "crew",
    [("Name", ""), ("Rank", ""), ("Signed on", "date"), ("Born", "number"), ("Mentor", "")],
    [
        ("Ada Voss", "mate", "2015-04-01", "1980", "Kit Lund"),
        ("Kit Lund", "captain", "2011-02-01", "1969", ""),
        ("Bo Nyberg", "mate", "2019-08-01", "1994", "Kit Lund"),
    ],
)


def given(question: str, table: Table = PARCELS) -> Understanding:
    """What is understood of a question for yes or no that has an answer."""
    found = yes_or_no(question, [table])
    assert isinstance(found, Understanding), found
    return found


def refused(question: str, table: Table = PARCELS) -> str:
    """Why there is no answer to a question, in one text."""
    found = yes_or_no(question, [table])
    if isinstance(found, str):
        return found
    model = shipped_model()
    understood = found or understand(candidates(question, table, model), model)
    assert understood is not None
    return " ".join(faults(understood))


@pytest.mark.parametrize(
    ("question", "answer", "note"),
    [
        ("Was parcel 71 delivered?", "yes", "'Delivered' is '2024-02-03'."),
        ("Was parcel 72 closed?", "no", "'Status' is 'open'."),
        ("is parcel 72 insured?", "no", "'Insured' is 'no'."),
        ("is parcel 73 fragile?", "yes", "'Fragile' is '1'."),
        ("is parcel 74 fragile?", "no", "'Fragile' is '0'."),
        ("Do we have any ropes?", "no", "'In stock' is '0'."),
        ("do we have sails?", "yes", "'In stock' is '7'."),
    ],
)
def test_yes_or_no_is_read_from_the_cell_which_a_note_holds(question: str, answer: str, note: str) -> None:
    found = given(question)
    assert found.best.gives == {answer}
    assert note in list(assumptions(found))


@pytest.mark.parametrize(
    ("question", "answer"), [("Was Ole Dahl with cups?", "yes"), ("Are there any open parcels?", "yes")]
)
def test_rows_with_all_that_is_said_are_a_yes(question: str, answer: str) -> None:
    assert given(question).best.gives == {answer}


def test_all_is_a_yes_if_every_row_is_so() -> None:
    found = given("Are all cups insured?")
    assert found.best.gives == {"yes"}
    assert Writer(PARCELS).program(found.best.reading).startswith("equals(value1=count(")


def test_all_is_a_no_with_the_rows_that_are_not_so() -> None:
    found = given("Were all parcels of Ida Berg closed?")
    assert found.best.gives == {"no"}
    assert any("1 of 2 rows are so, not: '72'" in note or "('Status': 'open')" in note for note in assumptions(found))


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Was parcel 72 delivered?", "the cell of 'Delivered' is empty"),
        ("Were the parcels of Ida Berg delivered?", "1 of 2 rows are so"),
        ("Is Ida Berg there only in Lisbon?", "'Lisbon'"),
        ("Is parcel 71 never closed?", "'never'"),
        ("Is Ida Berg?", "it is not understood what is asked about 'Ida Berg'"),
        ("Is parcel 71 a sailor?", "it is not clear that 'sailor' means 'sails'"),
        ("Was parcel 71 delivered or closed?", "'or'"),
    ],
)
def test_yes_or_no_is_refused_in_doubt(question: str, reason: str) -> None:
    assert reason in refused(question)


def test_a_name_in_a_row_is_no_yes_to_something_else() -> None:
    assert "'customer'" in refused("Is Ada Voss a customer?", CREW)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Was Ada Voss or Bo Nyberg born earlier?", "ada voss"), ("is Kit Lund a mate or captain?", "captain")],
)
def test_one_of_two_is_chosen(question: str, answer: str) -> None:
    assert given(question, CREW).best.gives == {answer}


@pytest.mark.parametrize(
    ("question", "table", "reason"),
    [
        ("Who was promoted after Ada Voss?", CREW, "'promoted'"),
        ("When did Ada Voss leave?", CREW, "'leave'"),
        ("Which clients never got cups?", PARCELS, "'never'"),
        ("How many kilos did Ida Berg get?", PARCELS, "'kilos'"),
        ("How many boxes of cups are there?", PARCELS, "'boxes'"),
    ],
)
def test_an_answer_to_another_question_is_refused(question: str, table: Table, reason: str) -> None:
    model = shipped_model()
    found = understand(candidates(question, table, model), model)
    assert found is not None
    reasons = " ".join(faults(found))
    assert reason in reasons or found.confidence < 0.6


def test_words_that_are_known_are_refused_by_what_they_are_said_of() -> None:
    assert "what is excluded by 'not' is not understood" in refused("Which parcels of Ida Berg are not?")


def test_the_number_of_a_thing_is_no_count() -> None:
    model = shipped_model()
    found = understand(candidates("What is the phone number of Ida Berg?", PARCELS, model), model)
    assert found is not None
    assert found.best.reading.operation != "count"


def test_exact_words_name_a_column_before_other_forms() -> None:
    table = table_of(
        "sales",
        [("Order No", "number"), ("Ordered on", "date"), ("Item", "")],
        [("1", "2024-01-02", "cups"), ("2", "2024-01-05", "ropes")],
    )
    model = shipped_model()
    found = understand(candidates("what was ordered on 5 January 2024?", table, model), model)
    assert found is not None
    assert found.best.gives == {"ropes"}


def test_a_row_of_totals_that_is_left_out_is_noted() -> None:
    table = table_of(
        "sales",
        [("Shop", ""), ("Amount", "number")],
        [("Ulm", "5"), ("Ems", "7"), ("Bonn", "9"), ("Total", "21")],
    )
    model = shipped_model()
    found = understand(candidates("What is the sum of Amount?", table, model), model)
    assert found is not None
    assert found.best.gives == {21.0}
    assert "Row 4 ('Total') looks like a total of other rows, and was left out." in list(assumptions(found))
