from __future__ import annotations

import os
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.inputs import input_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.csv", "a.TSV", "deep/er/c.csv.gz", "notes.md", ".hidden.csv", ".git/x.csv"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return tmp_path


def _names(paths: list[Path], folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in paths]


def test_files_come_as_given_whatever_they_are_called(folder: Path) -> None:
    assert input_files([folder / "notes.md", str(folder / "b.csv")], [".csv"]) == [
        folder / "notes.md",
        folder / "b.csv",
    ]


def test_a_folder_is_its_files_with_the_endings_sorted_and_without_hidden_ones(folder: Path) -> None:
    assert _names(input_files([folder], [".csv", ".tsv"]), folder) == ["a.TSV", "b.csv", "deep/er/c.csv.gz"]


def test_a_pattern_is_what_it_finds(folder: Path) -> None:
    assert _names(input_files([f"{folder}/*.[ct]s[v]"], [".x"]), folder) == ["b.csv"]
    assert _names(input_files([f"{folder}/**/*.gz"], [".csv"]), folder) == ["deep/er/c.csv.gz"]
    assert _names(input_files([f"{folder}/de*"], [".csv"]), folder) == ["deep/er/c.csv.gz"]


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a[1].csv").write_text("x")
    assert input_files([tmp_path / "a[1].csv"], [".csv"]) == [tmp_path / "a[1].csv"]


def test_each_file_comes_once(folder: Path) -> None:
    (folder / "link.csv").symlink_to(folder / "b.csv")
    found = input_files([folder / "b.csv", folder, f"{folder}/b*", folder / "deep" / ".." / "b.csv"], [".csv"])
    assert _names(found, folder) == ["b.csv", "deep/er/c.csv.gz"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("none.csv", "does not exist"),
        ("*.nt", "No file matches"),
        ("empty", r"has no files that end in \.csv"),
        ("b\x00.csv", "holds a NUL character"),
        ("b.csv/x", "cannot be read"),
        ("x" * 5000, "cannot be read"),
        ("broken", "is a link to a file that is not there"),
        ("pipe", "is not an ordinary file"),
        ("/dev/null", "is not an ordinary file"),
    ],
)
def test_what_is_no_file_is_refused(folder: Path, given: str, problem: str) -> None:
    (folder / "empty").mkdir()
    (folder / "broken").symlink_to(folder / "none")
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadInput, match=problem) as caught:
        input_files([f"{folder}/{given}" if not given.startswith("/") else given], [".csv"])
    assert caught.value.hint


def test_a_pipe_in_a_folder_is_refused(folder: Path) -> None:
    os.mkfifo(folder / "deep" / "z.csv")
    with pytest.raises(BadInput, match=r"z\.csv is not an ordinary file"):
        input_files([folder], [".csv"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / "b.csv").chmod(0)
    (folder / "deep" / "er").chmod(0)
    for path in (folder / "b.csv", folder / "deep"):
        with pytest.raises(BadInput, match="cannot be read: Permission denied"):
            input_files([path], [".csv"])


def test_nothing_given_is_refused() -> None:
    with pytest.raises(BadInput, match="No file is given"):
        input_files([], [".csv"])
