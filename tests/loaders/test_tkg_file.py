from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.tkg import TkgOptions, read_tkg
from cgstore.loaders.tkg_stage import Fact
from cgstore.text.dates import Moment

LONG = "x" * 100_000


def _write(folder: Path, text: str | bytes, name: str = "kg.tsv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _facts(path: Path, header: bool | None = None) -> list[Fact]:
    items = list(read_tkg(path, TkgOptions(header=header)))
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item for item in items if isinstance(item, Fact)]


def _bad(path: Path) -> list[str]:
    return [str(item) for item in read_tkg(path) if isinstance(item, BadLine)]


def test_a_line_is_a_fact(tmp_path: Path) -> None:
    path = _write(tmp_path, "Ada\tmember of\tRS\t1830\t1852\r\n\nBob\tborn in\tUlm\t1900\n")
    assert _facts(path) == [
        Fact("Ada", "member of", "RS", Moment(1830), Moment(1852), 1),
        Fact("Bob", "born in", "Ulm", Moment(1900), Moment(1900), 3, has_end=False),
    ]


def test_gzip_is_seen_by_its_content(tmp_path: Path) -> None:
    packed = gzip.compress(b"a\tr\tb\t1\t2\n")
    assert _facts(_write(tmp_path, packed, "kg.tsv.gz")) == _facts(_write(tmp_path, packed, "kg.tsv"))


def test_a_damaged_gzip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a whole gzip"):
        list(read_tkg(_write(tmp_path, gzip.compress(b"a\tr\tb\t1\t2\n" * 999)[:-20], "kg.tsv.gz")))


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    assert _facts(_write(tmp_path, b"\xef\xbb\xbfa\tr\tb\t1\t2\n"))[0].head == "a"


def test_a_quote_in_tsv_is_an_ordinary_character(tmp_path: Path) -> None:
    assert _facts(_write(tmp_path, '"Big" Al\tr\t"b\t1\t2\n'))[0][:3] == ('"Big" Al', "r", '"b')


def test_csv_fields_may_hold_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    path = _write(tmp_path, 'a,r,"b\n""c"", d",1999,\nx,r,y,2000,2001\n', "kg.csv")
    first, second = _facts(path)
    assert (first.tail, first.end, first.line) == ('b\n"c", d', Moment(1999), 1)
    assert second.line == 3


def test_names_in_every_script_and_of_any_length_are_kept(tmp_path: Path) -> None:
    names = ["Ὅμηρος", "李白", "عمر الخيام", "नागार्जुन", "🦆", "e\u0301", "a`b$c'd\"e\\f", "}) DETACH DELETE n //", LONG]
    path = _write(tmp_path, "".join(f"{name}\tr\tt\t1\t2\n" for name in names))
    assert [fact.head for fact in _facts(path)] == names


@pytest.mark.parametrize(
    "title", ["head\trelation\ttail\tstart\tend", "Subject\tPredicate\tObject\tStart_Time\tEnd-Time"]
)
def test_a_header_is_found(tmp_path: Path, title: str) -> None:
    assert _facts(_write(tmp_path, f"{title}\na\tr\tb\t1\t2\n"))[0][:5] == ("a", "r", "b", Moment(1), Moment(2))


def test_a_header_orders_the_columns(tmp_path: Path) -> None:
    path = _write(tmp_path, "note,end,start,tail,relation,head\nx,2,1,b,r,a\n", "kg.csv")
    assert _facts(path)[0][:5] == ("a", "r", "b", Moment(1), Moment(2))


def test_a_header_can_be_said_or_denied(tmp_path: Path) -> None:
    path = _write(tmp_path, "eins\tzwei\tdrei\tvon\tbis\na\tr\tb\t1\t2\n")
    assert len(_facts(path, header=True)) == 1
    assert [type(item) for item in read_tkg(path, TkgOptions(header=False))] == [BadLine, Fact]


def test_a_header_without_a_required_column_names_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column 'start'"):
        list(read_tkg(_write(tmp_path, "head\trelation\ttail\tend\na\tr\tb\t1\n")))


def test_a_title_that_is_not_known_means_the_column_of_its_place_with_a_note(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "Who;What;Office;Began;Ended\na;r;b;1;2\n", "kg.csv")
    (fact,) = read_tkg(path, warnings=warnings)
    assert isinstance(fact, Fact) and fact[:5] == ("a", "r", "b", Moment(1), Moment(2))
    assert warnings == [f"{path}: columns taken by their place as head, relation, tail: Who, What, Office."]


