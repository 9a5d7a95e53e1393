"""Changes of tables: their rows, the numbers of these, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cgstore.change import rows
from cgstore.change.commit import commit
from cgstore.cypher.connection import Database
from cgstore.store import Store

Rows = list[dict[str, str]]


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    path = tmp_path / "cities.csv"
    path.write_text("City,Stars\nUlm,1\nGraz,2\n")
    store = Store(db)
    store.load_table(path)
    return store


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change takes two rows of the table of these tests."""
    monkeypatch.setattr(rows, "PART", 6)


@pytest.fixture
def killed_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Has a command end after so many changes."""

    def after(changes: int) -> None:
        left = changes

        def one(*args: Any, **options: Any) -> Any:
            nonlocal left
            if not left:
                monkeypatch.setattr(rows, "commit", commit)
                raise KeyboardInterrupt
            left -= 1
            return commit(*args, **options)

        monkeypatch.setattr(rows, "commit", one)

    return after


def named(*names: str) -> Rows:
    return [{"City": name, "Stars": "3"} for name in names]


def cities(store: Store) -> list[str]:
    """The cells of the first column, in the order of the rows, repeated ones too."""
    found = store.query("select(set=heads(relation='City'), 'City')", ["cities"])
    return [str(row[-1]) for row in found.rows]


FIVE = named("Linz", "Bern", "Lyon", "Rome", "Bonn")


@pytest.mark.usefixtures("small_parts")
def test_an_append_that_was_cut_short_goes_on_after_its_last_part(
    store: Store, killed_after: Callable[[int], None]
) -> None:
    killed_after(2)
    with pytest.raises(KeyboardInterrupt):
        store.append("cities", FIVE)
    report = store.append("cities", FIVE)
    assert cities(store) == ["Ulm", "Graz", "Linz", "Bern", "Lyon", "Rome", "Bonn"]
    assert report.changes == (3,)
    assert report.warnings == (
        "Changes 1 and 2 had appended parts 1 and 2 of 3 of these rows before the command was cut short. Only the "
        "other rows are appended now.",
    )


@pytest.mark.usefixtures("small_parts")
def test_an_append_goes_on_although_the_source_was_changed_meanwhile(
    store: Store, killed_after: Callable[[int], None]
) -> None:
    killed_after(1)
    with pytest.raises(KeyboardInterrupt):
        store.append("cities", FIVE)
    with store.changing("cities") as change:
        change.correct("[line_1]", "Stars", to={"tail": "5"})
    store.append("cities", FIVE)
    assert cities(store) == ["Ulm", "Graz", "Linz", "Bern", "Lyon", "Rome", "Bonn"]


@pytest.mark.usefixtures("small_parts")
def test_a_part_that_was_undone_is_appended_again(store: Store, killed_after: Callable[[int], None]) -> None:
    killed_after(1)
    with pytest.raises(KeyboardInterrupt):
        store.append("cities", FIVE)
    store.undo("cities")
    assert store.append("cities", FIVE).warnings == ()
    assert cities(store) == ["Ulm", "Graz", "Linz", "Bern", "Lyon", "Rome", "Bonn"]
    store.undo("cities", 2)  # the first part again
    assert len(cities(store)) == 9


@pytest.mark.usefixtures("small_parts")
def test_two_processes_that_finish_the_same_append_do_not_double_its_rows(
    store: Store, killed_after: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_after(1)
    with pytest.raises(KeyboardInterrupt):
        store.append("cities", FIVE)

    def after_the_other(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(rows, "commit", commit)
        store.append("cities", FIVE)
        return commit(*args, **options)

    monkeypatch.setattr(rows, "commit", after_the_other)
    assert store.append("cities", FIVE).changes == ()
    assert cities(store) == ["Ulm", "Graz", "Linz", "Bern", "Lyon", "Rome", "Bonn"]


def test_the_same_rows_are_appended_once_more_with_a_note(store: Store) -> None:
    assert store.append("cities", named("Linz")).warnings == ()
    report = store.append("cities", named("Linz"))
    assert cities(store) == ["Ulm", "Graz", "Linz", "Linz"]
    assert report.warnings == (
        "Change 1 had appended the same rows already; they are appended once more. To take them out again: "
        "`cgstore undo cities 2`.",
    )


def test_rows_whose_append_was_undone_are_appended_without_a_note(store: Store) -> None:
    store.append("cities", named("Linz"))
    store.undo("cities")
    assert store.append("cities", named("Linz")).warnings == ()


def test_rows_that_were_upserted_are_appended_without_a_note(store: Store) -> None:
    store.upsert("cities", named("Linz"), key=["City"])
    assert store.append("cities", named("Linz")).warnings == ()


@pytest.mark.usefixtures("small_parts")
def test_other_rows_after_an_append_that_was_cut_short_have_a_note(
    store: Store, killed_after: Callable[[int], None]
) -> None:
    killed_after(1)
    with pytest.raises(KeyboardInterrupt):
        store.append("cities", FIVE)
    (note,) = store.append("cities", named("Wien")).warnings
    assert note.startswith("Change 1 is part 1 of 3 of an append that was cut short, and its rows are there.")
    assert store.append("cities", named("Brno")).warnings == ()


@pytest.mark.usefixtures("small_parts")
def test_the_history_has_the_parts_of_a_command(store: Store) -> None:
    store.append("cities", FIVE)
    store.upsert("cities", named("Wien"), key=["City"])
    assert [(each.part, each.parts) for each in store.history("cities")] == [(1, 3), (2, 3), (3, 3), (1, 1)]


def test_a_dry_run_of_rows_that_were_appended_notes_it_too(store: Store) -> None:
    store.append("cities", named("Linz"))
    report = store.append("cities", named("Linz"), dry_run=True)
    assert report.warnings == ("Change 1 had appended the same rows already; they are appended once more.",)
