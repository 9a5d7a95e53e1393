"""Cells that are only a year or a month, beside a bound inside that year or month."""

from __future__ import annotations

import pytest

from cgstore import Store
from cgstore.cypher.connection import Database
from tests.conftest import wipe

ROWS = "id,date\n1,2004-06-10\n2,2004\n3,June 2004\n4,2005-01-03\n5,2003\n6,2004-07-01\n7,2004-02-11\n8,2004-03-12\n"
BOTH = "Query 1: 2 dates that are only a year or a month ('2004', 'June 2004') were compared as the first day of it."
YEAR = "Query 1: a date that is only a year or a month ('2004') was compared as the first day of it."


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
