"""Changes of tables: their rows, the numbers of these, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
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


def named(*names: str) -> Rows:
    return [{"City": name, "Stars": "3"} for name in names]


def cities(store: Store) -> list[str]:
    """The cells of the first column, in the order of the rows, repeated ones too."""
    found = store.query("select(set=heads(relation='City'), 'City')", ["cities"])
    return [str(row[-1]) for row in found.rows]


# Appends in parts -----------------------------------------------------------------------------------------------------

FIVE = named("Linz", "Bern", "Lyon", "Rome", "Bonn")
SEVEN = ["Ulm", "Graz", "Linz", "Bern", "Lyon", "Rome", "Bonn"]


@pytest.fixture
def cut_short_after(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Has an append of five rows, two of which are a part, end after so many parts."""
    monkeypatch.setattr(rows, "PART", 6)

    def cut(parts: int) -> None:
        left = parts

        def one(*args: Any, **options: Any) -> Any:
            nonlocal left
            if not left:
                raise KeyboardInterrupt
            left -= 1
            return commit(*args, **options)

        monkeypatch.setattr(rows, "commit", one)
        with pytest.raises(KeyboardInterrupt):
            store.append("cities", FIVE)
        monkeypatch.setattr(rows, "commit", commit)

    return cut


def test_an_append_that_was_cut_short_goes_on_after_its_last_part(
    store: Store, cut_short_after: Callable[[int], None]
) -> None:
    cut_short_after(2)
    report = store.append("cities", FIVE)
    assert cities(store) == SEVEN
    assert report.changes == (3,)
    assert report.warnings[0].startswith("Changes 1 and 2 had appended parts 1 and 2 of 3 of these rows before")
    assert [(each.part, each.parts) for each in store.history("cities")] == [(1, 3), (2, 3), (3, 3)]


def test_an_append_goes_on_although_the_source_was_changed_meanwhile(
    store: Store, cut_short_after: Callable[[int], None]
) -> None:
    cut_short_after(1)
    with store.changing("cities") as change:
        change.correct("[line_1]", "Stars", to={"tail": "5"})
    store.append("cities", FIVE)
    assert cities(store) == SEVEN


def test_a_part_that_was_undone_is_appended_again(store: Store, cut_short_after: Callable[[int], None]) -> None:
    cut_short_after(1)
    store.undo("cities")
    assert store.append("cities", FIVE).warnings == ()
    assert cities(store) == SEVEN
    store.undo("cities", 2)  # the first part again
    assert len(cities(store)) == 9


