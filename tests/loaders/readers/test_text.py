"""CSV and TSV files as tables."""

from __future__ import annotations

import csv
import gzip
import io
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine, Row, Table
from cgstore.loaders.table import TableOptions, read_tables


def _table(folder: Path, content: str | bytes, name: str = "t.csv", **options: Any) -> Table:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (table,) = read_tables([str(path)], TableOptions(**options))
    return table


def _cells(table: Table) -> list[list[str]]:
    rows = list(table.rows)
    assert not [row for row in rows if isinstance(row, BadLine)]
    return [row.cells for row in rows if isinstance(row, Row)]


def test_the_first_line_names_the_columns(tmp_path: Path) -> None:
    table = _table(tmp_path, "\nname,size\r\nUlm,5\r\n\r\nKiel,6")
    assert table.columns == ("name", "size")
    assert list(table.rows) == [Row(3, ["Ulm", "5"]), Row(5, ["Kiel", "6"])]
    assert table.path == tmp_path / "t.csv"


def test_without_a_header_the_columns_are_numbered(tmp_path: Path) -> None:
    table = _table(tmp_path, "1,2\n3,4\n", header=False)
    assert (table.columns, _cells(table)) == (("column 1", "column 2"), [["1", "2"], ["3", "4"]])


def test_names_are_trimmed_numbered_if_missing_and_kept_if_double(tmp_path: Path) -> None:
    assert _table(tmp_path, ' a\t b ,,a b,"c\nd"\n1,2,3,4\n').columns == ("a b", "column 2", "a b", "c d")


@pytest.mark.parametrize(
    ("text", "options", "cells"),
    [
        ("name,price\nA,1.5\nB,2.5\n", {}, [["A", "1.5"], ["B", "2.5"]]),
        ("name;price\nA;1.5\nB;2.5\n", {}, [["A", "1.5"], ["B", "2.5"]]),
        ("name\tprice\nA\t1.5\nB\t2.5\n", {}, [["A", "1.5"], ["B", "2.5"]]),
        ("name|price\nA|1.5\nB|2.5\n", {}, [["A", "1.5"], ["B", "2.5"]]),
        ("name;price\nA;1,5\nB;2,5\n", {}, [["A", "1,5"], ["B", "2,5"]]),
        ("a:b\n1:2\n", {"delimiter": ":"}, [["1", "2"]]),
        ("a,b,c\n1\n", {}, [["1", "", ""]]),
        ("a,b\n1,2,, \n", {}, [["1", "2"]]),
        ("a,b\n,\n\n  \n", {}, [["", ""]]),
        ('a,b\n"x, ""y""\nz", "q,r"\n', {}, [['x, "y"\nz', "q,r"]]),
        ("a,b\nx\\ny,1\n", {"escapes": True}, [["x\ny", "1"]]),
    ],
)
def test_a_csv_file_has_cells(tmp_path: Path, text: str, options: dict[str, Any], cells: list[list[str]]) -> None:
    assert _cells(_table(tmp_path, text, **options)) == cells


@pytest.mark.parametrize(
    ("text", "options", "cells"),
    [
        ("a\n1\n2\n", {}, [["1"], ["2"]]),
        ("a,b\n1,2\n", {"delimiter": "tab"}, [["1,2"]]),
        ('song\tyear\n"Love"\t1990\n5" disc\t"x\n', {}, [['"Love"', "1990"], ['5" disc', '"x']]),
        ('"a"\t"b"\n"1"\t"2"\n', {}, [["1", "2"]]),
        ('a\tb\n"x\ty"\t2\n1\t2\n', {}, [["x\ty", "2"], ["1", "2"]]),
        ('a\tb\n"x ""y"""\t2\n', {}, [['x "y"', "2"]]),
        ("a\tb\nx\\ny\t\\p\\\\n\n", {}, [["x\ny", "|\\n"]]),  # as WikiTableQuestions writes them
        ("a\tb\nx\\ny\t1\n", {"escapes": False}, [["x\\ny", "1"]]),
        ("a\tb\nC:\\new\t1\n", {}, [["C:\\new", "1"]]),
        ("a\tb\n\\alpha\\n\t1\n", {}, [["\\alpha\\n", "1"]]),
        ("a\tb\nx\\n|\t1\n", {}, [["x\\n|", "1"]]),
        ("a\tb\ntail\\\t1\n", {}, [["tail\\", "1"]]),
    ],
)
def test_a_tsv_file_has_cells(tmp_path: Path, text: str, options: dict[str, Any], cells: list[list[str]]) -> None:
    assert _cells(_table(tmp_path, text, "t.tsv", **options)) == cells


def test_quotes_that_never_close_end_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.loaders.readers.text.MAX_REREAD", 10_000)
    table = _table(tmp_path, "a,b\n" + 'a","b\n' * 1000)
    with pytest.raises(BadInput, match="quotes have no end"):
        list(table.rows)


