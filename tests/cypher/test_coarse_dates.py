"""Cells, starts and ends that are only a year or a month, beside a bound or a time that is more exact."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore import Store
from cgstore.cypher.connection import Database
from tests.conftest import wipe

ROWS = "id,date\n1,2004-06-10\n2,2004\n3,June 2004\n4,2005-01-03\n5,2003\n6,2004-07-01\n7,2004-02-11\n8,2004-03-12\n"
BOTH = "Query 1: 2 dates say only a year or a month ('2004', 'June 2004'); each was compared as its first day."
YEAR = "Query 1: a date says only a year or a month ('2004'); it was compared as its first day."


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("coarse") / "orders.csv"
    path.write_text(ROWS, encoding="utf-8")
    store = Store(shared_db)
    store.load_table(path)
    return store


@pytest.mark.parametrize(
    ("bound", "notes"),
    [
        (">'2004-06-05'", (BOTH,)),
        ("<'2004-06-10'", (BOTH,)),
        (">'June 2004'", (YEAR,)),
        (">='2004-05', value<'2004-07-01'", (YEAR,)),
        ("<='2004'", ()),
        (">'2003'", ()),
        (">'2001-05-05'", ()),
    ],
)
def test_a_note_counts_dates_that_may_lie_on_either_side_of_a_bound(
    store: Store, bound: str, notes: tuple[str, ...]
) -> None:
    assert store.query(f"get_information(relation='id', key='date', value{bound})", ["orders"]).warnings == notes


def test_keep_notes_them_too(store: Store) -> None:
    answer = store.query("keep(set=get_information(relation='date'), value>='2004-06-05')", ["orders"])
    assert answer.warnings == (BOTH,)


FACTS = """head,relation,tail,start,end
Ann,minister of,Finance,1985,1987-03-04
Dora,minister of,War,1985-06-01,1986-12
Strike,took place in,Ostra,1987,1987
"""
STARTS = "get_information(relation='minister of', key='start_time')"
START = "Query 1: a time that is less exact than those beside it ('1985') was {} as its beginning."


@pytest.fixture(scope="module")
def facts(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Store:
    path = tmp_path_factory.mktemp("coarse") / "facts.csv"
    path.write_text(FACTS, encoding="utf-8")
    store.load_tkg(path)
    return store


@pytest.mark.parametrize(
    ("program", "answer", "notes"),
    [
        (STARTS.replace(")", ", value<'1985-03-01')"), ("Ann",), (START.format("compared"),)),
        (STARTS.replace(")", ", value='1985')"), ("Ann", "Dora"), ()),
        (STARTS.replace(")", ", value<'1986')"), ("Ann", "Dora"), ()),
        (f"keep(set={STARTS}, value<'1985-06-10')", ("1985", "1985-06-01"), (START.format("compared"),)),
        (f"min(set={STARTS})", ("1985",), (START.format("taken"),)),
        ("max(set=get_information(head_entity='Ann', key='start_time'))", ("1985",), ()),
    ],
)
def test_a_start_that_is_only_a_year_is_noted_where_its_day_would_count(
    facts: Store, program: str, answer: tuple[str, ...], notes: tuple[str, ...]
) -> None:
    found = facts.query(program, ["facts"])
    assert (found.answer, found.warnings) == (answer, notes)


def test_a_less_exact_start_that_a_change_brings_is_noted_too(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "exact.csv"
    path.write_text("Ann,minister of,Finance,1985-02-01,1987-03-04\n", encoding="utf-8")
    store.load_tkg(path, header=False)
    program = STARTS.replace(")", ", value<'1985-03-01')")
    assert store.query(program, ["exact"]).warnings == ()
    store.append("exact", [("Dora", "minister of", "War", "1985", "1986-12-01")])
    found = store.query(program, ["exact"])
    assert (found.answer, found.warnings) == (("Ann", "Dora"), (START.format("compared"),))


@pytest.mark.parametrize(
    ("program", "answer", "verb"),
    [
        ("get_information(relation='worked in', key='start_time', value<'1825')", ("Ada",), "compared"),
        ("keep(set=get_information(relation='worked in', key='start_time'), value<'1825')", ("1820s",), "compared"),
        ("extract_year(set=get_information(head_entity='Ada', key='start_time'))", (1820,), "taken"),
        ("get_information(relation='worked in', key='start_time', value='1820s')", ("Ada",), ""),
        ("get_information(relation='worked in', key='time', value='the 1820s')", ("Ada",), ""),
        ("get_information(relation='worked in', key='start_time', value<'1830')", ("Ada",), ""),
    ],
)
def test_a_decade_is_noted_where_its_first_year_would_count(
    store: Store, tmp_path: Path, program: str, answer: tuple[object, ...], verb: str
) -> None:
    path = tmp_path / "years.csv"
    path.write_text("head,relation,tail,start,end\nAda,worked in,Paris,1820s,1840\nBob,worked in,Ulm,1835,1836\n")
    store.load_tkg(path)
    found = store.query(program, ["years"])
    notes = (START.format(verb).replace("1985", "1820s"),) if verb else ()
    assert (found.answer, found.warnings) == (answer, notes)


def test_a_difference_notes_the_start_that_was_taken_as_a_day(facts: Store) -> None:
    end, start = (f"get_information(head_entity='Ann', key='{key}')" for key in ("end_time", "start_time"))
    assert START.format("taken") in facts.query(f"subtract({end}, {start})", ["facts"]).warnings


@pytest.mark.parametrize(
    ("program", "source", "answer", "note"),
    [
        (
            "get_information(relation='minister of', key='time', "
            "value=get_information(head_entity='Strike', key='start_time'))",
            "facts",
            (),
            "no day equals what is less exact (1987), which finds nothing among days. "
            "Write value='1987' for all of its days.",
        ),
        (
            "get_information(relation='worked in', key='time', source='years', "
            "value=get_information(head_entity='Dora', key='start_time', source='facts'))",
            "",
            (),
            "no year equals what is more exact (1985-06-01), which finds nothing among years. "
            "Write extract_year(set=...) around it, or the time itself.",
        ),
        # A start or an end is as exact as it is said, and equals another such.
        (
            "get_information(relation='minister of', key='end_time', value=max(get_information(key='end_time')))",
            "facts",
            ("Ann",),
            "",
        ),
        ("count(get_information(head_entity='Nobody', key='time'))", "facts", (0,), ""),
    ],
)
def test_times_of_one_source_are_not_those_of_another_that_is_less_exact(
    facts: Store, tmp_path: Path, program: str, source: str, answer: tuple[object, ...], note: str
) -> None:
    path = tmp_path / "years.csv"
    path.write_text("head,relation,tail,start,end\nAda,worked in,Paris,1980,1990\nNobody,knew,Ada,1980,1981\n")
    facts.load_tkg(path, replace=True)
    found = facts.query(program, [source] if source else ["facts", "years"])
    assert found.answer == answer
    assert [w for w in found.warnings if "BC" in w or "equals" in w] == ([f"Query 1: {note}"] if note else [])
