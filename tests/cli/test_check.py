"""`cgstore check`: what it prints, and its exit codes."""

from __future__ import annotations

import json

from syrupy.assertion import SnapshotAssertion

from cgstore.store import Store
from tests.cli.conftest import Run


def test_findings_are_listed_with_what_to_do_next_and_exit_code_1(
    world: Store, run: Run, snapshot: SnapshotAssertion
) -> None:
    result = run("check", "world", "--relation", "spouse", "--one-head", "position held")
    assert (result.exit_code, result.stdout) == (0, "world: a temporal knowledge graph, 243 facts; nothing found\n")
    result = run("check", "world", "--one-tail", "member of sports team", "--relation", "member of sports team")
    assert result.exit_code == 1
    assert result.stdout == snapshot


def test_json_has_the_whole_report(world: Store, run: Run) -> None:
    result = run("check", "world", "--limit", "1", "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (report["source"], report["kind"], report["facts"], report["counts"]) == ("world", "tkg", 243, {"gap": 3})
    (finding,) = report["findings"]
    assert finding["kind"] == "gap"
    assert finding["text"] == "'Vice President of the United States' has no head of 'position held', 1990 to 2008."