def test_gzip_is_read(tmp_path: Path) -> None:
    assert len(_cells(_table(tmp_path, gzip.compress(b"a,b\n" + b"1,2\n" * 999), "t.csv.gz"))) == 999


ÉTÉ = "prénom,mois\nJosé,été\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read(tmp_path: Path, encoding: str) -> None:
    table = _table(tmp_path, ÉTÉ.encode(encoding))
    assert (table.columns, _cells(table)) == (("prénom", "mois"), [["José", "été"]])


def test_an_old_encoding_in_doubt_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"byte 0xe9 on line 1; it could be cp1252, ") as caught:
        _table(tmp_path, ÉTÉ.encode("cp1252"))
    assert "`encoding='cp1252'`" in str(caught.value)


def test_an_encoding_of_old_macs_is_never_a_guess(tmp_path: Path) -> None:
    lines = [
        "Weingut Müller;Baden;1987;12,5;45%;€1.250.000",
        "Château Rouge;Alsace;1899;104,0;;€12.000.000",
        "Keller & Söhne;Pfalz;1923;47,1;33%;€2.010.750",
        "Weingut Müller;Mosel;1765;19,9;51%;€900.000",
    ]
    text = "\n".join(["Name;Region;Founded;Hectares;Export share;Revenue", *lines, ""])
    with pytest.raises(BadInput, match="it could be cp1252, "):
        _table(tmp_path, text.encode("cp1252"))


def _towns(names: list[str], encoding: str) -> bytes:
    return "\n".join(["name,region,founded", *(f"{name},some region in the south,1987" for name in names)]).encode(
        encoding
    )


@pytest.mark.parametrize(
    "names",
    [["Müller", "Köln", "Gießen"], ["José Núñez", "García"], ["São Paulo", "Conceição"], ["Århus", "Ærø", "København"],
     ["GÖTEBORG", "MALMÖ"], ["François", "René", "Jeanne d’Arc"]],
)  # fmt: skip
def test_names_of_western_europe_are_read_as_cp1252_and_noted(tmp_path: Path, names: list[str]) -> None:
    table = _table(tmp_path, _towns(names, "cp1252"))
    assert [row[0] for row in _cells(table)] == names
    assert "it was read as cp1252, such as '" in table.notes[0]
    assert "If letters are wrong, name the encoding with `encoding=`." in table.notes[0]


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("mac_roman", ["Müller", "Straße"]), ("mac_roman", ["García", "Núñez"]), ("mac_roman", ["Ángel", "Óscar"]),
        ("mac_roman", ["GARCÍA", "MÚÑEZ"]), ("mac_roman", ["cœur"]), ("cp1250", ["Gdańsk", "Poznań"]),
        ("cp1250", ["Dvořák", "Erdős", "Perić"]), ("cp1250", ["Brăila"]), ("cp1250", ["vŕba", "stĺp"]),
        ("iso8859-2", ["Gdańsk", "Kęty"]), ("iso8859-2", ["Dvořák", "Jiří"]), ("cp1251", ["Москва", "Иванов"]),
        ("cp1251", ["На", "Ив"]), ("cp1253", ["Αθήνα"]), ("cp1254", ["Erdoğan", "Çelik"]),
        ("cp1257", ["Rīga", "Jānis"]),
        ("cp850", ["Straße"]), ("cp850", ["São", "José"]), ("shift_jis", ["東京", "大阪"]), ("gbk", ["北京", "上海"]),
    ],
)  # fmt: skip
def test_names_of_other_encodings_are_never_read_as_cp1252(tmp_path: Path, encoding: str, names: list[str]) -> None:
    try:
        table = _table(tmp_path, _towns(names, encoding))
    except BadInput as error:
        assert "it could be" in error.message or "cannot be read" in error.message
    else:
        assert [row[0] for row in _cells(table)] == names


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8).map(str.strip)
ROWS = st.integers(2, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1))


@given(ROWS, st.sampled_from(",;\t|"))
def test_what_csv_writes_is_read_as_it_was(rows: list[list[str]], delimiter: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows(rows)
    with tempfile.TemporaryDirectory() as folder:
        table = _table(Path(folder), file.getvalue(), header=False, delimiter=delimiter)
        read = [[cell.strip() for cell in row] for row in _cells(table)]
    assert read == rows


@given(st.binary(max_size=200), st.sampled_from(["t.csv", "t.tsv", "t.jsonl", "t.xlsx", "t.parquet", "t.txt"]))
def test_no_file_raises_anything_but_bad_input(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            for table in read_tables([str(path)]):
                assert all(isinstance(row, BadLine) or len(row.cells) == len(table.columns) for row in table.rows)
        except BadInput:
            pass