def test_a_missing_column_is_named_with_its_titles(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column 'tail'") as caught:
        list(read_tkg(_write(tmp_path, "head,relation,start,end\na,r,1,2\n", "kg.csv")))
    assert "In a header, tail may be called tail, object, obj," in str(caught.value)


def test_titles_that_are_not_known_are_told_from_a_bad_time(tmp_path: Path) -> None:
    text = "Wer;Was;Amt;Anfang;Schluss\na;r;b;1;2\n"
    (problem,) = _bad(_write(tmp_path, text, "kg.csv"))
    assert "If the line is a header, its names are not known: `header=True` takes columns by their place." in problem
    assert _bad(_write(tmp_path, text.replace("Anfang", "19x9"), "kg.csv")) == [
        "1: column 4 (start): '19x9' is not a year or an ISO date"
    ]


def test_too_few_columns_name_the_missing_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no column 4 \(start\): line 1 has 3"):
        list(read_tkg(_write(tmp_path, "a\tr\tb\n")))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is empty"):
        list(read_tkg(_write(tmp_path, "\n\n")))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        list(read_tkg(tmp_path / "none.tsv"))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"a\tr\tb\t19x9\t2000", "2: column 4 (start): '19x9' is not a year or an ISO date"),
        (b"a\tr\tb\t1999\tlater", "2: column 5 (end): 'later' is not a year or an ISO date"),
        (b"a\tr\tb", "2: column 4 (start): missing"),
        (b"a\t \tb\t1\t2", "2: column 2 (relation): empty"),
        (b"a\tr\tb\t1\t2\t3", "2: column 6: 6 columns where 5 are expected"),
        (b"a\tr\tb\xff\t1\t2", "2: column 3 (tail): byte 0xff at position 2 is not UTF-8"),
        (b"a\tr\x00\tb\t1\t2", "2: column 2 (relation): a NUL character at position 2: is this a text file in UTF-8?"),
        (b"a\tr\t\xed\xa0\x80\t1\t2", "2: column 3 (tail): byte 0xed at position 1 is not UTF-8"),
        (b"a" * 1_000_001 + b"\tr\tb\t1\t2", "2: column 1 (head): longer than 1,000,000 characters"),
    ],
)
def test_a_bad_line_tells_its_column(tmp_path: Path, line: bytes, problem: str) -> None:
    assert _bad(_write(tmp_path, b"a\tr\tb\t1\t2\n" + line + b"\nc\tr\td\t1\t2\n")) == [problem]


def test_a_quote_that_is_not_closed_is_a_bad_line(tmp_path: Path) -> None:
    assert _bad(_write(tmp_path, 'a,r,b,1,2\n"c,r,d,1,2\n', "kg.csv")) == ["2: a quote opened on line 2 is not closed"]


def test_a_space_after_a_closing_quote_is_a_bad_line_that_says_so(tmp_path: Path) -> None:
    path = _write(tmp_path, 'a,r,b,1,2\na,r,b,"1991" ,2\nc,r,d,1,2\n', "kg.csv")
    assert [problem for problem in _bad(path) if "after a closing quote, or a space" in problem] == _bad(path) != []


def test_a_time_in_quotes_is_a_bad_line_that_says_so(tmp_path: Path) -> None:
    path = _write(tmp_path, 'a\tr\tb\t1\t2\na\tr\tb\t"1991"\t2\n')
    assert _bad(path) == ["2: column 4 (start): '\"1991\"' is not a year or an ISO date with the quotes around it"]


@pytest.mark.parametrize("name", ["kg.csv", "kg.txt"])
@pytest.mark.parametrize("header", ["", "head;relation;tail;start;end\n", "\n"])
def test_semicolons_separate_columns_where_the_first_line_has_no_comma(tmp_path: Path, name: str, header: str) -> None:
    path = _write(tmp_path, header + 'a;r;b;1;2\n"c;1";r;d, e;1;2\n', name)
    assert [fact[:3] for fact in _facts(path)] == [("a", "r", "b"), ("c;1", "r", "d, e")]


def test_semicolons_in_names_separate_nothing(tmp_path: Path) -> None:
    assert _facts(_write(tmp_path, "a;b;c;d,r,t,1,2\n", "kg.csv"))[0].head == "a;b;c;d"


@pytest.mark.parametrize(
    ("name", "line", "hint"),
    [
        ("kg.tsv", "a;r;b;1;2", "look separated by ';': `delimiter` semicolon"),
        ("kg.tsv", "a,r,b,1,2", "look separated by commas: `delimiter` comma"),
        ("kg.csv", '"a,b,c,d",r', r"separated by tabs .* commas .* semicolons or '\|'"),
    ],
)
def test_another_delimiter_is_named(tmp_path: Path, name: str, line: str, hint: str) -> None:
    with pytest.raises(BadInput, match=f"(?s)no column.*{hint}"):
        list(read_tkg(_write(tmp_path, line + "\n", name)))


@pytest.mark.parametrize("name", ["kg.csv", "kg.txt", "kg"])
@pytest.mark.parametrize("line", ["a, b;r;b;1;2", "a, b|r|b|1|2", "a, b\tr\tb\t1\t2", '"a, b",r,b,1,2'])
def test_the_delimiter_is_found(tmp_path: Path, name: str, line: str) -> None:
    assert _facts(_write(tmp_path, line + "\n", name))[0][:3] == ("a, b", "r", "b")


