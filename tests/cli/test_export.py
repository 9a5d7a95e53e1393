"""`cgstore export` from the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.cli.conftest import EXAMPLES, Run

HEADER = "head\trelation\ttail\tstart\tend"


def test_an_export_goes_to_standard_output_and_what_it_did_to_standard_error(run: Run, world: Store) -> None:
    result = run("export", "world")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    given = (EXAMPLES / "world.tsv").read_text("utf-8").splitlines()
    assert lines[0] == HEADER
    assert sorted(lines[1:]) == sorted(given[1:])
    assert "Exported 'world': 243 facts as 244 lines in " in result.stderr


def test_an_export_to_a_file_is_reported_as_json(run: Run, world: Store, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl.gz"
    result = run("export", "world", "--output", out, "--json")
    assert result.exit_code == 0
    report = json.loads(result.stdout.splitlines()[-1])
    assert report.pop("seconds") > 0
    assert report == {
        "source": "world",
        "kind": "tkg",
        "format": "jsonl",
        "facts": 243,
        "lines": 243,
        "path": str(out),
        "step": "year",
    }
    assert set(json.loads(gzip.decompress(out.read_bytes()).splitlines()[0])) == set(HEADER.split("\t"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--format", "nt", "--output", "out.nt"), "Give --format tsv, csv or jsonl."),
        (("--output", "out.xlsx"), "An export does not write .xlsx files."),
    ],
)
def test_a_format_that_does_not_fit_is_exit_code_2_and_leaves_no_file(
    run: Run, world: Store, tmp_path: Path, options: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("export", "world", *options)
    assert (result.exit_code, said in result.stderr) == (2, True)
    assert not list(tmp_path.iterdir())


def test_days_are_exported_with_the_step_to_load_them_by(run: Run, db: Database, tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text("a\tr\tb\t2004-01-01\t2004-12-31\n")
    run("load", "tkg", tmp_path / "in.tsv", "--step", "day")
    result = run("export", "in", "--output", tmp_path / "out.tsv")
    assert result.stdout.splitlines()[-1].endswith("Load it again with --step day.")


def test_the_ending_says_the_format(run: Run, db: Database, tmp_path: Path) -> None:
    run("load", "table", EXAMPLES / "cities.csv")
    run("load", "kg", EXAMPLES / "films.txt")
    for kind, source in (("table", "cities"), ("kg", "films")):
        run("export", source, "--output", tmp_path / f"{source}.csv")
        assert "\t" not in (tmp_path / f"{source}.csv").read_text()
        run("load", kind, tmp_path / f"{source}.csv", "--name", "again")
        before, after = run("export", source).stdout, run("export", "again").stdout
        assert before == after
        run("drop", "again")
