"""The corpus of malformed and hostile inputs: how each is made, and what a load has to say of it.

`malformed.jsonl` has an input a line, those that take a program are below. Without `facts`, an input is refused by an
error that matches `says`, or loses the lines that `skip` counts. With `facts`, it looks wrong and is read by a rule
that a warning states. `fault` is the class of what is wrong with it.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Make = Callable[[Path], "Path | str"]
"""Makes an input in an empty folder; returns what a load is given."""

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Case:
    """An input that looks wrong.

    Args:
        name: of the case.
        kind: of the load: table, kg, tkg, statements, rdf.
        fault: the class of what is wrong.
        make: makes it.
        says: a pattern that is found in the error, or in the warnings.
        skip: what `on_error="skip"` makes of it: lines rejected, facts loaded; None: the same error.
        facts: how many facts are read; None: it is refused.
        options: of the load.
        heavy: whether it is read in a process of its own, with little memory and time.
        named: whether the error names the file.
    """

    name: str
    kind: str
    fault: str
    make: Make
    says: str = ""
    skip: tuple[int, int] | None = None
    facts: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    heavy: bool = False
    named: bool = True


# How inputs are made

Content = str | list[Any]
"""A text, in which a lone surrogate is a byte that is not UTF-8; or a list of texts and of pairs [content, times]."""


def _pieces(content: Content, encoding: str) -> Iterator[tuple[bytes, int]]:
    """The bytes of a content, and how many times over each piece is."""
    for part in [content] if isinstance(content, str) else content:
        piece, times = (part, 1) if isinstance(part, str) else part
        if isinstance(piece, list):
            yield b"".join(data * count for data, count in _pieces(piece, encoding)), times
        else:
            yield piece.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict"), times


def text(name: str, content: Content, *, encoding: str = "utf-8", zipped: bool = False, cut: int = 0) -> Make:
    """A file, perhaps gzipped, without its last bytes. A gigabyte of one byte is quick: its parts are equal."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            for piece, times in _pieces(content, encoding):
                most = max(1, 10 * MEGABYTE // max(1, len(piece)))
                whole, rest = (piece * min(times, most), piece * (times % most))
                packed = gzip.compress(whole, 1) if zipped else whole
                for _ in range(times // most):
                    file.write(packed)
                if rest:
                    file.write(gzip.compress(rest, 1) if zipped else rest)
        os.truncate(path, path.stat().st_size - cut)
        return path

    return make


def folder_of(files: Mapping[str, Content]) -> Make:
    """A folder of texts."""

    def make(folder: Path) -> Path:
        place = folder / "inputs"
        place.mkdir()
        for name, content in files.items():
            text(name, content)(place)
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


def changed_workbook(part: str, old: str, new: str | None) -> Make:
    """A workbook one of whose parts is changed, or left out where the new text is None."""

    def make(folder: Path) -> Path:
        path = folder / "book.xlsx"
        with zipfile.ZipFile(io.BytesIO(_workbook(ROWS))) as before, zipfile.ZipFile(path, "w") as after:
            for name in before.namelist():
                content = before.read(name).decode()
                if name != part or new is not None:
                    changed = content.replace(old, new or "", 1) if name == part else content
                    after.writestr(name, changed, zipfile.ZIP_DEFLATED)
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


def declared(declaration: str, use: str, part: str = SHEET) -> Make:
    """A workbook one of whose parts has a document type declaration, and the use of an entity in place of a number."""

    def make(folder: Path) -> Path:
        path = changed_workbook(part, "<v>700000</v>", f"<v>{use}</v>")(folder)
        with zipfile.ZipFile(path) as book:
            parts = {name: book.read(name).decode() for name in book.namelist()}
        head, end, rest = parts[part].partition("?>") if parts[part].startswith("<?xml") else ("", "", parts[part])
        with zipfile.ZipFile(path, "w") as book:
            for name, content in {**parts, part: head + end + declaration + rest}.items():
                book.writestr(name, content)
        return path

    return make


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


def _other_zip(folder: Path) -> Path:
    path = folder / "t.xlsx"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("readme.txt", "no workbook")
    return path


def _damaged_database(folder: Path) -> str:
    url = str(database(*[f"INSERT INTO items VALUES ('{'x' * 500}', {n})" for n in range(100)])(folder))
    path = folder / "shop.db"
    data = bytearray(path.read_bytes())
    data[4096:12288] = b"\xff" * 8192
    path.write_bytes(data)
    return url


def _of_row(row: dict[str, Any]) -> Case:
    """The case of a line of `malformed.jsonl`."""
    about = dict(row)
    if "file" in about:
        file, content, encoding = about.pop("file"), about.pop("content"), about.pop("encoding", "utf-8")
        made = text(file, content, encoding=encoding, zipped=about.pop("gzip", False), cut=about.pop("cut", 0))
    elif "files" in about:
        made = folder_of(about.pop("files"))
    elif "sql" in about:
        made = database(*about.pop("sql"))
    else:
        made = workbook(**about.pop("book")) if "book" in about else exactly(about.pop("path"))
    skip = about.pop("skip", None)
    return Case(make=made, skip=skip and tuple(skip), **about)


_LINES = Path(__file__).with_suffix(".jsonl").read_text("utf-8").splitlines()

_FORMAT, _HOSTILE, _SIZE = ("table", "format"), ("table", "hostile"), ("table", "size")
_ROW_3 = '<row r="3"'
_MANY = "".join(f"a{n}\tr\tb\t-999999999999\t999999999999\n" for n in range(13_000))

# fmt: off
CORPUS: list[Case] = [
    *(_of_row(json.loads(line)) for line in _LINES),
    Case("csv-is-sqlite", *_FORMAT, renamed_database, "its URL is sqlite"),
    Case("xlsx-is-another-zip", *_FORMAT, _other_zip, "not an Excel workbook"),
    Case("xlsx-encrypted", *_FORMAT, locked_workbook, "not an Excel workbook.*encrypted"),
    Case("xlsx-without-its-sheet", *_FORMAT, changed_workbook(SHEET, "", None), "lacks its sheet 'Sheet'"),
    Case("xlsx-broken-xml", *_FORMAT, changed_workbook(SHEET, "</sheetData>", ""), "not an Excel workbook"),
    Case("xlsx-row-of-no-number", *_FORMAT, changed_workbook(SHEET, _ROW_3, '<row r="three"'), "three"),
    Case("xlsx-column-zzzz", *_FORMAT, changed_workbook(SHEET, 'r="A3"', 'r="ZZZZ3"'), "column"),
    Case("xlsx-wrong-merge", *_FORMAT, changed_workbook(SHEET, "</sheetData>",
         '</sheetData><mergeCells><mergeCell ref="A1:?"/></mergeCells>'), "merged range"),
    Case("xlsx-string-out-of-range", *_FORMAT, changed_workbook(SHEET, 't="n"><v>700000<', 't="s"><v>700000<'),
         "not an Excel workbook"),
    Case("parquet-truncated", *_FORMAT, parquet({"a": [1, 2]}, (100, 10_000)), "not a Parquet file"),
    Case("parquet-damaged-inside", *_FORMAT, parquet({"a": ["x" * 50] * 100}, (4, 60)), "not a Parquet file"),
    Case("sql-file-is-text", *_FORMAT, url_of(text("t.db", "a,b\n1,2\n" * 100)), "not a database"),
    Case("sql-damaged", *_FORMAT, _damaged_database, "malformed|not a database"),
    Case("xlsx-billion-laughs", *_HOSTILE, declared(LAUGHS, "&j;"), "entities"),
    Case("xlsx-external-entity", *_HOSTILE, declared(PASSWD, "&x;"), "entities"),
    Case("xlsx-laughing-styles", *_HOSTILE, declared(LAUGHS, "", "xl/styles.xml"), "entities"),
    Case("xlsx-zip-bomb", *_SIZE, zip_bomb, "would unpack", heavy=True),
    Case("xlsx-row-two-billion", *_SIZE, changed_workbook(SHEET, _ROW_3, '<row r="2000000000"'), "row 2,000,000,000",
         heavy=True),
    Case("xlsx-empty-row-two-billion", *_SIZE, changed_workbook(SHEET, "</sheetData>",
         '<row r="2000000000"/></sheetData>'), "row 2,000,000,000", heavy=True),
    Case("tkg-many-trillion-days", "tkg", "size", text("f.tsv", _MANY), "too far away", options={"step": "day"}),
    Case("parquet-no-columns", "table", "empty", parquet({}), "no columns"),
    Case("parquet-bytes", "table", "value", parquet({"a": [b"\xff\xfe", None]}), r"column 1 \(a\): bytes", (1, 2)),
    Case("parquet-nested", "table", "value", parquet({"a": [[1, 2], None], "b": [{"c": {"d": [1]}}, None]}), facts=6),
    Case("sql-no-file", "table", "path", lambda folder: f"sqlite:///{folder}/none.db", "no file", named=False),
]
_GOOD = {
    "table": ("t.csv", "a,b\n1,2\n"),
    "kg": ("f.tsv", "a\tr\tb\n"),
    "tkg": ("f.tsv", "a\tr\tb\t2001\n"),
    "statements": ("f.txt", "a,r,b\n"),
    "rdf": ("f.nt", "<http://e/a> <http://e/p> <http://e/b> .\n"),
    "aliases": ("f.tsv", "NYC\tNew York\n"),
}
"""A good input of each kind."""


for _kind, (_name, _text) in _GOOD.items():
    _bad_name = "cannot be the name"
    CORPUS += [
        Case(f"{_kind}-{name}", _kind, "path", make, says, named=named, options=options)
        for name, make, says, named, options in (
            ("nothing-there", given(_name), "does not exist|no file", True, {}),
            ("path-too-long", exactly("a" * 5000), "a{60}", False, {}),
            ("path-with-nul", exactly("a\x00b"), "no file|cannot be the name", False, {}),
            ("empty-folder", folder_of({}), "no files that end|no tables", True, {}),
            ("folder-of-others", folder_of({"readme.md": "x", ".hidden.csv": _text}), "no files that end", True, {}),
            ("pattern-matches-nothing", given("*.none"), "No file", True, {}),
            ("dangling-link", link(_name, "nowhere"), "link|no file", True, {}),
            ("link-to-itself", link(_name, _name), _name, True, {}),
            ("folder-loop", linked_in_circles, "no files that end|no tables", True, {}),
            ("pipe", pipe(_name), "not an ordinary file", True, {}),
            ("device", exactly("/dev/null"), "not an ordinary file", False, {}),
            ("endless-device", exactly("/dev/zero"), "not an ordinary file", False, {}),
            ("name-with-control", text(_name, _text), _bad_name, False, {"name": "a\nb"}),
            ("name-of-300", text(_name, _text), _bad_name, False, {"name": "n" * 300}),
            ("blank-source-name", text(_name, _text), _bad_name, False, {"name": "  "}),
            ("file-name-with-control", text(f"a\x07{_name}", _text), _bad_name, False, {}),
            ("file-name-not-utf8", text(f"\udcff{_name}", _text), _bad_name, False, {}),
        )
    ]
# fmt: on
