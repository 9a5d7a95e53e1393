"""Changes of tables: their rows, the numbers of these, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cgstore.change import rows
from cgstore.change.commit import commit
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.store import Store
from tests.change.graph import triples

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


# Cells of a table that are changed one by one.


@pytest.fixture
def shop(db: Database, tmp_path: Path) -> Store:
    path = tmp_path / "shop.csv"
    path.write_text("SKU,Price,Stock,Listed\nA-1,4.50,10,2024-01-02\nA-2,3.20,7,2024-02-03\nA-3,8.00,,2024-03-04\n")
    store = Store(db)
    store.load_table(path)
    return store


def exported(store: Store, folder: Path, ending: str = "csv") -> list[str]:
    out = folder / f"out.{ending}"
    store.export("shop", out)
    return [line.replace('"', "") for line in out.read_text().splitlines()][ending != "jsonl" :]


def corrected(store: Store, *which: str, **to: str) -> None:
    with store.changing("shop") as change:
        change.correct(*which, to=to)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_cell_that_was_removed_is_empty(shop: Store, tmp_path: Path, ending: str) -> None:
    with shop.changing("shop") as change:
        change.remove("[line_2]", "Price")
    expected = {
        "csv": "A-2,,7,2024-02-03",
        "tsv": "A-2\t\t7\t2024-02-03",
        "jsonl": "{SKU: A-2, Price: , Stock: 7, Listed: 2024-02-03}",
    }
    assert exported(shop, tmp_path, ending)[1] == expected[ending]
    assert [column.missing for column in shop.describe("shop").relations] == [0, 1, 1, 0]
    shop.undo("shop")
    assert exported(shop, tmp_path)[1] == "A-2,3.20,7,2024-02-03"


def test_a_row_is_removed_with_its_number_and_comes_back_with_it(shop: Store, tmp_path: Path) -> None:
    before = triples(shop.db, "shop")
    with shop.changing("shop") as change:
        change.remove("[line_2]", every=True)
    assert len(exported(shop, tmp_path)) == 2
    shop.undo("shop")
    assert triples(shop.db, "shop") == before


def test_the_number_of_a_row_is_neither_removed_nor_corrected(shop: Store) -> None:
    with pytest.raises(BadInput, match="number of a row cannot be removed"), shop.changing("shop") as change:
        change.remove("[line_2]", "row_number")
    with pytest.raises(BadInput, match="number of a row cannot be changed"):
        corrected(shop, "[line_2]", "row_number", tail="55")
    with pytest.raises(BadInput, match="number of a row cannot be changed"):
        corrected(shop, "[line_2]", "Stock", relation="row_number")
    assert shop.history("shop") == []


def test_a_correction_invents_no_column_and_no_row(shop: Store) -> None:
    with pytest.raises(BadInput, match="no column 'Stocc'") as refused:
        corrected(shop, "[line_2]", "Stock", relation="Stocc")
    assert refused.value.hint == "Did you mean 'Stock'?"
    for row in ("[line_9]", "A-3"):
        with pytest.raises(BadInput, match="has no row"):
            corrected(shop, "[line_2]", "Stock", head=row)


def test_a_value_moves_to_an_empty_cell_only(shop: Store, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"has a value already: \(\[line_2\], Price, 3.20\)"):
        corrected(shop, "[line_2]", "Stock", relation="Price")
    corrected(shop, "[line_2]", "Stock", head="[line_3]")
    assert exported(shop, tmp_path)[1:] == ["A-2,3.20,,2024-02-03", "A-3,8.00,7,2024-03-04"]


def test_who_names_a_cell_by_a_value_is_told_its_row(shop: Store) -> None:
    with pytest.raises(BadInput) as refused:
        corrected(shop, "A-2", "Price", tail="5")
    assert refused.value.hint == (
        "The head of a cell is its row, such as \"[line_4]\". 'A-2' stands in [line_2] as 'SKU'."
    )


def test_an_upsert_of_a_row_without_its_key_is_refused(shop: Store) -> None:
    rows = [{"SKU": "A-1", "Price": "5"}, {"SKU": "", "Price": "6"}]
    with pytest.raises(BadInput, match=r"Row 2 of the input has no 'SKU', by which rows are to be found \(6\)"):
        shop.upsert("shop", rows, key=["SKU"])
    with pytest.raises(BadInput, match=r"A row of the input has no 'SKU'"):
        list(shop.apply("shop", ['{"op": "upsert", "row": {"SKU": "", "Price": "6"}, "key": ["SKU"]}']))
    assert shop.history("shop") == []


def test_an_unknown_column_has_its_ways_out_in_the_hint(shop: Store) -> None:
    with pytest.raises(BadInput, match="no column 'Stocc'") as refused:
        shop.append("shop", [{"SKU": "A-4", "Stocc": "1"}])
    assert refused.value.hint == (
        "Did you mean 'Stock'? Leave the column out, or load the whole table again with `replace=True`."
    )


def test_a_value_that_has_no_number_is_noted(shop: Store) -> None:
    with shop.changing("shop") as change:
        change.correct("[line_2]", "Listed", to={"tail": "soon"})
        change.correct("[line_2]", "Stock", to={"tail": "-"})
    assert change.report is not None
    assert change.report.warnings == ("'soon' is not read as date, as the values of 'Listed' are, and has no number.",)
    report = shop.append("shop", [{"SKU": "A-4", "Stock": "many"}, {"SKU": "A-5", "Stock": "few"}])
    assert report.warnings == ("2 values of 'Stock' are not read as number, and have no number: 'many', 'few'.",)
    assert shop.undo("shop").warnings == ()
