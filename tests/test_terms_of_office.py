"""Questions about offices that people held several times, and that some still hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cgstore.cypher.connection import Database
from cgstore.model import Answer
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe

TERMS = [
    ("Anna Weiss", "mayor of", "Halm", "1952-05-01", "1956-04-30"),
    ("Anna Weiss", "mayor of", "Halm", "1960-05-01", "1966-02-11"),
    ("Bruno Kehl", "mayor of", "Halm", "1956-05-01", "1960-04-30"),
    ("Carl Dorn", "mayor of", "Ulm", "1952-05-01", "1956-04-30"),
    ("Carl Dorn", "mayor of", "Ulm", "1952-05-01", "1970-12-31"),
    ("Dora Lenz", "mayor of", "Halm", "1974", "1978-06-30"),
    ("Dora Lenz", "mayor of", "Halm", "1999-01-01", "present"),
    ("Emil Falk", "abbot of", "Moor", "1590s", "1604"),
]
"""The terms by day: one ends with the next one's start, two begin on one day, and one is open."""

BY_DAY, OLD = "terms", "old"
"""Sources of these terms: as they are loaded, and as earlier versions of cgstore left them."""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    wipe(shared_db)
    file, store = tmp_path_factory.mktemp("terms") / "terms.tsv", Store(shared_db)
    file.write_text("".join("\t".join(term) + "\n" for term in TERMS), encoding="utf-8")
    for name in (BY_DAY, OLD):
        store.load_tkg(file, name=name, header=False, step="day", now="2024-06-30")
    store.db.write(f"MATCH ()-[v:CG_VALUE {{source: '{OLD}'}}]->() REMOVE v.ends")
    store.db.write(f"MATCH (s:CgSource {{name: '{OLD}'}}) REMOVE s.ends, s.now")
    yield store
    wipe(shared_db)


def ask(store: Store, arguments: str, source: str = BY_DAY) -> Answer:
    return store.query(f"get_information({arguments})", source, exact=True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("head_entity='Anna Weiss', key='end_time', where_key='start_time', where_value='1960-05-01'", ["1966-02-11"]),
        ("head_entity='Anna Weiss', key='end_time', where_key='start_time', where_value<'1955'", ["1956-04-30"]),
        ("head_entity='Anna Weiss', key='start_time', where_key='end_time', where_value='1956'", ["1952-05-01"]),
        (
            "head_entity='Carl Dorn', key='end_time', where_key='start_time', where_value='1952-05-01'",
            ["1956-04-30", "1970-12-31"],
        ),
        ("head_entity='Dora Lenz', key='end_time', where_key='start_time', where_value>'1990'", []),
        ("head_entity='Dora Lenz', key='end_time', where_key='start_time', where_value='1974'", ["1978-06-30"]),
        ("head_entity='Anna Weiss', key='start_time', where_key='start_time', where_value>'1955'", ["1960-05-01"]),
        (
            "head_entity='Anna Weiss', key='end_time', where_key='start_time', where_value>'1950', "
            "where_key2='end_time', where_value2<'1960'",
            ["1956-04-30"],
        ),
        (
            "relation='mayor of', tail_entity='Halm', key='start_time', value='1952', "
            "where_key='end_time', where_value='1966'",
            [],
        ),
        (
            "relation='mayor of', tail_entity='Halm', key='start_time', value='1960', "
            "where_key='end_time', where_value='1966'",
            ["Anna Weiss"],
        ),
        ("key='start_time', where_key='end_time', where_value='1966-02-11'", ["1960-05-01"]),
    ],
)
def test_an_end_belongs_to_its_start(store: Store, arguments: str, expected: list[str]) -> None:
    answer = ask(store, arguments)
    assert list(answer.answer) == expected
    assert not any("period" in note for note in answer.warnings)


def test_ends_that_an_old_source_does_not_tell_apart_are_noted(store: Store) -> None:
    answer = ask(store, "head_entity='Anna Weiss', key='end_time', where_key='start_time', where_value='1960'", OLD)
    assert list(answer.answer) == ["1956-04-30", "1966-02-11"]
    assert any("does not say which end belongs to which start" in note for note in answer.warnings)