@pytest.mark.parametrize("name", ["kg.tsv", "kg.csv", "kg.txt", "kg.jsonl"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    line = "ä\tr\tb\t1\t2\n"
    if name == "kg.jsonl":
        line = '{"head": "ä", "relation": "r", "tail": "b", "start": 1, "end": 2}\n'
    assert _facts(_write(tmp_path, line.encode(encoding), name))[0][:3] == ("ä", "r", "b")


def test_an_encoding_can_be_said_and_is_found_where_it_is_not_in_doubt(tmp_path: Path) -> None:
    path = _write(tmp_path, "é\tr\tb\t1\n".encode("cp1252"))
    assert [type(item) for item in read_tkg(path)] == [BadLine]
    assert [item[0] for item in read_tkg(path, TkgOptions(encoding="cp1252")) if isinstance(item, Fact)] == ["é"]
    text = "Müller\tsagt\tdie Straße der Universität ist größer als früher und schöner\t1990\n"
    warnings: list[str] = []
    facts = list(read_tkg(_write(tmp_path, (text * 50).encode("cp1252")), warnings=warnings))
    assert {item[0] for item in facts if isinstance(item, Fact)} == {"Müller"} and len(facts) == 50
    assert "it was read as cp1252" in warnings[0]


def test_one_bad_line_in_utf_8_is_no_reason_for_another_encoding(tmp_path: Path) -> None:
    line = "Müller\tsagt\tdie Straße der Universität ist größer als früher und schöner\t1990\n"
    facts = list(read_tkg(_write(tmp_path, (line * 50).encode() + line.encode("cp1252") * 50)))
    assert [type(item) for item in facts] == [Fact] * 50 + [BadLine] * 50


@pytest.mark.parametrize(("name", "line"), [("kg.tsv", "a\tr\tb\t1\t2\r"), ("kg.csv", "a,r,b,1,2\r")])
def test_line_ends_of_old_macs_are_read(tmp_path: Path, name: str, line: str) -> None:
    assert [fact.line for fact in _facts(_write(tmp_path, line * 3, name))] == [1, 2, 3]


def test_a_carriage_return_in_a_name_is_kept_where_lines_end_with_lf(tmp_path: Path) -> None:
    assert _facts(_write(tmp_path, "a\rb\tr\tb\t1\t2\n"))[0].head == "a\rb"


def test_columns_that_are_passed_over_are_named(tmp_path: Path) -> None:
    warnings: list[str] = []
    list(read_tkg(_write(tmp_path, "note,head,relation,tail,start\nx,a,r,b,1\n", "kg.csv"), warnings=warnings))
    assert "passed over: note." in warnings[0]


def test_a_very_long_line_is_a_bad_one(tmp_path: Path) -> None:
    facts = list(read_tkg(_write(tmp_path, "a\tr\tb\t1\n" + "x" * 17_000_000 + "\na\tr\tc\t1\n")))
    assert [type(item) for item in facts] == [Fact, BadLine, Fact]


def test_json_lines_hold_facts_and_what_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    lines = (
        '{"head": "a", "relation": "r", "tail": "b\\nc", "start": 1990, "end": "1991-02"}',
        '{"Subject": "a", "predicate": "r", "object": "b", "time": "1990", "other": [1]}',
        '{"head": "a", "relation": "r", "tail": "b"}',
        '{"head": ["a"], "relation": "r", "tail": "b", "start": 1}',
        "[1]",
        "{",
    )
    path.write_text("\n".join(lines))
    facts = list(read_tkg(path))
    assert facts[:2] == [
        Fact("a", "r", "b\nc", Moment(1990), Moment(1991, 2), 1),
        Fact("a", "r", "b", Moment(1990), Moment(1990), 2, has_end=False),
    ]
    problems = [item.problem for item in facts if isinstance(item, BadLine)]
    assert problems[:2] == ["missing", "neither a text nor a number"]
    assert problems[2].startswith("not an object. A line is an object: {")
    assert problems[3].startswith("not JSON")


def test_a_line_that_looks_like_a_comment_is_a_bad_line_that_says_so(tmp_path: Path) -> None:
    path = _write(tmp_path, "a\tr\tb\t1\n# from the archive\n")
    (bad,) = [item for item in read_tkg(path) if isinstance(item, BadLine)]
    assert bad.problem == "missing; a line that begins with # is no comment here"
    with pytest.raises(BadInput, match="line 1 has 1; a line that begins with # is no comment here"):
        list(read_tkg(_write(tmp_path, "# from the archive\na\tr\tb\t1\n")))


def test_other_keys_of_an_object_are_passed_over_with_a_warning(tmp_path: Path) -> None:
    line = '{"head": "Ada", "relation": "in", "tail": "Ulm", "start": "1900", "ende": "1910"}\n'
    warnings: list[str] = []
    assert len(list(read_tkg(_write(tmp_path, line, "facts.jsonl"), warnings=warnings))) == 1
    assert warnings[0].endswith("keys that are not part of a fact were passed over: ende.")
