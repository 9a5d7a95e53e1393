from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.loaders.kg import Cleaner, KgOptions, read_kg
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.model import Role
from tests.conftest import DATA

XSD = "http://www.w3.org/2001/XMLSchema#"


def _write(folder: Path, text: str | bytes, name: str = "kg.tsv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _read(path: Path, warnings: list[str] | None = None, cleaner: Cleaner | None = None, **options: Any) -> list[Any]:
    return list(read_kg(path, KgOptions(**options), warnings, cleaner))


def _triples(path: Path, **options: Any) -> list[tuple[str, str, str]]:
    items = _read(path, **options)
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item[:3] for item in items if isinstance(item, Statement)]


def _bad(path: Path, **options: Any) -> list[str]:
    return [str(item) for item in _read(path, **options) if isinstance(item, BadLine)]


def test_a_line_is_a_triple(tmp_path: Path) -> None:
    path = _write(tmp_path, "Ada\tborn in\tLondon\r\n\n  Bob \tr\t b")
    assert list(read_kg(path)) == [Statement("Ada", "born in", "London", line=1), Statement("Bob", "r", "b", line=3)]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("kg.tsv", 'a "b", c\tr\tx|y;z'),
        ("kg.TSV.gz", 'a "b", c\tr\tx|y;z'),
        ("kg.csv", '"a ""b"", c",r,x|y;z'),
        ("kg.csv", '"a ""b"" c";r;"x|y;z"'),
        ("kb.txt", 'a "b", c|r|x;y'),
        ("kb.txt", 'a "b", c\tr\tx|y;z'),
        ("kb.txt", '"a ""b"", c",r,x;y'),
        ("kb.txt", "a;r;b"),
        ("kb", "a,r,b"),
        ("kg.csv", "a\tr\tb"),
    ],
)
def test_the_delimiter_goes_by_the_ending_or_the_first_line(tmp_path: Path, name: str, line: str) -> None:
    data = (line + "\n").encode()
    path = _write(tmp_path, gzip.compress(data) if name.endswith("gz") else data, name)
    head, relation, _ = _triples(path)[0]
    assert (head.replace('"', "").replace(",", ""), relation) in {("a b c", "r"), ("a", "r")}


def test_a_delimiter_can_be_said(tmp_path: Path) -> None:
    path = _write(tmp_path, 'a, b|r|"c"\n', "kg.txt")
    assert _triples(path, delimiter="pipe") == _triples(path, delimiter="|") == [("a, b", "r", '"c"')]
    path = _write(tmp_path, 'a, b|r|"c"\n', "kg.csv")
    assert _triples(path, delimiter="pipe") == [("a, b", "r", "c")]
    path = _write(tmp_path, "a, b~r~c\n", "kg.csv")
    assert _triples(path, delimiter="~") == [("a, b", "r", "c")]
    with pytest.raises(BadInput, match="'colon' is not a delimiter"):
        _read(path, delimiter="colon")


@pytest.mark.parametrize("title", ["head,relation,tail", "Subject,Predicate,Object", "h,r,t", "from,type,to"])
def test_a_header_is_found(tmp_path: Path, title: str) -> None:
    assert _triples(_write(tmp_path, f"{title}\na,r,b\n", "kg.csv")) == [("a", "r", "b")]


def test_a_header_orders_the_columns_and_others_are_passed_over_with_a_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "id,object,subject,predicate,start\n1,b,a,r,1999\n2,d,c,r\n", "kg.csv")
    assert _triples(path, warnings=warnings) == [("a", "r", "b"), ("c", "r", "d")]
    assert "passed over: id, start." in warnings[0]


def test_a_header_can_be_said_or_denied(tmp_path: Path) -> None:
    path = _write(tmp_path, "head\trelation\ttail\nx\ty\tz\n")
    assert len(_triples(path, header=False)) == 2
    assert len(_triples(_write(tmp_path, "eins\tzwei\tdrei\nx\ty\tz\n"), header=True)) == 1


def test_a_header_without_a_column_names_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"(?s)no column 'tail'.*`header=False`"):
        list(read_kg(_write(tmp_path, "subject\tproperty\tname\na\tr\tb\n")))


