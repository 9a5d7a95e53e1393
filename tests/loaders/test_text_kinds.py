"""What holds for triples, temporal facts, statements and aliases alike: how their text files are read."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.loaders.aliases import Alias, read_aliases
from cgstore.loaders.kg import KgOptions, read_kg
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.loaders.readers.text import TextLoadOptions
from cgstore.loaders.statements import read_statements
from cgstore.loaders.tkg import TkgOptions, read_ids, read_tkg
from cgstore.loaders.tkg_stage import Fact
from tests.conftest import DATA


@dataclass(frozen=True)
class Kind:
    """A kind: its reader, the cells of a line, first lines that are headers, and where each of those cells stands.

    `mixed` is a header of another order, with the places of the cells; `missing` a header without a column.
    """

    name: str
    read: Callable[[Path, Any, list[str]], Iterable[Any]]
    options: type[TextLoadOptions]
    cells: tuple[str, ...]
    headers: tuple[str, ...]
    mixed: str = ""
    places: tuple[int, ...] = ()
    missing: str = ""

    def items(self, path: Path, notes: list[str] | None = None, **options: Any) -> list[Any]:
        """What the reader gives."""
        return list(self.read(path, self.options(**options), [] if notes is None else notes))

    def rows(self, path: Path, notes: list[str] | None = None, **options: Any) -> list[tuple[str, ...]]:
        """The cells of all lines, each of which is a fact."""
        return [_cells(item) for item in self.items(path, notes, **options)]


def _cells(item: Any) -> tuple[str, ...]:
    assert not isinstance(item, BadLine), str(item)
    if isinstance(item, Fact):
        return (*item[:3], item.start.name, item.end.name)
    if isinstance(item, Statement):
        return (*item[:3], *(text for pair in item.qualifiers for text in pair))
    assert isinstance(item, Alias)
    return tuple(item)


KINDS = [
    Kind("kg", read_kg, KgOptions, ("Ada", "born in", "London"),
         ("head,relation,tail", "Subject,Predicate,Object", "h,r,t", "from,type,to"),
         "id,object,subject,predicate,start", (2, 3, 1), "subject,property,name"),
    Kind("tkg", read_tkg, TkgOptions, ("Ada", "member of", "RS", "1830", "1852"),
         ("head,relation,tail,start,end", "Subject,Predicate,Object,Start_Time,End-Time"),
         "id,end,start,tail,relation,head", (5, 4, 3, 2, 1), "head,relation,start,end"),
    Kind("statements", read_statements, TextLoadOptions, ("Ada", "won", "prize", "year", "1843"),
         ("subject,relation,object", "head,relation,tail,key,value,key,value", "s,p,o,qualifier 1,value 1")),
    Kind("aliases", read_aliases, TextLoadOptions, ("JFK", "John F. Kennedy"),
         ("alias,name", "Alias,Label", "Also-Known-As,entity_name"), "name,id,alias", (2, 0), "name,code"),
]  # fmt: skip


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    assert isinstance(request.param, Kind)
    return request.param


def _write(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    whole = data if isinstance(data, bytes) else data.encode("utf-8")
    path.write_bytes(gzip.compress(whole) if name.lower().endswith(".gz") else whole)
    return path


def _line(cells: Iterable[str], delimiter: str = "\t", *, quoted: bool = False) -> str:
    if not quoted:
        return delimiter.join(cells) + "\n"
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter).writerow(cells)
    return written.getvalue()


def test_a_line_is_a_fact_without_white_space_around_its_cells(kind: Kind, tmp_path: Path) -> None:
    lines = "\t".join(kind.cells) + "\r\n\n \t \n" + "\t".join(f"  {cell} " for cell in kind.cells)
    path = _write(tmp_path, "f.tsv", lines)
    assert kind.rows(path) == [kind.cells] * 2
    assert [getattr(item, "line", n) for n, item in zip((1, 4), kind.items(path), strict=True)] == [1, 4]


@pytest.mark.parametrize(
    ("name", "delimiter"),
    [("f.tsv", "\t"), ("f.TSV.gz", "\t"), ("f.csv", ","), ("f.csv", ";"), ("f.csv", "\t"), ("f.csv.gz", ","),
     ("f.txt", "|"), ("f.txt", "\t"), ("f.txt", ","), ("f.txt", ";"), ("f", "|"), ("f", ","), ("f", ";")],
)  # fmt: skip
@pytest.mark.parametrize("header", [False, True])
def test_the_delimiter_goes_by_the_ending_or_the_first_lines(
    kind: Kind, tmp_path: Path, name: str, delimiter: str, header: bool
) -> None:
    cells = ('a "b", c', *kind.cells[1:])
    quoted = ".csv" in name or delimiter in ",;"
    titles = kind.headers[0].replace(",", delimiter) + "\n" if header else ""
    path = _write(tmp_path, name, titles + _line(cells, delimiter, quoted=quoted))
    assert kind.rows(path) == [cells]


def test_a_delimiter_can_be_said(kind: Kind, tmp_path: Path) -> None:
    cells = ("New York, NY", *kind.cells[1:])
    for delimiter, said in (("|", "pipe"), ("|", "|"), ("~", "~")):
        assert kind.rows(_write(tmp_path, "f.csv", _line(cells, delimiter)), delimiter=said) == [cells]
    with pytest.raises(BadInput, match="'colon' is not a delimiter"):
        kind.items(tmp_path / "f.csv", delimiter="colon")


def test_another_delimiter_is_named_where_the_columns_are_too_few(kind: Kind, tmp_path: Path) -> None:
    if kind.name == "statements":
        pytest.skip("each line says what it lacks")
    for delimiter, shown in ((",", "commas: `delimiter='comma'`"), ("|", r"'\|': `delimiter='pipe'`")):
        path = _write(tmp_path, "f.tsv", _line(kind.cells, delimiter))
        with pytest.raises(BadInput, match=rf"(?s)no column \d.*look separated by {shown}"):
            kind.items(path)
    with pytest.raises(BadInput, match=r"(?s)no column \d.*A line holds"):
        kind.items(_write(tmp_path, "f.tsv", "nothing\n"))


def test_a_header_is_found_or_said_or_denied(kind: Kind, tmp_path: Path) -> None:
    for header in kind.headers:
        path = _write(tmp_path, "f.csv", f"{header}\n{_line(kind.cells, ',')}")
        assert kind.rows(path) == [kind.cells]
        assert len(kind.items(path, header=False)) == 2
    unknown = _line(["eins", "zwei", "drei", "vier", "fünf"][: len(kind.cells)])
    assert kind.rows(_write(tmp_path, "f.tsv", unknown + _line(kind.cells)), header=True) == [kind.cells]


def test_a_header_orders_the_columns_and_others_are_passed_over_with_a_note(kind: Kind, tmp_path: Path) -> None:
    if not kind.mixed:
        pytest.skip("its columns have one order")
    notes: list[str] = []
    titles = kind.mixed.split(",")
    row = dict.fromkeys(range(len(titles)), "7") | dict(zip(kind.places, kind.cells, strict=True))
    path = _write(tmp_path, "f.csv", f"{kind.mixed}\n{_line([row[n] for n in range(len(titles))], ',')}")
    assert kind.rows(path, notes) == [kind.cells]
    others = ", ".join(title for n, title in enumerate(titles) if n not in kind.places)
    assert notes[0].startswith(f"{path}: columns that are not part of ")
    assert notes[0].endswith(f" were passed over: {others}.")


def test_a_header_without_a_column_names_it(kind: Kind, tmp_path: Path) -> None:
    header = kind.missing or "relation,subject,object"
    with pytest.raises(BadInput, match=r"(?s)(no column '\w+'; its|has the) columns .*`header=False`"):
        kind.items(
            _write(tmp_path, "f.csv", f"{header}\n{_line(kind.cells, ',')}"), header=kind.name == "aliases" or None
        )


@pytest.mark.parametrize("name", ["f.tsv", "f.csv", "f.txt"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(kind: Kind, tmp_path: Path, name: str, encoding: str) -> None:
    cells = ("ä", *kind.cells[1:])
    path = _write(tmp_path, name, _line(cells, "," if name == "f.csv" else "\t").encode(encoding))
    assert kind.rows(path) == [cells]


def test_an_encoding_can_be_said_and_is_found_where_it_is_not_in_doubt(kind: Kind, tmp_path: Path) -> None:
    cells = ("é", *kind.cells[1:])
    path = _write(tmp_path, "f.tsv", _line(cells).encode("cp1252"))
    assert [type(item) for item in kind.items(path)] == [BadLine]
    assert kind.rows(path, encoding="cp1252") == [cells]
    cells = ("Müller sagt, die Straße der Universität ist größer als früher und schöner", *kind.cells[1:])
    path, notes = _write(tmp_path, "f.tsv", _line(cells).encode("cp1252") * 50), list[str]()
    assert kind.rows(path, notes) == [cells] * 50
    assert "it was read as cp1252" in notes[0]
    path = _write(tmp_path, "f.tsv", _line(cells).encode() * 50 + _line(cells).encode("cp1252") * 50)
    assert [type(item) is BadLine for item in kind.items(path)] == [False] * 50 + [True] * 50


def test_gzip_is_seen_by_its_content(kind: Kind, tmp_path: Path) -> None:
    packed = gzip.compress(_line(kind.cells).encode() * 999)
    assert kind.rows(_write(tmp_path, "f.tsv", packed)) == [kind.cells] * 999


def test_lines_end_as_on_old_macs_where_there_is_no_line_feed(kind: Kind, tmp_path: Path) -> None:
    assert len(kind.rows(_write(tmp_path, "f.tsv", _line(kind.cells).replace("\n", "\r") * 3))) == 3
    cells = ("a\rb", *kind.cells[1:])
    assert kind.rows(_write(tmp_path, "f.tsv", _line(cells))) == [cells]


def test_a_quoted_cell_may_hold_lines(kind: Kind, tmp_path: Path) -> None:
    cells = ('b\n"c", d', *kind.cells[1:])
    path = _write(tmp_path, "f.csv", _line(cells, ",", quoted=True) + _line(kind.cells, ","))
    assert kind.rows(path) == [cells, kind.cells]


_ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")).map(str.strip).filter(bool)
_PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\t\n|")).map(str.strip).filter(bool)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.sampled_from("\t|,;"))
def test_what_is_written_is_read_back(kind: Kind, tmp_path: Path, data: st.DataObject, delimiter: str) -> None:
    quoted = delimiter in ",;"
    names = st.lists(st.tuples(*[_ANY if quoted else _PLAIN] * min(3, len(kind.cells))), max_size=5)
    rows = [(*name, *kind.cells[3:]) for name in data.draw(names)]
    lines = [kind.headers[0].split(","), *rows]
    path = _write(tmp_path, "f.csv" if quoted else "f.txt", "".join(_line(x, delimiter, quoted=quoted) for x in lines))
    assert kind.rows(path) == rows


@pytest.mark.parametrize(
    ("read", "names", "count", "with_more", "never"),
    [
        (read_kg, "metaqa/kb.txt", 133_582, 0, ""),
        (read_kg, "webqsp/freebase_union.tsv", 37_688, 0, ""),
        (read_statements, "wd50k/statements/*.txt", 236_507, 32_167, ""),
        (read_ids, "yago_tkg", 201_089, 201_089, "<>_"),
    ],
)
def test_every_line_of_a_published_file_is_a_fact(
    read: Callable[..., Iterable[Any]], names: str, count: int, with_more: int, never: str
) -> None:
    paths = sorted(DATA.glob(names))
    if not paths:
        pytest.skip(f"no .data/{names}")
    rows = [_cells(item) for path in paths for item in read(path)]
    assert (len(rows), sum(len(row) > 3 for row in rows)) == (count, with_more)
    assert all(text == text.strip() != "" and set(never).isdisjoint(text) for row in rows for text in row)
