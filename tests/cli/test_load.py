"""`cgstore load`, `sources` and `drop` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from tests.cli.conftest import EXAMPLES, Run

LOADS = {
    "table": ("cities.csv", 5 * 6 * 2, "(City, Bern, [[line_2]])"),
    "kg": ("films.txt", 24, "(directed by, Fritz Lang, [Metropolis])"),
    "statements": ("prizes.jsonl", 3 + 5 + 7, "(award received, "),
    "rdf": ("places.ttl", 8 + 9 + 1, "("),
    "tkg": ("world.tsv", 2453, "(position held, "),
    "aliases": ("aliases.tsv", 0, "JFK -> John F. Kennedy"),
}
"""A file of each kind, how many condition triples it makes, and what a dry run shows of them."""


def last(output: str) -> Any:
    return json.loads(output.splitlines()[-1])


@pytest.mark.parametrize("kind", LOADS)
def test_every_kind_of_source_is_shown_loaded_listed_and_dropped(run: Run, db: Database, kind: str) -> None:
    file, triples, shown = LOADS[kind]
    load = ("load", kind, EXAMPLES / file, "--name", "mine")
    dry = run(*load, "--dry-run")
    assert shown in dry.stdout and "Would load 'mine': " in dry.stdout
    report = last(run(*load, "--dry-run", "--json").stdout)
    assert (report["dry_run"], report["triples"], run("sources", "--json").stdout.strip()) == (True, triples, "[]")
    loaded = last(run(*load, "--json").stdout)
    assert (loaded["source"], loaded["kind"], loaded["rejected"]) == ("mine", kind, 0)
    assert loaded["triples"] == triples == loaded["has"] + loaded["value"]
    assert loaded["facts"] and loaded["nodes"] and loaded["seconds"] >= 0
    (source,) = json.loads(run("sources", "--json").stdout)
    assert (source["name"], source["kind"], source["state"], source["triples"]) == ("mine", kind, "ready", triples)
    assert "mine" in run("sources").stdout
    again = run(*load, "--replace")
    assert again.exit_code == 0 and "'mine' is loaded already: nothing changed" in again.stdout
    dropped = run("drop", "mine")
    assert dropped.exit_code == 0 and dropped.stdout.startswith("Dropped 'mine': ")
    assert json.loads(run("sources", "--json").stdout) == []
    assert db.read("MATCH (n:CgNode|CgAlias) RETURN count(n) AS n") == [{"n": 0}]


@pytest.mark.parametrize("kind", LOADS)
def test_a_missing_file_is_said_before_a_database_is_looked_for(run: Run, kind: str) -> None:
    result = run("load", kind, "none.csv", "--uri", "bolt://127.0.0.1:1", "--password", "x")
    assert (result.exit_code, "none.csv" in result.stderr) == (2, True)


@pytest.mark.parametrize("kind", ["kg", "tkg"])
def test_a_table_that_is_loaded_as_facts_is_pointed_to_its_command(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("Order,Customer,Amount,City,Status\n1,Ann,20,Bath,open\n2,Bo,30,York,sent\n", encoding="utf-8")
    result = run("load", kind, path)
    assert result.exit_code == 2
    assert "No line is a fact." in result.stderr
    assert "cgstore load table FILE" in result.stderr


def test_now_is_given_for_facts_without_an_end_and_reported(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "offices.tsv"
    path.write_text("Ann\tmayor of\tUlm\t1990\t1995\nBob\tmayor of\tUlm\t1995\tpresent\n")
    report = last(run("load", "tkg", path, "--now", "1999-06-30", "--dry-run", "--json").stdout)
    assert (report["open"], report["now"], report["step"]) == (1, "1999", "year")
    assert "which --now changes" in report["warnings"][0]


def test_warnings_and_rejected_lines_are_printed(run: Run, db: Database, tmp_path: Path) -> None:
    path = tmp_path / "odd.tsv"
    path.write_text("a\tr\tb\t9\t1\na\tr\tc\t19x9\t1991\n")
    for first in ("Loaded 'odd': 1 fact as 4 condition triples", "'odd' is loaded already: nothing changed"):
        result = run("load", "tkg", path, "--on-error", "skip")
        assert result.exit_code == 0
        lines = result.stdout.splitlines()[-3:]
        assert lines[0].startswith(first)
        assert lines[1] == "Note: 1 fact ends before it starts: it has a start and an end, but holds at no time."
        assert lines[2] == f"1 line was rejected: {tmp_path / 'odd.rejected.tsv'}"


def test_an_empty_database_says_what_to_do(run: Run, db: Database) -> None:
    result = run("query", "get_information(key='time')")
    assert result.exit_code == 2
    assert "cgstore load table FILE" in result.stderr


def test_how_the_columns_were_read_is_shown_and_printed(run: Run, tmp_path: Path) -> None:
    load = ("load", "table", tmp_path / "t.csv", "--dry-run")
    (tmp_path / "t.csv").write_text("id;n;m\na;1,5;1.250\nb;2,25;980\nc;7;15\nd;k.A.;3\ne;9;4\nf;n/a;5\n")
    shown = run(*load).stdout.splitlines()
    start = shown.index("The columns, named by line 1 (--no-header if it is a row):")
    assert shown[start + 1 : start + 4] == [
        "  id: text",
        "  n: number, decimal comma; 1 does not fit of 5, such as 'k.A.' in [line_4]; 1 cell without a value: 'n/a'",
        "  m: number, decimal comma; '1.250' is read as 1250, as in the other columns (--decimal)",
    ]
    report = last(run(*load, "--json").stdout)
    assert report["header"] == "line 1"
    assert report["columns"][1] == {
        "source": "t",
        "name": "n",
        "kind": "number",
        "format": "decimal comma",
        "cells": 5,
        "empty": 0,
        "unread": 1,
        "examples": [["k.A.", "[line_4]"]],
        "doubt": "",
        "nothing": 1,
        "nothings": ["n/a"],
    }
    (tmp_path / "t.csv").write_text("\n".join([",".join(f"c{n}" for n in range(50)), *[",".join("1" * 50)] * 2]))
    many = run(*load).stdout
    assert "50 columns: 50 number" in many and "  c1: " not in many
