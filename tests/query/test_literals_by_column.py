"""What a literal means against a column: dates as people write them, codes with zeros, units that do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe

TABLE = """\
name;code;since;opens;price;area;discount
A;007;12. November 2019;09:30:00;CHF 1'000.00;100 m²;50%
B;7;3. April 2021;10:00:00;EUR 1'100.00;80 m²;8%
C;12;Mai 2016;09:30:00;CHF 5.00;300 m²;9%
"""
DAYS = "Flood\tlasted\tKolm\t1985-03-20\t1985-03-22\n"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder: Path = tmp_path_factory.mktemp("literals")
    (folder / "shop.csv").write_text(TABLE, encoding="utf-8")
    (folder / "days.tsv").write_text(DAYS, encoding="utf-8")
    store = Store(shared_db)
    store.load_table(folder / "shop.csv")
    store.load_tkg(folder / "days.tsv")
    return store


@pytest.mark.parametrize(
    ("comparison", "names"),
    [
        ("key='since', value='12.11.2019'", ("A",)),
        ("key='since', value='November 2019'", ("A",)),
        ("key='since', value='12. November 2019'", ("A",)),
        ("key='opens', value='9:30'", ("A", "C")),
        ("key='code', value='007'", ("A",)),
    ],
)
def test_equal_reads_a_literal_as_the_column_is_read(comparison: str, names: tuple[str, ...], store: Store) -> None:
    answer = store.query(f"get_information(relation='name', {comparison})", ["shop"])
    assert (answer.answer, answer.warnings) == (names, ())


@pytest.mark.parametrize(
    ("comparison", "note"),
    [
        ("key='area', value>'1 km²'", "The unit of '1 km²' does not count"),
        ("key='price', value>'EUR 1000'", "The currency of 'EUR 1000' does not count"),
        ("key='discount', value>'0.1'", "'0.1' was read as 0.1%"),
    ],
)
def test_what_does_not_count_in_a_literal_is_said(comparison: str, note: str, store: Store) -> None:
    (warning,) = store.query(f"get_information(relation='name', {comparison})", ["shop"]).warnings
    assert warning.startswith(note)


def test_a_difference_of_dates_says_that_it_is_in_years(store: Store) -> None:
    both = [f"get_information(head_entity='Flood', key='{key}')" for key in ("end_time", "start_time")]
    answer = store.query(f"difference(a={both[0]}, b={both[1]})", ["days"])
    assert answer.answer[0] == pytest.approx(2 / 365)
    assert any("scale of years" in warning for warning in answer.warnings)
