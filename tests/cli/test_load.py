"""`cgstore load tkg`, `sources` and `drop` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from tests.cli.conftest import EXAMPLES, Run


def test_load_prints_a_report_and_loading_again_changes_nothing(run: Run, db: Database) -> None:
    first = run("load", "tkg", EXAMPLES / "world.tsv", "--json")
    assert first.exit_code == 0
    report = json.loads(first.stdout.splitlines()[-1])
    assert (report["source"], report["kind"], report["facts"], report["rejected"]) == ("world", "tkg", 243, 0)
    assert report["triples"] == report["has"] + report["value"]
    again = run("load", "tkg", EXAMPLES / "world.tsv")
    assert again.exit_code == 0
    assert "nothing changed" in again.stdout


def test_sources_lists_what_is_loaded(run: Run, db: Database) -> None:
    run("load", "tkg", EXAMPLES / "world.tsv", "--name", "mine")
    listed = json.loads(run("sources", "--json").stdout)
    assert [(s["name"], s["kind"], s["state"], s["facts"]) for s in listed] == [("mine", "tkg", "ready", 243)]
    assert "mine" in run("sources").stdout


def test_drop_removes_a_source(run: Run, db: Database) -> None:
    run("load", "tkg", EXAMPLES / "world.tsv")
    assert run("drop", "world").exit_code == 0
    assert json.loads(run("sources", "--json").stdout) == []
    assert db.read("MATCH (n:CgNode) RETURN count(n) AS n")[0]["n"] == 0


def test_a_bad_line_is_named_and_nothing_is_loaded(run: Run, db: Database, tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text("a\tr\tb\t1990\t1991\na\tr\tc\t19x9\t1991\n")
    result = run("load", "tkg", path)
    assert result.exit_code == 2
    assert "bad.tsv:2" in result.stderr
    assert "column 4" in result.stderr
    assert db.read("MATCH (n:CgNode) RETURN count(n) AS n")[0]["n"] == 0


@pytest.mark.parametrize("kind", ["kg", "tkg"])
def test_a_table_that_is_loaded_as_facts_is_pointed_to_its_command(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("Order,Customer,Amount,City,Status\n1,Ann,20,Bath,open\n2,Bo,30,York,sent\n", encoding="utf-8")
    result = run("load", kind, path)
    assert result.exit_code == 2
    assert "No line is a fact." in result.stderr
    assert "cgstore load table FILE" in result.stderr


def test_now_is_given_for_facts_without_an_end_and_reported(run: Run, db: Database, tmp_path: Path) -> None:
    path = tmp_path / "offices.tsv"
    path.write_text("Ann\tmayor of\tUlm\t1990\t1995\nBob\tmayor of\tUlm\t1995\tpresent\n")
    result = run("load", "tkg", path, "--now", "1999-06-30", "--dry-run", "--json")
    report = json.loads(result.stdout.splitlines()[-1])
    assert (report["open"], report["now"], report["step"]) == (1, "1999", "year")
    assert "which --now changes" in report["warnings"][0]
    assert run("load", "tkg", path, "--now", "soon").exit_code == 2


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


def test_the_input_is_not_overwritten_with_its_rejected_lines(run: Run, db: Database, tmp_path: Path) -> None:
    path = tmp_path / "self.tsv"
    path.write_text("a\tr\tb\t1\t2\na\tr\tc\tx\t2\n")
    before = path.read_bytes()
    result = run("load", "tkg", path, "--on-error", "skip", "--rejected", path)
    assert result.exit_code == 2
    assert "is the input itself" in result.stderr
    assert path.read_bytes() == before


def test_an_empty_database_says_what_to_do(run: Run, db: Database) -> None:
    result = run("query", "get_information(key='time')")
    assert result.exit_code == 2
    assert "cgstore load table FILE" in result.stderr


LOADS = {
    "table": ("cities.csv", "table", 5 * 6 * 2),
    "kg": ("films.txt", "kg", 24),
    "statements": ("prizes.jsonl", "statements", 3 + 5 + 7),
    "rdf": ("places.ttl", "rdf", 8 + 9 + 1),
    "tkg": ("world.tsv", "tkg", 2453),
}


@pytest.mark.parametrize("kind", LOADS)
def test_every_kind_of_source_has_the_same_report_and_options(run: Run, db: Database, kind: str) -> None:
    file, shown, triples = LOADS[kind]
    dry = run("load", kind, EXAMPLES / file, "--dry-run", "--name", "mine", "--json")
    report = json.loads(dry.stdout.splitlines()[-1])
    assert (report["dry_run"], report["triples"], run("sources", "--json").stdout.strip()) == (True, triples, "[]")
    loaded = json.loads(run("load", kind, EXAMPLES / file, "--name", "mine", "--json").stdout.splitlines()[-1])
    assert (loaded["source"], loaded["kind"], loaded["rejected"]) == ("mine", shown, 0)
    assert loaded["triples"] == triples == loaded["has"] + loaded["value"]
    assert loaded["facts"] and loaded["nodes"] and loaded["seconds"] >= 0
    (source,) = json.loads(run("sources", "--json").stdout)
    assert (source["name"], source["kind"], source["state"], source["triples"]) == ("mine", shown, "ready", triples)
    again = run("load", kind, EXAMPLES / file, "--name", "mine", "--replace")
    assert "nothing changed" in again.stdout


def test_a_dry_run_shows_some_triples(run: Run, db: Database) -> None:
    result = run("load", "kg", EXAMPLES / "films.txt", "--dry-run")
    assert "(directed by, Fritz Lang, [Metropolis])" in result.stdout
    assert "Would load 'films': 12 facts as 24 condition triples" in result.stdout


def test_aliases_are_a_source_of_their_own(run: Run, db: Database) -> None:
    dry = run("load", "aliases", EXAMPLES / "aliases.tsv", "--dry-run")
    assert "JFK -> John F. Kennedy" in dry.stdout
    assert "Would load 'aliases': 13 aliases in " in dry.stdout
    report = json.loads(run("load", "aliases", EXAMPLES / "aliases.tsv", "--json").stdout.splitlines()[-1])
    counts = {
        name: report[name] for name in ("source", "kind", "facts", "nodes", "triples", "has", "value", "rejected")
    }
    assert list(counts.values()) == ["aliases", "aliases", 13, 13, 0, 0, 0, 0]
    (source,) = json.loads(run("sources", "--json").stdout)
    assert (source["name"], source["kind"], source["state"], source["facts"]) == ("aliases", "aliases", "ready", 13)
    again = run("load", "aliases", EXAMPLES / "aliases.tsv", "--replace")
    assert "'aliases' is loaded already: nothing changed (13 aliases)." in again.stdout
    exported = run("export", "aliases")
    assert exported.stdout.splitlines()[:2] == ["alias\tname", "Bundeskanzler\tChancellor of Germany"]
    assert run("drop", "aliases").stdout == "Dropped 'aliases': 0 relationships and 13 nodes.\n"


def test_a_question_to_aliases_is_exit_code_2(run: Run, db: Database) -> None:
    run("load", "tkg", EXAMPLES / "world.tsv")
    run("load", "aliases", EXAMPLES / "aliases.tsv")
    program = "get_information(relation='position held', tail_entity='pope')"
    asked = run("query", program, "--source", "aliases")
    assert (asked.exit_code, "which every question uses" in asked.stderr) == (2, True)
    assert run("query", program).exit_code == 0


def test_a_folder_without_tables_says_what_is_looked_for(run: Run, tmp_path: Path) -> None:
    result = run("load", "table", tmp_path)
    assert result.exit_code == 2
    assert ".csv" in result.stderr


def test_how_the_columns_were_read_is_shown_and_printed(run: Run, db: Database, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id;n;m\na;1,5;1.250\nb;2,25;980\nc;7;15\nd;k.A.;3\ne;9;4\n")
    shown = run("load", "table", tmp_path / "t.csv")
    assert shown.stdout.splitlines()[1:] == [
        "The columns, named by line 1 (--no-header if it is a row):",
        "  id: text",
        "  n: number, decimal comma; 1 does not fit of 5, such as 'k.A.' in [line_4]",
        "  m: number, decimal comma; '1.250' is read as 1250, as in the other columns (--decimal)",
    ]
    report = json.loads(run("load", "table", tmp_path / "t.csv", "--json").stdout.splitlines()[-1])
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
        "nothing": 0,
        "nothings": [],
    }


@pytest.mark.parametrize("kind", ["table", "kg", "tkg", "statements", "aliases", "rdf"])
def test_a_missing_file_is_said_before_a_database_is_looked_for(run: Run, kind: str) -> None:
    result = run("load", kind, "none.csv", "--uri", "bolt://127.0.0.1:1", "--password", "x")
    assert (result.exit_code, "none.csv" in result.stderr) == (2, True)


def test_texts_that_stand_for_nothing_are_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,n\na,1\nb,n/a\nc,\nd,TBD\ne,n/a\nf,2\n")
    shown = run("load", "table", tmp_path / "t.csv", "--dry-run").stdout
    assert "  n: number; 3 cells without a value: 'n/a', 'TBD'\n" in shown


def test_many_columns_are_summed_up(run: Run, tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(50)]
    (tmp_path / "t.csv").write_text("\n".join([",".join(names), ",".join("1" * 50), ",".join("2" * 50)]))
    shown = run("load", "table", tmp_path / "t.csv", "--dry-run")
    assert "50 columns: 50 number" in shown.stdout
    assert "  c1: " not in shown.stdout
