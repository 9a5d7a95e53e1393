"""`cgstore map`: what it prints."""

from __future__ import annotations

import json

from cgstore.store import Store
from tests.cli.conftest import Run


def test_the_best_candidate_comes_first_with_its_parts(run: Run, world: Store) -> None:
    lines = run("map", "Helmut Kol").stdout.splitlines()
    assert lines[0] == "Helmut Kol"
    assert "Helmut Kohl  (full text; characters 0.909" in lines[1]


def test_json_has_the_score_and_its_parts(run: Run, world: Store) -> None:
    (found,) = json.loads(run("map", "position hold", "--role", "relation", "--top", "1", "--json").stdout)
    (candidate,) = found["candidates"]
    assert (found["name"], found["role"], candidate["node"]) == ("position hold", "relation", "position held")
    assert set(candidate) == {"node", "key", "how", "score", "parts", "degree", "another"}
    assert set(candidate["parts"]) == {"characters", "words", "meaning", "same_words"}


def test_several_names_are_mapped_at_once(run: Run, world: Store) -> None:
    found = json.loads(run("map", "helmut kohl", "Helmut Kol", "--json").stdout)
    assert [each["candidates"][0]["node"] for each in found] == ["Helmut Kohl", "Helmut Kohl"]


def test_a_name_that_nothing_is_like_is_exit_code_1(run: Run, world: Store) -> None:
    result = run("map", "zzzzzzzzzz")
    assert result.exit_code == 1
    assert "nothing is like it" in result.stdout