def test_a_header_in_a_wrong_encoding_is_refused_in_plain_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column 'tail'") as caught:
        list(read_kg(_write(tmp_path, b"head\trelation\tzi\xe8l\na\tr\tb\n")))
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("relation", ["rdfs:label", "schema:name", "<http://www.w3.org/2004/02/skos/core#prefLabel>"])
def test_names_one_step_from_their_nodes_are_told(tmp_path: Path, relation: str) -> None:
    warnings: list[str] = []
    list(read_kg(_write(tmp_path, f"ex:m1\tex:in\tex:CH\nex:m1\t{relation}\tMatterhorn\n"), warnings=warnings))
    (note,) = warnings
    assert f"names stand under '{relation}', such as 'Matterhorn' of 'ex:m1'" in note and "load aliases" in note
    list(read_kg(_write(tmp_path, "a\tname\tb\n"), warnings=(others := list[str]())))
    assert others == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kg.ttl", "@prefix ex: <http://ex.org/> .\nex:a ex:b ex:c .\n"),
        ("kg.txt", "PREFIX ex: <http://ex.org/>\nex:a ex:b ex:c .\n"),
        ("kg.ttl", "# Mountains\n@prefix ex: <http://ex.org/> .\n"),
        ("kg.rdf", '<?xml version="1.0"?>\n'),
    ],
)
def test_rdf_is_refused_with_the_command_that_loads_it(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(BadInput, match="cgstore load rdf FILE"):
        list(read_kg(_write(tmp_path, text, name)))


@pytest.mark.parametrize(
    ("name", "line", "hint"),
    [
        ("kg.tsv", "a|r|b", r"look separated by '\|': `delimiter` pipe"),
        ("kg.tsv", "a,r,b", "look separated by commas: `delimiter` comma"),
        ("kg.tsv", "a r b", "A line holds head, relation, tail"),
    ],
)
def test_too_few_columns_name_another_delimiter(tmp_path: Path, name: str, line: str, hint: str) -> None:
    with pytest.raises(BadInput, match=rf"(?s)no column 3 \(tail\): line 1 has 1.*{hint}"):
        list(read_kg(_write(tmp_path, line + "\n", name)))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is empty"):
        list(read_kg(_write(tmp_path, "\n \n")))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"a\tr", "2: column 3 (tail): missing"),
        (b"a\t \tb", "2: column 2 (relation): empty"),
        (b"a\tr\tb\tc", "2: column 4: 4 columns where 3 are expected (`columns` 1,2,3 passes over the others)"),
        (b"a\tr\tb\tP", "2: column 4: 4 columns where 3 are expected (`columns` 1,2,3 passes over the others)"),
        (b"a\tr\tb\xff", "2: column 3 (tail): byte 0xff at position 2 is not UTF-8"),
        (b"a\tr\x00\tb", "2: column 2 (relation): a NUL character at position 2: is this a text file in UTF-8?"),
        (b"a" * 1_000_001 + b"\tr\tb", "2: column 1 (head): longer than 1,000,000 characters"),
    ],
)
def test_a_bad_line_tells_its_column(tmp_path: Path, line: bytes, problem: str) -> None:
    assert _bad(_write(tmp_path, b"a\tr\tb\n" + line + b"\nc\tr\td\t\n")) == [problem]


def test_a_comma_that_is_not_quoted_is_a_bad_line(tmp_path: Path) -> None:
    assert _bad(_write(tmp_path, "Bob,born in,Springfield,IL\nBob,knows,Eve\n", "kg.csv")) == [
        "1: column 4: 4 columns where 3 are expected (`columns` 1,2,3 passes over the others)"
    ]


def test_a_quote_that_is_not_closed_is_a_bad_line(tmp_path: Path) -> None:
    path = _write(tmp_path, 'a,r,b\n"c,r,d\ne,r,f\n', "kg.csv")
    assert _bad(path) == ["2: a quote opened on line 2 is not closed"]
    assert [item.line for item in _read(path) if isinstance(item, Statement)] == [1, 3]