def test_two_processes_that_finish_the_same_append_do_not_double_its_rows(
    store: Store, cut_short_after: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short_after(1)

    def after_the_other(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(rows, "commit", commit)
        store.append("cities", FIVE)
        return commit(*args, **options)

    monkeypatch.setattr(rows, "commit", after_the_other)
    assert store.append("cities", FIVE).changes == ()
    assert cities(store) == SEVEN


def test_other_rows_after_an_append_that_was_cut_short_have_a_note(
    store: Store, cut_short_after: Callable[[int], None]
) -> None:
    cut_short_after(1)
    (note,) = store.append("cities", named("Wien")).warnings
    assert note.startswith("Change 1 is part 1 of 3 of an append that was cut short, and its rows are there.")
    assert store.append("cities", named("Brno")).warnings == ()


def test_the_same_rows_are_appended_once_more_with_a_note(store: Store) -> None:
    assert store.append("cities", named("Linz")).warnings == ()
    note = "Change 1 had appended the same rows already; they are appended once more."
    assert store.append("cities", named("Linz"), dry_run=True).warnings == (note,)
    undo = "To take them out again: `cgstore undo cities 2`."
    assert store.append("cities", named("Linz")).warnings == (f"{note} {undo}",)
    assert cities(store) == ["Ulm", "Graz", "Linz", "Linz"]


def test_rows_that_were_upserted_or_whose_append_was_undone_are_appended_without_a_note(store: Store) -> None:
    store.append("cities", named("Linz"))
    store.undo("cities")
    assert store.append("cities", named("Linz")).warnings == ()
    store.upsert("cities", named("Wien"), key=["City"])
    assert store.append("cities", named("Wien")).warnings == ()


# Rows and cells -------------------------------------------------------------------------------------------------------


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


def test_rows_are_appended_and_replaced_by_their_key(shop: Store, tmp_path: Path) -> None:
    shop.append("shop", [{"SKU": "A-4", "Price": "5.00"}])
    shop.upsert("shop", pandas.DataFrame([{"SKU": "A-2", "Price": "9.10"}]), key=["SKU"])
    assert exported(shop, tmp_path)[1:] == ["A-2,9.10,7,2024-02-03", "A-3,8.00,,2024-03-04", "A-4,5.00,,"]
    assert shop.query("sum(set=get_information(relation='Price'))", ["shop"]).answer == (pytest.approx(26.6),)


def test_a_key_that_two_rows_have_is_refused(shop: Store) -> None:
    shop.append("shop", [{"SKU": "A-1"}])
    with pytest.raises(BadInput, match="2 rows of 'shop' have 'A-1' as 'SKU'"):
        shop.upsert("shop", [{"SKU": "A-1", "Stock": "1"}], key=["SKU"])


@pytest.mark.parametrize(
    ("ending", "row"),
    [
        ("csv", "A-2,,7,2024-02-03"),
        ("tsv", "A-2\t\t7\t2024-02-03"),
        ("jsonl", "{SKU: A-2, Price: , Stock: 7, Listed: 2024-02-03}"),
    ],
)
def test_a_cell_that_was_removed_is_empty(shop: Store, tmp_path: Path, ending: str, row: str) -> None:
    with shop.changing("shop") as change:
        change.remove("[line_2]", "Price")
    assert exported(shop, tmp_path, ending)[1] == row
    assert [column.missing for column in shop.describe("shop").relations] == [0, 1, 1, 0]
    shop.undo("shop")
    assert exported(shop, tmp_path)[1] == "A-2,3.20,7,2024-02-03"


def test_a_row_is_removed_with_its_number_which_no_other_gets_and_comes_back_with_it(
    shop: Store, tmp_path: Path
) -> None:
    before = triples(shop.db, "shop")
    with shop.changing("shop") as change:
        change.remove("[line_3]", every=True)
    assert len(exported(shop, tmp_path)) == 2
    shop.append("shop", [{"SKU": "A-4"}])
    assert shop.query("get_information(relation='SKU', tail_entity='A-4')", ["shop"]).answer == ("[line_4]",)
    shop.undo("shop")
    shop.undo("shop", 1)
    assert triples(shop.db, "shop") == before


def test_the_number_of_a_row_is_neither_removed_nor_corrected(shop: Store) -> None:
    with pytest.raises(BadInput, match="number of a row cannot be removed"), shop.changing("shop") as change:
        change.remove("[line_2]", "row_number")
    for column, to in (("row_number", {"tail": "55"}), ("Stock", {"relation": "row_number"})):
        with pytest.raises(BadInput, match="number of a row cannot be changed"):
            corrected(shop, "[line_2]", column, **to)
    assert shop.history("shop") == []


def test_a_change_invents_no_column_and_no_row(shop: Store) -> None:
    with pytest.raises(BadInput, match="no column 'Stocc'") as refused:
        corrected(shop, "[line_2]", "Stock", relation="Stocc")
    assert refused.value.hint == "Did you mean 'Stock'?"
    with pytest.raises(BadInput, match="no column 'Stocc'") as refused:
        shop.append("shop", [{"SKU": "A-4", "Stocc": "1"}])
    assert refused.value.hint is not None and "load the whole table again with `replace=True`" in refused.value.hint
    for row in ("[line_9]", "A-3"):
        with pytest.raises(BadInput, match="has no row"):
            corrected(shop, "[line_2]", "Stock", head=row)
    with pytest.raises(BadInput) as refused:
        corrected(shop, "A-2", "Price", tail="5")
    assert refused.value.hint is not None and "'A-2' stands in [line_2] as 'SKU'" in refused.value.hint


def test_a_value_moves_to_an_empty_cell_only(shop: Store, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"has a value already: \(\[line_2\], Price, 3.20\)"):
        corrected(shop, "[line_2]", "Stock", relation="Price")
    corrected(shop, "[line_2]", "Stock", head="[line_3]")
    assert exported(shop, tmp_path)[1:] == ["A-2,3.20,,2024-02-03", "A-3,8.00,7,2024-03-04"]


def test_an_upsert_of_a_row_without_its_key_is_refused(shop: Store) -> None:
    given = [{"SKU": "A-1", "Price": "5"}, {"SKU": "", "Price": "6"}]
    with pytest.raises(BadInput, match=r"Row 2 of the input has no 'SKU', by which rows are to be found \(6\)"):
        shop.upsert("shop", given, key=["SKU"])
    with pytest.raises(BadInput, match=r"A row of the input has no 'SKU'"):
        list(shop.apply("shop", ['{"op": "upsert", "row": {"SKU": "", "Price": "6"}, "key": ["SKU"]}']))
    assert shop.history("shop") == []


def test_a_value_that_has_no_number_is_noted(shop: Store) -> None:
    with shop.changing("shop") as change:
        change.correct("[line_2]", "Listed", to={"tail": "soon"})
        change.correct("[line_2]", "Stock", to={"tail": "-"})
    assert change.report is not None
    assert change.report.warnings == ("'soon' is not read as date, as the values of 'Listed' are, and has no number.",)
    report = shop.append("shop", [{"SKU": "A-4", "Stock": "many"}, {"SKU": "A-5", "Stock": "few"}])
    assert report.warnings == ("2 values of 'Stock' are not read as number, and have no number: 'many', 'few'.",)
    assert shop.undo("shop").warnings == ()