def test_times_that_may_be_those_of_another_period_are_noted(store: Store) -> None:
    answer = ask(store, "head_entity='Anna Weiss', key='time', where_key='start_time', where_value='1960'")
    assert any("`time` means the times of all of them" in note for note in answer.warnings)


# Days


@pytest.mark.parametrize("function", ["next_row", "previous_row"])
def test_the_day_beside_a_date_is_said_not_to_be_worked_out(store: Store, function: str) -> None:
    program = f"{function}(set=get_information(head_entity='Bruno Kehl', key='end_time'))"
    assert any("is not the day beside a date" in note for note in store.query(program, BY_DAY, exact=True).warnings)


def test_years_bc_have_a_difference(store: Store) -> None:
    answer = store.query("year_difference('44 BC', '79 CE')", BY_DAY, exact=True)
    assert list(answer.answer) == [122]
    assert "'44 BC' was read as -43." in answer.warnings


def test_a_year_of_a_difference_is_refused_with_an_example_of_a_year(store: Store) -> None:
    with pytest.raises(ProgramError, match="Write it as 1999, 44 BC or 2004-07-02"):
        store.query("year_difference('long ago', '79 CE')", BY_DAY, exact=True)


def test_a_day_that_the_calendar_lacks_is_refused_with_the_length_of_the_month(store: Store) -> None:
    for program in (
        "get_information(relation='mayor of', key='time', value='1956-04-31')",
        "day_difference('1956-04-31', '1956-05-01')",
    ):
        with pytest.raises(ProgramError, match="April 1956 has 30 days"):
            store.query(program, BY_DAY, exact=True)


# Open facts


@pytest.mark.parametrize("compared", ["='2025-05-01'", ">='2025'", ">'2025-01'", ">'2024-06-30'"])
def test_a_time_after_that_until_which_open_facts_hold_is_noted(store: Store, compared: str) -> None:
    answer = ask(store, f"relation='mayor of', tail_entity='Halm', key='time', value{compared}")
    assert not answer.answer
    (note,) = (note for note in answer.warnings if "open facts" in note)
    assert "The open facts of 'terms' hold until 2024-06-30: nothing is known of later times." in note
    assert "`cgstore facts now terms`" in note


@pytest.mark.parametrize("compared", ["='2024-06-30'", "='2024'", ">='2024'", "<'2025-05-01'", ">'2020'"])
def test_a_time_until_which_open_facts_hold_is_not_noted(store: Store, compared: str) -> None:
    answer = ask(store, f"relation='mayor of', tail_entity='Halm', key='time', value{compared}")
    assert "Dora Lenz" in answer.answer
    assert not any("open facts" in note for note in answer.warnings)


# Times that are less exact


@pytest.mark.parametrize(
    ("arguments", "time"),
    [
        ("relation='abbot of', key='start_time', value='1595'", "1590s"),
        ("relation='mayor of', key='start_time', value='1974-05-01'", "1974"),
        ("relation='mayor of', key='end_time', where_key='start_time', where_value='1974-05-01'", "1974"),
        ("relation='mayor of', tail_entity='Halm', key='start_time', value='1974-05-01'", "1974"),
    ],
)
def test_a_less_exact_time_that_an_equal_one_may_mean_is_noted(store: Store, arguments: str, time: str) -> None:
    warnings = ask(store, arguments).warnings
    assert any(f"less exact than those beside it ('{time}') was compared" in note for note in warnings)


def test_an_equal_time_as_exact_as_asked_has_no_note(store: Store) -> None:
    assert not ask(store, "relation='mayor of', key='start_time', value='1974'").warnings


def test_a_note_is_given_once(store: Store) -> None:
    program = "first(set=sort(set=get_information(relation='mayor of', key='start_time')), n='2')"
    warnings = store.query(program, BY_DAY, exact=True).warnings
    assert len(warnings) == len(set(warnings)) == 1