def test_a_fourth_column_of_marks_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "a\tr\tb\tP\nc\tr\td\t\ne\tr\tf\tSP\ng\tr\th\n")
    assert len(_triples(path, warnings=warnings)) == 4
    assert "column 4 was passed over" in warnings[0]
    path = _write(tmp_path, "a\tr\tb\tP\nc\tr\td\t1999\n")
    assert [bad[:25] for bad in _bad(path)] == ["2: column 4: 4 columns wh"]


def test_columns_can_be_said(tmp_path: Path) -> None:
    path = _write(tmp_path, "1\ta\t\tb\tr\tx\n2\tc\t\td\tr\n")
    assert _triples(path, columns=(2, 5, 4)) == [("a", "r", "b"), ("c", "r", "d")]
    with pytest.raises(BadInput, match="no column 7"):
        _read(path, columns=(1, 2, 7))
    with pytest.raises(BadInput, match="'1,1,2' does not say"):
        _read(path, columns=(1, 1, 2))


def test_names_are_cleaned_if_asked(tmp_path: Path) -> None:
    lines = f'<http://e.org/Ada_L>\t<http://e.org/p#bornIn>\t<London_(UK)> .\n<x>\t<y>\t"5"^^<{XSD}integer>\t.\n'
    first, second = _read(_write(tmp_path, lines + ""), clean=True, columns=(1, 2, 3))
    iris = ("http://e.org/Ada_L", "http://e.org/p#bornIn", "")
    assert first == Statement("Ada_L", "bornIn", "London (UK)", iris=iris, line=1)
    assert second == Statement("x", "y", "5", tail_role=Role.VALUE, datatype=f"{XSD}integer", line=2)


def test_names_that_are_equal_once_cleaned_are_kept_apart_across_files(tmp_path: Path) -> None:
    cleaner = Cleaner()
    one, two = (_write(tmp_path, f"<http://{host}.org/Paris>\tr\tb\n", f"{host}.tsv") for host in "ab")
    assert _triples(one, cleaner=cleaner)[0][0] == "Paris"
    assert _triples(two, cleaner=cleaner)[0][0] == "Paris (http://b.org/Paris)"


@pytest.mark.parametrize(
    ("tail", "problem"),
    [('""', "empty"), ("<>", "empty"), ('"\\u0000"', "a NUL"), ('"\\ud800"', "a lone surrogate U+D800")],
)
def test_a_name_that_cleaning_leaves_unusable_is_a_bad_line(tmp_path: Path, tail: str, problem: str) -> None:
    assert _bad(_write(tmp_path, f"a\tr\t{tail}\n"), clean=True)[0].startswith(f"1: column 3 (tail): {problem}")


_ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")).map(str.strip).filter(bool)
_PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\t\n|")).map(str.strip).filter(bool)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(_PLAIN, _PLAIN, _PLAIN)), st.sampled_from(["\t", "|"]))
def test_what_is_written_with_tabs_or_pipes_is_read_back(
    tmp_path: Path, rows: list[tuple[str, str, str]], delimiter: str
) -> None:
    text = "".join(delimiter.join(row) + "\n" for row in [("head", "relation", "tail"), *rows])
    assert _triples(_write(tmp_path, text, "kg.txt")) == rows


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(_ANY, _ANY, _ANY)), st.sampled_from([",", ";"]))
def test_what_is_written_as_csv_is_read_back(tmp_path: Path, rows: list[tuple[str, str, str]], delimiter: str) -> None:
    path = tmp_path / "kg.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows([("head", "relation", "tail"), *rows])
    assert _triples(path) == rows


@pytest.mark.parametrize(("name", "count"), [("metaqa/kb.txt", 133_582), ("webqsp/freebase_union.tsv", 37_688)])
def test_every_line_of_a_published_file_is_a_triple(name: str, count: int) -> None:
    if not (DATA / name).exists():
        pytest.skip(f"no .data/{name}")
    triples = _triples(DATA / name)
    assert len(triples) == count
    assert all(text == text.strip() != "" for triple in triples for text in triple)
