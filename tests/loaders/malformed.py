"""The corpus of malformed and hostile inputs: how each is made, and what a load has to say of it.

`BAD` are refused, or lose the lines that `skip` counts; `ODD` look wrong and are read by a rule that is stated.
"""

from __future__ import annotations

import gzip
import io
import os
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Make = Callable[[Path], "Path | str"]
"""Makes an input in an empty folder; what a load is given."""

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Bad:
    """An input that cannot be used as it is.

    Args:
        name: of the case.
        kind: of the load: table, kg, tkg, statements, rdf.
        make: makes it.
        says: a pattern that is found in the error.
        skip: what `on_error="skip"` makes of it: lines rejected, facts loaded; None: the same error.
        options: of the load.
        heavy: whether it is read in a process of its own, with little memory and time.
        named: whether the error names the file.
    """

    name: str
    kind: str
    make: Make
    says: str
    skip: tuple[int, int] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    heavy: bool = False
    named: bool = True


@dataclass(frozen=True)
class Odd:
    """An input that is read: the facts that come of it, and a pattern that is found in the warnings, if any."""

    name: str
    kind: str
    make: Make
    facts: int
    says: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


# How inputs are made


def raw(name: str, data: bytes) -> Make:
    """A file of these bytes."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(data)
        return path

    return make


def text(name: str, content: str, encoding: str = "utf-8") -> Make:
    """A file of this text."""
    return raw(name, content.encode(encoding, "surrogatepass"))


def zipped(name: str, data: bytes, cut: int = 0) -> Make:
    """A gzipped file, without its last bytes."""
    whole = gzip.compress(data, 1)
    return raw(name, whole[: len(whole) - cut])


def bomb(name: str, before: bytes, filling: bytes = b"a", size: int = 1000 * MEGABYTE) -> Make:
    """A gzipped file of a gigabyte: a beginning, and then one byte over and over. Quick, since its parts are equal."""

    def make(folder: Path) -> Path:
        path = folder / name
        part = gzip.compress(filling * (10 * MEGABYTE), 1)
        with path.open("wb") as file:
            file.write(gzip.compress(before))
            for _ in range(size // (10 * MEGABYTE)):
                file.write(part)
        return path

    return make


def long(name: str, before: bytes, piece: bytes, count: int, after: bytes = b"") -> Make:
    """A file of a piece many times over; made when needed, since it is large."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(before + piece * count + after)
        return path

    return make


def folder_of(files: Mapping[str, str]) -> Make:
    """A folder of texts."""

    def make(folder: Path) -> Path:
        place = folder / "inputs"
        place.mkdir()
        for name, content in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(content, encoding="utf-8")
        return place

    return make


def given(name: str) -> Make:
    """A path below the folder at which there is nothing."""
    return lambda folder: str(folder / name)


def exactly(name: str) -> Make:
    """This text, whatever the folder."""
    return lambda folder: name


