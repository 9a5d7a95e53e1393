"""`cgstore facts`, `history` and `undo`, and loads that change what is there: what they print, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.cli.conftest import Run


@pytest.fixture
def ratings(db: Database, tmp_path: Path) -> Store:
    """Ann rated Alien twice, and Bob once."""
    store = Store(db)
    path = tmp_path / "ratings.tsv"
    rated = [("Ann", "2020", "5"), ("Ann", "2021", "1"), ("Bob", "2021", "4")]
    path.write_text("".join(f"{who}\trated\tAlien\tyear\t{year}\tstars\t{stars}\n" for who, year, stars in rated))
    store.load_statements(path, name="ratings", header=False)
    return store


@pytest.fixture
def staff(db: Database, tmp_path: Path) -> Store:
    """Ada and Bo work for Acme until further notice."""
    store = Store(db)
    path = tmp_path / "staff.tsv"
    path.write_text("Ada\tworks for\tAcme\t2019-03-18\tpresent\nBo\tworks for\tAcme\t2018-01-08\tpresent\n")
    store.load_tkg(path, name="staff", now="2024-06-30", header=False)
    return store


def test_one_of_two_statements_is_told_by_a_qualifier(ratings: Store, run: Run) -> None:
    result = run("facts", "remove", "ratings", "Ann", "rated", "Alien")
    assert result.exit_code == 2
    assert "2 facts fit" in result.stderr and "a qualifier" in result.stderr
    result = run("facts", "correct", "ratings", "Ann", "rated", "Alien", *["--qualifier", "year=2021"])
    assert "The correction is missing" in result.stderr
    result = run("facts", "remove", "ratings", "Ann", "rated", "Alien", "--qualifier", "year=2021")
    assert result.stdout.splitlines()[1:] == ["  - (Ann, rated, Alien, stars: 1, year: 2021)"]
    result = run("facts", "remove", "ratings", "Ann", "rated", "Alien", "--qualifier", "year=1999")
    assert "No such fact has these qualifiers; there is (Ann, rated, Alien, stars: 5, year: 2020)." in result.stderr


def test_a_dry_run_shows_the_facts_and_changes_nothing(staff: Store, run: Run) -> None:
    result = run("facts", "close", "staff", "Ada", "--at", "2024-03-31", "--dry-run")
    assert result.stdout.splitlines() == [
        "Would change 'staff': 1 fact added and 1 fact removed.",
        "  - (Ada, works for, Acme, 2019-03-18, present)",
        "  + (Ada, works for, Acme, 2019-03-18, 2024-03-31)",
    ]
    assert run("history", "staff").stdout == "'staff' was not changed since it was loaded.\n"


def test_an_undo_says_what_it_took_back(staff: Store, run: Run) -> None:
    run("facts", "close", "staff", "Ada", "--at", "2024-03-31")
    said = run("undo", "staff").stdout.splitlines()
    assert said[0].startswith("Undid change 1 of 'staff' (change 2): 1 fact added and 1 fact removed in ")
    assert said[1:] == [
        "  - (Ada, works for, Acme, 2019-03-18, 2024-03-31)",
        "  + (Ada, works for, Acme, 2019-03-18, present)",
    ]


def test_the_day_until_which_open_facts_hold_is_moved_and_moved_back(staff: Store, run: Run) -> None:
    said = run("facts", "now", "staff", "--at", "2034-06-30").stdout
    assert said.startswith("Changed 'staff' (change 1): open facts hold until 2034-06-30 in ")
    assert "  Open facts hold until 2034-06-30, and not 2024-06-30." in run("history", "staff", "1").stdout
    assert "open facts hold until 2024-06-30" in run("undo", "staff").stdout
    assert [source.now for source in staff.sources()] == ["2024-06-30"]


def test_files_of_another_kind_are_not_appended(ratings: Store, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "more.tsv"
    path.write_text("Cy\trated\tAlien\n")
    result = run("load", "kg", str(path), "--name", "ratings", "--append")
    assert result.exit_code == 2
    assert "Source 'ratings' was loaded by `cgstore load statements`, not `kg`." in result.stderr


def test_a_load_over_a_changed_source_says_what_would_be_lost(staff: Store, run: Run, tmp_path: Path) -> None:
    run("facts", "remove", "staff", "Bo")
    result = run("load", "tkg", str(tmp_path / "staff.tsv"), "--now", "2024-06-30", "--no-header")
    assert result.exit_code == 2
    assert "Source 'staff' was changed once since it was loaded." in result.stderr
    assert "loses its changes and their history" in result.stderr
