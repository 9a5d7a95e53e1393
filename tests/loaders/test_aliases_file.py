from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.aliases import Alias, read_aliases
from cgstore.loaders.load import TextLoadOptions
from cgstore.loaders.readers.records import BadLine

PAIR = Alias('Jack "JFK" Kennedy', "John F. Kennedy")


def _write(folder: Path, text: str | bytes, name: str = "aliases.tsv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _read(path: Path, warnings: list[str] | None = None, **options: Any) -> list[Any]:
    return list(read_aliases(path, TextLoadOptions(**options), warnings))


def _pairs(path: Path, **options: Any) -> list[tuple[str, str]]:
    items = list(_read(path, **options))
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item for item in items if isinstance(item, Alias)]


def _bad(path: Path, **options: Any) -> list[str]:
    return [str(item) for item in _read(path, **options) if isinstance(item, BadLine)]


def test_a_line_is_an_alias_and_a_name(tmp_path: Path) -> None:
    path = _write(tmp_path, "JFK\tJohn F. Kennedy\r\n\n  Bush \t George W. Bush")
    assert _pairs(path) == [("JFK", "John F. Kennedy"), ("Bush", "George W. Bush")]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.tsv", 'Jack "JFK" Kennedy\tJohn F. Kennedy'),
        ("a.TSV.gz", 'Jack "JFK" Kennedy\tJohn F. Kennedy'),
        ("a.csv", '"Jack ""JFK"" Kennedy",John F. Kennedy'),
        ("a.csv", '"Jack ""JFK"" Kennedy";John F. Kennedy'),
        ("a.txt", 'Jack "JFK" Kennedy|John F. Kennedy'),
        ("a.txt", 'Jack "JFK" Kennedy\tJohn F. Kennedy'),
        ("a", '"Jack ""JFK"" Kennedy",John F. Kennedy'),
    ],
)
def test_the_delimiter_goes_by_the_ending_or_the_first_line(tmp_path: Path, name: str, line: str) -> None:
    data = (line + "\n").encode()
    path = _write(tmp_path, gzip.compress(data) if name.endswith("gz") else data, name)
    assert _pairs(path) == [PAIR]


def test_the_delimiter_may_be_given(tmp_path: Path) -> None:
    path = _write(tmp_path, "New York, NY|New York City\n", "a.csv")
    assert _pairs(path, delimiter="pipe") == [("New York, NY", "New York City")]
    with pytest.raises(BadInput, match="not a delimiter"):
        _read(path, delimiter="space")


@pytest.mark.parametrize("header", ["alias\tname", "Alias\tLabel", "Also-Known-As\tentity_name"])
def test_a_header_is_detected(tmp_path: Path, header: str) -> None:
    assert _pairs(_write(tmp_path, f"{header}\nJFK\tJohn F. Kennedy\n")) == [("JFK", "John F. Kennedy")]


def test_the_columns_of_a_header_may_stand_in_any_order(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "name\tlanguage\talias\nJohn F. Kennedy\ten\tJFK\n")
    assert _pairs(path, warnings=warnings) == [("JFK", "John F. Kennedy")]
    assert warnings == [f"{path}: columns that are not part of a pair were passed over: language."]


def test_a_header_may_be_denied_or_said(tmp_path: Path) -> None:
    path = _write(tmp_path, "alias\tname\nJFK\tJohn F. Kennedy\n")
    assert len(_pairs(path, header=False)) == 2
    path = _write(tmp_path, "x\ty\nJFK\tJohn F. Kennedy\n")
    assert len(_pairs(path)) == 2
    assert len(_pairs(path, header=True)) == 1


def test_a_header_without_a_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column 'alias'; its columns are name, code"):
        _read(_write(tmp_path, "name\tcode\na\tb\n"), header=True)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a\tb\tc", "2: column 3: 3 columns where 2 are expected"),
        ("a", "2: column 2 (name): missing"),
        ("\tb", "2: column 1 (alias): empty"),
        ("a\t ", "2: column 2 (name): empty"),
        ("a\tb\x00c", "2: column 2 (name): a NUL character at position 2: is this a text file in UTF-8?"),
    ],
)
def test_a_line_that_is_no_pair_says_why(tmp_path: Path, line: str, problem: str) -> None:
    assert _bad(_write(tmp_path, f"JFK\tJohn F. Kennedy\n{line}\n")) == [problem]


def test_bytes_that_are_no_utf_8_are_named(tmp_path: Path) -> None:
    assert _bad(_write(tmp_path, b"JFK\tKennedy\nG\xf6te\tGoethe\n")) == [
        "2: column 1 (alias): byte 0xf6 at position 2 is not UTF-8"
    ]


def test_empty_fields_after_the_pair_are_passed_over(tmp_path: Path) -> None:
    assert _pairs(_write(tmp_path, "JFK,John F. Kennedy,,\n", "a.csv")) == [("JFK", "John F. Kennedy")]


def test_a_file_of_one_column_says_what_separates_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no column 2 \(name\).*\n.*`delimiter` comma"):
        list(read_aliases(_write(tmp_path, "JFK,John F. Kennedy\n")))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is empty"):
        list(read_aliases(_write(tmp_path, "\n\n")))