def link(name: str, target: str) -> Make:
    """A symbolic link."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.symlink_to(target)
        return path

    return make


def pipe(name: str) -> Make:
    """A named pipe that nobody writes into."""

    def make(folder: Path) -> Path:
        path = folder / name
        os.mkfifo(path)
        return path

    return make


def linked_in_circles(folder: Path) -> Path:
    """A folder without a file, with a link to itself."""
    place = folder / "loop"
    place.mkdir()
    (place / "again").symlink_to(place, target_is_directory=True)
    return place


# Workbooks


def _workbook(rows: list[list[Any]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


ROWS: list[list[Any]] = [["city", "people"], ["Oslo", 700_000], ["Rome", 2_800_000]]


def workbook(rows: list[list[Any]] | None = None, cut: int = 0, name: str = "book.xlsx") -> Make:
    """A workbook of one sheet."""

    def make(folder: Path) -> Path:
        data = _workbook(rows or ROWS)
        path = folder / name
        path.write_bytes(data[: len(data) - cut])
        return path

    return make


def changed_workbook(part: str, change: Callable[[str], str | None]) -> Make:
    """A workbook one of whose parts is changed; None leaves it out."""

    def make(folder: Path) -> Path:
        path = folder / "book.xlsx"
        with zipfile.ZipFile(io.BytesIO(_workbook(ROWS))) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                content: str | None = old.read(name).decode()
                if name == part:
                    content = change(content or "")
                if content is not None:
                    new.writestr(name, content, zipfile.ZIP_DEFLATED)
        return path

    return make


SHEET = "xl/worksheets/sheet1.xml"

LAUGHS = (
    '<!DOCTYPE r [<!ENTITY a "ha ha ha ha ha ha ha ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]>"
)
"""The billion laughs: an entity of ten entities of ten entities."""

PASSWD = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


def _with_declaration(declaration: str, use: str) -> Callable[[str], str]:
    def change(sheet: str) -> str:
        sheet = sheet.replace("<v>700000</v>", f"<v>{use}</v>")
        head, end, rest = sheet.partition("?>") if sheet.startswith("<?xml") else ("", "", sheet)
        return head + end + declaration + rest

    return change


def _swap(old: str, new: str) -> Callable[[str], str]:
    return lambda content: content.replace(old, new, 1)


def locked_workbook(folder: Path) -> Path:
    """A workbook whose zip says that its parts are encrypted."""
    data = bytearray(_workbook(ROWS))
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (start := data.find(magic, start)) >= 0:
            data[start + place] |= 1
            start += 4
    path = folder / "book.xlsx"
    path.write_bytes(data)
    return path


def zip_bomb(folder: Path) -> Path:
    """A workbook whose sheet unpacks to 400 MB of blanks."""
    path = folder / "book.xlsx"
    with zipfile.ZipFile(io.BytesIO(_workbook(ROWS))) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, b" " * (400 * MEGABYTE) if name == SHEET else old.read(name), compresslevel=1)
    return path


# Parquet, databases


def parquet(columns: Mapping[str, Any], cut: tuple[int, int] | None = None) -> Make:
    """A Parquet file; `cut` takes out the bytes between two places."""

    def make(folder: Path) -> Path:
        import pyarrow
        from pyarrow import parquet as library

        path = folder / "t.parquet"
        library.write_table(pyarrow.table(dict(columns)), path)
        if cut:
            data = path.read_bytes()
            path.write_bytes(data[: cut[0]] + data[cut[1] :])
        return path

    return make


def database(*statements: str, url: str = "sqlite:///{}") -> Make:
    """The URL of an SQLite database."""

    def make(folder: Path) -> str:
        path = folder / "shop.db"
        with sqlite3.connect(path) as made:
            for statement in ("CREATE TABLE items (name TEXT, price)", "INSERT INTO items VALUES ('tea', 2)"):
                made.execute(statement)
            for statement in statements:
                made.execute(statement)
        made.close()
        return url.format(path)

    return make


def url_of(make: Make) -> Make:
    """The SQLite URL of a file."""
    return lambda folder: f"sqlite:///{make(folder)}"


def renamed_database(folder: Path) -> Path:
    """An SQLite database that is called a table."""
    database()(folder)
    return (folder / "shop.db").rename(folder / "shop.csv")


# Texts that several cases use

ELF = b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256))
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\nstream\x00\x01\x02\n"
HTML = "<!DOCTYPE html>\n<html><head><title>404</title></head><body><p>Not found<br></body></html>\n"
DEEP = 100_000
DIGITS = "9" * 5000
RDF_ROOT = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'

_TEXTS = [
    Bad("csv-utf16-without-mark", "table", text("t.csv", "a,b\n1,2\n", "utf-16-le"), "NUL character on line 1.*"),
    Bad("csv-latin1-in-utf8", "table", raw("t.csv", "naïve,b\n1,é\n".encode() + b"2,caf\xe9\n"), "line 3"),
    Bad("csv-overlong-utf8", "table", raw("t.csv", b"a,b\n1,\xc0\xaf\n"), "byte 0xc0 on line 2"),
    Bad("csv-encoded-surrogate", "table", raw("t.csv", b"a,b\n1,\xed\xa0\x80\n"), "byte 0xed on line 2"),
    Bad("csv-cut-character", "table", raw("t.csv", "a,b\n1,é".encode()[:-1]), "line 2"),
    Bad("csv-nul", "table", raw("t.csv", b"a,b\n1,2\n3,\x004\n"), "NUL character on line 3"),
    Bad(
        "csv-no-such-encoding",
        "table",
        text("t.csv", "a,b\n1,2\n"),
        "'klingon' is not an encoding",
        options={"encoding": "klingon"},
        named=False,
    ),
    Bad(
        "csv-codec-of-bytes",
        "table",
        text("t.csv", "a,b\n1,2\n"),
        "'base64' is not an encoding",
        options={"encoding": "base64"},
        named=False,
    ),
    Bad(
        "csv-wrong-encoding-given",
        "table",
        raw("t.csv", b"a,b\n1,\x81\n"),
        "is not cp1252: byte 0x81 on line 2",
        options={"encoding": "cp1252"},
    ),
    Bad("csv-truncated-gzip", "table", zipped("t.csv.gz", b"a,b\n" + b"1,2\n" * 5000, cut=12), "not a whole gzip file"),
    Bad("csv-garbage-gzip", "table", raw("t.csv.gz", b"\x1f\x8b" + bytes(range(200))), "not a whole gzip file"),
    Bad("csv-half-gzip", "table", raw("t.csv.gz", gzip.compress(b"a,b\n1,2\n") + b"more"), "not a whole gzip file"),
    Bad("csv-is-xlsx", "table", workbook(name="t.csv"), "looks like a zip file or an Excel workbook"),
    Bad("xlsx-is-csv", "table", text("t.xlsx", "a,b\n1,2\n"), "not an Excel workbook"),
    Bad("xls", "table", raw("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)), "of a kind that is not read"),
    Bad("xls-named-xlsx", "table", raw("t.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)), "old .xls"),
    Bad("csv-is-elf", "table", raw("t.csv", ELF), "a program"),
    Bad("csv-is-png", "table", raw("t.csv", PNG), "an image"),
    Bad("csv-is-pdf", "table", raw("t.csv", PDF), "a PDF"),
    Bad("csv-is-sqlite", "table", renamed_database, "its URL is sqlite"),
    Bad(
        "csv-unclosed-quote",
        "table",
        text("t.csv", 'a,b\n1,2\n3,"4\n5,6\n'),
        "t.csv:3: a quote opened on line 3",
        skip=(1, 6),
    ),
    Bad("csv-quote-swallows", "table", text("t.csv", 'a,b\n1,"2\n3,"4\n5,6\n'), "t.csv:2", skip=(2, 3)),
    Bad(
        "csv-text-after-quote",
        "table",
        text("t.csv", 'a,b\n1,2\n3,"4"5\n'),
        "t.csv:3: text after a closing quote",
        skip=(1, 3),
    ),
    Bad(
        "csv-too-many-cells",
        "table",
        text("t.csv", "a,b\n1,2\n3,4,5\n6,7\n"),
        "t.csv:3: column 3: 3 cells",
        skip=(1, 6),
    ),
    Bad("csv-empty", "table", raw("t.csv", b""), "is empty"),
    Bad("csv-blank-lines", "table", text("t.csv", "\n\r\n  \n\n"), "is empty"),
    Bad("csv-mark-only", "table", raw("t.csv", b"\xef\xbb\xbf"), "is empty"),
    Bad("csv-header-only", "table", text("t.csv", "a,b\n"), "has no facts: there is a header"),
    Bad("csv-all-rejected", "table", text("t.csv", "a,b\n1,2,3\n4,5,6\n"), "3 cells where|rejected"),
    Bad("csv-100000-columns", "table", text("t.csv", ",".join(["c"] * 100_000) + "\n1\n"), "100,000 columns"),
    Bad(
        "csv-delimiter-of-two",
        "table",
        text("t.csv", "a,b\n1,2\n"),
        "is not a delimiter",
        options={"delimiter": "ab"},
        named=False,
    ),
    Bad(
        "csv-50-mb-cell",
        "table",
        long("t.csv", b"a,b\n1,2\n3,", b"x", 50 * MEGABYTE, b"\n4,5\n"),
        "t.csv:3: ",
        skip=(1, 6),
        heavy=True,
    ),
    Bad(
        "csv-50-mb-line",
        "table",
        long("t.csv", b"a,b\n1,2\n", b"x,", 25 * MEGABYTE, b"\n4,5\n"),
        "t.csv:3: longer",
        skip=(1, 6),
        heavy=True,
    ),
    Bad(
        "csv-50-mb-quote",
        "table",
        long("t.csv", b'a,b\n1,2\n3,"', b"x" * 9_999 + b"\n", 5_000),
        "t.csv:3: a quote opened",
        heavy=True,
        skip=(101, 14_700),
    ),
    Bad("csv-bomb-of-zeros", "table", bomb("t.csv.gz", b"a,b\n", b"\x00"), "NUL character", heavy=True),
    Bad(
        "csv-bomb-of-a-line",
        "table",
        bomb("t.csv.gz", b"a,b\n1,2\n", size=40 * MEGABYTE),
        "t.csv.gz:3: longer",
        skip=(1, 3),
        heavy=True,
    ),
    Bad(
        "csv-broken-quotes-all-over",
        "table",
        long("t.csv", b"a,b\n", b'1,"2"3\n', 20_000),
        "20,000 lines cannot be used",
    ),
    Odd("csv-utf7-is-ascii", "table", raw("t.csv", b"a,b\n1,+AGEA4Q-\n"), 3),
    Odd("csv-ragged-short", "table", text("t.csv", "a,b,c\n1,2\n3\n"), 8, "fewer cells"),
    Odd("csv-doubled-headings", "table", text("t.csv", "a,a\n1,2\n"), 3, "2 columns are named 'a'"),
    Odd("csv-no-heading", "table", text("t.csv", "a,,\n1,2,3\n"), 4),
]

_WORKBOOKS = [
    Bad("xlsx-truncated", "table", workbook(cut=900), "not an Excel workbook"),
    Bad("xlsx-empty-file", "table", raw("t.xlsx", b""), "not an Excel workbook"),
    Bad("xlsx-is-another-zip", "table", lambda folder: _other_zip(folder), "not an Excel workbook"),
    Bad("xlsx-encrypted", "table", locked_workbook, "not an Excel workbook.*encrypted"),
    Bad("xlsx-without-its-sheet", "table", changed_workbook(SHEET, lambda _: None), "lacks its sheet 'Sheet'"),
    Bad("xlsx-broken-xml", "table", changed_workbook(SHEET, lambda xml: xml[:-60]), "not an Excel workbook"),
    Bad("xlsx-billion-laughs", "table", changed_workbook(SHEET, _with_declaration(LAUGHS, "&j;")), "entities"),
    Bad("xlsx-external-entity", "table", changed_workbook(SHEET, _with_declaration(PASSWD, "&x;")), "entities"),
    Bad("xlsx-laughing-styles", "table", changed_workbook("xl/styles.xml", _with_declaration(LAUGHS, "")), "entities"),
    Bad("xlsx-zip-bomb", "table", zip_bomb, "would unpack", heavy=True),
    Bad(
        "xlsx-row-two-billion",
        "table",
        changed_workbook(SHEET, _swap('<row r="3"', '<row r="2000000000"')),
        "row 2,000,000,000",
        heavy=True,
    ),
    Bad(
        "xlsx-empty-row-two-billion",
        "table",
        changed_workbook(SHEET, _swap("</sheetData>", '<row r="2000000000"/></sheetData>')),
        "row 2,000,000,000",
        heavy=True,
    ),
    Bad("xlsx-row-of-no-number", "table", changed_workbook(SHEET, _swap('<row r="3"', '<row r="three"')), "three"),
    Bad("xlsx-column-zzzz", "table", changed_workbook(SHEET, _swap('r="A3"', 'r="ZZZZ3"')), "column"),
    Bad(
        "xlsx-wrong-merge",
        "table",
        changed_workbook(SHEET, _swap("</sheetData>", '</sheetData><mergeCells><mergeCell ref="A1:?"/></mergeCells>')),
        "merged range",
    ),
    Bad(
        "xlsx-string-out-of-range",
        "table",
        changed_workbook(SHEET, _swap('t="n"><v>700000<', 't="s"><v>700000<')),
        "not an Excel workbook",
    ),
    Bad(
        "xlsx-formula-never-computed",
        "table",
        workbook([*ROWS, ["Bonn", "=1+1"]]),
        r"book.xlsx:4: column 2 \(people\): a formula",
        skip=(1, 6),
    ),
    Bad("xlsx-formula-in-the-header", "table", workbook([["a", "=1+1"], [1, 2]]), "row 1: the header has a formula"),
    Bad("xlsx-no-value", "table", workbook([[]]), "no sheet with a value"),
    Bad(
        "xlsx-no-such-sheet", "table", workbook(), "no sheet 'Other'; its sheets are Sheet", options={"sheet": "Other"}
    ),
    Bad(
        "sheet-of-a-text",
        "table",
        text("t.csv", "a,b\n1,2\n"),
        "not an Excel workbook",
        options={"sheet": "x"},
        named=False,
    ),
    Odd("xlsx-error-cells", "table", workbook([*ROWS, ["Bonn", "#DIV/0!"]]), 9, "#DIV/0!"),
]


def _other_zip(folder: Path) -> Path:
    path = folder / "t.xlsx"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("readme.txt", "no workbook")
    return path


_PARQUET = [
    Bad("parquet-truncated", "table", parquet({"a": [1, 2]}, (100, 10_000)), "not a Parquet file"),
    Bad("parquet-damaged-inside", "table", parquet({"a": ["x" * 50] * 100}, (4, 60)), "not a Parquet file"),
    Bad("parquet-is-csv", "table", text("t.parquet", "a,b\n1,2\n"), "not a Parquet file"),
    Bad("parquet-empty-file", "table", raw("t.parquet", b""), "not a Parquet file"),
    Bad("parquet-no-columns", "table", parquet({}), "no columns"),
    Bad("parquet-bytes", "table", parquet({"a": [b"\xff\xfe", None]}), r"column 1 \(a\): bytes", skip=(1, 2)),
    Odd("parquet-nested", "table", parquet({"a": [[1, 2], None], "b": [{"c": {"d": [1]}}, None]}), 6),
]

_JSON = [
    Bad("jsonl-array", "table", text("t.jsonl", '{"a":1}\n[1,2]\n{"a":3}\n'), "t.jsonl:2: a JSON array", skip=(1, 4)),
    Bad("jsonl-all-arrays", "table", text("t.jsonl", "[1,2]\n[3,4]\n"), "no line that is a JSON object"),
    Bad("jsonl-broken", "table", text("t.jsonl", '{"a":1}\n{"a":\n'), "t.jsonl:2: not JSON", skip=(1, 2)),
    Bad("jsonl-single-quotes", "table", text("t.jsonl", "{'a':1}\n"), "t.jsonl.*not JSON"),
    Bad("jsonl-doubled-key", "table", text("t.jsonl", '{"a":1}\n{"a":2,"a":3}\n'), "'a' stands twice", skip=(1, 2)),
    Bad(
        "jsonl-deep",
        "table",
        text("t.jsonl", '{"a":1}\n{"a":' + "[" * DEEP + "]" * DEEP + "}\n"),
        "t.jsonl:2: .*deep",
        skip=(1, 2),
    ),
    Bad("jsonl-many-digits", "table", text("t.jsonl", '{"a":1}\n{"a":' + DIGITS + "}\n"), "t.jsonl:2: ", skip=(1, 2)),
    Bad("jsonl-beyond-numbers", "table", text("t.jsonl", '{"a":1}\n{"a":1e999}\n'), "t.jsonl:2: .*1e999", skip=(1, 2)),
    Bad("jsonl-infinity", "table", text("t.jsonl", '{"a":1}\n{"a":-Infinity}\n'), "t.jsonl:2: .*Infinity", skip=(1, 2)),
    Bad("jsonl-lone-surrogate", "table", text("t.jsonl", '{"a":1}\n{"a":"\\ud800"}\n'), r"U\+D800", skip=(1, 2)),
    Bad("jsonl-surrogate-key", "table", text("t.jsonl", '{"\\ud800":1}\n'), r"U\+D800"),
    Bad("jsonl-nul", "table", text("t.jsonl", '{"a":1}\n{"a":"x\\u0000"}\n'), "NUL", skip=(1, 2)),
    Bad("jsonl-empty", "table", raw("t.jsonl", b"\n\n"), "is empty"),
    Bad("jsonl-empty-objects", "table", text("t.jsonl", "{}\n{}\n"), "no line that is a JSON object with a key"),
    Bad("jsonl-one-document", "table", text("t.jsonl", '{\n "a": 1\n}\n'), "not JSON"),
    Bad("json", "table", text("t.json", '[{"a":1}]'), "not read"),
    Bad("jsonl-latin1", "table", raw("t.jsonl", b'{"a":"x"}\n{"a":"caf\xe9"}\n'), "byte 0xe9 on line 2"),
    Bad(
        "jsonl-bomb",
        "table",
        bomb("t.jsonl.gz", b'{"a":1}\n{"a":"', size=40 * MEGABYTE),
        "t.jsonl.gz:2: longer",
        skip=(1, 2),
        heavy=True,
    ),
    Bad(
        "wikisql-long-row",
        "table",
        text("w.jsonl", '{"id":"1","header":["a"],"rows":[[1],[2,3],[4]]}\n'),
        "w.jsonl:2: column 2: 2 cells",
        skip=(1, 4),
    ),
    Bad(
        "wikisql-row-no-list",
        "table",
        text("w.jsonl", '{"id":"1","header":["a"],"rows":[[1],{"a":2}]}\n'),
        "w.jsonl:2: not a list of cells",
        skip=(1, 2),
    ),
    Bad(
        "wikisql-header-no-list",
        "table",
        text("w.jsonl", '{"id":"1","header":["a"],"rows":[[1]]}\n{"id":"2","header":"a","rows":[[1]]}\n'),
        "w.jsonl:2 is not a table",
    ),
    Bad(
        "wikisql-same-id",
        "table",
        text("w.jsonl", '{"id":"1","header":["a"],"rows":[[1]]}\n' * 2),
        "Two tables are named '1'",
        named=False,
    ),
    Bad("wikisql-no-rows", "table", text("w.jsonl", '{"id":"1","header":["a"],"rows":[]}\n'), "has no facts"),
    Odd("jsonl-nan", "table", text("t.jsonl", '{"a":NaN}\n{"a":null}\n{}\n'), 6),
    Odd("jsonl-rather-deep", "table", text("t.jsonl", '{"a":' + "[" * 500 + "]" * 500 + "}\n"), 2),
    Odd(
        "wikisql-deep-row",
        "table",
        text("w.jsonl", '{"id":"1","header":["a"],"rows":[[1],[' + "[" * 500 + "]" * 500 + "]]}\n"),
        4,
    ),
    Odd("jsonl-nested", "table", text("t.jsonl", '{"a":[1,{"b":2}]}\n'), 2),
]

_SQL = [
    Bad("sql-no-such-dialect", "table", exactly("klingon://host/db"), "knows no database 'klingon'", named=False),
    Bad("sql-no-driver", "table", exactly("oracle://scott:tiger@host/db"), "driver is missing", named=False),
    Bad("sql-no-url", "table", exactly("://x"), "no file or folder", named=False),
    Bad("sql-no-file", "table", lambda folder: f"sqlite:///{folder}/none.db", "no file", named=False),
    Bad("sql-file-is-text", "table", url_of(text("t.db", "a,b\n1,2\n" * 100)), "not a database"),
    Bad("sql-damaged", "table", lambda folder: _damaged_database(folder), "malformed|not a database"),
    Bad("sql-no-tables", "table", database("DROP TABLE items"), "no tables"),
    Bad("sql-no-such-table", "table", database(), "no table 'shops'; its tables are items", options={"query": "shops"}),
    Bad("sql-bad-query", "table", database(), "no such column", options={"query": "SELECT nope FROM items"}),
    Bad("sql-drop", "table", database(), "no table 'DROP TABLE items'", options={"query": "DROP TABLE items"}),
    Bad(
        "sql-two-statements",
        "table",
        database(),
        "one statement",
        options={"query": "SELECT * FROM items; DROP TABLE items"},
    ),
    Bad(
        "sql-with-delete", "table", database(), "readonly", options={"query": "WITH x AS (SELECT 1) DELETE FROM items"}
    ),
    Bad("sql-pragma", "table", database(), "no table 'PRAGMA", options={"query": "PRAGMA query_only = OFF"}),
    Bad(
        "sql-bytes",
        "table",
        database("INSERT INTO items VALUES ('tin', x'ff')"),
        r"column 2 \(price\): bytes",
        skip=(1, 3),
        named=False,
    ),
    Bad("sql-text-no-utf8", "table", database("INSERT INTO items VALUES (CAST(x'ff' AS TEXT), 1)"), "UTF-8"),
    Bad(
        "sql-query-without-database",
        "table",
        text("t.csv", "a,b\n1,2\n"),
        "not a database",
        options={"query": "x"},
        named=False,
    ),
    Bad(
        "sql-password",
        "table",
        exactly("mysql+nothing://me:hunter2@host/db?password=hunter2"),
        r"me:\*\*\*@host",
        named=False,
    ),
    Bad(
        "sql-long-query",
        "table",
        database(),
        "name",
        options={"query": "SELECT name FROM items WHERE " + " OR ".join(["price > 1"] * 30)},
        named=False,
    ),
]


def _damaged_database(folder: Path) -> str:
    url = str(database(*[f"INSERT INTO items VALUES ('{'x' * 500}', {n})" for n in range(100)])(folder))
    path = folder / "shop.db"
    data = bytearray(path.read_bytes())
    data[4096:12288] = b"\xff" * 8192
    path.write_bytes(data)
    return url


_KG = [
    Bad("kg-wrong-delimiter", "kg", text("f.tsv", "a,r,b\nc,r,d\n"), "no column.*(`delimiter`|--delimiter) comma"),
    Bad("kg-two-columns", "kg", text("f.tsv", "a\tb\nc\td\n"), "no column 3"),
    Bad(
        "kg-empty-name",
        "kg",
        text("f.tsv", "a\tr\tb\nc\t \td\ne\tr\tf\n"),
        r"f.tsv:2: column 2 \(relation\): empty",
        skip=(1, 2),
    ),
    Bad("kg-missing-tail", "kg", text("f.tsv", "a\tr\tb\nc\tr\n"), r"f.tsv:2: column 3 \(tail\): missing", skip=(1, 1)),
    Bad("kg-fourth-column", "kg", text("f.tsv", "a\tr\tb\nc\tr\td\te\n"), "f.tsv:2: column 4: 4 columns", skip=(1, 1)),
    Bad("kg-latin1", "kg", raw("f.tsv", b"a\tr\tb\nc\tr\tcaf\xe9\n"), "f.tsv:2: column 3.*byte 0xe9", skip=(1, 1)),
    Bad("kg-overlong-utf8", "kg", raw("f.tsv", b"a\tr\tb\nc\tr\t\xc0\xaf\n"), "byte 0xc0", skip=(1, 1)),
    Bad("kg-nul", "kg", raw("f.tsv", b"a\tr\tb\nc\tr\tx\x00\n"), "f.tsv:2: column 3.*NUL", skip=(1, 1)),
    Bad("kg-utf16-without-mark", "kg", text("f.tsv", "a\tr\tb\nc\tr\td\n", "utf-16-le"), "NUL"),
    Bad(
        "kg-csv-unclosed-quote",
        "kg",
        text("f.csv", 'a,r,b\nc,r,"d\ne,r,f\n'),
        "f.csv:2: a quote opened on line 2",
        skip=(1, 2),
    ),
    Bad("kg-empty", "kg", raw("f.tsv", b""), "is empty"),
    Bad("kg-header-only", "kg", text("f.tsv", "head\trelation\ttail\n"), "no facts"),
    Bad("kg-no-tail-in-header", "kg", text("f.tsv", "head\trelation\tthing\na\tr\tb\n"), "no column 'tail'"),
    Bad(
        "kg-columns-twice",
        "kg",
        text("f.tsv", "a\tr\tb\n"),
        "does not say which",
        options={"columns": (1, 1, 2)},
        named=False,
    ),
    Bad("kg-columns-beyond", "kg", text("f.tsv", "a\tr\tb\n"), "no column 9", options={"columns": (1, 2, 9)}),
    Bad(
        "kg-no-delimiter", "kg", text("f.tsv", "a\tr\tb\n"), "not a delimiter", options={"delimiter": "##"}, named=False
    ),
    Bad("kg-truncated-gzip", "kg", zipped("f.tsv.gz", b"a\tr\tb\n" * 5000, cut=10), "not a whole gzip file"),
    Bad("kg-is-elf", "kg", raw("f.txt", ELF), "f.txt"),
    Bad("kg-is-html", "kg", text("f.txt", HTML), "no column"),
    Bad(
        "kg-50-mb-name",
        "kg",
        long("f.tsv", b"a\tr\tb\nc\tr\t", b"x", 50 * MEGABYTE, b"\ne\tr\tf\n"),
        "f.tsv:2: longer",
        skip=(1, 2),
        heavy=True,
    ),
    Bad(
        "kg-50-mb-line",
        "kg",
        long("f.tsv", b"a\tr\tb\n", b"x\t", 25 * MEGABYTE, b"\ne\tr\tf\n"),
        "f.tsv:2: longer",
        skip=(1, 2),
        heavy=True,
    ),
    Bad("kg-bomb", "kg", bomb("f.tsv.gz", b"a\tr\tb\nc\tr\t"), "f.tsv.gz:2: ", heavy=True),
    Bad("kg-bomb-of-zeros", "kg", bomb("f.csv.gz", b"a,r,b\n", b"\x00"), "f.csv.gz:2: ", heavy=True),
    Bad("kg-bomb-of-blank-lines", "kg", bomb("f.tsv.gz", b"", b"\n", 10 * MEGABYTE), "is empty", heavy=True),
    Bad("kg-all-rejected", "kg", text("f.tsv", "a\tr\t\nb\tr\t\n"), "empty|rejected"),
    Odd("kg-utf16", "kg", text("f.tsv", "a\tr\tb\n", "utf-16"), 1),
    Odd("kg-old-mac", "kg", text("f.tsv", "a\tr\tb\rc\tr\td\r"), 2),
    Odd("kg-self-loop", "kg", text("f.tsv", "a\tr\ta\nr\tr\tr\n"), 2),
    Odd("kg-repeats", "kg", text("f.tsv", "a\tr\tb\n" * 5), 1),
]

_TKG = [
    Bad(
        "tkg-31-february",
        "tkg",
        text("f.tsv", "a\tr\tb\t2001\na\tr\tc\t2001-02-31\n"),
        r"f.tsv:2: column 4 \(start\): '2001-02-31' is not a day: February 2001 has 28 days",
        skip=(1, 1),
    ),
    Bad(
        "tkg-month-13",
        "tkg",
        text("f.tsv", "a\tr\tb\t2001\na\tr\tc\t2001-13\n"),
        "'2001-13' is not a year",
        skip=(1, 1),
    ),
    Bad("tkg-leap-day-1900", "tkg", text("f.tsv", "a\tr\tb\t2001\na\tr\tc\t1900-02-29\n"), "1900-02-29", skip=(1, 1)),
    Bad(
        "tkg-time-is-text", "tkg", text("f.tsv", "a\tr\tb\t2001\na\tr\tc\tlast May\t2002\n"), "'last May'", skip=(1, 1)
    ),
    Bad(
        "tkg-end-is-text",
        "tkg",
        text("f.tsv", "a\tr\tb\t2001\na\tr\tc\t2001\tlater\n"),
        r"column 5 \(end\): 'later'",
        skip=(1, 1),
    ),
    Bad(
        "tkg-year-of-13-digits",
        "tkg",
        text("f.tsv", "a\tr\tb\t2001\na\tr\tc\t1000000000000\n"),
        "is not a year",
        skip=(1, 1),
    ),
    Bad(
        "tkg-year-of-5000-digits",
        "tkg",
        text("f.tsv", f"a\tr\tb\t2001\na\tr\tc\t{DIGITS}\n"),
        "is not a year",
        skip=(1, 1),
    ),
    Bad("tkg-other-digits", "tkg", text("f.tsv", "a\tr\tb\t2001\na\tr\tc\t٢٠٠١\n"), "is not a year", skip=(1, 1)),
    Bad(
        "tkg-a-trillion-years-by-day",
        "tkg",
        text("f.tsv", "a\tr\tb\t1\t999999999999\n"),
        "too far away",
        options={"step": "day"},
    ),
    Bad(
        "tkg-many-trillion-days",
        "tkg",
        text("f.tsv", "".join(f"a{n}\tr\tb\t-999999999999\t999999999999\n" for n in range(20_000))),
        "too far away",
        options={"step": "day"},
    ),
    Bad("tkg-more-than-allowed", "tkg", text("f.tsv", "a\tr\tb\t1\t100\n"), "more than 4", options={"max_triples": 4}),
    Bad(
        "tkg-step-is-nonsense",
        "tkg",
        text("f.tsv", "a\tr\tb\t1\n"),
        "`step` is 'decade'; it must be one of: year",
        options={"step": "decade"},
        named=False,
    ),
    Bad("tkg-no-time-column", "tkg", text("f.tsv", "head\trelation\ttail\na\tr\tb\n"), "no column 'start'"),
    Bad("tkg-three-columns", "tkg", text("f.tsv", "a\tr\tb\n"), r"no column 4 \(start\)"),
    Bad("tkg-wrong-delimiter", "tkg", text("f.tsv", "a,r,b,2001\n"), "separated by commas"),
    Bad(
        "tkg-missing-time",
        "tkg",
        text("f.tsv", "a\tr\tb\t2001\na\tr\tc\n"),
        r"f.tsv:2: column 4 \(start\): missing",
        skip=(1, 1),
    ),
    Bad(
        "tkg-six-columns",
        "tkg",
        text("f.tsv", "a\tr\tb\t1\t2\na\tr\tc\t1\t2\tmore\n"),
        "6 columns where 5",
        skip=(1, 1),
    ),
    Bad(
        "tkg-quoted-tsv",
        "tkg",
        text("f.tsv", 'a\tr\tb\t"2001"\na\tr\tb\t2001\n'),
        "with the quotes around it",
        skip=(1, 1),
    ),
    Bad("tkg-empty", "tkg", raw("f.tsv", b"\xef\xbb\xbf\n"), "is empty"),
    Bad("tkg-bomb", "tkg", bomb("f.csv.gz", b"a,r,b,1\na,r,b,"), "f.csv.gz:2: ", heavy=True),
    Odd("tkg-ends-before-it-starts", "tkg", text("f.tsv", "a\tr\tb\t2001\t1999\n"), 1, "ends before it starts"),
    Odd("tkg-self-loop", "tkg", text("f.tsv", "a\tr\ta\t1\nr\tr\tr\t1\n"), 2),
]

IDS = {"entity2id.txt": "2\nAda\t0\nBob\t1\n", "relation2id.txt": "knows\t0\n", "train.txt": "0\t0\t1\t5\n"}

_IDS = [
    Bad(
        "ids-unknown-entity",
        "tkg",
        folder_of({**IDS, "train.txt": "0\t0\t1\t5\n0\t0\t7\t5\n"}),
        r"2: column 3 \(tail\): in train.txt: no entity has the id 7",
        skip=(1, 1),
    ),
    Bad(
        "ids-unknown-relation",
        "tkg",
        folder_of({**IDS, "train.txt": "0\t0\t1\t5\n0\t9\t1\t5\n"}),
        "no relation has the id 9",
        skip=(1, 1),
    ),
    Bad(
        "ids-no-number",
        "tkg",
        folder_of({**IDS, "train.txt": "0\t0\t1\t5\n0\t0\tBob\t5\n"}),
        "'Bob' is not a whole number",
        skip=(1, 1),
    ),
    Bad(
        "ids-of-5000-digits",
        "tkg",
        folder_of({**IDS, "train.txt": f"0\t0\t1\t5\n0\t0\t{DIGITS}\t5\n"}),
        "is not a whole number",
        skip=(1, 1),
    ),
    Bad("ids-three-columns", "tkg", folder_of({**IDS, "train.txt": "0\t0\t1\t5\n0\t0\t1\n"}), "missing", skip=(1, 1)),
    Bad(
        "ids-fifth-column",
        "tkg",
        folder_of({**IDS, "train.txt": "0\t0\t1\t5\n0\t0\t1\t5\t9\n"}),
        "'9' where 0",
        skip=(1, 1),
    ),
    Bad(
        "ids-no-entities",
        "tkg",
        folder_of({name: IDS[name] for name in ("relation2id.txt", "train.txt")}),
        "entity2id|no column",
    ),
    Bad("ids-table-no-number", "tkg", folder_of({**IDS, "entity2id.txt": "Ada\tzero\n"}), "entity2id.txt:1: 'zero'"),
    Bad(
        "ids-table-one-column",
        "tkg",
        folder_of({**IDS, "entity2id.txt": "Ada\t0\nBob\n"}),
        "entity2id.txt:2: no name and id",
    ),
    Bad("ids-table-same-id", "tkg", folder_of({**IDS, "entity2id.txt": "Ada\t0\nBob\t0\n"}), "id 0 is that of 'Ada'"),
    Bad("ids-table-empty-name", "tkg", folder_of({**IDS, "entity2id.txt": "\t0\nBob\t1\n"}), "name is empty"),
    Bad("ids-table-empty", "tkg", folder_of({**IDS, "entity2id.txt": ""}), "entity2id|no entity has"),
    Bad("ids-no-facts", "tkg", folder_of({**IDS, "train.txt": "\n"}), "no facts"),
]

_STATEMENTS = [
    Bad(
        "statements-key-without-value",
        "statements",
        text("f.txt", "a,r,b\na,r,c,when\n"),
        "f.txt:2: column 4: the qualifier 'when' has no value",
        skip=(1, 1),
    ),
    Bad(
        "statements-empty-value",
        "statements",
        text("f.txt", "a,r,b\na,r,c,when,,who,x\n"),
        r"f.txt:2: column 5 \(value of qualifier 1\): empty",
        skip=(1, 1),
    ),
    Bad(
        "statements-two-columns",
        "statements",
        text("f.txt", "a,r,b\na,r\n"),
        r"column 3 \(object\): missing",
        skip=(1, 1),
    ),
    Bad(
        "statements-header-of-another-order",
        "statements",
        text("f.csv", "object,relation,subject\na,r,b\n"),
        "has the columns",
    ),
    Bad(
        "statements-null",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n{"subject":null,"relation":"r","object":"b"}\n'),
        "f.jsonl:2: 'subject' is missing or null",
        skip=(1, 1),
    ),
    Bad(
        "statements-no-subject",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n{"relation":"r","object":"b"}\n'),
        "f.jsonl:2: 'subject' is missing",
        skip=(1, 1),
    ),
    Bad(
        "statements-subject-list",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n{"subject":["a"],"relation":"r","object":"b"}\n'),
        "'subject' is a list",
        skip=(1, 1),
    ),
    Bad(
        "statements-qualifiers-text",
        "statements",
        text(
            "f.jsonl",
            '{"subject":"a","relation":"r","object":"b"}\n'
            '{"subject":"a","relation":"r","object":"b","qualifiers":"x"}\n',
        ),
        "'qualifiers' is neither an object",
        skip=(1, 1),
    ),
    Bad(
        "statements-qualifier-no-pair",
        "statements",
        text(
            "f.jsonl",
            '{"subject":"a","relation":"r","object":"b"}\n'
            '{"subject":"a","relation":"r","object":"b","qualifiers":[["x"]]}\n',
        ),
        r"not a \[key, value\]",
        skip=(1, 1),
    ),
    Bad(
        "statements-qualifier-of-object",
        "statements",
        text(
            "f.jsonl",
            '{"subject":"a","relation":"r","object":"b"}\n'
            '{"subject":"a","relation":"r","object":"b","qualifiers":{"x":{"y":1}}}\n',
        ),
        "qualifier x' is an object",
        skip=(1, 1),
    ),
    Bad(
        "statements-qualifier-null",
        "statements",
        text(
            "f.jsonl",
            '{"subject":"a","relation":"r","object":"b"}\n'
            '{"subject":"a","relation":"r","object":"b","qualifiers":{"x":null}}\n',
        ),
        "null",
        skip=(1, 1),
    ),
    Bad(
        "statements-doubled-subject",
        "statements",
        text(
            "f.jsonl",
            '{"subject":"a","relation":"r","object":"b"}\n{"subject":"a","s":"z","relation":"r","object":"b"}\n',
        ),
        "'subject' is given twice",
        skip=(1, 1),
    ),
    Bad(
        "statements-no-object",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n["a","r","b"]\n'),
        "f.jsonl:2: not an object",
        skip=(1, 1),
    ),
    Bad(
        "statements-broken-json",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n{"a\n'),
        "f.jsonl:2: not JSON",
        skip=(1, 1),
    ),
    Bad(
        "statements-nan",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n{"subject":"a","relation":"r","object":NaN}\n'),
        "NaN is not a number of JSON",
        skip=(1, 1),
    ),
    Bad(
        "statements-lone-surrogate",
        "statements",
        text(
            "f.jsonl",
            '{"subject":"a","relation":"r","object":"b"}\n{"subject":"a","relation":"r","object":"\\udfff"}\n',
        ),
        r"U\+DFFF",
        skip=(1, 1),
    ),
    Bad(
        "statements-deep",
        "statements",
        text("f.jsonl", '{"subject":"a","relation":"r","object":"b"}\n' + "[" * DEEP + "]" * DEEP + "\n"),
        "f.jsonl:2: .*nested too deeply",
        skip=(1, 1),
    ),
    Bad("statements-json-list", "statements", text("f.json", '[{"subject":"a"}]'), "one JSON list"),
    Bad(
        "statements-bomb",
        "statements",
        bomb("f.jsonl.gz", b'{"subject":"a","relation":"r","object":"b"}\n{"'),
        "f.jsonl.gz:2: ",
        heavy=True,
    ),
    Bad("statements-bomb-of-zeros", "statements", bomb("f.jsonl.gz", b"", b"\x00"), "f.jsonl.gz", heavy=True),
    Odd(
        "statements-many-digits",
        "statements",
        text("f.jsonl", f'{{"subject":"a","relation":"r","object":{DIGITS}}}\n'),
        1,
    ),
    Odd("statements-unknown-key", "statements", text("f.jsonl", '{"s":"a","r":"r","o":"b","x":1}\n'), 1, "'x'"),
]

_RDF = [
    Bad("turtle-syntax", "rdf", text("f.ttl", "@prefix e: <http://e/> .\ne:a e:p e:b .\ne:a e:p p p .\n"), "line 3"),
    Bad("turtle-undefined-prefix", "rdf", text("f.ttl", "<http://e/a> <http://e/p> x:b .\n"), "line 1.*prefix"),
    Bad("turtle-iri-with-space", "rdf", text("f.ttl", "<http://e/a> <http://e/p> <http://e/b c> .\n"), "line 1"),
    Bad("turtle-cut-in-literal", "rdf", text("f.ttl", '<http://e/a> <http://e/p> """cut\noff'), "line"),
    Bad("turtle-no-utf8", "rdf", raw("f.ttl", b'<http://e/a> <http://e/p> "caf\xe9" .\n'), "line 1"),
    Bad("turtle-utf16", "rdf", text("f.ttl", "<http://e/a> <http://e/p> 1 .\n", "utf-16"), "looks like UTF-16"),
    Bad("turtle-empty", "rdf", raw("f.ttl", b""), "no triples"),
    Bad("turtle-comments-only", "rdf", text("f.ttl", "# nothing\n@prefix e: <http://e/> .\n"), "no triples"),
    Bad("turtle-deep-lists", "rdf", text("f.ttl", "<http://e/a> <http://e/p> " + "(" * 20_000 + "\n"), "line"),
    Bad(
        "turtle-deep-triple-terms",
        "rdf",
        text(
            "f.ttl",
            "<http://e/a> <http://e/p> " + "<<( <http://e/a> <http://e/p> " * 50_000 + "1" + ")>>" * 50_000 + " .\n",
        ),
        "nested too deeply",
        heavy=True,
    ),
    Bad(
        "nt-deep-triple-terms",
        "rdf",
        text(
            "f.nt",
            "<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p> "
            + "<<( <http://e/a> <http://e/p> " * 50_000
            + "<http://e/b> "
            + ")>> " * 50_000
            + ".\n",
        ),
        "f.nt:2: .*nested too deeply",
        skip=(1, 1),
        heavy=True,
    ),
    Bad(
        "xml-deep-triple-terms",
        "rdf",
        text(
            "f.rdf",
            RDF_ROOT.replace(">", ' rdf:version="1.2">') + '<rdf:Description><e:p rdf:parseType="Triple">' * 50_000,
        ),
        "nested too deeply",
        heavy=True,
    ),
    Bad("turtle-lone-surrogate", "rdf", text("f.ttl", '<http://e/a> <http://e/p> "\\uD800" .\n'), "line 1"),
    Bad("turtle-nul", "rdf", text("f.ttl", '<http://e/a> <http://e/p> "a\\u0000b" .\n'), "NUL"),
    Bad("turtle-bomb", "rdf", bomb("f.ttl.gz", b'<http://e/a> <http://e/p> "'), "f.ttl.gz", heavy=True),
    Bad("trig-syntax", "rdf", text("f.trig", "<http://e/g> {\n <http://e/a> <http://e/p>\n}\n"), "line 3"),
    Bad(
        "nt-bad-middle",
        "rdf",
        text("f.nt", "<http://e/a> <http://e/p> <http://e/b> .\nnonsense\n<http://e/b> <http://e/p> <http://e/c> .\n"),
        "f.nt:2",
        skip=(1, 2),
    ),
    Bad(
        "nt-relative-iri",
        "rdf",
        text("f.nt", "<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p> <b> .\n"),
        "f.nt:2",
        skip=(1, 1),
    ),
    Bad(
        "nt-literal-subject",
        "rdf",
        text("f.nt", '<http://e/a> <http://e/p> <http://e/b> .\n"a" <http://e/p> <http://e/b> .\n'),
        "f.nt:2",
        skip=(1, 1),
    ),
    Bad(
        "nt-latin1",
        "rdf",
        raw("f.nt", b'<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p> "caf\xe9" .\n'),
        "f.nt:2",
        skip=(1, 1),
    ),
    Bad(
        "nt-unasserted",
        "rdf",
        text(
            "f.nt",
            "<http://e/a> <http://e/p> <http://e/b> .\n<http://e/r> "
            "<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://e/x> <http://e/p> <http://e/y> )>> .\n",
        ),
        "f.nt:2.*does not assert",
        skip=(1, 1),
    ),
    Bad(
        "nt-bomb",
        "rdf",
        bomb("f.nt.gz", b'<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p> "'),
        "f.nt.gz:2",
        heavy=True,
    ),
    Bad(
        "nq-bad-middle",
        "rdf",
        text(
            "f.nq",
            "<http://e/a> <http://e/p> <http://e/b> <http://e/g> .\n<http://e/a> <http://e/p> <http://e/b> <g>\n",
        ),
        "f.nq:2",
        skip=(1, 1),
    ),
    Bad("xml-syntax", "rdf", text("f.rdf", f"{RDF_ROOT}\n<rdf:Description>\n</rdf:RDF>\n"), "line 3"),
    Bad("xml-undefined-prefix", "rdf", text("f.rdf", f"{RDF_ROOT}\n<x:Thing/>\n</rdf:RDF>\n"), "line 2"),
    Bad(
        "xml-iri-with-space",
        "rdf",
        text("f.rdf", f'{RDF_ROOT}\n<e:T rdf:about="http://e/a b"/>\n</rdf:RDF>\n'),
        "line 2.*not an IRI",
    ),
    Bad(
        "xml-billion-laughs",
        "rdf",
        text("f.rdf", f'{LAUGHS}{RDF_ROOT}<e:T rdf:about="http://e/a"><e:p>&j;</e:p></e:T></rdf:RDF>'),
        "entit",
    ),
    Bad(
        "xml-quadratic-entity",
        "rdf",
        text(
            "f.rdf",
            f'<!DOCTYPE r [<!ENTITY a "{"a" * 900}">]>{RDF_ROOT}'
            f'<e:T rdf:about="http://e/a"><e:p>{"&a;" * 20_000}</e:p></e:T></rdf:RDF>',
        ),
        "entities|amplification",
    ),
    Bad(
        "xml-external-entity",
        "rdf",
        text("f.rdf", f'{PASSWD}{RDF_ROOT}<e:T rdf:about="http://e/a"><e:p>&x;</e:p></e:T></rdf:RDF>'),
        "refers to file:///etc/passwd.*fetches nothing",
    ),
    Bad(
        "xml-external-dtd",
        "rdf",
        text("f.rdf", f'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd">{RDF_ROOT}</rdf:RDF>'),
        "refers to http://127.0.0.1:9/x.dtd",
    ),
    Bad("xml-is-html", "rdf", text("f.rdf", HTML), "line"),
    Bad(
        "xml-is-xhtml",
        "rdf",
        text("f.rdf", '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"/>\n'),
        "Is this RDF/XML",
    ),
    Bad("xml-empty-graph", "rdf", text("f.rdf", f"{RDF_ROOT}</rdf:RDF>"), "no triples"),
    Bad("xml-deep", "rdf", text("f.rdf", RDF_ROOT + "<e:a><e:p>" * 5_000), "line"),
    Bad(
        "xml-bomb",
        "rdf",
        bomb("f.rdf.gz", f'{RDF_ROOT}<e:T rdf:about="http://e/a"><e:p>'.encode()),
        "f.rdf.gz",
        heavy=True,
    ),
    Bad(
        "xml-20-mb-literal",
        "rdf",
        long(
            "f.rdf",
            f'{RDF_ROOT}<e:T rdf:about="http://e/a"><e:p>'.encode(),
            b"a",
            20 * MEGABYTE,
            b"</e:p></e:T></rdf:RDF>",
        ),
        "a text longer than",
        heavy=True,
    ),
    Bad("jsonld-syntax", "rdf", text("f.jsonld", '{"@id": "http://e/a",\n "http://e/p": }\n'), "line 2"),
    Bad(
        "jsonld-remote-context",
        "rdf",
        text("f.jsonld", '{"@context": "http://127.0.0.1:9/c.jsonld", "name": "x"}'),
        "refers to the context http://127.0.0.1:9/c.jsonld",
    ),
    Bad(
        "jsonld-file-context",
        "rdf",
        text("f.jsonld", '{"a": {"@context": [{}, "file:///etc/passwd"]}}'),
        "refers to the context file:///etc/passwd",
    ),
    Bad(
        "jsonld-import",
        "rdf",
        text("f.jsonld", '{"@context": {"@import": "http://127.0.0.1:9/c"}, "name": "x"}'),
        "refers to the context",
    ),
    Bad("jsonld-deep", "rdf", text("f.jsonld", '{"http://e/p":' * DEEP + "1" + "}" * DEEP), "nested too deeply"),
    Bad("jsonld-rather-deep", "rdf", text("f.jsonld", '{"http://e/p":' * 900 + "1" + "}" * 900), "nested too deeply"),
    Bad("jsonld-many-digits", "rdf", text("f.jsonld", f'{{"@id": "http://e/a", "http://e/p": {DIGITS}}}'), "f.jsonld"),
    Bad("jsonld-nan", "rdf", text("f.jsonld", '{"@id": "http://e/a", "http://e/p": NaN}'), "NaN is not JSON"),
    Bad("jsonld-no-iris", "rdf", text("f.jsonld", '{"name": "x"}'), "no triples"),
    Bad(
        "jsonld-lone-surrogate", "rdf", text("f.jsonld", '{"@id": "http://e/a", "http://e/p": "\\ud800"}'), "surrogate"
    ),
    Bad("jsonld-not-utf8", "rdf", raw("f.jsonld", b'{"@id": "http://e/a", "http://e/p": "caf\xe9"}'), "f.jsonld"),
    Bad(
        "jsonld-context-number",
        "rdf",
        text("f.jsonld", '{"@context": 7, "@id": "http://e/a", "http://e/p": 1}'),
        "f.jsonld",
    ),
    Bad(
        "jsonld-circular-prefix",
        "rdf",
        text("f.jsonld", '{"@context": {"a": "b:x", "b": "a:x"}, "@id": "http://e/a", "a": 1}'),
        "f.jsonld",
    ),
    Bad("jsonld-bomb", "rdf", bomb("f.jsonld.gz", b'{"@id": "http://e/a", "http://e/p": "'), "f.jsonld.gz", heavy=True),
    Bad(
        "rdf-no-such-format",
        "rdf",
        text("f.ttl", "<http://e/a> <http://e/p> 1 .\n"),
        "'csv' is not an RDF format",
        options={"format": "csv"},
        named=False,
    ),
    Bad(
        "rdf-wrong-format-given",
        "rdf",
        text("f.ttl", "<http://e/a> <http://e/p> 1 .\n"),
        "(`format`|--format)",
        options={"format": "rdfxml"},
    ),
    Bad(
        "rdf-truncated-gzip",
        "rdf",
        zipped("f.nt.gz", b"<http://e/a> <http://e/p> <http://e/b> .\n" * 9000, cut=10),
        "not a whole gzip file",
    ),
    Bad("rdf-is-png", "rdf", raw("f.owl", PNG), "f.owl"),
    Odd("turtle-relative-iri", "rdf", text("f.ttl", "<a> <p> <b> .\n"), 1),
    Odd(
        "turtle-cyclic-list",
        "rdf",
        text(
            "f.ttl",
            "@prefix r: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
            "_:a r:first 1 ; r:rest _:b . _:b r:first 2 ; r:rest _:a .\n",
        ),
        4,
    ),
    Odd(
        "turtle-blank-loop",
        "rdf",
        text("f.ttl", "_:a <http://e/p> _:b . _:b <http://e/p> _:a . _:a <http://e/p> _:a ."),
        3,
    ),
    Odd(
        "xml-namespace-entity",
        "rdf",
        text("f.rdf", f'<!DOCTYPE r [<!ENTITY e "http://e/">]>{RDF_ROOT}<e:T rdf:about="&e;a"/></rdf:RDF>'),
        1,
    ),
]

