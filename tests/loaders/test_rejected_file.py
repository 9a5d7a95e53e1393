"""The file of the lines that a load rejected: what stands in it, and which files it never overwrites."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.tkg import TkgOptions, load_tkg
from cgstore.model import LoadReport
from tests.loaders.samples import Stages, write_csv

BAD = "a\tr\tb\t1\t2\na\tr\tb\tx\t2\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a good line and a bad one."""
    path = tmp_path / "kg.tsv"
    path.write_text(BAD)
    return path


def load(path: Path, **options: Any) -> LoadReport:
    return load_tkg(Stages(), path, TkgOptions(on_error="skip", **options))


def rejects(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


def test_a_rejected_line_stands_as_it_was_with_its_place_and_its_problem(tmp_path: Path) -> None:
    path = tmp_path / "kg.tsv"
    path.write_bytes(BAD.encode() + b"a\tr\tb\xff\t1\t2\n")
    report = load(path)
    assert (report.facts, report.rejected, report.rejected_file) == (1, 2, str(tmp_path / "kg.rejected.tsv"))
    assert b"b\xff" in (tmp_path / "kg.rejected.tsv").read_bytes()
    assert rejects(tmp_path / "kg.rejected.tsv") == [
        ["line", "column", "problem", "text"],
        ["2", "4", "'x' is not a year or an ISO date", "a\tr\tb\tx\t2"],
        ["3", "3", "byte 0xff at position 2 is not UTF-8", "a\tr\tb\udcff\t1\t2"],
    ]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kg.rejected.tsv", "kg.tsv"]


def test_a_rejected_line_of_several_lines_reads_back_as_it_was(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", [("a", "r", "b", "1", "2"), ('q"\t\n\r\r\n\\t', "r", "b", "x", "2")])
    load(path)
    text = path.read_bytes().decode().split("\r\n", 1)[1].removesuffix("\r\n")
    assert rejects(tmp_path / "kg.rejected.tsv")[1:] == [["2", "4", "'x' is not a year or an ISO date", text]]


@pytest.mark.parametrize("kind", ["itself", "a link", "a hard link"])
def test_it_cannot_be_the_input(path: Path, kind: str) -> None:
    rejected = path
    if kind != "itself":
        rejected = path.with_name("other.tsv")
        (rejected.symlink_to if kind == "a link" else rejected.hardlink_to)(path)
    with pytest.raises(BadInput, match="is the input itself"):
        load(path, rejected=rejected)
    assert path.read_text() == BAD


def test_files_of_others_stay_and_those_of_loads_are_written_anew(path: Path) -> None:
    notes, taken, second = (path.with_name(f"{name}.tsv") for name in ("notes", "kg.rejected", "kg.rejected-2"))
    for file in (notes, taken):
        file.write_text("dear\n")
    with pytest.raises(BadInput, match="no load wrote it"):
        load(path, rejected=notes)
    for _ in range(2):
        assert load(path).rejected_file == str(second)
        assert len(rejects(second)) == 2
    assert notes.read_text() == taken.read_text() == "dear\n"
    assert sorted(path.parent.iterdir()) == sorted([path, notes, taken, second])


def test_a_load_that_cannot_read_on_leaves_it_as_it_was(tmp_path: Path) -> None:
    path, rejected = tmp_path / "kg.tsv.gz", tmp_path / "kg.rejected.tsv"
    path.write_bytes(gzip.compress(BAD.encode() * 9999)[:-20])
    rejected.write_text("line\tcolumn\tproblem\ttext\nbefore\n")
    with pytest.raises(BadInput, match="not a whole gzip"):
        load(path)
    assert rejected.read_text().endswith("before\n")
    assert sorted(tmp_path.iterdir()) == sorted([path, rejected])


def test_it_is_not_written_where_no_folder_is(path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        load(path, rejected=path.with_name("none") / "r.tsv")
