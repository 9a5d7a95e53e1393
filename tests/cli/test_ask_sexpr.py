"""`--lang sexpr` and `--retrieve` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from cgstore.store import Store
from tests.cli.conftest import Run

HELD = '(JOIN (R "position held") "Angela Merkel")'


def beam(folder: Path, *replies: str) -> str:
    path = folder / "beam.jsonl"
    path.write_text(json.dumps({"question": "Who is it?", "replies": replies}), encoding="utf-8")
    return str(path)


def test_ask_runs_the_candidates_of_a_file(run: Run, world: Store, tmp_path: Path) -> None:
    file = beam(tmp_path, '(JOIN (R "position held") Nobody At All)', HELD[:-1])
    result = run("ask", "Who is it?", "--lang", "sexpr", "--llm", "replay", "--replies", file, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["program"]) == (0, HELD)
    assert "A missing parenthesis was added." in answer["warnings"]


def test_query_retrieves_names(run: Run, world: Store) -> None:
    imagined = '(JOIN (R "held position") "Angela Merkl")'
    assert run("query", "--lang", "sexpr", "--retrieve", imagined).exit_code == 0