_LONG_PATH = "a" * 5000
_PATHS: list[Bad | Odd] = []
_GOOD = {
    "table": ("t.csv", "a,b\n1,2\n"),
    "kg": ("f.tsv", "a\tr\tb\n"),
    "tkg": ("f.tsv", "a\tr\tb\t2001\n"),
    "statements": ("f.txt", "a,r,b\n"),
    "rdf": ("f.nt", "<http://e/a> <http://e/p> <http://e/b> .\n"),
}
"""A good input of each kind."""

for _kind, (_name, _text) in _GOOD.items():
    _PATHS += [
        Bad(f"{_kind}-nothing-there", _kind, given(_name), "does not exist|no file"),
        Bad(f"{_kind}-path-too-long", _kind, exactly(_LONG_PATH), "a{60}", named=False),
        Bad(f"{_kind}-path-with-nul", _kind, exactly("a\x00b"), "no file|cannot be the name", named=False),
        Bad(f"{_kind}-empty-folder", _kind, folder_of({}), "no files that end|no tables"),
        Bad(f"{_kind}-folder-of-others", _kind, folder_of({"readme.md": "x", ".hidden.csv": _text}),
            "no files that end|no tables"),
        Bad(f"{_kind}-pattern-matches-nothing", _kind, given("*.none"), "No file"),
        Bad(f"{_kind}-dangling-link", _kind, link(_name, "nowhere"), "link|no file"),
        Bad(f"{_kind}-link-to-itself", _kind, link(_name, _name), _name),
        Bad(f"{_kind}-folder-loop", _kind, linked_in_circles, "no files that end|no tables"),
        Bad(f"{_kind}-pipe", _kind, pipe(_name), "not an ordinary file"),
        Bad(f"{_kind}-device", _kind, exactly("/dev/null"), "not an ordinary file", named=False),
        Bad(f"{_kind}-endless-device", _kind, exactly("/dev/zero"), "not an ordinary file", named=False),
        Bad(f"{_kind}-name-with-control", _kind, text(_name, _text), "cannot be the name", options={"name": "a\nb"},
            named=False),
        Bad(f"{_kind}-name-of-300", _kind, text(_name, _text), "cannot be the name", options={"name": "n" * 300},
            named=False),
        Bad(f"{_kind}-blank-source-name", _kind, text(_name, _text), "cannot be the name", options={"name": "  "},
            named=False),
        Bad(f"{_kind}-file-name-with-control", _kind, text(f"a\x07{_name}", _text), "cannot be the name",
            named=False),
        Bad(f"{_kind}-file-name-not-utf8", _kind, text(f"\udcff{_name}", _text), "cannot be the name",
            named=False),
    ]  # fmt: skip

CORPUS: list[Bad | Odd] = [
    *_TEXTS, *_WORKBOOKS, *_PARQUET, *_JSON, *_SQL, *_KG, *_TKG, *_IDS, *_STATEMENTS, *_RDF, *_PATHS,
]  # fmt: skip
