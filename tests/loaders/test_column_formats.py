"""How a load reads the columns of a table: formats of numbers and dates, what it says of them, rows of totals."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from cgstore.errors import BadInput
from cgstore.model import ColumnReport, LoadReport
from cgstore.store import Store


def write(folder: Path, columns: dict[str, list[str]], delimiter: str = ";", name: str = "t.csv") -> Path:
    lines = [delimiter.join(columns), *(delimiter.join(row) for row in zip(*columns.values(), strict=True))]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


def dry(path: Path, **options: object) -> LoadReport:
    return Store(no_database).load_table(path, dry_run=True, **options)  # type: ignore[arg-type]


def read(folder: Path, columns: dict[str, list[str]], **options: object) -> dict[str, ColumnReport]:
    delimiter = str(options.get("delimiter", ";"))
    return {column.name: column for column in dry(write(folder, columns, delimiter), **options).columns}


def no_database() -> object:
    raise AssertionError("no database is needed")


def loaded(store: Store, folder: Path, columns: dict[str, list[str]], **options: object) -> LoadReport:
    return store.load_table(write(folder, columns), **options)  # type: ignore[arg-type]


def test_literals_keep_the_format_of_programs(store: Store, tmp_path: Path) -> None:
    loaded(store, tmp_path, {"id": ["a", "b", "c"], "n": ["1.250", "12,75", "1,25"]})
    ask = "get_information(relation='id', key='n', value{})"
    found = {"='12,75'": ("b",), "='1.25'": ("c",), "='1250'": ("a",), "='1.250'": ("a",), ">'12.5'": ("a", "b")}
    assert {value: store.query(ask.format(value)).answer for value in found} == found
    answer = store.query(ask.format(">'1.250'"))
    assert answer.answer == ("a", "b")
    assert "'1.250' was read as 1.25, as programs write numbers" in answer.warnings[0]


def test_messy_columns_have_the_numbers_that_pandas_has(store: Store, tmp_path: Path) -> None:
    values = pandas.DataFrame({"n": [1234.5, -87.25, 1234567.0, 0.5, 999.0]})
    columns = {
        "german": ["1.234,50", "-87,25", "1.234.567,00", "0,50", "999,00"],
        "swiss": ["1'234.50", "-87.25", "1'234'567.00", "0.50", "999.00"],
        "curly": ["1’234.50", "−87.25", "1’234’567", ".5", "999"],
        "french": ["1\u202f234,5", "-87,25", "1\u00a0234\u00a0567", "0,5", "999"],
        "lakhs": ["₹ 1,234.50", "₹ -87.25", "₹ 12,34,567", "₹ 0.5", "₹ 999"],
        "percent": ["1234,5 %", "-87,25 %", "1234567 %", "0,5 %", "999 %"],
        "euro": ["1.234,50 €", "-87,25 €", "1.234.567 €", "0,5 €", "999 €"],
        "dollar": ["$1,234.50", "-$87.25", "$1,234,567", "$0.50", "$999"],
        "books": ["1,234.50", "(87.25)", "1,234,567", "0.50", "999"],
        "sap": ["1.234,50", "87,25-", "1.234.567", "0,50", "999"],
        "minus": ["1234.5", "\u221287.25", "1234567", "0.5", "999"],
        "km": ["1.234,5 km", "-87,25 km", "1.234.567 km", "0,5 km", "999 km"],
    }
    report = loaded(store, tmp_path, columns)
    assert [column.unread for column in report.columns] == [0] * len(columns)
    over = [f"[line_{row + 1}]" for row in values.index[values.n > 999]]
    for name in columns:
        total = store.query(f"sum(set=get_information(relation='{name}'))").answer
        assert total == (pytest.approx(values.n.sum()),), name
        assert store.query(f"argmax(set=get_information(relation='{name}'))").answer == ("[line_3]",), name
        assert list(store.query(f"get_information(key='{name}', value>'999')").answer) == over, name


def test_numbers_of_a_frame_have_a_point_before_decimals(store: Store) -> None:
    store.load_frame(pandas.DataFrame({"n": [1.125, 980, 12.375]}), "frame")
    assert store.query("max(set=get_information(relation='n'))").answer == ("980",)


def test_what_does_not_fit_is_counted_and_shown(tmp_path: Path) -> None:
    cells = ["1,5", "2,25", "3,5", "7,75", "", "n/a", "12.5", "1,5", "9,1"]
    column = read(tmp_path, {"id": list("abcdefghi"), "n": cells})["n"]
    assert (column.kind, column.format, column.cells, column.empty) == ("number", "decimal comma", 7, 1)
    assert (column.nothing, column.nothings) == (1, ("n/a",))
    assert (column.unread, column.examples) == (1, (("12.5", "[line_7]"),))


@pytest.mark.parametrize(
    ("columns", "options", "doubt"),
    [
        (
            {"n": ["Graz", "Linz*", "Wels"]},
            {},
            "1 value ends in the mark of a footnote, which is part of the name: 'Linz*'",
        ),
        ({"n": ["1,234", "5,678"]}, {"delimiter": "|"}, "'1,234' is read as 1234, as programs write numbers"),
        ({"n": ["1.250", "980"]}, {"delimiter": "|"}, "'1.250' is read as 1250, as its whole numbers below 1,000"),
        ({"n": ["1.250", "3.500"]}, {"delimiter": ";"}, "'1.250' is read as 1250, as semicolons separate the columns"),
        ({"n": ["1.250", "980"], "m": ["0.5", "7.25"]}, {"delimiter": "|"}, "is read as 1.25, as in the other columns"),
        ({"n": ["3/4/2004", "5/6/2004"]}, {"delimiter": "|"}, "'3/4/2004' is read month first"),
        ({"n": ["3/4/2004", "5/6/2004"], "m": ["13/4/2004", "1/1/2004"]}, {"delimiter": "|"}, "is read day first"),
        ({"n": ["3/4/2004", "5/6/2004"], "m": ["1,5", "2,25"]}, {"delimiter": "|"}, "is read day first"),
    ],
)
def test_a_column_that_may_be_read_otherwise_is_said(
    tmp_path: Path, columns: dict[str, list[str]], options: dict[str, str], doubt: str
) -> None:
    assert doubt in read(tmp_path, {"id": list("abc"[: len(columns["n"])]), **columns}, **options)["n"].doubt


def test_the_user_says_how_it_is_read(store: Store, tmp_path: Path) -> None:
    columns = {"id": ["a", "b"], "n": ["1,234", "980"], "d": ["3/4/2004", "1/2/2004"]}
    report = loaded(store, tmp_path, columns, decimal=",", day_first=True)
    assert [(c.format, c.doubt) for c in report.columns[1:]] == [("decimal comma", ""), ("day first", "")]
    assert store.query("max(set=get_information(relation='n'))").answer == ("980",)
    with pytest.raises(BadInput, match=r"`decimal` is .* one of"):
        loaded(store, tmp_path, columns, decimal="'")
    with pytest.raises(BadInput, match="replace"):  # another reading is another content
        loaded(store, tmp_path, columns)


def test_relations_of_triples_are_read_as_columns_are(store: Store, tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("Ulm\tsize\t1.250,5\nBern\tsize\t0,125\nUlm\tin\tGermany\n")
    (column,) = store.load_kg(tmp_path / "kg.tsv").columns
    assert (column.name, column.kind, column.format, column.cells) == ("size", "number", "decimal comma", 2)
    assert store.query("sum(set=get_information(relation='size'))").answer == (1250.625,)


def test_a_total_is_pointed_out(tmp_path: Path) -> None:
    columns = {"item": ["a", "b", "c", "Total"], "n": ["1,5", "2", "3,5", "7"], "year": ["1", "2", "3", ""]}
    report = dry(write(tmp_path, columns))
    (note,) = report.warnings
    assert note == "t: [line_4] ('Total') looks like a total of other rows by 'n'. It counts like any row."
    assert report.facts == 16


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        ({"item": ["a", "b", "c", "d"], "n": ["1", "2", "4", "7"], "m": ["5", "6", "7", "18"]}, ["[line_4]"]),
        ({"item": ["a", "b", "Summe a", "c", "Summe"], "n": ["1", "2", "3", "5", "8"]}, ["[line_3]", "[line_5]"]),
        ({"item": ["Insgesamt", "b", "c"], "n": ["7", "3", "4"]}, ["[line_1]"]),
        ({"rank": ["1", "2", "3"]}, []),
        ({"item": ["a", "Total", "b"], "n": ["1", "2", "5"]}, []),
        ({"item": ["a", "b", "c", "Total recall"], "n": ["1", "2", "4", "9"]}, []),
    ],
)
def test_only_rows_that_add_up_are_totals(tmp_path: Path, columns: dict[str, list[str]], rows: list[str]) -> None:
    path = write(tmp_path, columns)
    report = dry(path)
    assert [note.split()[1] for note in report.warnings] == rows


def test_a_header_that_looks_like_a_row_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Ulm,120\nBern,130\nGraz,290\n")
    report = dry(tmp_path / "t.csv")
    assert report.header == "line 1"
    assert "line 1 was taken for the header, and '120' looks like a value" in report.warnings[0]
    said = dry(tmp_path / "t.csv", header=True)
    assert (said.header, said.warnings) == ("", ())


def test_a_refusal_names_the_first_odd_line_too(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\nx,y\nx\nx,y,z\n")
    with pytest.raises(BadInput, match="Line 3 is the first one with fewer cells"):
        dry(tmp_path / "t.csv")


def test_columns_of_one_name_are_told_apart_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "ports.csv").write_text("host,port,port\na,1,2\nb,3,4\n", encoding="utf-8")
    report = dry(tmp_path / "ports.csv")
    assert [column.name for column in report.columns] == ["host", "port", "port (2)"]
    assert report.warnings == ("ports: 2 columns are named 'port'; the others are 'port (2)'.",)
